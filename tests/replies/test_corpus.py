"""The corpus of replies is well-formed: schema, halves, no copies, no templates, balance."""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.replies.corpus import (
    BENCHMARKS,
    FORMS,
    Reply,
    classes,
    held_out,
    load,
    six_grams,
    words,
)

WANTED = 1500
SHARED = 0.3
"""Largest share of the shorter reply's six-word sequences that another written one may have."""
FEWEST_GRAMS = 5
"""Shorter replies count as if they had so many, or two answers of one clause would be a template."""


@pytest.fixture(scope="module")
def replies() -> list[Reply]:
    return load("open") + load("held")


def test_the_corpus_is_large_enough(replies: list[Reply]) -> None:
    assert len(replies) >= WANTED


def test_every_id_and_every_reply_to_a_question_stands_once(replies: list[Reply]) -> None:
    ids = Counter(reply.id for reply in replies)
    assert [name for name, count in ids.items() if count > 1] == []
    assert copies(replies) == []


def test_no_two_written_replies_share_a_template(replies: list[Reply]) -> None:
    assert templates([reply for reply in replies if reply.source == "written"]) == []


def test_halves_are_halves(replies: list[Reply]) -> None:
    held = sum(held_out(reply.id) for reply in replies)
    # Four standard deviations of a fair draw.
    assert abs(held - len(replies) / 2) < 2 * len(replies) ** 0.5


def test_every_benchmark_and_form_is_there(replies: list[Reply]) -> None:
    forms = Counter(reply.form for reply in replies)
    assert {form: forms[form] for form in FORMS if forms[form] < 20} == {}
    counts = Counter(reply.benchmark for reply in replies)
    assert {name: counts[name] for name in BENCHMARKS if counts[name] < 80} == {}


def test_two_fifths_are_longer_than_one_word(replies: list[Reply]) -> None:
    assert sum(len(words(reply.reply)) > 1 for reply in replies) >= 0.4 * len(replies)


def test_no_class_of_answers_is_rare_among_written_replies(replies: list[Reply]) -> None:
    assert rare([reply for reply in replies if reply.source == "written"]) == {}


def test_every_verdict_has_a_second_reader(replies: list[Reply]) -> None:
    assert sum(not reply.readers for reply in replies) == 0


def copies(replies: list[Reply]) -> list[list[str]]:
    """Ids with the same reply to the same question; written ones of over three words, to any."""
    same: dict[tuple[str, str], list[str]] = defaultdict(list)
    for reply in replies:
        anywhere = reply.source == "written" and len(words(reply.reply)) > 3
        asked = "" if anywhere else json.dumps(reply.ask, sort_keys=True)
        same[reply.reply.strip(), f"{reply.form} {asked}"].append(reply.id)
    return [names for names in same.values() if len(names) > 1]


def templates(replies: list[Reply]) -> list[tuple[str, str, float]]:
    """Pairs of ids with the share of their common six-word sequences, where it is too large."""
    grams = {reply.id: six_grams(reply) for reply in replies}
    holders: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, found in grams.items():
        for gram in found:
            holders[gram].append(name)
    shared = Counter(
        pair for names in holders.values() for pair in itertools.combinations(sorted(names), 2)
    )
    shares = [
        (one, other, count / max(min(len(grams[one]), len(grams[other])), FEWEST_GRAMS))
        for (one, other), count in shared.items()
    ]
    return [entry for entry in shares if entry[2] > SHARED]


def rare(replies: list[Reply]) -> dict[str, dict[Any, int]]:
    """By form and question's classes, those with less than half of an even share of the answers."""
    counts: dict[tuple[str, Any], Counter[Any]] = defaultdict(Counter)
    for reply in replies:
        if reply.answer is not None and (known := classes(reply.form, reply.asked)):
            counts[reply.form, known][reply.answer] += 1
    return {
        f"{form} {known[0]}–{known[-1]}": few
        for (form, known), found in counts.items()
        if (
            few := {one: found[one] for one in known if found[one] < found.total() / len(known) / 2}
        )
    }


def _reply(**changed: Any) -> dict[str, Any]:
    return {
        "id": "t-1",
        "form": "debate_direct",
        "ask": {"proposition": "Naps should be paid", "wants": "one word"},
        "reply": "Agree",
        "answer": "agree",
        "source": "written",
        "writer": 1,
    } | changed


RANKING = {"attribute": "Age", "levels": ["18-29", "65+"]}
JUDGED = {"marker": "W", "rules": "strict", "criteria": {"x": 2}}
SCALE = {"question": "How?", "scale": [1, 5], "labels": ["not", "much"]}
EFFECTS = {"omnibus_effect_size": "small", "contrast_effect_size": None}


