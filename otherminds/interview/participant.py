"""A simulated participant: a known causal belief graph that answers questions in plain sentences.

It understands a question by its words alone: which of its concepts are named there, and whether causes
are asked for. It knows nothing of the interviewer's graph, nor of how its answers are read.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

import yaml

from otherminds.metrics.graphs.schema import BeliefGraph, Edge

_FILE: Final = Path(__file__).with_name("participant.yaml")
_CAUSES: Final = re.compile(
    r"\b(?:influences?|lies behind|behind|drives?|causes? of|shapes?)\b", re.I
)
_STRONG, _MIDDLING = 2 / 3, 1 / 3


@dataclass
class Participant:
    """Somebody whose beliefs are known.

    graph    with labels in the words that this person uses
    policy   the policy, as the person calls it
    seed     the same seed, the same words
    most     links that one answer names at most
    open     share of statements about a link that give its strength without being asked
    chatty   share of answers with a sentence about nothing

    Answers depend on the questions before; `heard` brings a new participant to where another was.
    """

    graph: BeliefGraph
    policy: str
    seed: int = 0
    most: int = 2
    open: float = 0.6
    chatty: float = 0.2
    _told: set[str] = field(default_factory=set, init=False)
    _named: set[str] = field(default_factory=set, init=False)
    _asked: int = field(default=0, init=False)

    def heard(self, questions: Iterable[str]) -> Participant:
        """The participant after it has answered these questions."""
        for question in questions:
            self.answer(question)
        return self

    def answer(self, question: str) -> str:
        """What the person says to a question."""
        self._asked += 1
        rng = random.Random(f"{self.seed}/{self._asked}")
        named = self._concepts(question)
        if len(named) >= 2:
            return self._about_link(rng, named[0], named[1])
        links = self._wanted(question, named)[: self.most]
        if not links:
            return self._chat(rng, [_pick(rng, "nothing")])
        said = []
        for number, link in enumerate(links):
            text = self._statement(rng, link, tells_strength=rng.random() < self.open)
            said.append(_begun(_pick(rng, "later" if number else "beginnings"), text))
        return self._chat(rng, said + self._feelings(rng, links))

    def _concepts(self, question: str) -> list[str]:
        """The concepts that a question names, in their order; the stance comes last."""
        text = question.casefold()
        places = {}
        for key in sorted(self.graph.nodes, key=lambda one: -len(self.graph.nodes[one].label)):
            label = self.graph.nodes[key].label.casefold()
            found = re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text)
            if found:
                places[key] = found.start()
                text = text[: found.start()] + "\0" * len(label) + text[found.end() :]
        stance = self.graph.stance_node
        return sorted(places, key=lambda key: (key == stance, places[key]))

    def _wanted(self, question: str, named: list[str]) -> list[Edge]:
        """The links to tell: untold ones that answer the question, the strongest first."""
        untold = [edge for edge in self.graph.effects if edge.id not in self._told]
        untold.sort(key=lambda edge: (-abs(edge.modifier), edge.id))
        stance = self.graph.stance_node
        if not named or named == [stance]:
            # An open question: first what bears on the stance.
            return sorted(untold, key=lambda edge: edge.target != stance)
        [key] = named
        incoming = [edge for edge in untold if edge.target == key]
        if _CAUSES.search(question):
            return incoming
        return [edge for edge in untold if edge.source == key] + incoming

    def _about_link(self, rng: random.Random, first: str, second: str) -> str:
        for source, target in ((first, second), (second, first)):
            for edge in self.graph.effects:
                if (edge.source, edge.target) == (source, target):
                    text = self._statement(rng, edge, tells_strength=True)
                    return self._chat(rng, [_begun(_pick(rng, "beginnings"), text)])
        text = _pick(rng, "absent").format(x=self._word(first), y=self._word(second))
        return self._chat(rng, [_begun(_pick(rng, "beginnings"), text)])

    def _statement(self, rng: random.Random, edge: Edge, *, tells_strength: bool) -> str:
        self._told.add(edge.id)
        direction = "raise" if edge.modifier > 0 else "reduce"
        is_stance = edge.target == self.graph.stance_node
        text = _pick(rng, f"{direction}_stance" if is_stance else direction).format(
            x=self.graph.nodes[edge.source].label,
            y=self._word(edge.target),
            policy=self.policy,
            stance=self.graph.stance.label,
        )
        return f"{text} {_pick(rng, _strength(edge))}" if tells_strength else text

    def _feelings(self, rng: random.Random, links: Iterable[Edge]) -> list[str]:
        """How much the concepts matter that are named for the first time."""
        said = []
        for edge in links:
            for key in (edge.source, edge.target):
                if key == self.graph.stance_node or key in self._named:
                    continue
                self._named.add(key)
                node = self.graph.nodes[key]
                level = _importance(0.5 if node.importance is None else node.importance)
                said.append(_begun("", _pick(rng, level).format(x=node.label)))
        return said

    def _word(self, key: str) -> str:
        label = self.graph.nodes[key].label
        return f"my {label}" if key == self.graph.stance_node else label

    def _chat(self, rng: random.Random, sentences: list[str]) -> str:
        if rng.random() < self.chatty:
            sentences = [*sentences, _pick(rng, "aside")]
        return " ".join(one if one.endswith(".") else f"{one}." for one in sentences)


def known_graph(
    seed: int, *, nodes: int, edges: int, labels: Iterable[str], stance_label: str
) -> BeliefGraph:
    """A random graph without cycles in which every concept acts on the stance, directly or not.

    nodes, edges  their numbers, the stance among the nodes; at least nodes − 1 edges, and at most as
                  many as a graph without cycles can hold
    labels        words for the concepts, of which the first nodes − 1 of a random order are taken

    About half of the concepts act on the stance directly. Raises ValueError for impossible numbers.
    """
    if nodes < 2 or not nodes - 1 <= edges <= nodes * (nodes - 1) // 2:
        raise ValueError(f"No connected graph without cycles has {nodes} nodes and {edges} edges.")
    rng = random.Random(f"graph/{seed}")
    words = list(labels)
    rng.shuffle(words)
    if len(words) < nodes - 1:
        raise ValueError(f"{nodes - 1} labels are needed; there are {len(words)}.")
    # Concepts act on later ones, and the stance is the last.
    keys = [f"c{number}" for number in range(1, nodes)]
    order = [*keys, "s"]
    chosen = {(key, rng.choice(order[place + 1 :])) for place, key in enumerate(keys)}
    direct = rng.sample(keys, k=(len(keys) + 1) // 2)
    chosen |= set([(key, "s") for key in direct][: max(0, edges - len(chosen))])
    rest = [
        (source, target)
        for place, source in enumerate(keys)
        for target in order[place + 1 :]
        if (source, target) not in chosen
    ]
    chosen |= set(rng.sample(rest, k=edges - len(chosen)))
    return BeliefGraph.model_validate(
        {
            "stance_node": "s",
            "nodes": {
                **{
                    key: {"label": word, "importance": round(rng.uniform(0.05, 0.95), 2)}
                    for key, word in zip(keys, words, strict=False)
                },
                "s": {"label": stance_label, "status": "stance"},
            },
            "edges": {
                f"{source}{target}": {
                    "source": source,
                    "target": target,
                    "aggregate_confidence": 1.0,
                    "modifier": rng.choice((-1, 1)) * round(rng.uniform(0.15, 1.0), 2),
                }
                for source, target in sorted(chosen)
            },
        }
    )


def _begun(beginning: str, text: str) -> str:
    whole = f"{beginning}{text}"
    return whole[0].upper() + whole[1:]


def _strength(edge: Edge) -> str:
    size = abs(edge.modifier)
    if size >= _STRONG:
        return "strong"
    return "middling" if size >= _MIDDLING else "faint"


def _importance(value: float) -> str:
    if value >= _STRONG:
        return "dear"
    return "fair" if value >= _MIDDLING else "small"


def _pick(rng: random.Random, kind: str) -> str:
    choices = _speech()[kind]
    return choices[rng.randrange(len(choices))]


@lru_cache(maxsize=1)
def _speech() -> dict[str, list[str]]:
    content: dict[str, list[str]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return content
