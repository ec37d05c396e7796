"""Building edition 2: the same whoever builds it, and refused where it cannot be."""

from __future__ import annotations

import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent.scale import synthetic
from otherminds.dataset_builders.hugagent.scale.features import AGENT, ITEM
from otherminds.dataset_builders.hugagent.scale.synthetic import ScaleSpec
from otherminds.dataset_builders.hugagent.world.claims import claim_of, digest


def test_tables_have_their_columns(tables: dict[str, pa.Table]) -> None:
    assert tables["bsi"].schema == ITEM
    assert tables["bdu"].schema == ITEM
    assert tables["agents"].schema == AGENT


@pytest.mark.slow
def test_two_processes_build_the_same(spec: ScaleSpec, tables: dict[str, pa.Table]) -> None:
    again = synthetic.build(spec, num_proc=2)
    for name, table in tables.items():
        assert synthetic.content_hash(again[name]) == synthetic.content_hash(table)


@pytest.mark.slow
def test_a_person_is_the_same_in_a_smaller_build(
    spec: ScaleSpec, tables: dict[str, pa.Table]
) -> None:
    head, _ = synthetic.head(spec, 25)
    fewer = synthetic.build(head)["agents"].drop_columns("in_subset_50").to_pylist()
    whole = tables["agents"].drop_columns("in_subset_50").to_pylist()
    known = {(row["participant_id"], row["topic"]): row for row in whole}
    assert all(known[row["participant_id"], row["topic"]] == row for row in fewer)


def test_every_claim_is_told_by_an_answer_that_is_shown(tables: dict[str, pa.Table]) -> None:
    for row in tables["bsi"].to_pylist():
        shown = {digest(turn["answer"]) for turn in row["context"]}
        assert {one["answer"] for one in row["claims"]} <= shown
        assert len({claim_of(one).claim_id for one in row["claims"]}) == len(row["claims"])


def test_an_unmet_count_is_refused(spec: ScaleSpec) -> None:
    items = {**spec.items, "bdu": {**spec.items["bdu"], "zoning": spec.agents * 50}}
    with pytest.raises(ValueError, match="people can be asked from"):
        ScaleSpec(spec.agents, spec.seed, 0, items)
    with pytest.raises(ValueError, match="A generator has the parameters"):
        synthetic.spec({"agents": 3})
