"""Which parser reads which form of the trust game."""

from __future__ import annotations

from otherminds.metrics.trust_game import (
    parse_ascending_ranking,
    parse_dollars,
    parse_ranking,
    parse_send,
)
from tests.replies.corpus import Amount, Answer, Dollars, Ranking, Reply
from tests.replies.measure import Read


def _amount(reply: Reply) -> Answer:
    asked = reply.asked
    assert isinstance(asked, Amount)
    return parse_send(reply.reply, asked.endowment, whole=not asked.fractions)


def _ranking(reply: Reply) -> Answer:
    asked = reply.asked
    assert isinstance(asked, Ranking)
    if asked.order == "ascending":
        found = parse_ascending_ranking(reply.reply, asked.levels)
    else:
        found = parse_ranking(reply.reply, asked.levels)
    if found is None:
        return None
    order = None if found.order is None else list(found.order)
    if asked.order == "ascending":
        return {"ranking": order and order[::-1], "effect_size": found.effect_size}
    return {
        "ranking": order,
        "omnibus_effect_size": found.effect_size,
        "contrast_effect_size": found.contrast_effect_size,
    }


def _dollars(reply: Reply) -> Answer:
    asked = reply.asked
    assert isinstance(asked, Dollars)
    found = parse_dollars(reply.reply, asked.levels, asked.endowment)
    if found is None:
        return None
    pairs = zip(found.means, found.sds, strict=True)
    return {level: list(pair) for level, pair in zip(asked.levels, pairs, strict=True)}


READERS: dict[str, Read] = {
    "trust_game_amount": _amount,
    "trust_game_ranking": _ranking,
    "trust_game_dollars": _dollars,
}
