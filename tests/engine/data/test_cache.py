"""The local cache: interrupted, read while it is built, and rid of slices that the whole holds."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from filelock import FileLock

from otherminds import data, files, manifest
from otherminds.data import cache
from otherminds.data.build import dataset as building
from otherminds.data.build import kept
from otherminds.data.repository import rows
from otherminds.dataset_builders.parts import processes
from otherminds.manifest import Manifest, Slice
from tests.conftest import Command
from tests.helpers import small_builds

NAME = "socialmindchange-codes"
BASE = ("stages", "questions")
PATIENCE = 60.0


@pytest.fixture(scope="module")
def made() -> Manifest:
    """A release of three stages, of which one is lite, and of one variant: two parts."""
    known = manifest.load(NAME)
    builder: Any = building.builder_of(known)
    generator = dict(small_builds.GENERATED[NAME])
    tables = builder.plan(builder.spec(generator)).tables(processes(1))
    lite = {name: tables[name].filter(pc.field("in_lite")) for name in BASE}
    part = Slice(
        rows={name: table.num_rows for name, table in lite.items()},
        content_hash={name: builder.content_hash(table) for name, table in lite.items()},
    )
    changed = {"generator": generator, "configs": building.described(known, tables)}
    return known.model_copy(update={**changed, "slices": {"lite": part}})


@pytest.fixture
def small(made: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """The same as the release, with an empty cache."""
    load = manifest.load
    monkeypatch.setattr(manifest, "load", lambda name: made if name == NAME else load(name))
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path))
    monkeypatch.delenv("OTHERMINDS_DATA", raising=False)
    return made


def _in_cache(tmp_path: Path) -> set[str]:
    """All but the locks, which may stay."""
    return {path.name for path in (tmp_path / NAME).iterdir() if path.suffix != ".lock"}


def _stop_after(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    part, begun = kept._part, []

    def stopped(*told: Any) -> Any:
        begun.append(told)
        if len(begun) > parts:
            raise KeyboardInterrupt
        return part(*told)

    monkeypatch.setattr(kept, "_part", stopped)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (0, "No part of the data was finished: the same command begins anew."),
        (1, "Finished parts of the data are kept: the same command goes on from them."),
    ],
)
def test_an_interrupted_build_says_whether_parts_are_kept(
    parts: int, said: str, small: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stop_after(parts, monkeypatch)
    with pytest.raises(KeyboardInterrupt) as stopped:
        cache.cached(NAME)
    assert stopped.value.args == (said,)


def test_an_interrupted_build_that_has_no_parts_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any, **__: Any) -> NoReturn:
        raise KeyboardInterrupt

    dataset = "trust-game-synthetic"
    builder = building.builder_of(manifest.load(dataset))
    assert not hasattr(builder, "plan")
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path))
    monkeypatch.setattr(builder, "build", stop)
    with pytest.raises(KeyboardInterrupt, match="No part of the data was finished"):
        cache.cached(dataset)


@pytest.mark.parametrize("flags", [(), ("--model", "dummy")], ids=["weightless", "a model"])
def test_a_run_that_is_interrupted_while_its_data_are_built_says_that_parts_are_kept(
    flags: tuple[str, ...],
    small: Manifest,
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _stop_after(1, monkeypatch)
    words = ("otherminds", "run", "socialmindchange_codes_variants", *flags, "--output_path", "out")
    # The variants are one part here: the whole, two parts, is built in their stead.
    monkeypatch.setattr(cache, "ensure", lambda dataset, *_: _all_of(dataset))
    done = command(*words, cwd=tmp_path, code=130)
    assert done.stderr.splitlines()[-1] == (
        "Interrupted. Finished parts of the data are kept: the same command goes on from them."
    )


_ensure = cache.ensure


def _all_of(dataset: str) -> Path:
    return _ensure(dataset, list(manifest.load(dataset).configs))


def test_only_parts_that_fit_are_announced_as_gone_on_from(
    small: Manifest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as patch:
        _stop_after(1, patch)
        with pytest.raises(KeyboardInterrupt):
            cache.cached(NAME)
    [work] = (tmp_path / NAME).glob(".*.parts/*")
    key = work.name
    work.rename(work.with_name("0" * 16))
    with monkeypatch.context() as patch:
        _stop_after(1, patch)
        with pytest.raises(KeyboardInterrupt):
            cache.cached(NAME)
    assert "from where it was stopped" not in capsys.readouterr().err
    assert [path.name for path in work.parent.iterdir()] == [key]
    cache.cached(NAME)
    assert "from where it was stopped" in capsys.readouterr().err


@pytest.mark.parametrize("moment", ["before it is read", "while it is checked"])
def test_rows_are_read_while_another_configuration_is_put_beside_them(
    moment: str, small: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cache.ensure(NAME, BASE)
    expected = rows.read(folder, "questions")
    may_swap, in_gap, seen = (threading.Event() for _ in range(3))
    replace = Path.replace

    def replaced(self: Path, target: Any) -> Path:
        if self != folder:
            return replace(self, target)
        assert may_swap.wait(PATIENCE)
        moved = replace(self, target)
        in_gap.set()
        assert seen.wait(PATIENCE)
        return moved

    def in_the_gap() -> None:
        may_swap.set()
        assert in_gap.wait(PATIENCE)

    read, check, failed = rows.read, rows.files.sha256, []

    def read_in_the_gap(*told: Any) -> pa.Table:
        if not failed and moment == "before it is read":
            in_the_gap()
        try:
            return read(*told)
        except Exception as error:
            failed.append(error)
            raise
        finally:
            seen.set()

    def hashed_in_the_gap(path: Path) -> str:
        reads = threading.current_thread() is threading.main_thread() and path.suffix == ".parquet"
        if reads and not may_swap.is_set() and moment != "before it is read":
            in_the_gap()
            try:
                return check(path)
            except OSError as error:
                failed.append(error)
                raise
            finally:
                seen.set()
        return check(path)

    monkeypatch.setattr(Path, "replace", replaced)
    monkeypatch.setattr(rows, "read", read_in_the_gap)
    monkeypatch.setattr(rows.files, "sha256", hashed_in_the_gap)
    with ThreadPoolExecutor(1) as other:
        build = other.submit(cache.ensure, NAME, ["stages_variants"])
        found = cache.read(NAME, "questions")
        build.result(PATIENCE)
    assert len(failed) == 1
    assert found.equals(expected)
    assert rows.intact(folder, small, small.configs)


def test_a_slice_is_removed_when_the_whole_has_its_rows(
    small: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = small.version
    cache.ensure(NAME, BASE, "lite")
    cache.ensure(NAME, ["stages_variants"])
    # The variants are not the rows of the slice.
    assert _in_cache(tmp_path) == {version, f"{version}-lite"}
    cache.ensure(NAME, BASE)
    assert _in_cache(tmp_path) == {version}

    # As versions before left them, and a build that was killed.
    for left in (f"{version}-lite/data", f".{version}-lite.parts/0/00000"):
        (tmp_path / NAME / left).mkdir(parents=True)
    with FileLock(tmp_path / NAME / f"{version}-lite.lock"):
        cache.ensure(NAME, ["questions"], "lite")
        assert len(_in_cache(tmp_path)) == 3  # somebody builds it just now
    cache.ensure(NAME, ["questions"], "lite")
    assert _in_cache(tmp_path) == {version}


def test_a_slice_that_is_removed_under_its_reader_is_read_from_the_whole(
    small: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = cache.ensure(NAME, BASE, "lite")
    read, places = rows.read, []

    def read_after_the_whole_came(folder: Path, config: str) -> pa.Table:
        places.append(folder)
        cache.ensure(NAME, BASE)
        return read(folder, config)

    monkeypatch.setattr(rows, "read", read_after_the_whole_came)
    found = cache.read(NAME, "questions", "lite")
    assert places == [alone, cache.folder_of(small)]
    assert found.num_rows == small.configs["questions"].splits["test"]


def test_a_lite_run_states_the_hash_of_the_whole_and_reads_rows_of_the_slices_hash(
    small: Manifest, tmp_path: Path
) -> None:
    read = cache.read(NAME, "questions", "lite")
    builder = building.builder_of(small)
    assert builder.content_hash(read) == small.slices["lite"].content_hash["questions"]
    stated = data.provenance(NAME, BASE, lite=True)["content_hash"]
    assert stated == {name: small.configs[name].content_hash for name in BASE}
    # Nothing was built for it.
    assert _in_cache(tmp_path) == {f"{small.version}-lite"}

    path = rows.parquet_path(cache.folder_of(small, "lite"), "questions")
    pq.write_table(read.slice(1), path)
    assert cache.read(NAME, "questions", "lite").equals(read)


def _poison(folder: Path, config: str) -> pa.Table:
    """Other rows in the place of a configuration's, and checksums that agree with them."""
    [name] = rows.data_files(folder, config)
    table = pq.read_table(folder / name)
    column = table.column_names.index("answer")
    turned = pa.array(table["answer"].to_pylist()[::-1], table["answer"].type)
    poisoned = table.set_column(column, "answer", turned)
    pq.write_table(poisoned, folder / name)
    sums = {**rows.checksums(folder), name: files.sha256(folder / name)}
    (folder / rows.CHECKSUMS).write_text(json.dumps(sums))
    assert rows.read(folder, config).equals(poisoned)
    return poisoned


