"""The words themselves: every line can be filled, and no frame is kept for one answer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pydantic import BaseModel

from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.telling.bank import ClaimTalk, bank
from otherminds.dataset_builders.hugagent.telling.grammar import (
    Line,
    is_number,
    names,
    parse,
    write,
)
from otherminds.dataset_builders.hugagent.telling.interviews import Told
from otherminds.dataset_builders.hugagent.telling.life import lives
from otherminds.dataset_builders.hugagent.telling.speaker import Speaker
from otherminds.dataset_builders.hugagent.telling.verbs import clause
from otherminds.dataset_builders.hugagent.world.claims import STANCE_BANDS, STANCE_BUCKETS

_OF_CLAIMS = {
    *("N", "tag", "A", "B", "H", "H.n", "H.he", "H.him", "H.his", "on", "plain", "policy"),
    *("for", "against", "I", "me", "my", "c", "u", "v"),
    *("mine", "theirs", "v_mine", "v_theirs"),
    *(f"{one}.{form}" for one in "cuv" for form in ("past", "bare", "to", "ing", "would")),
}
"""Slots that the wording of claims and questions fills."""


def _lines(found: object, where: str = "") -> Iterator[tuple[str, Line]]:
    if isinstance(found, Line):
        yield where, found
    elif isinstance(found, BaseModel):
        for name in type(found).model_fields:
            yield from _lines(getattr(found, name), f"{where}.{name}")
    elif isinstance(found, dict):
        for name, value in found.items():
            yield from _lines(value, f"{where}.{name}")
    elif isinstance(found, tuple):
        for value in found:
            yield from _lines(value, where)


def test_every_slot_of_every_line_is_filled_by_something(twelve_told: list[Told]) -> None:
    words = bank()
    everything = parse("".join(f"{{{name}}}" for name in _ANEW))
    known = set(_OF_CLAIMS) | set(ClaimTalk.model_fields)
    known |= set(words.background.rules) | set(words.speech.rules)
    for told in twelve_told:
        speaker = Speaker(np.random.default_rng(1), told.plan)
        known |= set(speaker.filled(everything))
    assert len(list(_lines(words))) > 1000
    for where, line in [*_lines(words), *_lines(lives().work)]:
        unknown = {name for name in names(line.parts) - known if not is_number(name)}
        # Kin that only some people have are asked for by lines with a tag alone.
        if line.needs:
            unknown -= {
                f"{role}{form}" for role in _SOME for form in ("", ".n", ".he", ".him", ".his")
            }
        assert not unknown, (where, line.text, unknown)


_ANEW = ("vouch", "P", "year", "acity", "hobbybit", "aunt_or_cousin", "churchname_or_club")
"""Slots that are filled anew each time they are asked for; one of a kind stands for the others."""

_SOME = ("partner", "kid", "kid2", "grown", "grand", "par", "kidage", "title", "workplace", "task",
         "task2", "task3", "event_of_work", "kin_at_home", "par_or_kin")  # fmt: skip


@pytest.mark.parametrize("topic", TOPICS)
def test_every_factor_has_words_and_every_clause_its_verb(topic: str) -> None:
    talk, rng = bank().topics[topic], np.random.default_rng(1)
    assert set(talk.factors) == set(content.load().topics[topic].by_name)
    for factor in talk.factors.values():
        for line in (*factor.up, *factor.down):
            for _ in range(20):
                clause(write(rng, line, {"town": "Elm"}, {"acity": (parse("city hall"),)}))


def test_a_hint_at_support_has_one_place_for_its_direction() -> None:
    for line in bank().claims.act:
        turns = {"for", "against", "good_idea", "better_off"} & names(line.parts)
        assert turns, line.text
        assert not {"move", "speaks"} & names(line.parts)


def test_every_level_has_its_words() -> None:
    claims = bank().claims
    assert set(claims.stance) == set(range(1, STANCE_BANDS + 1))
    assert set(claims.hint_stance) == set(range(1, STANCE_BUCKETS + 1))
    assert set(claims.firmness) == {0, 1, 2}
    for stated in (
        claims.rank,
        claims.points,
        claims.share,
        claims.degree,
        claims.hundred,
        claims.slice,
    ):
        assert set(stated) == {1, 2, 3, 4, 5}
    for hinted in (claims.listen, claims.read, claims.meetings, claims.times, claims.papers,
                   claims.often, claims.letters):  # fmt: skip
        assert set(hinted) == {1, 3, 5}


def test_directions_have_as_many_ways_to_be_told() -> None:
    claims = bank().claims
    for both in (claims.move, claims.speaks, claims.accord, claims.accord_stance, claims.revision):
        assert len({len(lines) for lines in both.values()}) == 1
