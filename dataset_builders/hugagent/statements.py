"""The sentences that carry evidence, worded for one person."""

from __future__ import annotations

from collections.abc import Collection

from otherminds.dataset_builders.draws import chance
from otherminds.dataset_builders.hugagent.agenda import Beat, EdgeKey
from otherminds.dataset_builders.hugagent.beliefs import Edge
from otherminds.dataset_builders.hugagent.evidence import EdgeEvidence, Evidence
from otherminds.dataset_builders.hugagent.schema import Factor, Topic
from otherminds.dataset_builders.hugagent.speech import Prefix, Sentence, Slots, Speaker
from otherminds.dataset_builders.hugagent.wording import ByRegister

_REVERSED_SHARE = 0.3
"""Probability of stating an effect from its other end: less of it, and what that does."""

_FULL_NAME_SHARE = 0.1
_TOP_SHARE = 0.7


class Statements:
    """Words facts about beliefs as one person would."""

    def __init__(
        self, speaker: Speaker, topic: Topic, top: str, asked: Collection[EdgeKey]
    ) -> None:
        """`top` is the factor that matters most; `asked` edges are asked about outright."""
        self._speaker = speaker
        self._top = top
        self._asked = set(asked)
        self._topic = topic
        self._register = speaker.voice.register

    def stance(self, evidence: Evidence) -> list[Sentence]:
        """What the person lets on about their stance."""
        voices, slots = self._speaker.voices, {"policy": self._policy()}
        band, bucket = evidence.stance_band, evidence.stance_bucket
        if band is not None:
            return self._claim(voices.stance[band], slots)
        if bucket is not None:
            return self._claim(voices.stance_hint[bucket], slots)
        return self._claim(voices.stance_evasive, slots)

    def beat(self, beat: Beat, shown: EdgeEvidence) -> list[Sentence]:
        """The sentence for one beat."""
        edge, voices = beat.edge, self._speaker.voices
        source = self._topic.by_name[edge.source]
        about = {"factor": source.phrases, "policy": self._policy()}
        rating, coarse = shown.rating, shown.coarse
        if beat.kind == "importance" and rating is not None:
            if edge.source == self._top and chance(self._speaker.rng, _TOP_SHARE):
                return self._claim(voices.importance_top, about)
            return self._claim(voices.importance[rating], about)
        if beat.kind == "importance_hint" and coarse is not None:
            return self._claim(voices.importance_hint[coarse], about)
        if beat.kind == "link_hint":
            return self._move(edge, shown.sign or 0, voices.effect_factor_hint, "bare")
        if beat.kind == "no_effect":
            slots = about | {"up": self._clauses(source, 1)}
            return self._claim(voices.no_effect, slots)
        if beat.kind == "no_link":
            target = self._topic.by_name[edge.target]
            slots = {"u_up": self._clauses(source, 1), "v": (target.noun,)}
            return self._claim(voices.no_effect_factor, slots)
        return self.effect(edge)

    def effect(self, edge: Edge) -> list[Sentence]:
        """The person's plain word on what the source of an edge does to its target.

        An edge that is asked about outright, which is always from its upper end, is told from
        there wherever it is told, so that nothing in the interview reads as its reverse.
        """
        voices = self._speaker.voices
        if not edge.about_stance:
            return self._move(edge, edge.sign, voices.effect_factor, "opinion")
        direction = self._direction(edge)
        pool = (
            voices.effect_stance.positive
            if edge.sign * direction > 0
            else voices.effect_stance.negative
        )
        slots = {
            "up": self._clauses(self._topic.by_name[edge.source], direction),
            "policy": self._policy(),
        }
        return self._claim(pool, slots, "opinion")

    def no_opinion(self, factor: Factor) -> list[Sentence]:
        """That a factor is not part of the person's thinking."""
        return self._claim(self._speaker.voices.no_opinion, {"factor": factor.phrases})

    def direct_question(self, edge: Edge) -> str:
        """The interviewer's question about one edge."""
        source = self._topic.by_name[edge.source]
        up = source.up.plain
        if edge.about_stance:
            slots: Slots = {"up": up, "policy": (self._topic.policy,), "noun": (source.noun,)}
            return self._speaker.ask(self._topic.questions.edge_stance, slots)
        target = self._topic.by_name[edge.target]
        slots = {"u_up": up, "v": (target.noun,)}
        return self._speaker.ask(self._topic.questions.edge_factor, slots)

    def _move(self, edge: Edge, sign: int, templates: ByRegister, prefix: Prefix) -> list[Sentence]:
        direction = self._direction(edge)
        slots = {
            "u_up": self._clauses(self._topic.by_name[edge.source], direction),
            "v_move": self._clauses(self._topic.by_name[edge.target], direction * sign),
        }
        return self._claim(templates, slots, prefix)

    def _claim(self, clauses: ByRegister, slots: Slots, prefix: Prefix = "link") -> list[Sentence]:
        return self._speaker.claim(clauses.of(self._register), slots, prefix)

    def _direction(self, edge: Edge) -> int:
        if edge.key in self._asked:
            return 1
        return -1 if chance(self._speaker.rng, _REVERSED_SHARE) else 1

    def _clauses(self, factor: Factor, direction: int) -> tuple[str, ...]:
        # Plain clauses go with every register and make people less repetitive.
        clauses = factor.clauses(direction)
        return clauses.of(self._register) + clauses.plain[:1]

    def _policy(self) -> tuple[str, ...]:
        if self._register != "casual" and chance(self._speaker.rng, _FULL_NAME_SHARE):
            return (self._topic.policy,)
        return self._topic.policy_short
