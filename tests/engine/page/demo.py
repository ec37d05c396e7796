"""Made-up contents of a page: two runs with scores, samples and everything else that it can show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from otherminds.page import Contents

RUNS = ("Qwen3-8B", "Llama-3.1-70B-Instruct")
BSI, BDU, WHOLE = "hugagent_bsi_synthetic", "hugagent_bdu_synthetic", "hugagent_synthetic"
TOPICS = ("healthcare", "surveillance", "zoning")
PEOPLE = tuple(f"P{number:02d}" for number in range(1, 55))
_WORDS = (
    "the city council housing rent parking insurance hospital doctor camera privacy police street "
    "neighbours because therefore I think that people should not always pay more for less when it "
    "comes to our community and taxes are high but safety matters to families with children too"
)
# metric: unit_max, higher_is_better, score of the first run, gain of the second, standard error
_METRICS: Mapping[str, Mapping[str, tuple[float, bool, float, float, float]]] = {
    WHOLE: {"composite": (100, True, 58.2, 4.1, 1.6)},
    BSI: {"accuracy": (1, True, 0.712, 0.035, 0.017), "parse_rate": (1, True, 0.993, 0.004, 0.002)},
    BDU: {
        "accuracy": (1, True, 0.643, 0.024, 0.013),
        "mae": (np.nan, False, 1.21, -0.06, 0.041),
        "direction": (1, True, 0.777, 0.021, 0.034),
    },
}


def contents(*, people: int = 54, items: int = 4) -> Contents:
    """A whole page. Each person has `items` items per task, asked of both runs."""
    rng = generator()
    samples, evidence = interviews(rng, PEOPLE[:people], items)
    return Contents(
        title="HugAgent, synthetic track: Qwen3-8B and Llama-3.1-70B-Instruct",
        notes=[
            "Llama-3.1-70B-Instruct: 6 of 432 answers could not be parsed; they count as wrong.",
            "samples_hugagent_bdu.jsonl, line 217: cut off in the middle; the line was left out.",
            "direction rests on 92 pairs of answers: differences under 9 points are within noise.",
        ],
        scores=scores(rng),
        references=references(),
        samples=samples,
        evidence=evidence,
        numeric=numeric(rng),
        changes=changes(rng),
        reliability=reliability(),
        curves=curves(rng),
        people=per_person(rng),
        comparison=comparison(),
    )


HOSTILE = (
    "<script>window.pwned=1</script></textarea></script><img src=x onerror='window.pwned=1'>"
    "\"'><svg onload=window.pwned=1>{{ 7*7 }}]]>-->\x00\u202e\u200f\ud800שלום \x1b[31m"
)
LONG = 5_000_000


def hostile() -> Contents:
    """A page with a hostile text wherever a text can be, and an answer of five million characters."""
    bad = HOSTILE
    row = {"run": bad, "task": bad, "part": bad}
    sample = {
        **row,
        **{"item_id": bad, "person": bad, "category": bad, "correct": False, "parsed": False},
        **{"gold": bad, "answers": bad, "raw": [bad, bad + "x" * LONG], "evidence_id": bad},
        **{"question": bad, "score": 0.5},
    }
    plain = {**sample, "run": "plain", "item_id": "plain", "raw": ["A"], "correct": None}
    number = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 10}
    score = {**number, "stderr": 0.05, "n_people": 5, "higher_is_better": None, "unit_max": 1.0}
    return Contents(
        title=bad,
        notes=[bad],
        scores=_frame([{**row, **score, "part": part, "metric": bad} for part in ("all", bad)]),
        references=_frame(
            [
                {"task": bad, "part": part, "metric": bad, "name": bad, "value": 0.3}
                for part in ("all", bad)
            ]
        ),
        samples=_frame([sample, plain]),
        evidence={bad: bad},
        numeric=_frame([{**row, "low": 1, "high": 5, "gold": 2, "answer": 3}]),
        changes=_frame([{**row, "true_change": 1.0, "predicted_change": 0.0}]),
        reliability=_frame(
            [
                {
                    **{"run": bad, "task": bad, "bin_low": 0.5, "bin_high": 0.6},
                    **{"confidence": 0.55, "accuracy": 0.5, "n": 10},
                }
            ]
        ),
        curves=_frame([{"run": bad, "task": bad, "axis": bad, "x": 5, "metric": bad, **number}]),
        people=_frame([{"run": bad, "task": bad, "metric": bad, "person": bad, "value": 0.5}]),
        comparison=_frame(
            [
                {
                    **{"task": bad, "metric": bad, "a": bad, "b": bad, "difference": 0.1},
                    **{"low": 0.0, "high": 0.2, "p": 0.05, "p_holm": 0.1, "mde": 0.2},
                    **{"n": 10, "n_people": 5},
                }
            ]
        ),
    )


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    # pandas' own type for texts cannot hold half of a surrogate pair, which a JSON file can.
    return pd.DataFrame(rows, dtype=object)


def generator() -> np.random.Generator:
    return np.random.default_rng(7)


def scores(rng: np.random.Generator) -> pd.DataFrame:
    rows = []
    for task, metrics in _METRICS.items():
        for metric, (unit_max, higher, value, gain, error) in metrics.items():
            for place, run in enumerate(RUNS):
                for part in ("all", *TOPICS) if task != WHOLE else ("all",):
                    wide = error * (1 if part == "all" else 1.8)
                    score = value + place * gain
                    score += 0 if part == "all" else rng.normal() * wide
                    if np.isfinite(unit_max):
                        score = min(score, unit_max)
                    rows.append(
                        {
                            **{"run": run, "task": task, "part": part, "metric": metric},
                            **{"value": score, "stderr": wide},
                            **{"low": score - 2 * wide, "high": score + 2 * wide},
                            **{"n": 1_303 if part == "all" else 434, "n_people": 54},
                            **{"higher_is_better": higher, "unit_max": unit_max},
                        }
                    )
    return pd.DataFrame(rows)


def references() -> pd.DataFrame:
    rows = [(WHOLE, "all", "composite", "chance", 33.1), (WHOLE, "all", "composite", "human", 85.2)]
    for part, shift in zip(("all", *TOPICS), (0, 0.02, -0.03, 0.01), strict=True):
        rows += [
            (BSI, part, "accuracy", "chance", 0.519 + shift),
            (BSI, part, "accuracy", "human", 0.848 + shift),
            (BDU, part, "accuracy", "chance", 0.431 + shift),
            (BDU, part, "accuracy", "human", 0.857 + shift),
            (BDU, part, "mae", "chance", 1.88 + shift),
            (BDU, part, "mae", "human", 0.68 + shift),
        ]
    return pd.DataFrame(rows, columns=["task", "part", "metric", "name", "value"])


def interviews(
    rng: np.random.Generator, people: Sequence[str], items: int
) -> tuple[pd.DataFrame, dict[str, str]]:
    evidence = {
        f"{person}/{topic}": f"# Interview with {person} on {topic}\n\n" + _text(rng, 8_000)
        for person in people
        for topic in TOPICS
    }
    asked = [
        _item(rng, task, person, number)
        for task in (BSI, BDU)
        for person in people
        for number in range(items)
    ]
    return pd.DataFrame([_answered(rng, run, item) for run in RUNS for item in asked]), evidence


def _item(rng: np.random.Generator, task: str, person: str, number: int) -> dict[str, Any]:
    topic = TOPICS[number % len(TOPICS)]
    gold = str(rng.choice(["A", "B"])) if task == BSI else str(rng.integers(1, 11))
    return {
        **{"task": task, "item_id": f"{topic}-{person}-{number:04d}", "person": person},
        **{"part": topic, "category": ("opinion", "reason_evaluation")[number % 2], "gold": gold},
        **{"evidence_id": f"{person}/{topic}", "question": "# The question\n\n" + _text(rng, 700)},
    }


def _answered(rng: np.random.Generator, run: str, item: dict[str, Any]) -> dict[str, Any]:
    parsed = rng.random() > 0.02
    space = ["A", "B"] if item["task"] == BSI else [str(number) for number in range(1, 11)]
    answer = item["gold"] if rng.random() < 0.6 else str(rng.choice(space))
    raw = _text(rng, 180) + (f" The answer is {answer}." if parsed else " I cannot say.")
    return {
        **item,
        **{"run": run, "answers": answer if parsed else "", "raw": [raw], "parsed": parsed},
        **{"correct": bool(parsed and answer == item["gold"])},
        **{"score": float(parsed and answer == item["gold"])},
    }


def _text(rng: np.random.Generator, length: int) -> str:
    words = rng.choice(_WORDS.split(), length // 5)
    return " ".join(words)[:length]


def numeric(rng: np.random.Generator) -> pd.DataFrame:
    rows = []
    for run in RUNS:
        for low, high in ((1, 5), (1, 10)):
            gold = rng.integers(low, high + 1, 400)
            answer = np.clip(np.rint(gold + rng.normal(0, (high - low) / 5, 400)), low, high)
            rows += [
                {
                    **{"run": run, "task": BDU, "part": TOPICS[place % 3]},
                    **{"low": low, "high": high, "gold": true, "answer": guess},
                }
                for place, (true, guess) in enumerate(zip(gold, answer, strict=True))
            ]
        # As in the human data: a few golds lie outside their scale.
        rows += [
            {
                **{"run": run, "task": BDU, "part": "zoning", "low": 1, "high": 5},
                "gold": 0,
                "answer": 1,
            }
        ] * 12
    return pd.DataFrame(rows)


def changes(rng: np.random.Generator) -> pd.DataFrame:
    rows = []
    for run in RUNS:
        for place, true in enumerate(rng.integers(-3, 4, 92)):
            guess = true if rng.random() < 0.5 else rng.integers(-3, 4)
            rows.append(
                {
                    **{"run": run, "task": BDU, "part": TOPICS[place % 3]},
                    **{"true_change": float(true), "predicted_change": float(guess)},
                }
            )
    return pd.DataFrame(rows)


def reliability() -> pd.DataFrame:
    rows = []
    for place, run in enumerate(RUNS):
        for number, n in enumerate((0, 12, 31, 64, 120, 210, 260, 240, 190, 176)):
            confidence = number / 10 + 0.05
            rows.append(
                {
                    **{"run": run, "task": f"{BSI}_logprob", "n": n},
                    **{"bin_low": number / 10, "bin_high": (number + 1) / 10},
                    **{"confidence": confidence if n else np.nan},
                    "accuracy": confidence ** (1.2 + 0.5 * place) if n else np.nan,
                }
            )
    return pd.DataFrame(rows)


def curves(rng: np.random.Generator) -> pd.DataFrame:
    rows = []
    for place, run in enumerate(RUNS):
        for length in (0, 5, 10, 20, 30, 40):
            for metric, value, gain in (("accuracy", 0.45, 0.05), ("mae", 1.9, -0.15)):
                score = value + gain * np.log1p(length) + 0.02 * place + rng.normal() * 0.005
                rows.append(
                    {
                        **{
                            "run": run,
                            "task": BDU,
                            "axis": "turns shown",
                            "x": length,
                            "metric": metric,
                            "n": 400,
                        },
                        **{"value": score, "low": score - 0.03, "high": score + 0.03},
                    }
                )
    return pd.DataFrame(rows)


def per_person(rng: np.random.Generator) -> pd.DataFrame:
    rows = [
        {
            **{"run": run, "task": task, "metric": "accuracy", "person": person},
            "value": rng.binomial(24, 0.66 + 0.03 * place) / 24,
        }
        for task in (BSI, BDU)
        for place, run in enumerate(RUNS)
        for person in PEOPLE
    ]
    return pd.DataFrame(rows)


def comparison() -> pd.DataFrame:
    columns = ["task", "metric", "a", "b", "difference", "low", "high", "p", "p_holm", "mde"]
    sizes = {"n": 1_303, "n_people": 54}
    rows = [
        (BSI, "accuracy", RUNS[1], RUNS[0], 0.035, 0.004, 0.066, 0.027, 0.081, 0.044),
        (BDU, "accuracy", RUNS[1], RUNS[0], 0.024, -0.002, 0.050, 0.069, 0.138, 0.037),
        (BDU, "mae", RUNS[1], RUNS[0], -0.060, -0.101, -0.019, 0.0004, 0.0012, 0.058),
    ]
    return pd.DataFrame(rows, columns=columns).assign(**sizes)
