"""Data access: where rows come from, and that wrong ones are never used."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset

from otherminds import files, manifest
from otherminds.data import cache
from otherminds.data import loading as data
from otherminds.data.build import dataset as build
from otherminds.data.cache import cached
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.publishing import doc_tables, release
from tests.conftest import ROOT
from tests.engine.data import test_shards

NAME = "hugagent-synthetic"


@pytest.fixture
def copy(cache: Path, tmp_path: Path) -> Path:
    """A copy of the built repository that a test may damage."""
    return shutil.copytree(cache / NAME / manifest.load(NAME).version, tmp_path / NAME)


@pytest.mark.slow
def test_the_manifest_states_what_the_build_measures(cache: Path) -> None:
    known = manifest.load(NAME)
    tables = {
        config: repository.read(cache / NAME / known.version, config) for config in known.configs
    }
    builder = build.builder_of(known)
    audits = builder.audit(tables, builder.spec(known.generator or {}))
    assert release.measure(known, tables, audits) == known


def test_the_tables_in_the_docs_are_those_of_the_manifest() -> None:
    page = ROOT / "docs" / "benchmarks" / "hugagent.md"
    text = page.read_text(encoding="utf-8")
    assert "| `bdu_dir` |" in text
    for name in (NAME, "hugagent"):
        assert f"<!-- {name} " in text
        assert doc_tables.fill(text, manifest.load(name)) == text


def test_load_gives_the_declared_rows_under_the_split_test(cache: Path) -> None:
    for config, facts in manifest.load(NAME).configs.items():
        rows = data.load(NAME, config)
        assert {split: len(part) for split, part in rows.items()} == facts.splits


@pytest.mark.slow
def test_load_dataset_reads_a_built_folder_as_the_hub_would(cache: Path, tmp_path: Path) -> None:
    known = manifest.load(NAME)
    cached_rows = cache / NAME / known.version
    tables = {config: repository.read(cached_rows, config) for config in known.configs}
    (copy := tmp_path / NAME).mkdir()
    repository.write(copy, known, tables, [])
    ours = data.load(NAME, "bdu", source=str(copy))["test"]
    theirs = load_dataset(str(copy), "bdu", cache_dir=str(tmp_path / "hf"))
    assert list(theirs) == ["test"]
    assert theirs["test"].features == ours.features
    assert theirs["test"][7] == ours[7]
    assert len(theirs["test"]) == len(ours)


def test_an_explicit_folder_comes_before_the_environment(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert data.locate(NAME).kind == "cache"
    monkeypatch.setenv("OTHERMINDS_DATA", str(copy.parent))
    assert data.locate(NAME).location == str(copy.resolve())
    other = shutil.copytree(copy, tmp_path / "other")
    assert data.locate(NAME, source=str(other)).location == str(other.resolve())


@pytest.mark.slow
def test_altered_rows_are_refused_from_a_folder_and_rebuilt_in_the_cache(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = repository.parquet_path(copy, "bsi")
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)
    with pytest.raises(OtherMindsError, match=r"corrupted: its SHA-256 differs"):
        data.load(NAME, "bsi", source=str(copy))

    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path / "cache"))
    test_shards.release(NAME, monkeypatch)
    folder = cached(NAME)
    whole = repository.read(folder, "bsi")
    pq.write_table(whole.slice(1), repository.parquet_path(folder, "bsi"))
    assert cached(NAME) == folder
    assert repository.read(folder, "bsi").equals(whole)


def test_that_a_whole_is_built_beside_its_slice_is_known_before(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path / "cache"))
    assert data.is_built_whole_first("socialmindchange-codes", {})
    assert not data.is_built_whole_first(NAME, {"data_source": str(copy)})
    # It has no slices: whoever asks a part of it builds it all the same.
    assert not data.is_built_whole_first(NAME, {})
    cache.folder_of(manifest.load("socialmindchange-codes")).mkdir(parents=True)
    assert not data.is_built_whole_first("socialmindchange-codes", {})


@pytest.mark.attack(
    "files of a folder cut, missing or without checksums",
    outcome="one error",
    against="data",
)
@pytest.mark.parametrize("damage", ["truncated", "missing", "no checksums", "not json"])
def test_a_damaged_folder_is_one_clear_error(copy: Path, damage: str) -> None:
    path = repository.parquet_path(copy, "bdu")
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:1000])
    elif damage == "missing":
        path.unlink()
    elif damage == "no checksums":
        (copy / repository.CHECKSUMS).unlink()
    else:
        (copy / repository.CHECKSUMS).write_text("{")
    with pytest.raises(OtherMindsError) as caught:
        data.load(NAME, "bdu", source=str(copy))
    assert "\n" not in str(caught.value)


@pytest.mark.attack(
    "other rows under a released version",
    outcome="refused",
    against="data",
)
def test_the_same_version_with_other_content_is_refused(copy: Path) -> None:
    text = (copy / repository.MANIFEST).read_text(encoding="utf-8")
    wrong = text.replace(manifest.load(NAME).configs["bsi"].content_hash, "f" * 64)
    (copy / repository.MANIFEST).write_text(wrong, encoding="utf-8")
    with pytest.raises(OtherMindsError, match="content hashes or counts differ"):
        data.load(NAME, "bsi", source=str(copy))


@pytest.mark.attack(
    "rows changed in a folder of data, and its checksums mended",
    outcome="refused: the content hash differs",
    against="data",
)
def test_rows_that_a_forger_changed_with_their_checksums_are_refused(copy: Path) -> None:
    path = repository.parquet_path(copy, "bsi")
    rows = pq.read_table(path)
    answers = rows.schema.get_field_index("answer")
    forged = rows.set_column(answers, rows.schema.field(answers), pa.array(["A"] * len(rows)))
    pq.write_table(forged, path)
    sums = json.loads((copy / repository.CHECKSUMS).read_text())
    sums["data/bsi/test-00000-of-00001.parquet"] = files.sha256(path)
    (copy / repository.CHECKSUMS).write_text(json.dumps(sums))
    with pytest.raises(OtherMindsError, match="their content hash differs"):
        data.load(NAME, "bsi", source=str(copy))


def test_the_hash_of_a_folder_is_that_of_its_rows(copy: Path) -> None:
    origin = data.locate(NAME, source=str(copy))
    assert origin.kind == "folder"
    assert data.content_hash(origin, "bsi") == manifest.load(NAME).configs["bsi"].content_hash


def test_the_subset_is_fifty_people_and_other_sizes_are_refused(cache: Path) -> None:
    rows = data.for_task(dataset=NAME, configs=["bsi", "bdu"], data_subset=50)["test"]
    assert len(set(rows["participant_id"])) == 50
    with pytest.raises(OtherMindsError, match="data_subset can be: 50"):
        data.for_task(dataset=NAME, configs=["bsi"], data_subset=7)


def test_documents_of_one_person_and_topic_are_adjacent(cache: Path) -> None:
    rows = data.for_task(dataset=NAME, configs=["bsi", "bdu"], data_subset=50)["test"]
    keys = list(zip(rows["participant_id"], rows["topic"], strict=True))
    changes = 1 + sum(a != b for a, b in pairwise(keys))
    assert changes == len(set(keys))


def test_keys_of_others_are_ignored(cache: Path) -> None:
    rows = data.for_task(
        dataset=NAME, configs=["bsi"], topic="zoning", revision="main", pretrained="x", version=1
    )
    assert set(rows["test"]["topic"]) == {"zoning"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"dataset": "hugagent-sinthetic", "config": "bsi"}, "Did you mean 'hugagent-synthetic'"),
        ({"dataset": NAME, "config": "bsy"}, "no configuration 'bsy'"),
        ({"dataset": NAME, "config": "bsi", "source": "/nowhere"}, "is not a folder"),
        ({"dataset": NAME, "config": "bsi", "revision": "v1"}, "only makes sense"),
    ],
)
def test_what_does_not_exist_is_one_clear_error(
    cache: Path, call: dict[str, str], message: str
) -> None:
    with pytest.raises(OtherMindsError, match=message):
        data.load(**call)


def test_without_the_hub_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    with pytest.raises(OtherMindsError, match="Cannot load 'otherminds/hugagent-synthetic'"):
        data.load(NAME, "bsi", source="hub")


@pytest.mark.attack(
    "output into a folder with files of others",
    outcome="refused",
    against="data",
)
def test_a_build_never_writes_over_somebody_elses_folder(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(OtherMindsError, match="give an empty or new folder"):
        build.build(NAME, tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_a_failed_audit_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = build.builder_of(manifest.load(NAME))
    finding = builder.audit.__globals__["Audit"]("counts", False, 1, "one is missing")
    monkeypatch.setattr(builder, "build", lambda spec, **_: {})
    monkeypatch.setattr(builder, "audit", lambda tables, spec: [finding])
    with pytest.raises(OtherMindsError, match="counts: one is missing"):
        build.build(NAME, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_other_content_than_the_manifests_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = build.builder_of(manifest.load(NAME))
    monkeypatch.setattr(builder, "build", lambda spec, **_: dict.fromkeys(("bsi", "bdu", "agents")))
    monkeypatch.setattr(builder, "audit", lambda tables, spec: [])
    monkeypatch.setattr(builder, "content_hash", lambda table: "f" * 64)
    with pytest.raises(OtherMindsError, match="would not be comparable"):
        build.build(NAME, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


# A small dataset is the release in these processes.
SMALL = """
import os, signal, sys, threading
from pathlib import Path
import pytest
from otherminds import manifest
from otherminds.data.build import dataset as build
from otherminds.data.cache import cached
from otherminds.data.repository import rows
from tests.engine.data import test_shards

