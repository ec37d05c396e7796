"""The commands of seasons: opening, closing, and checking the operator's work."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from otherminds import console
from otherminds.cli.main import said
from otherminds.errors import OtherMindsError

SEASON = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
)

_Folder = Annotated[Path, typer.Argument(help="The season's folder.")]
_Submissions = Annotated[
    Path | None,
    typer.Option(
        help="The folder of accepted submissions; `submissions` in the season's by default."
    ),
]
_Operator = Annotated[
    Path | None,
    typer.Option(help="The folder with secret and golds; beside the season's by default."),
]
_NumProc = Annotated[int, typer.Option(min=1, help="Processes that make the data.")]


@SEASON.callback()
def _season() -> None:
    """Open, close and check seasons: data with golds unknown so far.

    The golds of a season are known to nobody until it closes.

    Examples:
        otherminds season open DATASET s1 --id s1 --closes 2027-03-31
        otherminds season check s1
    """


@SEASON.command("open")
def open_(
    dataset: Annotated[str, typer.Argument(help="A generated dataset.")],
    out: Annotated[Path, typer.Argument(help="The folder for participants; it must not exist.")],
    name: Annotated[str, typer.Option("--id", help="The season's id, such as 2027-spring.")],
    closes: Annotated[
        str, typer.Option(help="The last day that takes entries, YYYY-MM-DD, in UTC.")
    ],
    opens: Annotated[str | None, typer.Option(help="The first such day; today by default.")] = None,
    size: Annotated[
        int | None,
        typer.Option(min=1, help="How many people, or stages; as in the release by default."),
    ] = None,
    questions_per_stage: Annotated[
        int | None,
        typer.Option(min=1, help=said("season open --questions-per-stage")),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            help="What is played; the tasks of the leaderboard by default. May be repeated."
        ),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option(help="A text file with a rule on each line, instead of ours.")
    ] = None,
    operator: _Operator = None,
    secret_file: Annotated[
        Path | None,
        typer.Option(
            help="64 hexadecimal digits, readable by you alone, instead of a drawn secret."
        ),
    ] = None,
    num_proc: _NumProc = 1,
) -> None:
    """Open a season: data from a new secret, without their golds.

    A secret is drawn, and data are made from it and written for participants. Secret and golds are
    written to another folder, which only you can read. Keep a copy of the secret.

    Examples:
        otherminds season open DATASET s1 --id s1 --closes 2027-03-31
    """
    from otherminds import harness
    from otherminds.leaderboard.sealing import secret as secrets
    from otherminds.leaderboard.seasons import opening

    harness.quiet(debug=False)
    plan = opening.Plan(
        id=name,
        dataset=dataset,
        opened=day(opens),
        closes=day(closes),
        tasks=task or [],
        size=size,
        kept=questions_per_stage,
        rules=opening.RULES if rules is None else _lines(rules),
    )
    kept = operator or opening.operator_folder(out)
    secret = None if secret_file is None else secrets.read(secret_file)
    season = opening.open_season(
        plan, out, operator=kept, today=day(None), secret=secret, num_proc=num_proc
    )
    console.say(f"Opened season {season.id} of {season.dataset}, until {season.closes}.")
    console.say(f"For participants: {out}. The hash of the secret: {season.secret_sha256}")
    console.say(f"For nobody else: {kept}. Without the secret in it, the season cannot be closed.")


@SEASON.command()
def close(
    folder: _Folder,
    submissions: _Submissions = None,
    operator: _Operator = None,
    no_entries: Annotated[
        bool, typer.Option("--no-entries", help="There are none; without it, that is an error.")
    ] = False,
    num_proc: _NumProc = 1,
) -> None:
    """Close a season: score its entries, and publish the secret.

    The data are made again. It cannot be undone: verify what was received in time first, none is
    accepted afterwards.

    Examples:
        otherminds season close s1 --submissions submissions
    """
    from otherminds import harness
    from otherminds.leaderboard.seasons import closing, opening

    harness.quiet(debug=False)
    found = closing.close(
        folder,
        operator=operator or opening.operator_folder(folder),
        submissions=submissions or folder / closing.SUBMISSIONS,
        day=day(None),
        say=console.say,
        no_entries=no_entries,
        num_proc=num_proc,
    )
    console.say(
        f"Closed season {found.season} with {len(found.entries)} entries; {folder} says it all."
    )


@SEASON.command()
def check(
    folder: _Folder,
    submissions: _Submissions = None,
    before: Annotated[
        Path | None,
        typer.Option(help="A copy of season.yaml from when the season was open, to compare with."),
    ] = None,
    num_proc: _NumProc = 1,
) -> None:
    """Check a season without trusting its operator.

    Secret, data, golds, entries and scores are looked at. Ends with 1 where anything is not as it must
    be.

    Examples:
        otherminds season check s1
        otherminds season check s1 --before season.yaml
    """
    from otherminds import harness
    from otherminds.leaderboard.sealing import record
    from otherminds.leaderboard.seasons import checking, closing

    harness.quiet(debug=False)
    season = record.read(folder)
    faults = checking.check(
        folder,
        submissions=submissions or folder / closing.SUBMISSIONS,
        before=before,
        num_proc=num_proc,
    )
    for fault in faults:
        console.say(f"✗ {fault.what}: {fault.how}")
    if faults:
        raise typer.Exit(1)
    if season.is_open:
        console.say(
            f"Season {season.id} is open: the rows are those of its record. Golds can be checked when "
            "it has closed."
        )
    else:
        console.say(f"Season {season.id} is as it must be: secret, rows, golds, entries, scores.")


def day(text: str | None) -> date:
    """A day as it is written on the command line; today (UTC) where none is."""
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise OtherMindsError(f"'{text}' is not a day; write it as 2027-03-31.") from error


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise OtherMindsError(f"Cannot read the rules in {path}: {error}.") from error
    return [line.strip() for line in lines if line.strip()]
