"""Where model and person never moved together: the direction is 0 by the authors' rule, and says so."""

from __future__ import annotations

import math

from otherminds.leaderboard.records.fields import metrics_of
from otherminds.metrics.hugagent.items import Item
from otherminds.tasks.hugagent.scoring import Scored

QUESTIONS = {"zoning": ("1.1", "1.2"), "healthcare": ("3.1", "3.6")}


def pair(topic: str, person: str, golds: tuple[int, int], answers: tuple[int, int]) -> list[Scored]:
    """A person's opinion before and after a scenario, as it was and as it was predicted."""
    found = []
    for question, gold, answer in zip(QUESTIONS[topic], golds, answers, strict=True):
        name = f"{topic} {person} {question}"
        scale = (1, 10)
        found.append(
            Scored(
                Item(
                    *(name, person, topic, "bdu", question, "opinion"),
                    *(*scale, str(gold), (answer,)),
                )
            )
        )
    return found


STILL = [one for p in ("P", "Q") for one in pair("zoning", p, (5, 8), (5, 5))]
MOVED = [one for p in ("P", "Q") for one in pair("healthcare", p, (5, 8), (5, 9))]


def test_the_parts_of_a_mean_are_those_that_are_printed() -> None:
    details = Scored.details([*STILL, *MOVED])
    by_topic = {topic: found["bdu_direction"] for topic, found in details["by_topic"].items()}
    assert (by_topic["healthcare"]["value"], by_topic["healthcare"]["n"]) == (1.0, 2)
    assert (by_topic["zoning"]["value"], by_topic["zoning"]["n"]) == (0.0, 0)
    assert math.isnan(by_topic["zoning"]["stderr"])
    assert details["estimates"]["bdu_direction"]["value"] == (1.0 + 0.0) / 2
    [note] = details["notes"]
    assert note.startswith("bdu_direction is 0 on zoning, and counts as 0 in the mean over topics")


def test_it_is_said_only_where_it_is_so() -> None:
    assert "notes" not in Scored.details(MOVED)
    [note] = Scored.details(STILL)["notes"]
    assert note.startswith("bdu_direction is 0 on zoning: there is no pair")


def test_no_submission_states_a_score_that_rests_on_nothing() -> None:
    estimates = Scored.details(STILL)["estimates"]
    assert estimates["bdu_direction"]["n"] == 0
    assert "bdu_direction" not in metrics_of(estimates)
    assert "bdu_change" in metrics_of(estimates)
