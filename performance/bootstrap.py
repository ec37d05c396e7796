"""The cluster bootstrap against scipy's on the same sums, inspect_ai's and loops; and full-size scoring.

All draw whole people from the same data and must find the same interval of the mean. SciPy is given what
makes ours fast, each person's sums, which its users would have to come upon by themselves: what is
compared is the drawing alone. inspect_ai is given its scores ready made, as ours is; it draws with a
generator of its own, and the ends of its percentile interval must agree with ours within a twentieth of
its width. SciPy and the two loops draw the same people as ours (same seed), so their draws must be
equal. The loops take draws one by one: they are timed on a few, which are scaled to all, and on what
comes before the first, which is not. The rest is what scoring itself takes: all metrics with their
intervals, of HugAgent's release and of a run of 96,000 items.
Run: python -m performance.bootstrap
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np

from otherminds import weightless
from otherminds.data import loading as data
from otherminds.metrics import cluster_bootstrap, partition
from otherminds.metrics.hugagent import BASELINES, PAPER, Item, summarize
from otherminds.metrics.uncertainty import divided, sums_by_cluster
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.tasks.hugagent.scoring import item, parse
from otherminds.types import FloatArray
from performance.machine import peak_mb
from performance.ratio import Ratio, as_json, from_json, print_table

DATA = "simulated"
ITEMS, PEOPLE, DRAWS, SEED, REPEATS = 96_000, 1_200, 2_000, 1, 5
LOOP_DRAWS = 20
BATCH = 100
"""Draws that scipy makes at a time: the fastest of 1, 10, 30, 100, 300 and all, which is its default."""

TARGET = ">= 50"
AGAINST_SCIPY = ">= 1"
"""What keeps a bootstrap of our own: where scipy's is faster, ours ought to go."""

Found = TypeVar("Found")
Draw = Callable[[int], FloatArray]
"""Takes so many draws, and returns the mean of each."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    one_thread = {**os.environ, **dict.fromkeys(THREADS, "1")}
    found = []
    for step in STEPS:
        # A process of its own for each: peak memory is a process's, and threads are set at its start.
        words = [sys.executable, "-m", "performance.bootstrap", step]
        done = subprocess.run(words, env=one_thread, check=True, stdout=subprocess.PIPE, text=True)
        found += [from_json(one) for one in json.loads(done.stdout.splitlines()[-1])]
    return found


def compare() -> list[Ratio]:
    """The mean absolute error of simulated answers, with its interval, in every way."""
    rng = np.random.default_rng(SEED)
    ids = [f"P{person:04}" for person in rng.integers(0, PEOPLE, ITEMS)]
    errors = rng.integers(0, 5, ITEMS).astype(np.float64)
    seconds, draws = best_of(lambda: ours(ids, errors))
    took, found = best_of(lambda: scipy_on_sums(ids, errors))
    assert np.allclose(draws, found, rtol=1e-12), "scipy"
    note = f"the same draws, {BATCH} at a time"
    ratios = [speed_up("scipy on the same sums", seconds, took, note, target=AGAINST_SCIPY)]
    if importlib.util.find_spec("inspect_ai") is None:
        why = "inspect_ai is not installed (pip install 'otherminds[inspect]')"
        ratios.append(Ratio.left_out(named("inspect_ai"), why, target=TARGET))
    else:
        took, ends = best_of(inspect_ai(ids, errors))
        check_ends(ends, draws)
        note = "as many draws, percentile interval"
        ratios.append(speed_up("inspect_ai", seconds, took, note, target=TARGET))
    # One of the two loops is a target's; the slower one is within it wherever the other is.
    for name, loop, target in (("list loop", list_loop, TARGET), ("pandas loop", pandas_loop, "")):
        before, draw = best_of(partial(loop, ids, errors))
        took, found = best_of(partial(draw, LOOP_DRAWS))
        assert np.allclose(draws[:LOOP_DRAWS], found, rtol=1e-12), name
        note = f"{before:.3f} s before the first draw, and {LOOP_DRAWS} draws, scaled"
        all_draws = before + took * DRAWS / LOOP_DRAWS
        ratios.append(speed_up(name, seconds, all_draws, note, target=target))
    return ratios


def check_ends(ends: FloatArray, draws: FloatArray) -> None:
    """Raise AssertionError where another interval is not ours within a twentieth of its width."""
    own = np.quantile(draws, [0.025, 0.975])
    assert np.allclose(ends, own, atol=(own[1] - own[0]) / 20), (ends, own)


def named(reference: str) -> str:
    return f"cluster bootstrap against {reference}"


def speed_up(name: str, seconds: float, reference: float, note: str, *, target: str) -> Ratio:
    return Ratio.of(
        named(name),
        seconds,
        reference,
        "CPU s",
        target=target,
        inverse=True,
        note=f"{ITEMS:,} items, {PEOPLE:,} people, {DRAWS:,} draws, one core; {note}",
    )


def best_of(call: Callable[[], Found]) -> tuple[float, Found]:
    """The seconds of the fastest of a few calls, and what it returns."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        found = call()
        times.append(time.process_time() - start)
    return min(times), found


