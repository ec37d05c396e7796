"""An interview in words: the plan's blocks in turns, and talk of other things around them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, pick_weighted, rank, shuffled
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.telling.bank import Subject
from otherminds.dataset_builders.hugagent.telling.grammar import Line, Lines
from otherminds.dataset_builders.hugagent.telling.speaker import Speaker, as_sentence
from otherminds.dataset_builders.hugagent.telling.wording import Wording
from otherminds.dataset_builders.hugagent.world.claims import (
    ABOUT_STANCE,
    Block,
    Claim,
    InterviewPlan,
    ToldTurn,
)

_MOST_TURNS: Final = 44
_WORDS: Final = {"terse": 21.0, "plain": 41.0, "talkative": 63.0}
"""Words that a person of the verbosity is inclined to use in an answer."""

_SPREAD: Final = 0.28
_TOGETHER: Final = {"terse": 0.15, "plain": 0.4, "talkative": 0.5}
"""Probability that two claims of a block are told in one answer."""

_ABOUT_SELF: Final = {"terse": (1, 3), "plain": (2, 4), "talkative": (2, 4)}
"""Turns about the person before the subject is reached, from … to one less than …"""

_IN_ORDER: Final = ("again", "ground", "seen", "talk", "stray")
"""What may stand after that which has to be told: the same again, where the person has it from, an
example, something on the subject, something off it."""

_EARLY: Final = ("seen", "talk")
"""What may come first instead."""

_RECALLED: Final = ("seen", "talk")
"""What a person may be unsure to recall rightly."""

_EXAMPLES: Final = 0.55
"""Share of the other things seen that are said to be an example."""


def tell(rng: np.random.Generator, plan: InterviewPlan) -> tuple[ToldTurn, ...]:
    """Word an interview. Each claim of the plan is conveyed in exactly one turn.

    Deterministic given the plan and the state of `rng`; adds to `plan.familiar`.
    """
    return tuple(_Interview(rng, plan).turns())


class _Interview:
    """Conducts one interview."""

    def __init__(self, rng: np.random.Generator, plan: InterviewPlan) -> None:
        self._rng = rng
        self._plan = plan
        self._speaker = Speaker(rng, plan)
        self._wording = Wording(self._speaker)
        self._turn = TOPICS.index(plan.topic.topic)
        self._asked: Counter[str] = Counter()
        self._raised: set[str] = set()
        self._subjects = self._own_subjects()
        strays = self._speaker.words.speech.digression
        self._strays_left = {kind: self._speaker.own(lines) for kind, lines in strays.items()}

    def turns(self) -> list[ToldTurn]:
        """All turns, in order."""
        verbosity = self._plan.manner.verbosity
        low, high = _ABOUT_SELF[verbosity]
        opening = [self._intro()]
        opening += self._about_self(int(self._rng.integers(low, high)))
        chunks = [self._chunks(block) for block in self._plan.blocks]
        room = _MOST_TURNS - len(opening) - 1
        # One claim in each answer may be too many answers; then more is told in each.
        for place in range(len(chunks)):
            if sum(map(len, chunks)) <= room:
                break
            chunks[place] = [self._plan.blocks[place].claims]
        spare = room - sum(map(len, chunks))
        strays = self._strays(min(spare, 3))
        body: list[list[ToldTurn]] = [
            self._block(block, told) for block, told in zip(self._plan.blocks, chunks, strict=True)
        ]
        for stray in strays:
            body.insert(int(self._rng.integers(1, len(body) + 1)), [stray])
        return [*opening, *(turn for block in body for turn in block), self._closing()]

    # --- talk of other things

    def _intro(self) -> ToldTurn:
        subject = self._speaker.words.background.subjects["intro"]
        own = tuple(self._speaker.own(subject.lines))
        return self._small("background", subject.model_copy(update={"lines": own}))

    def _own_subjects(self) -> list[Subject]:
        """The subjects about the person that come up in this interview and in no other."""
        names = list(self._speaker.words.background.subjects)[1:]
        seed = self._speaker.life.seed
        own = sorted(names, key=lambda name: rank(seed, name))[self._turn :: len(TOPICS)]
        return [self._speaker.words.background.subjects[name] for name in shuffled(self._rng, own)]

    def _about_self(self, count: int) -> list[ToldTurn]:
        found: list[ToldTurn] = []
        while len(found) < count and self._subjects:
            subject = self._subjects.pop()
            if self._speaker.fits(subject.lines):
                found.append(self._small("background", subject))
        return found

    def _strays(self, most: int) -> list[ToldTurn]:
        count = int(self._rng.integers(0, max(most, 0) + 1))
        news = self._speaker.words.speech.chatter["news"]
        if count and chance(self._rng, 0.5):
            return [self._small("chatter", news), *self._about_self(count - 1)]
        return self._about_self(count)

    def _closing(self) -> ToldTurn:
        return self._small("closing", self._speaker.words.speech.chatter["closing"])

    def _small(self, kind: str, subject: Subject) -> ToldTurn:
        """A question on a subject beside the topic, and lines that answer it."""
        speaker = self._speaker
        question = self._ask(subject.questions, {})
        said: list[str] = []
        words = 0.0
        target = self._target()
        lines: Sequence[Line] = subject.lines
        most = max(1, speaker.unused(lines))
        while not said or (lines and words < 0.7 * target and len(said) < most):
            said.append(speaker.say(lines))
            lines = speaker.fresh(lines, said)
            words += len(said[-1].split())
        if words < 0.7 * target and chance(self._rng, self._plan.manner.digressions):
            said += [stray for stray in (self._digression(),) if stray]
        return ToldTurn(question, self._joined(said, small_talk=True), kind)

    def _digression(self) -> str | None:
        """Something off the subject, of the kind that the person likes while there is any left."""
        left = [kind for kind, lines in self._strays_left.items() if lines]
        if not left:
            return None
        habit = self._plan.manner.habit
        kind = habit if habit in left and chance(self._rng, 0.7) else pick(self._rng, left)
        line = self._strays_left[kind].pop()
        return self._speaker.say([line])

    # --- what has to be told

    def _chunks(self, block: Block) -> list[tuple[Claim, ...]]:
        """The claims of a block by answer."""
        found: list[tuple[Claim, ...]] = []
        left = list(block.claims)
        while left:
            two = len(left) > 1 and chance(self._rng, _TOGETHER[self._plan.manner.verbosity])
            size = 2 if two else 1
            found.append(tuple(left[:size]))
            left = left[size:]
        return found

    def _block(self, block: Block, chunks: Sequence[tuple[Claim, ...]]) -> list[ToldTurn]:
        turns: list[ToldTurn] = []
        for chunk in chunks:
            kind, question = self._question(block, chunk, later=bool(turns))
            answer = self._answer(block.factor, chunk)
            turns.append(ToldTurn(question, answer, kind, tuple(one.claim_id for one in chunk)))
        return turns

    def _question(self, block: Block, chunk: Sequence[Claim], *, later: bool) -> tuple[str, str]:
        questions = self._speaker.words.speech.questions
        policy = {"policy": self._plan.topic.policy}
        if chunk[0].kind == "value":
            return "value", self._ask(questions.values[chunk[0].source], {})
        if block.factor == ABOUT_STANCE:
            firm = chunk[0].kind == "firmness"
            return "stance", self._ask(questions.firmness if firm else questions.stance, policy)
        named = policy | {"N": self._speaker.about(block.factor)}
        if later:
            return "follow-up", self._ask(questions.followup, named)
        raised = block.factor in self._raised
        self._raised.add(block.factor)
        return "factor", self._ask(questions.again if raised else questions.factor, named)

    def _ask(self, lines: Lines, slots: dict[str, str]) -> str:
        """One of the interviewer's least used questions."""
        fewest = min(self._asked[line.text] for line in lines)
        line = pick(self._rng, [one for one in lines if self._asked[one.text] == fewest])
        self._asked[line.text] += 1
        return as_sentence(self._speaker.put(line, slots))

    def _target(self) -> float:
        """How many words an answer is to have."""
        usual = _WORDS[self._plan.manner.verbosity] * self._speaker.habits.length
        return usual * math.exp(_SPREAD * float(self._rng.standard_normal()))

    def _answer(self, factor: str, claims: Sequence[Claim]) -> str:
        """An answer that conveys the claims, with as much around it as this person is inclined to."""
        told: list[str] = []
        for place, claim in enumerate(claims):
            told += self._wording.clauses(claim, later=place > 0)
        target = self._target()
        words = sum(len(clause.split()) for clause in told)
        about = factor if factor in self._speaker.topic.factors else ""
        extras: dict[str, str] = {}
        tried: set[str] = set()
        while words + 6 < target:
            kind = self._extra(about, claims, tried)
            if kind is None:
                break
            tried.add(kind)
            extra = self._said_beside(kind, about, claims)
            if extra is not None:
                extras[kind] = extra
                words += len(extra.split())
        recalled = [kind for kind in _RECALLED if kind in extras]
        unsure = ""
        if recalled and chance(self._rng, self._speaker.habits.recalls):
            unsure = pick(self._rng, recalled)
            extras[unsure] = self._speaker.recalled(extras[unsure])
        if "seen" in extras and unsure != "seen" and chance(self._rng, _EXAMPLES):
            example = self._speaker.put(pick(self._rng, self._speaker.words.speech.example), {})
            extras["seen"] = f"{example}, {extras['seen']}"
        early = [kind for kind in _EARLY if kind in extras]
        before: list[str] = []
        if early and chance(self._rng, self._speaker.habits.story_first):
            before = [extras.pop(early[0])]
        return self._joined([*before, *told, *(extras[one] for one in _IN_ORDER if one in extras)])

    def _extra(self, factor: str, claims: Sequence[Claim], tried: set[str]) -> str | None:
        """A kind of thing that gives nothing more away, or None when each has been tried."""
        manner = self._plan.manner
        held = any(claim.kind == "effect" for claim in claims)
        odds = {
            "seen": (0.3 + manner.examples) if factor else 0.0,
            "talk": 0.5 if factor else 0.0,
            "again": 0.45 if held else 0.0,
            "ground": 0.4 if held else 0.0,
            "stray": 0.1 + 0.6 * manner.digressions,
        }
        left = [kind for kind in odds if kind not in tried and odds[kind]]
        if not left:
            return None
        return pick_weighted(self._rng, left, [odds[one] for one in left])

    def _said_beside(self, kind: str, factor: str, claims: Sequence[Claim]) -> str | None:
        rng, speaker = self._rng, self._speaker
        speech = speaker.words.speech
        if kind == "seen":
            return self._wording.seen(factor)
        if kind == "talk":
            return speaker.say(speech.talk, {"N": speaker.about(factor)})
        if kind == "again":
            return next(filter(None, map(self._wording.again, claims)), None)
        if kind == "ground":
            return speaker.say(speech.ground)
        stray = self._digression()
        if stray is None:
            return None
        return f"{speaker.put(pick(rng, speech.aside), {})} {stray}" if chance(rng, 0.5) else stray

    def _joined(self, clauses: Sequence[str], *, small_talk: bool = False) -> str:
        """The clauses as sentences, some of them run on, with an opener and an ending at times."""
        speaker, rng, habits = self._speaker, self._rng, self._speaker.habits
        sentences: list[str] = []
        for clause in clauses:
            if sentences and chance(rng, habits.runs_on * 0.5):
                sentences[-1] += f", and {clause}"
            else:
                sentences.append(clause)
        if tag := speaker.tag():
            place = int(rng.integers(len(sentences)))
            sentences[place] += f", {tag}"
        opener = speaker.opener(small_talk=small_talk)
        if opener and chance(rng, 0.5):
            sentences[0] = f"{opener}, {sentences[0]}"
        elif opener:
            sentences.insert(0, opener)
        return " ".join(speaker.sentence(text) for text in sentences)
