"""What a reader must not stumble over: beliefs nobody holds, contradictions, lives that do not fit."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import pytest

from otherminds.dataset_builders.hugagent import synthetic
from otherminds.dataset_builders.hugagent.decoder import Decoder
from otherminds.dataset_builders.hugagent.graph import draw_structure
from otherminds.dataset_builders.hugagent.lexicon import Normalized, sentences, template_text
from otherminds.dataset_builders.hugagent.naming import name_nodes
from otherminds.dataset_builders.hugagent.people import Voice, draw_person, unfit_phrases
from otherminds.dataset_builders.hugagent.population import STANCE
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.speech import Sentence, Speaker
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.dataset_builders.hugagent.synthetic import SyntheticSpec

Row = dict[str, Any]
LOW_INTEREST = {("indifferent", 0), ("importance", 1), ("importance_hint", "low")}


@pytest.fixture(scope="module")
def rows(release: SyntheticSpec) -> list[Row]:
    """Forty people on three topics."""
    tables = synthetic.build(synthetic.scaled(release, 40))
    found: list[Row] = tables["agents"].to_pylist()
    return found


@pytest.fixture(scope="module")
def decoders(content: Content) -> dict[str, Decoder]:
    return {name: Decoder(content, topic) for name, topic in content.topics.items()}


def read(decoder: Decoder, answer: str) -> Iterator[tuple[tuple[str, int | str], Normalized, str]]:
    """Kind and class, the sentence, and the template of each sentence that carries evidence."""
    for sentence in sentences(answer):
        found = decoder.meaning(sentence)
        if found is not None:
            yield (found[0].kind, found[0].level), found[1], found[2]


def test_beliefs_join_only_what_people_connect(rows: list[Row], content: Content) -> None:
    expected = []
    for row in rows:
        topic = content.topics[row["topic"]]
        for edge in row["graph"]["edges"]:
            if edge["target"] == STANCE:
                continue
            effect = topic.effect(edge["source"], edge["target"])
            assert effect != 0
            if edge["sign"] != 0:
                expected.append(edge["sign"] * effect > 0)
    # About four in five go the way most people think; eccentrics exist.
    assert 0.75 < np.mean(expected) < 0.92


@pytest.mark.parametrize("number", range(12))
def test_named_networks_stay_whole(content: Content, number: int) -> None:
    person = draw_person(agent_stream(3, number, Purpose.PERSON), content)
    for topic in content.topics.values():
        rng = np.random.default_rng(number)
        graph = name_nodes(rng, draw_structure(rng, topic.statistics), person, topic)
        assert nx.is_weakly_connected(graph)
        assert graph.in_degree(STANCE) >= 4
        assert graph.out_degree(STANCE) == 0
        assert graph.number_of_edges() - graph.in_degree(STANCE) >= 4
        assert not any(graph.has_edge(target, source) for source, target in graph.edges)


def test_only_one_thing_matters_most(
    rows: list[Row], content: Content, decoders: dict[str, Decoder]
) -> None:
    top = {template_text(template) for template in content.voices.importance_top.all}
    seen = 0
    for row in rows:
        weightiest = max(row["weights"], key=lambda entry: entry["weight"])["factor"]
        said = [
            normalized.within(template)
            for turn in row["transcript"]
            for _, normalized, template in read(decoders[row["topic"]], turn["answer"])
            if template in top
        ]
        assert len(said) <= 1
        seen += len(said)
        assert all(found[0].factor == weightiest for found in said)
    assert seen


def test_no_link_is_told_from_two_sides(rows: list[Row], decoders: dict[str, Decoder]) -> None:
    for row in rows:
        told: dict[tuple[str, str], set[tuple[int, int]]] = defaultdict(set)
        shown: Counter[frozenset[str]] = Counter()
        for turn in row["transcript"]:
            for (kind, _), normalized, template in read(decoders[row["topic"]], turn["answer"]):
                if kind not in ("link", "link_hint"):
                    continue
                cause, result = normalized.within(template)
                shown[frozenset((cause.factor, result.factor))] += not turn["masked"]
                # A hint may point the wrong way, and the masked answer is not shown with it.
                if kind == "link":
                    told[cause.factor, result.factor].add((cause.direction, result.direction))
        assert all(len(sides) == 1 for sides in told.values())
        assert max(shown.values(), default=0) <= 1


def test_nobody_is_probed_on_what_they_waved_off(
    rows: list[Row], content: Content, decoders: dict[str, Decoder]
) -> None:
    waved_off = 0
    for row in rows:
        topic, decoder = content.topics[row["topic"]], decoders[row["topic"]]
        closed: set[str] = set()
        fresh = False
        for turn in row["transcript"]:
            if turn["masked"]:
                continue
            assert not (fresh and turn["kind"] == "followup")
            if turn["kind"] == "experience":
                assert not [name for name in closed if topic.by_name[name].noun in turn["question"]]
            new = {
                next(entry.factor for entry in normalized.within(template) if entry.factor)
                for meaning, normalized, template in read(decoder, turn["answer"])
                if meaning in LOW_INTEREST
            }
            closed |= new
            fresh = bool(new)
            waved_off += len(new)
    assert waved_off


def test_habits_and_asides_are_not_repeated(rows: list[Row], content: Content) -> None:
    everybody = content.voices.habits
    habits = {
        text
        for register in (everybody.plain, everybody.casual, everybody.formal)
        for texts in (register.family, register.job, register.numbers, register.place)
        for text in texts
    }
    said: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        answers = [turn["answer"] for turn in row["transcript"]]
        parts = Counter(part for answer in answers for part in sentences(answer))
        said[row["participant_id"]].update({habit: parts[habit] for habit in habits & set(parts)})
        for factor in content.topics[row["topic"]].factors:
            told = sum(aside in answer for aside in factor.asides for answer in answers)
            assert told <= 1, factor.name
    assert any(said.values())
    assert all(max(counts.values(), default=0) <= 1 for counts in said.values())


def test_what_people_say_of_their_lives_fits(rows: list[Row], content: Content) -> None:
    # Stories carry evidence, so one is told even where none fits; so do statements of a stance.
    held_back = 0
    for row in rows:
        facts = {fact["attribute"]: fact["value"] for fact in row["demographics"]}
        unfit = unfit_phrases(facts, content)
        held_back += bool(unfit)
        for turn in row["transcript"]:
            if turn["kind"] not in ("experience", "stance"):
                assert not [phrase for phrase in unfit if phrase in turn["answer"]], turn
    assert held_back


def test_retired_aides_are_seldom_rich(content: Content) -> None:
    rich: dict[str, list[bool]] = defaultdict(list)
    for number in range(1500):
        facts = draw_person(agent_stream(1, number, Purpose.PERSON), content).demographics
        rich[facts["employment"]].append(facts["household income"].startswith(("$100", "$150")))
    assert np.mean(rich["retired"]) < 0.5 * np.mean(rich["employed full time"])


def test_casual_people_use_the_short_names_of_a_policy(rows: list[Row], content: Content) -> None:
    for row in rows:
        if row["voice"]["register"] == "casual":
            policy = content.topics[row["topic"]].policy
            assert not any(policy in turn["answer"] for turn in row["transcript"])


def test_closing_answers_fit_their_questions(rows: list[Row], content: Content) -> None:
    for row in rows:
        last = row["transcript"][-1]
        (fitting,) = (
            exchange.answers
            for exchange in content.topics[row["topic"]].chatter.closing
            if last["question"] in exchange.questions
        )
        assert any(answer in last["answer"] for answer in fitting)


@pytest.mark.parametrize("certainty", ["hedging", "flat"])
def test_one_frame_to_a_sentence(content: Content, certainty: Any) -> None:
    voices = content.voices
    framing = (*voices.hedges.formal, *voices.assertions.formal, *voices.openers.formal, "broadly,")
    speaker = Speaker(
        np.random.default_rng(2),
        Voice("talkative", certainty, "formal", "broadly,", "job"),
        voices,
        set(),
    )
    framed = [
        speaker.answer([Sentence(f"one may expect that {n} follow", "opinion")]) for n in range(60)
    ]
    direct = [speaker.answer([Sentence(f"if {n} come, {n} go", "opinion")]) for n in range(60)]
    frame = re.compile("|".join(re.escape(text) for text in framing if text[-1] not in ".!?"), re.I)
    assert not any(frame.search(answer.split("one may expect")[0]) for answer in framed)
    assert any(frame.search(answer) for answer in direct)
