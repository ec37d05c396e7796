"""Logs of Inspect with any damage: read, or refused by one clear error."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest

from otherminds.errors import OtherMindsError
from otherminds.on_inspect import logs
from tests.engine.on_inspect import inspecting
from tests.helpers import damage

pytestmark = pytest.mark.slow

TASKS = {"hugagent_bsi_synthetic": {}, "synchtom_5turn_judge": {"stage_limit": 2}}


def member(data: bytes, rng: random.Random) -> damage.Damaged:
    """A file within the log is damaged, and all are packed again."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        inside = {name: file.read(name) for name in file.namelist()}
    name = rng.choice(sorted(inside))
    found = rng.choice(damage.JSON)(inside[name], rng)
    inside[name] = found.data
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for one, content in inside.items():
            file.writestr(one, content)
    return damage.Damaged(packed.getvalue(), f"{name}: {found.kind}", found.harmless)


@pytest.mark.parametrize("task", TASKS)
def test_damaged_logs(task: str, tmp_path: Path) -> None:
    model = inspecting.scripted(inspecting.by_prompt)
    log = inspecting.evaluated(task, model, tmp_path, limit=2, task_args=TASKS[task])
    path = inspecting.path_of(log)
    found = damage.fuzz(
        path,
        lambda: logs.read(path),
        (member, member, member, damage.flipped, damage.spliced, damage.cut),
        n=120,
        error=OtherMindsError,
    )
    assert found.refused > 10
    assert found.same + found.other > 10


@pytest.mark.parametrize("changed", [{}, {"place": "first"}, {"doc_hash": None}, {"place": 0}])
def test_a_sample_that_does_not_say_which_document_it_is_of(
    changed: dict[str, object], tmp_path: Path
) -> None:
    from inspect_ai.log import read_eval_log, write_eval_log

    model = inspecting.scripted(inspecting.by_prompt)
    path = inspecting.path_of(
        inspecting.evaluated("hugagent_bsi_synthetic", model, tmp_path, limit=2)
    )
    log = read_eval_log(str(path))
    assert log.samples
    log.samples[0].metadata["otherminds"] = changed
    write_eval_log(log, str(path))
    with pytest.raises(OtherMindsError, match="does not say which document it is of"):
        logs.read(path)


def test_answers_to_earlier_stages_that_were_changed(tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log, write_eval_log

    model = inspecting.scripted(inspecting.by_prompt)
    path = inspecting.path_of(
        inspecting.evaluated("hugagent_bsi_synthetic", model, tmp_path, limit=2)
    )
    log = read_eval_log(str(path))
    assert log.samples
    for held in (["text"], {"task": 1}, [{"task": "trust_game_rounds"}]):
        log.samples[0].store[logs.ASKED] = held
        write_eval_log(log, str(path))
        with pytest.raises(OtherMindsError, match="earlier stages was changed"):
            logs.read(path)


def test_what_is_nested_too_deeply_is_refused_before_inspect_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inspect takes a gigabyte for such a file of a few kilobytes."""
    path = tmp_path / "deep.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", '{"eval": ' + '{"a": [' * 20_000)

    def reading(*_: object, **__: object) -> None:
        raise AssertionError("Inspect was given the file")

    monkeypatch.setattr("inspect_ai.log.read_eval_log", reading)
    with pytest.raises(OtherMindsError, match="it is nested too deeply"):
        logs.read(path)
