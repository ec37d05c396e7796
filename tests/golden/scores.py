"""All scores of models without weights on the small data, to the bit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.golden import pinned
from tests.golden.texts import as_json, sha256

NAME = "scores.json"
CHANGED = "Models without weights have other scores on tasks that have their old version."

_SHORT = 16

RUNS: Mapping[str, tuple[str, ...]] = {
    # Every way of scoring, with answers of which some are right: each metric has something to tell.
    "corrupted-oracle rate=0.4": (
        "hugagent",
        "hugagent_logprob",
        "hugagent_bdu_synthetic_zoning",
        "hugagent_bsi_synthetic",
        "hugagent_bsi_synthetic_logprob",
        "hugagent_bsi_swapped",
        "hugagent_bdu_graph_synthetic",
        "hugagent_bsi_swapped_synthetic_logprob",
        "hugagent_cot_synthetic",
        "hugagent_cross_person_synthetic",
        "hugagent_graph_synthetic",
        "hugagent_graph_given_nodes_synthetic",
        "hugagent_reflections_synthetic",
        "hugagent_synthetic",
        "hugagent_synthetic_logprob",
        "debate_beliefs_issues_direct",
        "debate_both*",
        "debate_cross_category_synthetic",
        "socialmindchange_codes_group_5",
        "socialmindchange_codes_lite",
        "socialmindchange_codes_lite_cot",
        "socialmindchange_codes_lite_logprob",
        "socialmindchange_codes_lite_truncated",
    ),
    "random seed=7": (
        "hugagent_synthetic",
        "hugagent_bdu_synthetic_logprob",
        "debate_synthetic",
        "trust_game",
        "socialmindchange_codes_lite_cot",
    ),
    "majority": (
        "hugagent_bdu_synthetic",
        "hugagent_bsi",
        "debate_both_synthetic",
        "debate_both_issues_logprob",
        "socialmindchange_codes_lite_logprob",
    ),
    "oracle": (
        "hugagent",
        "hugagent_synthetic_logprob",
        "debate_cross_category",
        "socialmindchange_codes_rendered",
        "synchtom",
    ),
    "constant": ("hugagent_bdu_synthetic",),
    "persistence": ("hugagent_bdu_synthetic",),
    "reader": ("hugagent_synthetic", "hugagent_graph_synthetic"),
    "star-graph": ("hugagent_graph_synthetic", "hugagent_graph_given_nodes_synthetic"),
    "random-graph": ("hugagent_graph_synthetic", "hugagent_graph_given_nodes_synthetic"),
    "empty-graph": ("hugagent_graph_synthetic",),
    "demographic-linear": ("hugagent_bdu_synthetic",),
    "demographic-logistic": ("debate_demographics_synthetic",),
    "neighbours": ("debate_beliefs_synthetic",),
    "linear-trust": ("trust_game_population",),
    "consistent-trust": ("trust_game_self_conditioned_genagents",),
    "inconsistent-trust": ("trust_game_population",),
    "memoryless": ("trust_game_forecast",),
    "tit-for-tat": ("trust_game_rounds_genagents",),
    "wrong-premise": ("synchtom_vanilla_judge",),
    "kitchen-sink": ("synchtom_vanilla_judge",),
    "injecting": ("synchtom_10turn_judge",),
    "turn-learner": ("synchtom_collaboration_belief", "synchtom_shuffled_judge"),
    "scene-copier": ("socialmindchange_codes_render",),
    "scene-rewriter": ("socialmindchange_codes_render",),
    "scene-dropper": ("socialmindchange_codes_render",),
    "state-adder": ("socialmindchange_codes_render",),
}
"""By model with its arguments, the tasks that it is run on. `lexical-judge` judges what is judged."""

QUICK: Mapping[str, tuple[str, ...]] = {
    **RUNS,
    "corrupted-oracle rate=0.4": (
        "hugagent_synthetic",
        "hugagent_bdu_synthetic_zoning",
        "hugagent_bsi_swapped_synthetic_logprob",
        "hugagent_reflections_synthetic",
        "debate_both_synthetic",
        "socialmindchange_codes_lite",
        "socialmindchange_codes_lite_logprob",
    ),
    "random seed=7": ("hugagent_bdu_synthetic_logprob", "debate_synthetic"),
    "majority": ("hugagent_bsi", "socialmindchange_codes_lite_logprob"),
    "oracle": ("socialmindchange_codes_rendered", "synchtom_vanilla"),
    "memoryless": ("trust_game_round1",),
    "turn-learner": ("synchtom_collaboration_belief",),
}
"""Every model and every way of scoring, without tasks whose scoring another task of the list shares."""

# These are fitted by least squares, and what they send rests on its last bits.
_FITTED = ("consistent-trust", "inconsistent-trust")


def rounded_otherwise(found: Mapping[str, Any]) -> dict[str, Any]:
    """What another processor, or other numerical libraries, must score but for rounding.

    Without hashes, and without models that turn rounding into something else.
    """
    return {
        model: {task: {**one, "behind": sorted(one["behind"])} for task, one in tasks.items()}
        for model, tasks in found.items()
        if model not in _FITTED
    }


def collect(folder: Path, runs: Mapping[str, tuple[str, ...]] = RUNS) -> dict[str, Any]:
    """By model and task: its version, its scores as results files have them, and what is behind them.

    behind  of each part of what results files say beside the scores (intervals, topics, curves, …), the
            beginning of its SHA-256
    """
    return {model: _run(folder, model, tasks) for model, tasks in runs.items()}


def _run(folder: Path, model: str, tasks: tuple[str, ...]) -> dict[str, Any]:
    name, _, arguments = model.partition(" ")
    out = folder / "runs" / model.replace(" ", "-")
    told = ("--model_args", arguments) if arguments else ()
    pinned.command("run", *tasks, "--model", name, *told, "--output_path", str(out))
    found: dict[str, Any] = {}
    for path in sorted(out.rglob("results_*.json")):
        results = json.loads(path.read_bytes())
        for task in results["configs"]:
            found[task] = {
                "version": str(results["versions"][task]),
                "scores": _scores(results["results"][task]),
                "behind": {
                    part: sha256(as_json(value))[:_SHORT]
                    for part, value in results["otherminds"]["scores"].get(task, {}).items()
                },
            }
    return found


def _scores(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """By metric; lm-eval's errors of our errors are no numbers."""
    return {
        key.removesuffix(",none"): value
        for key, value in numbers.items()
        if "," in key and value != "N/A"
    }
