"""Estimates the structure of the synthetic population's belief networks from a folder of human graphs.

    python -m otherminds.tasks.hugagent.refit GRAPHS --topic zoning -o FOLDER

GRAPHS is what `otherminds graphs check` takes. Written is `parameters.yaml` with the new structure
of that topic; opinions, ratings and change stay as `otherminds.dataset_builders.hugagent.fitting`
has them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import yaml

from otherminds import files
from otherminds.analysis import graph_sets
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.structures import Counted, StructureError, estimate
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.metrics.graphs import BeliefGraph, problems


def counted(graph: BeliefGraph) -> Counted:
    """What is counted of a graph.

    Raises StructureError, which names whose graph it is, for a graph with a cycle.
    """
    cycles = [fault for fault in problems(graph) if fault.name == "cycle"]
    if cycles:
        raise StructureError(
            f"The graph of {graph.agent_id or 'somebody'} on {graph.topic or 'a topic'} has a cycle: "
            f"{cycles[0].says}."
        )
    nodes = [node for key, node in graph.nodes.items() if key != graph.stance_node]
    return Counted(
        nodes=len(graph.nodes),
        edges=len(graph.edges),
        importance=tuple(one.importance for one in nodes if one.importance is not None),
        mentions=tuple(one.frequency for one in nodes if one.frequency is not None),
        confidence=tuple(edge.aggregate_confidence for edge in graph.edges.values()),
        strength=tuple(edge.strength for edge in graph.edges.values() if edge.strength is not None),
        without_effect=sum(edge.polarity == 0 for edge in graph.edges.values()),
    )


def refitted(graphs: Sequence[BeliefGraph], topic: str) -> dict[str, parameters.TopicParameters]:
    """All parameters, with the structure that these people's graphs on the topic have.

    Raises StructureError where there are too few, or one has a cycle.
    """
    own = [counted(graph) for graph in graphs if graph.topic in (None, topic)]
    known = parameters.load()
    structure = estimate(own, known[topic].structure)
    return {**known, topic: known[topic].model_copy(update={"structure": structure})}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read graphs, estimate, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("graphs", help="a folder of graphs, a study, or DATASET/agents")
    parser.add_argument("--topic", choices=TOPICS, required=True)
    parser.add_argument("-o", "--out", type=Path, required=True, help="where parameters.yaml goes")
    given = parser.parse_args(arguments)
    found = refitted(graph_sets.read(given.graphs), given.topic)
    plain = {name: one.model_dump(mode="json") for name, one in found.items()}
    with files.atomic_file(given.out / "parameters.yaml") as partial:
        partial.write_text(yaml.safe_dump(plain, sort_keys=False), encoding="utf-8")


if __name__ == "__main__":
    main()
