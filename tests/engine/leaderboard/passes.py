"""Passes over a board on a local Hub: who proposes what, what is done about it, what is then said."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from huggingface_hub import CommitOperationAdd, DiscussionComment, HfApi

from otherminds.leaderboard.hub import Board
from otherminds.leaderboard.judging.expected import expected
from otherminds.leaderboard.operating.done import Done
from otherminds.leaderboard.operating.work import Settings, accept, work
from otherminds.leaderboard.records import moderation
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.moderation import LOG, Decision
from tests.engine.leaderboard.conftest import REPO, TASK, TODAY, Forged
from tests.minihub import MiniHub


def proposed(hub: MiniHub, folder: Path, *, token: str = "hf_alice", **others: bytes) -> int:
    """Alice, or another, opens a pull request with a folder, and with other files."""
    made = HfApi(token=token).create_commit(
        REPO,
        [*operations(folder), *(CommitOperationAdd(name, data) for name, data in others.items())],
        commit_message="Submission",
        repo_type="dataset",
        create_pr=True,
    )
    assert made.pr_num is not None
    return int(made.pr_num)


def pushed(number: int, folder: Path, token: str = "hf_alice") -> None:
    """Change a pull request."""
    HfApi(token=token).create_commit(
        REPO,
        operations(folder),
        commit_message="Change",
        repo_type="dataset",
        revision=f"refs/pr/{number}",
    )


def operations(folder: Path) -> list[CommitOperationAdd]:
    return [
        CommitOperationAdd(f"submissions/{folder.name}/{path.relative_to(folder)}", str(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def passed(**changes: Any) -> list[Done]:
    settings = Settings(TODAY, **changes)
    return work(Board.open(for_writing=True), settings, say=lambda text: None)


def seen_and_accepted(number: int, commit: str, **changes: Any) -> Done:
    board, settings = Board.open(for_writing=True), Settings(TODAY, **changes)
    return accept(board, settings, number, commit, say=lambda text: None)


def changed(
    folder: Path,
    work: Path,
    *,
    submitter: str = "alice",
    name: str = "tests/random",
    n_changed: int = 0,
) -> Path:
    """A copy by another submitter or under another name, with some of its answers changed."""
    forged = Forged(Path(shutil.copytree(folder, work / "copy")))
    forged.record(lambda found: found.update(submitter=submitter))
    forged.record(lambda found: found["model"].update(name=name))
    forged.record(lambda found: found["declarations"].update(notes="Ours."))
    golds = {item: one.view.gold for item, one in expected(TASK, 50).documents.items()}

    def turned(rows: list[Row]) -> list[Row]:
        made = []
        for place, row in enumerate(rows):
            other = {"A": "B", "B": "A"}[str(row.parsed)] if place < n_changed else row.parsed
            right = other == golds[row.item_id]
            made.append(row._replace(parsed=other, raw=other, correct=right))
        return made

    return forged.answered(turned) if n_changed else forged.named()


def outcomes(done: Sequence[Done]) -> list[tuple[int | None, str]]:
    return [(one.pull_request, one.action) for one in done]


def logged(hub: MiniHub) -> list[Decision]:
    return moderation.parse(hub.files("dataset", REPO)[LOG])


def commits(hub: MiniHub) -> int:
    return len(list(hub.repo(REPO).history(hub.repo(REPO).resolve("main"))))


def comments(number: int) -> list[str]:
    found = HfApi().get_discussion_details(REPO, number, repo_type="dataset").events
    return [one.content for one in found if isinstance(one, DiscussionComment)]


def status(hub: MiniHub, number: int) -> str:
    return str(hub.repo(REPO).prs[number]["status"])


def is_verified(hub: MiniHub, folder: Path) -> bool:
    return f"submissions/{folder.name}/verification.json" in hub.files("dataset", REPO)
