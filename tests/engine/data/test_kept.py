"""The local cache builds what is asked for, and a killed build goes on where it stopped."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
from pyarrow import feather

from otherminds import manifest
from otherminds.data.build import dataset as building
from otherminds.data.build import kept
from otherminds.data.repository import rows
from otherminds.dataset_builders.parts import processes
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest, Slice
from tests.helpers import small_builds

BASE = ("stages", "questions")


@pytest.fixture(scope="module")
def small() -> Manifest:
    """A release of three stages, of which one is lite, and of one variant: two parts."""
    known = manifest.load("socialmindchange-codes")
    builder: Any = building.builder_of(known)
    generator = dict(small_builds.GENERATED["socialmindchange-codes"])
    tables = builder.plan(builder.spec(generator)).tables(processes(1))
    lite = {name: tables[name].filter(pc.field("in_lite")) for name in BASE}
    changed = {
        "generator": generator,
        "configs": building.described(known, tables),
        "slices": {
            "lite": Slice(
                rows={name: table.num_rows for name, table in lite.items()},
                content_hash={name: builder.content_hash(table) for name, table in lite.items()},
            )
        },
    }
    return known.model_copy(update=changed)


@pytest.fixture
def built(small: Manifest, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many stages each part had that was really built, in order."""
    found: list[int] = []
    part = kept._part

    def counted(place: Path, build: Callable[[Any], Any], task: Any) -> Any:
        def noted(task: Any) -> Any:
            found.append(len(task.numbers))
            return build(task)

        return part(place, noted, task)

    monkeypatch.setattr(kept, "_part", counted)
    return found


def test_only_what_is_asked_for_is_built(small: Manifest, built: list[int], tmp_path: Path) -> None:
    folder = tmp_path / "1.0"
    kept.fill(small, folder, ["questions"])
    # Stages come with their questions; the variant does not.
    assert built == [3]
    assert rows.intact(folder, small, BASE)
    assert not rows.intact(folder, small, ["questions_variants"])
    before = rows.read(folder, "questions")
    kept.fill(small, folder, ["stages_variants"])
    assert built == [3, 1]
    assert rows.intact(folder, small, small.configs)
    assert rows.read(folder, "questions").equals(before)


def test_a_slice_is_built_alone_and_is_the_rows_of_the_whole(
    small: Manifest, built: list[int], tmp_path: Path
) -> None:
    part = kept.of_slice(small, "lite")
    kept.fill(part, tmp_path / "1.0-lite", BASE, part="lite")
    assert built == [1]
    kept.fill(small, tmp_path / "1.0", BASE)
    for name in BASE:
        whole = rows.read(tmp_path / "1.0", name).filter(pc.field("in_lite"))
        assert rows.read(tmp_path / "1.0-lite", name).equals(whole)


def test_the_released_slice_says_how_many_rows_the_release_marks() -> None:
    known = manifest.load("socialmindchange-codes")
    generator = known.generator or {}
    lite = known.slices["lite"].rows
    # Eighty questions on each stage, as in the whole release: 96,000 on 1,200.
    assert lite == {"stages": generator["lite"], "questions": generator["lite"] * 80}


def test_a_build_that_is_stopped_goes_on(
    small: Manifest, built: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "1.0"
    counted = kept._part

    def stopped(place: Path, build: Callable[[Any], Any], task: Any) -> Any:
        if built:
            raise KeyboardInterrupt
        return counted(place, build, task)

    with monkeypatch.context() as patch:
        patch.setattr(kept, "_part", stopped)
        with pytest.raises(KeyboardInterrupt):
            kept.fill(small, folder, list(small.configs))
    assert kept.started(small, folder)
    # Those of another version's key are removed, not gone on from.
    assert not kept.started(small.model_copy(update={"version": "0.9"}), folder)
    assert not folder.exists()
    kept.fill(small, folder, list(small.configs))
    assert built == [3, 1]
    assert rows.intact(folder, small, small.configs)
    assert [path.name for path in tmp_path.iterdir()] == ["1.0"]


@pytest.mark.parametrize(
    "damage",
    ["other rows", "no rows", "one column more", "one column less", "no table", "no tables"],
)
def test_parts_that_do_not_fit_are_built_again(
    small: Manifest, built: list[int], tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "1.0"
    with monkeypatch.context() as patch:
        patch.setattr(kept, "_write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            kept.fill(small, folder, ["questions"])
    [path] = tmp_path.glob(".1.0.parts/*/00000/questions.arrow")
    table = feather.read_table(path)
    if damage == "no rows":
        path.write_bytes(b"")
    elif damage == "no table":
        path.unlink()
    elif damage == "no tables":
        shutil.rmtree(path.parent)
        path.parent.mkdir()
    else:
        other = {
            "other rows": table.slice(1),
            "one column more": table.append_column("more", table["stage_id"]),
            "one column less": table.drop_columns(["stage_id"]),
        }
        feather.write_feather(other[damage], path, compression="zstd")
    kept.fill(small, folder, ["questions"])
    assert built == [3, 3]
    assert rows.intact(folder, small, BASE)


def test_parts_stay_where_the_disk_is_full(
    small: Manifest, built: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "1.0"

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write = feather.write_feather

    def full_after_one(table: Any, path: Path, **options: Any) -> None:
        write(table, path, **options) if built == [3] else full()

    with monkeypatch.context() as patch:
        patch.setattr(feather, "write_feather", full_after_one)
        for _ in range(2):
            with pytest.raises(OtherMindsError, match="Free some space"):
                kept.fill(small, folder, list(small.configs))
    # The second build read the first part, and did not make it again.
    assert built == [3, 1, 1]
    assert kept.started(small, folder)


def test_rows_that_are_not_the_release_are_refused(small: Manifest, tmp_path: Path) -> None:
    wrong = {
        name: config.model_copy(update={"content_hash": "0" * 64})
        for name, config in small.configs.items()
    }
    with pytest.raises(OtherMindsError, match="its content hash is"):
        kept.fill(small.model_copy(update={"configs": wrong}), tmp_path / "1.0", BASE)
    assert not (tmp_path / "1.0").exists()
