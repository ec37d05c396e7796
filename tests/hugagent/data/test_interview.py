"""Transcripts: tidy sentences, a person's own manner, and evidence as graded."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent.evidence import stance_band, weakest
from otherminds.dataset_builders.hugagent.people import Voice
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.speech import Sentence, Speaker

UNTIDY = re.compile(
    r"[{}]"  # a slot left open
    r"|  | [,.;:!?]|[,;:][,.;:!?]|\.\.|\?\.|!\."  # spacing and doubled punctuation
    r"|[.!?] [a-z]"  # a sentence that starts in lower case
    r"|\bi\b(?!')"  # I in lower case
)


def turns(small: dict[str, pa.Table]) -> list[dict[str, Any]]:
    return [turn for row in small["agents"].to_pylist() for turn in row["transcript"]]


def test_sentences_are_tidy(small: dict[str, pa.Table]) -> None:
    for turn in turns(small):
        for text in (turn["question"], turn["answer"]):
            assert not UNTIDY.search(text), text
            assert text[0].isupper() or text[0].isdigit(), text
            assert text[-1] in ".!?", text


def test_questions_of_items_are_tidy(small: dict[str, pa.Table]) -> None:
    for task in ("bsi", "bdu"):
        for question in small[task]["question"].to_pylist():
            assert not UNTIDY.search(question), question


def test_talkative_people_say_more(small: dict[str, pa.Table]) -> None:
    words: dict[str, list[int]] = defaultdict(list)
    for row in small["agents"].to_pylist():
        shown = [turn["answer"] for turn in row["transcript"] if not turn["masked"]]
        words[row["voice"]["verbosity"]].append(sum(len(answer.split()) for answer in shown))
    means = {verbosity: np.mean(counts) for verbosity, counts in words.items()}
    assert means["terse"] < means["plain"] < means["talkative"]


def test_facts_about_life_are_told_once(small: dict[str, pa.Table]) -> None:
    for row in small["agents"].to_pylist():
        asked = [turn["question"] for turn in row["transcript"] if turn["kind"] == "background"]
        assert len(asked) == len(set(asked))
        age = next(fact["value"] for fact in row["demographics"] if fact["attribute"] == "age")
        told = [turn for turn in row["transcript"] if f" {age}" in turn["answer"]]
        assert len(told) <= 1


def test_every_asked_edge_has_its_masked_question(small: dict[str, pa.Table]) -> None:
    asked: dict[tuple[str, str], int] = defaultdict(int)
    for item in small["bsi"].to_pylist():
        asked[item["participant_id"], item["topic"]] += 1
    for row in small["agents"].to_pylist():
        masked = [turn for turn in row["transcript"] if turn["masked"]]
        assert len(masked) == asked[row["participant_id"], row["topic"]]
        assert {turn["kind"] for turn in masked} <= {"edge"}


@pytest.mark.parametrize(
    ("stance", "band"), [(1.0, 1), (2.49, 1), (2.5, 2), (5.5, 3), (8.5, 5), (10.0, 5)]
)
def test_stance_bands(stance: float, band: int) -> None:
    # Reported (halves up): 1, 2, 3, 6, 9, 10; bands 1-2, 3-4, 5-6, 7-8, 9-10.
    assert stance_band(stance) == band


def test_the_weakest_link_counts() -> None:
    assert weakest(["stated", "implied", "hinted"]) == "implied"
    assert weakest(["hinted", "stated"]) == "hinted"
    assert weakest([]) == "stated"


@pytest.fixture
def speaker(content: Content) -> Speaker:
    """Somebody talkative, flat and casual."""
    voice = Voice("talkative", "flat", "casual", "look,", "family")
    return Speaker(np.random.default_rng(5), voice, content.voices, set())


def test_nothing_is_said_twice(speaker: Speaker) -> None:
    pool = ("One thing.", "Another thing.")
    said = [speaker.say(pool), speaker.say(pool), speaker.say(pool)]
    assert {sentence.text for found in said for sentence in found} == set(pool)
    assert said[2] == []


def test_the_core_survives_whatever_is_put_around_it(speaker: Speaker) -> None:
    for number in range(40):
        clause = f"when it rains {number} times, I stay at home"
        answer = speaker.answer([Sentence(clause, "opinion")])
        assert clause.lower() + "." in answer.lower()


def test_imperatives_get_no_prefix(speaker: Speaker) -> None:
    for number in range(40):
        answer = speaker.answer([Sentence(f"show me {number} of them", "opinion")])
        assert f"Show me {number} of them." in answer


def test_an_answer_is_never_empty(speaker: Speaker) -> None:
    answers = [speaker.answer([]) for _ in range(10)]
    assert all(answers)
