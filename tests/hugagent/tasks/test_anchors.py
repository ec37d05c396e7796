"""The ends of ATI: what the manifest says of people asked again is what the paper publishes."""

from __future__ import annotations

import math

import pytest

from otherminds import manifest
from otherminds.metrics.hugagent import HUMAN, RANDOM, Anchor, ati, utility
from otherminds.metrics.hugagent.items import BASELINES
from otherminds.metrics.uncertainty import estimate, nothing
from otherminds.tasks.hugagent import anchors

TOPICS = sorted(BASELINES)


def test_the_metrics_anchors_are_the_manifests() -> None:
    references = manifest.load("hugagent").references
    for anchor, name in ((HUMAN, "human"), (RANDOM, "paper_random")):
        scores = references[name].scores["all"]
        assert tuple(scores[one] for one in Anchor._fields) == tuple(anchor)


@pytest.mark.parametrize("part", ["all", *TOPICS])
def test_the_human_composite_is_that_of_its_numbers(part: str) -> None:
    scores = manifest.load("hugagent").references["human"].scores[part]
    assert scores["composite"] == pytest.approx(
        100 * utility(*(scores[one] for one in Anchor._fields)), abs=1e-6
    )


@pytest.mark.parametrize("topic", TOPICS)
def test_the_human_direction_of_a_topic_is_made_of_its_parts(topic: str) -> None:
    scores = manifest.load("hugagent").references["human"].scores[topic]
    made = 0.3 * scores["bdu_change"] + 0.7 * scores["bdu_direction"]
    assert scores["bdu_dir"] == pytest.approx(made, abs=1e-4)


def test_the_published_widths_say_how_many_people_there_were() -> None:
    human = manifest.load("hugagent").references["human"]
    assert human.sd is not None
    assert human.interval is not None
    assert human.n_people_by_metric is not None
    for metric in ("bsi_acc", "bdu_acc", "bdu_mae"):
        low, high = human.interval[metric]
        people = (human.sd[metric] / ((high - low) / 2 / 1.96)) ** 2
        assert round(people) == human.n_people_by_metric[metric], metric
    # Direction's is wider than 10 people's with its SD: 1.96·0.0989/√10 = 0.0613 against 0.0708.
    low, high = human.interval["bdu_dir"]
    assert (high - low) / 2 > 1.96 * human.sd["bdu_dir"] / math.sqrt(10)
    assert human.n_people == max(human.n_people_by_metric.values())


def test_every_published_number_lies_in_its_interval() -> None:
    human = manifest.load("hugagent").references["human"]
    assert human.interval is not None
    for part, intervals in {"all": human.interval, **(human.topic_interval or {})}.items():
        for metric, (low, high) in intervals.items():
            assert low < human.scores[part][metric] < high, (part, metric)


@pytest.mark.parametrize("topic", TOPICS)
def test_ati_of_a_topic_lies_between_the_topics_own_ends(topic: str) -> None:
    references = manifest.load("hugagent").references
    ends = [references[name].scores[topic]["composite"] for name in ("chance", "human")]
    found = [
        anchors.ati_of_topic(estimate(end, 1.0, n=100, n_clusters=20), topic).value for end in ends
    ]
    assert found == pytest.approx([0, 100])
    assert anchors.ati_of_topic(nothing(), topic).n == 0


def test_the_human_interval_widens_that_of_ati() -> None:
    composite = estimate(75.0, 1.5, n=1_742, n_clusters=54)
    found = anchors.ati_with_human_interval(composite)
    assert found.value == pytest.approx(ati(0.75))
    # Half-widths of the published intervals over 1.96, by the coefficients of u, over H - R:
    # (½·0.0484 + ⅛·0.04745 + 1/32·0.125 + ¼·0.07075)/1.95996 = 0.02639 of H - R = 0.360875.
    share = 0.02639 / 0.360875
    alone = 1.5 / 36.0875
    ratio = ati(0.75) / 100
    assert found.stderr == pytest.approx(100 * math.hypot(alone, ratio * share), rel=1e-3)
    assert anchors.ati_with_human_interval(nothing()).n == 0


def test_people_asked_again_are_described_with_their_intervals() -> None:
    whole = anchors.described("all")
    assert "BSI 0.848 (0.800 – 0.897, n = 13)" in whole
    assert "direction 0.889 (0.821 – 0.962, n = 10)" in whole
    # No interval of a topic's accuracy was published.
    assert "BDU accuracy 0.853 (n = 10)" in anchors.described("surveillance")
