"""A belief graph in a model's reply: one JSON object with nodes and signed edges.

JSON is read strictly. What cannot be read gives no graph, and the reason has a name; a part that says
nothing, or contradicts itself, is left out and counted by name. Nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import networkx as nx

from otherminds.metrics.graphs.labels import normal_form
from otherminds.metrics.graphs.schema import BeliefGraph, Sign, read_graph
from otherminds.metrics.thoughts import without_reasoning

STANCE: Final = "stance"
"""The id of the stance, which a reply may use for its label."""

EXAMPLE: Final = ("a short noun phrase", "another short noun phrase")
"""The labels in the example of the prompt. A reply that copies them has named nothing."""

UNKNOWN_STRENGTH: Final = 0.5
"""The size of a modifier whose strength nobody stated."""

MOST_NODES, MOST_EDGES = 200, 1_000
LONGEST_LABEL = 200
LONGEST_REPLY = 200_000
DEEPEST = 50
_MOST_TRIES = 200

Failure: TypeAlias = Literal[
    "empty",
    "unfinished-thought",
    "no-json",
    "cut-off",
    "comments",
    "trailing-comma",
    "duplicate-key",
    "broken-json",
    "wrong-shape",
    "several-graphs",
    "placeholder",
    "too-large",
]
"""Why a reply has no graph."""

FAULTS: Final[Mapping[str, str]] = {
    "bad-node": "nodes without a label, left out",
    "long-label": f"nodes and edges with a label of more than {LONGEST_LABEL} characters, left out",
    "placeholder": "nodes and edges copied from the prompt's example, left out",
    "same-label": "nodes of one label, taken for one",
    "unknown-node": "nodes that an edge names and the list of nodes does not, added",
    "bad-edge": "edges without source or target, left out",
    "bad-sign": "edges with a sign that is neither + nor -, left out",
    "bad-number": "strengths and confidences that are no number from 0 to 1, taken for none",
    "ambiguous-end": "edges whose end is the id of one node and the label of another, left out",
    "self-loop": "edges from a node to itself, left out",
    "parallel-edge": "edges stated again, left out",
    "contradiction": "edges stated with both signs, left out",
    "cycle": "graphs with a cycle, kept",
}
"""What may be wrong with parts of a graph that was read, and what is done about it."""

_SIGNS: Final[Mapping[Any, Sign]] = {
    **dict.fromkeys(("+", "+1", "1", 1.0, "positive"), 1),
    **dict.fromkeys(("-", "\u2212", "\u2013", "-1", "\u22121", -1.0, "negative"), -1),
    **dict.fromkeys(("0", 0.0), 0),
}


class GraphReply(NamedTuple):
    """What was read of a reply.

    graph    None where there is none
    failure  why; None where there is a graph
    faults   how often each of FAULTS was found in it
    """

    graph: BeliefGraph | None
    failure: Failure | None
    faults: Mapping[str, int]


def read_reply(text: str | None, stance: str, given: Sequence[str] | None = None) -> GraphReply:
    """The graph that a reply states.

    stance  the label of the stance, as the prompt gives it
    given   labels of nodes that the prompt gives: the graph has these nodes, and those that an edge of
            the reply names besides. Nodes that the reply lists are not read then.

    Thoughts are removed; prose and a fence around the object do not matter. Ids of nodes are n1, n2, …
    in the order of the reply (or of `given`), and `stance`. Where an edge states no strength, its
    strength is None and its modifier ±0.5; where it states no confidence, that is 1. Never raises, and
    takes a bounded time.
    """
    if text is None or not text.strip():
        return _failed("empty")
    visible = without_reasoning(text)
    if visible is None:
        return _failed("unfinished-thought")
    if not visible.strip():
        return _failed("empty")
    if len(visible) > LONGEST_REPLY:
        return _failed("too-large")
    try:
        found = _object_in(visible)
    except RecursionError:
        # Where that happens depends on Python; what is not so deep by far is refused alike.
        return _failed("too-large")
    if isinstance(found, str):
        return _failed(found)
    nodes, edges = _entries(found.get("nodes", [])), _entries(found.get("edges", []))
    if nodes is None or edges is None:
        return _failed("wrong-shape")
    if len(nodes) > MOST_NODES or len(edges) > MOST_EDGES:
        return _failed("too-large")
    reader = _Reader(stance, given)
    reader.read(nodes if given is None else [], edges)
    if reader.count > MOST_NODES:
        return _failed("too-large")
    graph = reader.graph()
    if reader.faults["placeholder"] and not graph.edges and (given or not graph.factors):
        return _failed("placeholder")
    return GraphReply(graph, None, dict(reader.faults))


def empty_graph(stance: str, given: Sequence[str] = ()) -> BeliefGraph:
    """The graph without edges: of the stance, and of the given nodes."""
    return _Reader(stance, given).graph()


class _Reader:
    """Puts a graph together, and counts what is wrong with its parts."""

    def __init__(self, stance: str, given: Sequence[str] | None) -> None:
        self.faults: Counter[str] = Counter()
        self._stance = stance
        self._key_of = {_form(stance): STANCE, STANCE: STANCE}
        self._ids: dict[str, str] = {}
        self._nodes: dict[str, dict[str, Any]] = {}
        self._edges: dict[tuple[str, str], dict[str, Any]] = {}
        self._refused: set[tuple[str, str]] = set()
        for label in given or ():
            self._add(label)

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return len(self._nodes)

    def read(self, nodes: Iterable[Any], edges: Iterable[Any]) -> None:
        for one in nodes:
            self._node(one)
        for one in edges:
            self._edge(one)

    def graph(self) -> BeliefGraph:
        edges = {f"e{number}": edge for number, edge in enumerate(self._edges.values(), start=1)}
        found = read_graph(
            {
                "stance_node": STANCE,
                "nodes": {**self._nodes, STANCE: {"label": self._stance, "status": "stance"}},
                "edges": edges,
            }
        )
        if _has_cycle(found):
            self.faults["cycle"] += 1
        return found

    def _node(self, one: Any) -> None:
        if isinstance(one, str):
            one = {"label": one}
        if not isinstance(one, Mapping) or not isinstance(one.get("label"), str):
            self.faults["bad-node"] += 1
            return
        key = self._named(one["label"], "bad-node")
        if key is None:
            return
        if key in self._nodes:
            self.faults["same-label"] += 1
        elif key != STANCE:
            key = self._add(one["label"])
            self._nodes[key]["confidence"] = self._unit(one, "confidence")
        name = one.get("id")
        if isinstance(name, str) and name.strip():
            self._ids.setdefault(name.strip(), key)

    def _edge(self, one: Any) -> None:
        if not isinstance(one, Mapping):
            self.faults["bad-edge"] += 1
            return
        ends = [self._end(one.get(name)) for name in ("source", "target")]
        if None in ends:
            return
        sign = _sign(one.get("sign"))
        if sign is None:
            self.faults["bad-sign"] += 1
            return
        source, target = (self._known(str(end)) for end in ends)
        if source == target:
            self.faults["self-loop"] += 1
            return
        strength, confidence = self._unit(one, "strength"), self._unit(one, "confidence")
        modifier = sign * (UNKNOWN_STRENGTH if strength is None else strength)
        self._keep(
            (source, target),
            {
                **{"source": source, "target": target, "modifier": modifier},
                "strength": strength,
                "aggregate_confidence": 1.0 if confidence is None else confidence,
            },
        )

    def _keep(self, ends: tuple[str, str], edge: dict[str, Any]) -> None:
        before = self._edges.get(ends)
        if ends in self._refused:
            self.faults["contradiction"] += 1
        elif before is None:
            self._edges[ends] = edge
        elif before["modifier"] * edge["modifier"] > 0 or before["modifier"] == edge["modifier"]:
            self.faults["parallel-edge"] += 1
        else:
            self.faults["contradiction"] += 2
            self._refused.add(ends)
            del self._edges[ends]

    def _end(self, label: Any) -> str | None:
        """A node's key, or the label of one that is not known yet; None for what names no node."""
        if not isinstance(label, str):
            self.faults["bad-edge"] += 1
            return None
        by_id = self._ids.get(label.strip())
        by_label = self._key_of.get(_form(label))
        if by_id and by_label and by_id != by_label:
            self.faults["ambiguous-end"] += 1
            return None
        return by_id or self._named(label, "bad-edge")

    def _named(self, label: str, fault: str) -> str | None:
        """The key of the node with this label, or the label itself where there is none."""
        normal = _form(label)
        if not re.search(r"\w", label):
            self.faults[fault] += 1
        elif len(label) > LONGEST_LABEL:
            self.faults["long-label"] += 1
        elif normal in _PLACEHOLDERS:
            self.faults["placeholder"] += 1
        else:
            return self._key_of.get(normal, label)
        return None

    def _known(self, end: str) -> str:
        if end in self._nodes or end == STANCE:
            return end
        known = self._key_of.get(_form(end))
        if known is not None:
            return known
        self.faults["unknown-node"] += 1
        return self._add(end)

    def _add(self, label: str) -> str:
        key = f"n{len(self._nodes) + 1}"
        # Half of a surrogate pair is text in JSON, and nowhere else.
        clean = " ".join(label.encode("utf-8", "replace").decode("utf-8").split())
        self._nodes[key] = {"label": clean}
        self._key_of.setdefault(_form(label), key)
        return key

    def _unit(self, one: Mapping[str, Any], name: str) -> float | None:
        value = one.get(name)
        if value is None:
            return None
        if isinstance(value, float) and 0 <= value <= 1:
            return value
        self.faults["bad-number"] += 1
        return None


