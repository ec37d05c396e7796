"""Topics and parameters: the shipped ones, one's own, and what is wrong with them."""

from __future__ import annotations

import pytest
import yaml

from otherminds.interview import config, topic_check
from otherminds.interview.config import Parameters, read_config, read_topic, topic_named
from otherminds.interview.errors import InterviewError
from tests.interview import talk


@pytest.mark.parametrize("name", config.topic_names())
def test_shipped_topics_have_nothing_to_look_at(name):
    topic = topic_named(name)
    assert topic.name == name
    assert topic_check.findings(topic) == []


def test_three_topics_of_the_paper_and_one_more():
    assert config.topic_names() == ("healthcare", "night_buses", "surveillance", "zoning")
    scenarios = {
        name: [one.id for one in topic_named(name).survey if one.kind == "scenario"]
        for name in ("zoning", "surveillance", "healthcare")
    }
    assert scenarios == {
        "zoning": ["1.2", "1.3", "1.4"],
        "surveillance": ["2.6", "2.7", "2.8"],
        "healthcare": ["3.6", "3.7", "3.8", "3.9"],
    }


def test_skeleton_can_be_read_and_says_what_is_not_filled_in(tmp_path):
    path = tmp_path / "park.yaml"
    path.write_text(topic_check.skeleton("dog_park"), encoding="utf-8")
    topic = read_topic(path)
    assert (topic.name, topic.stance_label) == ("dog_park", "support for dog park")
    [gaps] = topic_check.findings(topic)
    assert gaps == "not filled in: ‹definition›, ‹first reason›, ‹one change›, ‹second reason›"


@pytest.mark.parametrize("name", ["", "Dog park", "../etc", "9lives", "a" * 41])
def test_skeleton_of_no_name(name):
    with pytest.raises(InterviewError, match="no name of a topic"):
        topic_check.skeleton(name)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"guiding": [{"text": "Surely you want buses?"}]}, "may lead the person: “Surely”"),
        ({"guiding": [{"text": "Tell me of buses."}]}, "has no question mark"),
        ({"guiding": [{"text": "Why? " * 50}]}, "more than 45 words"),
        ({"guiding": [{"text": "Why so, and how?"}] * 2}, "much like an earlier one"),
        ({"policy": "buses?"}, "cannot be asked (sentences)"),
        ({"stance_label": "my view"}, "does not name the policy"),
        ({"survey": []}, "no questionnaire"),
        ({"reasons": [{"code": "Z", "text": "Idle"}], "survey": []}, "no questionnaire"),
    ],
)
def test_what_should_be_looked_at(change, says):
    data = topic_named("night_buses").model_dump(mode="json")
    if "reasons" not in change and "survey" in change:
        data["reasons"] = []
    topic = config.Topic.model_validate({**data, **change})
    assert any(says in one for one in topic_check.findings(topic))


def test_hash_depends_on_every_parameter_and_on_the_topic_alone():
    first = talk.config()
    assert first.hash == talk.config().hash
    assert len(first.hash) == 64
    for field in ("max_qas", "max_anchors", "min_nodes"):
        changed = getattr(first.parameters, field) + 1
        assert talk.config(**{field: changed}).hash != first.hash
    assert talk.config(guiding=("Else?",)).hash != first.hash


def test_a_config_names_a_shipped_topic_a_file_or_holds_one(tmp_path):
    path = tmp_path / "study.yaml"
    data = topic_named("night_buses").model_dump(mode="json")
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
    hashes = set()
    for topic in ("night_buses", "mine.yaml", data):
        path.write_text(yaml.safe_dump({"max_qas": 20, "topic": topic}), encoding="utf-8")
        given = read_config(path)
        assert given.parameters == Parameters(max_qas=20)
        hashes.add(given.hash)
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("max_qas: 20", "names no topic"),
        ("topic: nowhere", "no topic 'nowhere'"),
        ("topic: night_buses\nmax_qas: 5", "min_qas: 8 is above max_qas, 5"),
        ("topic: night_buses\nmax_questions: 5", "max_questions: Extra inputs"),
        ("topic: night_buses\nanchor_score: .nan", "anchor_score"),
        ("topic: [1", "is no YAML"),
        ("- 1", "must hold keys and values"),
        ("topic: {name: x}", "policy: Field required"),
    ],
)
def test_configs_with_faults(tmp_path, text, says):
    path = tmp_path / "study.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InterviewError) as error:
        read_config(path)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_running_session_keeps_its_config():
    session = talk.begin(talk.config(max_qas=9))
    again = type(session).model_validate_json(session.model_dump_json())
    assert again.config.parameters.max_qas == 9
    assert again.config.hash == again.config_hash
