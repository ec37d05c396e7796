"""Interviews as told: what they convey, how long they are, and that nothing is left unfilled."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from statistics import fmean

import numpy as np
import pytest

from otherminds.dataset_builders.hugagent.telling import contradictions, tell
from otherminds.dataset_builders.hugagent.telling.interviews import Told, interviews
from otherminds.dataset_builders.hugagent.telling.life import draw_life
from otherminds.dataset_builders.hugagent.telling.speaker import as_sentence, long_sentences
from otherminds.dataset_builders.hugagent.world.claims import Block, Claim, InterviewPlan

_LEFT_OVER = re.compile(r"[\[\]{}|~<>]|\s[,.;:?!]|,\s*[.,]| {2}|\ba\(n\)")
_GRAMMAR = re.compile(
    r"\b(the the|a a|to to|how how|of of|a [aeio]\w+ed|nevering|there am |I (?:cools|warms|leans)"
    r"|(?:he|she) (?:cool|warm|lean|find|want|like|have|come|feel) )\b"
)


def test_each_claim_is_told_once_in_its_block_and_in_order(twelve_told: list[Told]) -> None:
    for plan, turns in twelve_told:
        assert contradictions(plan, turns) == []
        told = [name for turn in turns for name in turn.claims]
        assert told == [claim.claim_id for block in plan.blocks for claim in block.claims]
        block_of = {
            one.claim_id: place for place, block in enumerate(plan.blocks) for one in block.claims
        }
        assert all(len({block_of[name] for name in turn.claims}) <= 1 for turn in turns)


def test_interviews_have_the_length_that_items_show(twelve_told: list[Told]) -> None:
    assert all(16 <= len(turns) <= 44 for _, turns in twelve_told)


def test_answers_are_of_natural_length_and_differ_by_verbosity(twelve_told: list[Told]) -> None:
    words: dict[str, list[int]] = defaultdict(list)
    for plan, turns in twelve_told:
        words[plan.manner.verbosity] += [len(turn.answer.split()) for turn in turns]
    mean = {verbosity: fmean(found) for verbosity, found in words.items()}
    assert mean["terse"] < mean["plain"] < mean["talkative"]
    assert 38 < fmean(one for found in words.values() for one in found) < 56


def test_nothing_is_left_unfilled_or_ungrammatical(twelve_told: list[Told]) -> None:
    for _, turns in twelve_told:
        for turn in turns:
            for text in (turn.question, turn.answer):
                assert not _LEFT_OVER.search(text), text
                assert not _GRAMMAR.search(text), text
                assert text[0] == text[0].upper(), text
                assert text[-1] in '.?!"', text


def test_a_long_sentence_is_said_by_next_to_nobody_else(twelve_told: list[Told]) -> None:
    said: Counter[str] = Counter()
    for _, turns in twelve_told:
        said.update({one for turn in turns for one in long_sentences(turn.answer)})
    assert len(said) > 1500
    assert max(said.values()) <= 2
    assert sum(times > 1 for times in said.values()) <= 0.005 * len(said)


def test_the_same_plan_and_state_give_the_same_interview() -> None:
    first, second = (list(interviews(seed=7, count=1)) for _ in range(2))
    assert [told.turns for told in first] == [told.turns for told in second]


def test_a_person_keeps_life_and_kin_through_all_topics(twelve_told: list[Told]) -> None:
    for first in range(0, len(twelve_told), 3):
        plans = [told.plan for told in twelve_told[first : first + 3]]
        one, two, three = (draw_life(plan.person, plan.demographics) for plan in plans)
        assert one == two == three
        answers = [turn.answer for told in twelve_told[first : first + 3] for turn in told.turns]
        assert sum(one.slots["town"] in answer for answer in answers) >= 2


def test_lives_differ_by_person() -> None:
    told = list(interviews(seed=3, count=4))[::3]
    lives = [draw_life(plan.person, plan.demographics) for plan, _ in told]
    assert len({life.slots["town"] for life in lives}) == len(lives)


_BOTH = re.compile(r"(?=.*(?:nois|loud|racket|quiet|calm))(?=.*(?:rent|charg))", re.IGNORECASE)


@pytest.mark.parametrize(
    ("claim", "has", "lacks"),
    [
        (Claim("c1", "stance", "stated", level=5), r"\b(yes|for|more)\b", r"\b(against|no)\b"),
        (Claim("c1", "stance", "stated", level=1), r"\b(no|against|less)\b", r"\byes\b"),
        (
            Claim("c1", "weight", "stated", "noise", level=1),
            r"last|bottom|below|none|zero|not one|next to|crumbs|nothing|empty",
            r"first|top|most|ninety",
        ),
        (
            Claim("c1", "others_effect", "stated", "noise", "stance", -1, holder="uncle"),
            r"\bmy uncle \w",
            r"^I ",
        ),
        (
            Claim("c1", "weighing", "stated", "noise", "sunlight", on="stance"),
            r"nois|racket|loud",
            r"~",
        ),
    ],
)
def test_a_claim_says_what_it_is_to_say(
    twelve_told: list[Told], claim: Claim, has: str, lacks: str
) -> None:
    zoning = next(told.plan for told in twelve_told if told.plan.topic.topic == "zoning")
    for seed in range(25):
        factor = claim.source or "stance"
        plan = InterviewPlan(
            zoning.person,
            zoning.topic,
            zoning.demographics,
            zoning.manner,
            (Block(factor, (claim,)),),
        )
        turns = tell(np.random.default_rng(seed), plan)
        answer = next(turn.answer for turn in turns if turn.claims)
        assert re.search(has, answer, re.IGNORECASE), answer
        first = re.split(r"(?<=[.?!]) ", answer)
        assert not all(re.search(lacks, sentence) for sentence in first), answer


def test_effects_turn_round_with_their_sign(twelve_told: list[Told]) -> None:
    """Over many tellings, a raised and a lowered factor follow the same causes about as often."""
    zoning = next(told.plan for told in twelve_told if told.plan.topic.topic == "zoning")
    up = re.compile(r"\b(louder|noisier|more (?:noise|of a racket)|later into|level go\w* up)")
    rent = re.compile(
        r"\b(rent\w*[^.]*(?:up|higher|climb\w*|more|roof)|charg\w+ more|more expensive)"
    )
    together, tried = {1: 0, -1: 0}, {1: 0, -1: 0}
    for sign in together:
        for seed in range(60):
            claim = Claim("c1", "effect", "stated", "noise", "rent_levels", sign)
            plan = InterviewPlan(
                zoning.person,
                zoning.topic,
                zoning.demographics,
                zoning.manner,
                (Block("noise", (claim,)),),
            )
            turns = tell(np.random.default_rng(seed), plan)
            answer = next(turn.answer for turn in turns if turn.claims)
            # The one sentence that names both is the claim; some tellings need two for it.
            told = [one for one in re.split(r"(?<=[.?!]) ", answer) if _BOTH.match(one)]
            if told:
                tried[sign] += 1
                together[sign] += bool(up.search(told[0])) == bool(rent.search(told[0]))
    assert min(tried.values()) > 30
    # Two clauses in one sentence can mislead these patterns, which see no order.
    assert together[1] > 0.8 * tried[1]
    assert together[-1] < 0.2 * tried[-1]


def test_sentences_begin_with_a_capital_and_end_with_a_mark() -> None:
    assert as_sentence("why not? because I say so") == "Why not? Because I say so."
