"""Logs that are no whole run of one of our tasks: one clear error each."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds import analysis
from otherminds.errors import OtherMindsError
from otherminds.on_inspect import reading
from otherminds.samples import packed
from otherminds.samples.read import rules_of
from tests.engine.on_inspect import inspecting

TASK = "hugagent_bsi_synthetic"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound log of six documents in two epochs."""
    folder = tmp_path_factory.mktemp("good")
    model = inspecting.scripted(lambda _: "ANSWER: A")
    return inspecting.path_of(inspecting.evaluated(TASK, model, folder, limit=6, epochs=2))


def changed(good: Path, folder: Path, change: Callable[[Any], None]) -> Path:
    """A copy of a log, after a change."""
    from inspect_ai.log import read_eval_log, write_eval_log

    log = read_eval_log(str(good))
    change(log)
    path = folder / "changed.eval"
    write_eval_log(log, str(path))
    return path


def refused(path: Path) -> str:
    """The error of a log, on one line."""
    with pytest.raises(OtherMindsError) as caught:
        reading.sample_files(path)
    said = str(caught.value)
    assert "\n" not in said
    assert str(path) in said
    return said


def other_task(log: Any) -> None:
    log.eval.task = log.eval.task_registry_name = "inspect_evals/gsm8k"


def other_version(log: Any) -> None:
    log.eval.task_version = "1.0"


def newer_version(log: Any) -> None:
    log.eval.task_version = "99.0"


def cancelled(log: Any) -> None:
    log.status, log.samples = "cancelled", log.samples[:5]


def going_on(log: Any) -> None:
    log.status = "started"


def failed(log: Any) -> None:
    from inspect_ai.log import EvalError

    log.status = "error"
    log.error = EvalError(message="no such\nmodel", traceback="", traceback_ansi="")


def partial(log: Any) -> None:
    log.samples = log.samples[:7]


def uneven(log: Any) -> None:
    log.samples = [one for one in log.samples if (one.epoch, one.id) != (2, log.samples[0].id)]
    log.results.total_samples = len(log.samples)


def without_first_epoch(log: Any) -> None:
    log.samples = [one for one in log.samples if one.epoch == 2]
    log.results.total_samples = len(log.samples)


def two_models(log: Any) -> None:
    log.samples[3].output.model = "mockllm/other"


def two_judges(log: Any) -> None:
    from inspect_ai.model import ModelConfig

    log.eval.model_roles = {"judge": [ModelConfig(model="a/b"), ModelConfig(model="a/c")]}


def failed_sample(log: Any) -> None:
    from inspect_ai.log import EvalError

    log.samples[2].error = EvalError(message="timed out", traceback="", traceback_ansi="")


def limited_sample(log: Any) -> None:
    from inspect_ai.log import EvalSampleLimit

    log.samples[2].limit = EvalSampleLimit(type="token", limit=5)


def invalidated(log: Any) -> None:
    log.invalidated = True


def without_samples(log: Any) -> None:
    log.samples = []
    log.results.total_samples = 0


def other_solver(log: Any) -> None:
    log.eval.solver = "chain_of_thought"


def system_message(log: Any) -> None:
    log.plan.config.system_message = "You know everything."


def other_words(log: Any) -> None:
    for one in log.samples:
        one.messages[-2].content = f"{one.messages[-2].text} Think twice."


def other_data(log: Any) -> None:
    for one in log.samples:
        own = one.metadata["otherminds"]
        own["doc_hash"] = own["doc_hash"][::-1]


