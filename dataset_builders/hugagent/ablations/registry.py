"""The ablations by the names that tasks use: `dataset_kwargs: {evidence: no_context}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders import ablation
from otherminds.dataset_builders.ablation import Ablation, Transformation
from otherminds.dataset_builders.hugagent.ablations.other_interviews import (
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
from otherminds.dataset_builders.hugagent.ablations.survey import survey_examples
from otherminds.dataset_builders.hugagent.human_sources import shown_after


def apply(name: str, table: pa.Table, *, pool: pa.Table, **parameters: Any) -> pa.Table:
    """What the items of `table` show under the ablation `name`; the rows and their order stay.

    `pool` is all rows of both configurations of the dataset, whatever part of it `table` is; only the
    ablations that show other transcripts read it. A parameter that is None counts as not passed.

    Raises ValueError as `ablation.apply`.
    """
    return ablation.apply(ABLATIONS, name, table, pool=pool, **parameters)


def _part(k: int) -> Transformation:
    def shorten(table: pa.Table, _pool: pa.Table, *, context_seed: int | None = None) -> pa.Table:
        return first_k(table, k) if context_seed is None else random_k(table, k, context_seed)

    return shorten


def _random_part(
    table: pa.Table, _pool: pa.Table, *, context_k: int, context_seed: int
) -> pa.Table:
    return random_k(table, context_k, context_seed)


def _other_person(
    table: pa.Table, pool: pa.Table, *, derangement_seed: int | None = None
) -> pa.Table:
    if derangement_seed is None:
        return cross_person(table, pool)
    return derangement(table, pool, derangement_seed)


def _knowing_its_sources(ablation: Ablation) -> Ablation:
    """The same ablation, whose items say what they show of their source afterwards."""

    def show(table: pa.Table, pool: pa.Table, **parameters: Any) -> pa.Table:
        return shown_after(table, ablation.transform(table, pool, **parameters))

    return replace(ablation, transform=show)


_ABLATIONS = {
    "context5": Ablation(
        "demographics and the first 5 turns; with context_seed, 5 random turns",
        _part(5),
        optional=frozenset({"context_seed"}),
    ),
    "context10": Ablation(
        "demographics and the first 10 turns; with context_seed, 10 random turns",
        _part(10),
        optional=frozenset({"context_seed"}),
    ),
    "random_k": Ablation(
        "demographics and context_k random turns",
        _random_part,
        required=frozenset({"context_k", "context_seed"}),
    ),
    "no_context": Ablation("demographics only", lambda table, _pool: no_context(table)),
    "no_demographics": Ablation("the interview only", lambda table, _pool: no_demographics(table)),
    "cross_domain": Ablation(
        "demographics and the same person's interview on another topic", cross_domain
    ),
    "cross_person": Ablation(
        "demographics and the next person's interview on the same topic; with "
        "derangement_seed, that of a random other person",
        _other_person,
        optional=frozenset({"derangement_seed"}),
    ),
    "rag": Ablation(
        "demographics and the 5 turns closest to the question", lambda table, _pool: rag(table)
    ),
    "rag_full": Ablation(
        "demographics, the interview, and its 5 turns closest to the question again",
        lambda table, _pool: rag_full(table),
    ),
    "survey_examples": Ablation(
        "demographics, and what survey_k other people answered to the same question of the survey",
        survey_examples,
        required=frozenset({"survey_k", "survey_seed"}),
        optional=frozenset({"survey_table"}),
    ),
}

ABLATIONS: Mapping[str, Ablation] = MappingProxyType(
    {name: _knowing_its_sources(ablation) for name, ablation in _ABLATIONS.items()}
)
"""Every ablation by its name."""
