"""All students on one dataset."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from otherminds.errors import OtherMindsError
from otherminds.manifest import Blind, Repeats, Slopes, Student, Students, Studied
from otherminds.metrics.slopes import clustered_slopes
from otherminds.metrics.uncertainty import (
    Clusters,
    Estimate,
    bounded,
    clustered_mean,
    partition,
)
from otherminds.students import answers
from otherminds.students.halves import asked, halves, labelled, unlabelled
from otherminds.students.roster import ROSTER, Entry
from otherminds.students.rows import Rows
from otherminds.students.view import Clues, Edition, Item, Lessons, Read
from otherminds.students.words import FromText, Majority, demographics
from otherminds.types import FloatArray

SEED = 20_261_121
_DIGITS = 4
_EVEN = 1e-9
"""Numbers that differ by less from their mean are the same but for rounding."""

Watch = Callable[[str], None]
"""Is told which student begins."""


def study(
    items: Sequence[Item],
    clues: Clues | None,
    *,
    called: str,
    rows: str,
    edition: Edition = "scale",
    readers: Mapping[str, float] | None = None,
    repeats: Repeats | None = None,
    also: Lessons | None = None,
    read: Read | None = None,
    groups: int | None = None,
    only: Collection[str] | None = None,
    seed: int = SEED,
    watch: Watch | None = None,
) -> Students:
    """What students find who are trained on half of the groups and tested on the other half.

    called   what groups are called, in the plural
    rows     which rows these are, for readers
    readers  accuracy of the rule-based reader, by part
    repeats  sentences that several groups have
    also     what they are trained on besides
    read     what blind readers got right
    groups   of how many groups, the first by a draw with `seed`; all by default
    only     the names of the students to train; all that apply by default

    Accuracies are shares of items; intervals are clustered by group. Raises OtherMindsError for
    items with wrong golds or ids, for fewer than four groups, and for a student that nobody knows.
    """
    _check(items, only)
    if also is not None:
        _check_apart(items, also)
    parts: dict[str, Studied] = {}
    for part in dict.fromkeys(item.part for item in items):
        some = _of_part(items, part)
        more = None if also is None else replace(also, items=_of_part(also.items, part))
        found = _part(some, clues, edition, more, read, groups, only, seed, watch)
        reader = None if readers is None else readers.get(part)
        parts[part] = found.model_copy(update={"reader": reader})
    return Students(
        edition=edition,
        called=called,
        rows=rows,
        also=None if also is None else also.told,
        harder=None if read is None or read.harder is None else read.harder.told,
        seed=seed,
        parts=parts,
        repeats=repeats,
    )


def of_rows(
    rows: Rows,
    *,
    mixed: bool = False,
    groups: int | None = None,
    only: Collection[str] | None = None,
    seed: int = SEED,
    watch: Watch | None = None,
) -> Students:
    """What students find in the rows of a dataset; with `mixed`, of `shuffled` gold answers.

    Raises OtherMindsError as `study` does.
    """
    return study(
        shuffled(rows.items, seed) if mixed else rows.items,
        rows.clues,
        called=rows.view.called,
        rows=rows.told + (", gold answers shuffled" if mixed else ""),
        edition=rows.view.edition,
        readers=None if mixed else rows.readers,
        repeats=rows.repeats,
        also=None if mixed else rows.also,
        read=None if mixed else rows.read,
        groups=groups,
        only=only,
        seed=seed,
        watch=watch,
    )


def shuffled(items: Sequence[Item], seed: int = SEED) -> list[Item]:
    """The items with gold answers that say nothing: those of each kind dealt out anew.

    Where options differ from item to item, any of them is drawn. A student that is above chance on
    these sees what it must not.
    """
    rng = np.random.default_rng(seed)
    places: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault((item.kind, item.options), []).append(place)
    found = list(items)
    for some in places.values():
        dealt = (
            rng.permutation([items[place].gold for place in some])
            if len(some) > 1
            else rng.integers(len(items[some[0]].options), size=1)
        )
        for place, gold in zip(some, dealt.tolist(), strict=True):
            found[place] = replace(items[place], gold=gold)
    return found


def _part(
    items: Sequence[Item],
    clues: Clues | None,
    edition: Edition,
    also: Lessons | None,
    read: Read | None,
    groups: int | None,
    only: Collection[str] | None,
    seed: int,
    watch: Watch | None,
) -> Studied:
    trained, tested = halves(items, groups=groups, seed=seed)
    shown = asked(tested)
    known = labelled(clues or {}, trained)
    hidden = unlabelled(clues or {}, tested)
    # What counts as chance follows from the dataset alone.
    bases = dict(_bases(trained, tested, shown))
    own = len({item.group for item in trained})
    if also is not None:
        trained = [*trained, *also.items]
        known |= labelled(also.clues or {}, also.items)
    basis = max(bases, key=lambda name: float(bases[name].mean()))
    clusters = partition([item.group for item in tested])
    students, answered = {}, {}
    for entry in ROSTER:
        if (only is not None and entry.name not in only) or not entry.applies(items, clues):
            continue
        if watch is not None:
            watch(entry.name)
        scores = entry.answers(trained, shown, known, hidden, seed)
        right = answered[entry.name] = answers.shares(tested, scores)
        students[entry.name] = _outcome(
            entry,
            bounded(clustered_mean(right, clusters), 0.0, 1.0),
            clustered_mean(right - bases[basis], clusters),
            edition,
        )
    means = {name: round(float(right.mean()), _DIGITS) for name, right in bases.items()}
    return Studied(
        items=len(tested),
        groups=clusters.count,
        trained=own,
        chance=means["chance"],
        majority=means["majority"],
        demographics=means.get("demographics"),
        basis=basis,
        blind=None if read is None else _blind(tested, answered, read),
        harder=None
        if read is None or read.harder is None
        else _blind(tested, answered, read, read.harder.has),
        students=students,
        slopes=_slopes(tested, answered, clusters),
    )


def _of_part(items: Sequence[Item], part: str) -> list[Item]:
    return [item for item in items if item.part == part]


def _blind(
    tested: Sequence[Item],
    answered: Mapping[str, FloatArray],
    read: Read,
    has: Callable[[Item], bool] | None = None,
) -> Blind | None:
    """Blind readers beside the best student on the items that were read; with `has`, on these of them.

    What bounds the best student holds for the harder items, where these are told apart.
    """
    places = [
        place
        for place, item in enumerate(tested)
        if item.item_id in read.shares and (has is None or has(item))
    ]
    if not places or not answered:
        return None
    shares = np.array([read.shares[tested[place].item_id] for place in places])
    clusters = partition([tested[place].group for place in places])
    best = max(answered, key=lambda name: float(answered[name][places].mean()))
    accuracy = bounded(clustered_mean(shares, clusters), 0.0, 1.0)
    below = clustered_mean(shares - answered[best][places], clusters)
    return Blind(
        items=len(places),
        accuracy=round(accuracy.value, _DIGITS),
        interval=_ends(accuracy),
        student=best,
        below=round(below.value, _DIGITS),
        below_interval=_ends(below),
        gap=read.gap if (has is None) == (read.harder is None) else None,
    )


def _slopes(
    tested: Sequence[Item], answered: Mapping[str, FloatArray], clusters: Clusters
) -> Slopes | None:
    """Of the best student, over the scales on which items of a kind differ: kinds are not equally
    hard."""
    kinds = partition([item.kind for item in tested])
    scales = {
        name: kinds.centered(np.array([item.scales[name] for item in tested], dtype=float))
        for name in tested[0].scales
    }
    varied = {name: values for name, values in scales.items() if np.abs(values).max() > _EVEN}
    if not varied or not answered:
        return None
    best = max(answered, key=lambda name: float(answered[name].mean()))
    right = kinds.centered(answered[best])
    slopes = clustered_slopes(right, np.column_stack(list(varied.values())), clusters)
    found = dict(zip(varied, slopes, strict=True))
    return Slopes(
        student=best,
        change={name: round(one.value, _DIGITS) for name, one in found.items()},
        intervals={name: ends for name, one in found.items() if (ends := _ends(one)) is not None},
    )


_Basis = Literal["chance", "majority", "demographics"]


def _bases(
    trained: Sequence[Item], tested: Sequence[Item], shown: Sequence[Item]
) -> Iterator[tuple[_Basis, FloatArray]]:
    yield "chance", answers.chance(tested)
    majority = Majority()
    majority.fit(trained)
    yield "majority", answers.shares(tested, majority.scores(shown))
    if any(item.demographics for item in trained):
        student = FromText(demographics)
        student.fit(trained)
        yield "demographics", answers.shares(tested, student.scores(shown))


def _outcome(entry: Entry, accuracy: Estimate, above: Estimate, edition: Edition) -> Student:
    return Student(
        sees=entry.sees,
        accuracy=round(accuracy.value, _DIGITS),
        interval=_ends(accuracy),
        above=round(above.value, _DIGITS),
        above_interval=_ends(above),
        bound=entry.allowed(edition),
    )


def _ends(found: Estimate) -> tuple[float, float] | None:
    return None if np.isnan(found.low) else (round(found.low, _DIGITS), round(found.high, _DIGITS))


def _check(items: Sequence[Item], only: Collection[str] | None) -> None:
    known = [entry.name for entry in ROSTER]
    if unknown := sorted(set(only or ()) - set(known)):
        raise OtherMindsError(f"There is no student '{unknown[0]}'; there are: {', '.join(known)}.")
    if not items:
        raise OtherMindsError("There are no items for students to learn from.")
    if len({item.item_id for item in items}) < len(items):
        raise OtherMindsError("Two items have the same item_id: students would mix them up.")
    for item in items:
        if not 0 <= item.gold < len(item.options):
            raise OtherMindsError(
                f"Item {item.item_id} has no right option among its {len(item.options)}."
            )
        if len(item.claims) not in (0, len(item.options)):
            raise OtherMindsError(
                f"Item {item.item_id} has {len(item.claims)} claims for {len(item.options)} options."
            )


def _check_apart(items: Sequence[Item], also: Lessons) -> None:
    groups = {item.group for item in items}
    if shared := sorted(groups.intersection(item.group for item in also.items)):
        raise OtherMindsError(
            f"{also.told} has items on {shared[0]}, as what students are tested on may: they would be "
            "told the answers. Train on others."
        )
