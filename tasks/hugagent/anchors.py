"""The ends of ATI on the human track: random answers, and the same people asked again.

All numbers are those of the manifest of `hugagent`. For all topics together both ends are the paper's.
For one topic, the upper end is the paper's score of the people on that topic; the lower one is the
expected score of uniform guesses on its golds, because the paper's random row is an average over topics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from otherminds import manifest
from otherminds.console import digits, interval_of
from otherminds.manifest import Reference
from otherminds.metrics.hugagent import (
    Anchor,
    ati_between,
    ati_with_ceiling,
    ceiling_composite,
    published_estimate,
    utility,
)
from otherminds.metrics.hugagent.ranges import OF_TOPIC
from otherminds.metrics.uncertainty import Estimate, nothing

ALL = "all"

_CALLED = {"bsi_acc": "BSI", "bdu_acc": "BDU accuracy", "bdu_mae": "MAE", "bdu_dir": "direction"}


def ati_of_topic(composite: Estimate, topic: str) -> Estimate:
    """ATI of one topic between its own ends, taken as known; NaN with n = 0 without a composite."""
    random = manifest.load("hugagent").references["chance"].scores[topic]["composite"]
    human = 100 * utility(*_anchor(_human().scores[topic]))
    return ati_between(OF_TOPIC["composite"].cut(composite), random=random, human=human)


def ati_with_human_interval(composite: Estimate) -> Estimate:
    """ATI of all topics with the uncertainty of its human end too.

    NaN with n = 0 without a composite.
    """
    if composite.n == 0:
        return nothing()
    human = _human()
    known = {
        name: published_estimate(human.scores[ALL][name], low, high, people=_people(human)[name])
        for name, (low, high) in _intervals(human, ALL).items()
    }
    return ati_with_ceiling(composite, ceiling_composite(*(known[name] for name in Anchor._fields)))


def described(part: str) -> str:
    """The scores of people who are asked again, on a topic or on "all": numbers, 95 % intervals, n."""
    human = _human()
    scores, intervals, people = human.scores[part], _intervals(human, part), _people(human)
    parts = []
    for metric, called in _CALLED.items():
        ends = [f"{digits(end)}" for end in intervals.get(metric, ())]
        about = ", ".join([*([" – ".join(ends)] if ends else []), f"n = {people[metric]}"])
        parts.append(f"{called} {digits(scores[metric])} ({about})")
    return ", ".join(parts)


def remarks(task: str, topic: str | None, estimates: Mapping[str, Any]) -> Iterator[str]:
    """What the ends of ATI are, and what the human one's uncertainty does to its interval.

    topic      the one topic of the task, if it has one
    estimates  the task's, as a results file states them
    """
    again = f"The 100 of ati, people asked again: {described(topic or ALL)}."
    if topic is not None:
        yield f"{task}: ati lies between uniform guesses and people asked again on {topic}. {again}"
    elif "ati_with_ceiling" in estimates:
        wider = interval_of(estimates["ati_with_ceiling"])
        yield (
            f"{task}: the interval of ati takes its ends as known. With the published uncertainty of "
            f"the human end it is {wider}. {again}"
        )


def _human() -> Reference:
    return manifest.load("hugagent").references["human"]


def _people(human: Reference) -> Mapping[str, int]:
    return human.n_people_by_metric or {}


def _intervals(human: Reference, part: str) -> Mapping[str, tuple[float, float]]:
    found = human.interval if part == ALL else (human.topic_interval or {}).get(part)
    return found or {}


def _anchor(scores: Mapping[str, float]) -> Anchor:
    return Anchor(*(scores[name] for name in Anchor._fields))
