"""A language model that reads answers: the request `extract`, and `merge` for labels that look alike.

The person's words go into the request as JSON strings, with the control tokens of chat templates broken
up, below an instruction that takes them for data. Whatever the model makes of them, only entries with a
literal quote of the answer enter the graph (`extraction.sieve`), and only ids of the session count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from otherminds import control_tokens
from otherminds.interview.calls import Caller, Message
from otherminds.interview.extraction import (
    Extraction,
    FoundLink,
    FoundNode,
    Quality,
    Same,
    StanceHint,
    Unit,
)
from otherminds.interview.extractors import Request, request_of
from otherminds.interview.labels import normal_form
from otherminds.interview.prompts import prompt
from otherminds.interview.session import QA, STANCE, Node, Session
from otherminds.strict import Strict

_MOST_NODES, _MOST_LINKS = 12, 12
_MOST_PAIRS = 3
"""Pairs of labels that one answer may have compared."""


class _Read(Strict):
    nodes: tuple[FoundNode, ...] = Field(max_length=_MOST_NODES)
    links: tuple[FoundLink, ...] = Field(max_length=_MOST_LINKS)
    stance_hint: StanceHint | None
    quality: Quality


class _Judged(Strict):
    same: bool
    confidence: Unit


@dataclass
class ModelReader:
    """Reads answers with a language model; what it cannot read is an empty result with the reason."""

    caller: Caller
    slow: bool = True

    def read(self, session: Session, qa: QA) -> Extraction:
        """What the answer of `qa` says."""
        answer = qa.answer or ""
        found = read_request(self.caller, "extract", request_of(session, qa.id), _words(session))
        if found is None:
            return Extraction(failed="the model gave no result")
        same = tuple(self._same(session, found.nodes, answer))
        return found.model_copy(update={"same": same})

    def _same(self, session: Session, nodes: Sequence[FoundNode], answer: str) -> Iterator[Same]:
        """Judgements on new labels that share a word with known ones."""
        asked = 0
        for node in nodes:
            if node.existing_id is not None or node.quote not in answer:
                continue
            for known in _alike(node.label, session):
                if asked == _MOST_PAIRS:
                    return
                asked += 1
                judged = self.caller.ask("merge", merge_messages(session, node, known), _Judged)
                if judged is not None and judged.same:
                    yield Same(label=node.label, known=known.label, confidence=judged.confidence)
                    break


def read_request(caller: Caller, name: str, request: Request, words: int) -> Extraction | None:
    """What a model reads out of an answer; None where it gives no result.

    name   of the request in the journal
    words  that a label may have
    """
    found = caller.ask(name, request_messages(request, words), _Read)
    if found is None:
        return None
    known = {one.id for one in request.known}
    answer = request.answer
    links = [
        link.model_copy(update={"quote": _literal(link.quote, answer)}) for link in found.links
    ]
    return Extraction(
        nodes=tuple(_own(node, known, answer) for node in found.nodes),
        links=tuple(links),
        stance_hint=found.stance_hint,
        quality=found.quality,
    )


def extract_messages(session: Session, qa: QA) -> list[Message]:
    """The request `extract`."""
    return request_messages(request_of(session, qa.id), _words(session))


def request_messages(request: Request, words: int) -> list[Message]:
    """The instruction to read an answer, and the answer with what it needs to be understood."""
    data = {
        "stance": request.stance_label,
        "concepts": [one.model_dump() for one in request.known],
        "earlier": [one.model_dump() for one in request.earlier],
        "question": request.question,
        "answer": request.answer,
    }
    system = prompt("extract", policy=request.policy, words=words, stance=STANCE)
    return [{"role": "system", "content": system}, data_message(data)]


def _words(session: Session) -> int:
    return session.config.parameters.max_label_words


def merge_messages(session: Session, node: FoundNode, known: Node) -> list[Message]:
    """The request `merge`."""
    data = {
        "first": {"label": known.label, "words": _quote_of(session, known)},
        "second": {"label": node.label, "words": node.quote},
    }
    return [{"role": "system", "content": prompt("merge")}, data_message(data)]


def data_message(content: Any) -> Message:
    """What a request is about, as JSON without control tokens of chat templates."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    return {"role": "user", "content": control_tokens.neutral(text)}


def _own(node: FoundNode, known: set[str], answer: str) -> FoundNode:
    """A concept as the answer has it: an id that is none of the session's counts for nothing."""
    is_known = node.existing_id in known and node.existing_id != STANCE
    return node.model_copy(
        update={
            "existing_id": node.existing_id if is_known else None,
            "quote": _literal(node.quote, answer),
        }
    )


def _literal(quote: str, answer: str) -> str:
    """A quote without the escapes that the model was shown, where that is what the answer says."""
    if quote in answer:
        return quote
    plain = control_tokens.restored(quote)
    return plain if plain in answer else quote


def _alike(label: str, session: Session) -> list[Node]:
    words = set(normal_form(label).split())
    others = (one for one in session.state.nodes.values() if one.id != STANCE)
    return [
        one
        for one in others
        if normal_form(one.label) != normal_form(label)
        and words & set(normal_form(one.label).split())
    ]


def _quote_of(session: Session, node: Node) -> str:
    """The words that a concept was first noted from; empty where they are not known."""
    for qa in session.qas:
        for found in qa.extraction.nodes if qa.extraction else ():
            if found.existing_id == node.id or normal_form(found.label) == normal_form(node.label):
                return found.quote
    return ""
