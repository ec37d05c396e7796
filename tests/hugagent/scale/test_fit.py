"""Reading people's answers, what they say of a population, and the fit."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from otherminds.dataset_builders.hugagent import answers, fitting
from otherminds.dataset_builders.hugagent.answers import Answer, Answers, AnswersError
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.scale.audits import fitted
from otherminds.dataset_builders.hugagent.world import parameters

HEADER = (
    "item_id,participant_id,topic,task,question_id,question_type,scale_low,scale_high,reason_code,"
    "gold"
)
GOOD = (
    "a,P1,zoning,bdu,1.1,opinion,1,10,,10",
    "b,P1,zoning,bdu,1.2,opinion,1,10,,10",
    "c,P1,zoning,bdu,1.3,opinion,1,10,,5",
    "d,P2,zoning,bdu,1.1,opinion,1,10,,4",
    "e,P2,zoning,bdu,1.4,opinion,1,10,,6",
    "f,P3,zoning,bdu,1.4,opinion,1,10,,1",
    "g,P1,zoning,bdu,1.2r_A,reason_evaluation,1,5,A,1",
    "h,P2,zoning,bdu,1.2r_A,reason_evaluation,1,5,A,5",
    "i,P1,zoning,bsi,,,,,,A",
    "j,P2,zoning,bsi,,,,,,A/B",
    "k,P3,zoning,bdu,1.4r_G,reason_evaluation,1,5,G,0",
)


def _written(folder: Path, *lines: str) -> Path:
    path = folder / "golds.csv"
    path.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    return path


def test_shares_by_hand(tmp_path: Path) -> None:
    found = answers.shares(answers.read_answers(_written(tmp_path, *GOOD)), "zoning")
    # Two baselines, 10 and 4; after scenarios 10, 5, 6 and 1, of which the last has no baseline.
    assert found["baseline_ends"] == 0.5
    assert found["scenario_ends"] == 0.5
    # Of three pairs (0, −5, + 2) one is unchanged, one up, one down, one by five.
    for name in ("unchanged", "up", "down", "large_changes"):
        assert found[name] == pytest.approx(1 / 3)
    # The reason that everybody answered off the scale is known of the release, and left out.
    assert found["lowest_ratings"] == 0.5
    # "A/B" is neither letter.
    assert found["bsi_positive"] == 1.0
    assert math.isnan(
        answers.shares(answers.read_answers(_written(tmp_path, *GOOD)), "healthcare")["up"]
    )


def test_ratings_within_a_person_by_hand() -> None:
    """Two people, each of one mind: all variance lies between them."""
    of_one_mind = [
        Answer(person, "zoning", question, value)
        for person, value in (("P1", 1), ("P2", 5))
        for question in ("1.2r_A", "1.2r_B")
    ]
    assert answers.within_person(of_one_mind) == 1.0
    # Both rate A 1 and B 5: about the questions' means nothing is left.
    same = [
        Answer(person, "zoning", question, value)
        for person in ("P1", "P2")
        for question, value in (("1.2r_A", 1), ("1.2r_B", 5))
    ]
    assert math.isnan(answers.within_person(same))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "x,P1,zoning,bdu,1.1,opinion,1,10,,11",
            r"line 2: the answer '11' is off the scale of 1 to 10",
        ),
        ("x,P1,zoning,bdu,1.1,opinion,1,10,,0", "off the scale"),
        ("x,P1,zoning,bdu,1.1,opinion,1,10,,much", "off the scale"),
        ("x,P1,zoning,bdu,1.2r_A,reason_evaluation,1,5,A,6", "off the scale of 1 to 5"),
        ("x,P1,zoning,bdu,3.7,opinion,1,10,,3", "'3.7' is no opinion question on zoning"),
        ("x,P1,zoning,bdu,1.9r_A,reason_evaluation,1,5,A,3", "no reason's question on zoning"),
        ("x,P1,zoning,bsi,,,,,,C", "none of A, B, A/B"),
        ("x,P1,parking,bdu,1.1,opinion,1,10,,3", "'parking' is none of healthcare"),
    ],
)
def test_an_answer_that_cannot_be_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(AnswersError, match=message):
        answers.read_answers(_written(tmp_path, line))


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "golds.csv"
    path.write_text("participant_id,topic\nP1,zoning\n")
    with pytest.raises(AnswersError, match="lacks the columns gold"):
        answers.read_answers(path)


def test_a_third_is_held_out_whole_and_always_the_same_people() -> None:
    everybody = Answers(tuple(Answer(f"P{n}", "zoning", "1.1", 3) for n in range(30)), (), ())
    kept, out = answers.split(everybody, 1)
    assert len(out.people) == 10
    assert not set(kept.people) & set(out.people)
    assert answers.split(everybody, 1)[1] == out
    assert answers.split(everybody, 2)[1] != out


def test_targets_that_cannot_be_met_together_are_named() -> None:
    said: Any = {
        "zoning": {
            "people": {"unchanged": 0.3, "baseline_ends": 0.5, "scenario_ends": 0.5},
            "population": {"unchanged": 0.45, "baseline_ends": 0.5, "scenario_ends": 0.6},
        }
    }
    assert fitting.missed(said) == [
        "zoning: unchanged is 0.45, people's 0.30, at most 0.10 apart is wanted"
    ]


def test_the_command_writes_nothing_that_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = {
        "zoning": {
            "people": dict.fromkeys(fitting.TOLERANCE, 0.0),
            "population": dict.fromkeys(fitting.TOLERANCE, 1.0),
        }
    }
    monkeypatch.setattr(fitting, "fit", lambda *_: fitting.Fit(parameters.load(), report))
    words = [str(_written(tmp_path, *GOOD)), "-o", str(tmp_path / "out")]
    with pytest.raises(
        fitting.FitError, match=r"cannot be met together: zoning: unchanged.*Nothing is written"
    ):
        fitting.main(words)
    assert not (tmp_path / "out").exists()
    fitting.main([*words, "--missed-too"])
    assert (tmp_path / "out" / "parameters.yaml").is_file()


def test_shrinkage_by_hand() -> None:
    # Six answers with a share of 1, and four toward 0.5.
    assert fitting._between(1.0, 0.5, 6) == pytest.approx(0.8)
    assert fitting._between(math.nan, 0.5, 0) == 0.5


def test_the_release_meets_its_tolerances() -> None:
    assert fitting.missed(fitted()) == []
    assert set(fitted()) == set(TOPICS)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_population_of_other_people_has_the_reported_shares(topic: str) -> None:
    found = fitting.simulated(parameters.load()[topic], TOPICS.index(topic), 77, 200)
    for name in ("unchanged", "baseline_ends", "scenario_ends", "lowest_ratings"):
        assert found[name] == pytest.approx(fitted()[topic]["population"][name], abs=0.12)
