"""Which stages and questions a study has, and who gets which of them in which order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from otherminds.errors import OtherMindsError

PARTS = ("lite", "base", "variants", "all")

MOST_RATERS = 200


class Stage(NamedTuple):
    """The facts that the draw of a stage depends on."""

    stage_id: str
    variant: str
    place_kind: str


class Question(NamedTuple):
    """The facts that the draw of a question depends on."""

    item_id: str
    type: str
    mental_state: str


class Pages(NamedTuple):
    """One stage in one person's sheet: its id, and those of its questions, in this person's order."""

    stage_id: str
    item_ids: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """The size of a study.

    part     which stages it draws from: the lite fifth, all of the base, the variants, or all
    stages   how many stages
    items    how many questions on each
    raters   how many people
    overlap  how many of them see the same stage, with the same questions
    seed     of every draw

    Raises OtherMindsError for a plan that no data could meet.
    """

    part: str
    stages: int
    items: int
    raters: int
    overlap: int
    seed: int

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise OtherMindsError(
                f"There is no part '{self.part}' of the stages: choose {', '.join(PARTS)}."
            )
        least = {"stages": 1, "items": 0, "raters": 1, "overlap": 1, "seed": 0}
        for name, low in least.items():
            if getattr(self, name) < low:
                raise OtherMindsError(
                    f"--{name} is {getattr(self, name)}, but must be at least {low}."
                )
        if self.raters > MOST_RATERS:
            raise OtherMindsError(f"--raters is {self.raters}; at most {MOST_RATERS} are possible.")
        if self.overlap > self.raters:
            raise OtherMindsError(
                f"--overlap is {self.overlap}: no more than the {self.raters} raters can see a stage."
            )
        if self.stages * self.overlap < self.raters:
            raise OtherMindsError(
                f"{self.stages} stages for {self.overlap} people each are not enough for {self.raters} "
                "raters: somebody would have nothing to read. Raise --stages or --overlap."
            )


@dataclass(frozen=True)
class Drawn:
    """A study: its stages with their questions in the order of the draw, and everybody's sheet."""

    questions: Mapping[str, tuple[str, ...]]
    sheets: Mapping[str, tuple[Pages, ...]]


class _Purpose(IntEnum):
    """The uses of streams of random numbers. Their numbers are part of a seed's meaning."""

    STAGES = 0
    QUESTIONS = 1
    ASSIGNMENT = 2
    ORDER = 3


def draw(plan: Plan, stages: Sequence[Stage], questions: Mapping[str, Sequence[Question]]) -> Drawn:
    """Draw the study that `plan` describes.

    stages     all that may be drawn
    questions  by stage, all that may be drawn

    Stages are balanced by variant, then by place; the questions of a stage are of different cells (type
    × mental state) as long as there are any, and all cells are drawn equally often, but for one, where
    stages have equally many questions. Everybody gets equally many stages, but for one, and shares them
    with everybody else about equally often.
    The draw depends on the ids and the seed, and not on the order in which anything comes.

    Raises OtherMindsError where there are fewer stages or questions than wanted.
    """
    if plan.stages > len(stages):
        raise OtherMindsError(
            f"--stages is {plan.stages}, but the part '{plan.part}' has {len(stages):,} stages."
        )
    drawn = _stages(plan, stages)
    chosen = _questions(plan, drawn, questions)
    readers = _readers(plan, drawn)
    sheets = {}
    for place, name in enumerate(annotators(plan.raters)):
        rng = _stream(plan.seed, _Purpose.ORDER, place)
        own = [stage_id for stage_id in drawn if name in readers[stage_id]]
        sheets[name] = tuple(
            Pages(stage_id, tuple(_permuted(rng, chosen[stage_id])))
            for stage_id in _permuted(rng, own)
        )
    return Drawn(chosen, sheets)


def annotators(raters: int) -> tuple[str, ...]:
    """The names of so many people: A01, A02, …"""
    return tuple(f"A{number:02d}" for number in range(1, raters + 1))


def _stages(plan: Plan, stages: Sequence[Stage]) -> list[str]:
    rng = _stream(plan.seed, _Purpose.STAGES)
    strata: dict[tuple[str, str], list[str]] = defaultdict(list)
    for stage in sorted(stages):
        strata[stage.variant, stage.place_kind].append(stage.stage_id)
    left = {key: _permuted(rng, strata[key]) for key in sorted(strata)}
    rank = dict(zip(left, rng.permutation(len(left)), strict=True))
    seen: Counter[object] = Counter()
    drawn = []
    for _ in range(plan.stages):
        key = min(left, key=lambda one: (seen[one[:1]], seen[one[1]], seen[one], rank[one]))
        seen.update([key, key[:1], key[1]])
        drawn.append(left[key].pop())
        if not left[key]:
            del left[key]
    return drawn


def _questions(
    plan: Plan, drawn: Iterable[str], questions: Mapping[str, Sequence[Question]]
) -> dict[str, tuple[str, ...]]:
    rng = _stream(plan.seed, _Purpose.QUESTIONS)
    seen: Counter[tuple[str, str]] = Counter()
    chosen = {}
    for stage_id in drawn:
        cells: dict[tuple[str, str], list[str]] = defaultdict(list)
        for one in sorted(questions[stage_id]):
            cells[one.type, one.mental_state].append(one.item_id)
        if plan.items > len(questions[stage_id]):
            raise OtherMindsError(
                f"--items is {plan.items}, but a stage has {len(questions[stage_id])} questions."
            )
        left = {cell: _permuted(rng, cells[cell]) for cell in sorted(cells)}
        rank = dict(zip(left, rng.permutation(len(left)), strict=True))
        own: Counter[tuple[str, str]] = Counter()
        picked = []
        for _ in range(plan.items):
            cell = min(left, key=lambda one: (own[one], seen[one], rank[one]))
            own[cell] += 1
            seen[cell] += 1
            picked.append(left[cell].pop())
            if not left[cell]:
                del left[cell]
        chosen[stage_id] = tuple(picked)
    return chosen


def _readers(plan: Plan, drawn: Iterable[str]) -> dict[str, frozenset[str]]:
    """Who reads each stage."""
    rng = _stream(plan.seed, _Purpose.ASSIGNMENT)
    names = annotators(plan.raters)
    load: Counter[str] = Counter()
    together: Counter[frozenset[str]] = Counter()
    readers = {}
    for stage_id in drawn:
        order = _permuted(rng, names)
        picked: list[str] = []
        for _ in range(plan.overlap):
            left = [name for name in order if name not in picked]
            met = {name: sum(together[frozenset((name, one))] for one in picked) for name in left}
            # Of equals, the first: `order` is random.
            picked.append(min(left, key=lambda name: (load[name], met[name])))
        load.update(picked)
        together.update(frozenset((a, b)) for a in picked for b in picked if a < b)
        readers[stage_id] = frozenset(picked)
    return readers


def _permuted(rng: np.random.Generator, values: Sequence[str]) -> list[str]:
    return [values[place] for place in rng.permutation(len(values))]


def _stream(seed: int, *purpose: int) -> np.random.Generator:
    """A stream of its own for every purpose, so that a change of one leaves the others as they are."""
    sequence = np.random.SeedSequence([seed], spawn_key=tuple(int(part) for part in purpose))
    return np.random.Generator(np.random.PCG64(sequence))