test_shards.release("hugagent-synthetic", pytest.MonkeyPatch())
"""

# Kills itself when the first file of the new folder is written.
KILLED = f"""
{SMALL}
def die(folder, *_):
    (folder / "half").write_text("written")
    os.kill(os.getpid(), signal.SIGKILL)

rows.write_tables = die
cached("hugagent-synthetic")
"""

# Builds once the other process is there too.
BUILT = f"""
{SMALL}
ready = Path(sys.argv[1])
builder = build.builder_of(manifest.load("hugagent-synthetic"))
alone = builder.plan

def together(*told, **named):
    while len(list(ready.iterdir())) < 2:
        threading.Event().wait(0.01)
    return alone(*told, **named)

builder.plan = together
(ready / str(os.getpid())).touch()
print(cached("hugagent-synthetic"))
"""


@pytest.mark.slow
def test_a_killed_build_leaves_its_parts_alone_and_two_at_once_go_on_from_them(
    tmp_path: Path,
) -> None:
    (ready := tmp_path / "ready").mkdir()
    environment = {**os.environ, "OTHERMINDS_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    killed = subprocess.run(
        [sys.executable, "-c", KILLED], env=environment, capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / NAME / manifest.load(NAME).version).exists()
    assert list((tmp_path / NAME).glob(".*.parts/*/00000/*.arrow"))

    both = [
        subprocess.Popen(
            [sys.executable, "-c", BUILT, ready],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    version = manifest.load(NAME).version
    assert {out.strip() for out, _ in outputs} == {str(tmp_path / NAME / version)}
    assert sum("Building" in err for _, err in outputs) == 1
    assert sum("from where it was stopped" in err for _, err in outputs) == 1
    assert {path.name for path in (tmp_path / NAME).iterdir()} <= {version, f"{version}.lock"}
