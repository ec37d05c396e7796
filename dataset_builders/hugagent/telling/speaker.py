"""One person talking in one interview: the lines that fit, filled from the person's life, none twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, rank, shuffled, stream
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.telling.bank import FactorTalk, bank
from otherminds.dataset_builders.hugagent.telling.grammar import Line, names, write
from otherminds.dataset_builders.hugagent.telling.life import NOW, Known, chance_names, draw_life
from otherminds.dataset_builders.hugagent.telling.verbs import Clause, clause, past_of
from otherminds.dataset_builders.hugagent.world.claims import HOLDERS, InterviewPlan

LONG: Final = 6
"""Words from which a sentence is long: such a one is said once by a person."""

_TRIES: Final = 12
_SHORT_NAME: Final = 0.35
"""Share of mentions of the policy by a short name."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")
_AFTER_END: Final = re.compile(r"([.!?]\s+)([a-z])")
_BARE: Final = re.compile(
    r"(?:I notice|you ask|tell|suppose|say|let"
    r"|the way it|what's behind|wait|find|follow|how|why|hearing|it takes"
    r"|picture|with|show|take|give|ask|and|so|first|on|for|when|if|you can put|coming back"
    r"|going back|according|to (?:me|him|her))\b"
)
"""How clauses begin that take nothing before them."""

