"""The commands of the shared leaderboard: submitting runs, and verifying submissions."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from otherminds.errors import OtherMindsError

LEADERBOARD = typer.Typer(
    help="The shared leaderboard: verify submissions to it.", no_args_is_help=True
)

_Org = Annotated[
    str | None,
    typer.Option(help="The organisation or user whose board it is; as OTHERMINDS_HUB_ORG."),
]


@LEADERBOARD.callback()
def _leaderboard() -> None:
    """The shared leaderboard: verify submissions to it."""


def submit(
    results: Annotated[
        list[Path],
        typer.Argument(help="Sample files of one model's runs, or folders that are searched."),
    ],
    model_name: Annotated[
        str, typer.Option(help="The model's name on the board, such as owner/name on the Hub.")
    ],
    submitter: Annotated[
        str, typer.Option(help="Who submits: a name on the Hub.", envvar="OTHERMINDS_SUBMITTER")
    ],
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
    org: _Org = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Build and verify, and send nothing.")
    ] = False,
    out: Annotated[Path, typer.Option(help="The folder to write the submission into.")] = Path(
        "otherminds-submissions"
    ),
) -> None:
    """Score runs again from their samples and submit them, as a pull request on the board's dataset.

    What the board would refuse is refused here, and nothing is sent.
    """
    from otherminds import harness
    from otherminds.leaderboard import submit as submitting
    from otherminds.leaderboard.build import Told

    _choose(org)
    harness.quiet(debug=False)
    told = Told(
        name=model_name,
        submitter=submitter,
        date=datetime.now(UTC).date(),
        revision=revision,
        weights_sha256=weights_sha256,
        parameters=parameters,
        dtype=dtype,
        trained_on_data=trained_on_data,
        notes=notes,
    )
    submitting.submit(results, told, out=out, dry_run=dry_run, say=typer.echo)


@LEADERBOARD.command()
def verify(
    what: Annotated[
        str, typer.Argument(help="A pull request's number, or the folder of a submission.")
    ],
    submissions: Annotated[
        Path | None,
        typer.Option(help="The folder of earlier submissions, to look for duplicates in."),
    ] = None,
    org: _Org = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the outcome as JSON instead.")
    ] = False,
) -> None:
    """Verify a submission: every number again, from its answers and the tagged data.

    Ends with 1 where it is refused.
    """
    from otherminds import harness
    from otherminds.leaderboard import submit as submitting
    from otherminds.leaderboard import verify as verifying

    _choose(org)
    harness.quiet(debug=False)
    if what.isdecimal():
        outcome = submitting.verify_pull_request(int(what))
    else:
        folder = Path(what)
        if not folder.exists():
            raise OtherMindsError(
                f"There is no folder {folder}, and it is no pull request's number."
            )
        folder = folder if folder.is_dir() else folder.parent
        outcome = verifying.verify(folder.resolve(), submissions=submissions)
    if as_json:
        typer.echo(outcome.as_json())
    else:
        for line in submitting.lines(outcome):
            typer.echo(line)
    if not outcome.is_accepted:
        raise typer.Exit(1)


def _choose(org: str | None) -> None:
    if org is not None:
        os.environ["OTHERMINDS_HUB_ORG"] = org


COMMANDS = (submit,)
