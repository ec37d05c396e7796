"""Every cheat of a scripted author is refused by the check that should; good texts pass all."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from functools import cache

import pytest

from otherminds import manifest
from otherminds.construct import Plan, Role, Unit, judging
from otherminds.data import kept
from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.synchtom import proofs
from otherminds.tasks.synchtom.construction import PIPELINE, frames
from tests.helpers.scripted_synchtom import CHEATS, THOUGHT_OF, Reply, good


@cache
def units() -> tuple[Unit, ...]:
    """All units of the project's own material, with all texts of the good author."""
    return tuple(_finished(unit) for unit in frames(Plan()))


def _finished(unit: Unit) -> Unit:
    for stage in PIPELINE.stages:
        reply = good(unit, stage.name)
        if stage.role is Role.AUTHOR:
            unit = replace(unit, texts={**unit.texts, stage.name: reply})
        else:
            unit = replace(unit, judged={**unit.judged, stage.name: [reply]})
    return unit


def _refused(unit: Unit, stage: str, reply: Reply, others: tuple[Unit, ...] = ()) -> dict[str, str]:
    """By check, the first reason against a reply, as an import finds it."""
    asked = PIPELINE.stage(stage)
    try:
        content = judging.content(_dumped(reply), asked.ask(unit).reply)
    except judging.FaultyError as error:
        found = list(error.refusals)
    else:
        found = judging.refusals(asked, unit, content, others)
    return {one.check: str(one) for one in reversed(found)}


def _dumped(reply: Reply) -> str:
    import json

    return json.dumps(reply, ensure_ascii=False)


def test_the_good_author_passes_every_check_of_every_unit() -> None:
    for unit in units():
        others = tuple(one for one in units() if one.unit_id != unit.unit_id)
        for stage in PIPELINE.stages:
            said = _refused(unit, stage.name, good(unit, stage.name), others)
            assert said == {}, (unit.unit_id, stage.name)


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_refused_by_the_check_that_should(name: str) -> None:
    cheat = CHEATS[name]
    for unit in units():
        reply = good(unit, cheat.stage)
        cheat.change(reply, unit)
        said = _refused(unit, cheat.stage, reply)
        assert cheat.check in said, (unit.unit_id, said)
        # Words that an author can act on.
        assert len(re.findall(r"\w+", said[cheat.check])) > 5


def test_a_copy_of_another_unit_is_refused() -> None:
    film, other = (
        unit for unit in units() if unit.unit_id in ("preference-film-1", "culture-clock-1")
    )
    for stage in ("scenario", "trajectory"):
        said = _refused(film, stage, dict(other.texts[stage]), (other,))
        assert other.unit_id in said["own_words"]
    # One sentence is enough.
    reply = good(film, "trajectory")
    reply["turns"][4]["observation"] = other.texts["trajectory"]["turns"][1]["action"]
    assert "A sentence is that of" in _refused(film, "trajectory", reply, (other,))["own_words"]


def test_all_reasons_come_at_once() -> None:
    [film] = (unit for unit in units() if unit.unit_id == "preference-film-1")
    reply = good(film, "trajectory")
    reply["turns"][1]["action"] = "She believes that it is the scanner, after all."
    reply["turns"][2]["observation"] = "The foam has crumbled."
    said = _refused(film, "trajectory", reply)
    assert set(said) == {"belief_stated", "belief_kept", "truth_leaked"}
    assert "“foam”, “crumble”" in said["truth_leaked"]
    assert "turns.2.observation" in said["truth_leaked"]


def test_thought_of_texts_read_as_written() -> None:
    assert {unit.unit_id for unit in units()} >= set(THOUGHT_OF)
    for name, texts in THOUGHT_OF.items():
        shown = [text for _, text in proofs.shown_texts(texts["trajectory"])]
        assert len(shown) == 20
        assert len({text.split()[0] for text in shown}) > 3, name


@pytest.mark.parametrize(
    "said", ["foam", "fóam", "f-o-a-m", "f. o. a. m.", "fo-am", "FOAM", "ｆｏａｍ", "light-seals"]
)
def test_a_secret_is_found_however_it_is_spelt(said: str) -> None:
    [film] = (unit for unit in units() if unit.unit_id == "preference-film-1")
    reply = good(film, "trajectory")
    reply["turns"][2]["observation"] = f"Under the loupe he finds crumbs of {said}, he says."
    assert "turns.2.observation" in _refused(film, "trajectory", reply)["truth_leaked"]


@pytest.mark.parametrize(
    ("dimension", "kind", "criterion"),
    [
        ("user_profile_modeling", "trait", "Says that the user trusts film above everything else."),
        (
            "latent_belief_explanation",
            "reason",
            "Says that the previous owner of the scanner is somebody whom the user distrusts.",
        ),
        ("correct_resolution", "remedy", "Recommends against a complaint, and for new foam seals."),
        ("correct_resolution", "refutes", "Rejects the idea that anything was scanned."),
    ],
)
def test_a_criterion_in_words_of_its_own_passes(dimension: str, kind: str, criterion: str) -> None:
    """What authors wrote and was refused although nothing was wrong with it."""
    [film] = (unit for unit in units() if unit.unit_id == "preference-film-1")
    reply = good(film, "rubrics")
    reply[dimension].append({"kind": kind, "criterion": criterion})
    assert _refused(film, "rubrics", reply) == {}


@pytest.mark.parametrize(
    ("where", "text"),
    [
        (
            "action",
            "To Derek he swore that the sacks on every shelf hold lifeless dust these days.",
        ),
        ("observation", "Derek said that yeast goes to sleep in a cellar, and wants hours more."),
        ("observation", '"So it was never the mill," he murmured.'),
    ],
    ids=["belief", "truth", "given up"],
)
def test_what_other_words_say_is_left_to_validators(where: str, text: str) -> None:
    """No check of words sees a belief, a truth or a change of mind in words of its own.

    So every trajectory has a validator, who is asked for just this; a check that learns to see one of
    these moves it from here.
    """
    made = kept.source(manifest.load("synchtom-made"))
    assert made is not None
    unit = next(one for one in constructed.read(made).units if one.unit_id == "preference-bread-1")
    scenario, written = unit.texts["scenario"], deepcopy(unit.texts["trajectory"])
    written["turns"][3][where] = text
    for proof in (proofs.acts, proofs.no_truth, proofs.keeps_on, proofs.follows):
        assert not list(proof(unit.frame, written, scenario))
    after = next(one for one in PIPELINE.stages if one.role is Role.VALIDATOR)
    assert "trajectory_belief_consistency" in after.ask(unit).reply.model_fields
