"""Do personas of a model act as the model itself says that people like them do?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import datasets
import evaluate

from otherminds import manifest
from otherminds.tasks.trust_game import columns

_DESCRIPTION = """\
Belief-behaviour consistency in the trust game. A model states, of an attribute such as age, which kinds
of people send more; and it plays the game as personas of these kinds. Compared are the order that it
stated with the order in which its personas send, and the stated size of the effect with that of play."""

_INPUTS = """
One row is one persona under one attribute; a persona's send stands in the row of each attribute.

    rho                Spearman's ρ, over an attribute's levels, of mean send and stated score
    delta_eta_squared  |stated η² - simulated η²|, the latter SS_between / SS_total of the sends

Both are medians over the attributes. Intervals resample personas; what was stated is fixed.

Args:
    predictions: dollars that the persona sent; None where no send could be read. At least one is needed.
    references: the stated score of the persona's level (a rank, or dollars): higher sends more. None in
        all rows of an attribute of which nothing could be read.
    persona_id: the persona.
    attribute: name of the attribute.
    level: the persona's level of the attribute.
    stated_eta_squared: the stated effect size by attribute, from 0 to 1 (optional). Without it there is
        no delta_eta_squared.
    draws, seed: of the bootstrap over personas.
Returns:
    rho and delta_eta_squared, each also with _stderr, _low and _high (95 %); what cannot be had is NaN.
    n_attributes_rho, n_attributes_delta: how many attributes the medians rest on.
    n_personas, parse_rate: personas, and the share whose send could be read.
    by_attribute: for each attribute rho, simulated_eta_squared, delta_eta_squared, n_levels, n_personas,
        and in rho_undefined and delta_undefined the reason where there is none.
Examples:
    >>> metric = evaluate.load("otherminds/trust_consistency", module_type="metric")
    >>> found = metric.compute(
    ...     predictions=[1, 3, 4, 6, 3, 5], references=[0, 0, 1, 1, 2, 2],
    ...     persona_id=["a", "b", "c", "d", "e", "f"], attribute=["age"] * 6,
    ...     level=["young", "young", "middle", "middle", "old", "old"], stated_eta_squared={"age": 0.1},
    ... )
    >>> round(found["rho"], 4), round(found["by_attribute"]["age"]["simulated_eta_squared"], 4)
    (0.5, 0.6087)
"""


class TrustConsistency(evaluate.Metric):
    """ρ and |Δη²| between what is stated and what is played."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=manifest.load("trust-game-synthetic").citation,
            inputs_description=_INPUTS,
            features=datasets.Features(columns.FEATURES),
        )

    def _compute(
        self,
        predictions: Sequence[float | None],
        references: Sequence[float | None],
        stated_eta_squared: Mapping[str, float] | None = None,
        draws: int = columns.DRAWS,
        seed: int = columns.SEED,
        **rows: Sequence[Any],
    ) -> dict[str, Any]:
        return columns.consistency(
            predictions, references, rows, stated=stated_eta_squared, draws=draws, seed=seed
        )
