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
from otherminds.running import truncation
from otherminds.running.models import Options
from otherminds.running.run import Finished
from otherminds.samples import packed
from tests.engine.on_inspect import inspecting

LIMIT = 40
SCRIPTED = [
    "hugagent_synthetic",
    "hugagent_reflections_synthetic",
    "debate_both_synthetic",
    "synchtom_5turn_judge",
]
BY_PROMPT = ["trust_game_rounds", "socialmindchange_scale_lite", "hugagent_bdu_graph_synthetic"]


def by_weightless(task: str, folder: Path) -> tuple[Finished, dict[str, Any]]:
    """A run of a weightless model, and the samples of its tasks."""
    flags = ["--model", "random", "--output_path", str(folder), "--limit", str(LIMIT)]
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


def details(run: analysis.Run) -> dict[str, Any]:
    """All numbers of a run but the share of truncated replies, which weightless models do not tell."""
    found = analysis.score_run(run, check=False).details
    kept = {name: one for name, one in found["estimates"].items() if name != truncation.TRUNCATED}
    return {**found, "estimates": kept}


@pytest.mark.parametrize("task", SCRIPTED)
def test_answers_of_a_weightless_run_give_its_numbers(task: str, tmp_path: Path) -> None:
    done, samples = by_weightless(task, tmp_path / "lm_eval")
    script = inspecting.script_of(samples)
    check_the_same(task, done, lambda asked: script[asked], tmp_path)


@pytest.mark.parametrize("task", BY_PROMPT)
def test_a_model_gives_the_same_numbers_through_both(task: str, tmp_path: Path) -> None:
    done = inspecting.by_lm_eval(task, tmp_path / "lm_eval", LIMIT)
    check_the_same(task, done, inspecting.by_prompt, tmp_path)


def check_the_same(task: str, done: Finished, reply: inspecting.Reply, folder: Path) -> None:
    """The numbers in Inspect, those of its log, and those of lm-eval's run are equal to the bit."""
    wanted = plain({key: one for key, one in done.results["results"][task].items() if "," in key})
    log = inspecting.evaluated(
        task,
        inspecting.scripted(reply),
        folder / "logs",
        limit=LIMIT,
        task_args={"stage_limit": LIMIT} if done.earlier else {},
    )
    assert log.status == "success", log.error
    assert plain(inspecting.numbers(log)) == wanted
    own = analysis.read_runs([inspecting.path_of(log)])
    theirs = analysis.read_runs([folder / "lm_eval"])
    # Those of earlier stages too.
    assert {run.task for run in own} == {run.task for run in theirs}
    for one in own:
        [other] = theirs.by_task()[one.task]
        assert one.records == other.records
        assert repr(details(one)) == repr(details(other))
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
