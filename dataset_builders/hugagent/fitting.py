"""Fits the population of edition 2 to text-free answers of people, topic by topic, with shrinkage.

    python -m otherminds.dataset_builders.hugagent.fitting GOLDS --seed 20261127 -o FOLDER

writes `parameters.yaml` (what a build reads) and `fit.yaml` (what people's answers say, what the fitted
population says, and how far that is from the people who were held out). One person in three is held out.

Every share is shrunk toward that of all topics by PSEUDO_PEOPLE answers. The shares of opinions
follow directly; ratings and engagement, then firmness, how far people go and the direction of
scenarios are found by searches over simulated people. Targets that cannot be met together are named,
and nothing is written, unless `--missed-too` is given; then `fit.yaml` says by how much each is missed.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import yaml

from otherminds import files
from otherminds.dataset_builders.draws import stream
from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.answers import (
    BASELINES,
    MEASURES,
    SCENARIOS,
    Answer,
    Answers,
    Shares,
    counted,
    read_answers,
    shares,
    split,
)
from otherminds.dataset_builders.hugagent.asking.items import draw_reasons
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.population import SCENARIOS_ASKED
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.dataset_builders.hugagent.world import change, parameters, stances
from otherminds.dataset_builders.hugagent.world.minds import draw_mind, signs_onto
from otherminds.dataset_builders.hugagent.world.parameters import TopicParameters
from otherminds.dataset_builders.hugagent.world.people import Person, draw_person
from otherminds.types import FloatArray

PSEUDO_PEOPLE: Final = 4.0
TOLERANCE: Final[Mapping[str, float]] = {
    "unchanged": 0.10,
    "baseline_ends": 0.15,
    "scenario_ends": 0.15,
}
"""How far the population may be from people's shares."""

_SEARCHED: Final = ("settled_end", "settled_middle", "easily_moved", "upward")
_BOUNDS: Final = {
    **{"settled_end": (0.1, 0.9), "settled_middle": (0.1, 0.9)},
    **{"easily_moved": (0.1, 0.6), "upward": (0.02, 0.98)},
}
"""So that firmness always tells something, and nothing is certain."""

_START: Final = {"settled_end": 0.5, "settled_middle": 0.3, "easily_moved": 0.3, "upward": 0.5}
_WEIGHTS: Final = {
    "unchanged": 3.0,
    "scenario_ends": 3.0,
    "up": 1.0,
    "down": 1.0,
    "large_changes": 1.0,
}
_OF_RATINGS: Final = {"lowest_ratings": 1.0, "high_ratings": 1.0, "within_person": 1.0}
_ENGAGEMENT_START: Final = 6.0
_MOST_ENGAGED: Final = 16.0
_ENGAGEMENT_STEP: Final = 4.0
_RATING_STEP: Final = 1.0
"""On the logarithm of the weight of a rating."""

_LAST_PART: Final = 0.25
"""Of both first steps."""

_FIRST_STEP: Final = 0.2
_LAST_STEP: Final = 0.02
_SEARCH_PEOPLE: Final = 300
_REASONS_ASKED: Final = 4
_MEASURE_PEOPLE: Final = 1500
_DRAWS: Final = 500
_EVERY_SHARE: Final = 0.005
"""The least share of an opinion or rating: rare ones occur, too."""


class FitError(ValueError):
    """Targets that cannot be met together."""


@dataclass(frozen=True)
class Fit:
    """The fitted parameters by topic, and the report."""

    parameters: dict[str, TopicParameters]
    report: dict[str, Any]


def fit(answers: Answers, start: Mapping[str, TopicParameters], seed: int) -> Fit:
    """Fit all topics; of `start`, only the structure of networks is taken."""
    fitted, held_out = split(answers, seed)
    found: dict[str, TopicParameters] = {}
    report: dict[str, Any] = {}
    for number, topic in enumerate(TOPICS):
        known = _shares_of_scales(fitted, topic, start[topic].model_copy(update=_START))
        target = _shrunk(fitted, topic)
        known = _rated(known, _wanted_ratings(fitted, topic), target, number, seed)
        found[topic] = _searched(known, target, number, seed)
        report[topic] = _reported(answers, held_out, found[topic], number, seed)
    return Fit(found, report)


