"""The commands that run the shared leaderboard: its repository, its page, and its decisions."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from otherminds import console, files
from otherminds.errors import OtherMindsError

Org = Annotated[
    str | None,
    typer.Option(help="The organisation or user whose board it is; as OTHERMINDS_HUB_ORG."),
]

SeasonFolders = Annotated[
    list[Path] | None, typer.Option(help="The public folder of a season. May be repeated.")
]

_TITLE = "<title>OtherMinds leaderboard</title>"
"""The mark of a page of the board."""

_Repository = Annotated[
    Path | None,
    typer.Option(help="A copy of the board's repository to change, instead of the one on the Hub."),
]
_By = Annotated[
    str | None,
    typer.Option(help="Who decides: a name on the Hub; whoever is logged in, when none is named."),
]


def init(
    out: Annotated[
        Path | None, typer.Argument(help="The folder to write; with --push, none is needed.")
    ] = None,
    push: Annotated[
        bool, typer.Option("--push", help="Bring the dataset on the Hub up to date too.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only look, and end with 1 where something is stale.")
    ] = False,
    org: Org = None,
) -> None:
    """Write the board's repository: card, schema, boards and job.

    Again, it brings them up to date with this version. What was submitted is not touched.

    Examples:
        otherminds leaderboard init board-repository
        otherminds leaderboard init --push --org OWNER
    """
    from otherminds.leaderboard.operating import template

    choose(org)
    if out is None and not push:
        raise OtherMindsError("Name a folder to write, or give --push, or both.")
    stale = set()
    for place, found in (
        (str(out), template.write(out, check=check) if out is not None else None),
        ("The Hub", template.push(check=check, say=console.say) if push else None),
    ):
        if found is not None:
            verb = "stale or missing" if check else "written"
            console.say(f"{place}: {f'{verb}: ' + ', '.join(found) if found else 'up to date'}")
            stale.update(found)
    if check and stale:
        raise typer.Exit(1)


def work(
    space: Annotated[
        str | None,
        typer.Option(help="ORG/NAME of a static Space, to be rebuilt where it is older than main."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Verify, print what would be done, change nothing.")
    ] = False,
    season: SeasonFolders = None,
    org: Org = None,
) -> None:
    """Verify and answer all open pull requests; rebuild the board.

    One pass accepts what is right. What was decided is not looked at again until it changes. Ends with 1
    where a step failed: the next pass does it.

    Examples:
        otherminds leaderboard work --dry-run
        otherminds leaderboard work --space OWNER/leaderboard
    """
    from otherminds import harness
    from otherminds.leaderboard.hub import Board
    from otherminds.leaderboard.operating import space as pages
    from otherminds.leaderboard.operating import work as working
    from otherminds.leaderboard.operating.done import table

    choose(org)
    harness.quiet(debug=False)
    seasons = season or []
    settings = working.Settings(today(), dry_run, seasons)
    board = Board.open(for_writing=not dry_run)
    done = working.work(board, settings, say=console.say)
    _print(table(done) if done else "No submission was waiting.")
    if space is not None:
        pages.update(board, space, seasons=seasons, dry_run=dry_run, say=console.say)
    if any(one.action == "failed" for one in done):
        raise typer.Exit(1)


def accept(
    number: Annotated[int, typer.Argument(min=1, help="The number of a pull request.")],
    commit: Annotated[
        str,
        typer.Option(help="The commit of it that you have looked at: its id, or its beginning."),
    ],
    season: SeasonFolders = None,
    org: Org = None,
) -> None:
    """Accept a pull request that is held.

    It is verified again, as it was at the commit that a person has looked at. Ends with 1 where it is
    not accepted.

    Examples:
        otherminds leaderboard accept 12 --commit 4f2a90c
    """
    from otherminds import harness
    from otherminds.leaderboard.hub import Board
    from otherminds.leaderboard.operating import work as working
    from otherminds.leaderboard.operating.done import table

    choose(org)
    harness.quiet(debug=False)
    settings = working.Settings(today(), seasons=season or [])
    board = Board.open(for_writing=True)
    done = working.accept(board, settings, number, commit, say=console.say)
    _print(table([done]))
    if done.action != "accepted":
        raise typer.Exit(1)


def log(
    folder: Annotated[
        Path | None,
        typer.Argument(help="A copy of the board's repository; the Hub, when none is named."),
    ] = None,
    org: Org = None,
) -> None:
    """Print what was decided about submissions, when, and why.

    Examples:
        otherminds leaderboard log
        otherminds leaderboard log board-repository
    """
    from otherminds.leaderboard.hub import Board
    from otherminds.leaderboard.records import moderation

    choose(org)
    if folder is None:
        written = Board.open().log()
    elif (path := folder / moderation.LOG).is_file():
        written = path.read_bytes()
    else:
        raise OtherMindsError(f"There is no {path}: name a copy of the board's repository.")
    decisions = moderation.parse(written)
    _print(moderation.table(decisions) if decisions else "Nothing was decided yet.")


def build(
    out: Annotated[Path, typer.Argument(help="The folder to write the page into.")],
    submissions: Annotated[
        Path | None,
        typer.Option(help="The folder of accepted submissions; the Hub's, when none is named."),
    ] = None,
    season: SeasonFolders = None,
    preview: Annotated[
        Path | None,
        typer.Option(
            help="A submission's folder, as `submit --dry-run` writes it: show it as if accepted, alone "
            "or among those of --submissions."
        ),
    ] = None,
    org: Org = None,
) -> None:
    """Build the board: one page, and its numbers as CSV and JSON.

    The page needs no other file and no server.

    Examples:
        otherminds leaderboard build board
        otherminds leaderboard build board --preview otherminds-submissions/ID
    """
    from otherminds import harness
    from otherminds.leaderboard.hub import Board
    from otherminds.leaderboard.operating import preview as previews
    from otherminds.leaderboard.operating import space as pages

    choose(org)
    harness.quiet(debug=False)
    files.check_folder(out)
    files.refuse_foreign(out, "index.html", _TITLE, command="otherminds leaderboard build")
    if submissions is not None and not submissions.is_dir():
        raise OtherMindsError(f"There is no folder {submissions}.")
    if preview is not None:
        previews.build(
            preview, submissions, out, seasons=season or [], today=today(), say=console.say
        )
    elif submissions is not None:
        pages.build(submissions, out, seasons=season or [], say=console.say)
    else:
        pages.build_from_hub(Board.open(), out, seasons=season or [], say=console.say)
    console.say(
        f"Written to {out}. Open {out / 'index.html'}; board.csv and board.json hold the numbers."
    )


def rerun(
    submission: Annotated[str, typer.Argument(metavar="ID", help="The id of a submission.")],
    results: Annotated[
        list[Path],
        typer.Argument(help="Sample files of your own runs of its model, or folders of them."),
    ],
    folder: _Repository = None,
    by: _By = None,
    org: Org = None,
) -> None:
    """Raise a submission to the level re-run.

    Your own runs of its model must find the same scores.

    Examples:
        otherminds leaderboard rerun ID otherminds-results
    """
    from otherminds import harness
    from otherminds.leaderboard.operating import decided

    choose(org)
    harness.quiet(debug=False)
    operator = decided.Operator(today(), folder, by)
    decided.rerun(submission, results, operator, say=console.say)


def regrade(
    folder: Annotated[
        Path | None,
        typer.Argument(help="A copy of the board's repository; the Hub, when none is named."),
    ] = None,
    by: _By = None,
    org: Org = None,
) -> None:
    """Bring accepted submissions up to this version.

    Where only the scoring has changed, answers are scored again; where data or prompts have, rows are
    kept and marked as not comparable.

    Examples:
        otherminds leaderboard regrade board-repository --by NAME
    """
    from otherminds import harness
    from otherminds.leaderboard.operating import decided

    choose(org)
    harness.quiet(debug=False)
    decided.regrade(decided.Operator(today(), folder, by), say=console.say)


def withdraw(
    submission: Annotated[str, typer.Argument(metavar="ID", help="The id of a submission.")],
    reason: Annotated[str, typer.Option(help="Why: plain text, which the log and the page show.")],
    folder: _Repository = None,
    by: _By = None,
    org: Org = None,
) -> None:
    """Remove a submission from the board's repository, and log why.

    Examples:
        otherminds leaderboard withdraw ID --reason 'Trained on the test data.'
    """
    from otherminds.leaderboard.operating import decided

    choose(org)
    operator = decided.Operator(today(), folder, by)
    decided.withdraw(submission, reason, operator, say=console.say)


def today() -> date:
    """The day, in UTC."""
    return datetime.now(UTC).date()


def _print(what: RenderableType) -> None:
    from rich.console import Console

    out = Console()
    if not out.is_terminal:
        # A file does not have a width, and 80 columns would break ids in two.
        out = Console(width=240)
    out.print(what)


def choose(org: str | None) -> None:
    """Use the board of an organisation, where one is named."""
    if org is not None:
        os.environ["OTHERMINDS_HUB_ORG"] = org


COMMANDS = (init, work, accept, build, log, rerun, regrade, withdraw)
