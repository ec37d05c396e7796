"""What `score`, `compare` and `gain` print for programs (`--json`): plain lists and mappings.

Rows are those of the tables that `--out` writes, with the same columns. The notes say what was left out
and why: a program that drops them drops the caveats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from otherminds.analysis.comparison import Comparison
from otherminds.analysis.condition_gains import Gains
from otherminds.analysis.condition_ranks import Ranking
from otherminds.analysis.scores import Scores


def of_scores(scores: Scores) -> dict[str, Any]:
    """Numbers, the checks of the samples (null for one that could not be made), and unread answers."""
    return {
        "scores": scores.table().to_dict("records"),
        "checks": [
            {
                "model": one.run.name,
                "task": one.run.task,
                "check": check.name,
                "passed": check.passed,
                "detail": check.detail,
            }
            for one in scores.scored
            for check in one.checks
        ],
        "answers": [
            {
                "model": one.run.name,
                "task": one.run.task,
                "n": one.n_answers,
                "unread": one.n_unread,
                "reads_gold": one.run.facts.reads_gold,
            }
            for one in scores.scored
        ],
        "notes": list(scores.notes),
    }


def of_comparisons(found: Sequence[Comparison]) -> dict[str, Any]:
    """By task: every pair and metric, and the models that cannot be told apart."""
    return {
        "comparisons": [
            {
                "task": one.task,
                "models": list(one.models),
                "n_items": one.n_items,
                "n_people": one.n_people,
                "values": {metric: dict(values) for metric, values in one.values.items()},
                "pairs": one.table().to_dict("records"),
                "groups": {
                    metric: [list(group) for group in groups]
                    for metric, groups in one.groups.items()
                },
                "notes": [*one.cautions, *one.notes],
            }
            for one in found
        ]
    }


def of_gains(found: Gains, ranked: Ranking) -> dict[str, Any]:
    """Every gain over the baseline, and the highest condition of each part."""
    return {
        "gains": found.table().to_dict("records"),
        "ranks": ranked.table().to_dict("records"),
        "notes": list(dict.fromkeys([*found.notes, *ranked.notes])),
    }
