"""Prompts and replies of samples; text that prompts share is kept once."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from otherminds.samples.read import Sample
from otherminds.scoring.base import is_answered


class Text(NamedTuple):
    """Texts of a sample: the shared beginning of the prompt by its id, its rest, the replies."""

    evidence_id: str
    question: str
    raw: tuple[str, ...]


@dataclass
class _Shown:
    """The prompts about one person and part in one file: the first one, and how the others differ."""

    first: str
    shared: int


class _Kept(NamedTuple):
    group: Hashable
    shared: int
    rest: str
    raw: tuple[str, ...]


@dataclass
class Texts:
    """Collects the texts of samples, as a `visit` of `read_runs`.

    Prompts about one person begin alike, with the whole interview: of each group only the first is
    kept whole, and of the others what comes after the part that is the same.
    """

    lengths: dict[tuple[Path, str], int] = field(default_factory=dict)
    _groups: dict[Hashable, _Shown] = field(default_factory=dict)
    _kept: dict[tuple[Path, str], _Kept] = field(default_factory=dict)

    def __call__(self, path: Path, sample: Sample) -> None:
        """Keep the texts of one sample, and how many turns of the person its document shows."""
        if not is_answered(sample.record):
            return
        view = sample.record.view()
        group = (path, view.person, view.part)
        shown = self._groups.setdefault(group, _Shown(sample.prompt, len(sample.prompt)))
        shared = _shared_length(shown.first, sample.prompt)
        shown.shared = min(shown.shared, shared)
        key = (path, view.item_id)
        self._kept[key] = _Kept(group, shared, sample.prompt[shared:], sample.raw)
        turns = sample.doc.get("context")
        if isinstance(turns, list):
            self.lengths[key] = len(turns)

    def of(self, path: Path, item_id: str) -> Text:
        """The texts of one sample. Call it after all samples were seen: shared text depends on all."""
        kept = self._kept[path, item_id]
        shown = self._groups[kept.group]
        # Cut at the end of a line, where a reader would.
        end = shown.first.rfind("\n", 0, shown.shared) + 1
        question = shown.first[end : kept.shared] + kept.rest
        return Text(_id_of(shown.first[:end]), question, kept.raw)

    def evidence(self) -> dict[str, str]:
        """The beginnings that prompts share, by id."""
        found = {}
        for shown in self._groups.values():
            text = shown.first[: shown.first.rfind("\n", 0, shown.shared) + 1]
            found[_id_of(text)] = text
        return found


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
