"""People beside models: on the same questions, about the same stages, and on nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from otherminds import harness
from otherminds.cli.main import app
from otherminds.errors import OtherMindsError
from otherminds.manifest import Reference
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.tasks.socialmindchange.study import Plan, beside, evaluate, export, read
from otherminds.tasks.socialmindchange.study.results import reference
from tests.helpers import fictional_socialmindchange_codes
from tests.helpers.annotated import answer_key, fill, right
from tests.helpers.fictional_socialmindchange_codes import DATASET

SEEN_OTHERWISE = {
    "lite": "",
    "lite_with_states": "The model saw the annotated states of stage .* too",
    "lite_truncated": "The model saw another stage .* than people: fewer scenes",
    "rendered": "The model saw another stage .* than people: .*scenes told anew",
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    harness.quiet(debug=False)
    return fictional_socialmindchange_codes.write(tmp_path_factory.mktemp("small"))


@pytest.fixture
def lite(source: Path, tmp_path: Path) -> Path:
    """The reference of a study of the whole lite part, with everything right."""
    folder = tmp_path / "lite"
    export(
        folder,
        Plan("lite", stages=2, items=4, raters=2, overlap=2, seed=1),
        dataset=DATASET,
        source=str(source),
    )
    for name in ("A01", "A02"):
        fill(folder, name, right(folder))
    path = tmp_path / "lite.json"
    path.write_text(json.dumps(reference(evaluate(read(folder)))), "utf-8")
    return path


@pytest.fixture(scope="module")
def oracle(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of the oracle, on what people see and on what they do not."""
    folder = tmp_path_factory.mktemp("oracle")
    flags = ("--metadata", json.dumps({"data_source": str(source)}))
    writer = {"socialmindchange_codes_render": "scene-rewriter"}
    for name in SEEN_OTHERWISE:
        run(
            [f"socialmindchange_codes_{name}"],
            ["--model", "oracle", *flags, "--output_path", str(folder / name)],
            Options(stage_models=writer if name == "rendered" else {}),
        )
    return folder


@pytest.mark.slow
def test_people_stand_beside_models_on_the_same_questions(source: Path, tmp_path: Path) -> None:
    study = tmp_path / "study"
    export(
        study,
        Plan("base", stages=4, items=3, raters=3, overlap=2, seed=5),
        dataset=DATASET,
        source=str(source),
    )
    golds = answer_key(study)
    for name in ("A01", "A02", "A03"):
        fill(study, name, right(study))
    told = reference(evaluate(read(study)))
    Reference.model_validate(told["reference"])
    assert told["reference"]["scores"]["all"]["acc"] == 1.0
    assert not any("answer" in item for item in told["items"])
    path = tmp_path / "reference.json"
    path.write_text(json.dumps(told), "utf-8")
    flags = ("--metadata", json.dumps({"data_source": str(source)}))
    runs = tmp_path / "runs"
    for model in ("oracle", "random"):
        run(
            ["socialmindchange_codes"],
            ["--model", model, *flags, "--output_path", str(runs)],
            Options(),
        )
    found = beside(path, [runs])
    by_model = {model: parts for (model, _), parts in found.parts.items()}
    assert len(by_model) == 2
    perfect = next(parts for name, parts in by_model.items() if "oracle" in name)
    assert (perfect["all"].difference.value, perfect["all"].human.n) == (0.0, len(golds))
    guessed = next(parts for name, parts in by_model.items() if "random" in name)
    assert guessed["all"].difference.value < -0.5
    told["items"][0]["asked"] = "another"
    path.write_text(json.dumps(told), "utf-8")
    with pytest.raises(OtherMindsError, match="another one than people were asked"):
        beside(path, [runs])
    for item in told["items"]:
        item["item_id"] += "-other"
    path.write_text(json.dumps(told), "utf-8")
    with pytest.raises(OtherMindsError, match="No sample is of a question"):
        beside(path, [runs])
    path.write_text("[]", "utf-8")
    with pytest.raises(OtherMindsError, match="is not a human reference"):
        beside(path, [runs])


@pytest.mark.parametrize("name", list(SEEN_OTHERWISE)[1:])
def test_models_that_saw_something_else_are_refused(lite: Path, oracle: Path, name: str) -> None:
    with pytest.raises(OtherMindsError, match=SEEN_OTHERWISE[name]) as caught:
        beside(lite, [oracle / name])
    assert f" on socialmindchange_codes_{name} was refused" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_of_all_kinds_of_runs_shows_those_that_saw_the_same(
    lite: Path, oracle: Path
) -> None:
    others = oracle / "lite" / "samples_hugagent_bsi_2026-01-01T00-00-00.jsonl"
    others.write_text("{}\n", "utf-8")
    found = beside(lite, [oracle])
    assert [task for _, task in found.parts] == ["socialmindchange_codes_lite"]
    [parts] = found.parts.values()
    assert (parts["all"].difference.value, parts["all"].model.n) == (0.0, 8)
    assert "cut to the ends of the scale" in found.notes[-1]
    passed, *refused = [note for note in found.notes if "assed" in note or "refused" in note]
    assert "socialmindchange_codes_render." in passed
    assert len(refused) == 3
    others.unlink()


def test_only_samples_of_other_tasks_are_no_samples(lite: Path, tmp_path: Path) -> None:
    (tmp_path / "samples_unknown_2026-01-01T00-00-00.jsonl").write_text("{}\n", "utf-8")
    with pytest.raises(OtherMindsError, match="No sample is of a question"):
        beside(lite, [tmp_path])
    (tmp_path / "empty").mkdir()
    with pytest.raises(OtherMindsError, match="has no sample files"):
        beside(lite, [tmp_path / "empty"])


def test_a_reference_with_a_question_twice_is_refused(lite: Path, tmp_path: Path) -> None:
    told = json.loads(lite.read_text("utf-8"))
    told["items"].append({**told["items"][0], "accuracy": 0.0})
    lite.write_text(json.dumps(told), "utf-8")
    with pytest.raises(
        OtherMindsError, match=rf"has the question {told['items'][0]['item_id']} 2 times"
    ):
        beside(lite, [tmp_path])


def test_a_comparison_takes_the_place_of_no_reference(lite: Path, oracle: Path) -> None:
    for out, message in ((lite, "is given twice"), (lite.with_name("key.json"), "is the key of")):
        words = ["beside", str(lite), str(oracle / "lite"), "--out", str(out)]
        done = CliRunner().invoke(app, ["annotate", "socialmindchange", *words])
        assert message in str(done.exception)