def missed(report: Mapping[str, Any]) -> list[str]:
    """The shares that the fitted population misses by more than the tolerance, in words."""
    return [
        f"{topic}: {name} is {said['population'][name]:.2f}, people's {said['people'][name]:.2f}, "
        f"at most {most:.2f} apart is wanted"
        for topic, said in report.items()
        for name, most in TOLERANCE.items()
        if abs(said["population"][name] - said["people"][name]) > most
    ]


def _shares_of_scales(answers: Answers, topic: str, known: TopicParameters) -> TopicParameters:
    opinions = [
        [one.value for one in answers.opinions if one.question == BASELINES[of]] for of in TOPICS
    ]
    return known.model_copy(
        update={
            "stance": _smoothed(opinions, TOPICS.index(topic), 10),
            "positive_items": round(_shrunk(answers, topic)["bsi_positive"], 4),
        }
    )


def _wanted_ratings(answers: Answers, topic: str) -> FloatArray:
    ratings = [[one.value for one in answers.ratings if one.topic == of] for of in TOPICS]
    return np.array(_smoothed(ratings, TOPICS.index(topic), 5))


def _smoothed(values: Sequence[Sequence[int]], place: int, top: int) -> tuple[float, ...]:
    """The shares of 1 to `top` on one topic, shrunk toward those of all topics."""
    own = np.array(counted(values[place], top), dtype=np.float64)
    # Of all topics alike, however many people answered on each.
    pooled = np.mean([_of_whole(counted(each, top)) for each in values], axis=0)
    found = np.maximum((own + PSEUDO_PEOPLE * pooled) / (own.sum() + PSEUDO_PEOPLE), _EVERY_SHARE)
    return _adding_up(found)


def _of_whole(counts: Sequence[int]) -> FloatArray:
    found = np.array(counts, dtype=np.float64)
    share: FloatArray = found / max(float(found.sum()), 1.0)
    return share


def _adding_up(weights: FloatArray) -> tuple[float, ...]:
    return tuple(round(float(one), 5) for one in weights / weights.sum())


def _shrunk(answers: Answers, topic: str) -> Shares:
    """The shares of a topic, shrunk toward the mean over topics."""
    by_topic = {of: shares(answers, of) for of in TOPICS}
    counts = _cases(answers, topic)
    return {
        name: _between(
            by_topic[topic][name], np.nanmean([by_topic[of][name] for of in TOPICS]), counts[name]
        )
        for name in MEASURES
    }


def _between(own: float, pooled: Any, cases: int) -> float:
    if math.isnan(own):
        return float(pooled)
    return float((own * cases + pooled * PSEUDO_PEOPLE) / (cases + PSEUDO_PEOPLE))


def _cases(answers: Answers, topic: str) -> dict[str, int]:
    """How many answers each share rests on."""
    before = {
        one.person
        for one in answers.opinions
        if one.topic == topic and one.question == BASELINES[topic]
    }
    after = [one for one in answers.opinions if one.topic == topic and _is_scenario(one)]
    pairs = sum(one.person in before for one in after)
    ratings = sum(one.topic == topic for one in answers.ratings)
    return {
        "baseline_ends": len(before),
        "scenario_ends": len(after),
        **dict.fromkeys(("unchanged", "up", "down", "large_changes"), pairs),
        **dict.fromkeys(("lowest_ratings", "high_ratings", "within_person"), ratings),
        "bsi_positive": sum(of == topic for _, of, _ in answers.letters),
    }


def _is_scenario(one: Answer) -> bool:
    return one.question in SCENARIOS[one.topic]


def _rated(
    known: TopicParameters, wanted: FloatArray, target: Shares, number: int, seed: int
) -> TopicParameters:
    """The weights of ratings, and the engagement, by which a person's ratings are as high, as low and as
    alike as people's. Scenarios stir ratings, so that no share of them can be set by itself.
    """
    start = known.model_copy(update={"engagement": _ENGAGEMENT_START})
    best = _ratings(start, wanted, number, seed)
    least = _distance(best, target, number, seed, _OF_RATINGS)
    part = 1.0
    while part >= _LAST_PART:
        better = False
        for place, way in itertools.product((None, *range(5)), (part, -part)):
            tried = _other_ratings(best, place, way)
            distance = _distance(tried, target, number, seed, _OF_RATINGS)
            if distance < least - 1e-6:
                best, least, better = tried, distance, True
        if not better:
            part /= 2.0
    return best


