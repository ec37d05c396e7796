"""A local Hub, and a small dataset to publish there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from otherminds.publishing import publish
from otherminds.publishing.upload import Published
from tests.engine.publishing.publishing import DATASET, REPO, Send
from tests.helpers import small_builds
from tests.minihub import MiniHub, User
from tests.minihub.client import at_once

USERS = {
    "hf_alice": User("alice", orgs=("otherminds",)),
    "hf_bob": User("bob"),
    "hf_reader": User("carol", orgs=("otherminds",), role="read"),
}


@pytest.fixture(autouse=True)
def _own_organisation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTHERMINDS_HUB_ORG", raising=False)


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MiniHub]:
    """A Hub that this process is logged in to as Alice, who may write."""
    with MiniHub(users=USERS) as running:
        at_once(monkeypatch, running, home=tmp_path / "home", token="hf_alice")
        yield running


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_builds.write(DATASET, tmp_path_factory.mktemp("small"))


@pytest.fixture
def said() -> list[str]:
    """What the publishing of a test says."""
    return []


@pytest.fixture
def send(built: Path, said: list[str], monkeypatch: pytest.MonkeyPatch) -> Send:
    # These tests write cards of a line or two, which are nothing to the checks of cards.
    own = (publish.whole, publish.small_enough, publish.gated_card, publish.with_notice)
    monkeypatch.setattr(publish, "CHECKS", own)

    def publish_it(folder: Path = built, **choices: bool) -> Published:
        return publish.publish_repository(folder, REPO, **choices, say=said.append)

    return publish_it
