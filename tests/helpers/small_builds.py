"""A small build of each dataset, from the real generators or from fictional sources."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherminds import manifest
from otherminds.data import kept
from otherminds.data.build import dataset as build
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.debate import ddo, issues
from otherminds.dataset_builders.synchtom import upstream
from otherminds.dataset_builders.trust_game import genagents
from tests.helpers import fictional_debates, fictional_personas, fictional_synchtom

_HUGAGENT: Mapping[str, Any] = {
    "agents": 12,
    "seed": 3,
    "subset": 3,
    "items": {
        "bsi": {"healthcare": 30, "surveillance": 30, "zoning": 30},
        "bdu": {"healthcare": 90, "surveillance": 60, "zoning": 90},
    },
}

GENERATED: Mapping[str, Mapping[str, Any]] = {
    "debate-beliefs-synthetic": {"users": 10, "seed": 3, "subset": 4},
    "hugagent-stated": _HUGAGENT,
    "hugagent-synthetic": _HUGAGENT,
    "socialmindchange-codes": {
        "stages": 3,
        "seed": 7,
        "lite": 1,
        "group_size": 4,
        "scenarios": 5,
        "variants": {"group_5": {"stages": 1, "group_size": 5, "scenarios": 5}},
    },
    "socialmindchange-scale": {
        "stages": 2,
        "seed": 7,
        "lite": 1,
        "group_size": 4,
        "scenarios": 5,
        "variants": {"group_5": {"stages": 1, "group_size": 5, "scenarios": 5}},
    },
    "trust-game-synthetic": {"personas": 900, "seed": 3, "levels": "paper"},
}
"""Parameters of the generators, by dataset."""

HANDED = ("debate-beliefs", "debate-beliefs-issues", "synchtom", "trust-game")
"""Datasets that are built from a file of others; here from a fictional one."""

ALL = (*GENERATED, *HANDED)

WRITTEN = ("hugagent-core", "socialmindchange-core", "synchtom-made")
"""Datasets that are written through a pipeline: their cards are looked at where they are written."""

LICENCE = "Fictional licence. Copyright of nobody.\n"


def write(
    dataset: str,
    folder: Path,
    version: str | None = None,
    generator: Mapping[str, Any] | None = None,
) -> Path:
    """Write a small repository of the dataset to `folder / "data"`, which is returned.

    Tasks read it if it has a `version` of its own: it is not the release. `generator` are the parameters
    of a generated one, instead of those in GENERATED.
    """
    known = manifest.load(dataset)
    changed: dict[str, Any] = {"version": version or known.version}
    if dataset in GENERATED:
        parameters = dict(generator or GENERATED[dataset])
        changed["generator"] = parameters
        tables = _generated(dataset, json.dumps(parameters))
    elif (own := kept.source(known)) is not None:
        # The project's own release, which is small as it is.
        builder = build.source_builder_of(known)
        made = builder.build(own, builder.spec(known.parameters))
        tables = {known.default_config: made.table, **made.also}
    else:
        builder = build.source_builder_of(known)
        tables = {known.default_config: _from_fiction(dataset, folder)}
    changed["configs"] = build.described(known, tables)
    small = known.model_copy(update=changed)
    out = folder / "data"
    out.mkdir(parents=True)
    funnel = [{"name": "fictional", "counts": {"rows": small.rows}}] if dataset in HANDED else []
    repository.write(out, small, tables, [], funnel, LICENCE)
    return out


@lru_cache(maxsize=4)
def _generated(dataset: str, parameters: str) -> Mapping[str, pa.Table]:
    """The tables of a generator, kept: some take seconds, and none can be changed."""
    builder: Any = build.builder_of(manifest.load(dataset))
    found: Mapping[str, pa.Table] = builder.build(
        builder.spec(json.loads(parameters)), num_proc=1, progress=None
    )
    return found


def _from_fiction(dataset: str, folder: Path) -> pa.Table:
    source = folder / "source"
    source.mkdir(parents=True)
    match dataset:
        case "debate-beliefs":
            corpus = fictional_debates.write_corpus(source, *fictional_debates.sample())
            spec = ddo.DdoSpec(seed=1, salt="pepper", model="hashed")
            return ddo.build(corpus, spec, embed=fictional_debates.hashed).table
        case "debate-beliefs-issues":
            parameters = manifest.load(dataset).parameters
            return issues.build(_stances(source / "stances.csv"), issues.spec(parameters)).table
        case "synchtom":
            clone = fictional_synchtom.write(source / "clone", *fictional_synchtom.sample())
            return upstream.build(clone, fictional_synchtom.FACTS).table
        case _:
            bank = fictional_personas.write_lines(source / "bank.jsonl", fictional_personas.bank())
            return genagents.build(bank, genagents.GenagentsSpec(seed=3)).table


def _stances(path: Path) -> Path:
    """Six people's answers to all big issues, in the format of the published table."""
    listed = list(issues.issues())
    lines = [",".join(("user_idx", "Political party", "Religion", *listed))]
    for person in range(6):
        stances = ["Pro" if (person + place) % 3 else "Con" for place in range(len(listed))]
        lines.append(",".join((str(person), "Republican", "Jain" if person % 5 else "", *stances)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
