"""The parser of SocialMindChange, as its tasks call it."""

from __future__ import annotations

from otherminds.metrics.socialmindchange import parse_option
from tests.replies.corpus import Answer, Reply
from tests.replies.measure import Read


def _option(reply: Reply) -> Answer:
    return parse_option(reply.reply, reply.ask["options"])


READERS: dict[str, Read] = {
    "socialmindchange_letter": _option,
    "socialmindchange_letter_cot": _option,
}
