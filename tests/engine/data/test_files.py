"""Nothing is ever half-written."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pandas as pd
import pytest

from otherminds import files
from otherminds.errors import OtherMindsError


@pytest.mark.attack(
    "a write that fails, or whose process is killed",
    outcome="the old file or the new one, whole; leftovers are removed",
    against="data",
)
def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path: Path) -> None:
    target = tmp_path / "results.json"
    target.write_text("old")
    with pytest.raises(RuntimeError), files.atomic_file(target) as partial:
        partial.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "data"
    with files.atomic_folder(target) as partial:
        (partial / "a").write_text("1")
    with pytest.raises(RuntimeError), files.atomic_folder(target) as partial:
        (partial / "b").write_text("2")
        raise RuntimeError
    assert [path.name for path in target.iterdir()] == ["a"]
    with files.atomic_folder(target) as partial:
        (partial / "c").write_text("3")
    assert [path.name for path in target.iterdir()] == ["c"]
    assert list(tmp_path.iterdir()) == [target]


def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with (
        pytest.raises(OtherMindsError, match="Cannot write"),
        files.atomic_file(tmp_path / "file" / "below") as partial,
    ):
        partial.write_text("never")


def test_a_place_is_looked_at_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    files.check_folder(tmp_path / "new" / "below")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(OtherMindsError, match="file is a file; give a folder"):
            files.check_folder(place)
    with pytest.raises(OtherMindsError, match="is a folder; give the name of a file"):
        files.write_json(tmp_path, {})


@pytest.mark.attack(
    "output into a folder with files of others",
    outcome="refused",
    against="data",
)
def test_a_folder_with_files_of_others_is_refused(tmp_path: Path) -> None:
    def check() -> None:
        files.refuse_foreign(tmp_path / "out", "page", "<mark>", command="otherminds x")

    check()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".hidden").touch()
    check()
    (tmp_path / "out" / "page").write_text("begins with a <mark> and goes on")
    check()
    (tmp_path / "out" / "page").write_text("of others")
    told = r"out holds files that `otherminds x` did not write \(page\); give an empty or new"
    with pytest.raises(OtherMindsError, match=told):
        check()
    (tmp_path / "out" / "page").unlink()
    (tmp_path / "out" / "other").touch()
    with pytest.raises(OtherMindsError, match=r"\(other\)"):
        check()


def test_leftovers_of_a_killed_writer_are_removed(tmp_path: Path) -> None:
    target = tmp_path / "1.0"
    writer = files.atomic_folder(target)
    left = writer.__enter__()
    (left / "half").write_text("x")
    files.remove_leftovers(target)
    assert list(tmp_path.iterdir()) == []


KILLED = """
import os, sys
import subprocess
import sys
from pathlib import Path
from otherminds import files
target, moment = Path(sys.argv[1]), sys.argv[2]
replace, done = Path.replace, []
def dies(self, other):
    replace(self, other)
    done.append(other)
    if len(done) == {"between": 1, "after": 2}.get(moment):
        os._exit(9)
Path.replace = dies
with files.atomic_folder(target) as partial:
    (partial / "new").write_text("x")
    if moment == "within":
        os._exit(9)
"""


@pytest.mark.attack(
    "a write that fails, or whose process is killed",
    outcome="the old file or the new one, whole; leftovers are removed",
    against="data",
)
@pytest.mark.parametrize(
    ("moment", "stays"), [("within", "old"), ("between", "new"), ("after", "new")]
)
def test_what_a_killed_writer_left_is_removed_by_the_next_one_beside_it(
    tmp_path: Path, moment: str, stays: str
) -> None:
    target = tmp_path / "data"
    with files.atomic_folder(target) as partial:
        (partial / "old").write_text("x")
    done = subprocess.run([sys.executable, "-c", KILLED, str(target), moment], check=False)
    assert done.returncode == 9
    assert len(list(tmp_path.glob(".data.*"))) == {"within": 1, "between": 2, "after": 1}[moment]
    with files.atomic_folder(tmp_path / "other") as partial:
        (partial / "b").write_text("x")
    assert {path.name for path in tmp_path.iterdir()} == {"data", "other"}
    # A folder that was whole takes its place.
    assert [path.name for path in target.iterdir()] == [stays]


def test_a_writer_that_lives_keeps_its_folder_and_foreign_ones_are_left_alone(
    tmp_path: Path,
) -> None:
    foreign = [tmp_path / ".mine.partial", tmp_path / ".a.0123456789az.partial"]
    for folder in foreign:
        folder.mkdir()
    with files.atomic_folder(tmp_path / "data") as first:
        with files.atomic_folder(tmp_path / "data2") as second:
            assert first.is_dir()
            assert second.is_dir()
        assert first.is_dir()
    assert {path.name for path in tmp_path.iterdir()} == {
        *("data", "data2"),
        *(folder.name for folder in foreign),
    }


def test_a_file_system_without_locks_is_written_to_and_nothing_there_is_taken_for_abandoned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> NoReturn:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(fcntl, "flock", none)
    with files.atomic_folder(tmp_path / "data") as first, files.atomic_folder(tmp_path / "data2"):
        assert first.is_dir()
    assert {path.name for path in tmp_path.iterdir()} == {"data", "data2"}


@pytest.mark.attack(
    "a formula in a cell of any CSV file that is written",
    outcome="an apostrophe before it",
    against="pages",
)
def test_no_cell_of_a_table_is_a_formula(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"model": ["=1+1", "\uff1d1", "tiny"], "value": [-0.5, None, 2], "n": [1, 2, 3]}
    )
    files.write_table(table, tmp_path / "a.csv")
    lines = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert lines == ["model,value,n", "'=1+1,-0.5,1", "'\uff1d1,,2", "tiny,2.0,3"]
    files.write_table(table, tmp_path / "a.json")
    assert '"=1+1"' in (tmp_path / "a.json").read_text(encoding="utf-8")


def test_looking_at_a_place_and_working_there_leave_nothing(tmp_path: Path) -> None:
    files.check_folder(tmp_path / "new" / "folder")
    with files.work_folder(tmp_path / "out") as work:
        (work / "part").write_text("x")
        # Another writer beside it lets it live.
        with files.atomic_folder(tmp_path / "out") as partial:
            (partial / "whole").write_bytes((work / "part").read_bytes())
        assert work.is_dir()
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
