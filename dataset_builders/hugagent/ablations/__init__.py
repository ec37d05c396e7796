"""What a model may see of a person, varied: each ablation is one pure function on ITEM rows.

All of them change `context` or `demographics`, on the human track `source_shown` and `source_turns` with
it, and nothing else; `survey_examples` adds a column. Items
that show the same evidence keep showing the same bytes, except under `rag` and `rag_full`, which choose
turns for each item, and `survey_examples`, which shows answers to the item's own question.
"""

from __future__ import annotations

from otherminds.dataset_builders.ablation import Ablation
from otherminds.dataset_builders.hugagent.ablations.contexts import without_context
from otherminds.dataset_builders.hugagent.ablations.other_interviews import (
    SHOWN_TOPIC,
    cross_domain,
    cross_person,
    derangement,
)
from otherminds.dataset_builders.hugagent.ablations.own_turns import (
    first_k,
    no_context,
    no_demographics,
    rag,
    rag_full,
    random_k,
)
from otherminds.dataset_builders.hugagent.ablations.registry import ABLATIONS, apply
from otherminds.dataset_builders.hugagent.ablations.survey import EXAMPLES, survey_examples

__all__ = [
    "ABLATIONS",
    "EXAMPLES",
    "SHOWN_TOPIC",
    "Ablation",
    "apply",
    "cross_domain",
    "cross_person",
    "derangement",
    "first_k",
    "no_context",
    "no_demographics",
    "rag",
    "rag_full",
    "random_k",
    "survey_examples",
    "without_context",
]
