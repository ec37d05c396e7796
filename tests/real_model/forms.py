"""Tasks that stand for every form, and the least share of replies that is to be read of each.

Floors are somewhat below what was measured, greedy, on a CPU. They say that a conversion, a chat
template or a parser broke, and nothing of how good a model is. Where a floor is 0.0, so small a model
hardly ever keeps the form: the task has to run, and to have a rate, all the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.helpers.packed import opened


@dataclass(frozen=True)
class Forms:
    """Tasks that are run together.

    floors  by task, the least parse rate
    limit   documents of each
    tokens  generated at most: for all tasks alike, as each token takes a tenth of a second
    """

    floors: Mapping[str, float]
    limit: int
    tokens: int

    def flags(self, output: str) -> list[str]:
        """The tasks, and the flags of a run of them."""
        decoding = f"max_gen_toks={self.tokens},temperature=0,do_sample=False"
        return [
            *(*self.floors, "--limit", str(self.limit), "--gen_kwargs", decoding),
            *("--output_path", output),
        ]

    def check(self, folder: Path) -> None:
        """Raise AssertionError where fewer replies were read than the floors say."""
        found = {task: parse_rates(numbers) for task, numbers in scores(folder).items()}
        print(json.dumps({task: found[task] for task in self.floors}, indent=2))
        low = {
            task: (found[task], [sample["resps"] for sample in samples(folder, task)])
            for task, floor in self.floors.items()
            if min(found[task].values()) < floor
        }
        assert not low


WORDS = Forms(
    {
        "debate_both_synthetic_direct": 0.7,  # measured: 1.0
        "debate_blind_synthetic_direct": 0.1,  # measured: 0.38; of 20, 0.55
        "hugagent_no_context_synthetic": 0.1,  # measured: 0.38; of 24, 0.37
    },
    limit=8,
    tokens=24,
)
"""A word, a letter or a number."""

LIKELIHOODS = Forms(
    {"debate_blind_synthetic_logprob": 1.0, "hugagent_bsi_synthetic_logprob": 1.0},
    limit=2,
    tokens=24,
)
"""Options that are compared; every one of them can be read."""

LONG_PROMPTS = Forms(
    {
        "hugagent_bdu_synthetic": 0.0,  # measured: 0.5
        "socialmindchange_codes_lite": 0.5,  # measured: 1.0
        "socialmindchange_codes_lite_logprob": 1.0,
        "trust_game_population": 0.0,  # measured: 0
    },
    limit=2,
    tokens=48,
)
"""A whole interview, a whole story with sixteen options, and JSON."""

REASONING = Forms(
    {
        "debate_blind_synthetic": 0.0,  # measured: 0; of 24, 0.13
        "hugagent_cot_synthetic": 0.0,  # measured: 0.0; it says that the answer is A, and then B
        "socialmindchange_codes_lite_cot": 0.0,  # measured: 0.0; it lists the options
    },
    limit=2,
    tokens=96,
)
"""Reasoning before the answer."""

STAGED = Forms(
    {
        "hugagent_reflections_synthetic": 0.0,
        "socialmindchange_codes_rendered": 0.0,
        "trust_game_rounds": 0.0,
    },
    limit=1,
    tokens=32,
)
"""Made from the model's own earlier answers."""

JUDGED = Forms({"synchtom_vanilla_judge": 0.0}, limit=1, tokens=32)
"""Judged by the model itself; on data that are handed in."""


def scores(folder: Path) -> dict[str, dict[str, Any]]:
    """What the results files have for each task."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.rglob("results_*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))["results"]
    return found


def samples(folder: Path, task: str) -> list[dict[str, Any]]:
    """What was asked and said for each document of a task."""
    [path] = folder.rglob(f"samples_{task}_2*.zst")
    with opened(path) as lines:
        return [json.loads(line) for line in lines]


def parse_rates(numbers: Mapping[str, Any]) -> dict[str, float]:
    """The shares of replies that were read, by metric."""
    return {
        name.removesuffix(",none"): value
        for name, value in numbers.items()
        if name.startswith("parse_rate") and "stderr" not in name and isinstance(value, float)
    }
