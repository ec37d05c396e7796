from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from otherminds.metrics.graphs import (
    BeliefGraph,
    GraphError,
    from_agent,
    from_release,
    release_records,
    to_agent,
    to_release,
)
from tests.helpers.belief_graphs import drawn, graphs

ROW: dict[str, Any] = {
    "participant_id": "S0001",
    "topic": "zoning",
    "demographics": [{"attribute": "age", "value": "41"}],
    "graph": {
        "nodes": [
            {"name": "rent_prices", "importance": 0.5, "evidence": 2, "is_stance": False},
            {"name": "noise", "importance": 0.25, "evidence": 0, "is_stance": False},
            {"name": "stance", "importance": 1.0, "evidence": 1, "is_stance": True},
        ],
        "edges": [
            {
                "source": "rent_prices",
                "target": "stance",
                "sign": -1,
                "confidence": 0.75,
                "weight": 0.5,
                "grade": "stated",
            },
            {
                "source": "noise",
                "target": "rent_prices",
                "sign": 0,
                "confidence": 0.5,
                "weight": 0.125,
                "grade": "implied",
            },
        ],
    },
    "initial_stance": 4.5,
    "weights": [{"factor": "rent_prices", "weight": 1.0}],
    "interventions": [
        {
            "question_id": "1.6",
            "deltas": [{"factor": "rent_prices", "delta": 1.0}],
            "stance_after": 2.5,
            "weights_after": [{"factor": "rent_prices", "weight": 1.35}],
        }
    ],
    "transcript": [{"question": "Why?", "answer": "Rent.", "kind": "factor", "masked": False}],
}


def test_an_agent_is_a_graph_and_back_again() -> None:
    graph = from_agent(ROW)
    assert graph.nodes["rent_prices"].label == "rent prices"
    edge = graph.edges["e1"]
    assert (edge.modifier, edge.polarity, edge.strength, edge.grade) == (-0.5, -1, 0.5, "stated")
    assert graph.edges["e2"].strength == 0.125
    assert graph.demographics == {"age": "41"}
    assert graph.qa_history[0].answer == "Rent."
    assert to_agent(graph) == ROW["graph"]
    assert from_agent(ROW, str.upper).nodes["noise"].label == "NOISE"


def test_the_release_schema_holds_one_intervention_per_record() -> None:
    (record,) = release_records(ROW)
    data = record.model_dump(mode="json")
    assert data["belief_graph"]["edges"][0] == {
        "source": "rent_prices",
        "target": "stance",
        "sign": -1,
        "weight": 0.5,
        "confidence": 0.75,
    }
    assert data["state_before"]["stance"] == 4.5
    assert data["state_after"] == {"stance": 2.5, "reason_weights": {"rent_prices": 1.35}}
    assert data["intervention"]["deltas"] == {"rent_prices": 1.0}
    back = from_release(data)
    assert [node.importance for node in back.nodes.values()] == [0.5, 0.25, 1.0]
    assert [edge.modifier for edge in back.edges.values()] == [-0.5, 0.0]


@given(graphs())
def test_a_release_keeps_labels_and_edges(graph: BeliefGraph) -> None:
    back = from_release(to_release(graph).model_dump(mode="json"))
    assert {key: node.label for key, node in back.nodes.items()} == {
        key: node.label for key, node in graph.nodes.items()
    }
    assert list(back.edges.values()) == list(graph.edges.values())


def test_labels_name_nodes_of_a_release_without_ids() -> None:
    record = {
        "belief_graph": {
            "nodes": [{"label": "rent"}, {"label": "support"}],
            "edges": [
                {"source": "rent", "target": "support", "sign": 1, "weight": 1, "confidence": 1}
            ],
            "stance_node": "support",
        }
    }
    assert from_release(record).factors == ("rent",)
    record["belief_graph"]["nodes"].append({"label": "rent"})
    with pytest.raises(GraphError, match="same-id"):
        from_release(record)


def test_rows_that_are_no_agents_are_refused() -> None:
    with pytest.raises(GraphError, match="missing at the row: no row of `agents`"):
        from_agent({})
    nodes = ROW["graph"]["nodes"]
    two = {**ROW, "graph": {**ROW["graph"], "nodes": [*nodes, nodes[2]]}}
    with pytest.raises(GraphError, match="2 nodes are the stance"):
        from_agent(two)
    same = {**ROW, "graph": {**ROW["graph"], "nodes": [*nodes, nodes[0]]}}
    with pytest.raises(GraphError, match="same-id"):
        from_agent(same)
    with pytest.raises(GraphError, match="release"):
        from_release({"belief_graph": {}})


def test_a_row_needs_what_a_graph_may_lack() -> None:
    with pytest.raises(GraphError, match="no importance"):
        to_agent(drawn("a +1 S"))