def other_metadata(log: Any) -> None:
    log.samples[0].metadata = {}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_task, "a log of 'inspect_evals/gsm8k', which is not a task of OtherMinds"),
        (other_version, "is of version 1.0 of"),
        (newer_version, "is of version 99.0 of"),
        (cancelled, "was cancelled, with 5 of its 12 answers"),
        (going_on, "goes on, or was killed"),
        (failed, "is of a run that failed, with 12 of its 12 answers (no such)"),
        (partial, "ended with 7 of its 12 answers"),
        (uneven, "not every document was answered once in each epoch (6 in epoch 1, 5 in epoch 2)"),
        (without_first_epoch, "not every document was answered once in each epoch"),
        (two_models, "answers of several models"),
        (two_judges, "2 models share the role 'judge'"),
        (failed_sample, "failed (timed out)"),
        (limited_sample, "limit on its token"),
        (invalidated, "invalidated"),
        (without_samples, "no samples"),
        (other_solver, "another solver (chain_of_thought)"),
        (system_message, "a system message was added"),
        (other_words, "asked in other words"),
        (other_data, "asked about other data"),
        (other_metadata, "does not say which document it is of"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_one_clear_error(
    change: Callable[[Any], None], words: str, good: Path, tmp_path: Path
) -> None:
    assert words in refused(changed(good, tmp_path, change))


def test_a_file_that_is_no_log(good: Path, tmp_path: Path) -> None:
    for name, content in {"cut": good.read_bytes()[:3000], "text": b"hello", "empty": b""}.items():
        path = tmp_path / f"{name}.eval"
        path.write_bytes(content)
        assert "no whole log of Inspect" in refused(path)


def test_a_log_that_would_fill_the_memory(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "MOST_BYTES", 1_000)
    monkeypatch.setattr(packed, "MOST_TIMES", 2)
    path = shutil.copy(good, tmp_path / "large.eval")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("samples/more.json", bytes(1 << 20))
    assert "no log of our tasks" in refused(Path(path))


def test_a_scorer_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from otherminds.on_inspect import scoring

    def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the scorer failed")

    monkeypatch.setattr(scoring, "scored", fail)
    log = inspecting.evaluated(TASK, inspecting.scripted(lambda _: "A"), tmp_path, limit=3)
    assert log.status == "error"
    assert "the scorer failed" in refused(inspecting.path_of(log))


def test_answers_without_scores_are_scored(tmp_path: Path) -> None:
    model = inspecting.scripted(lambda _: "ANSWER: B")
    log = inspecting.evaluated(TASK, model, tmp_path, limit=6, score=False)
    assert log.results is not None
    assert log.results.scores == []
    [run] = analysis.read_runs([inspecting.path_of(log)])
    assert len(run.records) == 6


def test_a_model_that_fails_on_one_document(tmp_path: Path) -> None:
    asked = iter(range(100))

    def reply(_: str) -> str:
        if next(asked) == 5:
            raise RuntimeError("no answer")
        return "ANSWER: A"

    log = inspecting.evaluated(
        TASK, inspecting.scripted(reply), tmp_path, limit=8, fail_on_error=False
    )
    assert log.status == "success"
    assert "failed (RuntimeError" in refused(inspecting.path_of(log))


def test_a_sound_log_beside_bad_ones_is_read(good: Path, tmp_path: Path) -> None:
    shutil.copy(good, tmp_path / "good.eval")
    changed(good, tmp_path, cancelled)
    found = analysis.read_runs([tmp_path])
    assert len(found) == 1
    [note] = [one for one in found.notes if "changed.eval" in one]
    assert note.endswith("It was left out.")


def test_only_a_bad_log_is_an_error(good: Path, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="was cancelled"):
        analysis.read_runs([changed(good, tmp_path, cancelled)])


def test_without_inspect_its_install_command_is_named(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from otherminds import extras

    path = shutil.copy(good, tmp_path / "other.eval")
    monkeypatch.setattr(extras, "is_installed", lambda name: name != "inspect_ai")
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path / "cache"))
    assert "`pip install 'otherminds[inspect]'`" in refused(Path(path))


def test_the_version_in_a_log_is_the_tasks(good: Path) -> None:
    from inspect_ai.log import read_eval_log

    rules = rules_of(TASK)
    assert rules is not None
    assert read_eval_log(str(good), header_only=True).eval.task_version == rules.version
