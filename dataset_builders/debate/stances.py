"""Who agrees with the title of a debate, and who does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from otherminds.dataset_builders.debate.records import TIED, Debate, Vote


@dataclass(frozen=True, slots=True)
class Stance:
    """One person's answer to the title of one debate, and the day on which it was given."""

    user: str
    agrees: bool
    day: date


def stances(debate: Debate, dropped: Counter[str]) -> list[Stance]:
    """The stances of a debate's two debaters and of its voters, each person once.

    Debaters   the Pro side agrees, the Con side does not, from the day on which the debate began.
    Voters     whoever agreed after the debate with the Pro side alone agrees, with the Con side
               alone does not; on the day of the vote, or of the debate where the vote's cannot be
               read or is earlier.

    Ties, agreement with both or neither, votes without the question, and debates without a day give no
    stance: `dropped` counts them by reason. A debater's vote on the own debate is ignored. Of several
    votes by one person the newest counts; where those of its day disagree, none does.
    """
    if debate.day is None:
        dropped["debate without a date"] += 1
        return []
    found = [
        Stance(name, agrees, debate.day)
        for name, agrees in ((debate.pro, True), (debate.con, False))
        if name is not None
    ]
    if debate.pro is not None and debate.pro == debate.con:
        dropped["debater on both sides"] += 1
        return []
    if debate.pro is None or debate.con is None:
        dropped["vote where a debater is unknown"] += len(debate.votes)
        return found
    debaters = {debate.pro, debate.con}
    votes: dict[str, list[Stance]] = {}
    for vote in debate.votes:
        agrees = _agreement(vote, debate.pro, debate.con, dropped)
        if agrees is None:
            continue
        if vote.voter in debaters:
            dropped["vote of a debater"] += 1
            continue
        day = max(vote.day or debate.day, debate.day)
        votes.setdefault(vote.voter, []).append(Stance(vote.voter, agrees, day))
    for given in votes.values():
        last = newest(given)
        dropped["vote repeated by the same voter"] += len(given) - (last is not None)
        if last is not None:
            found.append(last)
    return found


def newest(given: Iterable[Stance]) -> Stance | None:
    """The newest of one person's stances, or None where those of the newest day disagree."""
    ordered = sorted(given, key=lambda stance: stance.day)
    last = [stance for stance in ordered if stance.day == ordered[-1].day]
    return last[0] if len({stance.agrees for stance in last}) == 1 else None


def _agreement(vote: Vote, pro: str, con: str, dropped: Counter[str]) -> bool | None:
    if not vote.asked:
        dropped["vote without the question"] += 1
        return None
    with_pro, with_con = pro in vote.after, con in vote.after
    if TIED in vote.after or (with_pro and with_con):
        dropped["vote for a tie"] += 1
        return None
    if not with_pro and not with_con:
        dropped["vote for neither side"] += 1
        return None
    return with_pro
