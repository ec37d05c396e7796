"""Whether a folder may be published: no person's address, number, name or key, no answer in a prompt.

`scan` looks through every text of every file. Findings that are right as they are (the canary, hashes of
files) are declared, each with its reason: those of any dataset in `cards/privacy.yaml`, those of one in
`cards/<dataset>/privacy.yaml`, which also lists the secrets that no prompt may show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict, field_validator

from otherminds import paths
from otherminds.checks import Finding
from otherminds.data.repository import card_facts
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.publishing.privacy_kinds import KINDS, TRIGGER, USER_NAME, Hit, Names, find
from otherminds.publishing.privacy_texts import Part, UnreadableError, parts
from otherminds.publishing.prompt_leaks import Secrets, leaks

NAME: Final = "privacy.yaml"


class Allowed(BaseModel):
    """Something that is found but may stay.

    kinds   of `privacy_kinds`
    files   pattern of the path in the folder, such as "checksums.json" or "data/*"
    around  regular expression; the hit must lie within a match of it
    reason  why it may stay
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kinds: list[str]
    files: str
    around: re.Pattern[str]
    reason: str

    @field_validator("kinds")
    @classmethod
    def _are_known(cls, kinds: list[str]) -> list[str]:
        if unknown := set(kinds) - {USER_NAME, *(kind.name for kind in KINDS)}:
            raise ValueError(f"unknown kinds {', '.join(sorted(unknown))}")
        return kinds

    def covers(self, hit: Hit, text: str) -> bool:
        """Whether a hit in a text is of these kinds, and within a match."""
        return hit.kind in self.kinds and any(
            match.start() <= hit.start and hit.end <= match.end()
            for match in self.around.finditer(text)
        )


class Common(BaseModel):
    """The content of `cards/privacy.yaml`: `allowed` is found in any dataset, and may stay."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    allowed: list[Allowed]


class Rules(BaseModel):
    """The content of `cards/<dataset>/privacy.yaml`.

    allowed  further findings in this dataset that may stay
    secrets  texts that no prompt of its tasks may show
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    allowed: list[Allowed] = []
    secrets: Secrets | None = None


class _Found(NamedTuple):
    """The first of the hits of one kind in one place."""

    text: str
    place: str


@cache
def common() -> list[Allowed]:
    """The exceptions that hold for any dataset; raises OtherMindsError for a file that does not fit."""
    return card_facts.checked(paths.cards() / NAME, Common).allowed


@cache
def rules_of(dataset: str) -> Rules:
    """The rules of one dataset; raises OtherMindsError for a file that does not fit."""
    return card_facts.beside(dataset, NAME, Rules) or Rules()


def scan(folder: Path, *, known_names: Iterable[str] = ()) -> list[Finding]:
    """Look through everything in `folder`: one finding per fault, or per file that has none.

    A fault names file, column and row (from 0) or line (from 1), and shows of the text only enough to
    find it. A file that cannot be looked through is a fault too. `known_names` are names of users, such
    as those of a corpus (`privacy_kinds.Names` says where they count). Of a dataset's repository it is
    also checked that no prompt shows its answer (`prompt_leaks`).
    """
    names = Names(known_names)
    findings: list[Finding] = []
    dataset = None
    if (folder / repository.MANIFEST).is_file():
        try:
            dataset = repository.manifest_of(folder).dataset
        except OtherMindsError as error:
            fault = f"{error} Whether prompts show answers is unknown"
            findings.append(Finding("answers in prompts", False, fault))
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            findings += _of_file(path, path.relative_to(folder).as_posix(), dataset, names)
    if dataset is not None:
        findings += leaks(folder, dataset, rules_of(dataset).secrets)
    return findings


def mask(text: str) -> str:
    """First and last character of a hit: enough to find it, not to use it."""
    return f"{text[0]}…{text[-1]} ({len(text)} characters)"


def _of_file(path: Path, name: str, dataset: str | None, names: Names) -> Iterator[Finding]:
    own = [] if dataset is None else rules_of(dataset).allowed
    allowed = [one for one in (*common(), *own) if fnmatchcase(name, one.files)]
    found: dict[tuple[str, str], _Found] = {}
    counts: Counter[tuple[str, str]] = Counter()
    accepted: Counter[str] = Counter()
    texts = 0
    fault = None
    try:
        for part in parts(path):
            texts += len(part.texts)
            for text, place, hit in _hits(part, names):
                reason = next((one.reason for one in allowed if one.covers(hit, text)), None)
                if reason is not None:
                    accepted[reason] += 1
                    continue
                key = (hit.kind, part.where)
                counts[key] += 1
                found.setdefault(key, _Found(text[hit.start : hit.end], place))
    except UnreadableError as error:
        fault = str(error)
    subject = f"privacy of {name}"
    if fault is not None:
        yield Finding(subject, False, f"{fault}; leave the file out, or publish it as text")
    for (kind, where), first in found.items():
        number = counts[kind, where]
        others = f", and {number - 1} more" if number > 1 else ""
        yield Finding(
            subject,
            False,
            f"{kind} in {where}{first.place}: {mask(first.text)}{others}; remove it from the source, or "
            f"declare in cards/{dataset or '<dataset>'}/{NAME} why it may stay",
        )
    for reason, number in accepted.items():
        yield Finding(subject, True, f"{number} accepted: {reason}", note=True)
    if fault is None and not found:
        yield Finding(subject, True, f"{texts:,} texts, none points at anybody")


def _hits(part: Part, names: Names) -> Iterator[tuple[str, str, Hit]]:
    """The hits in a part: the text, where it stands, and the hit."""
    if names:
        candidates = range(len(part.texts))
    else:
        triggered = pc.match_substring_regex(part.texts, TRIGGER)
        candidates = pc.indices_nonzero(triggered).to_pylist()
    for index in candidates:
        text = part.texts[index].as_py()
        place = "" if part.places is None else f", {part.unit} {part.places[index].as_py()}"
        for hit in (*find(text), *names.find(text)):
            yield text, place, hit
