"""What the data layer must know of each benchmark."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast

import pyarrow as pa

from otherminds import manifest
from otherminds.dataset_builders import ablation
from otherminds.dataset_builders.ablation import Ablation


@dataclass(frozen=True)
class Family:
    """The datasets of one benchmark.

    items     configurations whose rows are items, as opposed to the truth behind them
    person    the column that names whom an item is about
    called    what these are, in the plural
    together  columns in which items agree that show the same evidence
    evidence  columns that hold what is known of a person, most of the rows' size
    learned   whether a baseline learns from the evidence of other people
    ablated   the module whose ABLATIONS vary what is shown, if there are any
    told      further keys of `--metadata` that change what a document asks
    switches  keys of `--metadata` that are true or false, by the function of the rows that is applied
              where they are true, as "module:function"
    default   the weightless model that answers where no model is named
    """

    items: tuple[str, ...]
    person: str
    together: tuple[str, ...]
    evidence: tuple[str, ...]
    learned: bool
    ablated: str | None = None
    told: frozenset[str] = frozenset()
    switches: Mapping[str, str] = field(default_factory=dict)
    default: str = "majority"
    called: str = "people"

    @property
    def ablations(self) -> Mapping[str, Ablation]:
        """The ablations by name."""
        if self.ablated is None:
            return {}
        module = importlib.import_module(self.ablated)
        return cast(Mapping[str, Ablation], module.ABLATIONS)

    def switched(self, table: pa.Table, metadata: Mapping[str, Any]) -> pa.Table:
        """The items of `table` under those switches that `metadata` turns on.

        Raises ValueError for a switch that is neither true nor false, and as its function.
        """
        for name in self.switches_on(metadata):
            module, _, function = self.switches[name].partition(":")
            try:
                table = getattr(importlib.import_module(module), function)(table)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from error
        return table

    def switches_on(self, metadata: Mapping[str, Any]) -> list[str]:
        """The switches that `metadata` turns on; raises ValueError for another value than a boolean."""
        return [name for name in self.switches if name in metadata and _is_on(name, metadata[name])]

    def show(self, name: str, table: pa.Table, *, pool: pa.Table, **parameters: Any) -> pa.Table:
        """What the items of `table` show under an ablation; raises ValueError as `ablation.apply`."""
        return ablation.apply(self.ablations, name, table, pool=pool, **parameters)


def _is_on(name: str, value: Any) -> bool:
    # lm-eval's `--metadata name=true` gives text.
    said = {"true": True, "false": False}.get(str(value).strip().casefold())
    if said is None:
        raise ValueError(f"{name} is true or false, not {value!r}")
    return said


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "hugagent": Family(
            items=("bsi", "bdu"),
            person="participant_id",
            together=("participant_id", "topic"),
            evidence=("context",),
            learned=False,
            ablated="otherminds.dataset_builders.hugagent.ablations",
            switches={
                "mask_source": "otherminds.dataset_builders.hugagent.human_sources:masked",
            },
        ),
        "debate": Family(
            items=("beliefs",),
            person="user_id",
            together=("user_id",),
            evidence=("known_beliefs",),
            learned=True,
            ablated="otherminds.dataset_builders.debate.ablations",
        ),
        # Its documents are made from the personas by the tasks themselves.
        "trust_game": Family(
            items=(),
            person="persona_id",
            together=("persona_id",),
            evidence=(),
            learned=False,
            told=frozenset(
                {
                    *("personas", "endowment", "fractions", "ranking_form", "order_seed"),
                    *("prior", "prior_attributes", "perturbation_seed", "forecast_form"),
                }
            ),
            default="random",
            called="personas",
        ),
        "synchtom": Family(
            items=(),
            person="instance_id",
            together=("instance_id",),
            evidence=(),
            learned=False,
            told=frozenset({"derangement_seed", "criteria_seed", "given_form", "judge_rules"}),
            default="wrong-premise",
            called="scenarios",
        ),
        "socialmindchange": Family(
            items=("questions", "questions_variants"),
            person="stage_id",
            together=("stage_id",),
            evidence=(),
            learned=False,
            called="stages",
        ),
    }
)
"""By the first part of the builder's name in the manifest."""


def parameters() -> frozenset[str]:
    """What a run may be told that changes what is asked or shown, of all benchmarks."""
    shown = (one for family in FAMILIES.values() for one in family.ablations.values())
    told = frozenset().union(
        *(family.told | family.switches.keys() for family in FAMILIES.values())
    )
    return told | {name for one in shown for name in one.parameters}


def family_of(dataset: str) -> Family:
    """The benchmark that a dataset belongs to; raises OtherMindsError for an unknown dataset."""
    builder = manifest.load(dataset).builder or ""
    return FAMILIES[builder.split(".")[0]]


def person_of(doc: Mapping[str, Any]) -> str:
    """Whom a document is about."""
    name: str = next(doc[family.person] for family in FAMILIES.values() if family.person in doc)
    return name
