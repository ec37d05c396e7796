"""Claims in words: one or two clauses for each, that say what the claim says and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from otherminds.dataset_builders.draws import chance, pick, pick_weighted
from otherminds.dataset_builders.hugagent.telling.bank import Certain, ClaimTalk, Way
from otherminds.dataset_builders.hugagent.telling.grammar import Lines
from otherminds.dataset_builders.hugagent.telling.speaker import Speaker
from otherminds.dataset_builders.hugagent.telling.verbs import third_of
from otherminds.dataset_builders.hugagent.world.claims import ABOUT_STANCE, Claim, Told

_FROM_ABOVE: Final = 0.6
"""Share of effects that are told from there being more of the source, not less."""

_LEVELS: Final = (
    "rank", "points", "share", "degree", "hundred", "slice", "listen", "read", "meetings", "times",
    "papers", "often", "letters",
)  # fmt: skip
_MAIN: Final = "main"
"""The tag of lines that do not follow `that`."""

_VERB: Final = re.compile(r"~(\w+)")
_STIFF: Final = re.compile(r"\bmakes? (there|nobody|no|nothing|it) |\bbe being\b|\bmake.* never ")
"""What the grammar allows and nobody says."""

_TRIES: Final = 20

Form: TypeAlias = Literal["plain", "marked", "episode", "linked", "recounted"]
"""How an effect is told: in general; in general, with how sure one is; by an episode; by an episode,
with how sure one is that one thing had to do with the other; by an episode, and then in general."""

FORMS: Final[Mapping[Told, Mapping[Form, float]]] = {
    "stated": {"plain": 0.36, "marked": 0.35, "linked": 0.19, "recounted": 0.1},
    "hinted": {"plain": 0.15, "marked": 0.47, "linked": 0.25, "recounted": 0.07, "episode": 0.06},
}
"""Nearly the same for what is stated and hinted at, so that the form does not tell which it is."""


class Wording:
    """Words the claims of one interview. What was seen of a factor goes one way all through it."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._claims = {one.claim_id: one for block in speaker.plan.blocks for one in block.claims}
        self._seen: dict[str, int] = {}

    def clauses(self, claim: Claim, *, later: bool = False) -> list[str]:
        """The clauses that convey a claim, in order; `later`: the answer tells another before it."""
        if claim.kind == "effect":
            return self._told_effect(claim, later=later)
        if claim.kind == "others_effect":
            return [self._belief(claim)]
        if claim.kind == "first_view":
            return [self._say(self._words.first, plain=self._statement(claim, embedded=True))]
        if claim.kind == "revision":
            return [self._revision(claim)]
        if claim.kind == "accord":
            return [self._accord(claim)]
        if claim.kind == "weight":
            lines = self._words.habit if claim.told == "hinted" else self._words.ranked
            return [self._leveled(lines, claim)]
        if claim.kind == "weighing":
            return [self._weighing(claim)]
        if claim.kind == "stance":
            return self._stance(claim)
        if claim.kind == "firmness":
            return [self._say(self._words.firmness[claim.level])]
        poles = self._speaker.words.speech.values[claim.source]
        lines = poles.high if claim.level > 0 else poles.low
        return [self._speaker.say(self._speaker.own(lines) or lines)]

    def again(self, claim: Claim) -> str | None:
        """An effect in other words, as firmly as before; None for what is not to be said twice."""
        if claim.kind != "effect" or claim.sign == 0:
            return None
        return self._general(claim)

    def seen(self, factor: str) -> str | None:
        """What the person saw of a factor, without a word on what it does; None when all is told."""
        talk = self._speaker.factor(factor)
        direction = self._seen.get(factor) or (1 if chance(self._speaker.rng, 0.5) else -1)
        if not self._speaker.unused(talk.seen(direction)):
            return None
        self._seen[factor] = direction
        return self._speaker.say(talk.seen(direction))

    @property
    def _words(self) -> ClaimTalk:
        return self._speaker.words.claims

    def _say(self, lines: Lines, **slots: str) -> str:
        return self._speaker.say(lines, slots)

    def _direction(self) -> int:
        return 1 if chance(self._speaker.rng, _FROM_ABOVE) else -1

    def _statement(self, claim: Claim, subject: str = "I", *, embedded: bool = False) -> str:
        """An effect as somebody holds it, `subject`; embedded ones can follow `that`."""
        text = ""
        for _ in range(_TRIES):
            text = self._effect(claim, subject, embedded=embedded)
            if not _STIFF.search(text):
                break
        return text

    def _told_effect(self, claim: Claim, *, later: bool) -> list[str]:
        """A belief of the person's own, in one of the forms that serve what is stated and hinted at."""
        speaker = self._speaker
        sure = claim.told == "stated"
        weights = FORMS[claim.told]
        form = pick_weighted(speaker.rng, list(weights), list(weights.values()))
        if form == "plain" and not sure:
            return [self._general(claim)]
        if form in ("plain", "marked") or not self._can_be_seen(claim):
            told = speaker.fronted(self._statement(claim), later=later, mild=not sure)
            marked = form != "plain" or not sure
            return [told, self._sureness(self._words.mark, claim)] if marked else [told]
        episode = self._episode(claim)
        if form == "episode":
            return episode
        if form == "linked":
            return [*episode, self._sureness(self._words.linked, claim)]
        return [*episode, self._general(claim)]

    def _general(self, claim: Claim) -> str:
        """What is stated as it is, what is hinted at with a doubt before it."""
        if claim.told == "stated":
            return self._statement(claim)
        softener = self._speaker.softener()
        free = softener.endswith(("but", ","))
        return f"{softener} {self._statement(claim, embedded=not free)}"

    def _can_be_seen(self, claim: Claim) -> bool:
        """Whether there is something left to tell that the person saw, where an episode takes it."""
        if claim.target != ABOUT_STANCE:
            return True
        talk = self._speaker.factor(claim.source)
        told = self._seen.get(claim.source)
        ways = (told,) if told else (1, -1)
        return all(self._speaker.unused(talk.seen(way)) for way in ways)

    def _sureness(self, lines: Lines, claim: Claim) -> str:
        """That the person is sure of it, or is not: words that change places."""
        speaker, words, rng = self._speaker, self._words, self._speaker.rng
        own: Certain = "sure" if claim.told == "stated" else "unsure"
        other: Certain = "unsure" if own == "sure" else "sure"
        links = words.link["factor" if claim.sign else "none"]
        if claim.target == ABOUT_STANCE:
            links = words.link["stance"]
        slots = {"link": speaker.put(pick(rng, links), {})}
        for kind, by_certainty in (("", words.certain), ("v_", words.certainly)):
            for whose, which in (("mine", own), ("theirs", other)):
                slots[f"{kind}{whose}"] = speaker.put(pick(rng, by_certainty[which]), {})
        return speaker.say(lines, slots)

    def _effect(self, claim: Claim, subject: str, *, embedded: bool) -> str:
        speaker, words = self._speaker, self._words

        def say(lines: Lines, slots: dict[str, str]) -> str:
            fit = [line for line in lines if not (embedded and _MAIN in line.needs)]
            return speaker.say(fit, slots)

        direction = self._direction()
        source = speaker.clause(claim.source, direction)
        if claim.target != ABOUT_STANCE:
            slots = source.slots("u")
            if claim.sign == 0:
                slots["B"] = speaker.about(claim.target)
                return say(words.no_effect_factor, slots)
            target = speaker.clause(claim.target, direction * claim.sign)
            return say(words.effect_factor, slots | target.slots("v"))
        slots = source.slots("c") | _persons(subject)
        if claim.sign == 0:
            return _agreed(say(words.no_effect_stance, slots), subject)
        way: Way = "toward" if direction * claim.sign > 0 else "away"
        slots["move"] = speaker.put(pick(speaker.rng, words.move[way]), slots)
        slots["speaks"] = speaker.put(pick(speaker.rng, words.speaks[way]), slots)
        return _agreed(say(words.effect_stance, slots), subject)

    def _belief(self, claim: Claim) -> str:
        holder = self._speaker.holder(claim.holder)
        subject = "she" if holder.woman else "he"
        text = self._statement(claim, subject, embedded=True)
        return self._say(self._words.believes, plain=text, **self._holder(claim.holder))

    def _holder(self, name: str) -> dict[str, str]:
        return self._speaker.holder(name).slots("H", self._speaker.named(name))

    def _episode(self, claim: Claim) -> list[str]:
        speaker, words = self._speaker, self._words
        if claim.target == ABOUT_STANCE:
            seen = self.seen(claim.source)
            if seen is None:
                direction = self._seen[claim.source]
                seen = speaker.say(speaker.factor(claim.source).seen(direction))
            way: Way = "toward" if self._seen[claim.source] * claim.sign > 0 else "away"
            for_, against = ("for", "against") if way == "toward" else ("against", "for")
            slots = {"for": for_, "against": against}
            slots["good_idea"] = speaker.put(pick(speaker.rng, words.good_idea[way]), {})
            slots["better_off"] = speaker.put(pick(speaker.rng, words.better_off[way]), {})
            return [seen, speaker.say(words.act, slots)]
        direction = self._direction()
        slots = speaker.clause(claim.source, direction).slots("u")
        if claim.sign == 0:
            return [self._say(words.apart, B=speaker.about(claim.target), **slots)]
        target = speaker.clause(claim.target, direction * claim.sign)
        return [speaker.say(words.together, slots | target.slots("v"))]

    def _named_both(self, claim: Claim) -> dict[str, str]:
        speaker = self._speaker
        slots = {"A": speaker.about(claim.source)}
        if claim.target == ABOUT_STANCE:
            slots["B"] = slots["P"] = speaker.policy()
        else:
            slots["B"] = speaker.about(claim.target)
        return slots

    def _accord(self, claim: Claim) -> str:
        words = self._words
        about = self._claims[claim.about]
        lines = words.accord_stance if about.target == ABOUT_STANCE else words.accord
        slots = self._named_both(about) | self._holder(about.holder)
        return self._speaker.say(lines["agree" if claim.sign > 0 else "differ"], slots)

    def _revision(self, claim: Claim) -> str:
        lines = self._words.revision["stands" if claim.sign > 0 else "turns"]
        return self._speaker.say(lines, self._named_both(self._claims[claim.about]))

    def _leveled(self, lines: Lines, claim: Claim) -> str:
        speaker = self._speaker
        slots = {
            "N": speaker.about(claim.source),
            "tag": speaker.put(pick(speaker.rng, speaker.factor(claim.source).tag), {}),
        }
        for name in _LEVELS:
            by_level: dict[int, Lines] = getattr(self._words, name)
            if claim.level in by_level:
                slots[name] = speaker.put(pick(speaker.rng, by_level[claim.level]), slots)
        return speaker.say(lines, slots)

    def _weighing(self, claim: Claim) -> str:
        speaker = self._speaker
        if claim.on == ABOUT_STANCE:
            where = ("how I feel about {}", "where I come down on {}", "what I make of {}")
            on = pick(speaker.rng, where).format(speaker.policy())
        else:
            where = (
                "what happens with {}",
                "which way it goes with {}",
                "how it turns out with {}",
            )
            on = pick(speaker.rng, where).format(speaker.about(claim.on))
        return self._say(
            self._words.weighing,
            A=speaker.about(claim.source),
            B=speaker.about(claim.target),
            on=on,
            tag=speaker.put(pick(speaker.rng, speaker.factor(claim.source).tag), {}),
        )

    def _stance(self, claim: Claim) -> list[str]:
        words = self._words
        if claim.told == "hinted":
            return [self._say(words.hint_stance[claim.level])]
        return [self._say(words.stance[claim.level]), self._say(words.told)]


def _persons(subject: str) -> dict[str, str]:
    if subject == "I":
        return {"I": "I", "me": "me", "my": "my"}
    own = {"he": "his", "she": "her"}[subject]
    return {"I": subject, "me": {"he": "him", "she": "her"}[subject], "my": own}


def _agreed(text: str, subject: str) -> str:
    """The text with its marked verbs in the form that goes with the subject."""
    return _VERB.sub(lambda verb: verb[1] if subject == "I" else third_of(verb[1]), text)
