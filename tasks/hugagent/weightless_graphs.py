"""Models without weights that reconstruct belief graphs, and one that answers from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from otherminds.dataset_builders.hugagent.population import OBSERVATION
from otherminds.tasks.hugagent.graphs import GOLD, names_of, reply_of
from otherminds.tasks.hugagent.questions import QUESTIONS, is_graph
from otherminds.types import Doc
from otherminds.weightless.questions import Questions, draw
from otherminds.weightless.strategies import Script


class GraphScript(Script):
    """Writes belief graphs, from what other people's look like."""

    questions: ClassVar[Questions] = QUESTIONS
    answers: ClassVar[str] = "the graph tasks of HugAgent"

    def reply(self, doc: Doc, run: int) -> str:
        """The graph; the blank reply where something else is to be written."""
        return self.graph(doc, run) if is_graph(doc) else QUESTIONS.blank_reply(doc)

    def graph(self, doc: Doc, run: int) -> str:
        """The reply that states the graph."""
        raise NotImplementedError


class EmptyGraph(GraphScript):
    """Nothing matters to anybody: the graph without nodes and edges."""

    def graph(self, doc: Doc, run: int) -> str:
        """No nodes, no edges."""
        return reply_of((), (), given=bool(doc["labels"]))


class _Learned(GraphScript):
    """Knows the graphs of the *other* people on each topic."""

    learns: ClassVar[bool] = True

    def __init__(self) -> None:
        self._golds: dict[str, dict[str, Any]] = defaultdict(dict)

    def prepare(self, docs: list[Doc]) -> None:
        """Keep the gold graphs by topic and person."""
        for doc in docs:
            if is_graph(doc) and doc[GOLD] is not None:
                self._golds[doc["topic"]][doc["participant_id"]] = doc[GOLD]

    def others(self, doc: Doc) -> list[Any]:
        """The gold graphs of all other people on the document's topic."""
        known = self._golds[doc["topic"]].items()
        return [gold for person, gold in known if person != doc["participant_id"]]


class StarGraph(_Learned):
    """Every node acts on the stance and on nothing else, with the sign that most *other* people give it.

    Where the nodes are not given, they are those that at least half of the other people's graphs have.
    """

    def graph(self, doc: Doc, run: int) -> str:
        """An edge into the stance from each node."""
        others, stance = self.others(doc), doc["stance"]
        signs: Counter[str] = Counter()
        having: Counter[str] = Counter()
        for gold in others:
            having.update(node["label"] for node in gold["nodes"])
            for edge in gold["edges"]:
                if edge["target"] == stance:
                    signs[edge["source"]] += edge["sign"]
        common = sorted(label for label in having if 2 * having[label] >= len(others))
        nodes = list(doc["labels"]) or common
        usual = 1 if signs.total() >= 0 else -1
        edges = [
            {"source": label, "target": stance, "sign": signs[label] or usual} for label in nodes
        ]
        return reply_of(nodes, edges, given=bool(doc["labels"]))


class RandomGraph(_Learned):
    """A random graph that is as dense as *other* people's, and has as many plus signs.

    Where the nodes are not given, they are as many of the topic's as the others' graphs have.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._seed = seed

    def graph(self, doc: Doc, run: int) -> str:
        """Each edge that does not leave the stance is drawn alone, with one probability."""
        rng = np.random.default_rng(draw(self._seed, doc["item_id"], run, "graph"))
        others = self.others(doc)
        edges = [edge for gold in others for edge in gold["edges"]]
        sizes = [len(gold["nodes"]) for gold in others]
        # |V|(|V| − 1) ordered pairs of factors and stance, of which |V| − 1 leave the stance.
        pairs = sum(size**2 for size in sizes)
        share = len(edges) / pairs if pairs else 0.0
        plus = sum(edge["sign"] > 0 for edge in edges) / len(edges) if edges else 0.5
        nodes = list(doc["labels"]) or self._drawn(rng, doc["topic"], sizes)
        found = [
            {"source": source, "target": target, "sign": 1 if rng.random() < plus else -1}
            for source in nodes
            for target in (*nodes, doc["stance"])
            if source != target and rng.random() < share
        ]
        return reply_of(nodes, found, given=bool(doc["labels"]))

    def _drawn(self, rng: np.random.Generator, topic: str, sizes: Sequence[int]) -> list[str]:
        known = sorted(names[0] for names in names_of(topic).values())
        size = min(round(sum(sizes) / len(sizes)), len(known)) if sizes else 0
        return [known[place] for place in sorted(rng.permutation(len(known))[:size])]


def as_read(doc: Doc, portrait: Any) -> str:
    """The reply with the edges that a reader of the interview has found."""
    names, given = names_of(doc["topic"]), set(doc["labels"])
    label: dict[str | None, str] = {None: doc["stance"]}
    label |= {name: own[0] for name, own in names.items()}
    edges = [
        {
            **{"source": label[edge.source], "target": label[edge.target], "sign": edge.sign},
            "strength": edge.weight,
            "confidence": 1.0 if edge.stated else OBSERVATION.hint_is_right,
        }
        for edge in portrait.edges()
    ]
    if given:
        known = given | {doc["stance"]}
        edges = [edge for edge in edges if {edge["source"], edge["target"]} <= known]
    ends = (end for edge in edges for end in (edge["source"], edge["target"]))
    nodes = [end for end in dict.fromkeys(ends) if end != doc["stance"]]
    return reply_of(nodes, edges, given=bool(doc["labels"]))
