"""The parsers of HugAgent, as its tasks call them."""

from __future__ import annotations

from otherminds.tasks.hugagent.scoring import parse
from tests.replies.corpus import Answer, Letters, Reply
from tests.replies.measure import Read


def _answer(reply: Reply) -> Answer:
    asked = reply.asked
    if isinstance(asked, Letters):
        return parse({"task": "bsi", "options": asked.options}, reply.reply)
    labels = list(reply.ask["labels"])
    return parse({"task": "bdu", "scale": reply.ask["scale"], "scale_labels": labels}, reply.reply)


READERS: dict[str, Read] = {
    "hugagent_letter": _answer,
    "hugagent_letter_cot": _answer,
    "hugagent_number": _answer,
    "hugagent_number_cot": _answer,
}
