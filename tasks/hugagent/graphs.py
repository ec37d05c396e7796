"""HugAgent: a person's causal belief graph, reconstructed from the interview.

The documents of `hugagent_graph_…` are made from the rows of the configuration `agents`, one for each
person and topic. The gold graph is the agent's own, limited to the edges that the interview states or
hints at, with the nodes that they join: nobody can know the others. Edges without an effect are none.

In the task with given nodes, the prompt lists the labels of the gold graph's nodes by the alphabet.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import pyarrow as pa
from datasets import Dataset
from datasets.table import InMemoryTable

from otherminds.data import loading as data
from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.features import ITEM
from otherminds.dataset_builders.hugagent.scale.features import CLAIMS
from otherminds.metrics.graphs.conversion import from_agent
from otherminds.metrics.graphs.replies import STANCE
from otherminds.metrics.graphs.schema import GRADES, BeliefGraph, read_graph
from otherminds.running.stages import reached
from otherminds.types import Doc
from otherminds.weightless.questions import draw

TASK = "graph"
"""The value of `task` in these documents."""

GOLD = "graph"
"""The column of the gold graph."""

_CONFIG = "agents"
_ITEMS = "bdu"
_TEXT, _NUMBER = pa.string(), pa.float64()
_NODES = pa.list_(pa.struct({"label": _TEXT, "names": pa.list_(_TEXT)}))
_EDGES = pa.list_(
    pa.struct(
        {
            **{"source": _TEXT, "target": _TEXT, "sign": pa.int32()},
            **{"strength": _NUMBER, "confidence": _NUMBER, "grade": _TEXT},
        }
    )
)
DOCUMENT = pa.schema(
    {
        "item_id": _TEXT,
        "participant_id": _TEXT,
        "track": _TEXT,
        "topic": _TEXT,
        "task": _TEXT,
        "demographics": ITEM.field("demographics").type,
        "context": ITEM.field("context").type,
        "stance": _TEXT,
        "labels": pa.list_(_TEXT),
        "claims": CLAIMS,
        GOLD: pa.struct({"nodes": _NODES, "edges": _EDGES, "others": pa.list_(_TEXT)}),
        "in_subset_50": pa.bool_(),
    }
)
"""A document: `stance` is the stance's label, `labels` are the nodes that the prompt gives, if any.

