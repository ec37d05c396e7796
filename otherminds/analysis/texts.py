"""Prompts and replies of samples, on disk; text that prompts share is kept once."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from otherminds.samples.read import Sample
from otherminds.scoring.base import is_answered
from otherminds.spool import Place, Spool

_OPEN = 64
"""Of how many groups the first prompt is in memory: files lie in order of people, or nearly so."""


class Text(NamedTuple):
    """Texts of a sample: the shared beginning of the prompt by its id, its rest, the replies."""

    evidence_id: str
    question: str
    raw: tuple[str, ...]


@dataclass(slots=True)
class _Shown:
    """The prompts about one person and part in one file: the first one, and how the others differ."""

    first: Place
    shared: int


class _File:
    """The samples of one file, by number: in memory are numbers alone."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.group = array("q")
        self.shared = array("q")
        self.start = array("q")
        self.size = array("q")
        self.turns = array("q")


class Texts:
    """Collects the texts of samples, as a `visit` of `read_runs`.

    Prompts about one person begin alike, with the whole interview: of each group only the first is
    kept whole, and of the others what comes after the part that is the same. All of it lies in a
    temporary file.
    """

    def __init__(self) -> None:
        self._spool = Spool()
        self._files: dict[Path, _File] = {}
        self._numbers: dict[tuple[Path, str, str], int] = {}
        self._groups: list[_Shown] = []
        self._first = lru_cache(maxsize=_OPEN)(self._read_first)
        self._beginning = lru_cache(maxsize=_OPEN)(self._read_beginning)

    def __call__(self, path: Path, sample: Sample) -> None:
        """Keep the texts of one sample, and how many turns of the person its document shows."""
        if not is_answered(sample.record):
            return
        view = sample.record.view()
        own = self._files.setdefault(path, _File())
        group = self._group(path, view.person, view.part, sample.prompt)
        shown = self._groups[group]
        shared = _shared_length(self._first(group), sample.prompt)
        shown.shared = min(shown.shared, shared)
        place = self._spool.add(json.dumps([sample.prompt[shared:], *sample.raw]))
        turns = sample.doc.get("context")
        own.numbers[view.item_id] = len(own.group)
        own.group.append(group)
        own.shared.append(shared)
        own.start.append(place.start)
        own.size.append(place.size)
        own.turns.append(len(turns) if isinstance(turns, list) else -1)

    def of(self, path: Path, item_id: str) -> Text:
        """The texts of one sample. Call it after all samples were seen: shared text depends on all."""
        own = self._files[path]
        number = own.numbers[item_id]
        group = own.group[number]
        rest, *raw = json.loads(self._spool.read(Place(own.start[number], own.size[number])))
        name, end = self._beginning(group)
        question = self._first(group)[end : own.shared[number]] + rest
        return Text(name, question, tuple(raw))

    def evidence_id(self, path: Path, item_id: str) -> str:
        """The id of the beginning that a sample's prompt shares; as `of`."""
        own = self._files[path]
        return self._beginning(own.group[own.numbers[item_id]])[0]

    def turns(self, path: Path, item_id: str) -> int | None:
        """How many turns of the person a sample's document shows; None where it has no turns."""
        own = self._files[path]
        number = own.numbers.get(item_id)
        return None if number is None or own.turns[number] < 0 else own.turns[number]

    def evidence(self) -> Mapping[str, str]:
        """The beginnings that prompts share, by id; each is read when it is asked for."""
        places = {self._beginning(group)[0]: group for group in range(len(self._groups))}
        return _Evidence(self, places)

    def beginning(self, group: int) -> str:
        """The beginning that the prompts of a group share."""
        return self._first(group)[: self._beginning(group)[1]]

    def _group(self, path: Path, person: str, part: str, prompt: str) -> int:
        number = self._numbers.setdefault((path, person, part), len(self._groups))
        if number == len(self._groups):
            self._groups.append(_Shown(self._spool.add(prompt), len(prompt)))
        return number

    def _read_first(self, group: int) -> str:
        return self._spool.read(self._groups[group].first)

    def _read_beginning(self, group: int) -> tuple[str, int]:
        """Id and length of a group's shared beginning."""
        first = self._first(group)
        # Cut at the end of a line, where a reader would.
        end = first.rfind("\n", 0, self._groups[group].shared) + 1
        return _id_of(first[:end]), end


class _Evidence(Mapping[str, str]):
    def __init__(self, texts: Texts, groups: Mapping[str, int]) -> None:
        self._texts = texts
        self._groups = groups

    def __getitem__(self, name: str) -> str:
        return self._texts.beginning(self._groups[name])

    def __contains__(self, name: object) -> bool:
        return name in self._groups

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)


def _id_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _shared_length(one: str, other: str) -> int:
    """Length of the longest common beginning, by bisection: whole slices compare fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
