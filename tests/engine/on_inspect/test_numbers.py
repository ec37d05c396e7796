"""The same model and answers give the same numbers, to the bit, through lm-eval and through Inspect."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import analysis
from otherminds.running import run as running
from otherminds.running.models import Options
from otherminds.samples import packed
from tests.engine.on_inspect import inspecting

WHOLE = [
    ("hugagent_synthetic", "random"),
    ("hugagent_reflections_synthetic", "random"),
    ("debate_both_synthetic", "random"),
    ("socialmindchange_scale", "random"),
    ("trust_game_rounds", "random"),
    ("synchtom_5turn_judge", "random"),
]


def by_lm_eval(task: str, model: str, folder: Path) -> tuple[Any, dict[str, Any]]:
    """A run of a weightless model, and the samples of its tasks."""
    flags = ["--model", model, "--output_path", str(folder), "--limit", "40"]
    done = running.run([task], flags, Options())
    assert done is not None
    samples = {
        name: [json.loads(line) for _, line in packed.lines(path)]
        for one in done.evaluations
        for name, path in one.samples.items()
    }
    return done, samples


def plain(found: Mapping[str, Any]) -> dict[str, str]:
    """Numbers as text, of which NaN is equal to itself."""
    return {
        key.partition(",")[0]: repr(float(value))
        for key, value in found.items()
        if isinstance(value, int | float)
    }


@pytest.mark.parametrize(("task", "model"), WHOLE, ids=[task for task, _ in WHOLE])
def test_numbers_are_the_same_to_the_bit(task: str, model: str, tmp_path: Path) -> None:
    done, samples = by_lm_eval(task, model, tmp_path / "lm_eval")
    wanted = plain({k: v for k, v in done.results["results"][task].items() if "," in k})
    script = inspecting.script_of(samples)
    log = inspecting.evaluated(
        task,
        inspecting.scripted(lambda asked: script[asked]),
        tmp_path / "logs",
        limit=40,
        task_args={"stage_limit": 40} if done.earlier else {},
    )
    assert log.status == "success", log.error
    in_inspect = plain(inspecting.numbers(log))
    assert in_inspect == wanted
    own = [run for run in analysis.read_runs([inspecting.path_of(log)]) if run.task == task]
    theirs = [run for run in analysis.read_runs([tmp_path / "lm_eval"]) if run.task == task]
    [one], [other] = own, theirs
    assert one.records == other.records
    assert repr(analysis.score_run(one, check=False).details) == repr(
        analysis.score_run(other, check=False).details
    )
    printed = {name: repr(value) for name, value in one.facts.printed.items()}
    assert printed == {name: repr(value) for name, value in other.facts.printed.items()}


def test_epochs_are_runs(tmp_path: Path) -> None:
    answers = itertools.cycle(["ANSWER: A", "ANSWER: B", "no answer", "ANSWER: 7"])
    log = inspecting.evaluated(
        "hugagent_synthetic",
        inspecting.scripted(lambda _: next(answers)),
        tmp_path,
        limit=30,
        epochs=3,
    )
    [run] = analysis.read_runs([inspecting.path_of(log)])
    assert (run.n_runs, len(run.records)) == (3, 30)
    found = plain(inspecting.numbers(log))
    printed = {name: repr(value) for name, value in run.facts.printed.items()}
    assert {name: found[name] for name in printed} == printed
    scored = analysis.score_run(run)
    assert [check.name for check in scored.checks if check.passed is False] == ["coverage"]
