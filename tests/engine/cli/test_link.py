"""The link into lm-eval's task folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds import harness, paths, plugs
from otherminds.cli import main
from otherminds.errors import OtherMindsError
from otherminds.running import link


@pytest.fixture
def tasks_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for lm-eval's own folder of tasks."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    monkeypatch.setattr(harness, "tasks_folder", lambda: folder)
    monkeypatch.setattr(harness, "site_folder", lambda: tmp_path / "site")
    return folder


def test_link_and_unlink_are_idempotent_and_leave_nothing(tasks_folder: Path) -> None:
    assert [link.state(), link.link(), link.state(), link.link()] == [
        "missing",
        True,
        "linked",
        False,
    ]
    names = {path.name for path in (tasks_folder / "otherminds").iterdir()}
    assert names == {path.name for path in paths.task_files()}
    assert [link.unlink(), link.unlink()] == [True, False]
    assert list(tasks_folder.iterdir()) == []


def test_a_stub_leads_to_the_same_task(tasks_folder: Path) -> None:
    link.link()
    stub = tasks_folder / "otherminds" / "hugagent_synthetic.yaml"
    [ours] = paths.tasks().rglob("hugagent_synthetic.yaml")
    assert harness.load_yaml(stub) == harness.load_yaml(ours)


def test_a_stale_link_is_seen_and_renewed(tasks_folder: Path) -> None:
    link.link()
    (tasks_folder / "otherminds" / "hugagent_synthetic.yaml").unlink()
    assert link.state() == "stale"
    assert link.link()
    assert link.state() == "linked"


def test_files_of_others_are_never_removed(tasks_folder: Path) -> None:
    (tasks_folder / "otherminds").mkdir()
    (tasks_folder / "otherminds" / "mine.yaml").write_text("task: mine\n")
    for action in (link.link, link.unlink):
        with pytest.raises(OtherMindsError, match="did not write"):
            action()
    assert (tasks_folder / "otherminds" / "mine.yaml").exists()


def test_the_hook_comes_and_goes_with_the_link(tasks_folder: Path) -> None:
    link.link()
    assert link.hook().read_text() == plugs.HOOK
    link.hook().write_text("import something_else\n")
    assert link.state() == "stale"
    assert link.link()
    assert link.state() == "linked"
    assert link.unlink()
    assert not link.hook().exists()


def test_where_lm_eval_finds_all_by_itself_no_link_is_made(
    tasks_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    link.link()
    monkeypatch.setattr(harness, "finds_by_itself", lambda: True)
    # The one that is there would double every task.
    main.link()
    assert "Not needed" in capsys.readouterr().out
    assert link.state() == "unneeded"
    assert list(tasks_folder.iterdir()) == []
    assert not link.hook().exists()


def test_a_folder_that_cannot_be_written_gives_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody, not even root, can make a folder there.
    monkeypatch.setattr(harness, "tasks_folder", lambda: Path("/proc/self"))
    monkeypatch.setattr(harness, "site_folder", lambda: tmp_path)
    with pytest.raises(OtherMindsError, match=r"--include_path \$\(otherminds tasks-path\)"):
        link.link()
    # Nothing is left that would run at every start.
    assert list(tmp_path.iterdir()) == []
