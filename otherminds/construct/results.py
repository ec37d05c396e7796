"""What blind readers found: accuracy before and after, agreement, difficulty, and what it means."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from otherminds.construct import blind, marking
from otherminds.construct.pipeline import Reading
from otherminds.construct.state import State
from otherminds.metrics.krippendorff import krippendorff_alpha
from otherminds.metrics.ranges import SHARE
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition

_DRAWS = 500


@dataclass(frozen=True)
class Found:
    """What readers found.

    complete   whether every sheet was answered, and every answer marked where answers are
    readers    who read, by round
    markers    who marked answers in words
    before     share right of the first round, before anything is dropped, clustered by unit; of marked
               answers, of the points that they meet; None where nothing is right or wrong
    after      the same of the items that stay: of fresh readers, where something was dropped
    fresh      whether `after` is theirs
    agreement  share of pairs of readers of an item who gave the same answer, or of points that the
               answers of both or of neither meet; None without pairs, and for answers without marks
    alpha      Krippendorff's α of the same (nominal), with an interval over units
    right      by item, the share of its readers of the first round that were right, or their mean share
               of points
    again      the same of fresh readers; empty without a second round
    dropped    items of which too few were
    n_items    items that were read
    notes      by item, what readers noted
    """

    complete: bool
    readers: Mapping[int, Sequence[str]]
    markers: Sequence[str]
    before: Estimate | None
    after: Estimate | None
    fresh: bool
    agreement: float | None
    alpha: Estimate | None
    right: Mapping[str, float]
    again: Mapping[str, float]
    dropped: frozenset[str]
    n_items: int
    notes: Mapping[str, Sequence[str]]

    def refused(self, reading: Reading) -> str | None:
        """Why there is no release with these; None where nothing is against it."""
        share = len(self.dropped) / self.n_items if self.n_items else 0.0
        if share > reading.most_drops:
            return (
                f"blind readers were wrong on {len(self.dropped)} of {self.n_items} items "
                f"({share:.0%}), and at most {reading.most_drops:.0%} may be dropped: the texts must be "
                "written anew"
            )
        if self.after is not None and self.after.value < reading.least_after:
            return (
                f"of the items that stay, readers are right on {self.after.value:.0%}, and it must be "
                f"{reading.least_after:.0%}: the texts must be written anew"
            )
        return None

    def as_json(self) -> dict[str, Any]:
        """What manifest and card state."""
        return {
            "complete": self.complete,
            "readers": {str(turn): list(names) for turn, names in self.readers.items()},
            "markers": list(self.markers),
            "items": self.n_items,
            "dropped": len(self.dropped),
            "before": _plain(self.before),
            "after": _plain(self.after),
            "fresh_readers": self.fresh,
            "agreement": self.agreement,
            "alpha": _plain(self.alpha),
            "by_item": {
                item: {"right": share, "dropped": item in self.dropped}
                | ({"again": self.again[item]} if item in self.again else {})
                for item, share in sorted(self.right.items())
            },
        }


def of(reading: Reading, key: blind.Key, now: State) -> Found:
    """What the readers of a construction found so far."""
    turn = blind.round_of(key, reading, now)
    units = {item.item_id: item.unit_id for item in key.items}
    gone = blind.dropped(key, reading, now)
    first = blind.shares_right(key, reading, now, 1)
    stays = {item: share for item, share in first.items() if item not in gone}
    later = blind.shares_right(key, reading, now, 2)
    needed = blind.readers(reading, turn) * len(blind.items_of(key, reading, now, turn))
    answered = len(blind.answers(key, now, turn))
    points = _points(reading, key, now)
    numbered = key.numbered()
    read = key.units()
    unmarked = {} if reading.marking is None else marking.asked(reading.marking, now)
    notes: dict[str, list[str]] = defaultdict(list)
    readers: dict[int, dict[str, None]] = defaultdict(dict)
    for one in now.readings:
        if one.content is not None and one.unit_id in read:
            readers[one.slot // 10][one.author] = None
            if note := one.content.get("note"):
                # A note on several items is told of the first.
                items = numbered.get(one.item)
                name = next(iter(items.values())).item_id if items else one.item
                notes[name].append(str(note))
    return Found(
        complete=answered >= needed
        and all(one.answer.unit_id not in read for one in unmarked.values()),
        readers={number: list(names) for number, names in sorted(readers.items())},
        markers=sorted({one.author for one in now.markings if one.content is not None}),
        before=_mean(first, units),
        after=_mean(later if turn == 2 else stays, units),
        fresh=turn == 2,
        agreement=_agreement(points),
        alpha=_alpha(points, units),
        right=first,
        again=later,
        dropped=gone,
        n_items=len(key.items),
        notes=notes,
    )


def _mean(shares: Mapping[str, float], units: Mapping[str, str]) -> Estimate | None:
    if not shares:
        return None
    clusters = partition([units[item] for item in shares])
    return SHARE.cut(clustered_mean(list(shares.values()), clusters))


_Points = Mapping[tuple[str, int], Sequence[str]]
"""By item and point, what its readers of the first round gave; an item with options is one point."""


def _points(reading: Reading, key: blind.Key, now: State) -> _Points:
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    if reading.marking is not None:
        for (item, slot), met in sorted(blind.marks(key, reading.marking, now).items()):
            if slot // 10 == 1:
                for place, one in enumerate(met):
                    found[item, place].append(str(one))
    elif reading.answers is not None:
        for item, given in blind.answers(key, now, 1):
            found[item, 0].append(given)
    return found


def _agreement(points: _Points) -> float | None:
    pairs = [
        one == other for given in points.values() for one, other in itertools.combinations(given, 2)
    ]
    return sum(pairs) / len(pairs) if pairs else None


def _alpha(points: _Points, units: Mapping[str, str]) -> Estimate | None:
    several = {point: given for point, given in points.items() if len(given) > 1}
    if not several:
        return None
    codes: dict[str, int] = {}
    width = max(map(len, several.values()))
    rows = [
        [float(codes.setdefault(one, len(codes))) for one in given]
        + [math.nan] * (width - len(given))
        for given in several.values()
    ]
    clusters = partition([units[item] for item, _ in several])
    return krippendorff_alpha(rows, clusters, level="nominal", draws=_DRAWS)


def _plain(found: Estimate | None) -> dict[str, float | None] | None:
    if found is None:
        return None
    kept = {"value": found.value, "low": found.low, "high": found.high, "n": found.n}
    kept |= {"n_units": found.n_clusters}
    return {name: value if math.isfinite(value) else None for name, value in kept.items()}
