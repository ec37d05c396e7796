"""Which parser reads which form of SynchToM."""

from __future__ import annotations

from otherminds.metrics.synchtom import read_answer, read_verdicts
from otherminds.metrics.synchtom.verdicts import Failure
from tests.replies.corpus import Answer, Judgement, Reply
from tests.replies.measure import Read


def _answer(reply: Reply) -> Answer:
    found = read_answer(reply.reply)
    return None if found is None else {name: text or None for name, text in found.parts.items()}


def _judgement(reply: Reply) -> Answer:
    asked = reply.asked
    assert isinstance(asked, Judgement)
    found = read_verdicts(reply.reply, asked.criteria, audit=asked.marker)
    if isinstance(found, Failure):
        return None
    return {name: list(verdicts) for name, verdicts in found.items()}


READERS: dict[str, Read] = {"synchtom_answer": _answer, "synchtom_judge": _judgement}
