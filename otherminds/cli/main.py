"""The command line: `otherminds …`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli.commands import Commands
from otherminds.errors import OtherMindsError

# Commands import their libraries where they use them: `otherminds --help` must not load lm-eval.

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Does a language model know this particular person?",
)

_DEBUG = False


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the trace of an error.")] = False,
) -> None:
    """Does a language model know this particular person?"""
    global _DEBUG  # noqa: PLW0603  (read by main after typer has returned)
    _DEBUG = debug


def list_(
    datasets: Annotated[bool, typer.Option("--datasets", help="List datasets instead.")] = False,
    models: Annotated[bool, typer.Option("--models", help="List models instead.")] = False,
) -> None:
    """List the tasks, groups and tags."""
    from otherminds.cli import catalogue

    if datasets:
        catalogue.print_datasets()
        return
    from otherminds import harness

    harness.quiet(debug=_DEBUG)
    if models:
        catalogue.print_models()
    else:
        catalogue.print_tasks()


def show(
    task: Annotated[str, typer.Argument(help="A task's name.")],
    item: Annotated[int, typer.Option(help="Which document to show.")] = 0,
    metadata: Annotated[str, typer.Option(help="As --metadata of `lm_eval run`, JSON.")] = "{}",
) -> None:
    """Show what a task asks: one prompt with its gold answer, its metrics, data and licence."""
    from otherminds import harness
    from otherminds.cli import catalogue

    harness.quiet(debug=_DEBUG)
    catalogue.print_task(task, item, harness.read_metadata(metadata))


def doctor(
    verbose: Annotated[bool, typer.Option("--verbose", help="Show what is in order too.")] = False,
    card: Annotated[
        Path | None,
        typer.Option("--card", metavar="DIR", help="Check the card of this repository instead."),
    ] = None,
) -> None:
    """Check the installation: every task, template, manifest, version and link; or a card."""
    from otherminds import harness
    from otherminds.cli import doctor as checks

    harness.quiet(debug=_DEBUG)
    if card is None:
        findings = checks.examine()
    else:
        from otherminds.publishing import card_check

        findings = card_check.check(card.expanduser())
    checks.print_findings(findings, verbose=verbose)
    if any(not finding.passed for finding in findings):
        raise typer.Exit(1)


def link() -> None:
    """Make the plain `lm_eval` command find these tasks."""
    from otherminds.running import link as links

    verb = "Linked" if links.link() else "Already linked"
    typer.echo(f"{verb}: {links.target()}")


def unlink() -> None:
    """Undo `link`."""
    from otherminds.running import link as links

    typer.echo("Unlinked." if links.unlink() else "There was no link.")


def tasks_path() -> None:
    """Print the folder for `lm_eval --include_path`."""
    from otherminds import paths

    typer.echo(paths.tasks())


def main() -> None:
    """Run the command line; errors are one line unless `--debug` is given."""
    try:
        app()
    except OtherMindsError as error:
        if _DEBUG:
            raise
        typer.echo(f"Error: {error}", err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        typer.echo("Interrupted. Answers so far are kept; the same command resumes.", err=True)
        sys.exit(130)