A gold node has the label by which it is asked, and all `names` that the interview may use for it;
`others` are the names of everything else on the topic. `claims` are those of the answers, for a reader.
"""


def documents(
    *, given_nodes: bool = False, stage_limit: float | None = None, **wanted: Any
) -> dict[str, Dataset]:
    """A document for each person and topic: `custom_dataset` of the tasks.

    given_nodes  whether the prompt gives the nodes
    stage_limit  make only the documents of the first so many BDU items (a fraction below 1 is one of
                 all): the `--limit` of the stage that follows
    wanted       as in `otherminds.data.loading.for_task`
    """
    found = {}
    for split, rows in data.for_task(**{**wanted, "configs": [_CONFIG]}).items():
        people = None
        if stage_limit is not None:
            items = data.for_task(**{**wanted, "configs": [_ITEMS]})[split]
            people = set(_people(items, reached(stage_limit, len(items))))
        found[split] = _dataset(rows, given_nodes=given_nodes, people=people)
    return found


def _people(items: Dataset, count: int) -> list[tuple[str, str]]:
    columns = items.data.table.slice(0, count).select(["participant_id", "topic"])
    return list(zip(*(columns[name].to_pylist() for name in columns.column_names), strict=True))


def _dataset(rows: Dataset, *, given_nodes: bool, people: set[tuple[str, str]] | None) -> Dataset:
    table = rows.data.table
    unread = ["values", "voice", "interventions", "weights"]
    docs = [
        document(row, given_nodes=given_nodes)
        for row in table.drop_columns(unread).to_pylist()
        if people is None or (row["participant_id"], row["topic"]) in people
    ]
    # Without a fingerprint of our own, `datasets` would pickle and hash the whole table.
    text = repr((rows._fingerprint, TASK, given_nodes, sorted(people) if people else None))
    fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
    made = pa.Table.from_pylist(docs, schema=DOCUMENT)
    return Dataset(InMemoryTable(made), fingerprint=fingerprint)


def document(row: Mapping[str, Any], *, given_nodes: bool = False) -> dict[str, Any]:
    """The document of a row of `agents`."""
    person, topic = row["participant_id"], row["topic"]
    gold = _gold_of(row)
    return {
        "item_id": f"synthetic-graph-{topic}-{person}",
        "participant_id": person,
        "track": "synthetic",
        "topic": topic,
        "task": TASK,
        "demographics": row["demographics"],
        "context": [
            {"question": turn["question"], "answer": turn["answer"]}
            for turn in row["transcript"]
            if not turn["masked"]
        ],
        "stance": stance_label(topic),
        "labels": sorted(node["label"] for node in gold["nodes"]) if given_nodes else [],
        "claims": row.get("claims"),
        GOLD: gold,
        "in_subset_50": row["in_subset_50"],
    }


def stance_label(topic: str) -> str:
    """The label of the stance on a topic: "support for …"."""
    return f"support for {content.load().topics[topic].policy}"


@cache
def names_of(topic: str) -> Mapping[str, tuple[str, ...]]:
    """By factor of a topic, its label and all other names that the interviews use for it."""
    return {
        factor.name: tuple(dict.fromkeys((factor.noun, *factor.phrases)))
        for factor in content.load().topics[topic].factors
    }


def _gold_of(row: Mapping[str, Any]) -> dict[str, Any]:
    names = names_of(row["topic"])
    graph = from_agent({**row, "transcript": ()}).keeping(
        lambda edge: edge.grade in GRADES and edge.polarity != 0
    )
    label = {graph.stance_node: stance_label(row["topic"])}
    label |= {key: names[key][0] for key in graph.factors}
    return {
        "nodes": [{"label": label[key], "names": list(names[key])} for key in graph.factors],
        "edges": [
            {
                **{"source": label[edge.source], "target": label[edge.target]},
                **{"sign": edge.polarity, "strength": edge.strength},
                **{"confidence": edge.aggregate_confidence, "grade": edge.grade},
            }
            for edge in graph.edges.values()
        ],
        "others": [name for key, own in names.items() if key not in graph.nodes for name in own],
    }


def gold_graph(doc: Doc) -> BeliefGraph:
    """The gold graph of a document; node ids are labels, and `STANCE`."""
    gold = doc[GOLD]
    return graph_by_labels(
        doc["stance"],
        [node["label"] for node in gold["nodes"]],
        gold["edges"],
        agent_id=doc["participant_id"],
        topic=doc["topic"],
    )


def graph_by_labels(
    stance: str, labels: Iterable[str], edges: Iterable[Mapping[str, Any]], **named: Any
) -> BeliefGraph:
    """The graph of columns that name nodes by their labels; node ids are labels, and `STANCE`."""

    def key(label: str) -> str:
        return STANCE if label == stance else label

    return read_graph(
        {
            **named,
            "stance_node": STANCE,
            "nodes": {
                **{label: {"label": label} for label in labels},
                STANCE: {"label": stance, "status": "stance"},
            },
            "edges": {
                f"e{number}": {
                    **{"source": key(edge["source"]), "target": key(edge["target"])},
                    "modifier": edge["sign"] * edge["strength"],
                    "aggregate_confidence": edge["confidence"],
                    "grade": edge.get("grade"),
                }
                for number, edge in enumerate(edges, start=1)
            },
        }
    )


def reply_of(nodes: Sequence[str], edges: Sequence[Mapping[str, Any]], *, given: bool) -> str:
    """A reply in the form that the prompt asks for: labels, and edges with source, target and sign."""
    shown = [
        {
            **{"source": edge["source"], "target": edge["target"]},
            "sign": "+" if edge["sign"] > 0 else "-",
            **{"strength": edge.get("strength", 0.5), "confidence": edge.get("confidence", 1.0)},
        }
        for edge in edges
    ]
    if given:
        return json.dumps({"edges": shown}, ensure_ascii=False)
    listed = [{"label": label, "confidence": 1.0} for label in nodes]
    return json.dumps({"nodes": listed, "edges": shown}, ensure_ascii=False)


def gold(doc: Doc) -> str:
    """The reply that states the gold graph; nothing while that is sealed."""
    if doc[GOLD] is None:
        return ""
    nodes = [node["label"] for node in doc[GOLD]["nodes"]]
    return reply_of(nodes, doc[GOLD]["edges"], given=bool(doc["labels"]))


def corrupted(doc: Doc, rate: float, seed: int) -> str:
    """`gold` with a share `rate` of its edges left out, turned round, or given the other sign."""
    edges = []
    for number, edge in enumerate(doc[GOLD]["edges"]):
        identity = (doc["item_id"], number)
        if draw(seed, identity, 0, "corrupt") / 2**64 >= rate:
            edges.append(edge)
            continue
        match draw(seed, identity, 0, "how") % 3:
            case 0:
                edges.append({**edge, "sign": -edge["sign"]})
            case 1:
                edges.append({**edge, "source": edge["target"], "target": edge["source"]})
    nodes = [node["label"] for node in doc[GOLD]["nodes"]]
    return reply_of(nodes, edges, given=bool(doc["labels"]))
