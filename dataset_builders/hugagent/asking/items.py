"""The items about one person on one topic: which, with what answer, and what has to be put together.

edge      one belief, told outright or by a hint, or only implied
others    one belief, told beside somebody else's: what they think, and whether the person agrees
change    one belief, told as a first view and what became of it
path      a chain of two or three beliefs, whose signs are multiplied; its ends are never joined
fork      two ways with contrary outcomes, and which of them counts for the person
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, pick_weighted, shuffled
from otherminds.dataset_builders.hugagent import dynamics
from otherminds.dataset_builders.hugagent.evidence import weakest
from otherminds.dataset_builders.hugagent.items import OPINION, REASON
from otherminds.dataset_builders.hugagent.population import STANCE, Grade
from otherminds.dataset_builders.hugagent.schema import Content, Topic
from otherminds.dataset_builders.hugagent.world.claims import SETTLED
from otherminds.dataset_builders.hugagent.world.minds import Mind, Move, askable, touched
from otherminds.dataset_builders.hugagent.world.network import Edge, Network, paths
from otherminds.dataset_builders.hugagent.world.stances import typical_chance

_SHARES: Final[Mapping[str, float]] = {
    "edge stated": 0.09,
    "edge hinted": 0.05,
    "edge implied": 0.05,
    "others": 0.12,
    "change": 0.12,
    "path 2": 0.3,
    "path 3": 0.3,
    "fork": 0.12,
}
"""Of the BSI items, where a person's beliefs allow it."""

_TOUCHED_SHARE: Final = 0.6
"""Of the reasons asked about, those that the scenario stirs."""

_PIECES: Final = {"plain": 1, "others": 2, "change": 2}


@dataclass(frozen=True)
class Item:
    """One question about a person, without the person; `steps` counts the pieces it takes."""

    task: str
    question: str
    options: tuple[str, ...]
    scale: tuple[int, ...]
    scale_labels: tuple[str, ...]
    answer: str
    evidence: Grade
    steps: int
    form: str
    reason_code: str | None = None
    reason_text: str | None = None
    question_id: str | None = None
    question_type: str | None = None


@dataclass(frozen=True)
class Belief:
    """A belief that a BSI item may ask about: does more of `source` raise or lower `target`?"""

    form: str
    source: str
    target: str
    sign: int
    edges: tuple[Edge, ...]
    common: float
    """How likely somebody unknown would have this answer."""

    @property
    def kind(self) -> str:
        """The form, with the grade or length that has a share of its own."""
        if self.form == "edge":
            return f"edge {self.edges[0].grade}"
        return f"path {len(self.edges)}" if self.form == "path" else self.form

    @property
    def steps(self) -> int:
        """How many pieces of the interview have to be put together."""
        return sum(_PIECES[one.form] for one in self.edges) + (self.form == "fork")

    @property
    def grade(self) -> Grade:
        """How firmly the interview tells the weakest of the pieces."""
        return weakest([one.grade for one in self.edges])


def beliefs(mind: Mind) -> list[Belief]:
    """Everything that a BSI item could ask about this person.

    What a scenario moves is not asked about with regard to the policy: its wording would tell.
    """
    network, topic = mind.network, mind.topic
    moved = {name for move in mind.moves for name in move.moves}
    found = [*_single(topic, network), *_chains(topic, network), _fork(topic, network)]
    return [one for one in found if one.target != STANCE or one.source not in moved]


def _single(topic: Topic, network: Network) -> Iterator[Belief]:
    for one in network.edges:
        # Nothing else may lead from one end to the other: the answer is this belief's sign.
        if one.sign and len(paths(network.edges, *one.key)) == 1:
            form = "edge" if one.form == "plain" else one.form
            yield Belief(form, *one.key, one.sign, (one,), _common(topic, [one]))


