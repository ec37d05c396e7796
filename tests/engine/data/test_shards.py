"""Shards: merged they are what one build writes, and only a whole set of one kind is merged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from filelock import FileLock, Timeout
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from otherminds import manifest
from otherminds.cli.main import app
from otherminds.data import loading as data
from otherminds.data.build import dataset as build
from otherminds.data.build import merge as merging
from otherminds.data.build import population, shards
from otherminds.data.build.shards import Outcome, Which
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.parts import processes
from otherminds.errors import OtherMindsError
from otherminds.publishing import publish
from tests.helpers import small_builds

ONE = processes(1)
DEBATE = "debate-beliefs-synthetic"
HUGAGENT = "hugagent-synthetic"

# Parts are of 25 people (HugAgent), 100 people (debate) and 20 stages of one family
# (SocialMindChange): each of these has at least two parts, and the last is a smaller one.
SMALL: Mapping[str, Mapping[str, Any]] = {
    DEBATE: {"users": 210, "seed": 3, "subset": 20},
    HUGAGENT: {
        "agents": 28,
        "seed": 3,
        "subset": 5,
        "items": {
            "bsi": {"healthcare": 60, "surveillance": 61, "zoning": 62},
            "bdu": {"healthcare": 210, "surveillance": 140, "zoning": 200},
        },
    },
    "socialmindchange-codes": small_builds.GENERATED["socialmindchange-codes"],
}


def release(dataset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a small dataset the release. Its audits, whose bounds are for larger ones, are left out."""
    known = manifest.load(dataset)
    builder: Any = build.builder_of(known)
    monkeypatch.setattr(builder, "audit", lambda tables, spec: [])
    generator = dict(SMALL[dataset])
    tables = builder.build(builder.spec(generator), num_proc=1, progress=None)
    changed = {"generator": generator, "configs": build.described(known, tables)}
    small = known.model_copy(update=changed)
    load = manifest.load
    monkeypatch.setattr(manifest, "load", lambda name: small if name == dataset else load(name))


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def build_shards(dataset: str, folder: Path, of: int, people: int | None = None) -> Path:
    for number in range(1, of + 1):
        shards.build(dataset, folder, Which(number, of), ONE, people=people)
    return folder


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A debate population of 250 people in three shards; tests that change it copy it."""
    return build_shards(DEBATE, tmp_path_factory.mktemp("shards"), 3, people=250)


@pytest.mark.slow
@pytest.mark.parametrize("dataset", SMALL)
def test_merged_shards_are_the_repository_of_one_build(
    dataset: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    release(dataset, monkeypatch)
    build.build(dataset, tmp_path / "whole")
    build_shards(dataset, tmp_path / "shards", 2)
    merging.merge(tmp_path / "merged", [tmp_path / "shards"])
    # With the same content hash as the manifest's, which both builds are compared with; and every
    # other file the same too.
    assert contents(tmp_path / "merged") == contents(tmp_path / "whole")


@pytest.mark.slow
def test_a_population_is_the_same_from_any_number_of_shards(
    three: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(population, "ROWS_PER_FILE", 500)
    merging.merge(tmp_path / "merged", [three])
    merging.build_population(DEBATE, tmp_path / "alone", ONE, people=250)
    found = [repository.manifest_of(tmp_path / name) for name in ("merged", "alone")]
    assert found[0].configs == found[1].configs
    builder: Any = build.builder_of(manifest.load(DEBATE))
    spec = builder.scaled(builder.spec(manifest.load(DEBATE).generator), 250)
    (table,) = builder.build(spec, num_proc=1, progress=None).values()
    assert found[0].configs["beliefs"].content_hash == builder.content_hash(table)
    rows = repository.read(tmp_path / "merged", "beliefs")
    assert rows.equals(table)
    files = sorted((tmp_path / "merged" / "data" / "beliefs").iterdir())
    assert len(files) == -(-table.num_rows // 500) > 1
    assert [pq.read_metadata(path).num_rows for path in files[:-1]] == [500] * (len(files) - 1)


def test_a_population_is_not_the_release_and_says_so(three: Path, tmp_path: Path) -> None:
    known = manifest.load(DEBATE)
    merging.merge(tmp_path / "out", [three])
    found = repository.manifest_of(tmp_path / "out")
    assert found.version == f"{known.version}+n250"
    assert found.generator == {**(known.generator or {}), "users": 250}
    assert found.references == {}
    assert "This is not the release" in (tmp_path / "out" / "README.md").read_text()
    rows = data.load(DEBATE, "beliefs", source=str(tmp_path / "out"))["test"]
    assert len(set(rows["user_id"])) == 250
    with pytest.raises(OtherMindsError, match=r"is not version 1\.0"):
        publish._refuse_others(tmp_path / "out", known)


def test_the_first_people_of_a_population_are_audited(three: Path) -> None:
    first, *others = (shards.facts(folder) for folder in shards.folders_in([three]))
    # A third of 250 people begins with part 0 of 100; parts 1 and 2 are the other shards.
    assert {one["name"]: one["value"] for one in first.audits}["counts_users"] == 100
    assert all(one["passed"] for one in first.audits)
    assert [one.audits for one in others] == [[], []]


def test_people_that_fail_their_audits_are_no_shard(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    builder: Any = build.builder_of(manifest.load(DEBATE))
    broken = builder.Audit("broken", False, 1.0, "on purpose")
    monkeypatch.setattr(builder, "audit", lambda tables, spec: [broken])
    with pytest.raises(OtherMindsError, match=r"1 of 1 audits .* broken: on purpose"):
        shards.build(DEBATE, tmp_path, Which(1, 3), ONE, people=250)
    assert [path.name for path in tmp_path.iterdir()] == [".shard-00001-of-00003.lock"]


def test_a_finished_shard_is_not_built_again(three: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(three, tmp_path / "copy")
    folder = copy / Which(2, 3).folder
    before = contents(folder)
    assert shards.build(DEBATE, copy, Which(2, 3), ONE, people=250) == (folder, Outcome.KEPT)
    (folder / "beliefs.parquet").write_bytes(b"cut short")
    assert shards.build(DEBATE, copy, Which(2, 3), ONE, people=250) == (folder, Outcome.REBUILT)
    assert contents(folder) == before
    with pytest.raises(OtherMindsError, match=r"another version: 1\.0\+n250, not 1\.0\+n260"):
        shards.build(DEBATE, copy, Which(2, 3), ONE, people=260)


def altered(folder: Path, **changes: object) -> None:
    path = folder / shards.FACTS
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def without_one(shards_of: Path) -> None:
    shutil.rmtree(shards_of / Which(2, 3).folder)


def with_one_twice(shards_of: Path) -> None:
    shutil.copytree(shards_of / Which(2, 3).folder, shards_of / "shard-again")


def with_another_seed(shards_of: Path) -> None:
    generator = manifest.load(DEBATE).generator or {}
    altered(shards_of / Which(2, 3).folder, generator={**generator, "users": 250, "seed": 1})


def with_other_software(shards_of: Path) -> None:
    altered(shards_of / Which(3, 3).folder, software={"numpy": "1.0"})


def of_an_old_version(shards_of: Path) -> None:
    for folder in shards_of.glob("shard-*"):
        altered(folder, version="0.9+n250")


def of_another_form(shards_of: Path) -> None:
    for folder in shards_of.glob("shard-*"):
        altered(folder, generator={"users": 250})


def of_other_types(shards_of: Path) -> None:
    for folder in shards_of.glob("shard-*"):
        altered(folder, generator={"users": [250], "seed": 3, "subset": None})


def with_a_damaged_file(shards_of: Path) -> None:
    (shards_of / Which(3, 3).folder / "people.parquet").write_bytes(b"cut short")


def with_an_unreadable_one(shards_of: Path) -> None:
    (shards_of / Which(3, 3).folder / shards.FACTS).write_text("{}")


def without_facts(shards_of: Path) -> None:
    (shards_of / Which(3, 3).folder / shards.FACTS).unlink()


def with_bytes_for_facts(shards_of: Path) -> None:
    (shards_of / Which(3, 3).folder / shards.FACTS).write_bytes(b"\xff\x00")


@pytest.mark.parametrize("damage", [with_an_unreadable_one, without_facts, with_bytes_for_facts])
def test_a_shard_that_lost_its_facts_is_built_anew(
    damage: Any, three: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(three, tmp_path / "copy")
    damage(copy)
    with pytest.raises(OtherMindsError, match=r"not a shard|are missing"):
        merging.merge(tmp_path / "out", [copy])
    words = ["build", DEBATE, str(copy), "--people", "250", "--shard", "3/3"]
    said = CliRunner().invoke(app, words, catch_exceptions=False)
    assert f"Was damaged, built anew: {copy / Which(3, 3).folder}" in said.stdout
    assert contents(copy / Which(3, 3).folder) == contents(three / Which(3, 3).folder)


def test_a_file_with_the_name_of_a_shard_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / Which(3, 3).folder
    file.write_text("mine")
    with pytest.raises(OtherMindsError, match="is not a shard"):
        shards.build(DEBATE, tmp_path, Which(3, 3), ONE, people=250)
    assert file.read_text() == "mine"


def test_what_killed_jobs_left_is_removed(three: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(three, tmp_path / "copy")
    mine, others = (copy / f".{Which(n, 3).folder}.0a1b2c.partial" for n in (2, 3))
    for left in (mine, others):
        left.mkdir()
        (left / "beliefs.parquet").write_bytes(b"half")
    shards.build(DEBATE, copy, Which(2, 3), ONE, people=250)
    # The third shard may be in work elsewhere.
    assert [mine.exists(), others.exists()] == [False, True]


def test_a_shard_is_built_under_its_lock(tmp_path: Path) -> None:
    free = []

    def run(build: Any, tasks: Any) -> Any:
        for number in (2, 3):
            lock = FileLock(tmp_path / f".{Which(number, 3).folder}.lock")
            try:
                with lock.acquire(blocking=False):
                    free.append(number)
            except Timeout:
                pass
        return ONE(build, tasks)

    shards.build(DEBATE, tmp_path, Which(2, 3), run, people=250)
    assert free == [3]
    assert [path.name for path in tmp_path.glob("shard-*")] == [Which(2, 3).folder]


def test_an_advice_builds_shards_of_the_same_population(three: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(three, tmp_path / "copy")
    without_one(copy)
    with pytest.raises(OtherMindsError) as caught:
        merging.merge(tmp_path / "out", [copy])
    advice = f"otherminds build {DEBATE} {copy} --shard 2/3 --people 250"
    assert f"`{advice}`" in str(caught.value)
    assert CliRunner().invoke(app, advice.split()[1:], catch_exceptions=False).exit_code == 0
    with_a_damaged_file(copy)
    with pytest.raises(OtherMindsError, match="--shard 3/3 --people 250` replaces it"):
        merging.merge(tmp_path / "out", [copy])


@pytest.mark.parametrize(
    ("version", "generator", "advice"),
    [
        ("1.0", {"stages": 1200}, "otherminds build D OUT --shard 2/3"),
        ("1.0+n9", {"stages": 9}, "otherminds build D OUT --shard 2/3 --stages 9"),
        ("1.0+n9", {"agents": 9}, "otherminds build D OUT --shard 2/3 --people 9"),
    ],
)
def test_advice_has_the_size_of_a_population_only(
    version: str, generator: dict[str, Any], advice: str
) -> None:
    what: Any = {"rows": {}, "sha256": {}, "software": {}, "audits": []}
    facts = shards.Facts(dataset="D", version=version, generator=generator, shard=1, of=3, **what)
    assert facts.command(2, Path("OUT")) == advice


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_one, "1 of 3 shards are missing, first `--shard 2/3`"),
        (with_one_twice, "Shard 2 of 3 is there twice"),
        (with_another_seed, "another generator: .*'seed': 1"),
        (with_other_software, "another software"),
        (of_an_old_version, "0.9.n250, but this is version 1.0"),
        (of_another_form, "shard.json has parameters .* cannot be built with: A generator has the"),
        (of_other_types, "shard.json has parameters .* cannot be built with: users is"),
        (with_a_damaged_file, "shard-00003-of-00003 is damaged"),
        (with_an_unreadable_one, "shard-00003-of-00003 is not a shard"),
        (with_bytes_for_facts, "shard-00003-of-00003 is not a shard"),
    ],
)
def test_what_does_not_belong_together_is_not_merged(
    change: Any, message: str, three: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(three, tmp_path / "copy")
    change(copy)
    with pytest.raises(OtherMindsError, match=message):
        merging.merge(tmp_path / "out", [copy])
    assert not (tmp_path / "out").exists()


def test_a_folder_without_shards_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="is not a shard"):
        merging.merge(tmp_path / "out", [tmp_path])
    with pytest.raises(OtherMindsError, match="Name the shards"):
        merging.merge(tmp_path / "out", [])


@given(st.integers(1, 500), st.data())
def test_shards_are_blocks_that_cover_all_parts_in_order(count: int, more: st.DataObject) -> None:
    of = more.draw(st.integers(1, count))
    blocks = [Which(number, of).parts(count) for number in range(1, of + 1)]
    assert [part for block in blocks for part in block] == list(range(count))
    # Even: no shard has two parts more than another.
    assert max(map(len, blocks)) - min(map(len, blocks)) <= 1


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "1/0", "a/b", "-1/3", "1/3/5"])
def test_a_shard_that_cannot_be_is_one_clear_error(text: str) -> None:
    with pytest.raises(OtherMindsError, match="names no shard; write 1/16"):
        Which.read(text)


def test_more_shards_than_parts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="There are 3 parts, so make 3 shards at most"):
        shards.build(DEBATE, tmp_path, Which(1, 4), ONE, people=250)


def test_what_is_built_in_one_piece_has_no_shards(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="'trust-game-synthetic' is built in one piece"):
        shards.build("trust-game-synthetic", tmp_path, Which(1, 2), ONE)
    with pytest.raises(OtherMindsError, match="cannot be built here"):
        shards.build("hugagent", tmp_path, Which(1, 2), ONE)


def test_the_commands_build_and_merge(three: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(three, tmp_path / "copy")
    shutil.rmtree(copy / Which(3, 3).folder)
    words = ["build", DEBATE, str(copy), "--people", "250", "--shard"]
    runner = CliRunner()
    assert "Built: " in runner.invoke(app, [*words, "3/3"], catch_exceptions=False).stdout
    assert "Already built: " in runner.invoke(app, [*words, "1/3"], catch_exceptions=False).stdout
    said = runner.invoke(app, ["merge", str(tmp_path / "out"), str(copy)], catch_exceptions=False)
    assert "Written: " in said.stdout
    assert repository.manifest_of(tmp_path / "out").version.endswith("+n250")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--all", "out", "--shard", "1/2"], "--all takes one folder"),
        (["--all", "out", "--engine", "ray"], "or --engine: `otherminds build --all OUT`"),
        ([DEBATE, "out", "--source", "x", "--people", "9"], "for generated datasets"),
        (["synchtom", "out", "--source", "x", "--engine", "ray"], "for generated datasets"),
        (["trust-game-synthetic", "out", "--engine", "ray"], "is built in one piece"),
        (["debate-beliefs", "out", "--engine", "ray"], "'debate-beliefs' is built from"),
        ([DEBATE, "out", "--engine", "spark"], "Unknown engine 'spark'"),
    ],
)
def test_options_that_do_not_go_together_say_so(words: list[str], reason: str) -> None:
    failed = CliRunner().invoke(app, ["build", *words])
    assert isinstance(failed.exception, OtherMindsError)
    assert reason in str(failed.exception)
