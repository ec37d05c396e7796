"""The synthetic personas: parameters, build, audits. The embedded default of the trust game.

Nobody is described: the people are drawn from round margins, set by hand to lie near published tables
of the United States (`content/margins.yaml`, and `margins_paper.yaml` for the levels of the paper), and
get Big Five levels, splits and a sample as those of the bank do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.builder import check_seed, check_whole, exactly
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.trust_game.attributes import PERSONA_FIELDS, level_set
from otherminds.dataset_builders.trust_game.audits import audit_table
from otherminds.dataset_builders.trust_game.margins import draw_values, tables
from otherminds.dataset_builders.trust_game.people import Person, persona_ids, personas
from otherminds.dataset_builders.trust_game.schema import CONFIG
from otherminds.dataset_builders.verdict import Audit, verdict
from otherminds.types import Progress

__all__ = ["Audit", "SyntheticSpec", "audit", "build", "content_hash", "spec", "trial"]

_SOURCE = "synthetic"
_MOST_PERSONAS = 9_999

_CITIZEN: Final = ("A U.S. citizen", "Yes")

_IMPOSSIBLE: Final[Mapping[str, Callable[[Mapping[str, str]], bool]]] = {
    "born in the United States, but no citizen": lambda said: (
        said["born_in_us"] == "Yes" and said["us_citizenship_status"] not in _CITIZEN
    ),
    "retired before 45": lambda said: said["work_status"] == "Retired" and _age(said) < 45,
    "a bachelor's degree before 22": lambda said: (
        said["highest_degree_received"] == "Bachelor's" and _age(said) < 22
    ),
    "a graduate degree before 25": lambda said: (
        said["highest_degree_received"] == "Graduate" and _age(said) < 25
    ),
    "widowed before 35": lambda said: said["marital_status"] == "Widowed" and _age(said) < 35,
    "four years of service before 25": lambda said: (
        said["military_service_duration"] == "Yes, more than 4 years" and _age(said) < 25
    ),
}
"""What is said of nobody, however small its chance in the margins: it would not be believed."""


@dataclass(frozen=True)
class SyntheticSpec:
    """How many people, from which seed, with which levels.

    levels  the name of a level set: "paper" or "bank"

    Raises ValueError for a parameter that cannot be met, saying what can.
    """

    personas: int
    seed: int
    levels: str

    def __post_init__(self) -> None:
        check_seed(self.seed)
        level_set(self.levels)
        check_whole("personas", self.personas, 1, _MOST_PERSONAS)


def spec(generator: Mapping[str, Any]) -> SyntheticSpec:
    """The checked parameters, from the `generator` part of a manifest.

    Raises ValueError for a missing, unknown or impossible parameter.
    """
    return exactly(SyntheticSpec, generator)


def trial(spec: SyntheticSpec) -> SyntheticSpec:
    """The specification itself, to try tasks on: it is built in a tenth of a second."""
    return spec


def build(
    spec: SyntheticSpec,
    *,
    num_proc: int = 1,
    progress: Progress | None = None,
) -> dict[str, pa.Table]:
    """Build the configuration `personas` (see `schema.PERSONA`).

    The result depends on `spec` and the content file only. It takes less than a second, so one
    process does it, whatever `num_proc` allows. Raises ValueError where so few people are wanted that
    the test split cannot cover every level.
    """
    if num_proc < 1:
        raise ValueError(f"num_proc is {num_proc}, but at least one process is needed.")
    listed = tables(spec.levels)
    ids = persona_ids(_SOURCE, spec.personas)
    people = [Person(key, draw_values(listed, spec.seed, key)) for key in ids]
    table = personas(people, _SOURCE, spec.seed, level_set(spec.levels))
    if progress is not None:
        progress(len(people), len(people))
    return {CONFIG: table}


def audit(tables: Mapping[str, pa.Table], spec: SyntheticSpec) -> list[Audit]:
    """All audits of a build, passed and failed."""
    table = tables[CONFIG]
    found = audit_table(table, source=_SOURCE, levels=level_set(spec.levels))
    found.append(
        verdict(
            "personas_wanted",
            table.num_rows == spec.personas,
            table.num_rows,
            f"personas, of {spec.personas}",
        )
    )
    if all(audit.passed for audit in found):
        found += _plausible(table)
    return found


def _plausible(table: pa.Table) -> list[Audit]:
    keys = {field.label: field.key for field in PERSONA_FIELDS}
    people = [
        {keys[one["attribute"]]: one["value"] for one in shown if one["attribute"] in keys}
        for shown in table["attributes"].to_pylist()
    ]
    found = {what: sum(map(holds, people)) for what, holds in _IMPOSSIBLE.items()}
    said = ", ".join(f"{count} {what}" for what, count in found.items() if count)
    return [
        verdict(
            "plausible",
            not said,
            sum(found.values()),
            "things said of personas that cannot be" + (f": {said}" if said else ""),
        )
    ]


def _age(said: Mapping[str, str]) -> int:
    return int(said["age"])