def _form(label: str) -> str:
    """The normal form of a label. What is too long for one is no label: it is kept out of the cache."""
    return normal_form(label) if len(label) <= LONGEST_LABEL else label


_PLACEHOLDERS: Final = frozenset(
    {
        *(normal_form(label) for label in EXAMPLE),
        *(normal_form(label) for label in ("label", "node label", "source label", "target label")),
    }
)


def _sign(value: Any) -> Sign | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = value.strip().lower()
    return _SIGNS.get(value) if isinstance(value, str | float) else None


def _entries(given: Any) -> list[Any] | None:
    """Nodes or edges as a list; an object of them by id is one too. None for anything else."""
    if isinstance(given, list):
        return given
    if isinstance(given, Mapping) and all(isinstance(one, Mapping) for one in given.values()):
        return [{"id": key, **one} for key, one in given.items()]
    return None


def _has_cycle(graph: BeliefGraph) -> bool:
    joined = nx.DiGraph((edge.source, edge.target) for edge in graph.effects)
    return not nx.is_directed_acyclic_graph(joined)


def _failed(name: Failure) -> GraphReply:
    return GraphReply(None, name, {})


# Where a graph begins, whether or not it can be read to its end.
_BEGINS = re.compile(r'\{\s*(?:"(?:nodes|edges)"|\'(?:nodes|edges)\'|(?:nodes|edges)\s*:|//|/\*)')


