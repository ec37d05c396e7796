from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given

from otherminds.errors import OtherMindsError
from otherminds.metrics.graphs import (
    BeliefGraph,
    Fault,
    GraphError,
    check,
    graph_of,
    loads,
    problems,
    read_graph,
)
from otherminds.metrics.graphs.schema import Link
from tests.helpers import damage
from tests.helpers.belief_graphs import drawn, graphs


def sound() -> dict[str, Any]:
    """A graph with every field that the paper names.

    rent --(-)--> S,  noise --(+)--> rent
    """
    return {
        "agent_id": "P1",
        "topic": "zoning",
        "stance_node": "n0",
        "demographics": {"age": "41"},
        "nodes": {
            "n0": {"label": "building more", "status": "stance", "incoming_edges": ["e1"]},
            "n1": {
                "label": "rent",
                "confidence": 0.9,
                "source_qa": ["q1"],
                "incoming_edges": ["e2"],
                "outgoing_edges": ["e1"],
                "importance": 1,
                "frequency": 2,
                "semantic_role": "external_state",
                "layer": "value",
            },
            "n2": {"label": "noise"},
        },
        "edges": {
            "e1": {
                "source": "n1",
                "target": "n0",
                "aggregate_confidence": 0.8,
                "modifier": -0.5,
                "evidence": [{"qa_id": "q1", "confidence": 0.8}],
            },
            "e2": {"source": "n2", "target": "n1", "aggregate_confidence": 0, "modifier": 1},
        },
        "qa_history": {
            "q1": {
                "question": "Why?",
                "answer": "Rent.",
                "extracted_pairs": [{"source": "rent", "target": "building", "confidence": 0.8}],
            }
        },
    }


def changed(*place: str, to: Any) -> dict[str, Any]:
    data = sound()
    damage.put(data, place, to)
    return data


def names(found: tuple[Fault, ...]) -> list[str]:
    return [fault.name for fault in found]


def faults(data: Any) -> list[str]:
    with pytest.raises(GraphError) as caught:
        read_graph(data)
    return names(caught.value.faults)


def test_all_fields_of_the_paper_are_read_and_the_rest_filled_in() -> None:
    graph = read_graph(sound())
    assert graph.stance.label == "building more"
    assert graph.factors == ("n1", "n2")
    assert graph.nodes["n2"].outgoing_edges == ("e2",)
    assert graph.nodes["n0"].outgoing_edges == ()
    assert (graph.edges["e1"].polarity, graph.edges["e1"].strength) == (-1, 0.5)
    assert [qa.id for qa in graph.qa_history] == ["q1"]
    assert list(graph.into_stance()) == ["n1"]
    assert problems(graph) == ()
    assert check(graph) is graph


def test_a_history_may_be_a_list_and_demographics_pairs() -> None:
    data = sound()
    data["qa_history"] = [{"id": "q1", **data["qa_history"]["q1"]}]
    data["demographics"] = [{"attribute": "age", "value": "41"}]
    assert read_graph(data) == read_graph(sound())


def test_a_strength_that_nobody_asked_for_stays_unknown() -> None:
    assert read_graph(changed("edges", "e1", "strength", to=None)).edges["e1"].strength is None


@given(graphs())
def test_what_is_written_is_read_again(graph: BeliefGraph) -> None:
    assert loads(graph.model_dump_json()) == graph


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (changed("edges", "e1", "target", to="n1"), "self-loop"),
        (changed("edges", "e1", "target", to="n9"), "unknown-node"),
        (changed("edges", "e1", "source", to="N1"), "unknown-node"),
        (changed("edges", "e1", "modifier", to=math.nan), "not-finite"),
        (changed("edges", "e1", "modifier", to=-math.inf), "not-finite"),
        (changed("edges", "e1", "modifier", to=-1.01), "out-of-range"),
        (changed("edges", "e1", "modifier", to=1.01), "out-of-range"),
        (changed("edges", "e1", "modifier", to="-0.5"), "wrong-type"),
        (changed("edges", "e1", "modifier", to=True), "wrong-type"),
        (changed("edges", "e1", "aggregate_confidence", to=1.2), "out-of-range"),
        (changed("edges", "e1", "strength", to=-0.1), "out-of-range"),
        (changed("edges", "e1", "strength", to=1.1), "out-of-range"),
        (changed("edges", "e1", "polarity", to=1), "polarity"),
        (changed("edges", "e1", "id", to="e9"), "other-id"),
        (changed("nodes", "n1", "confidence", to=math.nan), "not-finite"),
        (changed("nodes", "n1", "label", to="  "), "empty-label"),
        (changed("nodes", "n1", "status", to="stance"), "second-stance"),
        (changed("nodes", "n1", "incoming_edges", to=["e1"]), "edge-list"),
        (changed("nodes", "n1", "colour", to="red"), "unknown-field"),
        (changed("stance_node", to="n9"), "no-stance"),
        (changed("nodes", to={}), "no-stance"),
        (changed("nodes", to=[]), "wrong-type"),
        ({}, "missing"),
        ([], "wrong-type"),
    ],
)
def test_what_is_no_graph_is_refused_by_name(data: Any, name: str) -> None:
    assert name in faults(data)


