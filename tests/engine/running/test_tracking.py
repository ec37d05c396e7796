"""`--wandb_args` and `--trackio_args`, where no tracker is installed and where one fails."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.running import tracking
from tests.conftest import Command


def arguments(*flags: str) -> Any:
    return harness.parse_arguments(["--tasks", "x", *flags], default_model="random")


@pytest.mark.parametrize("package", ["wandb", "trackio"])
def test_one_that_is_not_installed_is_one_clear_error(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(OtherMindsError, match=rf"pip install 'otherminds\[{package}\]'"):
        tracking.check(arguments(f"--{package}_args", "project=people"))


def test_settings_without_a_run_are_refused() -> None:
    with pytest.raises(OtherMindsError, match="--wandb_args project=NAME"):
        tracking.check(arguments("--wandb_config_args", "a=1"))


def test_nothing_is_looked_for_where_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    tracking.check(arguments())
    assert not tracking.is_asked(arguments())
    tracking.log(arguments(), {}, {})


def test_settings_are_not_used_up_by_the_first_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """lm-eval takes `step` out of what it is given."""
    found: list[dict[str, Any]] = []

    class Logger:
        def __init__(self, settings: dict[str, Any]) -> None:
            settings.pop("step")
            found.append(settings)

        def __getattr__(self, name: str) -> Any:
            return lambda *_: None

    monkeypatch.setitem(
        sys.modules,
        "lm_eval.loggers",
        types.SimpleNamespace(TrackioLogger=Logger, WandbLogger=None),
    )
    asked = arguments("--trackio_args", "project=people,step=3")
    for stage in ("one", "two"):
        [one] = harness.trackers(asked)
        one.log({}, {}, group="all", name=stage)
    assert found == [{"group": "all", "name": n, "project": "people"} for n in ("one", "two")]


def test_a_note_says_which_tracker_failed_and_shows_no_secret(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def log(*_: Any, **__: Any) -> None:
        raise RuntimeError("no network for key hf_abcdefghijklmnopqrstuvwx\nand more")

    monkeypatch.setattr(harness.Tracker, "log", log)
    tracking.log(arguments("--trackio_args", "project=people"), {}, {"task": []})
    said = capsys.readouterr().err
    assert "Trackio was not told of task: no network" in said
    assert "hf_abc" not in said


@pytest.mark.parametrize("flag", ["--wandb_args", "--trackio_args"])
def test_a_run_stops_before_its_model_is_loaded(
    flag: str, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, flag[2:].partition("_")[0], None)
    words = ("otherminds", "run", "hugagent_bdu_synthetic", flag, "project=people")
    done = command(*words, cwd=tmp_path, code=1)
    assert "is not installed" in done.stderr
    assert not list(tmp_path.rglob("results_*"))
