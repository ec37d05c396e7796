"""The audits of edition 2 pass on a build, and fail on what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent.scale import audits
from otherminds.dataset_builders.hugagent.scale.synthetic import ScaleSpec

Rows = list[dict[str, Any]]


@pytest.mark.slow
def test_a_build_passes(tables: dict[str, pa.Table], spec: ScaleSpec) -> None:
    failed = [one for one in audits.audit(tables, spec) if not one.passed]
    assert not failed


def _stated_edges(rows: Rows) -> None:
    for row in rows:
        row.update(steps=1, evidence="stated")


def _same_answer(rows: Rows) -> None:
    for row in rows:
        row["answer"] = "10" if row["question_type"] == "opinion" else "1"


def _other_interview(rows: Rows) -> None:
    rows[0]["context"] = rows[0]["context"][1:]


def _cycle(rows: Rows) -> None:
    edges = rows[0]["graph"]["edges"]
    edges.append({**edges[0], "source": edges[0]["target"], "target": edges[0]["source"]})


def _half_points(rows: Rows) -> None:
    rows[0]["initial_stance"] = 5.5


def _short(rows: Rows) -> None:
    rows[0]["transcript"] = rows[0]["transcript"][:3]


def _stock_line(rows: Rows) -> None:
    for row in rows:
        row["transcript"][0]["answer"] = "I say what everybody here has always said."


def _told_twice(rows: Rows) -> None:
    rows[0]["claims"].append(rows[0]["claims"][0])


def _leaning_alone(rows: Rows) -> None:
    for row in rows:
        shown = {one["attribute"]: one["value"] for one in row["demographics"]}
        row["initial_stance"] = 1.0 if "conservative" in shown["political leaning"] else 10.0


def _number_in_question(rows: Rows) -> None:
    rows[0]["question"] += " 7"


@pytest.mark.parametrize(
    ("name", "config", "damage"),
    [
        ("bsi_one_stated", "bsi", _stated_edges),
        ("unchanged_surveillance", "bdu", _same_answer),
        ("one_context", "bsi", _other_interview),
        ("structure_acyclic", "agents", _cycle),
        ("whole_points", "agents", _half_points),
        ("context_length", "agents", _short),
        ("sentence_commonest", "agents", _stock_line),
        ("claims_told_once", "agents", _told_twice),
        ("leaning_zoning", "agents", _leaning_alone),
        ("gold_hidden", "bsi", _number_in_question),
    ],
)
def test_a_fault_is_found(
    tables: dict[str, pa.Table],
    spec: ScaleSpec,
    name: str,
    config: str,
    damage: Callable[[Rows], None],
) -> None:
    rows = tables[config].to_pylist()
    damage(rows)
    broken = {**tables, config: pa.Table.from_pylist(rows, schema=tables[config].schema)}
    found = {one.name: one for one in audits.table_audits(broken, spec)}
    assert not found[name].passed
