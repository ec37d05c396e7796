"""How many beliefs the people of a debate dataset have: a table and a histogram of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from datasets import Dataset
from numpy.typing import NDArray
from rich.console import Group, RenderableType
from rich.table import Table

from otherminds import console

IntArray = NDArray[np.int64]

KINDS = ("all", "known", "asked")
"""All beliefs of a person, those that are known, and those that are asked for (the test)."""

_LOWEST = (1, 5, 10, 20, 50, 100, 200, 500)
_WIDTH = 30


def beliefs_per_person(docs: Dataset) -> dict[str, IntArray]:
    """For each of KINDS, the number of beliefs of every person, people sorted by id.

    docs  the documents of a task, with `user_id` and `n_known`; the known beliefs of a person are the
          same in all of their documents

    Where a task shows beliefs of one category only, `known` counts those of the largest one.
    """
    people, places, asked = np.unique(
        np.asarray(docs["user_id"]), return_inverse=True, return_counts=True
    )
    known = np.zeros(len(people), dtype=np.int64)
    np.maximum.at(known, places, np.asarray(docs["n_known"], dtype=np.int64))
    asked = asked.astype(np.int64)
    return dict(zip(KINDS, (known + asked, known, asked), strict=True))


def spread(numbers: IntArray) -> dict[str, float]:
    """Sum, mean, SD (population) and quartiles of numbers of beliefs, shape (P,); NaN for none."""
    if len(numbers) == 0:
        return dict.fromkeys(
            ("total", "mean", "SD", "min", "25 %", "median", "75 %", "max"), np.nan
        )
    quartiles = np.quantile(numbers, [0.0, 0.25, 0.5, 0.75, 1.0])
    return {
        "total": float(numbers.sum()),
        "mean": float(numbers.mean()),
        "SD": float(numbers.std()),
        **dict(zip(("min", "25 %", "median", "75 %", "max"), map(float, quartiles), strict=True)),
    }


def histogram(numbers: IntArray) -> dict[str, int]:
    """How many people have so many beliefs, by bins such as "10-19"; empty bins at the ends left out."""
    ends = [*(low - 1 for low in _LOWEST[1:]), None]
    places = np.searchsorted(_LOWEST, numbers, side="right") - 1
    counts = np.bincount(places[places >= 0], minlength=len(_LOWEST))
    filled = np.flatnonzero(counts)
    names = [
        f"{low}+" if end is None else f"{low}-{end}" for low, end in zip(_LOWEST, ends, strict=True)
    ]
    kept = range(filled[0], filled[-1] + 1) if len(filled) else range(0)
    return {names[place]: int(counts[place]) for place in kept}


def printed(docs: Dataset) -> RenderableType | None:
    """The table and the histogram, for a terminal; None for documents that say nothing of beliefs."""
    if "n_known" not in docs.column_names:
        return None
    return Group(*_tables(beliefs_per_person(docs)))


def _tables(found: Mapping[str, IntArray]) -> Iterator[Table]:
    spreads = {kind: spread(numbers) for kind, numbers in found.items()}
    headings = next(iter(spreads.values()))
    yield console.table(
        [*console.texts("Beliefs per person"), *console.numbers(*headings)],
        [
            [kind, *(_digits(name, value) for name, value in numbers.items())]
            for kind, numbers in spreads.items()
        ],
        look=console.Look.RULED,
    )
    yield _bars(histogram(found["all"]))


def _bars(counts: Mapping[str, int]) -> Table:
    everyone, most = sum(counts.values()), max(counts.values(), default=0)
    rows = []
    for name, count in counts.items():
        share = f"{count / everyone:.1%}".replace("%", " %")
        rows.append([name, f"{count:,}", share, "█" * round(_WIDTH * count / most)])
    columns = [*console.numbers("Beliefs", "people", "share"), *console.texts("")]
    return console.table(columns, rows, look=console.Look.RULED)


def _digits(name: str, value: float) -> str:
    return f"{value:,.1f}" if name in ("mean", "SD") or value % 1 else f"{value:,.0f}"