def test_parallel_edges_are_refused_and_two_ways_are_not() -> None:
    first = {"source": "n1", "target": "n0", "aggregate_confidence": 1, "modifier": 1}
    assert faults(changed("edges", "e3", to=first)) == ["parallel-edge"]
    back = {"source": "n0", "target": "n1", "aggregate_confidence": 1, "modifier": 1}
    data = changed("edges", "e3", to=back)
    del data["nodes"]["n0"]["incoming_edges"]
    del data["nodes"]["n1"]["incoming_edges"]
    assert names(problems(read_graph(data))) == ["cycle"]


def test_all_faults_are_named_and_the_message_stays_short() -> None:
    bad = {f"e{n}": {**sound()["edges"]["e1"], "target": "n1"} for n in range(100)}
    with pytest.raises(GraphError, match=r"self-loop at edges\.e0: .*and 194 more") as caught:
        read_graph({**sound(), "edges": bad})
    assert len(caught.value.faults) == 199  # a hundred self-loops, 99 of them parallel to the first
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "not-json"),
        ("Here it is: {}", "not-json"),
        ('{"nodes": {}} // done', "not-json"),
        ('{"nodes": {}, /* none */ "edges": {}}', "not-json"),
        ("[" * 100_000, "not-json"),
        ('{"nodes": {}, "nodes": {}}', "duplicate-key"),
        ('{"nodes": {"a": {"label": "x", "label": "y"}}}', "duplicate-key"),
        ('{"nodes": NaN}', "not-finite"),
        (json.dumps(sound()).replace("-0.5", "1e999"), "not-finite"),
        (json.dumps(sound()).replace("-0.5", "9" * 5000), "not-json"),
    ],
)
def test_texts_that_are_no_graph_are_refused_by_name(text: str, name: str) -> None:
    with pytest.raises(GraphError) as caught:
        loads(text)
    assert names(caught.value.faults) == [name]


def test_damaged_texts_are_read_or_refused(tmp_path: Any) -> None:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(sound()))

    def read() -> Any:
        try:
            return loads(path.read_bytes().decode("utf-8-sig", "replace")).model_dump()
        except GraphError as error:
            # A reader of files names the file, as `otherminds graphs` does.
            raise OtherMindsError(f"{path}: {error}") from None

    found = damage.fuzz(path, read, damage.JSON, n=150, error=OtherMindsError, named=path)
    assert found.refused > 10


def test_a_sound_graph_may_break_the_rules_for_people() -> None:
    # a → b → c → a; d stands alone; e has the label of b again.
    labels = {"S": "S", "a": "rent", "b": "shop", "c": "noise", "d": "tax", "e": "The Shops"}
    ring = [Link("a", "b", 1), Link("b", "c", 1), Link("c", "a", 1), Link("e", "S", 1)]
    graph = graph_of(labels, [*ring, Link("a", "S", 1)], stance_node="S")
    assert names(problems(graph)) == ["cycle", "unreachable", "degree", "same-label"]
    assert "a → b → c → a" in problems(graph)[0].says
    assert "cycle" not in names(problems(graph, acyclic=False))
    assert names(problems(drawn("a +1 S", "b +1 S"), degrees=(1, 1))) == ["degree"]
    with pytest.raises(GraphError, match="cycle"):
        check(graph)


def test_labels_outside_the_vocabulary_are_counted_in_normal_form() -> None:
    graph = drawn(*(f"{key} +1 S" for key in ("rent", "shop", "noise", "tax", "view")))
    # Four of five known: 0.8 is enough.
    assert problems(graph, vocabulary=["The Rents", "shops", "noise", "tax"]) == ()
    assert names(problems(graph, vocabulary=["rent", "shop", "noise"])) == ["coverage"]


def test_evidence_of_unknown_answers_is_a_problem() -> None:
    graph = read_graph(changed("nodes", "n1", "source_qa", to=["q7"]))
    assert names(problems(graph)) == ["unknown-qa"]


def test_an_empty_graph_and_a_huge_one() -> None:
    assert names(problems(drawn())) == ["empty"]
    huge = drawn(*(f"n{number} +1 S" for number in range(3_000)))
    assert names(problems(huge)) == ["too-many-nodes"]


def test_only_the_kept_edges_and_their_nodes_stay() -> None:
    graph = drawn("a +1 b", "b -1 S", "c 0 S", alone="d")
    kept = graph.keeping(lambda edge: edge.target == "b")
    assert set(kept.nodes) == {"S", "a", "b"}
    assert kept.nodes["b"].outgoing_edges == ()
    assert set(graph.keeping(lambda edge: False, isolated=True).nodes) == set(graph.nodes)
    assert [edge.source for edge in graph.effects] == ["a", "b"]
