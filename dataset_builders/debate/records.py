"""Debates and profiles of the Debate.org corpus, typed, whatever their raw records lack.

The corpus is Durmus and Cardie's. A raw debate is an object with `title`, `category`, `start_date`,
`participant_1_name`, `participant_1_position` ("Pro" or "Con"), the same for participant 2, and
`votes`; a raw vote has `user_name`, `time` and `votes_map`, which maps each participant, and
"Tied", to what the voter ticked for them. Any of these may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from otherminds.dataset_builders.debate.text import day_of, plain

AFTER: Final = "Agreed with after the debate"
TIED: Final = "Tied"

# Many people share these: no beliefs of one person can be collected under them.
_NOBODY: Final = frozenset({"", "anonymous", "deleted", "[deleted]", "unknown", "none", "null"})


@dataclass(frozen=True, slots=True)
class Vote:
    """What a voter ticked.

    voter    the user's name
    day      when, or None where that cannot be read
    after    those whom the voter agreed with after the debate, "Tied" among them where ticked
    asked    whether the question was put at all: older votes lack it
    """

    voter: str
    day: date | None
    after: frozenset[str]
    asked: bool


@dataclass(frozen=True, slots=True)
class Debate:
    """A debate: `pro` and `con` are its debaters' names, or None where unknown or nobody's."""

    key: str
    title: str
    category: str
    day: date | None
    pro: str | None
    con: str | None
    votes: tuple[Vote, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """What a user says of themselves, as written: field to text, and stances on the big issues."""

    name: str
    fields: Mapping[str, str]
    issues: Mapping[str, str] = field(default_factory=dict)


def person(value: Any) -> str | None:
    """The user name that `value` is, or None where it stands for nobody in particular."""
    name = plain(value)
    return None if name.casefold() in _NOBODY else name


def read_debate(key: str, raw: Mapping[str, Any]) -> Debate:
    """The debate that a raw record describes; missing or odd parts are left out, never invented."""
    sides: dict[str, str | None] = {}
    for place in ("1", "2"):
        side = plain(raw.get(f"participant_{place}_position")).casefold()
        name = person(raw.get(f"participant_{place}_name"))
        # Both on one side: nobody can say who stands where.
        sides[side] = None if side in sides else name
    votes = raw.get("votes")
    return Debate(
        key=plain(key),
        title=plain(raw.get("title")),
        category=plain(raw.get("category")),
        day=day_of(raw.get("start_date")),
        pro=sides.get("pro"),
        con=sides.get("con"),
        votes=tuple(_votes(votes)) if isinstance(votes, list) else (),
    )


def read_profile(name: str, raw: Mapping[str, Any]) -> Profile | None:
    """The profile that a raw record describes, or None where the name is nobody's."""
    known = person(name)
    if known is None:
        return None
    issues = raw.get("big_issues_dict")
    return Profile(
        name=known,
        fields={key: plain(value) for key, value in raw.items() if isinstance(value, str)},
        issues={plain(key): plain(value) for key, value in issues.items()}
        if isinstance(issues, Mapping)
        else {},
    )


def _votes(raw: list[Any]) -> list[Vote]:
    return [vote for entry in raw if (vote := _vote(entry)) is not None]


def _vote(raw: Any) -> Vote | None:
    if not isinstance(raw, Mapping) or (voter := person(raw.get("user_name"))) is None:
        return None
    ticks = raw.get("votes_map")
    answers = {
        plain(name): ticked[AFTER]
        for name, ticked in (ticks.items() if isinstance(ticks, Mapping) else ())
        if isinstance(ticked, Mapping) and ticked.get(AFTER) is not None
    }
    return Vote(
        voter=voter,
        day=day_of(raw.get("time")),
        after=frozenset(name for name, answer in answers.items() if _ticked(answer)),
        asked=bool(answers),
    )


def _ticked(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.strip().casefold() == "true")
