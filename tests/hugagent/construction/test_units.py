"""Frames of units: the same words give the same units, and golds follow from a unit alone."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from otherminds import manifest
from otherminds.construct import Plan, pipelines
from otherminds.construct import folder as folders
from otherminds.dataset_builders.hugagent.authored import derived, exchanges, form, lines, units
from otherminds.dataset_builders.hugagent.authored.given import Given
from otherminds.dataset_builders.hugagent.features import TOPICS
from tests.helpers import scripted_hugagent as author
from tests.hugagent.construction.conftest import frames


def test_an_export_is_deterministic(tmp_path: Path) -> None:
    pipeline = pipelines.named("hugagent")
    for name in ("one", "other"):
        units._minds.cache_clear()
        folders.export(pipeline, Plan(n=2, seed=0), tmp_path / name)
    for path in ("frames.jsonl", "sheets/portrait.jsonl"):
        one, other = ((tmp_path / name / path).read_bytes() for name in ("one", "other"))
        assert one == other
    assert pipeline.frames(Plan(n=2, seed=1))[0].frame != frames()[0].frame


def test_golds_follow_from_the_networks() -> None:
    found = [
        (has, follows)
        for unit in frames(6)
        for topic in TOPICS
        for _, has, follows in derived.golds(topic, unit.frame["topics"][topic])
    ]
    assert len(found) > 150
    assert all(has == follows for has, follows in found)


def test_a_person_is_asked_as_much_as_in_the_scale_edition() -> None:
    known = manifest.load("hugagent-synthetic").generator
    assert known is not None
    assert known["items"] == {task: dict(counts) for task, counts in units._ITEMS.items()}
    assert known["agents"] == units._SCALE_PEOPLE
    for task, counts in units._ITEMS.items():
        for topic in TOPICS:
            asked = [len(unit.frame["topics"][topic][task]) for unit in frames(6)]
            assert {int(counts[topic] / 500), int(counts[topic] / 500) + 1} >= set(asked)


def test_nobody_is_of_a_seed_of_the_scale_edition() -> None:
    known = manifest.load("hugagent-synthetic").generator
    assert known is not None
    assert all(unit.frame["seed"] >= units.FIRST_SEED > known["seed"] for unit in frames(6))
    people = [json.dumps(unit.frame["demographics"], sort_keys=True) for unit in frames(6)]
    assert len(set(people)) == len(people)


def test_interviews_have_their_length_and_carry_every_claim_once() -> None:
    for unit in frames(6):
        for topic in TOPICS:
            given = Given.of(unit, topic)
            assert exchanges.LEAST <= len(given.exchanges) <= exchanges.MOST
            told = Counter(name for one in given.exchanges for name in one.claims)
            assert told == Counter(dict.fromkeys(given.claims, 1))
            # What takes up a claim comes after it, and no hint points the wrong way.
            when = {name: one.number for one in given.exchanges for name in one.claims}
            signs = {
                (one["source"], one["target"]): one["sign"]
                for one in unit.frame["topics"][topic]["mind"]["graph"]["edges"]
            }
            for claim in given.claims.values():
                assert not claim.about or when[claim.about] < when[claim.claim_id]
                if claim.kind == "effect":
                    assert claim.sign == signs[claim.source, claim.target]


def test_no_polarity_question_asks_what_an_item_asks() -> None:
    counts = Counter[str]()
    for unit in frames(6):
        for topic in TOPICS:
            given = Given.of(unit, topic)
            for one in given.exchanges:
                counts[one.form] += 1
                assert (one.about, one.onto) not in unit.frame["topics"][topic]["asked"]
                if one.onto == "stance":
                    kinds = {given.claims[name].kind for name in one.claims}
                    assert "weight" in kinds
    assert counts["polarity"] > 20


def test_a_sheet_has_every_claim_and_no_gold() -> None:
    pipeline = pipelines.named("hugagent")
    unit = frames()[0]
    given = Given.of(unit, "zoning")
    own = replace(unit, texts={"portrait": author.good(unit, "portrait")})
    shown = pipeline.stage("zoning").ask(own).prompt
    for name, claim in given.claims.items():
        assert f"{name}, {claim.told}: {lines.claim_line(given, claim)}" in shown
    assert form.CLOSING in shown
    for line in [*lines.hidden_lines(given), *lines.masked_lines(given)]:
        assert f"- {line}" in shown
    for item in given.items:
        assert item["question"] not in shown


def test_plans_that_cannot_be_met(tmp_path: Path) -> None:
    pipeline = pipelines.named("hugagent")
    with pytest.raises(ValueError, match="n is 0"):
        pipeline.frames(Plan(n=0))
    with pytest.raises(ValueError, match="takes no material"):
        pipeline.frames(Plan(material=tmp_path))