_CONTRACTED: Final = (
    (re.compile(r"'ve got\b"), " have"),
    (re.compile(r"\b([Ii])'m\b"), r"\1 am"),
    (re.compile(r"\b(I|you|we|they)'ve\b"), r"\1 have"),
    (re.compile(r"\b(I|you|we|they|he|she)'ll\b"), r"\1 will"),
    (re.compile(r"\b(I|you|we|they|he|she)'d\b"), r"\1 would"),
    (re.compile(r"\b(you|we|they)'re\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\b(it|that|there|he|she|what)'s\b(?! (?:got|been)\b)", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\b(do|does|did|is|was|were|would|could|have|has|should)n't\b"), r"\1 not"),
    (re.compile(r"\bcan't\b"), "cannot"),
    (re.compile(r"\bwon't\b"), "will not"),
)


class Speaker:
    """Chooses and fills lines for one person in one interview."""

    def __init__(self, rng: np.random.Generator, plan: InterviewPlan) -> None:
        self.rng = rng
        self.plan = plan
        self.life = draw_life(plan.person, plan.demographics)
        self.words = bank()
        self.topic = self.words.topics[plan.topic.topic]
        self.tags = self.life.tags | {plan.manner.register, "main", "subject"}
        self.habits = Habits(self)
        holders = {claim.holder for block in plan.blocks for claim in block.claims}
        believers = {self.holder(name).name for name in holders if name}
        # Who holds a belief here is in no story of it, which could be taken for that belief.
        self._others = tuple(
            role for role in self.life.others if self.life.people[role].name not in believers
        )
        self._rules = {**self.words.background.rules, **self.words.speech.rules}
        self._turn = TOPICS.index(plan.topic.topic)
        self._used: Counter[str] = Counter()
        self._said: set[str] = set()
        self._named: set[str] = set()
        self._events: list[Line] = []

    def say(self, lines: Sequence[Line], slots: Mapping[str, str] | None = None) -> str:
        """One of the lines that fit, the least used first, in words that the person has not used."""
        text = ""
        for _ in range(_TRIES):
            line = self._least_used(lines)
            text = self.put(line, slots or {})
            if not self._again(text):
                break
        self._used[line.text] += 1
        long = list(long_sentences(text))
        self._said.update(long)
        self.plan.familiar.update(long)
        return text

    def put(self, line: Line, slots: Mapping[str, str]) -> str:
        """The line, filled."""
        return write(self.rng, line, {**self.filled(line), **slots}, self._rules, self.tags)

    def fits(self, lines: Sequence[Line]) -> bool:
        """Whether any of the lines is for this person."""
        return any(line.fits(self.tags) for line in lines)

    def own(self, lines: Sequence[Line]) -> list[Line]:
        """The lines that this interview may take of those that fit; other topics have the others.

        So a person tells a thing about themselves once, and not twice with other details.
        """
        fitting = [line for line in lines if line.fits(self.tags)]
        seed = self.life.seed
        return sorted(fitting, key=lambda line: rank(seed, line.text))[self._turn :: len(TOPICS)]

    def fresh(self, lines: Sequence[Line], said: Sequence[str]) -> list[Line]:
        """The lines that fit and give no age or work that was given already."""
        told = {
            name
            for name in ("age", "title", "workplace", "hobby")
            if any(self.life.slots.get(name, "\x00") in text for text in said)
        }
        return [line for line in lines if line.fits(self.tags) and not told & names(line.parts)]

    def unused(self, lines: Sequence[Line]) -> int:
        """How many lines that fit this person have not been used."""
        return sum(line.fits(self.tags) and not self._used[line.text] for line in lines)

    def factor(self, name: str) -> FactorTalk:
        """How a factor is spoken of."""
        return self.topic.factors[name]

    def about(self, name: str) -> str:
        """A factor by one of its names."""
        return self.put(pick(self.rng, self.factor(name).about), {})

    def clause(self, name: str, direction: int) -> Clause:
        """A clause that says that there is more (1) or less (−1) of a factor."""
        return clause(self.put(pick(self.rng, self.factor(name).clauses(direction)), {}))

    def policy(self) -> str:
        """The policy by one of its names."""
        short = chance(self.rng, _SHORT_NAME)
        return self.put(pick(self.rng, self.topic.policy_short if short else self.topic.policy), {})

    def holder(self, name: str) -> Known:
        """Who holds a belief: somebody of the person's life."""
        if name not in HOLDERS:
            raise KeyError(f"Nobody is known as '{name}'; known are {', '.join(HOLDERS)}.")
        return self.life.people[name]

    def named(self, role: str) -> str:
        """A person by full name and relation at first, then often by the name alone."""
        known = self.life.people[role]
        short = known.name in self._named and chance(self.rng, 0.4)
        self._named.add(known.name)
        return known.name if short else known.full

    def sentence(self, text: str) -> str:
        """A clause as a sentence in the person's manner, with capitals and a mark at its end."""
        if chance(self.rng, self.habits.unfolds):
            for pattern, full in _CONTRACTED:
                text = pattern.sub(full, text)
        return as_sentence(text)

    def fronted(self, text: str, *, later: bool = False, mild: bool = False) -> str:
        """A clause with a hedge, an assertion or a connection before it, if the person is inclined.

        What is `mild` takes no assertion.
        """
        speech, rng = self.words.speech, self.rng
        lead = ""
        if later and chance(rng, 0.35):
            lead = self._short(speech.also)
        elif not _BARE.match(text) and chance(rng, self.habits.fronts):
            lead = pick(rng, self.habits.mild if mild else self.habits.fronting)
        return f"{lead} {text}" if lead else text

    def softener(self) -> str:
        """A few words of doubt, to go before a clause that can follow *that*."""
        return pick(self.rng, self.habits.softeners)

    def recalled(self, text: str) -> str:
        """Something that the person recalls and is not sure of."""
        own = text.startswith(("I ", "I'", "my own "))
        fit = [one for one in self.habits.softeners if not own or one.endswith(("but", ","))]
        return f"{pick(self.rng, fit)} {text}"

    def opener(self, *, small_talk: bool) -> str:
        """How an answer begins, or nothing."""
        if not chance(self.rng, self.habits.opens):
            return ""
        habits = self.habits
        return pick(self.rng, habits.light_openers if small_talk else habits.openers)

    def tag(self) -> str:
        """A few words at the end of a sentence, or nothing."""
        return pick(self.rng, self.habits.endings) if chance(self.rng, self.habits.tags) else ""

    def _short(self, lines: Sequence[Line]) -> str:
        return self.put(pick(self.rng, [line for line in lines if line.fits(self.tags)]), {})

    def _least_used(self, lines: Sequence[Line]) -> Line:
        fitting = [line for line in lines if line.fits(self.tags)]
        fewest = min(self._used[line.text] for line in fitting)
        return pick(self.rng, [line for line in fitting if self._used[line.text] == fewest])

    def _again(self, text: str) -> bool:
        return any(
            said in self._said or said in self.plan.familiar for said in long_sentences(text)
        )

    def filled(self, line: Line) -> dict[str, str]:
        """The slots of the person's life, and those that are filled anew each time."""
        life, rng = self.life, self.rng
        asked = _asked(line)
        slots = {**life.slots, **chance_names(rng)}
        who = pick(rng, self._others)
        slots |= life.people[who].slots("who", self.named(who) if "who" in asked else None)
        if "vouch" in asked:
            others = [role for role in self._others if life.people[role] != life.people[who]]
            other = pick(rng, others)
            slots |= life.people[other].slots("who2", self.named(other))
        for role in life.people:
            if role in asked:
                slots[role] = self.named(role)
        if asked & {"par_or_kin", "par_or_fr", "partner_or_par", "aunt_or_cousin", "kin_at_home"}:
            slots |= self._kin()
        if asked & {"churchname_or_club"}:
            slots["churchname_or_club"] = (
                life.slots["churchname"]
                if "churchgoer" in self.tags
                else f"the {life.slots['sur']} Club"
            )
        if "P" in asked:
            slots["P"] = self.policy()
        if "year" in asked:
            first = int(life.slots["since"])
            slots["year"] = str(first + int(rng.integers(NOW - first)))
        if "acity" in asked:
            slots["acity"] = pick(rng, self.topic.city)
        if asked & {"hobbybit", "hobbybit_past"}:
            bit = write(rng, life.pastime, {}, {})
            verb, _, rest = bit.partition(" ")
            slots |= {"hobbybit": bit, "hobbybit_past": f"{past_of(verb)} {rest}".strip()}
        if "event_of_work" in asked:
            self._events = self._events or shuffled(rng, life.events)
            slots["event_of_work"] = write(rng, self._events.pop(), slots, self._rules)
        return slots

    def _kin(self) -> dict[str, str]:
        """Somebody of the family, whoever there is."""
        people = self.life.people

        def first(*roles: str) -> str:
            return next(self.named(role) for role in roles if role in people)

        return {
            "par_or_kin": first("par", "kin", "cousin"),
            "par_or_fr": first("par", "fr"),
            "partner_or_par": first("partner", "par", "sib"),
            "aunt_or_cousin": first("kin", "cousin"),
            "kin_at_home": first("kid", "par", "partner", "sib"),
        }


class Habits:
    """How a person talks, the same in each of their interviews."""

    def __init__(self, speaker: Speaker) -> None:
        manner, words = speaker.plan.manner, speaker.words.speech
        rng = stream([speaker.life.seed], (1,))

        def own(lines: Iterable[Line], count: int, tags: frozenset[str]) -> list[str]:
            fitting = [line for line in lines if line.fits(tags)]
            return [write(rng, line, {}, {}) for line in shuffled(rng, fitting)[:count]]

        fronting = {"hedging": words.hedge, "flat": words.assert_, "even": words.even}
        tags = speaker.tags
        self.openers = own(words.openers, 6, tags)
        self.light_openers = own(words.openers, 4, tags - {"subject"})
        self.endings = own(words.tags, 6, tags)
        self.fronting = own(fronting[manner.certainty], 6, tags) + own(words.even, 2, tags)
        self.mild = own(words.even, 4, tags)
        if manner.certainty == "hedging":
            self.mild += self.fronting
        self.softeners = own(speaker.words.claims.soft, 9, tags)
        self.recalls = {"hedging": 0.75, "even": 0.65, "flat": 0.55}[manner.certainty]
        self.fronts = 0.15 + 0.45 * float(rng.random())
        self.opens = 0.1 + 0.4 * float(rng.random())
        self.tags = 0.25 * float(rng.random())
        self.runs_on = 0.4 * float(rng.random())
        self.story_first = 0.4 * float(rng.random())
        self.unfolds = {"formal": 0.85, "plain": 0.15, "casual": 0.03}[manner.register]
        self.length = 0.85 + 0.35 * float(rng.random())


def long_sentences(text: str) -> Iterable[str]:
    """The sentences of a text that have six words or more, in lower case and without their marks."""
    for sentence in _SENTENCE_END.split(text):
        if len(sentence.split()) >= LONG:
            yield sentence.lower().rstrip(".!?")


def as_sentence(text: str) -> str:
    """With a capital at the beginning of each sentence, and a full stop where no mark ends it."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    text = _AFTER_END.sub(lambda found: found[1] + found[2].upper(), text)
    return text if text.endswith((".", "!", "?")) else f"{text}."


@lru_cache(maxsize=2**13)
def _asked(line: Line) -> frozenset[str]:
    """The slots that a line asks for: those named with a dot count for what stands before it."""
    found = names(line.parts)
    return frozenset(found | {name.partition(".")[0] for name in found if name.startswith("who")})
