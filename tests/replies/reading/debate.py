"""The parsers of debate beliefs, as the tasks call them."""

from __future__ import annotations

from otherminds.metrics.debate import parse_prediction
from otherminds.metrics.debate.prediction import parse_yes_or_no
from tests.replies.corpus import Reply
from tests.replies.measure import Read


def _stance(reply: Reply) -> str | None:
    said = parse_prediction(reply.reply, reply.ask["proposition"])
    return None if said is None else "agree" if said else "disagree"


def _verdict(reply: Reply) -> str | None:
    said = parse_yes_or_no(reply.reply)
    return None if said is None else "yes" if said else "no"


READERS: dict[str, Read] = {
    "debate_direct": _stance,
    "debate_cot": _stance,
    "debate_title": _verdict,
}
