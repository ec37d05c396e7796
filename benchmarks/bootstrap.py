"""Cluster bootstrap over sums against resampling items in a Python loop, and scoring at full size.

Both bootstraps draw the same people (same seed) from the same data and must find the same standard
error. The loop gathers the items of the people drawn and averages them; it is lenient to itself in that
it averages lists of numbers, without computing the metric from the answers again in every draw.
Run: python -m benchmarks.bootstrap
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from otherminds.metrics import cluster_bootstrap, partition
from otherminds.metrics.hugagent import BASELINES, PAPER, Item, summarize
from otherminds.metrics.sums import FloatArray, divided, sums_by_cluster

ITEMS, PEOPLE, DRAWS, SEED, REPEATS = 96_000, 1_200, 2_000, 1, 3
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main() -> None:
    one_thread = {**os.environ, **dict.fromkeys(THREADS, "1")}
    for step in STEPS:
        # A process of its own for each: peak memory is a process's, and threads are set at its start.
        subprocess.run(
            [sys.executable, "-m", "benchmarks.bootstrap", step], env=one_thread, check=True
        )


def compare() -> None:
    """The mean absolute error of simulated answers, with its standard error, in both ways."""
    rng = np.random.default_rng(SEED)
    ids = [f"P{person:04}" for person in rng.integers(0, PEOPLE, ITEMS)]
    errors = rng.integers(0, 5, ITEMS).astype(np.float64)
    print(f"{ITEMS:,} items of {PEOPLE:,} people, {DRAWS:,} draws, one metric, one core")
    seconds, draws = {}, {}
    for name, bootstrap in (("loop", loop), ("ours", ours)):
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            draws[name] = bootstrap(ids, errors)
            times.append(time.perf_counter() - start)
        seconds[name] = min(times)
        print(
            f"{name}: {seconds[name]:.3f} s (best of {REPEATS}, worst {max(times):.3f}), mean of draws "
            f"{draws[name].mean():.6f}, standard error {draws[name].std(ddof=1):.8f}"
        )
    assert np.allclose(draws["ours"], draws["loop"], rtol=1e-12)
    print(f"ratio: {seconds['loop'] / seconds['ours']:.0f} (bound: at least 50)")


def ours(ids: Sequence[str], errors: FloatArray) -> FloatArray:
    def mean(sums: FloatArray) -> FloatArray:
        return divided(sums[:, 0], sums[:, 1])[:, None]

    sums = sums_by_cluster(partition(ids), errors, np.ones(len(ids)))
    return cluster_bootstrap(sums, mean, draws=DRAWS, seed=SEED)[:, 0]


def loop(ids: Sequence[str], errors: FloatArray) -> FloatArray:
    by_person: dict[str, list[float]] = defaultdict(list)
    for person, error in zip(ids, errors.tolist(), strict=True):
        by_person[person].append(error)
    people = sorted(by_person)
    rng = np.random.default_rng(SEED)
    means = []
    for _ in range(DRAWS):
        drawn: list[float] = []
        for index in rng.integers(0, len(people), len(people)).tolist():
            drawn.extend(by_person[people[index]])
        means.append(sum(drawn) / len(drawn))
    return np.array(means)


def score() -> None:
    """All of HugAgent's metrics with their intervals, by topic and together."""
    items = simulated()
    start = time.perf_counter()
    summarize(items, draws=DRAWS)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"all metrics and intervals of {len(items):,} items of {PEOPLE:,} people, one core")
    print(f"{seconds:.2f} s (bound: 10 s), peak {peak:.0f} MB with the items (bound: 1,500 MB)")


def simulated() -> list[Item]:
    """Equally many items for everybody, on three topics: opinions with their baseline, the rest BSI."""
    asked = {
        topic: [baseline, *sorted((PAPER.direction_items or {})[topic])]
        for topic, baseline in BASELINES.items()
    }
    topics = list(asked)
    items = []
    for number, (gold, answer) in enumerate(
        np.random.default_rng(SEED).integers(1, 11, size=(ITEMS, 2)).tolist()
    ):
        person, k = divmod(number, ITEMS // PEOPLE)
        position, topic = k // len(topics), topics[k % len(topics)]
        about = (f"item-{number}", f"P{person:04}", topic)
        if position < len(asked[topic]):
            question = asked[topic][position]
            items.append(Item(*about, "bdu", question, "opinion", 1, 10, str(gold), (answer,)))
        else:
            letter = "AB"[answer % 2]
            items.append(Item(*about, "bsi", "", "", 0, 0, "AB"[gold % 2], (letter,)))
    return items


STEPS = {"compare": compare, "score": score}

if __name__ == "__main__":
    STEPS.get("".join(sys.argv[1:]), main)()
