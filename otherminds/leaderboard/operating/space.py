"""The page of the board: built from a folder of submissions, and sent to a static Space."""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import otherminds
from otherminds import files
from otherminds.data import hub
from otherminds.leaderboard import board as page
from otherminds.leaderboard.board.seasons import read as read_seasons
from otherminds.leaderboard.hub import CHANGED, REPOSITORY, Board
from otherminds.leaderboard.operating import outdated
from otherminds.leaderboard.records import moderation, vouching
from otherminds.leaderboard.records.moderation import Decision
from otherminds.leaderboard.records.reasons import plain
from otherminds.leaderboard.records.record import RECORD, VERIFICATION
from otherminds.progress import bar
from otherminds.publishing.contents import difference, of_folder
from otherminds.publishing.remote import MAIN, Remote, State
from otherminds.types import Say

BUILT_FROM = "built-from.json"
"""In a Space: the commit and the version of this package that the page was built from and by."""


def build(submissions: Path, out: Path, *, seasons: Sequence[Path] = (), say: Say) -> None:
    """Build the page from a folder of submissions, and the moderation log beside it if there is one.

    seasons  folders of the seasons that are shown
    say      is called with all that the log does not vouch for, which is left out, or where there is no
             log

    Raises OtherMindsError for a log that is broken, and as `board.build` does.
    """
    with vouched(submissions, say=say) as (shown, decisions):
        build_unlogged(shown, out, decisions=decisions, seasons=seasons, say=say)


@contextmanager
def vouched(submissions: Path, *, say: Say) -> Iterator[tuple[Path, Sequence[Decision]]]:
    """A folder with the submissions that the moderation log beside theirs vouches for, and the log.

    Without a log, it is the same folder. `say` and errors: as of `build`.
    """
    log = submissions.parent / moderation.LOG
    if not log.is_file():
        say(
            f"There is no {moderation.LOG} beside {submissions}: nothing vouches for what is in it."
        )
        yield submissions, []
        return
    decisions = moderation.parse(log.read_bytes())
    with _vouched(submissions, decisions, say) as shown:
        outdated.tell(shown, say=say)
        yield shown, decisions


@contextmanager
def _vouched(submissions: Path, decisions: Sequence[Decision], say: Say) -> Iterator[Path]:
    """A folder with only the submissions that the log vouches for: the same one where these are all."""
    others = vouching.unvouched(submissions, decisions)
    if not others:
        yield submissions
        return
    for name in others:
        say(f"{plain(name, limit=100)} is left out: {CHANGED}")
    with tempfile.TemporaryDirectory() as work:
        kept = Path(work) / submissions.name
        for path in submissions.glob(f"*/{VERIFICATION}"):
            if path.parent.name not in others:
                shutil.copytree(path.parent, kept / path.parent.name)
        yield kept


def build_unlogged(
    submissions: Path,
    out: Path,
    *,
    decisions: Sequence[Decision] = (),
    seasons: Sequence[Path] = (),
    say: Say,
) -> None:
    """Build the page from all of a folder that has a verification.

    decisions  the log that vouches for all of it, which is shown too; none where nothing does
    """
    references = page.load()
    entries: list[page.Entry] = []
    tasks = {board.task for board in references.boards}
    total = sum(1 for _ in submissions.glob(f"*/{VERIFICATION}"))
    with bar("Reading submissions") as progress:
        # Without a line of the log, nothing vouches for what verifications say of answers.
        read = page.accepted(submissions, tasks, vouched=bool(decisions), say=say)

        def counted() -> Iterator[page.Entry]:
            for number, entry in enumerate(read, start=1):
                progress(number, total)
                entries.append(entry)
                yield entry

        address = f"https://huggingface.co/datasets/{hub.repo_id(REPOSITORY)}/blob/{MAIN}"
        page.build(
            counted(),
            references,
            out,
            records=address,
            decisions=decisions,
            seasons=read_seasons(seasons, submissions, references, say=say),
        )
    say(_summary(submissions, entries, tasks))


def _summary(submissions: Path, entries: Sequence[page.Entry], tasks: Collection[str]) -> str:
    """What the page shows, and what in the folder it does not."""
    shown = [one for one in entries if any(run.task in tasks for run in one.record.tasks)]
    models = len({one.record.model.name for one in shown})
    said = [f"On the boards: submissions {len(shown)}, models {models}."]
    if not shown:
        said = ["The boards are empty: they show floors, people and published results alone."]
    if others := len(entries) - len(shown):
        said.append(f"Of tasks without a board: submissions {others}.")
    waiting = sorted(
        path.parent
        for path in submissions.glob(f"*/{RECORD}")
        if not (path.parent / VERIFICATION).is_file()
    )
    if waiting:
        said.append(
            f"Accepted by nobody, and so not shown: submissions {len(waiting)}; see one by "
            f"`--preview {shlex.quote(str(waiting[0]))}`."
        )
    return " ".join(said)


def build_from_hub(board: Board, out: Path, *, seasons: Sequence[Path] = (), say: Say) -> None:
    """Build the page from the board's main."""
    with tempfile.TemporaryDirectory() as work:
        head = board.remote.commit_of(MAIN)
        build(board.accepted(head, Path(work), say=say), out, seasons=seasons, say=say)


def update(
    board: Board, space: str, *, seasons: Sequence[Path] = (), dry_run: bool, say: Say
) -> bool:
    """Make a Space show the board's main; returns whether there was anything to do.

    A Space that does not exist is created, private: who sees it is a person's decision. Raises
    OtherMindsError where the Hub fails; then the Space is as it was, and the next run does it.
    """
    remote = Remote.open(space, "space", for_writing=not dry_run)
    head = board.remote.commit_of(MAIN)
    mark = {
        "leaderboard": head,
        "otherminds": otherminds.__version__,
        # The record and the results of each, whose other files they vouch for.
        "seasons": [files.sha256(path) for one in seasons for path in sorted(one.glob("*.[yj]*"))],
    }
    state = remote.state()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if state is not None and _built_from(remote, state, work / "before") == mark:
            say(f"{remote.url} shows {head[:12]} already.")
            return False
        if dry_run:
            say(f"Would build the board from {head[:12]} for {remote.url}.")
            return True
        out = work / "page"
        build(board.accepted(head, work / "main", say=say), out, seasons=seasons, say=say)
        files.write_json(out / BUILT_FROM, mark)
        if state is None:
            remote.create(space_sdk="static")
            say(f"Created {space}, private: make it public in its settings when it is right.")
            state = remote.state()
        _send(remote, state, out, head)
    say(f"Built from {head[:12]}: {remote.url}")
    return True


def _built_from(remote: Remote, state: State, work: Path) -> object:
    if BUILT_FROM not in remote.files(state.head):
        return None
    try:
        return json.loads(remote.download(BUILT_FROM, state.head, work).read_bytes())
    except ValueError:  # changed by hand: the page is built anew
        return None


def _send(remote: Remote, state: State | None, out: Path, head: str) -> None:
    parent = remote.commit_of(MAIN) if state is None else state.head
    local = of_folder(out)
    change = difference(local, remote.files(parent))
    remote.commit(
        {path: local[path] for path in (*change.added, *change.replaced)},
        deleted=change.deleted,
        message=f"Board from {head[:12]}",
        parent=parent,
    )
