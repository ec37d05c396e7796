"""The rows without a model: they see no gold of the person, and are scored as runs are."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from otherminds import harness, manifest
from otherminds.errors import OtherMindsError
from otherminds.metrics.hugagent import RANDOM
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.tasks.hugagent import baselines
from otherminds.tasks.hugagent.baselines import Baseline, Baselines
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.weightless import DemographicLinear
from otherminds.weightless import ridge as demographic
from otherminds.weightless.lm import make
from tests.helpers import fictional_hugagent

TASK = "hugagent_synthetic"
COLUMNS = [
    *("item_id", "participant_id", "topic", "task", "demographics", "options", "scale"),
    *("question_id", "question_type", "answer"),
]


@pytest.fixture(scope="module")
def docs(twelve_people: Path) -> list[dict[str, Any]]:
    task = harness.load_tasks(harness.task_manager(), [TASK])[TASK]
    return list(task.eval_docs.select_columns(COLUMNS).to_list())


@pytest.fixture(scope="module")
def found(twelve_people: Path) -> Baselines:
    return baselines.baselines(TASK, seeds=5)


def row(of: Baselines, name: str) -> Baseline:
    [one] = [one for one in of.rows if one.name == name]
    return one


def chosen(strategy: DemographicLinear, docs: list[dict[str, Any]]) -> dict[str, str]:
    asked = [QUESTIONS.asked(doc) for doc in docs]
    strategy.fit(asked)
    return {one.doc["item_id"]: one.answers[strategy.choose(one, 0)] for one in asked}


def opposite(doc: dict[str, Any]) -> str:
    """The other letter, or the other side of the scale."""
    if doc["options"]:
        return {"A": "B", "B": "A"}[doc["answer"]]
    return str(sum(doc["scale"]) - int(doc["answer"]))


@pytest.mark.parametrize("model", ["constant", "majority", "persistence", "demographic-linear"])
def test_a_row_is_what_a_run_of_the_same_strategy_scores(
    model: str, found: Baselines, tmp_path: Path
) -> None:
    flags = ["--model", model, "--output_path", str(tmp_path)]
    results = run([TASK], flags, Options()).results["results"][TASK]
    for metric in found.metrics:
        assert row(found, model).summary[metric].value == results[f"{metric},none"]
        stderr = results[f"{metric}_stderr,none"]
        assert row(found, model).summary[metric].stderr == pytest.approx(stderr, nan_ok=True)


def test_random_has_the_mean_and_the_spread_of_its_seeds(found: Baselines, tmp_path: Path) -> None:
    scored = []
    for seed in range(5):
        out = str(tmp_path / str(seed))
        flags = ["--model", "random", "--model_args", f"seed={seed}", "--output_path", out]
        finished = run([TASK], flags, Options())
        scored.append(finished.results["results"][TASK])
    for metric in found.metrics:
        values = [one[f"{metric},none"] for one in scored]
        assert row(found, "random").summary[metric].value == pytest.approx(np.mean(values))
        spread = row(found, "random").sd_over_seeds["all"][metric]
        assert spread == pytest.approx(np.std(values, ddof=1))


def test_leaving_a_person_out_is_a_refit_without_that_person() -> None:
    rng = np.random.default_rng(4)
    people = [f"P{n}" for n in rng.integers(0, 12, 90)]
    x, y = rng.normal(size=(90, 7)), rng.normal(size=90)
    predictions = demographic.leave_one_person_out(x, y, people, alpha=3.0)
    for person in set(people):
        mine = np.array([one == person for one in people])
        refitted = Ridge(alpha=3.0).fit(x[~mine], y[~mine]).predict(x[mine])
        np.testing.assert_allclose(predictions[mine], refitted, atol=1e-9)


def test_a_persons_own_golds_never_change_what_is_predicted_of_them(
    docs: list[dict[str, Any]],
) -> None:
    before = chosen(DemographicLinear(), docs)
    changed_others = 0
    for person in sorted({doc["participant_id"] for doc in docs})[:3]:
        altered = [
            doc | {"answer": opposite(doc)} if doc["participant_id"] == person else doc
            for doc in docs
        ]
        after = chosen(DemographicLinear(), altered)
        mine = {doc["item_id"] for doc in docs if doc["participant_id"] == person}
        assert all(before[item] == after[item] for item in mine)
        changed_others += sum(before[item] != after[item] for item in set(before) - mine)
    assert changed_others


def test_a_raw_prediction_does_not_depend_on_own_targets_in_the_last_bit() -> None:
    rng = np.random.default_rng(1)
    people = [f"P{n % 9}" for n in range(60)]
    x, y = rng.normal(size=(60, 5)), rng.normal(size=60)
    mine = np.array([one == "P4" for one in people])
    before = demographic.leave_one_person_out(x, y, people, alpha=1.0)[mine]
    y[mine] = 1e6
    after = demographic.leave_one_person_out(x, y, people, alpha=1.0)[mine]
    assert np.array_equal(before, after)


def test_the_order_of_the_documents_does_not_matter(docs: list[dict[str, Any]]) -> None:
    assert chosen(DemographicLinear(), docs) == chosen(DemographicLinear(), docs[::-1])


def opinion(person: str, answer: str, **facts: str) -> dict[str, Any]:
    return {
        "item_id": f"{person}-1.1",
        "participant_id": person,
        "topic": "zoning",
        "task": "bdu",
        "question_id": "1.1",
        "question_type": "opinion",
        "options": [],
        "scale": [1, 10],
        "answer": answer,
        "demographics": [{"attribute": name, "value": value} for name, value in facts.items()],
    }


def test_answers_that_follow_from_demographics_are_found_and_clipped_into_the_scale() -> None:
    # The answer is the age in decades; nobody else is as old as the last two.
    ages = [10, 20, 30, 40, 50, 60, 70, 80, 160, 170]
    docs = [opinion(f"P{n}", str(age // 10), age=str(age), town="x") for n, age in enumerate(ages)]
    answers = chosen(DemographicLinear(alpha=1e-6), docs)
    assert [answers[doc["item_id"]] for doc in docs] == [
        *("1", "2", "3", "4", "5", "6", "7", "8", "10", "10")
    ]


def test_letters_are_predicted_by_the_sign() -> None:
    docs = []
    for n in range(12):
        side = "left" if n % 2 else "right"
        asked = opinion(f"P{n}", "A" if n % 2 else "B", side=side)
        letters = {"task": "bsi", "options": ["POSITIVE effect", "NEGATIVE effect"], "scale": []}
        docs.append(asked | letters | {"question_id": None, "question_type": None})
    docs[0]["answer"] = "A/B"
    answers = chosen(DemographicLinear(), docs)
    assert [answers[doc["item_id"]] for doc in docs] == ["B", "A"] * 6


def test_alone_the_answer_is_the_middle() -> None:
    assert chosen(DemographicLinear(), [opinion("P1", "10", age="30")]) == {"P1-1.1": "5"}


def test_a_table_takes_the_place_of_the_demographics(
    docs: list[dict[str, Any]], tmp_path: Path
) -> None:
    # A survey that asks each person's stance on zoning outright.
    stances = {doc["participant_id"]: doc["answer"] for doc in docs if doc["question_id"] == "1.1"}
    path = tmp_path / "people.csv"
    lines = [f"{person},{stance},west" for person, stance in stances.items()]
    path.write_text("\n".join(["participant_id,stance,region", *lines]) + "\n")
    known = baselines.baselines(TASK, seeds=2, table=path)
    plain = row(known, "demographic-linear").summary.by_topic["zoning"]
    surveyed = row(known, "demographic-linear on people.csv").summary.by_topic["zoning"]
    assert surveyed["bdu_mae"].value < plain["bdu_mae"].value

    make("demographic-linear", {"table": str(path), "alpha": 5})
    path.write_text("\n".join(["participant_id,stance,region", *lines[1:]]) + "\n")
    with pytest.raises(OtherMindsError, match="has no row for the participant 'S"):
        baselines.baselines(TASK, seeds=2, table=path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "needs a header with 'participant_id'"),
        ("person,age\nP1,3\n", "it has: 'person', 'age'"),
        ("participant_id\nP1\n", "at least one other column"),
        ("participant_id,age,age\nP1,3,3\n", "each name once"),
        ("participant_id,age\nP1,3\nP1,4\n", "row 3, column 'participant_id': 'P1' is given twice"),
        ("participant_id,age\n,3\n", "row 2, column 'participant_id': it is empty"),
        ("participant_id,age\nP1\n", "row 2: 1 cells for 2 columns"),
    ],
)
def test_a_wrong_table_is_one_clear_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text(content)
    with pytest.raises(OtherMindsError, match=message) as raised:
        make("demographic-linear", {"table": str(path)})
    assert "\n" not in str(raised.value)


def test_wrong_arguments_are_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="must be a positive number"):
        make("demographic-linear", {"alpha": 0})
    with pytest.raises(OtherMindsError, match="Cannot read the table"):
        make("demographic-linear", {"table": str(tmp_path / "missing.csv")})


def test_a_design_has_a_column_for_each_number_and_each_value() -> None:
    matrix = demographic.design(
        [[("age", "20"), ("pet", "cat")], [("age", "40"), ("pet", "")], [("pet", "dog")]]
    )
    # age is 20 and 40, so -1 and 1, and the mean where unknown; cat and dog are 0 or 1.
    assert sorted(matrix.T.tolist()) == sorted([[-1, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert demographic.design([[], [("pet", "")]]).shape == (2, 0)


def test_printed_and_written_numbers_are_the_same(
    found: Baselines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baselines.print_baselines(found)
    printed = capsys.readouterr().out
    for one in found.rows:
        assert all(part in printed for part in one.name.split("-"))
    # Nothing is cut off or folded in a terminal of 80.
    assert "…" not in printed
    assert all(len(line) <= 80 for line in printed.splitlines() if not line.startswith("•"))
    interval = (
        f"{found.rows[1].summary['bsi_acc'].low:.3f}–{found.rows[1].summary['bsi_acc'].high:.3f}"
    )
    assert interval in printed
    assert "SD over 5 seeds" in printed
    for name in ("b.csv", "b.json"):
        baselines.write(found, tmp_path / name)
    with (tmp_path / "b.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    stored = json.loads((tmp_path / "b.json").read_text())["estimates"]
    assert len(lines) == len(stored) == len(found.rows) * len(found.metrics) * 4
    for line, one in zip(lines, stored, strict=True):
        assert (line["baseline"], line["part"]) == (one["baseline"], one["part"])
        assert float(line["value"]) == one["value"]
    with pytest.raises(OtherMindsError, match=r"must end in \.csv or \.json"):
        baselines.write(found, tmp_path / "b.txt")


def test_a_task_of_one_kind_has_its_own_columns(twelve_people: Path) -> None:
    known = baselines.baselines("hugagent_bsi_synthetic", seeds=1)
    assert known.metrics == ("bsi_acc",)
    assert not known.has_ati
    assert row(known, "random").sd_over_seeds == {}


def test_what_has_no_baselines_is_one_clear_error(twelve_people: Path) -> None:
    with pytest.raises(OtherMindsError, match="Did you mean 'hugagent_synthetic'"):
        baselines.baselines("hugagent_syntetic")
    with pytest.raises(OtherMindsError, match="give at least 1"):
        baselines.baselines(TASK, seeds=0)


def test_the_human_track_has_ati_and_chance_is_where_the_paper_puts_it(
    shared_data: Path, tmp_path: Path
) -> None:
    # Real golds, invented texts.
    golds = shared_data / "hugagent" / "golds.csv"
    if not golds.is_file():
        pytest.skip(f"No HugAgent data at {golds}.")
    fictional_hugagent.write_clone(fictional_hugagent.full_release(golds), tmp_path)
    known = baselines.baselines("hugagent", metadata={"data_source": str(tmp_path)})
    assert known.has_ati
    assert "ati" in known.metrics
    chance = row(known, "random")
    anchors = zip(("bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir"), RANDOM, strict=True)
    for metric, anchor in anchors:
        spread = chance.sd_over_seeds["all"][metric]
        assert abs(chance.summary[metric].value - anchor) < 4 * spread
    # What the manifest says of the two is what the golds give; DESIGN's golden values are of A and 1.
    constant = row(known, "constant").summary
    assert round(100 * constant["bdu_acc"].value, 4) == 58.3173
    assert round(constant["bdu_mae"].value, 6) == 1.680472
    for name in ("constant", "majority"):
        for metric, value in manifest.load("hugagent").references[name].scores["all"].items():
            assert value == pytest.approx(row(known, name).summary[metric].value, abs=1e-6)
