"""What plain lm-eval finds of ours: models, filters, a metric, aggregations, and no task twice."""

from __future__ import annotations

import importlib.metadata
import json
import logging
import math
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from lm_eval.api import registry
from lm_eval.tasks import TaskManager, _index

from otherminds import harness, paths, plugs
from otherminds.errors import OtherMindsError
from otherminds.harness import linking, plugged
from otherminds.weightless import plugged as models
from tests.conftest import Command

GROUPS = ("models", "filters", "metrics", "aggregations", "tasks")


def points(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    found = importlib.metadata.entry_points(group=f"lm_eval.{group}")
    return {one.name: one for one in found if one.value.startswith("otherminds.")}


@pytest.mark.parametrize("group", GROUPS)
def test_every_entry_point_names_something(group: str) -> None:
    assert points(group)
    for one in points(group).values():
        assert one.load() is not None


def test_the_models_are_those_that_plain_lm_eval_may_have() -> None:
    assert {*points("models")} == {f"otherminds-{name}" for name in models.names()}
    for name, point in points("models").items():
        made = point.load()
        assert issubclass(made, harness.LM)
        assert name == f"otherminds-{made.model}"


@pytest.mark.parametrize("name", ["oracle", "corrupted_oracle", "majority"])
def test_who_learns_or_reads_golds_stays_with_our_own_runs(name: str) -> None:
    with pytest.raises(AttributeError, match="`otherminds run` alone"):
        getattr(models, name)
    with pytest.raises(AttributeError, match="no weightless model 'nobody'"):
        _ = models.nobody


def test_arguments_of_a_model() -> None:
    made = models.random.create_from_arg_obj({"seed": 3}, {"batch_size": 1, "device": "cpu"})
    assert made.model == "random"
    with pytest.raises(OtherMindsError, match="otherminds-random' does not take"):
        models.random(sead=3)


def test_filters_read_as_our_parsers_do() -> None:
    said = [["Surely A. No: B", "nothing"], ["Answer: C"]]
    assert [*plugged.Letter(options=3).apply(said, [{}, {}])] == [["B", "[invalid]"], ["C"]]
    assert [*plugged.Letter(options="2").apply([["Answer: C"]], [{}])] == [["[invalid]"]]
    assert [*plugged.Number(low=1, high=10).apply([["7", "11"]], [{}])] == [["7", "[invalid]"]]


def test_the_metric_and_the_aggregations_are_in_the_registry() -> None:
    assert registry.get_metric("otherminds-match")(references=["b"], predictions=[" B "]) == 1
    assert registry.get_metric("otherminds-match")(references=["b"], predictions=["[invalid]"]) == 0
    assert registry.is_higher_better("otherminds-match")
    pairs = [("x", 1.0), ("x", 1.0), ("y", 0.0), ("y", 0.0)]
    assert registry.get_aggregation("otherminds-clustered")(pairs) == 0.5
    # Two clusters whose residuals sum to 1 and to -1: sqrt(2/1 · (1 + 1)) / 4 = 0.5.
    assert registry.get_aggregation("otherminds-clustered-se")(pairs) == pytest.approx(0.5)
    assert math.isnan(plugged.clustered_se([("x", 1.0), ("x", 0.0)]))


def test_models_that_lm_eval_knows_already_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.model_registry, "_objs", {"otherminds-random": "theirs:Model"})
    linking.register_models()
    known = registry.model_registry._objs
    assert known["otherminds-random"] == "theirs:Model"
    assert known.keys() == points("models").keys()


