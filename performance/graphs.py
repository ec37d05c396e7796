"""Scoring reconstructed belief graphs: 500 simulated people on three topics, all metrics with intervals.

What stands for a model's graph is the gold graph with a third of its edges left out, a tenth of the
signs turned, some edges and a node of its own, and every second label in other words. Similarities of
labels are made up, so that scoring is measured alone; the time that the packaged model takes to embed
the labels, and networkx for exact edit distances, stands apart.
Run: python -m performance.graphs
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from otherminds import data
from otherminds.metrics.graphs import (
    GRADES,
    BeliefGraph,
    Cosines,
    GraphSet,
    Link,
    Pair,
    compare_sets,
    from_agent,
    graph_of,
    score_pairs,
    sensitivity,
    summarize,
    tightness,
)
from otherminds.metrics.graphs.matching import THRESHOLD
from performance.machine import peak_mb
from performance.ratio import Ratio, print_table

DATA = "generated"
SEED, WIDTH = 1, 6
TARGET = "<= 20"
SMALL, SAMPLE = 8, 50
"""Nodes of the graphs whose exact distances are looked for, and how many of these graphs."""

OTHER_WORDS = "this thing called {}"


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    rows = data.load("hugagent-synthetic", "agents")[data.SPLIT].remove_columns(["transcript"])
    return measured([from_agent(row) for row in rows])


def measured(agents: Sequence[BeliefGraph]) -> list[Ratio]:
    """The ratios of these people's graphs."""
    rng = np.random.default_rng(SEED)
    golds = [graph.keeping(lambda edge: edge.grade in GRADES) for graph in agents]
    pairs = [
        Pair(str(gold.agent_id), str(gold.topic), gold, reconstructed(gold, rng)) for gold in golds
    ]
    labels = sorted(
        {node.label for pair in pairs for graph in (pair.gold, pair.predicted)
         for node in graph.nodes.values()}
    )  # fmt: skip
    similar = Cosines(labels, vectors(labels, rng))
    size = f"{len(pairs):,} graphs of {len({pair.person for pair in pairs}):,} people"

    start = time.process_time()
    scored = score_pairs(pairs, similar)
    matched = time.process_time() - start
    summary = summarize(scored)
    took = time.process_time() - start
    found = summary.overall
    assert 0.2 < found["edge_f1"].value < 0.9, found["edge_f1"]
    note = f"{size}, {len(found)} metrics, one core; {matched:.2f} s of it before the intervals"
    ratios = [
        Ratio.alone("scoring of belief graphs", took, "CPU s", target=TARGET, note=note),
        Ratio.alone("scoring of belief graphs: peak memory", peak_mb(), "MB"),
    ]

    start = time.process_time()
    sensitivity(pairs, similar)
    took = time.process_time() - start
    ratios.append(
        Ratio.alone("scoring of belief graphs at three thresholds", took, "CPU s", note=size)
    )

    start = time.process_time()
    compare_sets(
        GraphSet.of([pair.gold for pair in pairs]),
        GraphSet.of(
            [pair.predicted.model_copy(update={"agent_id": pair.person}) for pair in pairs]
        ),
    )
    took = time.process_time() - start
    ratios.append(
        Ratio.alone("structure of two sets of graphs", took, "CPU s", note=f"twice {size}")
    )
    return [*ratios, exact(pairs, similar), embedding(labels)]


def exact(pairs: Sequence[Pair], similar: Cosines) -> Ratio:
    """Time of the exact distances; graphs are cut to the stance's neighbours and theirs until small."""
    small = [(cut(pair.gold), cut(pair.predicted)) for pair in pairs]
    start = time.process_time()
    tight = tightness(small, similar, threshold=THRESHOLD, sample=SAMPLE, most_nodes=SMALL)
    took = time.process_time() - start
    note = (
        f"{tight.n} pairs of graphs cut to {SMALL} nodes, by networkx; the bound is exact in "
        f"{tight.exact:.0%}, and {tight.excess:.4f} above on average, at most {tight.largest:.4f}"
    )
    return Ratio.alone("exact edit distances of belief graphs", took, "CPU s", note=note)


def embedding(labels: Sequence[str]) -> Ratio:
    """Time of the packaged sentence model, which is loaded before."""
    from otherminds.dataset_builders.debate.embedding import sentence_bert
    from otherminds.dataset_builders.sources import SourceError

    name = "embedding of the labels of belief graphs"
    try:
        embed = sentence_bert()
    except SourceError as error:
        return Ratio.left_out(name, str(error).rstrip("."))
    embed(labels[:1])
    start = time.process_time()
    embed(labels)
    took = time.process_time() - start
    note = f"{len(labels)} different labels, loading apart; on all cores"
    return Ratio.alone(name, took, "CPU s", note=note)


def reconstructed(gold: BeliefGraph, rng: np.random.Generator) -> BeliefGraph:
    """The gold graph with losses, turned signs, other words, and inventions."""
    words = {key: node.label for key, node in gold.nodes.items()}
    for key in gold.factors:
        if rng.random() < 0.5:
            words[key] = OTHER_WORDS.format(words[key])
    links = [
        Link(edge.source, edge.target, edge.modifier * (-1 if rng.random() < 0.1 else 1), 0.8)
        for edge in gold.effects
        if rng.random() < 2 / 3
    ]
    joined = {link[:2] for link in links}
    keys = list(words)
    for _ in range(3):
        source, target = (keys[place] for place in rng.integers(0, len(keys), 2))
        if source != target and (source, target) not in joined:
            links.append(Link(source, target, 0.5, 0.3))
            joined.add((source, target))
    words["own"] = f"a thought of its own {rng.integers(40)}"
    links.append(Link("own", gold.stance_node, 0.5, 0.3))
    return graph_of(words, links, stance_node=gold.stance_node)


def vectors(labels: Sequence[str], rng: np.random.Generator) -> np.ndarray:
    """A vector for each label: near to that of the same thing in other words, and to a few others."""
    before, after = OTHER_WORDS.split("{}")
    things: dict[str, np.ndarray] = {}
    found = []
    for label in labels:
        thing = label.removeprefix(before).removesuffix(after)
        base = things.setdefault(thing, rng.standard_normal(WIDTH))
        found.append(base + 0.5 * rng.standard_normal(WIDTH) * (label != thing))
    return np.array(found)


def cut(graph: BeliefGraph) -> BeliefGraph:
    """The stance and the first nodes next to it, with the edges among them."""
    kept = [graph.stance_node, *graph.factors][:SMALL]
    return graph.keeping(lambda edge: edge.source in kept and edge.target in kept)


if __name__ == "__main__":
    main()
