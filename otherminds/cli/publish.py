"""The commands that make things public: datasets, and samples without golds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli import completions
from otherminds.errors import OtherMindsError, kept

_KEPT = (
    "A version is published wholly or not at all, and what was uploaded stays: the same command "
    "finishes it, and --dry-run says what is left to do."
)


def publish(
    dataset: Annotated[
        str | None,
        typer.Argument(
            help="A dataset's name; `list --datasets` has them.",
            autocompletion=completions.datasets,
        ),
    ] = None,
    modules: Annotated[
        bool,
        typer.Option("--modules", help="Publish the `evaluate` modules instead, each as a Space."),
    ] = False,
    org: Annotated[
        str | None,
        typer.Option(help="The organisation or user to publish under; as OTHERMINDS_HUB_ORG."),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Keep it private; without this, it is made public.")
    ] = False,
    gated: Annotated[
        bool,
        typer.Option(
            "--gated", help="Let readers ask for access, also where the manifest does not."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be done, and change nothing.")
    ] = False,
    num_proc: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 1,
    source: Annotated[
        Path | None, typer.Option(help="The file or folder of others that it is built from.")
    ] = None,
    built: Annotated[
        Path | None,
        typer.Option(
            help="A folder that `otherminds build` wrote, to publish instead of a new build."
        ),
    ] = None,
) -> None:
    """Build and check a dataset, and publish it on the Hub.

    It is published under its version's tag, wholly or not at all. With --modules and no dataset, the
    `evaluate` modules go to the Hub in the same way.

    A run that fails says what others see by then; the same command finishes it.

    Examples:
        otherminds publish DATASET --org OWNER --dry-run
        otherminds publish DATASET --org OWNER --built built
        otherminds publish --modules --org OWNER --dry-run
    """
    if org is not None:
        # The card names the dataset's id in its commands, so all that follows must know it.
        os.environ["OTHERMINDS_HUB_ORG"] = org
    from otherminds import console, harness
    from otherminds.publishing import publish as publishing

    harness.quiet(debug=False)
    if (dataset is None) is not modules:
        raise OtherMindsError("Name a dataset, or give --modules and none.")
    if modules and (gated or source or built):
        raise OtherMindsError("--modules goes with --org, --private and --dry-run alone.")
    if built is not None and source is not None:
        raise OtherMindsError("--built sends what was built already: leave --source out.")
    with kept(lambda: _KEPT):
        if dataset is None:
            publishing.publish_modules(private=private, dry_run=dry_run, say=console.say)
            return
        publishing.publish(
            dataset,
            private=private,
            gated=gated,
            dry_run=dry_run,
            num_proc=num_proc,
            source=source,
            built=built,
            say=console.say,
        )


def redact(
    samples: Annotated[
        Path, typer.Argument(help="A sample file, or a folder that is searched for them.")
    ],
    out: Annotated[Path, typer.Argument(help="The folder to write.")],
    restore: Annotated[
        bool,
        typer.Option(
            "--restore", help="The other way: put documents and golds back from the data."
        ),
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(help="With --restore: the data, as `data_source` of --metadata names them."),
    ] = None,
) -> None:
    """Write samples without gold answers, to show to everybody.

    What tells the golds is left out too. Whoever has the data puts it back with --restore, and scores
    the samples.

    Examples:
        otherminds redact otherminds-results public
        otherminds redact public restored --restore
    """
    from otherminds import console, harness
    from otherminds.publishing import redact as redaction

    harness.quiet(debug=False)
    if source is not None and not restore:
        raise OtherMindsError("--source goes with --restore; without it, no data are read.")

    def note(text: str) -> None:
        console.say(f"• {text}")

    written = (
        redaction.restore(samples, out, source=source, note=note)
        if restore
        else redaction.redact(samples, out, note=note)
    )
    for path in written:
        typer.echo(f"Written: {path}")
