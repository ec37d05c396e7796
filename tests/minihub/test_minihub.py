"""The local Hub behaves as the real clients expect, and its faults strike where they are declared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    RemoteEntryNotFoundError,
    RepositoryNotFoundError,
)

from tests.minihub import Fault, MiniHub, User
from tests.minihub.client import at_once

REPO = "acme/data"
USERS = {
    "hf_alice": User("alice", orgs=("acme",)),
    "hf_bob": User("bob"),
    "hf_reader": User("carol", orgs=("acme",), role="read"),
}

# Pushes two configurations, tags them, reads them back, and enters a result on a leaderboard.
CLIENTS = """
import json, os, yaml
from datasets import Dataset, DatasetDict, get_dataset_config_names, load_dataset
from huggingface_hub import DatasetCard, EvalResultEntry, HfApi, eval_result_entries_to_yaml
api = HfApi()
api.create_repo("acme/data", repo_type="dataset")
rows = Dataset.from_dict({"id": [1, 2], "q": ["a", "b"]})
DatasetDict({"test": rows}).push_to_hub("acme/data", "one", set_default=True)
Dataset.from_dict({"id": ["x"], "z": [0.5]}).push_to_hub("acme/data", "two", split="test")
api.create_tag("acme/data", tag="v1.0", repo_type="dataset")
board = b"name: H\\ndescription: d\\nevaluation_framework: inspect-ai\\ntasks:\\n- id: one\\n"
for name, text in {"eval.yaml": board, "CHANGELOG.md": b"x"}.items():
    api.upload_file(path_or_fileobj=text, path_in_repo=name, repo_id="acme/data", repo_type="dataset")
api.create_repo("alice/model")
entry = EvalResultEntry(dataset_id="acme/data", task_id="one", value=0.4, date="2026-11-21")
text = yaml.safe_dump(eval_result_entries_to_yaml([entry])).encode()
HfApi(token="hf_bob").upload_file(
    path_or_fileobj=text, path_in_repo=".eval_results/one.yaml", repo_id="alice/model", create_pr=True)