@pytest.mark.attack(
    "golds changed in the cache, and its checksums mended",
    outcome="built again, and said",
    against="data",
)
def test_rows_that_were_changed_with_their_checksums_are_built_again(
    small: Manifest, capsys: pytest.CaptureFixture[str]
) -> None:
    original = cache.read(NAME, "questions")
    assert capsys.readouterr().err.count("built again") == 0
    poisoned = _poison(cache.folder_of(small), "questions")
    assert not poisoned.equals(original)
    assert not cache.is_cached(NAME)
    assert cache.read(NAME, "questions").equals(original)
    assert " ".join(capsys.readouterr().err.split()).count("are not those of version") == 1
    assert cache.read(NAME, "questions").equals(original)
    assert capsys.readouterr().err == ""


@pytest.mark.attack(
    "golds in the cache changed while they are hashed",
    outcome="hashed again at the next reading",
    against="data",
)
def test_rows_that_are_changed_while_they_are_hashed_are_not_remembered(
    small: Manifest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    original = cache.read(NAME, "questions")
    [memory] = (tmp_path / ".verified").iterdir()
    memory.unlink()
    content_hash = building.content_hash

    def late(known: Manifest, table: pa.Table) -> str:
        monkeypatch.setattr(building, "content_hash", content_hash)
        _poison(cache.folder_of(small), "questions")
        return content_hash(known, table)

    monkeypatch.setattr(building, "content_hash", late)
    cache.ensure(NAME, ["questions"])
    assert cache.read(NAME, "questions").equals(original)


@pytest.mark.parametrize("config", BASE)
def test_what_was_hashed_is_not_hashed_again_until_its_file_is_another(
    small: Manifest, config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.ensure(NAME, BASE)
    hashed: list[str] = []
    content_hash = building.content_hash

    def counted(known: Manifest, table: pa.Table) -> str:
        hashed.append("")
        return content_hash(known, table)

    monkeypatch.setattr(building, "content_hash", counted)
    for _ in range(2):
        cache.read(NAME, config)
    assert not hashed
    [name] = rows.data_files(cache.folder_of(small), config)
    path = cache.folder_of(small) / name
    # The same bytes in another file: the rows are hashed once more.
    path.write_bytes(path.read_bytes())
    for _ in range(2):
        cache.read(NAME, config)
    assert len(hashed) == 1
    # Without the memory, or with a damaged one, they are hashed at every start.
    [memory] = (tmp_path / ".verified").iterdir()
    memory.write_text("[")
    cache.read(NAME, config)
    assert len(hashed) == 2
