"""The items asked about one person on one topic: which, with what answer, how well evidenced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.dataset_builders.draws import pick, pick_weighted, shuffled
from otherminds.dataset_builders.hugagent import dynamics
from otherminds.dataset_builders.hugagent.agenda import EdgeKey
from otherminds.dataset_builders.hugagent.beliefs import Beliefs, Edge, Intervention
from otherminds.dataset_builders.hugagent.dynamics import link_log_odds, logistic, positive_log_odds
from otherminds.dataset_builders.hugagent.evidence import Evidence, weakest
from otherminds.dataset_builders.hugagent.population import STANCE, Grade
from otherminds.dataset_builders.hugagent.schema import Content, Topic
from otherminds.dataset_builders.hugagent.wording import VALUES

_NO_VALUES = dict.fromkeys(VALUES, 0.0)

OPINION, REASON = "opinion", "reason_evaluation"


@dataclass(frozen=True)
class Item:
    """One question about a person, without the person."""

    task: str
    question: str
    options: tuple[str, ...]
    scale: tuple[int, ...]
    scale_labels: tuple[str, ...]
    answer: str
    evidence: Grade
    reason_code: str | None = None
    reason_text: str | None = None
    question_id: str | None = None
    question_type: str | None = None


def draw_asked_edges(
    rng: np.random.Generator, topic: Topic, beliefs: Beliefs, quota: int
) -> list[Edge]:
    """The edges that BSI items ask about, from those on which the person sees an effect.

    An edge is drawn with a weight of one over the probability that somebody unknown has its sign:
    uncommon beliefs are asked about more often than they occur, so that common sense alone is right
    on about half of the items and the person has to be known.
    """
    liking = {
        name: 2.0 * logistic(positive_log_odds(factor, _NO_VALUES)) - 1.0
        for name, factor in topic.by_name.items()
    }
    left = [edge for edge in beliefs.edges if edge.sign != 0]
    weights = [1.0 / logistic(edge.sign * _common_odds(topic, edge, liking)) for edge in left]
    asked = []
    for _ in range(min(quota, len(left))):
        place = pick_weighted(rng, range(len(left)), weights)
        asked.append(left.pop(place))
        weights.pop(place)
    return asked


def _common_odds(topic: Topic, edge: Edge, liking: Mapping[str, float]) -> float:
    """Log-odds that somebody of average values sees a positive effect."""
    if edge.about_stance:
        return positive_log_odds(topic.by_name[edge.source], _NO_VALUES)
    return link_log_odds(topic, edge.source, edge.target, liking)


def draw_reasons(
    rng: np.random.Generator, beliefs: Beliefs, quota: int
) -> list[tuple[Intervention, int]]:
    """The scenarios and reasons (by position) that weight items ask about, in scenario order.

    Scenarios take turns, so that their numbers of reasons differ by at most one.
    """
    queues = [
        (intervention, shuffled(rng, range(len(beliefs.reasons))))
        for intervention in beliefs.interventions
    ]
    rounds = shuffled(rng, queues)
    drawn = [(rounds[k % len(rounds)][0], rounds[k % len(rounds)][1].pop()) for k in range(quota)]
    order = {id(intervention): place for place, (intervention, _) in enumerate(queues)}
    return sorted(drawn, key=lambda found: (order[id(found[0])], found[1]))


class ItemWriter:
    """Writes the items of one person on one topic."""

    def __init__(
        self,
        rng: np.random.Generator,
        content: Content,
        topic: Topic,
        beliefs: Beliefs,
        evidence: Evidence,
    ) -> None:
        self._rng = rng
        self._content = content
        self._topic = topic
        self._beliefs = beliefs
        self._evidence = evidence
        self._scenarios = {
            intervention.scenario.id: self._scenario(intervention)
            for intervention in beliefs.interventions
        }

    def bsi(self, asked: Sequence[Edge]) -> list[Item]:
        """One item per asked edge: does more of the source push the target up or down?"""
        return [self._bsi_item(edge) for edge in asked]

    def bdu(self, reasons: Sequence[tuple[Intervention, int]]) -> list[Item]:
        """The baseline, then per scenario the opinion and the reasons asked about."""
        items = [self._baseline()]
        for intervention in self._beliefs.interventions:
            items.append(self._opinion(intervention))
            items += [
                self._reason(intervention, position)
                for found, position in reasons
                if found is intervention
            ]
        return items

    def _bsi_item(self, edge: Edge) -> Item:
        wording, source = self._content.items, self._topic.by_name[edge.source]
        slots = {"up": pick(self._rng, source.up.plain), "policy": self._topic.policy}
        templates = wording.bsi_stance
        if not edge.about_stance:
            templates = wording.bsi_factor
            slots["target"] = self._topic.by_name[edge.target].noun
        return Item(
            task="bsi",
            question=pick(self._rng, templates).format_map(slots),
            options=wording.options,
            scale=(),
            scale_labels=(),
            answer="A" if edge.sign > 0 else "B",
            evidence=self._grade([edge.key]),
        )

    def _baseline(self) -> Item:
        asked = self._topic.stance_question
        answer = dynamics.reported_stance(self._beliefs.stance)
        return self._opinion_item(
            asked.id, asked.text, asked.scale_labels, answer, self._evidence.stance_grade
        )

    def _opinion(self, intervention: Intervention) -> Item:
        wording = pick(self._rng, self._content.items.scenario)
        needed = [self._evidence.stance_grade, self._grade(self._moved(intervention))]
        return self._opinion_item(
            intervention.scenario.id,
            self._ask_after(wording, intervention),
            self._topic.scenario_scale_labels,
            dynamics.reported_stance(intervention.stance_after),
            weakest(needed),
        )

    def _opinion_item(
        self, question_id: str, text: str, labels: tuple[str, str], answer: int, grade: Grade
    ) -> Item:
        return Item(
            task="bdu",
            question=text,
            options=(),
            scale=(dynamics.LOWEST_STANCE, dynamics.HIGHEST_STANCE),
            scale_labels=labels,
            answer=str(answer),
            evidence=grade,
            question_id=question_id,
            question_type=OPINION,
        )

    def _reason(self, intervention: Intervention, position: int) -> Item:
        name = self._beliefs.reasons[position]
        factor = self._topic.by_name[name]
        wording = pick(self._rng, self._content.items.reason)
        rating = dynamics.reported_weights(intervention.weights_after)[position]
        return Item(
            task="bdu",
            question=self._ask_after(wording, intervention),
            options=(),
            scale=(dynamics.LOWEST_RATING, dynamics.HIGHEST_RATING),
            scale_labels=self._content.items.reason_scale_labels,
            answer=str(rating),
            evidence=self._grade([(name, STANCE), *self._moved(intervention)]),
            reason_code=factor.code,
            reason_text=factor.reason,
            question_id=f"{intervention.scenario.id}r_{factor.code}",
            question_type=REASON,
        )

    def _ask_after(self, wording: str, intervention: Intervention) -> str:
        scenario = self._scenarios[intervention.scenario.id]
        return wording.format_map({"scenario": scenario, "policy": self._topic.policy})

    def _scenario(self, intervention: Intervention) -> str:
        changes = []
        for name, magnitude in intervention.magnitudes.items():
            factor = self._topic.by_name[name]
            clause = pick(self._rng, factor.clauses(magnitude).plain)
            how_far = pick(self._rng, self._content.voices.magnitudes.of(abs(magnitude)))
            changes.append(how_far.format_map({"clause": clause}))
        frame = pick(self._rng, intervention.scenario.frame)
        return frame.format_map({"changes": "; ".join(changes)})

    def _moved(self, intervention: Intervention) -> list[EdgeKey]:
        """The edges through which a scenario reaches the stance."""
        moved = intervention.magnitudes
        return [
            edge.key for edge in self._beliefs.edges if edge.about_stance and edge.source in moved
        ]

    def _grade(self, edges: Sequence[EdgeKey]) -> Grade:
        return weakest([self._evidence.edges[edge].grade for edge in edges])