def test_an_lm_eval_that_reads_entry_points_is_told_from_one_that_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not harness.finds_by_itself()

    def reading(self: Any, *_: Any, **__: Any) -> None:
        modules = [one.load() for one in points("tasks").values()]
        _index.TaskIndex.build([Path(place) for one in modules for place in one.__path__])

    monkeypatch.setattr(TaskManager, "__init__", reading)
    assert linking.finds_tasks()
    assert not harness.finds_by_itself()
    monkeypatch.setattr(registry, "import_plugins", lambda names: None, raising=False)
    assert harness.finds_by_itself()


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Any:
    """The warnings of an index of a linked folder and of ours, and of tasks of somebody else's."""
    logger = logging.getLogger("lm_eval.tasks._index")
    monkeypatch.setattr(logger, "filters", [*logger.filters])
    monkeypatch.setattr(logger, "level", logging.WARNING)

    def index(*folders: Path) -> list[str]:
        caplog.clear()
        _index.TaskIndex.build(folders)
        return [one.getMessage() for one in caplog.records if one.name == logger.name]

    return index


def test_linked_tasks_under_include_path_are_not_warned_of(
    tmp_path: Path, warned: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "ours"
    (own / "people").mkdir(parents=True)
    (own / "people" / "ours.yaml").write_text("task: ours\ntag: otherminds_people\n")
    root = tmp_path / "lm_eval"
    linked = root / "otherminds"
    linked.mkdir(parents=True)
    (linked / "ours.yaml").write_text(f"include: {own / 'people' / 'ours.yaml'}\n")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "other.yaml").write_text("task: ours\ntag: their_tag\n")
    monkeypatch.setattr(paths, "task_folders", lambda: [own])
    monkeypatch.setattr(linking, "tasks_folder", lambda: root)
    assert len(warned(root, own)) == 2
    linking.hush_doubles()
    assert warned(root, own) == []
    # Where a task of somebody else's takes the place of ours, or ours of theirs, that is told as ever.
    assert "overrides" in warned(root, theirs)[0]
    assert "overrides" in warned(theirs, own)[0]


def test_the_hook_says_nothing_where_lm_eval_is_not_used_and_fails_without_stopping_it(
    tmp_path: Path,
) -> None:
    """In a process of its own: a package named lm_eval, and a hook that cannot do what it should."""
    package = tmp_path / "lm_eval" / "models"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("HERE = 1\n")
    code = (
        f"{plugs.HOOK}import otherminds.plugs as p\n"
        "heavy = {'otherminds.harness', 'lm_eval', 'numpy', 'importlib.metadata'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "import lm_eval.models\n"
        "assert lm_eval.models.HERE == 1\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "lm-eval goes on without its models" in done.stderr


def test_the_hook_is_nothing_where_the_package_is_removed() -> None:
    # -S: without the folder of installed packages.
    code = plugs.HOOK
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_finder_leaves_all_other_modules_alone() -> None:
    [finder] = [one for one in sys.meta_path if type(one).__module__ == "otherminds.plugs"]
    assert finder.find_spec("json", None) is None
    assert finder.find_spec("lm_eval.models", []) is None
    assert isinstance(plugs.WATCHED, types.MappingProxyType)


@pytest.mark.slow
def test_plain_lm_eval_runs_a_model_of_ours(shelf: Path, tmp_path: Path, process: Command) -> None:
    """As in an environment where `otherminds link` was called; the same numbers as our own run."""
    (tmp_path / "sitecustomize.py").write_text(plugs.HOOK)
    told = {"OTHERMINDS_DATA": str(shelf), "PYTHONPATH": str(tmp_path)}
    words = ("--tasks", "hugagent_bsi_synthetic", "--model", "otherminds-reader", "--limit", "9")
    include = ("--include_path", str(paths.tasks()))
    done = process("lm_eval", *words, *include, cwd=tmp_path, env=told)
    assert "overrides" not in done.stderr
    ours = ("otherminds", "run", "hugagent_bsi_synthetic", "--model", "reader", "--limit", "9")
    process(*ours, cwd=tmp_path, env=told)
    [path] = (tmp_path / "otherminds-results").rglob("results_*.json")
    own = json.loads(path.read_text())["results"]["hugagent_bsi_synthetic"]["bsi_acc,none"]
    [row] = [line for line in done.stdout.splitlines() if "bsi_acc" in line]
    assert float(row.split("|")[7]) == pytest.approx(own, abs=1e-4)
