"""Scoring a full HugAgent synthetic run with all intervals.

The reference is the same cluster bootstrap written as a loop: resample people, gather their items,
average. It computes one metric's interval where ours computes all of them, and is run for a few of the
2,000 draws only. Run: python -m benchmarks.scoring
"""

from __future__ import annotations

import time
from collections import defaultdict

import numpy as np

from benchmarks.ratio import Ratio, print_table
from otherminds import data, weightless
from otherminds.metrics.hugagent import TOLERANCE, Item, summarize
from otherminds.scoring.hugagent import item, parse

DRAWS, LOOP_DRAWS = 2_000, 50


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    items = answered()
    start = time.perf_counter()
    summarize(items, draws=DRAWS)
    ours = time.perf_counter() - start
    start = time.perf_counter()
    loop(items, LOOP_DRAWS)
    reference = (time.perf_counter() - start) * DRAWS / LOOP_DRAWS
    note = f"{len(items):,} items, {DRAWS:,} draws; the loop from {LOOP_DRAWS} draws"
    return [
        Ratio.of(
            "all HugAgent metrics against a loop over one",
            ours,
            reference,
            "s",
            inverse=True,
            note=note,
        ),
        Ratio.alone("all HugAgent metrics of a full run", ours, "s", target="<= 2", note=note),
    ]


def answered() -> list[Item]:
    """All items with the answers of the random model."""
    rows = data.for_task(dataset="hugagent-synthetic", configs=["bsi", "bdu"])["test"]
    random = weightless.Random(seed=1)
    docs = rows.remove_columns(["context", "demographics"])
    return [
        item(doc, (parse(doc, weightless.answer_space(doc)[random.choose(doc, 0)]),))
        for doc in docs
    ]


def loop(items: list[Item], draws: int) -> float:
    """Standard error of BDU accuracy by resampling people one by one."""
    by_person: dict[str, list[bool]] = defaultdict(list)
    for one in items:
        if one.task == "bdu":
            error = abs(int(one.answers[0] or 0) - int(one.gold))
            by_person[one.participant_id].append(error <= TOLERANCE[one.low, one.high])
    people = list(by_person)
    rng = np.random.default_rng(0)
    means = []
    for _ in range(draws):
        drawn: list[bool] = []
        for index in rng.integers(0, len(people), len(people)):
            drawn.extend(by_person[people[index]])
        means.append(sum(drawn) / len(drawn))
    return float(np.std(means, ddof=1))


if __name__ == "__main__":
    main()
