"""The interview: in which order things come up, and every question and answer in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, shuffled
from otherminds.dataset_builders.hugagent.agenda import Beat, Block, EdgeKey, draw_agenda
from otherminds.dataset_builders.hugagent.beliefs import Beliefs, Edge
from otherminds.dataset_builders.hugagent.dynamics import LOWEST_RATING
from otherminds.dataset_builders.hugagent.evidence import Evidence
from otherminds.dataset_builders.hugagent.people import Person, unfit_phrases
from otherminds.dataset_builders.hugagent.population import CONTEXT_LENGTH
from otherminds.dataset_builders.hugagent.schema import Content, Factor, Topic
from otherminds.dataset_builders.hugagent.small_talk import SmallTalk, Turn
from otherminds.dataset_builders.hugagent.speech import Sentence, Speaker
from otherminds.dataset_builders.hugagent.statements import Statements

_LENGTHS = {"terse": (16, 25), "plain": (20, 33), "talkative": (26, 42)}
_BEATS_PER_ANSWER = {"terse": (1, 2), "plain": (1, 2), "talkative": (2, 3)}
_OPENING_BACKGROUND = (2, 5)
_STORY_SHARE = 0.15
"""Probability, per piece of evidence that a person has on a factor, of a story about it."""

_RECAP_SHARE = {"terse": 0.1, "plain": 0.25, "talkative": 0.45}


class Interview:
    """Conducts one interview with one person on one topic."""

    def __init__(
        self,
        rng: np.random.Generator,
        content: Content,
        topic: Topic,
        person: Person,
        beliefs: Beliefs,
        evidence: Evidence,
        asked: Collection[EdgeKey],
        familiar: set[str],
    ) -> None:
        self._rng = rng
        self._topic = topic
        self._person = person
        self._evidence = evidence
        self._asked = set(asked)
        self._blocks = draw_agenda(rng, beliefs, evidence, asked)
        self._order = _block_order(rng, beliefs, self._blocks)
        self._stories = {node.name: node.evidence for node in beliefs.nodes}
        unfit = unfit_phrases(person.demographics, content)
        self._speaker = Speaker(rng, person.voice, content.voices, familiar, unfit)
        outright = {edge.key for block in self._blocks.values() for edge in block.direct}
        top = beliefs.reasons[int(beliefs.weights.argmax())]
        self._says = Statements(self._speaker, topic, top, outright)
        self._small = SmallTalk(self._speaker, content, topic, person)
        self._voices = content.voices

    def conduct(self) -> list[Turn]:
        """All turns, in order. The unmasked ones number within `CONTEXT_LENGTH`."""
        low, high = _LENGTHS[self._person.voice.verbosity]
        target = int(self._rng.integers(low, high + 1))
        opening = self._opening()
        closing = self._closing()
        body = self._body(CONTEXT_LENGTH[1] - len(opening) - len(closing) - 4)
        for name, high_pole in self._evidence.values:
            body.insert(self._place(body), [self._small.value(name, high_pole)])
        spare = self._spare_turns()
        while _shown(opening, *body, closing) < target and spare:
            turn = spare.pop()
            if turn.kind == "background":
                opening.insert(len(opening) - 1, turn)
            else:
                body.insert(self._place(body), [turn])
        return [*opening, *(turn for block in body for turn in block), *closing]

    def _opening(self) -> list[Turn]:
        count = int(self._rng.integers(*_OPENING_BACKGROUND))
        turns = [turn for _ in range(count) for turn in self._small.background()]
        said = self._says.stance(self._evidence)
        question = self._speaker.ask(
            self._topic.questions.stance, {"policy": (self._topic.policy,)}
        )
        return [*turns, Turn("stance", question, self._speaker.answer(said))]

    def _closing(self) -> list[Turn]:
        turns = self._small.news() if chance(self._rng, 0.7) else []
        recap: list[Sentence] = []
        share = _RECAP_SHARE[self._person.voice.verbosity]
        if self._evidence.stance_band is not None and chance(self._rng, share):
            recap = self._says.stance(self._evidence)
        return [*turns, *self._small.closing(recap)]

    def _body(self, room: int) -> list[list[Turn]]:
        """One list of turns per factor with something to tell, in at most `room` shown turns."""
        sizes = list(_BEATS_PER_ANSWER[self._person.voice.verbosity])
        other = sum(self._other_turns(block) for block in self._blocks.values())
        while True:
            plan = {name: self._chunks(self._blocks[name].beats, sizes) for name in self._order}
            counts = [len(chunks) for chunks in plan.values()]
            if other + sum(counts) <= room or max(counts) <= 1:
                break
            sizes = [size + 1 for size in sizes]
        turns = [self._block(self._blocks[name], plan[name]) for name in self._order]
        return [block for block in turns if block]

    def _other_turns(self, block: Block) -> int:
        direct = sum(edge.key not in self._asked for edge in block.direct)
        return direct + (block.experience != 0)

    def _chunks(self, beats: Sequence[Beat], sizes: list[int]) -> list[list[Beat]]:
        left = sorted(beats, key=self._declines)
        chunks = []
        while left:
            size = pick(self._rng, sizes)
            chunks.append(left[:size])
            left = left[size:]
        return chunks

    def _block(self, block: Block, chunks: list[list[Beat]]) -> list[Turn]:
        """The turns on one factor; once the person shows no interest in it, nothing more is asked."""
        last = chunks[-1:] if chunks and self._declines(chunks[-1][-1]) else []
        turns: list[Turn] = []
        for chunk in chunks[: len(chunks) - len(last)]:
            turns.append(self._told(block, chunk, probing=bool(turns)))
        if block.experience:
            turns.append(self._experience(block.factor, block.experience))
        turns += [self._direct(edge) for edge in block.direct]
        return turns + [self._told(block, chunk, probing=False) for chunk in last]

    def _told(self, block: Block, chunk: Sequence[Beat], *, probing: bool) -> Turn:
        factor = self._topic.by_name[block.factor]
        said = [sentence for beat in chunk for sentence in self._beat(beat)]
        declines = self._declines(chunk[-1])
        answer = self._speaker.answer(
            said, () if declines else factor.asides, to_the_point=declines
        )
        return Turn("followup" if probing else "factor", self._lead(factor, probing), answer)

    def _lead(self, factor: Factor, probing: bool) -> str:
        slots = {"noun": (factor.noun,), "factor": factor.phrases}
        if not probing:
            return self._speaker.ask(self._topic.questions.factor, slots)
        pools = (self._voices.followups, self._voices.followups, self._voices.probes)
        return self._speaker.ask(pick(self._rng, pools), slots)

    def _declines(self, beat: Beat) -> bool:
        """Whether a beat says that the person has no interest in the factor."""
        shown = self._evidence.edges[beat.edge.key]
        return (
            beat.kind == "no_effect"
            or (beat.kind == "importance" and shown.rating == LOWEST_RATING)
            or (beat.kind == "importance_hint" and shown.coarse == "low")
        )

    def _beat(self, beat: Beat) -> list[Sentence]:
        shown = self._evidence.edges[beat.edge.key]
        return self._says.beat(beat, shown)

    def _direct(self, edge: Edge) -> Turn:
        question = self._says.direct_question(edge)
        answer = self._speaker.answer(
            self._says.effect(edge), self._topic.by_name[edge.source].asides
        )
        return Turn("edge", question, answer, masked=edge.key in self._asked)

    def _experience(self, name: str, valence: int) -> Turn:
        factor = self._topic.by_name[name]
        question = self._speaker.ask(self._topic.questions.experience, {"noun": (factor.noun,)})
        told = self._speaker.tell(factor.experience_good if valence > 0 else factor.experience_bad)
        return Turn("experience", question, self._speaker.answer(told, factor.asides))

    def _spare_turns(self) -> list[Turn]:
        """Turns that fill an interview up to its length; the last is used first."""
        turns: list[Turn] = []
        for name in self._order:
            block = self._blocks[name]
            if not block.beats and not block.experience:
                turns += self._neutral(name)
            elif self._may_tell_more(block) and chance(
                self._rng, _STORY_SHARE * self._stories[name]
            ):
                valence = self._stated_sign(block)
                turns += [self._experience(name, valence)] if valence else []
        others = [factor.name for factor in self._topic.factors if factor.name not in self._blocks]
        turns += [self._no_opinion(name) for name in shuffled(self._rng, others)[:4]]
        turns += self._small.news()
        background = [turn for _ in range(8) for turn in self._small.background()]
        return [*background[3:], *shuffled(self._rng, [*turns, *background[:3]])]

    def _may_tell_more(self, block: Block) -> bool:
        return not block.experience and not any(self._declines(beat) for beat in block.beats)

    def _stated_sign(self, block: Block) -> int:
        signs = [beat.edge.sign for beat in block.beats if beat.kind == "effect"]
        return signs[0] if signs else 0

    def _neutral(self, name: str) -> list[Turn]:
        factor = self._topic.by_name[name]
        said = self._speaker.aside(factor.asides)
        question = self._speaker.ask(self._topic.questions.factor, {"noun": (factor.noun,)})
        answer = self._speaker.answer(said)
        return [Turn("factor", question, answer)] if said else []

    def _no_opinion(self, name: str) -> Turn:
        factor = self._topic.by_name[name]
        question = self._speaker.ask(self._topic.questions.factor, {"noun": (factor.noun,)})
        said = self._says.no_opinion(factor)
        return Turn("factor", question, self._speaker.answer(said, to_the_point=True))

    def _place(self, body: list[list[Turn]]) -> int:
        return int(self._rng.integers(1, len(body) + 1)) if body else 0


def _shown(*blocks: Sequence[Turn]) -> int:
    return sum(not turn.masked for block in blocks for turn in block)


def _block_order(rng: np.random.Generator, beliefs: Beliefs, blocks: dict[str, Block]) -> list[str]:
    """The factors in the order in which they come up: what matters more tends to come first."""
    importance = {node.name: node.importance for node in beliefs.nodes}
    return sorted(blocks, key=lambda name: -importance[name] + 0.3 * float(rng.standard_normal()))
