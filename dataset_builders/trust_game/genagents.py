"""The personas of the GENAGENTS bank: parameters, build, audits.

The bank holds 3,505 agents that were made after respondents of the General Social Survey, with 30
attributes each. Here they get Big Five levels, binned ages, splits and a default sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders import sources
from otherminds.dataset_builders.builder import check_seed, checked
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.sources import Step, Stretch
from otherminds.dataset_builders.trust_game.attributes import BANK, PERSONA_FIELDS
from otherminds.dataset_builders.trust_game.audits import audit_table
from otherminds.dataset_builders.trust_game.bank import Agent, fingerprint, read
from otherminds.dataset_builders.trust_game.people import personas
from otherminds.dataset_builders.trust_game.schema import SAMPLE, SPLITS
from otherminds.dataset_builders.verdict import Audit, verdict
from otherminds.types import Progress

__all__ = ["Audit", "Built", "GenagentsSpec", "audit", "build", "content_hash", "spec"]

_SOURCE = "genagents"


@dataclass(frozen=True)
class GenagentsSpec:
    """Parameters of the build.

    seed          of the Big Five, the splits and the sample
    fingerprint   what `bank.fingerprint` must give for the bank; None accepts any
    """

    seed: int
    fingerprint: str | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)


@dataclass(frozen=True)
class Built(sources.Built):
    """The personas, how they came about, and what only audits may see.

    secrets       agent ids, full names and street addresses, none of which may be in the table
    fingerprint   of the bank that was read
    """

    secrets: frozenset[str]
    fingerprint: str


def spec(parameters: Mapping[str, Any]) -> GenagentsSpec:
    """The checked parameters, from the manifest.

    Raises ValueError for a missing, unknown or impossible one.
    """
    return checked(GenagentsSpec, parameters)


def build(source: Path, spec: GenagentsSpec, *, progress: Progress | None = None) -> Built:
    """Build the personas from the bank as a JSONL file or as a clone (see `bank.read`).

    Both give the same rows, in whatever order the agents come. Raises ValueError for a bank that
    cannot be read, and for one whose test split cannot cover every level.
    """
    stretch = Stretch(progress)
    agents = read(source, stretch.part(0, 900))
    table = personas([agent.person for agent in agents], _SOURCE, spec.seed, BANK)
    stretch.part(900, 1000)(1, 1)
    secrets = frozenset(text for agent in agents for text in (agent.person.key, *agent.secrets))
    return Built(table, _funnel(agents, table), secrets, fingerprint(agents))


def audit(built: Built, spec: GenagentsSpec) -> list[Audit]:
    """All audits of a build, passed and failed."""
    pinned = spec.fingerprint is None or built.fingerprint == spec.fingerprint
    return [
        *audit_table(built.table, source=_SOURCE, levels=BANK, secrets=built.secrets),
        verdict(
            "same_bank",
            pinned,
            built.fingerprint,
            "fingerprint of what the bank says of its agents"
            + ("" if pinned else f"; the release has {spec.fingerprint}: this is another bank"),
            kind="release",
        ),
    ]


def _funnel(agents: list[Agent], table: pa.Table) -> list[Step]:
    splits = Counter(table["split"].to_pylist())
    return [
        Step("agents", {"people": len(agents), "attributes": len(PERSONA_FIELDS)}),
        Step("split", {"people": len(agents), **{name: splits[name] for name in SPLITS}}),
        Step("sample", {"people": SAMPLE}),
    ]
