"""The configuration `instances`: the 391 instances of the authors' repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders import sources
from otherminds.dataset_builders.builder import exactly
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.sources import Step
from otherminds.dataset_builders.synchtom import audits
from otherminds.dataset_builders.synchtom.audits import Facts
from otherminds.dataset_builders.synchtom.leaks import misdirected, without_traces
from otherminds.dataset_builders.synchtom.schema import DIMENSIONS, INSTANCE
from otherminds.dataset_builders.synchtom.source import Case, Turn, read
from otherminds.dataset_builders.synchtom.told import masked, truth_of
from otherminds.dataset_builders.verdict import Audit
from otherminds.types import Progress

__all__ = ["Audit", "Built", "Facts", "audit", "build", "content_hash", "spec"]


@dataclass(frozen=True)
class Built(sources.Built):
    """The dataset (see `schema.INSTANCE`), how it came about, and the source it came from.

    left    what was left out or is missing, by reason
    unused  trajectories that no instance names
    sha256  of the files read
    """

    left: Mapping[str, int]
    unused: list[str]
    sha256: str


def spec(parameters: Mapping[str, Any]) -> Facts:
    """What the manifest states of the source. Raises ValueError for a missing or unknown fact."""
    return exactly(Facts, parameters)


def build(source: Path, spec: Facts, *, progress: Progress | None = None) -> Built:
    """Build the dataset from a clone of the authors' repository.

    A turn without an observation gets an empty one; keys of turns other than action and observation,
    and what the generator left in the texts (`traces`), are dropped. All are counted. What a task may
    tell of a user is masked where it names the truth (`told`); the gold columns stay as they are.
    `spec` changes nothing here; `audit` compares with it. Raises SourceError as `source.read`.
    """
    found = read(source)
    left: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    rows = []
    for done, case in enumerate(found.cases, start=1):
        numbers[case.scenario] += 1
        rows.append(_row(case, numbers[case.scenario], left))
        if progress is not None:
            progress(done, len(found.cases))
    table = pa.Table.from_pylist(rows, schema=INSTANCE)
    criteria = sum(len(row["rubrics"][name]) for row in rows for name in DIMENSIONS)
    counts = {
        "instances": len(rows),
        "turns": sum(len(row["turns"]) for row in rows),
        "criteria": criteria,
    }
    left["trajectory that no instance names"] = len(found.unused)
    return Built(table, [Step("source", counts, left)], left, found.unused, found.sha256)


def audit(built: Built, spec: Facts) -> list[Audit]:
    """All audits of a build, passed and failed."""
    return audits.audit(built.table, spec, built.left, built.unused, built.sha256)


def _row(case: Case, number: int, left: Counter[str]) -> dict[str, Any]:
    raw = case.instance
    rubrics = {
        name: [criterion.criterion for criterion in getattr(raw.rubrics, name)]
        for name in DIMENSIONS
    }
    no_secret = (raw.observation, raw.explicit_instruction, raw.user_latent_belief)
    truth = truth_of(raw.true_latent_state, no_secret)
    return {
        "instance_id": f"synchtom-{case.scenario}-{number:04d}",
        "upstream_id": raw.id,
        "scenario": case.scenario,
        "observation": raw.observation,
        "instruction": raw.explicit_instruction,
        "turns": [_turn(turn, left) for turn in case.turns],
        "true_latent_state": raw.true_latent_state,
        "user_latent_belief": raw.user_latent_belief,
        "misconception_type": raw.misconception_type,
        "root_cause": raw.root_cause_of_misconception,
        "user_profile": raw.user_profile,
        "rubrics": rubrics,
        "told_cause": masked(raw.root_cause_of_misconception, truth),
        "told_profile": masked(raw.user_profile, truth),
        "misdirected": misdirected(rubrics["correct_resolution"]),
    }


def _turn(turn: Turn, left: Counter[str]) -> dict[str, str]:
    left.update(map(audits.extra_key, turn.model_extra or {}))
    if turn.observation is None:
        left[audits.NO_OBSERVATION] += 1
    shown = {"action": turn.action, "observation": turn.observation or ""}
    clean = {name: without_traces(text) for name, text in shown.items()}
    left[audits.TRACE] += sum(clean[name] != shown[name] for name in shown)
    return clean
