"""The commands of the shared leaderboard: submitting, verifying, and running the board."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli import operations as cli_operations
from otherminds.cli.operations import Org, SeasonFolders, choose, today
from otherminds.cli.season import day
from otherminds.errors import OtherMindsError, kept

_KEPT = (
    "A pull request that was opened is named above; without one, nothing was sent, and the same command "
    "begins anew."
)

LEADERBOARD = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
)


@LEADERBOARD.callback()
def _leaderboard() -> None:
    """Verify submissions; build and run the shared leaderboard.

    Examples:
        otherminds leaderboard verify otherminds-submissions/ID
        otherminds leaderboard build board
    """


def submit(
    results: Annotated[
        list[Path],
        typer.Argument(help="Sample files of one model's runs, or folders that are searched."),
    ],
    model_name: Annotated[
        str, typer.Option(help="The model's name on the board, such as owner/name on the Hub.")
    ],
    submitter: Annotated[
        str | None,
        typer.Option(
            help="Who submits, for --dry-run: a name on the Hub. What is sent is by who is logged in."
        ),
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="Its revision, where the results do not say.")
    ] = None,
    weights_sha256: Annotated[
        str | None, typer.Option(help="The SHA-256 of its weights, instead of a revision.")
    ] = None,
    parameters: Annotated[int | None, typer.Option(min=1, help="Its number of parameters.")] = None,
    dtype: Annotated[str | None, typer.Option(help="The type of its weights.")] = None,
    trained_on_data: Annotated[
        bool,
        typer.Option(
            "--trained-on-data", help="Declare that model or prompt were fitted to these data."
        ),
    ] = False,
    notes: Annotated[str, typer.Option(help="What readers of the board should know.")] = "",
    org: Org = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Build and verify, and send nothing.")
    ] = False,
    out: Annotated[Path, typer.Option(help="The folder to write the submission into.")] = Path(
        "otherminds-submissions"
    ),
    season: Annotated[
        Path | None, typer.Option(help="The folder of the season that was played.")
    ] = None,
    reference: Annotated[
        bool,
        typer.Option(
            "--reference",
            help="For maintainers: take the run of a model without weights, to try a board.",
        ),
    ] = False,
) -> None:
    """Score runs again, and submit them to the leaderboard.

    They are scored from their samples, and sent as a pull request on the board's dataset. What the board
    would refuse is refused here, and nothing is sent.

    Examples:
        otherminds submit results --model-name OWNER/NAME --revision COMMIT --dry-run
        otherminds submit results --model-name OWNER/NAME --revision COMMIT
    """
    from otherminds import console, harness
    from otherminds.leaderboard.hub import Board
    from otherminds.leaderboard.sending import submit as submitting
    from otherminds.leaderboard.sending.build import Stated

    choose(org)
    harness.quiet(debug=False)
    stated = Stated(
        name=model_name,
        # Sending takes a login; a dry run works without one.
        submitter=submitter or Board.open().remote.user or "nobody",
        date=today(),
        revision=revision,
        weights_sha256=weights_sha256,
        parameters=parameters,
        dtype=dtype,
        trained_on_data=trained_on_data,
        notes=notes,
        reference=reference,
    )
    with kept(lambda: _KEPT):
        submitting.submit(results, stated, out=out, dry_run=dry_run, season=season, say=console.say)


@LEADERBOARD.command()
def verify(
    what: Annotated[
        str, typer.Argument(help="A pull request's number, or the folder of a submission.")
    ],
    submissions: Annotated[
        Path | None,
        typer.Option(help="The folder of earlier submissions, to look for duplicates in."),
    ] = None,
    season: SeasonFolders = None,
    received: Annotated[
        str | None,
        typer.Option(
            help="The day on which an entry in a folder was received, YYYY-MM-DD, in UTC."
        ),
    ] = None,
    org: Org = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the outcome as JSON instead.")
    ] = False,
) -> None:
    """Verify a submission: every number again, from its answers.

    The data are those of the tag that it names. Ends with 1 where it is refused.

    Examples:
        otherminds leaderboard verify 12
        otherminds leaderboard verify otherminds-submissions/ID --json
    """
    from otherminds import harness, progress
    from otherminds.leaderboard.exports import write as records
    from otherminds.leaderboard.judging import verify as verifying
    from otherminds.leaderboard.judging.held import Seasons
    from otherminds.leaderboard.sending import submit as submitting

    choose(org)
    harness.quiet(debug=False)
    folder = Path(what)
    if not what.isdecimal() and not folder.exists():
        raise OtherMindsError(f"{folder} is neither a folder nor the number of a pull request.")
    if (submission := records.submission_of(folder)) is not None:
        raise OtherMindsError(
            f"{folder} is not the submission, but its scores in formats of others. Verify {submission}."
        )
    with progress.status() as show:
        show("verifying")
        if what.isdecimal():
            outcome = submitting.verify_pull_request(int(what), seasons=season or [])
        else:
            outcome = verifying.verify(
                (folder if folder.is_dir() else folder.parent).resolve(),
                submissions=submissions,
                seasons=Seasons(season or [], None if received is None else day(received)),
            )
    if as_json:
        typer.echo(outcome.as_json())
    else:
        for line in submitting.lines(outcome):
            typer.echo(line)
    if not outcome.is_accepted:
        raise typer.Exit(1)


for _command in cli_operations.COMMANDS:
    LEADERBOARD.command()(_command)