def _other_ratings(known: TopicParameters, place: int | None, way: float) -> TopicParameters:
    """With other engagement where `place` is None, else with another weight of the rating there."""
    if place is None:
        tilt = min(max(known.engagement + way * _ENGAGEMENT_STEP, 0.0), _MOST_ENGAGED)
        return known.model_copy(update={"engagement": tilt})
    weights = np.array(known.rating)
    weights[place] *= math.exp(way * _RATING_STEP)
    weights = np.maximum(weights / weights.sum(), _EVERY_SHARE)
    return known.model_copy(update={"rating": _adding_up(weights)})


def _ratings(known: TopicParameters, wanted: FloatArray, number: int, seed: int) -> TopicParameters:
    """The shares of ratings before scenarios that come closest to the wanted ones after them."""
    stirred = _stirred(known, number, seed)
    carried = np.zeros((5, 5))
    for points, weight in stirred.items():
        for rating in range(1, 6):
            carried[min(max(rating + points, 1), 5) - 1, rating - 1] += weight
    found = np.full(5, 0.2)
    for _ in range(500):
        tried = known.model_copy(update={"rating": tuple(found)})
        before = np.array(stances.ENGAGEMENT_SHARES) @ stances.rating_chances(tried)
        found = np.maximum(found * wanted / np.maximum(carried @ before, 1e-9), _EVERY_SHARE)
        found /= found.sum()
    return known.model_copy(update={"rating": _adding_up(found)})


def _stirred(known: TopicParameters, number: int, seed: int) -> dict[int, float]:
    """How far scenarios stir the reasons that are asked about, before the ends of the scale."""
    found: list[int] = []
    for person in _people(seed, _SEARCH_PEOPLE):
        mind = _mind(person, known, number, seed)
        rng = agent_stream(seed, person.number, Purpose.ITEMS, number)
        for place, name in draw_reasons(rng, mind, _REASONS_ASKED):
            moves = mind.moves[place].moves
            found.append(change.stirred(name, moves, signs_onto(mind.network, name)))
    return {points: found.count(points) / len(found) for points in sorted(set(found))}


def _searched(known: TopicParameters, target: Shares, number: int, seed: int) -> TopicParameters:
    """Steps along one parameter after the other while that brings the shares nearer, then half steps."""
    best, least = known, _distance(known, target, number, seed, _WEIGHTS)
    step = _FIRST_STEP
    while step >= _LAST_STEP:
        better = False
        for name, way in itertools.product(_SEARCHED, (1, -1)):
            low, high = _BOUNDS[name]
            value = round(min(max(getattr(best, name) + way * step, low), high), 4)
            tried = best.model_copy(update={name: value})
            distance = _distance(tried, target, number, seed, _WEIGHTS)
            if distance < least - 1e-9:
                best, least, better = tried, distance, True
        if not better:
            step /= 2.0
    return best


def _distance(
    known: TopicParameters, target: Shares, number: int, seed: int, weights: Mapping[str, float]
) -> float:
    found = simulated(known, number, seed, _SEARCH_PEOPLE)
    return sum(weight * (found[name] - target[name]) ** 2 for name, weight in weights.items())


def simulated(known: TopicParameters, number: int, seed: int, people: int) -> Shares:
    """The shares of a simulated population; BSI answers are drawn to the share that is fitted."""
    topic = TOPICS[number]
    opinions, ratings = [], []
    for person in _people(seed, people):
        mind = _mind(person, known, number, seed)
        name = person.participant_id
        opinions.append(Answer(name, topic, BASELINES[topic], mind.stance.level))
        opinions += [
            Answer(name, topic, move.scenario.id, move.stance_after) for move in mind.moves
        ]
        rng = agent_stream(seed, person.number, Purpose.ITEMS, number)
        ratings += [
            Answer(
                name,
                topic,
                f"{mind.moves[place].scenario.id}r_{reason}",
                mind.moves[place].ratings_after[reason],
            )
            for place, reason in draw_reasons(rng, mind, _REASONS_ASKED)
        ]
    found = shares(Answers(tuple(opinions), tuple(ratings), ()), topic)
    return {**found, "bsi_positive": known.positive_items}


