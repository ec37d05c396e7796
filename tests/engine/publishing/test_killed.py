"""Publishing that is killed at any moment: nothing, the old or the new is seen, never a mixture."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.publishing.publishing import REPO, finished, holds, other
from tests.helpers import small_builds
from tests.helpers.killed_writes import Kill, Killed, Outcome, kills
from tests.minihub import MiniHub, User

pytestmark = pytest.mark.slow

DATASET = REPO.partition("/")[2]

# Folders that a build wrote are taken for the release, and cards of two lines are not checked.
SETUP = """
import sys
from pathlib import Path
import datasets
import httpx2
import huggingface_hub.hf_api
import lm_eval.utils
import requests
from otherminds import harness, manifest
from otherminds.cli import publish as command
from otherminds.cli.main import main
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.debate import synthetic
from otherminds.publishing import publish

harness.quiet(debug=False)
publish.CHECKS = (publish.whole, publish.small_enough, publish.gated_card, publish.with_notice)
publish._refuse_other_id = lambda folder, repo_id: None
load = manifest.load

def act(*words):
    known = repository.manifest_of(Path(words[-1]))
    manifest.load = lambda name: known if name == known.dataset else load(name)
    sys.argv = ["otherminds", *words]
    main()
"""


@pytest.fixture(scope="module")
def hub() -> Iterator[MiniHub]:
    with MiniHub(users={"hf_alice": User("alice", orgs=("otherminds",))}) as running:
        yield running


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two versions, with other rows."""
    built = small_builds.write(DATASET, tmp_path_factory.mktemp("old"))
    newer = small_builds.write(
        DATASET,
        tmp_path_factory.mktemp("new"),
        generator={**small_builds.GENERATED[DATASET], "seed": 4},
    )
    return built, other(newer, tmp_path_factory.mktemp("newer") / "data", version="1.1")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory, hub: MiniHub) -> Iterator[Killed]:
    work = tmp_path_factory.mktemp("killed")
    (work / "tmp").mkdir()
    env = {**hub.env("hf_alice", work / "home"), "TMPDIR": str(work / "tmp")}
    with Killed(SETUP, work / "said", env) as running:
        yield running


def moments(done: Outcome) -> list[Kill]:
    """Most of them at requests: all else is in folders that nobody looks into."""
    asked = kills(done.moments, 13, among={"send", "answered"})
    return [*asked, *kills(done.moments, 5, seed=2)]


@pytest.mark.attack(
    "a build or a publication killed at any moment of its writing",
    outcome="readers see the old or the new, never a mixture; the same command finishes",
    against="data",
)
def test_a_new_repository(killed: Killed, hub: MiniHub, folders: tuple[Path, Path]) -> None:
    built, _ = folders
    words = ("publish", DATASET, "--built", built)
    done = killed.run(words)
    assert done.code == 0, done.output
    finished(hub.repo(REPO), built)
    whole = hub.files("dataset", REPO)
    for one in moments(done):
        hub.repos.clear()
        ended = killed.run(words, at=one.at, torn=one.torn)
        assert (ended.code, ended.moments[-1]) == (-9, one.moment), ended.output
        repo = hub.repos.get(("dataset", REPO))
        if repo is not None and not repo.private:
            finished(repo, built)
        if repo is not None and "refs/tags/v1.0" in repo.refs:
            assert holds(repo, built, "v1.0"), one
        ended = killed.run(words)
        assert ended.code == 0, f"{one}: {ended.output}"
        finished(hub.repo(REPO), built)
        assert hub.files("dataset", REPO) == whole, one


@pytest.mark.attack(
    "a build or a publication killed at any moment of its writing",
    outcome="readers see the old or the new, never a mixture; the same command finishes",
    against="data",
)
def test_another_version(killed: Killed, hub: MiniHub, folders: tuple[Path, Path]) -> None:
    built, newer = folders
    hub.repos.clear()
    assert killed.run(("publish", DATASET, "--built", built)).code == 0
    before = copy.deepcopy(hub.repos)
    words = ("publish", DATASET, "--built", newer)
    done = killed.run(words)
    assert done.code == 0, done.output
    whole = hub.files("dataset", REPO)
    for one in moments(done):
        hub.repos.clear()
        hub.repos.update(copy.deepcopy(before))
        ended = killed.run(words, at=one.at, torn=one.torn)
        assert (ended.code, ended.moments[-1]) == (-9, one.moment), ended.output
        repo = hub.repo(REPO)
        assert not repo.private
        # Main is the old one or the new one, a tag is what it says.
        assert holds(repo, built) or holds(repo, newer), one
        assert holds(repo, built, "v1.0"), one
        if "refs/tags/v1.1" in repo.refs:
            assert holds(repo, newer, "v1.1"), one
        ended = killed.run(words)
        assert ended.code == 0, f"{one}: {ended.output}"
        assert holds(repo, newer, "v1.1")
        assert holds(repo, built, "v1.0")
        assert hub.files("dataset", REPO) == whole, one
        # It was not committed twice.
        assert len(repo.commits) == 3
