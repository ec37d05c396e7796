"""A local Hub with an empty leaderboard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from huggingface_hub import HfApi

from tests.minihub import MiniHub, User
from tests.minihub.client import at_once

REPO = "otherminds/leaderboard"
USERS = {"hf_owner": User("owner", orgs=("otherminds",)), "hf_alice": User("alice")}


@contextmanager
def empty_board(patch: pytest.MonkeyPatch, home: Path) -> Iterator[MiniHub]:
    """A Hub with an empty board, that this process is logged in to as Alice, who may not write."""
    patch.delenv("OTHERMINDS_HUB_ORG", raising=False)
    with MiniHub(users=USERS) as running:
        at_once(patch, running, home=home, token="hf_alice")
        owner = HfApi(endpoint=running.url, token="hf_owner")
        owner.create_repo(REPO, repo_type="dataset")
        owner.upload_file(
            path_or_fileobj=b"---\nlicense: mit\n---\n# Board\n",
            path_in_repo="README.md",
            repo_id=REPO,
            repo_type="dataset",
        )
        yield running
