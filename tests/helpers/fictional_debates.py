"""A fictional Debate.org corpus in the exact raw format. No user, debate or vote here is anyone's.

`sample` is small and has every irregularity that the format allows; `write_large` writes one of any
size.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Record = dict[str, Any]

STATEMENTS = (
    "Ferries should be free of charge",
    "Lighthouses are more beautiful than bridges",
    "Homework should be abolished in primary schools",
    "The school day should start at ten",
    "Zoos are cruel to animals",
    "Every village needs a library",
    "Chess is a sport",
    "Pineapple belongs on pizza",
    "Robots will write the best novels",
    "Tea tastes better than coffee",
    "Cyclists should wear helmets",
    "Kites improve the mood of a town",
)
"""Titles that are statements, in the order of their debates: one per month from 2010-01."""

CATEGORIES = ("Politics", "Arts", "Education", "Education", "Society", "Society", "Sports")

SITE_FIELDS = {"url": "http://example.org/d", "debate_status": "Post Voting Period", "comments": []}


def debate(
    title: str | None,
    pro: str | None,
    con: str | None,
    date: str | None,
    votes: list[Record] | None = None,
    category: str | None = "Society",
    **changes: Any,
) -> Record:
    """A raw debate. `changes` replaces members; a member that is None is left out."""
    record = {
        "title": title,
        "category": category,
        "start_date": date,
        "participant_1_name": con,
        "participant_1_position": "Con",
        "participant_2_name": pro,
        "participant_2_position": "Pro",
        "votes": [] if votes is None else votes,
        "rounds": [[{"side": "Pro", "text": "I begin."}, {"side": "Con", "text": "I answer."}]],
        **SITE_FIELDS,
        **changes,
    }
    return {key: value for key, value in record.items() if value is not None}


def vote(
    voter: str | None, time: str | None, after: Mapping[str, Any], *, tied: bool = False
) -> Record:
    """A raw vote: whom the voter agreed with after the debate; None leaves the answer out."""
    ticks = {
        name: {
            "Agreed with before the debate": False,
            "Made more convincing arguments": True,
            **({} if agreed is None else {"Agreed with after the debate": agreed}),
        }
        for name, agreed in after.items()
    }
    ticks["Tied"] = {"Agreed with after the debate": tied}
    record = {"user_name": voter, "time": time, "votes_map": ticks, "rfd": "A fine debate."}
    return {key: value for key, value in record.items() if value is not None}


def user(**says: Any) -> Record:
    """A raw profile that declines everything but what `says` says."""
    return {
        "birthday": "- Private -",
        "education": "Not Saying",
        "ethnicity": "Not Saying",
        "gender": "Prefer not to say",
        "income": "Not Saying",
        "party": "Not Saying",
        "political_ideology": "Not Saying",
        "relationship": "Not Saying",
        "religious_ideology": "Not Saying",
        "email": "someone@example.org",
        "joined": "2 years ago",
        "friends": ["Bo", "Cy_77"],
        "number_of_all_debates": "12",
        "big_issues_dict": {"Abortion": "N/S", "Welfare": "Und"},
        **says,
    }


def sample() -> tuple[dict[str, Any], dict[str, Any]]:
    """Debates by key and users by name. Who ends up with which beliefs:

    Ada     Pro in the first ten debates, 2010-01 to 2010-10                     10 beliefs
    Bo      Con in the same                                                      10 beliefs
    Cy_77   voted in the first six; changed a vote; tied, undecided elsewhere     6 beliefs
    Di      no profile; voted in five, of which one has an unreadable time        5 beliefs
    Ed      voted in four                                                        left out
    """
    debates = {
        f"{title.replace(' ', '-')}/1/": _regular(n) for n, title in enumerate(STATEMENTS[:10])
    }
    irregular = {
        # The same proposition again, with entities, capitals and a later, opposite stance of Ada.
        "Ferries/2/": debate(
            "&quot;FERRIES should be free of charge.&quot;", "Fay", "Ada", "11/05/2010"
        ),
        "vs/1/": debate("Kites vs. Balloons", "Ada", "Bo", "11/06/2010"),
        "or/1/": debate("Tea or coffee?", "Ada", "Bo", "11/06/2010"),
        "question/1/": debate("Does the moon matter?", "Ada", "Bo", "11/06/2010"),
        "meta/1/": debate("Rap battle with anyone", "Ada", "Bo", "11/06/2010"),
        "fragment/1/": debate("the merits of porridge", "Ada", "Bo", "11/06/2010"),
        "name/1/": debate("Snowdrop Winterbottom", "Ada", "Bo", "11/06/2010"),
        "short/1/": debate("Soup", "Ada", "Bo", "11/06/2010"),
        "personal/1/": debate("I am taller than Bo", "Ada", "Bo", "11/06/2010"),
        "foreign/1/": debate("Los gatos son mejores que los perros", "Ada", "Bo", "11/06/2010"),
        "greek/1/": debate("Οι γάτες είναι καλύτερες", "Ada", "Bo", "11/06/2010"),
        "user/1/": debate("cy_77 is a good judge", "Ada", "Bo", "11/06/2010"),
        "untitled/1/": debate(None, "Ada", "Bo", "11/06/2010"),
        "nul/1/": debate("\x00\x00 ", "Ada", "Bo", "11/06/2010"),
        "undated/1/": debate(STATEMENTS[10], "Ada", "Bo", None),
        "odd date/1/": debate(STATEMENTS[10], "Ada", "Bo", "13/45/2010"),
        # Debaters who are nobody, on one side, or the same; votes that are no list, or no votes.
        "deleted/1/": debate(
            STATEMENTS[10], None, "Gus", "11/07/2010", [_for("Di", "11/08/2010", "Gus")]
        ),
        "one side/1/": debate(
            STATEMENTS[10], "Gus", "Hal", "11/07/2010", participant_2_position="Con"
        ),
        "twins/1/": debate(STATEMENTS[10], "Gus", "Gus", "11/07/2010"),
        "no votes/1/": {**debate(STATEMENTS[11], "Gus", "Hal", "11/07/2010"), "votes": "none yet"},
        "sideless/1/": {
            "title": "Trams are quiet",
            "start_date": "11/07/2010",
            "votes": [None, 3, {}],
        },
        "odd/1/": "no object at all",
        "unknown category/1/": debate(
            "Moss grows best in the shade and helps",
            "Gus",
            "Hal",
            "2010-11-09",
            category="Gardening",
        ),
    }
    issues = {
        "Abortion": "Pro",
        "Death Penalty": "Con",
        "Medicaid &amp; Medicare": "Pro",
        "Gun Rights": "Con",
        "Welfare": "Pro",
        "Torture": "N/O",
        "Daylight Saving": "Pro",
    }
    users = {
        "Ada": user(
            birthday="Mar 4, 1985",
            gender="Female",
            education="Bachelor&#39;s Degree",
            party="Democratic Party",
            political_ideology="Liberal",
            income="$25,000 to $35,000",
            religious_ideology="Agnostic",
            big_issues_dict=issues,
        ),
        "Bo": user(birthday="1/1/1905", gender="Male", relationship="Bo is single", ethnicity=7),
        "Cy_77": user(
            religious_ideology="x" * 200, political_ideology="Moderate", big_issues_dict=None
        ),
        "Ed": user(gender="Male"),
        "lurker_1": user(),
        "": user(gender="Male"),
        "broken": [],
    }
    return debates | irregular, users


def _regular(number: int) -> Record:
    month = f"{number + 1:02d}"
    # Both forms of dates occur.
    began = f"{number + 1}/15/2010" if number % 2 else f"2010-{month}-15 10:20:30"
    votes = []
    if number < 6:
        votes.append(
            _for("Cy_77", f"{number + 1}/20/2010 4:05:06 PM", "Ada" if number % 2 else "Bo")
        )
    if number < 4:
        votes.append(_for("Ed", f"2010-{month}-21T00:00:00Z", "Bo"))
    if number < 5:
        # The fifth vote's time says nothing: it counts from the debate's day.
        votes.append(_for("Di", "2 years ago" if number == 4 else f"{number + 1}/22/2010", "Ada"))
    if number == 0:
        # Cy_77 voted again, for the other side; a debater voted; someone without a name did.
        votes.append(_for("Cy_77", "1/25/2010", "Ada"))
        votes.append(_for("Ada", "1/26/2010", "Bo"))
        votes += [_for(None, "1/26/2010", "Bo"), _for("Anonymous", "1/26/2010", "Bo")]
    if number == 6:
        votes += [
            vote("Cy_77", "7/20/2010", {"Ada": True, "Bo": False}, tied=True),
            vote("Di", "7/20/2010", {"Ada": True, "Bo": True}),
            vote("Ed", "7/20/2010", {"Ada": False, "Bo": False}),
            vote("Ed", "7/20/2010", {"Ada": None, "Bo": None})
            | {"votes_map": {"Ada": {}, "Bo": None}},
            {"user_name": "Ed", "time": None},
        ]
    if number == 7:
        # Two votes of one day that contradict each other.
        votes += [_for("Ed", "8/20/2010", "Ada"), _for("Ed", "8/20/2010", "Bo")]
    return debate(
        STATEMENTS[number], "Ada", "Bo", began, votes, CATEGORIES[number % len(CATEGORIES)]
    )


def _for(voter: str | None, time: str, side: str) -> Record:
    others = {"Ada", "Bo"} if side in ("Ada", "Bo") else {side}
    return vote(voter, time, {name: name == side for name in sorted(others)})


def write_corpus(folder: Path, debates: Mapping[str, Any], users: Mapping[str, Any]) -> Path:
    """Write debates.json and users.json to `folder`; returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in (("debates.json", debates), ("users.json", users)):
        (folder / name).write_text(json.dumps(records), encoding="utf-8")
    return folder


