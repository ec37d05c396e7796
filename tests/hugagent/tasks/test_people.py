"""`otherminds people`, from whole runs."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from otherminds import analysis, harness
from otherminds.cli.main import app
from otherminds.errors import OtherMindsError
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.tasks.hugagent.people import people
from tests.helpers import fictional_hugagent as fictional

TASKS = ("hugagent", "hugagent_cross_domain", "hugagent_no_context")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs on fictional people: right in-domain, at random elsewhere."""
    harness.quiet(debug=False)
    folder = tmp_path_factory.mktemp("people")
    clone = fictional.write_clone(fictional.sample(), folder / "clone")
    for task in TASKS:
        model = "oracle" if task == "hugagent" else "random"
        flags = ["--model", model, "--output_path", str(folder / "out")]
        run([task], [*flags, "--metadata", json.dumps({"data_source": str(clone)})], Options())
    # One model, as far as the results say.
    for path in (folder / "out").rglob("results_*.json"):
        results = json.loads(path.read_text())
        results["config"]["model"] = "mine"
        path.write_text(json.dumps(results))
    return folder / "out"


def test_each_person_under_each_condition(out: Path) -> None:
    [found] = people(analysis.read_runs([out]))
    assert (found.model, found.task) == ("mine", "hugagent")
    assert list(found.scores) == ["in-domain", "cross-domain", "no context"]
    assert len(found.scores["in-domain"]) == 4
    assert all(one.bdu_acc == 1 for one in found.scores["in-domain"].values())
    # The weightless random model draws by document: conditions cannot differ for it.
    assert found.scores["cross-domain"] == found.scores["no context"]
    assert found.ordering is not None
    assert found.ordering.n_people == len(found.complete)
    first, second = found.ordering.steps
    assert first.p_value == 1 / 2 ** len(found.complete)
    assert second.p_value == found.ordering.p_value == 1
    table = found.table()
    assert len(table) == 12
    assert set(table["condition"]) == set(found.scores)


def test_the_command_prints_and_writes_them(out: Path, tmp_path: Path) -> None:
    told = ["people", str(out), "--show", "1", "--out", str(tmp_path / "people.csv")]
    done = CliRunner().invoke(app, told)
    assert done.exit_code == 0, done.output
    shown = " ".join(done.output.split())
    for words in ("mine, hugagent: by person", "in-domain > cross-domain > no context", "Page's"):
        assert words in shown
    assert len(pd.read_csv(tmp_path / "people.csv")) == 12


def test_it_takes_all_three_conditions(out: Path) -> None:
    files = [path for path in out.rglob("samples_*") if "no_context" not in path.name]
    with pytest.raises(
        OtherMindsError, match="hugagent_no_context; here are: hugagent, hugagent_c"
    ):
        people(analysis.read_runs(files))
