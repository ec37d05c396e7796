"""Editions 1 and 2 side by side: tasks of each, subsets, and results that are not compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from otherminds import manifest
from otherminds.cli import main as cli
from otherminds.data import loading
from otherminds.errors import OtherMindsError
from tests.helpers import small_builds


@pytest.fixture(scope="module", autouse=True)
def both(twelve_people: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Twelve people of either edition instead of the releases."""
    shelf = tmp_path_factory.mktemp("both")
    (shelf / twelve_people.name).symlink_to(twelve_people)
    made = tmp_path_factory.mktemp("made")
    (shelf / "hugagent-stated").symlink_to(small_builds.write("hugagent-stated", made, "twelve"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTHERMINDS_DATA", str(shelf))
        yield


def called(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(cli.app, list(words), env={"COLUMNS": "200"})
    assert done.exit_code == code, done.output
    return " ".join(f"{done.output} {done.exception or ''}".split())


def test_edition_1_is_built_as_before() -> None:
    known = manifest.load("hugagent-stated")
    assert known.builder == "hugagent.synthetic"
    assert known.version == "1.0"
    assert known.configs["bsi"].content_hash == (
        "0bc5ff90b372c39377ff564ac189ec39d575a32a50a8424250bf4ea61faec39e"
    )
    assert manifest.load("hugagent-synthetic").version == "2.1"


def test_each_edition_has_its_own_columns() -> None:
    one = loading.load("hugagent-stated", "bsi")["test"]
    two = loading.load("hugagent-synthetic", "bsi")["test"]
    assert set(two.column_names) - set(one.column_names) == {"steps", "form", "claims"}
    assert one["item_id"][0] == two["item_id"][0]
    assert one["question"][:20] != two["question"][:20]


@pytest.mark.parametrize(
    ("task", "least"), [("hugagent_bsi_stated", 0.8), ("hugagent_bsi_synthetic", 0.9)]
)
def test_the_reader_answers_both(task: str, least: float, tmp_path: Path) -> None:
    called("run", task, "--model", "reader", "--output_path", str(tmp_path))
    (results,) = tmp_path.rglob("results_*.json")
    scores = json.loads(results.read_text())["results"][task]
    assert next(value for name, value in scores.items() if name.startswith("bsi_acc,")) > least


def test_results_of_two_versions_are_refused_with_what_is_new(tmp_path: Path) -> None:
    """As if one of the runs had been made with the edition that had the name before."""
    for name, model in (("old", "majority"), ("new", "reader")):
        words = ("run", "hugagent_bsi_synthetic", "--model", model)
        called(*words, "--log_samples", "--output_path", str(tmp_path / name))
    for name, version, digit in (("old", "1.0", "0"), ("new", "2.0", "2")):
        (results,) = (tmp_path / name).rglob("results_*.json")
        text = json.loads(results.read_text())
        data = text["otherminds"]["data"]["hugagent_bsi_synthetic"]
        data["version"], data["content_hash"] = version, {"bsi": digit * 64}
        results.write_text(json.dumps(text))
    said = called("compare", str(tmp_path / "old"), str(tmp_path / "new"), code=1)
    assert "were run on different data" in said
    assert "New in 2.0: another population" in said


def test_a_subset_that_the_edition_lacks_is_one_clear_error() -> None:
    with pytest.raises(OtherMindsError, match="240"):
        loading.for_task(dataset="hugagent-synthetic", configs=["bsi"], data_subset=240)
