"""What blind readers found: accuracy before and after, agreement, difficulty, and what it means."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from otherminds.construct import blind
from otherminds.construct.pipeline import Reading
from otherminds.construct.state import State
from otherminds.metrics.krippendorff import krippendorff_alpha
from otherminds.metrics.ranges import SHARE
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition

_DRAWS = 500


@dataclass(frozen=True)
class Found:
    """What readers found.

    complete   whether every sheet was answered
    readers    who read, by round
    before     share right of the first round, before anything is dropped, clustered by unit; None
               where nothing is right or wrong
    after      the same of the items that stay: of fresh readers, where something was dropped
    fresh      whether `after` is theirs
    agreement  share of pairs of readers of an item who gave the same answer; None without pairs, and
               for answers in words
    alpha      Krippendorff's α of the answers (nominal), with an interval over units
    right      by item, the share of its readers of the first round that were right
    dropped    items of which too few were
    n_items    items that were read
    notes      by item, what readers noted
    """

    complete: bool
    readers: Mapping[int, Sequence[str]]
    before: Estimate | None
    after: Estimate | None
    fresh: bool
    agreement: float | None
    alpha: Estimate | None
    right: Mapping[str, float]
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
            "items": self.n_items,
            "dropped": len(self.dropped),
            "before": _plain(self.before),
            "after": _plain(self.after),
            "fresh_readers": self.fresh,
            "agreement": self.agreement,
            "alpha": _plain(self.alpha),
            "by_item": {
                item: {"right": share, "dropped": item in self.dropped}
                for item, share in sorted(self.right.items())
            },
        }


def of(reading: Reading, key: blind.Key, now: State) -> Found:
    """What the readers of a construction found so far."""
    turn = blind.round_of(key, reading, now)
    units = {item.item_id: item.unit_id for item in key.items}
    gone = blind.dropped(key, reading, now)
    first = blind.shares_right(key, now, 1)
    stays = {item: share for item, share in first.items() if item not in gone}
    later = blind.shares_right(key, now, 2)
    has_allowed = reading.answers is not None
    needed = reading.readers * len(blind.items_of(key, reading, now, turn))
    answered = len(blind.answers(now, turn))
    notes: dict[str, list[str]] = defaultdict(list)
    readers: dict[int, dict[str, None]] = defaultdict(dict)
    for one in now.readings:
        if one.content is not None:
            readers[one.slot // 10][one.author] = None
            if one.content.get("note"):
                notes[one.item].append(str(one.content["note"]))
    return Found(
        complete=answered >= needed,
        readers={number: list(names) for number, names in sorted(readers.items())},
        before=_mean(first, units),
        after=_mean(later if turn == 2 else stays, units),
        fresh=turn == 2,
        agreement=_agreement(now) if has_allowed else None,
        alpha=_alpha(key, now, units) if has_allowed else None,
        right=first,
        dropped=gone,
        n_items=len(key.items),
        notes=notes,
    )


def _mean(shares: Mapping[str, float], units: Mapping[str, str]) -> Estimate | None:
    if not shares:
        return None
    clusters = partition([units[item] for item in shares])
    return SHARE.cut(clustered_mean(list(shares.values()), clusters))


def _by_item(now: State) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for item, given in blind.answers(now, 1):
        found[item].append(given)
    return found


def _agreement(now: State) -> float | None:
    pairs = [
        one == other
        for given in _by_item(now).values()
        for one, other in itertools.combinations(given, 2)
    ]
    return sum(pairs) / len(pairs) if pairs else None


def _alpha(key: blind.Key, now: State, units: Mapping[str, str]) -> Estimate | None:
    by_item = {item: given for item, given in _by_item(now).items() if len(given) > 1}
    if not by_item:
        return None
    codes: dict[str, int] = {}
    width = max(map(len, by_item.values()))
    rows = [
        [float(codes.setdefault(one, len(codes))) for one in given]
        + [math.nan] * (width - len(given))
        for given in by_item.values()
    ]
    clusters = partition([units[item] for item in by_item])
    return krippendorff_alpha(rows, clusters, level="nominal", draws=_DRAWS)


def _plain(found: Estimate | None) -> dict[str, float | None] | None:
    if found is None:
        return None
    kept = {"value": found.value, "low": found.low, "high": found.high, "n": found.n}
    kept |= {"n_units": found.n_clusters}
    return {name: value if math.isfinite(value) else None for name, value in kept.items()}
