"""The contents of a page that is hard to fit: many metrics, long names, names that are alike."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pandas as pd

from otherminds.page import Contents

OWNER = "an-organisation-with-a-long-name/Model-4.1-235B-A22B-Instruct-2507-FP8-dynamic"
RUNS = (
    f"{OWNER} #1",
    f"{OWNER} #2",
    "reader",
    "random, 40 documents",
    "merge-of-" * 25 + "1",
    "merge-of-" * 25 + "2",
)
TASKS = ("toy_forecasts_under_condition_population_genagents_logprob", "toy_short")
METRICS = (
    *("composite", "rho_mean_ranking_in_context", "delta_eta2_ranking_in_context", "mae"),
    *("jensen_shannon_divergence_of_amounts", "acc", "macro_f1", "agree_rate_people"),
    "mae_round1",
)
PARTS = (
    "healthcare",
    "a part whose name is as long as names of parts can well become",
    "known: 6-10",
)
RULE = "A number is at most 2 away from the true one on a scale of 1 to 10."


def contents() -> Contents:
    """Six runs of two tasks, with everything that a page shows."""
    return Contents(
        title="A report with a long title on models that have long names, " * 2,
        notes=[f"{RUNS[0]}: 12 of 400 answers could not be parsed; they count as wrong."] * 3,
        scores=_scores(),
        references=_references(),
        samples=_samples(),
        evidence={"e": "# Interview\n" + "word " * 400},
        numeric=_numeric(),
        changes=_changes(),
        reliability=_reliability(),
        curves=_curves(),
        people=_people(),
        comparison=_comparison(),
        right=dict.fromkeys(TASKS, RULE),
        called={TASKS[0]: "personas"},
    )


def _score(metric: str, place: int) -> dict[str, Any]:
    if metric == "composite":
        return {"value": 62.5 + place, "low": -3.0, "high": 112.0, "unit_max": 100.0}
    bound = math.nan if metric.startswith(("mae", "rho")) else 1.0
    value = -0.31 if metric.startswith("rho") else 0.412
    return {"value": value, "low": value - 0.5, "high": value + 0.93, "unit_max": bound}


def _scores() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"run": run, "task": task, "part": part, "metric": metric, "stderr": 0.012},
            **_score(metric, place),
            **{"n": 12_345, "n_people": 500, "higher_is_better": metric != "mae"},
        }
        for task in TASKS
        for part in ("all", *PARTS)
        for place, run in enumerate(RUNS)
        for metric in (METRICS if task == TASKS[0] else METRICS[:2])
    )


def _references() -> pd.DataFrame:
    names = ("chance", "majority", "reader", "human")
    rows = [
        {"task": task, "part": "all", "metric": METRICS[0], "name": name, "value": 20.0 * place}
        for task in TASKS
        for place, name in enumerate(names)
    ]
    return pd.DataFrame(rows)


def _samples() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"run": run, "task": task, "item_id": f"toy-item-of-{part}-{number:05d}"},
            **{"person": f"person-{number:04d}", "part": part, "category": "reason_evaluation"},
            **{"correct": number % 3 > 0, "parsed": number % 5 > 0, "gold": "9"},
            **{"answers": "7 | 7 | 10 | – | 12", "raw": ["I think 7."], "evidence_id": "e"},
            **{"question": "How does this person feel?\n" * 5, "score": number % 3 / 2},
        }
        for run, task, part in product(RUNS, TASKS, PARTS)
        for number in range(3)
    )


def _numeric() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"run": run, "task": TASKS[0], "part": PARTS[0], "low": 1, "high": high},
            **{"gold": 1 + number % high, "answer": 1 + number // 7 % high},
        }
        for run, high in product(RUNS[:2], (10, 100))
        for number in range(1_400)
    )


def _changes() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"run": run, "task": TASKS[0], "part": PARTS[0]},
            **{"true_change": number % 3 - 1.0, "predicted_change": number // 3 % 3 - 1.0},
        }
        for run in RUNS[:3]
        for number in range(1_400)
    )


def _reliability() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{
                "run": run,
                "task": TASKS[0],
                "bin_low": 0.1 * number,
                "bin_high": 0.1 * number + 0.1,
            },
            **{
                "confidence": 0.1 * number + 0.05,
                "accuracy": 0.08 * number,
                "n": 10_000 * number + 1,
            },
        }
        for run in RUNS
        for number in range(10)
    )


def _curves() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"run": run, "task": TASKS[0], "axis": "turns shown", "x": x, "metric": metric},
            **{"value": 0.5, "low": 0.0, "high": 1.0, "n": 400},
        }
        for run, metric in product(RUNS, ("accuracy", "MAE in dollars, trustee M1"))
        for x in range(2, 43, 5)
    )


def _people() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"run": run, "task": task, "metric": "accuracy", "person": f"P{number}"},
            "value": number / 40,
        }
        for run, task in product(RUNS[:2], TASKS)
        for number in range(41)
    )


def _comparison() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"task": task, "metric": metric, "a": RUNS[0], "b": RUNS[1], "difference": -0.12},
            **{"low": math.nan, "high": math.nan, "p": 0.0001, "p_holm": 0.02, "mde": 0.3},
            **{"n": 12_345, "n_people": 500},
        }
        for task, metric in product(TASKS, METRICS[:3])
    )
