"""Builds that are killed while they write: readers see old or new, and the same command finishes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.helpers import fictional_debates, fictional_synchtom
from tests.helpers.killed_writes import Kill, Killed, kills

pytestmark = pytest.mark.slow

DEBATE, SOURCE, CLONE = "debate-beliefs-synthetic", "debate-beliefs", "synchtom"

# A small dataset is the release in this process, and texts are embedded without a model.
SETUP = """
import sys
import pytest
from otherminds.cli import build
from otherminds.cli.main import main
from otherminds.data.build import dataset, engines, merge, shards
from otherminds.dataset_builders.debate import ddo, synthetic
from tests.engine.data import test_shards
from tests.helpers import fictional_debates

patch = pytest.MonkeyPatch()
test_shards.SMALL[test_shards.DEBATE] = {"users": 20, "seed": 3, "subset": 4}
test_shards.release(test_shards.DEBATE, patch)
patch.setattr(ddo, "sentence_bert", lambda model: fictional_debates.hashed)
patch.setattr(dataset, "refuse_failed", lambda name, audits: None)

def act(*words):
    sys.argv = ["otherminds", *words]
    main()
"""

Bytes = dict[str, bytes]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Killed]:
    env = {"OTHERMINDS_CACHE": str(cache)}
    with Killed(SETUP, tmp_path_factory.mktemp("killed"), env) as running:
        yield running


def contents(folder: Path) -> Bytes:
    """The bytes of all files, hidden ones too, and the names of all folders."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
    }


def check(
    killed: Killed,
    place: Path,
    words: Sequence[str | Path],
    *,
    n: int,
    out: str = "out",
    before: Path | None = None,
    also: Path | None = None,
) -> list[Kill]:
    """Kill the command at `n` moments, each time anew, and run it again; returns the moments.

    place   the folder that it writes into, and nothing else
    out     what readers read in it
    before  what is there before it runs
    also    another folder, in which nothing may stay
    """

    def begin() -> None:
        shutil.rmtree(place, ignore_errors=True)
        if before is None:
            place.mkdir()
        else:
            shutil.copytree(before, place)

    begin()
    old = contents(place / out)
    done = killed.run(words)
    assert done.code == 0, done.output
    whole, new = contents(place), contents(place / out)
    rest = contents(also) if also else {}
    assert new
    assert new != old
    # The first run of all makes folders of the cache; the names of temporary files alone are random.
    begin()
    done = killed.run(words)
    assert contents(place) == whole
    found = kills(done.moments, n)
    for one in found:
        begin()
        ended = killed.run(words, at=one.at, torn=one.torn)
        assert (ended.code, ended.moments[-1]) == (-9, one.moment), ended.output
        # A reader sees the old one, the new one, or that there is none.
        assert contents(place / out) in (old, new, {}), one
        ended = killed.run(words)
        assert ended.code == 0, f"{one}: {ended.output}"
        assert contents(place) == whole, one
        assert (contents(also) if also else {}) == rest, one
    return found


@pytest.mark.attack(
    "a build or a publication killed at any moment of its writing",
    outcome="readers see the old or the new, never a mixture; the same command finishes",
    against="data",
)
def test_a_new_build(killed: Killed, tmp_path: Path) -> None:
    place = tmp_path / "place"
    found = check(killed, place, ("build", DEBATE, place / "out"), n=14)
    assert {one.moment for one in found} >= {"os.rename", "a table is open", "close a table"}
    assert any(one.torn for one in found)


@pytest.mark.attack(
    "a build or a publication killed at any moment of its writing",
    outcome="readers see the old or the new, never a mixture; the same command finishes",
    against="data",
)
def test_a_build_in_the_place_of_another(killed: Killed, tmp_path: Path) -> None:
    place, before = tmp_path / "place", tmp_path / "before"
    before.mkdir()
    done = killed.run(("build", DEBATE, before / "out", "--people", "30"))
    assert done.code == 0, done.output
    found = check(killed, place, ("build", DEBATE, place / "out"), n=60, before=before)
    assert sum(one.moment == "os.rename" for one in found) == 2


@pytest.mark.attack(
    "a build or a publication killed at any moment of its writing",
    outcome="readers see the old or the new, never a mixture; the same command finishes",
    against="data",
)
def test_a_population(killed: Killed, tmp_path: Path) -> None:
    place = tmp_path / "place"
    check(killed, place, ("build", DEBATE, place / "out", "--people", "30"), n=12)


@pytest.mark.attack(
    "a build or a publication killed at any moment of its writing",
    outcome="readers see the old or the new, never a mixture; the same command finishes",
    against="data",
)
def test_a_shard_and_a_merge(killed: Killed, tmp_path: Path) -> None:
    place = tmp_path / "place"
    sized = ("--people", "250")
    shard = ("build", DEBATE, place / "out", "--shard", "1/2", *sized)
    check(killed, place, shard, n=8, out="out/shard-00001-of-00002")
    shards = tmp_path / "shards"
    for number in (1, 2):
        done = killed.run(("build", DEBATE, shards, "--shard", f"{number}/2", *sized))
        assert done.code == 0, done.output
    check(killed, place, ("merge", place / "out", shards), n=8)


def test_builds_from_files_of_others(killed: Killed, cache: Path, tmp_path: Path) -> None:
    pytest.importorskip("ijson", reason="ijson is not installed (extra debate)")
    corpus = fictional_debates.write_corpus(tmp_path / "corpus", *fictional_debates.sample())
    clone = fictional_synchtom.write(tmp_path / "clone", *fictional_synchtom.sample())
    place = tmp_path / "place"
    # Finished parts are kept there until all is done; they name the people of the corpus.
    for dataset, source in ((SOURCE, corpus), (CLONE, clone)):
        words = ("build", dataset, place / "out", "--source", source)
        check(killed, place, words, n=14, also=cache)
