"""What a simulated person must not say: the check `check_answer` of an answer that a model wrote.

The extractor of the interviews reads the answer, with the person's own concepts as those that are known.
What contradicts the graph is decided here, by the signs of its edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from otherminds.interview.calls import Caller
from otherminds.interview.extraction import Extraction, sieve
from otherminds.interview.extractors import Exchange, Known, Request
from otherminds.interview.labels import normal_form
from otherminds.interview.reading import read_request
from otherminds.interview.session import STANCE, Session
from otherminds.metrics.graphs import BeliefGraph

_VERBS = {1: "raises", -1: "lowers"}


@dataclass(frozen=True)
class Contradiction:
    """A statement of an answer that the graph of the person speaks against.

    kind       opposite: of the sign of an edge; new_link: to the stance, where the graph has none
    statement  what is said, in a sentence
    quote      the words of the answer
    """

    kind: Literal["opposite", "new_link"]
    statement: str
    quote: str


def contradictions(
    caller: Caller, session: Session, graph: BeliefGraph, answer: str
) -> tuple[Contradiction, ...] | None:
    """What an answer to the open question says against the graph; None where nobody could read it."""
    request = _request(session, graph, answer)
    words = session.config.parameters.max_label_words
    found = read_request(caller, "check_answer", request, words)
    if found is None:
        return None
    stance = (request.stance_label, *request.stance_aliases)
    kept = sieve(found, answer, stance_labels=stance, max_label_words=words).kept
    return tuple(_against(kept, request, graph))


def _request(session: Session, graph: BeliefGraph, answer: str) -> Request:
    """What the extractor is given; ids are of the request, as a graph may call its nodes anything."""
    current = session.current
    if current is None:
        raise ValueError("no question is open")
    topic, count = session.config.topic, session.config.parameters.context_qas
    before = [
        Exchange(question=qa.question, answer=qa.answer)
        for qa in session.qas
        if qa.answer is not None and qa.kind != "tutorial"
    ]
    return Request(
        topic=topic.name,
        policy=topic.policy,
        stance_label=topic.stance_label,
        stance_aliases=topic.stance_aliases,
        known=tuple(
            Known(id=f"n{number}", label=graph.nodes[key].label)
            for number, key in enumerate(graph.factors, start=1)
        ),
        earlier=tuple(before[-count:] if count else ()),
        asked_about=(),
        question=current.question,
        answer=answer,
    )


def _against(found: Extraction, request: Request, graph: BeliefGraph) -> Iterator[Contradiction]:
    ids = {one.id: key for one, key in zip(request.known, graph.factors, strict=True)}
    names = {normal_form(one.label): ids[one.id] for one in request.known}
    for node in found.nodes:
        if node.existing_id in ids:
            names.setdefault(normal_form(node.label), ids[node.existing_id])
    for label in (STANCE, request.stance_label, *request.stance_aliases):
        names[normal_form(label)] = graph.stance_node
    signs = {(edge.source, edge.target): edge.polarity for edge in graph.effects}
    for link in found.links:
        source, target = (
            ids.get(one) or names.get(normal_form(one)) for one in (link.source, link.target)
        )
        if link.polarity not in _VERBS or target is None or source == target:
            continue
        known = signs.get((source or "", target))
        is_stance = target == graph.stance_node
        if known is None and not is_stance:
            continue
        if known is None or known != link.polarity:
            moved = "your support" if is_stance else graph.nodes[target].label
            named = graph.nodes[source].label if source else link.source
            yield Contradiction(
                "new_link" if known is None else "opposite",
                f"more {named} {_VERBS[link.polarity]} {moved}",
                link.quote,
            )