def write_large(folder: Path, size: int, *, voters: int = 20_000, seed: int = 5) -> Path:
    """A corpus with about `size` bytes of debates, most of them arguments, as in the real one."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    names = [f"user_{number}" for number in range(voters)]
    # A few vote often and most seldom: at full size the busiest has some two thousand beliefs.
    weights = 1 / np.sqrt(np.arange(1, voters + 1))
    weights /= weights.sum()
    subjects = (
        "Ferries",
        "Lighthouses",
        "Gardens",
        "Bridges",
        "Trams",
        "Museums",
        "Markets",
        "Harbours",
    )
    deeds = (
        "should be free",
        "are overrated",
        "improve towns",
        "deserve more money",
        "cause noise",
    )
    filler = "and so it was said at the harbour, more than once. " * 250
    written, number = 0, 0
    with (folder / "debates.json").open("w", encoding="utf-8") as file:
        file.write("{")
        while written < size:
            people = rng.choice(voters, size=7, replace=False, p=weights)
            pro, con, *voting = (names[place] for place in people)
            year, month, day = 2008 + number % 10, 1 + number % 12, 1 + number % 28
            title = f"{subjects[number % 8]} {deeds[number % 5]} in district {number % 30_000}"
            votes = [
                vote(name, f"{month}/{day}/{year}", {pro: bool(pick), con: not pick})
                for name, pick in zip(voting, rng.integers(2, size=5), strict=True)
            ]
            record = debate(title, pro, con, f"{month}/{day}/{year}", votes)
            record["rounds"] = [[{"side": "Pro", "text": filler}]]
            text = f"{', ' if number else ''}{json.dumps(str(number))}: {json.dumps(record)}"
            written += file.write(text)
            number += 1
        file.write("}")
    users = {name: user(gender="Female", birthday="Jun 1, 1980") for name in names}
    (folder / "users.json").write_text(json.dumps(users), encoding="utf-8")
    return folder


Embed = Callable[[Sequence[str]], NDArray[np.float32]]

WIDTH = 64


def hashed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Bags of words in 64 places, in place of a model: texts that share their words are alike."""
    found = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().split():
            found[row, hashlib.md5(word.encode()).digest()[0] % WIDTH] += 1
    return found


def one_hot(order: Iterable[str]) -> Embed:
    """An embedder for which no two of the texts `order` are alike."""
    place = {text: number for number, text in enumerate(dict.fromkeys(order))}

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.eye(len(place), dtype=np.float32)[[place[text] for text in texts]]

    return embed
