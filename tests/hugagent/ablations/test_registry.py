"""The registry, and what holds for every ablation on either track."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from otherminds.dataset_builders.hugagent import ablations, human, synthetic
from tests.helpers import fictional_hugagent as fictional
from tests.hugagent.ablations.rows import people

NEEDED: dict[str, dict[str, int]] = {
    "random_k": {"context_k": 5, "context_seed": 2},
    "survey_examples": {"survey_k": 3, "survey_seed": 2},
}
CALLS = [
    *((name, NEEDED.get(name, {})) for name in ablations.ABLATIONS),
    ("context5", {"context_seed": 1}),
    ("cross_person", {"derangement_seed": 1}),
]
RETRIEVING = {"rag", "rag_full"}
ADDED = {"survey_examples": [ablations.EXAMPLES]}


@pytest.fixture(scope="module", params=["human", "synthetic"])
def track(request: pytest.FixtureRequest) -> pa.Table:
    """All rows of a small dataset of either track."""
    if request.param == "human":
        return pa.concat_tables(human.convert(fictional.sample()).values())
    items = {"healthcare": 130, "surveillance": 120, "zoning": 125}
    spec = synthetic.SyntheticSpec(
        agents=12, seed=3, subset=3, items={"bsi": dict.fromkeys(items, 30), "bdu": items}
    )
    tables = synthetic.build(spec)
    return pa.concat_tables([tables["bsi"], tables["bdu"]])


def test_the_names_that_tasks_use() -> None:
    assert set(ablations.ABLATIONS) == {
        "context5",
        "context10",
        "random_k",
        "no_context",
        "no_demographics",
        "cross_domain",
        "cross_person",
        "rag",
        "rag_full",
        "survey_examples",
    }


@pytest.mark.parametrize(("name", "parameters"), CALLS)
def test_only_the_evidence_changes(track: pa.Table, name: str, parameters: dict[str, Any]) -> None:
    found = ablations.apply(name, track, pool=track, **parameters)
    assert found.drop_columns(ADDED.get(name, [])).schema.equals(track.schema, check_metadata=True)
    found.validate(full=True)
    changed = "demographics" if name == "no_demographics" else "context"
    for column in track.column_names:
        if column in ("source_shown", "source_turns"):
            continue  # They say what the new context shows.
        same = found[column].combine_chunks().equals(track[column].combine_chunks())
        assert same == (column != changed), column


@pytest.mark.parametrize(("name", "parameters"), CALLS)
def test_what_an_item_shows_does_not_depend_on_order_or_company(
    track: pa.Table, name: str, parameters: dict[str, Any]
) -> None:
    whole = {
        row["item_id"]: row
        for row in ablations.apply(name, track, pool=track, **parameters).to_pylist()
    }
    part = track.filter(pc.field("topic") == "surveillance")
    part = part.take(list(reversed(range(part.num_rows))))
    found = ablations.apply(name, part, pool=track, **parameters)
    assert found.to_pylist() == [whole[item_id] for item_id in part["item_id"].to_pylist()]


@pytest.mark.parametrize(
    ("name", "parameters"), [call for call in CALLS if call[0] not in RETRIEVING]
)
def test_items_that_showed_the_same_evidence_still_do(
    track: pa.Table, name: str, parameters: dict[str, Any]
) -> None:
    found = ablations.apply(name, track, pool=track, **parameters)
    shown = defaultdict(set)
    for before, after in zip(track.to_pylist(), found.to_pylist(), strict=True):
        evidence = (before["participant_id"], before["topic"], str(before["context"]))
        shown[evidence].add((str(after["context"]), str(after["demographics"])))
    assert {len(versions) for versions in shown.values()} == {1}


def test_rag_full_keeps_the_shared_evidence_in_front(track: pa.Table) -> None:
    found = ablations.apply("rag_full", track, pool=track)
    for before, after in zip(track.to_pylist(), found.to_pylist(), strict=True):
        own = before["context"]
        assert after["context"][: len(own)] == own
        assert len(after["context"]) == len(own) + min(5, len(own))


@pytest.mark.parametrize(("name", "parameters"), CALLS)
def test_an_empty_table_stays_empty(track: pa.Table, name: str, parameters: dict[str, Any]) -> None:
    found = ablations.apply(name, track.slice(0, 0), pool=track, **parameters)
    assert found.num_rows == 0
    assert found.drop_columns(ADDED.get(name, [])).schema.equals(track.schema)


def test_the_named_parts_have_their_size() -> None:
    whole = people()
    for name, parameters in (("context5", {}), ("context5", {"context_seed": 3})):
        found = ablations.apply(name, whole, pool=whole, **parameters)
        assert set(pc.list_value_length(found["context"]).to_pylist()) == {5}
    assert ablations.apply("context10", whole, pool=whole)["context"].equals(whole["context"])
    drawn = ablations.apply("random_k", whole, pool=whole, context_k=2, context_seed=0)
    assert drawn.equals(ablations.random_k(whole, 2, 0))


def test_a_seed_chooses_the_random_form_and_none_counts_as_not_given() -> None:
    whole = people()
    for name, key, first, seeded in (
        ("context5", "context_seed", ablations.first_k(whole, 5), ablations.random_k(whole, 5, 7)),
        (
            "cross_person",
            "derangement_seed",
            ablations.cross_person(whole, whole),
            ablations.derangement(whole, whole, 7),
        ),
    ):
        assert ablations.apply(name, whole, pool=whole, **{key: None}).equals(first)
        assert ablations.apply(name, whole, pool=whole, **{key: 7}).equals(seeded)


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("contxt5", {}, "There is no ablation 'contxt5'; there are: context5, context10"),
        ("no_context", {"context_k": 5}, "'no_context' has no parameter context_k; it has: none"),
        ("rag", {"derangement_seed": 1}, "has no parameter derangement_seed"),
        ("random_k", {"context_k": 5}, "needs the parameter context_seed"),
        ("random_k", {"context_k": 0, "context_seed": 1}, "at least 1"),
        ("cross_person", {"derangement_seed": "1"}, "must be a whole number"),
    ],
)
def test_a_wrong_name_or_parameter_is_refused(
    name: str, parameters: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        ablations.apply(name, people(), pool=people(), **parameters)


def test_the_human_release_has_every_transcript_for_every_exchange(shared_data: Path) -> None:
    records = fictional.full_release(shared_data / "hugagent" / "golds.csv")
    whole = pa.concat_tables(human.convert(records).values())
    for name in ("cross_domain", "cross_person"):
        found = ablations.apply(name, whole, pool=whole)
        assert found.num_rows == 1742
        assert ablations.without_context(found) == 0
