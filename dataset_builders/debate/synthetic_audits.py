"""Checks of the synthetic debate table. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherminds.dataset_builders.debate import synthetic_content
from otherminds.dataset_builders.debate.schema import CATEGORIES
from otherminds.dataset_builders.debate.synthetic_ceilings import (
    SUBSET_COLUMN,
    predictions,
)
from otherminds.dataset_builders.debate.synthetic_people import FEWEST_BELIEFS, MOST_BELIEFS
from otherminds.dataset_builders.debate.synthetic_posterior import Prediction
from otherminds.dataset_builders.verdict import Audit, verdict
from otherminds.types import BoolArray, FloatArray

AGREE_SHARE: Final = (0.40, 0.60)
"""Where the share of items that people agree with may lie."""

PREDICTABLE: Final = dict.fromkeys(("Religion", "Politics"), 0.15)
"""The least that known beliefs must add to the optimal accuracy without any information."""

UNPREDICTABLE: Final = dict.fromkeys(("Entertainment", "Games", "Movies", "Music", "TV"), 0.04)
"""The most that background and known beliefs together may add to it."""

_INFORMATION = (
    ("blind", "demographics"),
    ("blind", "beliefs"),
    ("demographics", "both"),
    ("beliefs", "both"),
)
"""Conditions of which the second shows all that the first shows, and more."""

_ERRORS_ALLOWED = 4.0
"""Standard errors, clustered by person, within which a build may differ from what is wanted."""

_BINS = np.linspace(0.1, 0.9, 9)
_LEAST_PEOPLE = 20
_LEAST_SAMPLE_SIZE = 50.0
_LARGEST_MEAN_ERROR = 0.01


@dataclass(frozen=True, eq=False)
class _Built:
    """The table: the rows of each person, in table order; arrays over rows; predictions."""

    users: int
    subset: int
    by_person: dict[str, list[dict[str, Any]]]
    keys: list[tuple[str, str]]
    person: NDArray[np.int64]
    category: NDArray[np.str_]
    agrees: FloatArray
    predictions: Mapping[str, Prediction]


def audit_table(table: pa.Table, *, users: int, subset: int) -> Iterator[Audit]:
    """All audits of a table of so many people, of whom so many are marked, passed and failed.

    What depends on chance may differ from what is wanted by four standard errors, clustered by
    person, so that small builds are not failed for being small.
    """
    if not table.num_rows:
        yield verdict("counts_items", False, 0, "test beliefs")
        return
    try:
        found = predictions(table)
    except ValueError as error:
        yield verdict("of_this_population", False, 1, str(error))
        return
    yield verdict("of_this_population", True, 0, "every proposition, age and value is known")
    rows = table.to_pylist()
    by_person: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_person.setdefault(row["user_id"], []).append(row)
    place = {user: number for number, user in enumerate(by_person)}
    built = _Built(
        users=users,
        subset=subset,
        by_person=by_person,
        keys=[(row["user_id"], row["item_id"]) for row in rows],
        person=np.array([place[row["user_id"]] for row in rows], dtype=np.int64),
        category=np.array([row["category"] for row in rows], dtype=np.str_),
        agrees=np.array([row["agrees"] for row in rows], dtype=np.float64),
        predictions=found,
    )
    for check in _CHECKS:
        yield from check(built)


def _counts(built: _Built) -> Iterator[Audit]:
    found = len(built.by_person)
    yield verdict("counts_users", found == built.users, found, f"people, of {built.users}")
    marked = sum(rows[0][SUBSET_COLUMN] for rows in built.by_person.values())
    yield verdict("counts_subset", marked == built.subset, marked, f"people, of {built.subset}")
    yield verdict("counts_items", True, len(built.keys), "test beliefs")
    repeated = len(built.keys) - len({item for _, item in built.keys})
    yield verdict("ids_unique", not repeated, repeated, "repeated item ids")
    ordered = built.keys == sorted(built.keys)
    yield verdict("order", ordered, float(ordered), "1 when rows are ordered by user, then item")
    missing = sorted(set(CATEGORIES) - set(built.category.tolist()))
    yield verdict(
        "categories",
        not missing or built.users < 100,
        len(CATEGORIES) - len(missing),
        f"categories with test beliefs, of {len(CATEGORIES)} {missing}",
    )


def _people(built: _Built) -> Iterator[Audit]:
    sizes = [rows[0]["n_known"] + len(rows) for rows in built.by_person.values()]
    yield verdict(
        "beliefs_per_person",
        min(sizes) >= FEWEST_BELIEFS and max(sizes) <= MOST_BELIEFS,
        round(float(np.mean(sizes)), 4),
        f"on average, from {min(sizes)} to {max(sizes)}; wanted {FEWEST_BELIEFS} to {MOST_BELIEFS}",
    )
    uneven = [
        user
        for (user, rows), size in zip(built.by_person.items(), sizes, strict=True)
        if {row["n_known"] for row in rows} != {4 * size // 5}
        or len(rows[0]["known_beliefs"]) != rows[0]["n_known"]
    ]
    yield verdict(
        "split",
        not uneven,
        len(uneven),
        f"people of whom not the oldest 80 % of beliefs, rounded down, are known {uneven[:3]}",
    )
    mixed = [
        user
        for user, rows in built.by_person.items()
        if any(_evidence(row) != _evidence(rows[0]) for row in rows)
    ]
    yield verdict(
        "one_evidence",
        not mixed,
        len(mixed),
        f"people whose items show different things {mixed[:3]}",
    )


def _propositions(built: _Built) -> Iterator[Audit]:
    content = synthetic_content.load()
    category_of = {text: name for name, text in synthetic_content.propositions(content)}
    pairs = synthetic_content.similarities(list(category_of))
    alike = {
        frozenset(pair[1:]) for pair in pairs if pair.jaccard >= synthetic_content.NEAR_DUPLICATE
    }
    yield verdict(
        "content_near_duplicates",
        not alike,
        round(pairs[0].jaccard, 4),
        f"largest share of words in common, of '{pairs[0].first}' and '{pairs[0].second}'; "
        f"below {synthetic_content.NEAR_DUPLICATE} is wanted",
    )
    twice, wrong = [], []
    for user, rows in built.by_person.items():
        beliefs = rows[0]["known_beliefs"] + rows
        texts = [belief["proposition"] for belief in beliefs]
        if len(set(texts)) < len(texts):
            twice.append(user)
        if any(belief["category"] != category_of[belief["proposition"]] for belief in beliefs):
            wrong.append(user)
    yield verdict(
        "proposition_once",
        not twice,
        len(twice),
        f"people with a proposition twice among known and test beliefs {twice[:3]}",
    )
    yield verdict(
        "proposition_category",
        not wrong,
        len(wrong),
        f"people with a proposition in a category that is not its own {wrong[:3]}",
    )


def _agreement(built: _Built) -> Iterator[Audit]:
    share = float(built.agrees.mean())
    everything = np.ones(len(built.keys), dtype=np.bool_)
    slack = _ERRORS_ALLOWED * _standard_error(built, built.agrees - share, everything)
    low, high = AGREE_SHARE
    yield verdict(
        "agree_share",
        low - slack <= share <= high + slack,
        round(share, 4),
        f"share of items that people agree with, wanted {low} to {high}",
    )


def _calibration(built: _Built) -> Iterator[Audit]:
    """The predictions hold for the answers that were drawn, overall and by size."""
    for condition, prediction in built.predictions.items():
        surprise = built.agrees - prediction.probability
        right = np.where(prediction.probability >= 0.5, surprise, -surprise)
        bins = np.digitize(prediction.probability, _BINS)
        errors = [_in_errors(built, right, np.ones_like(right, dtype=np.bool_))]
        errors += [_in_errors(built, surprise, bins == number) for number in range(10)]
        worst = max(errors, key=abs)
        yield verdict(
            f"calibration_{condition}",
            abs(worst) <= _ERRORS_ALLOWED,
            round(worst, 4),
            "largest difference between answers and predictions, overall and in tenths of the "
            f"predicted chance, in standard errors; at most {_ERRORS_ALLOWED:g} is wanted",
        )


def _precision(built: _Built) -> Iterator[Audit]:
    for condition, prediction in built.predictions.items():
        size, error = float(prediction.sample_size.min()), float(prediction.error.mean())
        yield verdict(
            f"precision_{condition}",
            size >= _LEAST_SAMPLE_SIZE and error <= _LARGEST_MEAN_ERROR,
            round(error, 4),
            f"mean standard error of the predictions, at most {_LARGEST_MEAN_ERROR} is wanted; the "
            f"smallest effective sample is {size:.0f}, at least {_LEAST_SAMPLE_SIZE:.0f} is wanted",
        )


def _ceilings(built: _Built) -> Iterator[Audit]:
    best = {
        condition: np.maximum(found.probability, 1.0 - found.probability)
        for condition, found in built.predictions.items()
    }
    everything = np.ones(len(built.keys), dtype=np.bool_)
    for less, more in _INFORMATION:
        gain, slack = _gain(built, best[more] - best[less], everything)
        yield verdict(
            f"ceiling_{more}_over_{less}",
            gain >= -slack,
            round(gain, 4),
            "what the further information adds to the optimal accuracy; less than nothing is a fault",
        )
    for bounds, condition in ((PREDICTABLE, "beliefs"), (UNPREDICTABLE, "both")):
        for category, bound in bounds.items():
            rows = built.category == category
            if not rows.any():
                continue
            gain, slack = _gain(built, best[condition] - best["blind"], rows)
            least = bounds is PREDICTABLE
            yield verdict(
                f"ceiling_{category}",
                gain >= bound - slack if least else gain <= bound + slack,
                round(gain, 4),
                f"what '{condition}' adds to the optimal accuracy in {category}, "
                f"at {'least' if least else 'most'} {bound} is wanted",
            )


_CHECKS: tuple[Callable[[_Built], Iterator[Audit]], ...] = (
    _counts,
    _people,
    _propositions,
    _agreement,
    _calibration,
    _precision,
    _ceilings,
)


def _evidence(row: Mapping[str, Any]) -> tuple[object, ...]:
    return row["background"], row["known_beliefs"], row[SUBSET_COLUMN]


def _gain(built: _Built, gain: FloatArray, rows: BoolArray) -> tuple[float, float]:
    """The mean gain over some rows, and how much of it may be chance."""
    mean = float(gain[rows].mean())
    return mean, _ERRORS_ALLOWED * _standard_error(built, gain - mean, rows)


def _in_errors(built: _Built, surprise: FloatArray, rows: BoolArray) -> float:
    """The mean of some rows' surprises in standard errors; 0 where too few people have any."""
    error = _standard_error(built, surprise, rows)
    return float(surprise[rows].mean()) / error if math.isfinite(error) else 0.0


def _standard_error(built: _Built, residuals: FloatArray, rows: BoolArray) -> float:
    """The standard error of the mean of some rows' residuals, correlated within a person.

    Infinite where too few people have any of the rows to tell.
    """
    people = len(set(built.person[rows].tolist()))
    if people < _LEAST_PEOPLE:
        return math.inf
    sums = np.bincount(built.person[rows], weights=residuals[rows])
    return math.sqrt(people / (people - 1) * float(sums @ sums)) / float(rows.sum())
