"""HugAgent with a belief graph: a model first draws up what a person thinks leads to what, then answers.

Two stages (see `otherminds.running.stages`). The first is `hugagent_graph_synthetic`; `items` are the
documents of the second: the items on how the person's mind moves, each with the graph of the person on
its topic. The gain over `hugagent_bdu_synthetic`, which shows no graph, says whether an explicit graph
helps. `graph-simulator` answers the second stage from the graph alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from datasets import Dataset
from datasets.table import InMemoryTable

from otherminds import prompts
from otherminds.data import loading as data
from otherminds.metrics.graphs.replies import empty_graph, read_reply
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.running.stages import Samples, answers, unreached
from otherminds.tasks.hugagent import graphs
from otherminds.types import Doc

COLUMN = "belief_graph"
"""The column of an item's graph; null past the limit of the first stage."""

_PROMPT = "hugagent__answer_graph"
_EDGE = pa.struct(
    {
        **{"source": pa.string(), "target": pa.string(), "sign": pa.int32()},
        **{"strength": pa.float64(), "confidence": pa.float64()},
    }
)
_TYPE = pa.struct(
    {
        **{"stance": pa.string(), "nodes": pa.list_(pa.string()), "edges": pa.list_(_EDGE)},
        "failure": pa.string(),
    }
)


def items(
    *,
    stages: Sequence[str],
    samples: Samples = None,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The second stage's documents: the items with their graphs, read from the first stage's samples.

    stages       the tasks before this one, from the metadata of its YAML
    samples      the sample file of the first stage, from `--metadata`
    stage_limit  the one that the first stage was run with

    Raises OtherMindsError when there are no samples, and when they are not of just the documents that
    the first stage has with these arguments.
    """
    found = {}
    first = graphs.documents(stage_limit=stage_limit, **wanted)
    for split, docs in data.for_task(**wanted).items():
        asked = first[split]
        texts = answers(asked, stage=stages[-1], samples=samples)
        drawn = {
            (doc["participant_id"], doc["topic"]): _drawn(doc, text)
            for doc, text in zip(asked, texts, strict=True)
        }
        found[split] = _with_graphs(docs, drawn, texts)
    return found


def prompt(doc: Mapping[str, Any]) -> str:
    """The prompt of an item with its graph.

    Raises OtherMindsError for an item that the first stage was not run for.
    """
    if doc[COLUMN] is None:
        raise unreached(doc["item_id"])
    return prompts.renderer(_PROMPT)(doc)


def graph_of(drawn: Mapping[str, Any]) -> BeliefGraph:
    """The graph in the column; node ids are labels, and `STANCE`."""
    return graphs.graph_by_labels(drawn["stance"], drawn["nodes"], drawn["edges"])


def _drawn(doc: Doc, text: str | None) -> dict[str, Any]:
    """The graph of a reply with labels for ids, in the order of the reply; empty if unread."""
    read = read_reply(text, doc["stance"])
    graph = read.graph or empty_graph(doc["stance"])
    label = {key: node.label for key, node in graph.nodes.items()}
    return {
        "stance": doc["stance"],
        "nodes": [label[key] for key in graph.factors],
        "edges": [
            {
                **{"source": label[edge.source], "target": label[edge.target]},
                **{"sign": edge.polarity, "strength": abs(edge.modifier)},
                "confidence": edge.aggregate_confidence,
            }
            for edge in graph.effects
        ],
        "failure": read.failure,
    }


def _with_graphs(
    docs: Dataset, drawn: Mapping[tuple[str, str], Any], texts: Sequence[str | None]
) -> Dataset:
    table = docs.data.table
    place = {owner: number for number, owner in enumerate(drawn)}
    owners = zip(*(table[name].to_pylist() for name in ("participant_id", "topic")), strict=True)
    of_row = [place.get(owner, len(place)) for owner in owners]
    column = pa.array([*drawn.values(), None], type=_TYPE).take(pa.array(of_row))
    # Without a fingerprint of our own, `datasets` would pickle and hash the whole table.
    text = repr((docs._fingerprint, COLUMN, texts))
    fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
    made = table.append_column(COLUMN, column)
    return Dataset(InMemoryTable(made), fingerprint=fingerprint)
