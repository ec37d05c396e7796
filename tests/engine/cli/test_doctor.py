"""The doctor finds what lm-eval would skip without a word."""

from __future__ import annotations

import dataclasses
import io
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from otherminds import benchmark, console, data, harness, paths
from otherminds.checks import Finding
from otherminds.cli import doctor
from otherminds.running import link

TASK = "hugagent_bsi_synthetic"


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the task files that a test may damage."""
    folder = shutil.copytree(paths.tasks(), tmp_path / "tasks")
    monkeypatch.setattr(paths, "task_folders", lambda: [folder])
    return folder / "hugagent"


def faults(findings: Iterable[Finding]) -> dict[str, str]:
    return {finding.subject: finding.detail for finding in findings if not finding.passed}


def test_findings_are_filled_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    made = console.Printer(width=40, file=out, force_terminal=True, color_system=None)
    monkeypatch.setattr(doctor, "OUT", made)
    doctor.print_findings([Finding("data [x]", True, "a word " * 20, note=True)], verbose=False)
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("note data [x]: a word")
    assert max(map(len, lines)) <= 40
    assert set(" ".join(lines).split()) >= {"word", "a", "data", "[x]:"}
    assert out.getvalue().split().count("word") == 20


def test_a_stale_link_is_a_fault(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "state", lambda: "stale")
    monkeypatch.setattr(doctor, "tasks", lambda **_: iter(()))
    assert "run `otherminds link`" in faults(doctor.examine())["link"]


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ("task:", "task: [", "ParserError|ScannerError"),
        ("dataset_kwargs", "dataset_kwarg", "unknown keys: dataset_kwarg"),
        ("include: [", "include: [_missing, ", "FileNotFoundError"),
        (f"task: {TASK}", "task: renamed", "must be named renamed.yaml"),
    ],
)
def test_a_broken_task_file_is_found(tasks: Path, old: str, new: str, detail: str) -> None:
    path = tasks / f"{TASK}.yaml"
    path.write_text(path.read_text().replace(old, new))
    assert re.search(detail, faults(doctor.task_files())[f"file {TASK}.yaml"])


@pytest.mark.parametrize(
    ("base", "old", "new", "detail"),
    [
        ("_text", "until: []", "top_p: 1.0", "generation_kwargs lack until"),
        ("_text", "hugagent__answer", "hugagent__answr", "Did you mean 'hugagent__answer'"),
        ("_text_bsi", "scoring.text_bsi", "scoring.text_bs", "text_bs"),
        ("_text_bsi", "scoring.text_bsi", "scoring.choice_bsi", "process_results is not the text"),
        ("_text_bsi", "metric: bsi_acc,", "metric: accuracy,", "'accuracy' is not one of its"),
        (
            "_text_bsi",
            "metric: n_people",
            "metric: parse_rate",
            "'n_people' of its scorer is missing",
        ),
    ],
)
def test_a_broken_base_file_is_found(
    tasks: Path, base: str, old: str, new: str, detail: str
) -> None:
    path = tasks / base
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert detail in faults(doctor.task_files())[f"file {TASK}.yaml"]


@pytest.mark.slow
def test_a_metric_that_is_scored_but_not_listed_is_found(
    cache: Path, tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tasks / "_text_bsi"
    lines = [line for line in path.read_text().splitlines() if "n_people" not in line]
    path.write_text("\n".join(lines))
    entries = [entry for entry in harness.entries(harness.task_manager()) if entry.name == TASK]
    monkeypatch.setattr(harness, "entries", lambda manager: entries)
    assert "n_people" in faults(doctor.tasks())[f"task {TASK}"]


@pytest.mark.slow
def test_a_person_column_that_no_document_has_is_a_fault(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [entry for entry in harness.entries(harness.task_manager()) if entry.name == TASK]
    monkeypatch.setattr(harness, "entries", lambda manager: entries)
    assert faults(doctor.tasks()) == {}
    misnamed = dataclasses.replace(benchmark.named("hugagent"), person="nobody")
    monkeypatch.setattr(benchmark, "of_dataset", lambda dataset: misnamed)
    monkeypatch.setattr(benchmark, "named", lambda name: misnamed)
    [(subject, detail)] = faults(doctor.tasks()).items()
    assert subject == "benchmark hugagent"
    assert "'nobody'" in detail


@pytest.mark.slow
def test_tasks_are_tried_on_a_handful_of_people_and_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path))
    wanted = (TASK, "debate_both_synthetic", "socialmindchange_codes_group_5", "trust_game_round1")
    entries = [entry for entry in harness.entries(harness.task_manager()) if entry.name in wanted]
    monkeypatch.setattr(harness, "entries", lambda manager: entries)
    tried = {one.subject: one for one in doctor.tasks()}
    assert set(tried) == {f"task {name}" for name in wanted}
    assert all(one.passed and one.detail.endswith(" documents") for one in tried.values())
    [note] = doctor.datasets()
    assert note.note
    assert "hugagent-synthetic" in note.detail
    assert "otherminds doctor --build" in note.detail
    assert list(tmp_path.iterdir()) == []
    # Outside the check, the same task is on the release again.
    assert data.locate("hugagent-synthetic").kind == "cache"


def test_data_of_a_folder_are_here_and_a_damaged_folder_is_a_fault(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["debate-beliefs-synthetic", "hugagent-synthetic", "trust-game-synthetic"]
    monkeypatch.setattr(doctor, "_generated", lambda: names)
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OTHERMINDS_DATA", str(tmp_path / "data"))
    assert doctor.trial.write(names[0], tmp_path / "data" / names[0])
    (tmp_path / "data" / names[1]).mkdir()
    here, damaged, missing = doctor.datasets()
    assert (here.passed, here.note) == (True, False)
    assert here.detail == f"in {tmp_path / 'data' / names[0]}"
    assert not damaged.passed
    assert str(tmp_path / "data" / names[1]) in damaged.detail
    assert names[2] in missing.detail
    assert names[0] not in missing.detail
    assert names[1] not in missing.detail


def test_a_builder_that_fails_is_a_fault_and_its_tasks_are_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(name: str, folder: Path) -> bool:
        raise ValueError(f"no {name}\nfor {folder}")

    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path))
    monkeypatch.setattr(doctor.trial, "write", fails)
    entries = [entry for entry in harness.entries(harness.task_manager()) if entry.name == TASK]
    monkeypatch.setattr(harness, "entries", lambda manager: entries)
    found = list(doctor.tasks())
    assert "no hugagent-synthetic for" in faults(found)["data hugagent-synthetic"]
    assert "doctor --build" in next(one.detail for one in found if one.subject == f"task {TASK}")


def test_the_findings_as_json_say_whether_all_is_well() -> None:
    found = doctor.as_json(
        [
            Finding("task a", True, "5 documents"),
            Finding("link", False, "stale"),
            Finding("task b", True, "not here", untried=True),
        ]
    )
    assert (found["ok"], found["faults"], found["checked"]) == (False, 1, {"task": 1, "link": 1})
    assert found["untried"] == {"task": 1}
    assert found["findings"][1] == {
        "subject": "link",
        "passed": False,
        "note": False,
        "untried": False,
        "detail": "stale",
    }


@pytest.mark.slow
def test_what_cannot_be_tried_is_not_counted_as_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path))
    wanted = ("trust_game_round1_genagents", "synchtom_vanilla", "debate_both_synthetic")
    entries = [entry for entry in harness.entries(harness.task_manager()) if entry.name in wanted]
    monkeypatch.setattr(harness, "entries", lambda manager: entries)
    found = [*doctor.tasks()]
    told = {one.subject: one.detail for one in found if one.untried}
    assert set(told) == {f"task {one.name}" for one in entries if one.name != wanted[2]}
    # Nobody needs to grant anything.
    assert all("its data are built from the" in detail for detail in told.values())
    doctor.print_findings(found, verbose=True)
    said = capsys.readouterr().out
    assert "untried task synchtom_vanilla: not available here: its data" in said
    assert "ok task debate_both_synthetic: " in said
    assert "Checked: 1 × task." in said
    assert f"Not tried: {len(told)} tasks" in said
