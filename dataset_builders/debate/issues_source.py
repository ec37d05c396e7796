"""Where people stand on the big issues: the wide table, or the profiles of the corpus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd

from otherminds.dataset_builders.debate.ddo_source import USERS, profiles
from otherminds.dataset_builders.debate.demographics import Attribute, said
from otherminds.dataset_builders.debate.records import Profile
from otherminds.dataset_builders.debate.rows import user_ids
from otherminds.dataset_builders.debate.text import plain
from otherminds.dataset_builders.sources import SourceError, check_unpacked
from otherminds.sheets import quoted
from otherminds.types import Progress

TABLE: Final = "ddo_user_issue_stance_wide.csv.gz"
"""The published file name of the wide table."""

_PERSON, _PARTY, _RELIGION = "user_idx", "Political party", "Religion"
_SIDES: Final = {"pro": True, "con": False}
_NO_SIDE: Final = {"": "", "n/o": "no opinion", "n/s": "not saying", "und": "undecided"}
_DIGITS = 5
_NUMBER: Final = re.compile("[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Respondent:
    """One person's stances by issue (whether Pro), and party and religion where given."""

    user_id: str
    stances: dict[str, bool]
    background: list[Attribute]


Read = tuple[list[Respondent], Counter[str], frozenset[str]]
"""The people, why answers were left out, and the user names of the source."""


def read(source: Path, issues: Sequence[str], salt: str, progress: Progress) -> Read:
    """The people in `source`: the wide table as CSV, users.json, or a folder with one of them.

    Raises SourceError for a source that is neither, lacks columns, has an answer that is none, or
    has one person twice.
    """
    path = _file(source)
    if path.suffix == ".json":
        return _from_profiles(path, issues, salt, progress)
    return _from_table(path, issues, progress)


def _file(source: Path) -> Path:
    if source.is_dir():
        for name in (TABLE, TABLE.removesuffix(".gz"), USERS):
            if (source / name).is_file():
                return source / name
        raise SourceError(f"{source} holds neither {TABLE} nor {USERS}.")
    if not source.is_file():
        raise SourceError(f"There is no file or folder {source}.")
    if not source.name.endswith((".csv", ".csv.gz", ".json")):
        raise SourceError(f"{source} is neither the wide table (CSV or CSV.gz) nor {USERS}.")
    return source


def _from_table(path: Path, issues: Sequence[str], progress: Progress) -> Read:
    check_unpacked(path)
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (ValueError, OSError, EOFError) as error:
        problem = str(error).partition("\n")[0]
        raise SourceError(f"{path} is not a CSV table, or is damaged: {problem}") from error
    if missing := [name for name in (_PERSON, *issues) if name not in frame.columns]:
        raise SourceError(
            f"{path} is not the wide table of issue stances: it lacks {len(missing)} columns, "
            f"among them {', '.join(missing[:3])}."
        )
    twice = frame[_PERSON][frame[_PERSON].duplicated()]
    if len(twice):
        raise SourceError(
            f"{path}: the user id {quoted(twice.iloc[0])} stands for two people; each row "
            "must be one person."
        )
    dropped: Counter[str] = Counter()
    found = []
    for done, row in enumerate(frame.to_dict("records"), start=1):
        person = str(row[_PERSON])
        if _NUMBER.fullmatch(person) is None:
            raise SourceError(f"{path}: {quoted(person)} in {_PERSON} is not a number.")
        stances = _stances(((name, str(row[name])) for name in issues), dropped, path)
        says = _says(str(row.get(_PARTY, "")), str(row.get(_RELIGION, "")))
        found.append(Respondent(f"U{int(person):0{_DIGITS}d}", stances, says))
        progress(done, len(frame))
    return found, dropped, frozenset()


def _from_profiles(path: Path, issues: Sequence[str], salt: str, progress: Progress) -> Read:
    names = {plain(name).casefold(): name for name in issues}
    dropped: Counter[str] = Counter()
    by_name: dict[str, Respondent] = {}
    for profile in profiles(path, progress):
        listed = [
            (names[key.casefold()], answer)
            for key, answer in profile.issues.items()
            if key.casefold() in names
        ]
        dropped["answer to another issue"] += len(profile.issues) - len(listed)
        one = Respondent("", _stances(listed, dropped), _of_profile(profile))
        if by_name.setdefault(profile.name, one) != one:
            raise SourceError(
                f"{path}: two people with different stances have the name '{profile.name}', so their "
                "beliefs cannot be told apart."
            )
    ids = user_ids(by_name, salt)
    found = [Respondent(ids[name], one.stances, one.background) for name, one in by_name.items()]
    return found, dropped, frozenset(by_name)


def _of_profile(profile: Profile) -> list[Attribute]:
    return [
        attribute
        for attribute in _says(
            profile.fields.get("party", ""), profile.fields.get("religious_ideology", "")
        )
        if profile.name.casefold() not in attribute["value"].casefold()
    ]


def _says(party: str, religion: str) -> list[Attribute]:
    pairs = (("political party", plain(party)), ("religion", plain(religion)))
    return [Attribute(attribute=name, value=value) for name, value in pairs if said(value)]


def _stances(
    answers: Iterable[tuple[str, str]], dropped: Counter[str], strict_in: Path | None = None
) -> dict[str, bool]:
    """Issue to whether Pro. An answer that is none is an error in the file `strict_in`, else counted."""
    found = {}
    for issue, answer in answers:
        given = answer.strip().casefold()
        if given in _SIDES:
            found[issue] = _SIDES[given]
        elif given in _NO_SIDE or not strict_in:
            dropped[_NO_SIDE.get(given, "unreadable answer")] += 1
        else:
            raise SourceError(
                f"{strict_in}: {quoted(answer)} on {issue} is not an answer; answers are Pro, Con, "
                "N/O, N/S, Und and nothing."
            )
    del dropped[""]
    return found