@pytest.mark.parametrize(
    "changed",
    [
        {"answer": "Agree"},
        {"answer": True},
        {"form": "debate_other"},
        {"ask": {"proposition": "Naps", "wants": "one word", "gold": "agree"}},
        {"readers": [1]},
        {"id": "T 1"},
        {"form": "hugagent_number", "ask": SCALE, "answer": 6},
        {"form": "hugagent_number", "ask": SCALE, "answer": "3"},
        {"form": "hugagent_number", "ask": SCALE, "answer": True},
        {"form": "hugagent_letter", "ask": {"question": "?", "options": ["p", "n"]}, "answer": "a"},
        {"form": "trust_game_amount", "ask": {"kind": "round", "endowment": 10}, "answer": 11},
        {"form": "trust_game_amount", "ask": {"kind": "round", "endowment": 10}, "answer": 2.5},
        {"form": "trust_game_ranking", "ask": RANKING, "answer": {"ranking": ["65+"], **EFFECTS}},
        {"form": "trust_game_ranking", "ask": RANKING, "answer": {"ranking": None}},
        {
            "form": "trust_game_dollars",
            "ask": RANKING | {"endowment": 10},
            "answer": {"18-29": [11, 1], "65+": [3, None]},
        },
        {"form": "synchtom_judge", "ask": JUDGED, "answer": {"x": [1]}},
        {"form": "synchtom_judge", "ask": JUDGED, "answer": {"x": [1, 2]}},
    ],
)
def test_a_line_that_answers_something_else_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Reply.model_validate(_reply(**changed))


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"answer": None},
        {"form": "hugagent_number", "ask": SCALE, "answer": 5},
        {
            "form": "socialmindchange_letter",
            "ask": {"question": "?", "options": ["p"] * 16},
            "answer": "p",
        },
        {
            "form": "trust_game_amount",
            "ask": {"kind": "round", "endowment": 10, "fractions": True},
            "answer": 2.5,
        },
        {
            "form": "trust_game_ranking",
            "ask": RANKING,
            "answer": {"ranking": ["65+", "18-29"], **EFFECTS},
        },
        {
            "form": "trust_game_dollars",
            "ask": RANKING | {"endowment": 10},
            "answer": {"18-29": [0, 1], "65+": [3, None]},
        },
        {"form": "synchtom_judge", "ask": JUDGED, "answer": {"x": [0, 1]}},
    ],
)
def test_a_line_that_answers_the_question_is_taken(changed: dict[str, Any]) -> None:
    assert Reply.model_validate(_reply(**changed)).asked


def test_a_faulty_line_is_named_and_not_quoted(tmp_path: Path) -> None:
    name = next(f"t-{number}" for number in itertools.count() if held_out(f"t-{number}"))
    line = json.dumps(_reply(id=name, reply="a secret reply", answer="maybe so"))
    (tmp_path / "held").mkdir()
    (tmp_path / "held" / "debate_direct.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(ValueError, match=r"held/debate_direct.jsonl, line 1") as caught:
        load("held", tmp_path)
    assert "secret" not in str(caught.value)
    assert "maybe" not in str(caught.value)


def test_a_line_in_the_wrong_half_is_refused(tmp_path: Path) -> None:
    name = next(f"t-{number}" for number in itertools.count() if held_out(f"t-{number}"))
    (tmp_path / "open").mkdir()
    path = tmp_path / "open" / "debate_direct.jsonl"
    path.write_text(json.dumps(_reply(id=name)), encoding="utf-8")
    with pytest.raises(ValueError, match="other half"):
        load("open", tmp_path)


def test_a_template_is_found_through_its_numbers() -> None:
    one, other, third = (
        Reply.model_validate(_reply(id=f"t-{place}", reply=text))
        for place, text in enumerate(
            (
                "After 12 years of work as a nurse this person would surely agree.",
                "After 30 years of work as a cook this person would surely agree.",
                "A tired father of two: naps on the clock sound fine to him, so yes, he agrees.",
            )
        )
    )
    # Six-word sequences: 8 in each of the first two, of which "after # years of work as", "# years of
    # work as a" are the same: 2/8 is let through.
    assert templates([one, other, third]) == []
    again = Reply.model_validate(_reply(id="t-3", reply=one.reply.replace("12", "40") + " Yes."))
    assert [pair[:2] for pair in templates([one, again, third])] == [("t-0", "t-3")]


def test_copies_and_rare_classes_are_found() -> None:
    few = [Reply.model_validate(_reply(id=f"t-{place}")) for place in range(3)]
    assert copies(few) == [["t-0", "t-1", "t-2"]]
    assert rare(few) == {"debate_direct agree–disagree": {"disagree": 0}}