def _chains(topic: Topic, network: Network) -> Iterator[Belief]:
    by_key = {one.key: one for one in network.edges}
    names = [node.name for node in network.nodes]
    for source in names[:-1]:
        for target in names:
            ways = paths(network.edges, source, target) if source != target else []
            if len(ways) != 1 or len(ways[0]) not in (2, 3) or (source, target) in by_key:
                continue
            chain = tuple(by_key[key] for key in ways[0])
            if all(one.told and one.form == "plain" for one in chain):
                sign = prod(one.sign for one in chain)
                yield Belief("path", source, target, sign, chain, _common(topic, chain))


def _fork(topic: Topic, network: Network) -> Belief:
    by_key = {one.key: one for one in network.edges}
    edges = tuple(by_key[key] for key in network.fork.edges)
    sign = edges[0].sign * edges[1].sign
    return Belief("fork", network.fork.source, network.fork.target, sign, edges, 0.5)


def _common(topic: Topic, chain: Sequence[Edge]) -> float:
    """The probability that an unknown person's product of signs is the one it is."""
    leaning = prod(
        2.0 * typical_chance(topic, one.source, None if one.about_stance else one.target) - 1.0
        for one in chain
    )
    return (1.0 + prod(one.sign for one in chain) * leaning) / 2.0


def draw_asked(
    rng: np.random.Generator, mind: Mind, quota: int, positive_share: float
) -> list[Belief]:
    """The beliefs that BSI items ask about.

    The answer is drawn first, then the form, then the signs of the first and the last belief of a
    chain, each as likely: so no single one of them tells the answer. What is left is drawn against
    common sense: with a weight of one over the probability that somebody unknown would have that answer.
    """
    left = beliefs(mind)
    asked: list[Belief] = []
    used: set[str] = set()
    while left and len(asked) < quota:
        wanted = 1 if chance(rng, positive_share) else -1
        fits = [one for one in left if one.sign == wanted] or left
        fits = [one for one in fits if one.kind not in used] or fits
        kinds = sorted({one.kind for one in fits})
        kind = pick_weighted(rng, kinds, [_SHARES[name] for name in kinds])
        fits = [one for one in fits if one.kind == kind]
        for end in (0, -1):
            sign = pick(rng, (1, -1))
            fits = [one for one in fits if one.edges[end].sign == sign] or fits
        found = pick_weighted(rng, fits, [1.0 / one.common for one in fits])
        asked.append(found)
        used.add(found.kind)
        # Two questions on the same two ends would answer each other.
        left = [one for one in left if {one.source, one.target} != {found.source, found.target}]
    return asked


def draw_reasons(rng: np.random.Generator, mind: Mind, quota: int) -> list[tuple[int, str]]:
    """The scenarios (by place) and reasons that weight items ask about, in scenario order.

    Scenarios take turns; of each, reasons that it stirs and others, as drawn.
    """
    queues: dict[int, tuple[list[str], list[str]]] = {}
    for place, move in enumerate(mind.moves):
        able = shuffled(rng, askable(mind.network, move.moves))
        stirred = [name for name in able if touched(mind.network, name, move.moves)]
        queues[place] = stirred, [name for name in able if name not in stirred]
    turns = shuffled(rng, list(queues))
    drawn: list[tuple[int, str]] = []
    for turn in range(quota * len(turns)):
        if len(drawn) == quota:
            break
        place = turns[turn % len(turns)]
        stirred, others = queues[place]
        first, second = (stirred, others) if chance(rng, _TOUCHED_SHARE) else (others, stirred)
        if first or second:
            drawn.append((place, (first or second).pop()))
    return sorted(drawn)