class _Twice(dict[str, Any]):
    """An object with a key given twice, or with such an object in it."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    is_twice = len(found) < len(pairs) or any(_is_twice(one) for one in found.values())
    return _Twice(found) if is_twice else found


def _is_twice(value: Any) -> bool:
    if isinstance(value, list):
        return any(isinstance(one, _Twice) for one in value)
    return isinstance(value, _Twice)


# Numbers as float, since int() refuses long strings of digits; too large ones become inf.
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=float)


def _object_in(text: str) -> dict[str, Any] | Failure:
    """The one graph-like object in a text, or why there is none."""
    found: dict[str, Any] | None = None
    broken: Failure | None = None
    is_copied = False
    for value in _objects(text):
        if isinstance(value, str):
            broken = value
        elif _is_example(value):
            is_copied = True
        elif found is None or value == found:
            found, broken = value, None
        else:
            return "several-graphs"
    if broken is not None:
        return broken
    if found is None:
        return "placeholder" if is_copied else "no-json"
    return "duplicate-key" if isinstance(found, _Twice) else found


def _objects(text: str) -> Iterator[dict[str, Any] | Failure]:
    """The graph-like objects that are not inside another, and why each broken one cannot be read."""
    place = tries = 0
    while tries < _MOST_TRIES:
        place = text.find("{", place)
        if place < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError as error:
            if _BEGINS.match(text, place):
                yield _why(text, error.pos)
            place += 1
            tries += 1
        else:
            if _is_deep(value):
                yield "too-large"
            elif _is_graph(value):
                yield value
            else:
                # One object around a graph does not matter.
                graphs = [one for one in value.values() if _is_graph(one)]
                yield from graphs
                if not graphs and _BEGINS.search(text, place, end):
                    yield "wrong-shape"
            place = end


def _is_graph(value: Any) -> bool:
    return isinstance(value, dict) and bool(value.keys() & {"nodes", "edges"})


def _is_deep(value: Any) -> bool:
    """Whether lists and objects lie in one another beyond DEEPEST."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _is_example(value: dict[str, Any]) -> bool:
    """Whether all labels of an object are those of the prompt's example."""
    nodes, edges = _entries(value.get("nodes", [])), _entries(value.get("edges", []))
    labels = [one.get("label") for one in nodes or () if isinstance(one, Mapping)]
    ends = [one.get("source") for one in edges or () if isinstance(one, Mapping)]
    texts = [one for one in (*labels, *ends) if isinstance(one, str)]
    return bool(texts) and all(normal_form(one) in _PLACEHOLDERS for one in texts)


def _why(text: str, place: int) -> Failure:
    """Why JSON breaks off at a place."""
    rest, before = text[place:].lstrip(), text[:place].rstrip()
    if rest.startswith(("//", "/*", "#")):
        return "comments"
    if before.endswith(",") and rest[:1] in ("}", "]"):
        return "trailing-comma"
    if rest.startswith(",") and rest[1:].lstrip()[:1] in ("}", "]"):
        return "trailing-comma"
    is_open_text = rest.startswith('"') and '"' not in rest[1:].replace('\\"', "")
    if not rest.strip("`\n ") or is_open_text:
        return "cut-off"
    return "broken-json"