def ours(ids: Sequence[str], errors: FloatArray) -> FloatArray:
    def mean(sums: FloatArray) -> FloatArray:
        return divided(sums[:, 0], sums[:, 1])[:, None]

    sums = sums_by_cluster(partition(ids), errors, np.ones(len(ids)))
    return cluster_bootstrap(sums, mean, draws=DRAWS, seed=SEED)[:, 0]


def scipy_on_sums(ids: Sequence[str], errors: FloatArray) -> FloatArray:
    """SciPy's draws of the mean, from each person's sums."""
    from scipy import stats

    sums = sums_by_cluster(partition(ids), errors, np.ones(len(ids)))

    def mean(sum_of: FloatArray, count: FloatArray, axis: int) -> FloatArray:
        return np.asarray(sum_of.sum(axis=axis) / count.sum(axis=axis))

    found = stats.bootstrap(
        (sums[:, 0], sums[:, 1]),
        mean,
        n_resamples=DRAWS,
        paired=True,
        vectorized=True,
        batch=BATCH,
        method="percentile",
        rng=np.random.default_rng(SEED),
    )
    return np.asarray(found.bootstrap_distribution, dtype=np.float64)


def list_loop(ids: Sequence[str], errors: FloatArray) -> Draw:
    """Lenient to itself: it averages numbers, without computing a metric from answers in every draw."""
    by_person: dict[str, list[float]] = defaultdict(list)
    for person, error in zip(ids, errors.tolist(), strict=True):
        by_person[person].append(error)
    people = sorted(by_person)

    def draw(times: int) -> FloatArray:
        rng = np.random.default_rng(SEED)
        means = []
        for _ in range(times):
            drawn: list[float] = []
            for index in rng.integers(0, len(people), len(people)).tolist():
                drawn.extend(by_person[people[index]])
            means.append(sum(drawn) / len(drawn))
        return np.array(means)

    return draw


def pandas_loop(ids: Sequence[str], errors: FloatArray) -> Draw:
    """What one writes with pandas: groups once, then each draw's groups put together and averaged."""
    import pandas as pd

    table = pd.DataFrame({"person": ids, "error": errors})
    groups = [group for _, group in table.groupby("person")["error"]]
    n = len(groups)

    def draw(times: int) -> FloatArray:
        rng = np.random.default_rng(SEED)
        chosen = (rng.integers(0, n, n) for _ in range(times))
        return np.array([pd.concat([groups[one] for one in drawn]).mean() for drawn in chosen])

    return draw


def inspect_ai(ids: Sequence[str], errors: FloatArray) -> Callable[[], FloatArray]:
    """Finds the ends of inspect_ai's percentile interval over whole people."""
    from inspect_ai.scorer import SampleScore, Score, ci

    scores = [
        SampleScore(score=Score(value=error), sample_metadata={"person": person})
        for person, error in zip(ids, errors.tolist(), strict=True)
    ]

    def ends() -> FloatArray:
        interval = ci(method="bootstrap", num_samples=DRAWS, cluster="person")(scores)
        return np.array([interval["lower"], interval["upper"]])

    return ends


def score() -> list[Ratio]:
    """All of HugAgent's metrics with their intervals, by topic and together."""
    items = simulated()
    start = time.process_time()
    summarize(items, draws=DRAWS)
    seconds = time.process_time() - start
    note = f"all metrics and intervals of {len(items):,} items of {PEOPLE:,} people, one core"
    return [
        Ratio.alone("scoring of 96,000 items: time", seconds, "CPU s", target="<= 10", note=note),
        Ratio.alone("scoring of 96,000 items: peak memory", peak_mb(), "MB", target="<= 1500"),
    ]


def release() -> list[Ratio]:
    """The same of HugAgent's release, with the answers of the random model."""
    rows = data.for_task(dataset="hugagent-synthetic", configs=["bsi", "bdu"])["test"]
    random = weightless.Random(seed=SEED)
    items = [
        item(asked.doc, (parse(asked.doc, asked.answers[random.choose(asked, 0)]),))
        for asked in map(QUESTIONS.asked, rows.remove_columns(["context", "demographics"]))
    ]
    start = time.process_time()
    summarize(items, draws=DRAWS)
    seconds = time.process_time() - start
    note = f"all metrics and intervals of {len(items):,} items, {DRAWS:,} draws, one core"
    return [
        Ratio.alone(
            "scoring of HugAgent's release",
            seconds,
            "CPU s",
            target="<= 2",
            note=note,
            data="generated",
        )
    ]


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


STEPS = {"compare": compare, "score": score, "release": release}

if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps([as_json(one) for one in STEPS[sys.argv[1]]()]))
    else:
        main()