class Asked:
    """Writes the items of one person on one topic."""

    def __init__(self, rng: np.random.Generator, content: Content, mind: Mind) -> None:
        self._rng = rng
        self._content = content
        self._mind = mind
        self._topic = mind.topic
        self._scenarios = [self._scenario(move) for move in mind.moves]

    def bsi(self, asked: Sequence[Belief]) -> list[Item]:
        """One item per belief."""
        return [self._belief(one) for one in asked]

    def bdu(self, reasons: Sequence[tuple[int, str]]) -> list[Item]:
        """The baseline, then per scenario the opinion and the reasons asked about."""
        items = [self._baseline()]
        for place in range(len(self._mind.moves)):
            items.append(self._opinion(place))
            items += [self._reason(place, name) for at, name in reasons if at == place]
        return items

    def _belief(self, one: Belief) -> Item:
        wording, source = self._content.items, self._topic.by_name[one.source]
        slots = {"up": pick(self._rng, source.up.plain), "policy": self._topic.policy}
        templates = wording.bsi_stance
        if one.target != STANCE:
            templates = wording.bsi_factor
            slots["target"] = self._topic.by_name[one.target].noun
        return Item(
            task="bsi",
            question=pick(self._rng, templates).format_map(slots),
            options=wording.options,
            scale=(),
            scale_labels=(),
            answer="A" if one.sign > 0 else "B",
            evidence=one.grade,
            steps=one.steps,
            form=one.form,
        )

    def _baseline(self) -> Item:
        asked, shown = self._topic.stance_question, self._mind.stance
        return self._of_opinion(
            asked.id, asked.text, asked.scale_labels, shown.level, shown.grade, 1, "baseline"
        )

    def _opinion(self, place: int) -> Item:
        move, mind = self._mind.moves[place], self._mind
        grades, steps = [mind.stance.grade, mind.firmness.grade], 2
        if mind.firmness.level != SETTLED:
            for name in move.moves:
                pieces, needed = self._pull(name)
                steps += pieces
                grades += needed
        return self._of_opinion(
            move.scenario.id,
            self._ask_after(pick(self._rng, self._content.items.scenario), place),
            self._topic.scenario_scale_labels,
            move.stance_after,
            weakest(grades),
            steps,
            "scenario",
        )

    def _pull(self, name: str) -> tuple[int, list[Grade]]:
        """How many pieces make up a factor's pull on the stance, and how firmly they are told."""
        network = self._mind.network
        direct = network.edge(name, STANCE)
        edges = [direct] if direct else [one for way in network.ways(name) for one in way]
        ends = {one.source for one in edges if one.about_stance}
        grades = [one.grade for one in edges] + [network.reasons[end].grade for end in ends]
        return sum(_PIECES[one.form] for one in edges) + len(ends), grades

    def _of_opinion(
        self,
        question_id: str,
        text: str,
        labels: tuple[str, str],
        answer: int,
        grade: Grade,
        steps: int,
        form: str,
    ) -> Item:
        return Item(
            task="bdu",
            question=text,
            options=(),
            scale=(dynamics.LOWEST_STANCE, dynamics.HIGHEST_STANCE),
            scale_labels=labels,
            answer=str(answer),
            evidence=grade,
            steps=steps,
            form=form,
            question_id=question_id,
            question_type=OPINION,
        )

    def _reason(self, place: int, name: str) -> Item:
        move, network = self._mind.moves[place], self._mind.network
        factor = self._topic.by_name[name]
        acting = [one for one in network.acting_on(name) if one.source in move.moves]
        return Item(
            task="bdu",
            question=self._ask_after(pick(self._rng, self._content.items.reason), place),
            options=(),
            scale=(dynamics.LOWEST_RATING, dynamics.HIGHEST_RATING),
            scale_labels=self._content.items.reason_scale_labels,
            answer=str(move.ratings_after[name]),
            evidence=weakest([network.reasons[name].grade, *(one.grade for one in acting)]),
            steps=1 + sum(_PIECES[one.form] for one in acting),
            form="reason",
            reason_code=factor.code,
            reason_text=factor.reason,
            question_id=f"{move.scenario.id}r_{factor.code}",
            question_type=REASON,
        )

    def _ask_after(self, wording: str, place: int) -> str:
        return wording.format_map(
            {"scenario": self._scenarios[place], "policy": self._topic.policy}
        )

    def _scenario(self, move: Move) -> str:
        changes = []
        for name, magnitude in move.moves.items():
            clause = pick(self._rng, self._topic.by_name[name].clauses(magnitude).plain)
            how_far = pick(self._rng, self._content.voices.magnitudes.of(abs(magnitude)))
            changes.append(how_far.format_map({"clause": clause}))
        frame = pick(self._rng, move.scenario.frame)
        return frame.format_map({"changes": "; ".join(changes)})
