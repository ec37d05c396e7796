"""Publishing to a local Hub: what is left after each fault, and that the same command then finishes."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from tests.engine.publishing.publishing import (
    ALWAYS,
    DATA,
    REPO,
    Send,
    altered,
    finished,
    holds,
    other,
)
from tests.minihub import Fault, MiniHub

# What fails, and whether the first run gets over it by itself.
FAULTS = {
    "upload dropped once": (Fault("drop", "PUT", "/_lfs/"), True),
    "upload dropped for good": (Fault("drop", "PUT", "/_lfs/", times=ALWAYS), False),
    "upload's answer lost": (Fault("lose", "PUT", "/_lfs/"), True),
    "429 once": (
        Fault("status", "POST", "/preupload/", status=429, headers={"Retry-After": "60"}),
        True,
    ),
    "429 for good": (Fault("status", "POST", "/preupload/", status=429, times=ALWAYS), False),
    "500 at the start": (Fault("status", "GET", f"/api/datasets/{REPO}$"), False),
    "500 at the creation": (Fault("status", "POST", "/repos/create"), False),
    "creation's answer lost": (Fault("lose", "POST", "/repos/create"), False),
    "500 at the upload": (Fault("status", "POST", "/objects/batch", times=ALWAYS), False),
    "500 at the commit": (Fault("status", "POST", "/commit/"), False),
    "commit dropped": (Fault("drop", "POST", "/commit/"), False),
    "commit's answer lost": (Fault("lose", "POST", "/commit/"), True),
    "commit arrives twice": (Fault("twice", "POST", "/commit/"), True),
    "download corrupted": (Fault("corrupt", "GET", f"/resolve/.*/{DATA}"), False),
    "download cut": (Fault("cut", "GET", f"/resolve/.*/{DATA}"), True),
    "download refused": (Fault("status", "GET", "/resolve/", times=ALWAYS), False),
    "500 at the tag": (Fault("status", "POST", "/tag/"), False),
    "tag's answer lost": (Fault("lose", "POST", "/tag/"), True),
    "tag arrives twice": (Fault("twice", "POST", "/tag/"), True),
    "500 at the settings": (Fault("status", "PUT", "/settings"), False),
    "settings' answer lost": (Fault("lose", "PUT", "/settings"), False),
}


@pytest.mark.attack(
    "the Hub fails, or cuts or repeats a request, while publishing",
    outcome="all of the version or nothing of it; the same command finishes",
    against="data",
)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_leaves_everything_or_nothing(
    name: str, local: MiniHub, built: Path, send: Send, said: list[str]
) -> None:
    fault, gets_over_it = FAULTS[name]
    local.faults.append(Fault(**vars(fault)))
    if gets_over_it:
        send()
    else:
        with pytest.raises(OtherMindsError) as error:
            send()
        assert "\n" not in str(error.value)
        repo = local.repos.get(("dataset", REPO))
        if repo is None or repo.private:
            visible = "Nothing is visible to others."
        else:
            visible = "v1.0 is complete and tagged."
            finished(repo, built)
        if name != "500 at the start":
            assert str(error.value).endswith(f"{visible} Run the same command again to finish.")
        local.faults.clear()
        send()
    finished(local.repo(REPO), built)


@pytest.mark.attack(
    "the Hub fails, or cuts or repeats a request, while publishing",
    outcome="all of the version or nothing of it; the same command finishes",
    against="data",
)
@pytest.mark.parametrize(
    "name", [name for name in FAULTS if "creation" not in name and "settings" not in name]
)
def test_a_fault_in_an_update_leaves_the_old_version_whole(
    name: str, local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    send()
    fault, gets_over_it = FAULTS[name]
    newer = other(built, tmp_path / "newer", version="1.1")
    # Other rows, so that there is something to upload.
    pq.write_table(repository.read(built, "beliefs").slice(1), newer / DATA)
    altered(newer, repository.manifest_of(newer), {"license": "mit"})
    local.faults.append(Fault(**vars(fault)))
    repo = local.repo(REPO)
    if not gets_over_it:
        with pytest.raises(OtherMindsError):
            send(newer)
        assert holds(repo, built, "v1.0")
        assert "refs/tags/v1.1" not in repo.refs
        # Main is as before, or holds all of the new version: never something between.
        assert holds(repo, built) or holds(repo, newer)
        local.faults.clear()
    send(newer)
    assert holds(repo, newer, "v1.1")
    assert holds(repo, newer)
    assert len(repo.commits) == 3


@pytest.mark.parametrize("name", ["download corrupted", "500 at the tag"])
def test_what_is_on_main_already_is_said(
    name: str, local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    send()
    fault, _ = FAULTS[name]
    local.faults.append(Fault(**vars(fault)))
    with pytest.raises(
        OtherMindsError, match=r"Main holds the files of v1\.1 already, only the tag is missing"
    ):
        send(other(built, tmp_path / "newer", version="1.1"))


def test_a_commit_whose_answer_was_lost_is_noticed_and_said(
    local: MiniHub, send: Send, said: list[str]
) -> None:
    local.faults.append(Fault("twice", "POST", "/commit/"))
    send()
    assert any("its answer was lost, or it was sent twice" in line for line in said)