def _mind(person: Person, known: TopicParameters, number: int, seed: int) -> Any:
    return draw_mind(seed, person, number, content.load().topics[TOPICS[number]], known)


@cache
def _people(seed: int, count: int) -> tuple[Person, ...]:
    known = content.load()
    return tuple(
        draw_person(agent_stream(seed, number, Purpose.PERSON), number, known)
        for number in range(count)
    )


def _reported(
    answers: Answers, held_out: Answers, known: TopicParameters, number: int, seed: int
) -> dict[str, Any]:
    """Shares of all people, of the population, and the distance from those held out, with intervals."""
    topic = TOPICS[number]
    population = simulated(known, number, seed + 1, _MEASURE_PEOPLE)
    apart = shares(held_out, topic)
    rng = stream((seed, number), (0,))
    drawn = [shares(_resampled(held_out, rng), topic) for _ in range(_DRAWS)]
    return {
        "people": _plain(shares(answers, topic)),
        "answers": _cases(answers, topic),
        "population": _plain(population),
        "held_out": {
            name: _interval(population[name], apart[name], [one[name] for one in drawn])
            for name in MEASURES
        },
        "held_out_answers": _cases(held_out, topic),
        "scenarios_asked": SCENARIOS_ASKED[topic],
    }


def _resampled(answers: Answers, rng: np.random.Generator) -> Answers:
    """As many people, drawn with replacement; each draw of somebody is somebody of their own."""
    opinions: list[Answer] = []
    ratings: list[Answer] = []
    letters: list[tuple[str, str, str]] = []
    everybody = answers.people
    for place, index in enumerate(rng.integers(len(everybody), size=len(everybody))):
        own = answers.of([everybody[int(index)]])
        name = f"{place}"
        opinions += [Answer(name, one.topic, one.question, one.value) for one in own.opinions]
        ratings += [Answer(name, one.topic, one.question, one.value) for one in own.ratings]
        letters += [(name, of, letter) for _, of, letter in own.letters]
    return Answers(tuple(opinions), tuple(ratings), tuple(letters))


def _interval(population: float, apart: float, drawn: Iterable[float]) -> dict[str, Any]:
    """The population's share less that of the people held out, with the interval over these people."""
    kept = sorted(population - one for one in drawn if not math.isnan(one))
    if math.isnan(apart) or not kept:
        return {"distance": None, "low": None, "high": None}
    low, high = np.quantile(kept, [0.025, 0.975])
    return {
        "distance": round(population - apart, 3),
        "low": round(float(low), 3),
        "high": round(float(high), 3),
    }


def _plain(found: Shares) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else round(value, 4) for name, value in found.items()}


def write(found: Fit, folder: Path) -> None:
    """Write both files."""
    fitted = {name: one.model_dump(mode="json") for name, one in found.parameters.items()}
    for name, said in (("parameters.yaml", fitted), ("fit.yaml", found.report)):
        text = f"# Written by `python -m {__spec__.name}`.\n" + yaml.safe_dump(
            said, sort_keys=False, default_flow_style=None, width=110
        )
        with files.atomic_file(folder / name) as partial:
            partial.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, say what is missed, and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("golds", type=Path, help="the table of text-free answers")
    parser.add_argument("--seed", type=int, default=20261127)
    parser.add_argument("-o", "--out", type=Path, default=parameters.FOLDER)
    parser.add_argument(
        "--missed-too", action="store_true", help="write although targets are missed"
    )
    given = parser.parse_args(arguments)
    found = fit(read_answers(given.golds), parameters.load(), given.seed)
    faults = missed(found.report)
    if faults and not given.missed_too:
        raise FitError(
            "These targets cannot be met together: " + "; ".join(faults) + ". Nothing is written; "
            "--missed-too writes the fit that comes closest, and what it misses."
        )
    write(found, given.out)
    print("\n".join(faults) or "All targets are met.")


if __name__ == "__main__":
    main()
