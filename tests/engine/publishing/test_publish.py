"""Publishing to a local Hub: what is sent, and what a dry run says."""

from __future__ import annotations

from pathlib import Path

import pytest
from huggingface_hub import HfApi

from otherminds import manifest
from otherminds.errors import OtherMindsError
from otherminds.publishing import contents, publish
from otherminds.publishing.plan import size
from tests.conftest import Command
from tests.engine.publishing.publishing import (
    ALWAYS,
    REPO,
    Send,
    finished,
    holds,
    other,
)
from tests.minihub import Fault, MiniHub, User

# What is sent


def test_a_new_dataset_is_one_commit_tagged_and_public(
    local: MiniHub, built: Path, send: Send, said: list[str]
) -> None:
    done = send()
    finished(local.repo(REPO), built)
    assert done.commit == local.repo(REPO).refs["refs/heads/main"]
    assert done.url == f"{local.url}/datasets/{REPO}"
    n_files = len(contents.of_folder(built))
    compared = f"Downloaded all {n_files} files"
    steps = ("Created", "Committed", compared, "Tagged", "Made it public", "Published")
    assert [line for line in said[1:] if not line.startswith(steps)] == []
    assert len(said) == len(steps) + 1


def test_nobody_sees_it_before_it_is_tagged(local: MiniHub, send: Send) -> None:
    send()
    writes = [
        one.path.rsplit("/", 2)[1:] for one in local.requests if one.method in ("POST", "PUT")
    ]
    settings = [place for place, path in enumerate(writes) if path[-1] == "settings"]
    tag = next(place for place, path in enumerate(writes) if path[0] == "tag")
    assert settings == [len(writes) - 1]
    assert tag == len(writes) - 2


def test_a_second_run_has_nothing_to_do(local: MiniHub, send: Send, said: list[str]) -> None:
    first = send()
    writes = len([one for one in local.requests if one.method != "GET"])
    again = send()
    assert again.commit == first.commit
    assert again.plan.nothing
    assert said[-1] == "Nothing to do: v1.0 is there with this content."
    assert len([one for one in local.requests if one.method != "GET"]) == writes


def test_a_new_version_replaces_adds_and_deletes_in_one_commit(
    local: MiniHub, built: Path, send: Send, said: list[str], tmp_path: Path
) -> None:
    send()
    HfApi().upload_file(
        path_or_fileobj=b"old", path_in_repo="stale.txt", repo_id=REPO, repo_type="dataset"
    )
    newer = other(built, tmp_path / "newer", version="1.1")
    send(newer)
    repo = local.repo(REPO)
    assert holds(repo, newer, "v1.1")
    assert holds(repo, built, "v1.0")
    assert repo.refs["refs/tags/v1.1"] == repo.refs["refs/heads/main"]
    assert len(repo.commits) == 4
    # The rows are the same; card, manifest and checksums are not.
    assert any(line.endswith("3 replaced, 1 deleted.") for line in said)


def test_private_stays_private_until_it_is_published_without(
    local: MiniHub, built: Path, send: Send, said: list[str]
) -> None:
    send(private=True)
    assert local.repo(REPO).private
    assert said[-1].endswith("(private)")
    send()
    finished(local.repo(REPO), built)
    send(private=True)
    assert local.repo(REPO).private


def test_the_gate_closes_in_the_request_that_makes_it_public(local: MiniHub, send: Send) -> None:
    send(gated=True)
    repo = local.repo(REPO)
    assert (repo.gated, repo.private) == ("auto", False)
    assert len([one for one in local.requests if one.path.endswith("/settings")]) == 1


def test_a_private_dataset_has_its_gate_before_anybody_opens_it(local: MiniHub, send: Send) -> None:
    send(private=True, gated=True)
    repo = local.repo(REPO)
    assert (repo.gated, repo.private) == ("auto", True)


@pytest.mark.parametrize("private", [False, True])
def test_an_open_dataset_is_closed_before_its_new_version_is_there(
    private: bool, local: MiniHub, built: Path, send: Send, said: list[str], tmp_path: Path
) -> None:
    send()
    newer = other(built, tmp_path / "newer", version="1.1")
    send(newer, gated=True, private=private, dry_run=True)
    steps = [line.split()[1] for line in said if line.startswith("Would")]
    assert steps[-5:] == ["gate", "replace", "replace", "replace", "download"]
    local.faults.append(Fault("status", "GET", "/resolve/", times=ALWAYS))
    with pytest.raises(OtherMindsError):
        send(newer, gated=True, private=private)
    repo = local.repo(REPO)
    assert holds(repo, newer)
    assert (repo.gated, repo.private) == ("auto", private)
    assert f"Made it {'private and ' if private else ''}gated." in said


def test_a_gate_that_stands_is_not_asked_for_again(local: MiniHub, send: Send) -> None:
    send(gated=True)
    again = send(gated=True).plan
    assert again.gate is None
    assert again.nothing


def test_a_stricter_gate_stays(local: MiniHub, send: Send) -> None:
    send()
    local.repo(REPO).gated = "manual"
    assert send(gated=True).plan.nothing
    assert local.repo(REPO).gated == "manual"


def test_any_folder_can_be_a_space(local: MiniHub, tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "README.md").write_text("---\nsdk: static\n---\n")
    publish.publish_folder(
        *(tmp_path, "otherminds/metric"),
        kind="space",
        version="0.3",
        title="metric",
        space_sdk="static",
        say=said.append,
    )
    repo = local.repo("otherminds/metric", "space")
    assert holds(repo, tmp_path, "v0.3")
    assert not repo.private


# What a dry run says


@pytest.mark.parametrize(
    ("n_bytes", "text"), [(999, "999 B"), (1000, "1.0 kB"), (2_345_678, "2.3 MB")]
)
def test_sizes_are_for_people(n_bytes: int, text: str) -> None:
    assert size(n_bytes) == text


def test_a_dry_run_prints_the_plan_and_touches_nothing(
    local: MiniHub, built: Path, send: Send, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    done = send(dry_run=True, gated=True)
    assert done.commit is None
    assert local.repos == {}
    assert all(one.method == "GET" for one in local.requests)
    assert said[1].startswith("Nobody is logged in")
    assert said[2:] == [
        "Would create the repository, private for now.",
        *(
            f"Would add {path} ({size(file.size)})."
            for path, file in contents.of_folder(built).items()
        ),
        "Would download and compare all files, then tag them v1.0.",
        "Would gate it: readers accept the terms and are let in at once.",
        "Would make it public.",
    ]


# From the command line


def test_the_command_builds_and_publishes_under_an_organisation(
    command: Command, tmp_path: Path
) -> None:
    dataset = "trust-game-synthetic"
    users = {"hf_alice": User("alice", orgs=("acme",))}
    with MiniHub(users=users) as running:
        env = running.env("hf_alice", tmp_path)
        words = ("otherminds", "publish", dataset, "--org", "acme")
        done = command(*words, cwd=tmp_path, env=env)
        assert "Published: " in done.stdout
        repo = running.repo(f"acme/{dataset}")
        version = manifest.load(dataset).version
        card = repo.resolve(f"v{version}").tree["README.md"].data.decode()
        assert f"acme/{dataset}" in card
        assert f"otherminds/{dataset}" not in card
        # Another build is the same, byte for byte.
        done = command(*words, "--dry-run", cwd=tmp_path, env=env)
        assert "Nothing to do" in done.stdout
