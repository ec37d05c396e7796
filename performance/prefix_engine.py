"""How the order of requests and the layout of prompts use a real engine's prefix cache: vLLM on the CPU.

The same requests, of which each waits for two tokens, are asked of one engine in three ways: with the
person first and in lm-eval's order (by length), with the person first as `otherminds run` orders them
(by prompt), and with the item before the person, in lm-eval's order. The cache holds about twice what
the engine works on at a time, as on an accelerator; with room for everything, no order would matter.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from otherminds import harness
from otherminds.harness import Instance
from otherminds.running import request_order
from performance import engine
from performance import prefix_tokens as prefix
from performance.engine import Work
from performance.prefix_tokens import Shown
from performance.ratio import Ratio
from tests.helpers import tiny_model

TASK = "hugagent_context10_synthetic"
"""Ten turns for each person and topic: as many people as fit into a minute, of like length."""

PEOPLE = 50
AT_ONCE = 8
BLOCKS = 360
"""Of 32 tokens: about 14 prompts of TASK."""

ROUNDS = 3
DECODING = {"until": [], "max_gen_toks": 2, "temperature": 0.0, "do_sample": False}


def measure() -> list[Ratio]:
    """Hit rates and times of each way's round of the median time, of three, against lm-eval's order.

    Raises AssertionError where the order changed an answer.
    """
    harness.quiet(debug=False)
    manager = harness.task_manager({"data_subset": PEOPLE})
    task = harness.load_tasks(manager, [TASK])[TASK]
    shown = prefix.of_task(task, "# The question", ("participant_id", "topic"))
    person_first = _requests([one.system + one.evidence + one.rest for one in shown])
    item_first = _requests([_turned(one) for one in shown])
    with tempfile.TemporaryDirectory() as folder:
        weights = tiny_model.make(Path(folder) / "model", [one.evidence for one in shown[:200]])
        model = engine.load(weights, window=4_096, blocks=BLOCKS, at_once=AT_ONCE)
        ways: dict[str, Callable[[], list[str]]] = {
            "run": partial(_as_run, model, person_first),
            "lm-eval": partial(_as_lm_eval, model, person_first),
            "item first": partial(_as_lm_eval, model, item_first),
        }
        _as_lm_eval(model, person_first[:AT_ONCE])
        rounds: dict[str, list[Work]] = {name: [] for name in ways}
        answers: dict[str, list[str]] = {}
        for _ in range(ROUNDS):
            for name, way in ways.items():
                answers[name], work = engine.worked(model, way)
                rounds[name].append(work)
    assert answers["run"] == answers["lm-eval"], "the order of requests changed an answer"
    return _ratios({name: _median(works) for name, works in rounds.items()})


def _ratios(found: dict[str, Work]) -> list[Ratio]:
    run = found["run"]
    note = f"{run.requests:,} requests of {TASK}, {run.asked:,} tokens, a cache of {BLOCKS * 32:,}"
    ratios = []
    # The targets are against the better layout alone: whoever is before it is before the other.
    for name, told, hits, time in (
        ("lm-eval", "person first in lm-eval's order", ">= 1", "<= 1"),
        ("item first", "item first in lm-eval's order", "", ""),
    ):
        other = found[name]
        ratios += [
            Ratio.of(
                f"vLLM prefix-cache hits, run against {told}",
                100 * run.hit_rate,
                100 * other.hit_rate,
                "% of tokens",
                target=hits,
                note=note,
            ),
            Ratio.of(
                f"vLLM wall time, run against {told}",
                run.seconds,
                other.seconds,
                "s",
                target=time,
                note="a model of 2 layers on the CPU: little of the time is its own",
            ),
        ]
    return ratios


def _as_run(model: Any, requests: Sequence[Instance]) -> list[str]:
    order = request_order.by_prompt(requests, range(len(requests)))
    with request_order.kept(model):
        found = model.generate_until([requests[index] for index in order], disable_tqdm=True)
    answers = dict(zip(order, found, strict=True))
    return [answers[index] for index in range(len(requests))]


def _as_lm_eval(model: Any, requests: Sequence[Instance]) -> list[str]:
    answers: list[str] = model.generate_until(list(requests), disable_tqdm=True)
    return answers


def _requests(texts: Sequence[str]) -> list[Instance]:
    return [
        Instance("generate_until", {}, (text, DECODING), 0, metadata=(TASK, number, 1))
        for number, text in enumerate(texts)
    ]


def _turned(shown: Shown) -> str:
    """The same text, with the item before the person."""
    return f"{shown.system}{shown.rest}\n\n{shown.evidence}"


def _median(works: Sequence[Work]) -> Work:
    """The round of the median time: it has the hits of just that time."""
    return sorted(works, key=lambda work: work.seconds)[len(works) // 2]
