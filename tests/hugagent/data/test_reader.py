"""The rule-based reader: decoding sentences, and what it can and cannot answer."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent import synthetic
from otherminds.dataset_builders.hugagent.answerability import TOLERANCE, Tally, measure
from otherminds.dataset_builders.hugagent.decoder import Decoder, meanings
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.reader import Reader
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.synthetic import SyntheticSpec


@pytest.fixture(scope="module")
def tallies(release: SyntheticSpec) -> dict[str, Tally]:
    """The reader's scores on eighty people (about 2,270 items)."""
    return measure(synthetic.build(synthetic.scaled(release, 80)))


@pytest.mark.parametrize("kind", ["bsi", "baseline", "scenario", "reason"])
def test_stated_evidence_is_enough(tallies: dict[str, Tally], kind: str) -> None:
    assert tallies[kind].accuracy("stated") >= 0.95


@pytest.mark.parametrize("kind", ["bsi", "scenario", "reason"])
def test_accuracy_falls_with_the_grade(tallies: dict[str, Tally], kind: str) -> None:
    tally = tallies[kind]
    assert tally.accuracy("stated") > tally.accuracy("hinted") > tally.accuracy("implied")


@pytest.mark.parametrize("kind", ["bsi", "baseline", "scenario", "reason"])
def test_without_the_interview_the_reader_is_near_the_majority(
    tallies: dict[str, Tally], kind: str
) -> None:
    tally = tallies[kind]
    majority = tally.majority(TOLERANCE[kind])
    # Five points, and three standard errors at the number of items.
    slack = 1.5 / np.sqrt(tally.total.total())
    assert tally.accuracy_without() <= majority + 0.05 + slack
    assert tally.accuracy() > majority + 0.1


@pytest.mark.parametrize("topic_name", TOPICS)
def test_every_template_reads_back(content: Content, topic_name: str) -> None:
    topic = content.topics[topic_name]
    decoder = Decoder(content, topic)
    rng = np.random.default_rng(0)
    for template, meaning in meanings(content):
        first, second = (topic.factors[int(k)] for k in rng.choice(len(topic.factors), 2, False))
        slots = {
            "factor": first.phrases[int(rng.integers(len(first.phrases)))],
            "policy": topic.policy_short[int(rng.integers(len(topic.policy_short)))],
            "up": first.up.casual[0],
            "u_up": first.down.formal[0],
            "v_move": second.up.plain[0],
            "v": second.noun,
        }
        sentence = f"To be fair, {template.format_map(slots)}."
        read = decoder.meaning(sentence)
        assert read is not None, sentence
        assert read[0] == meaning, sentence
        factors = [found.factor for found in read[1].within(read[2]) if found.factor]
        if meaning.kind == "no_link":
            factors.sort(key=lambda name: name != first.name)
        assert factors in ([], [first.name], [first.name, second.name]), sentence


@pytest.mark.parametrize("topic_name", TOPICS)
def test_every_scenario_change_reads_back(content: Content, topic_name: str) -> None:
    topic = content.topics[topic_name]
    decoder = Decoder(content, topic)
    for magnitude in (1, 2, 3):
        for template in content.voices.magnitudes.of(magnitude):
            for first, second in zip(topic.factors, topic.factors[1:], strict=False):
                up = template.format(clause=first.up.plain[-1])
                down = template.format(clause=second.down.plain[0])
                for scenario in topic.scenarios:
                    question = scenario.frame[0].format(changes=f"{up}; {down}")
                    assert decoder.moves(question) == {
                        first.name: magnitude,
                        second.name: -magnitude,
                    }, question


def test_a_hand_made_interview(content: Content) -> None:
    topic = content.topics["zoning"]
    voices = content.voices
    rents, traffic = topic.by_name["rent_levels"], topic.by_name["car_traffic"]
    said = [
        voices.stance[4].plain[0].format(policy=topic.policy),
        # Falling rents speak for the policy, so rents themselves speak against it.
        voices.effect_stance.positive.plain[0].format(
            up=rents.down.plain[0], policy=topic.policy_short[0]
        ),
        voices.importance[5].plain[0].format(factor=rents.phrases[0], policy=topic.policy),
        voices.effect_factor.plain[0].format(u_up=rents.up.plain[0], v_move=traffic.down.plain[0]),
    ]
    context = [{"question": "?", "answer": ". ".join([*said, "Well"])}]
    reader = Reader(content, topic)
    portrait = reader.portrait(context)
    assert portrait.sign("rent_levels", None) == -1
    assert portrait.sign("rent_levels", "car_traffic") == -1
    # Band 4 is a reported 7 or 8, so the stance lies in [6.5, 8.5).
    assert 6.5 <= portrait.stance < 8.5
    # A sharp rise of a reason of weight 1 with sign −1: 4 · 1 · 1 = 4 points down.
    assert portrait.stance_after({"rent_levels": 3}) == pytest.approx(portrait.stance - 4.0)
    assert portrait.rating_after("rent_levels", {}) == 5


def test_the_reader_sees_visible_fields_only(content: Content, small: dict[str, pa.Table]) -> None:
    reader = Reader(content, content.topics["healthcare"])
    item = small["bdu"].to_pylist()[0]
    portrait = reader.portrait(item["context"])
    hidden = {"answer": None, "evidence": None, "item_id": None, "participant_id": None}
    assert reader.answer(item | hidden, portrait) == reader.answer(item, portrait)