found = {
    "configs": get_dataset_config_names("acme/data"),
    "default": load_dataset("acme/data", split="test").config_name,
    "tagged": load_dataset("acme/data", "two", split="test", revision="v1.0")[0],
    "streamed": list(load_dataset("acme/data", "one", split="test", streaming=True))[0],
    "board": [(r.rank, r.model_id, r.value, r.pull_request)
              for r in api.get_dataset_leaderboard("acme/data")],
}
print("FOUND" + json.dumps(found), flush=True)
# The threads of a stream may outlive the interpreter, which then aborts.
os._exit(0)
"""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MiniHub]:
    with MiniHub(users=USERS) as hub:
        at_once(monkeypatch, hub, home=tmp_path)
        yield hub


def api(hub: MiniHub, token: str | bool = "hf_alice") -> HfApi:
    return HfApi(endpoint=hub.url, token=token)


def upload(hub: MiniHub, path: str = "data.bin", content: bytes = b"0123456789") -> str:
    done = api(hub).upload_file(
        path_or_fileobj=content, path_in_repo=path, repo_id=REPO, repo_type="dataset"
    )
    return str(done.oid)


def download(hub: MiniHub, folder: Path, token: str | bool = "hf_alice") -> bytes:
    path = hf_hub_download(
        *(REPO, "data.bin"),
        repo_type="dataset",
        local_dir=folder,
        endpoint=hub.url,
        token=token,
    )
    return Path(path).read_bytes()


@pytest.fixture
def repo(hub: MiniHub) -> str:
    api(hub).create_repo(REPO, repo_type="dataset")
    return REPO


def test_real_clients_push_load_stream_and_rank(tmp_path: Path) -> None:
    with MiniHub(users=USERS) as hub:
        done = subprocess.run(
            [sys.executable, "-c", CLIENTS],
            env={**os.environ, **hub.env("hf_alice", tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        assert json.loads(done.stdout.split("FOUND")[1]) == {
            "configs": ["one", "two"],
            "default": "one",
            "tagged": {"id": "x", "z": 0.5},
            "streamed": {"id": 1, "q": "a"},
            "board": [[1, "alice/model", 0.4, 1]],
        }
        assert b"config_name: two" in hub.files("dataset", REPO)["README.md"]
        assert not [request for request in hub.requests if request.status >= 500]


def test_a_dropped_upload_is_repeated_by_the_client(hub: MiniHub, repo: str) -> None:
    hub.faults.append(Fault("drop", "PUT", "/_lfs/", times=2))
    upload(hub)
    assert hub.files("dataset", REPO)["data.bin"] == b"0123456789"
    assert [one.status for one in hub.requests if one.method == "PUT"] == [0, 0, 200]


@pytest.mark.parametrize(("status", "headers"), [(429, {"Retry-After": "3"}), (500, {})])
def test_a_busy_hub_is_asked_again(
    status: int, headers: dict[str, str], hub: MiniHub, repo: str
) -> None:
    hub.faults.append(Fault("status", "POST", "/preupload/", status=status, headers=headers))
    upload(hub)
    asked = [one.status for one in hub.requests if "/preupload/" in one.path]
    assert asked == [status, 200]


def test_a_fault_may_come_later(hub: MiniHub, repo: str) -> None:
    hub.faults.append(Fault("status", "POST", "/commit/", skip=1))
    upload(hub)
    with pytest.raises(HfHubHTTPError, match="500"):
        upload(hub, content=b"other")
    assert hub.files("dataset", REPO)["data.bin"] == b"0123456789"


def test_a_commit_whose_answer_is_lost_was_made(hub: MiniHub, repo: str) -> None:
    hub.faults.append(Fault("lose", "POST", "/commit/"))
    with pytest.raises(Exception, match="disconnected"):
        upload(hub)
    assert hub.files("dataset", REPO)["data.bin"] == b"0123456789"


def test_a_commit_that_arrives_twice_is_made_twice_unless_it_names_its_parent(
    hub: MiniHub, repo: str
) -> None:
    hub.faults.append(Fault("twice", "POST", "/commit/"))
    upload(hub)
    # The first commit made the repository; the upload's two follow.
    assert len(hub.repo(REPO).commits) == 3


def test_a_download_can_be_corrupted_and_cut(hub: MiniHub, repo: str, tmp_path: Path) -> None:
    upload(hub)
    hub.faults.append(Fault("corrupt", "GET", "/resolve/"))
    assert download(hub, tmp_path / "corrupt") == b"0123456788"
    hub.faults.append(Fault("cut", "GET", "/resolve/"))
    # The client goes on where the answer ended.
    assert download(hub, tmp_path / "cut") == b"0123456789"


def test_what_does_not_exist_is_not_found(hub: MiniHub, repo: str, tmp_path: Path) -> None:
    with pytest.raises(RepositoryNotFoundError):
        hf_hub_download("nobody/nothing", "config.json", endpoint=hub.url, token="hf_bob")
    with pytest.raises(RemoteEntryNotFoundError):
        download(hub, tmp_path)


def test_a_new_static_space_is_not_empty(hub: MiniHub) -> None:
    api(hub).create_repo("acme/page", repo_type="space", space_sdk="static")
    there = {".gitattributes", "README.md", "index.html", "style.css"}
    assert set(hub.files("space", "acme/page")) == there
    api(hub).create_repo("acme/app", repo_type="space", space_sdk="docker")
    assert set(hub.files("space", "acme/app")) == {".gitattributes"}


def test_a_gate_stops_who_was_not_let_in(hub: MiniHub, repo: str, tmp_path: Path) -> None:
    upload(hub)
    api(hub).update_repo_settings(REPO, gated="auto", repo_type="dataset")
    for token in ("hf_bob", False):
        with pytest.raises(GatedRepoError):
            download(hub, tmp_path, token)
    assert download(hub, tmp_path) == b"0123456789"


def test_rights_are_those_of_the_token(hub: MiniHub, repo: str) -> None:
    asked = {"repo_id": REPO, "repo_type": "dataset"}
    api(hub).auth_check(**asked, write=True)
    for token in ("hf_reader", "hf_bob"):
        api(hub, token).auth_check(**asked)
        with pytest.raises(HfHubHTTPError, match="403"):
            api(hub, token).auth_check(**asked, write=True)
    api(hub).update_repo_settings(**asked, visibility="private")
    api(hub, "hf_reader").auth_check(**asked)
    with pytest.raises(RepositoryNotFoundError):
        api(hub, "hf_bob").auth_check(**asked)


def proposed(hub: MiniHub, content: bytes) -> int:
    made = api(hub, "hf_bob").upload_file(
        path_or_fileobj=content,
        path_in_repo="new.txt",
        repo_id=REPO,
        repo_type="dataset",
        create_pr=True,
    )
    return int(made.pr_num)


def test_pull_requests_are_listed_answered_and_decided(hub: MiniHub, repo: str) -> None:
    asked = {"repo_id": REPO, "repo_type": "dataset"}
    # More than a page of them.
    numbers = [proposed(hub, b"%d" % number) for number in range(12)]
    owner, bob = api(hub), api(hub, "hf_bob")
    owner.merge_pull_request(**asked, discussion_num=1, comment="Merged.")
    owner.change_discussion_status(**asked, discussion_num=2, new_status="closed", comment="No.")
    bob.comment_discussion(**asked, discussion_num=3, comment="Please.")
    found = owner.get_repo_discussions(**asked, discussion_status="open")
    assert [one.num for one in found] == numbers[2:]
    assert [one.num for one in owner.get_repo_discussions(**asked)] == numbers
    details = [owner.get_discussion_details(**asked, discussion_num=one) for one in (1, 2, 3)]
    assert [one.status for one in details] == ["merged", "closed", "open"]
    assert [[(event.type, event.author) for event in one.events] for one in details] == [
        [("comment", "alice"), ("status-change", "alice")],
        [("comment", "alice"), ("status-change", "alice")],
        [("comment", "bob")],
    ]
    assert details[0].merge_commit_oid == hub.repo(REPO).resolve("main").sha
    assert hub.files("dataset", REPO)["new.txt"] == b"0"


def test_only_who_opened_a_pull_request_changes_it(hub: MiniHub, repo: str) -> None:
    number = proposed(hub, b"mine")
    change = {
        "path_or_fileobj": b"changed",
        "path_in_repo": "new.txt",
        "repo_id": REPO,
        "repo_type": "dataset",
        "revision": f"refs/pr/{number}",
    }
    api(hub, "hf_bob").upload_file(**change)
    assert hub.files("dataset", REPO, f"refs/pr/{number}")["new.txt"] == b"changed"
    with pytest.raises(HfHubHTTPError, match="403"):
        api(hub, "hf_reader").upload_file(**change)
    with pytest.raises(HfHubHTTPError, match="403"):
        api(hub, "hf_bob").merge_pull_request(REPO, number, repo_type="dataset")
    for token in ("hf_bob", "hf_reader"):
        with pytest.raises(HfHubHTTPError, match="403"):
            api(hub, token).upload_file(**{**change, "revision": "main"})
