"""A belief graph in a model's reply: what is read, what is left out, and what is refused by name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.graphs.labels import normal_form
from otherminds.metrics.graphs.replies import (
    DEEPEST,
    EXAMPLE,
    FAULTS,
    LONGEST_REPLY,
    MOST_EDGES,
    MOST_NODES,
    GraphReply,
    read_reply,
)
from otherminds.metrics.graphs.schema import BeliefGraph

STANCE = "support for taller buildings"
EDGE = {"source": "rent", "target": STANCE, "sign": "-", "strength": 0.4, "confidence": 0.8}
NODES = [{"label": "rent", "confidence": 0.9}, {"label": "noise at night", "confidence": 0.2}]


def text(nodes: Any = NODES, edges: Any = (EDGE,)) -> str:
    return json.dumps({"nodes": nodes, "edges": list(edges)})


GOOD = text()


def read(reply: str | None) -> GraphReply:
    return read_reply(reply, STANCE)


def edges_of(graph: BeliefGraph | None) -> list[tuple[str, str, float]]:
    assert graph is not None
    label = {key: node.label for key, node in graph.nodes.items()}
    return [(label[e.source], label[e.target], e.modifier) for e in graph.edges.values()]


def test_nodes_edges_and_their_numbers_are_read() -> None:
    found = read(GOOD)
    assert found.failure is None
    assert not found.faults
    assert found.graph is not None
    assert [found.graph.nodes[key].confidence for key in found.graph.factors] == [0.9, 0.2]
    (edge,) = found.graph.edges.values()
    assert (edge.modifier, edge.strength, edge.aggregate_confidence) == (-0.4, 0.4, 0.8)
    assert edge.target == found.graph.stance_node


@pytest.mark.parametrize(
    "reply",
    [
        f"```json\n{GOOD}\n```",
        f"Here is the graph you asked for:\n\n{GOOD}\n\nI left out what was not said.",
        f"<think>Maybe {text(edges=())}, or {{not json}}</think>\n{GOOD}",
        f"{GOOD}\n\nTo repeat:\n{GOOD}",
        json.dumps({"graph": json.loads(GOOD)}),
        f"The form is {json.dumps({'nodes': [{'label': one} for one in EXAMPLE]})}. So:\n{GOOD}",
        f'Of the form {{"nodes": [...], "edges": [...]}}:\n{GOOD}',
        json.dumps(json.loads(GOOD), indent=2),
    ],
)
def test_what_stands_around_the_object_does_not_matter(reply: str) -> None:
    assert edges_of(read(reply).graph) == [("rent", STANCE, -0.4)]


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (None, "empty"),
        ("  \n", "empty"),
        ("<think>The person says", "unfinished-thought"),
        ("<think>Nothing.</think>  ", "empty"),
        ("I cannot tell what this person thinks.", "no-json"),
        # SmolLM2-135M-Instruct's, which never got as far as an object.
        (
            "The person thinks that the mix of incomes in the area is the cause of the extreme"
            + " extreme" * 80,
            "no-json",
        ),
        ('{"answer": 7}', "no-json"),
        ("[1, 2]", "no-json"),
        (GOOD[:40], "cut-off"),
        (GOOD[:-1], "cut-off"),
        (f"{GOOD}\nOn second thought:\n{GOOD[:-20]}", "cut-off"),
        ("{ // the graph\n" + GOOD[1:], "comments"),
        (GOOD.replace('"edges"', '/* links */ "edges"'), "comments"),
        (GOOD.replace("}]}", "},]}"), "trailing-comma"),
        (GOOD.replace('"edges"', '"nodes": [], "edges"'), "duplicate-key"),
        (GOOD.replace('"sign": "-"', '"sign": "-", "sign": "+"'), "duplicate-key"),
        (GOOD.replace('"', "'"), "broken-json"),
        ('{"nodes": [{"nodes": [' * 3000, "too-large"),
        ('{"nodes": "rent", "edges": []}', "wrong-shape"),
        (f"{GOOD}\n{text(edges=())}", "several-graphs"),
        (text([{"label": one} for one in EXAMPLE], ()), "placeholder"),
        (text([{"label": f"thing {n}"} for n in range(MOST_NODES + 1)], ()), "too-large"),
        (text([], [EDGE] * (MOST_EDGES + 1)), "too-large"),
        (
            text([], [{**EDGE, "source": f"thing {n}"} for n in range(MOST_NODES + 1)]),
            "too-large",
        ),
        ("x" * (LONGEST_REPLY + 1), "too-large"),
        # Lists and objects in one another; one list in an object has the depth 2.
        ('{"nodes": ' + "[" * DEEPEST + "]" * DEEPEST + "}", "too-large"),
        ('{"a": ' * 700 + GOOD + "}" * 700, "too-large"),
        ('{"nodes": ' * 19_000, "too-large"),
        (json.dumps({"a": {"b": json.loads(GOOD)}}), "wrong-shape"),
        (json.dumps({"mine": json.loads(GOOD), "theirs": {"nodes": []}}), "several-graphs"),
        ("".join(f'{{"nodes": [{n}]}}' for n in range(10_000)), "several-graphs"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(reply: str | None, failure: str) -> None:
    assert read(reply) == (None, failure, {})


def test_an_empty_graph_is_an_answer() -> None:
    found = read('{"nodes": [], "edges": []}')
    assert found.failure is None
    assert found.graph is not None
    assert not found.graph.factors
    assert not found.graph.edges


# Each reply has the edge from rent to the stance besides, which stays.
@pytest.mark.parametrize(
    ("nodes", "edges", "faults"),
    [
        ([7, {"confidence": 1}, {"label": " "}], [], {"bad-node": 3}),
        ([{"label": "x" * 300}], [], {"long-label": 1}),
        ([{"label": EXAMPLE[0]}], [], {"placeholder": 1}),
        ([{"label": "The Rents"}], [], {"same-label": 1}),
        ([], [{**EDGE, "source": "traffic"}], {"unknown-node": 1}),
        ([], ["rent -> noise", {"target": STANCE, "sign": "+"}], {"bad-edge": 2}),
        ([], [{**EDGE, "source": ["rent", "traffic"]}], {"bad-edge": 1}),
        ([], [{**EDGE, "sign": "?"}, {**EDGE, "sign": True}], {"bad-sign": 2}),
        ([], [{**EDGE, "sign": [1]}, {**EDGE, "sign": 0.5}], {"bad-sign": 2}),
        ([], [{**EDGE, "target": "rent"}], {"self-loop": 1}),
        ([], [EDGE], {"parallel-edge": 1}),
        ([{"label": "traffic", "id": "rent"}], [], {"ambiguous-end": 1}),
    ],
)
def test_parts_that_say_nothing_are_left_out_and_counted(
    nodes: list[Any], edges: list[Any], faults: dict[str, int]
) -> None:
    found = read(text([*NODES, *nodes], [EDGE, *edges]))
    assert found.faults == faults
    kept = [edge for edge in edges_of(found.graph) if edge[0] == "rent"]
    assert kept == ([] if "ambiguous-end" in faults else [("rent", STANCE, -0.4)])
    assert set(found.faults) <= set(FAULTS)


def test_contradictions_are_taken_for_neither() -> None:
    both = [EDGE, {**EDGE, "sign": "+"}, EDGE]
    found = read(text(NODES, both))
    assert edges_of(found.graph) == []
    assert found.faults == {"contradiction": 3}


@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-0.2", "1.5", "1e999", '"high"', "true", "[1]"]
)
def test_numbers_out_of_range_are_none(number: str) -> None:
    found = read(GOOD.replace("0.4", number))
    assert found.faults == {"bad-number": 1}
    assert found.graph is not None
    (edge,) = found.graph.edges.values()
    # The edge is claimed all the same: with a strength that nobody knows.
    assert (edge.strength, edge.modifier, edge.polarity) == (None, -0.5, -1)


@pytest.mark.parametrize("sign", ["-", "−", "–", "-1", -1, -1.0, "negative", " Negative "])
def test_all_ways_of_writing_minus(sign: Any) -> None:
    assert edges_of(read(text(edges=[{**EDGE, "sign": sign}])).graph)[0][2] == -0.4


def test_nodes_may_be_named_by_ids_and_the_stance_by_its_role() -> None:
    nodes = {"a1": {"label": "rent"}, "b2": {"label": "noise"}}
    edges = [
        {"source": "a1", "target": "b2", "sign": "+", "strength": 1},
        {"source": "b2", "target": "stance", "sign": "-", "strength": 1},
    ]
    found = read(json.dumps({"nodes": nodes, "edges": edges}))
    assert edges_of(found.graph) == [("rent", "noise", 1.0), ("noise", STANCE, -1.0)]
    assert not found.faults


def test_cycles_are_kept_and_counted() -> None:
    edges = [
        {"source": "rent", "target": "noise at night", "sign": "+"},
        {"source": "noise at night", "target": "rent", "sign": "+"},
    ]
    found = read(text(edges=edges))
    assert found.faults == {"cycle": 1}
    assert len(edges_of(found.graph)) == 2


def test_given_nodes_are_there_whatever_the_reply_lists() -> None:
    reply = text([{"label": "elephants"}], [EDGE, {**EDGE, "source": "traffic"}])
    found = read_reply(reply, STANCE, ["noise at night", "rent"])
    assert found.graph is not None
    labels = [found.graph.nodes[key].label for key in found.graph.factors]
    assert labels == ["noise at night", "rent", "traffic"]
    assert found.faults == {"unknown-node": 1}


def test_labels_are_of_one_line() -> None:
    # A later stage shows them in its prompt, where a line of its own could pass for the prompt's.
    found = read('{"nodes": [{"label": "rent\\n# The question\\r\\n"}], "edges": []}')
    assert found.graph is not None
    assert found.graph.nodes["n1"].label == "rent # The question"


def test_giant_labels_are_left_out_and_not_kept_in_memory() -> None:
    giant = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 15_000
    normal_form.cache_clear()
    found = read(text([{"label": giant}], [{**EDGE, "source": giant}]))
    assert (found.failure, found.faults) == (None, {"long-label": 2})
    read(GOOD)
    # Those of the good graph, of the stance and of its id, but no giant.
    assert normal_form.cache_info().currsize <= 5


def test_the_largest_graphs_are_read() -> None:
    nodes = [{"label": f"thing {n}"} for n in range(MOST_NODES)]
    ends = [(n, (n + step) % MOST_NODES) for n in range(MOST_NODES) for step in range(1, 6)]
    assert len(ends) == MOST_EDGES
    edges = [
        {"source": f"thing {first}", "target": f"thing {second}", "sign": "+"}
        for first, second in ends
    ]
    found = read(text(nodes, edges))
    assert found.graph is not None
    assert (len(found.graph.factors), len(found.graph.edges)) == (MOST_NODES, MOST_EDGES)
    assert found.faults == {"cycle": 1}


def test_halves_of_surrogate_pairs_do_no_harm() -> None:
    found = read('{"nodes": [{"label": "\\ud800 rent"}], "edges": []}')
    assert found.graph is not None
    assert found.graph.nodes["n1"].label.encode()


_LEAVES = (
    st.none() | st.booleans() | st.floats() | st.text(max_size=6) | st.sampled_from(["+", STANCE])
)
_ANY = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["nodes", "edges", "label", "source", "target", "sign", "id", "strength"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(_ANY, st.integers(0, 400), st.text(max_size=5))
def test_nothing_that_a_model_writes_is_an_error(value: Any, cut: int, more: str) -> None:
    whole = json.dumps({"nodes": value, "edges": value})
    for reply in (whole, whole[:cut] + more, more + whole[cut:]):
        found = read(reply)
        assert (found.graph is None) == (found.failure is not None)
        assert set(found.faults) <= set(FAULTS)
