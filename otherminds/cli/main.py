"""The command line, `otherminds …`: the commands of the engine and of benchmarks.

Each is imported when it is used: `otherminds --help` must not load lm-eval.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from otherminds import benchmark
from otherminds.benchmark import Command, Fault
from otherminds.errors import OtherMindsError

_OURS = {
    "list": "main:list_",
    "show": "main:show",
    "run": "run:run",
    "score": "samples:score",
    "compare": "samples:compare",
    "gain": "samples:gain",
    "report": "samples:report",
    "ensemble": "samples:ensemble",
    "publish": "publish:publish",
    "redact": "publish:redact",
    "build": "build:build",
    "merge": "build:merge",
    "submit": "leaderboard:submit",
    "doctor": "main:doctor",
    "link": "main:link",
    "unlink": "main:unlink",
    "tasks-path": "main:tasks_path",
    "leaderboard": "leaderboard:LEADERBOARD",
    "season": "season:SEASON",
}
"""The engine's commands in the order of `--help`, with their places in `otherminds.cli`."""

_EXTENDED = frozenset({"gain"})
"""Commands to whose own help benchmarks add a sentence."""


class Commands(TyperGroup):
    """The group `otherminds`, which imports a command when it is looked up."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # Nobody adds one.
        self.commands = cast(Any, _Commands())


class _Commands(Mapping[str, Any]):
    # A command of the engine is found without any benchmark.
    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _made(name, _reference(name))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(names())

    def __len__(self) -> int:
        return len(names())


@cache
def names() -> tuple[str, ...]:
    """All commands in the order of `--help`: those of benchmarks after the command that they name."""
    found = dict.fromkeys(_OURS, "")
    following: dict[str, list[str]] = {name: [name] for name in found}
    last: list[str] = []
    for name, one in _of_benchmarks().items():
        following.get(one.after or "", last).append(name)
    return (*(name for group in following.values() for name in group), *last)


@cache
def _of_benchmarks() -> Mapping[str, Command]:
    found: dict[str, Command] = {}
    for one in benchmark.every():
        for name, command in one.commands.items():
            if name not in _OURS:
                found.setdefault(name, command)
    return found


def faults() -> list[Fault]:
    """The commands of benchmarks that cannot be used, and why: another has the name, or it fails."""
    owners = dict.fromkeys(_OURS, "otherminds itself")
    found = []
    for one in benchmark.every():
        for name, command in one.commands.items():
            if name in owners:
                reason = f"The command '{name}' of the benchmark '{one.name}' is left out, because "
                reason += f"{owners[name]} has one of that name; rename it."
                found.append(Fault(name, reason))
                continue
            owners[name] = f"the benchmark '{one.name}'"
            try:
                _built(name, command.reference)
            except (Exception, SystemExit) as error:  # whatever a module of others raises
                found.append(Fault(name, _cannot(name, command.reference, error)))
    return found


def said(where: str) -> str:
    """What benchmarks add to the help of a command or option, such as "build --titles"."""
    return " ".join(one.helps[where] for one in benchmark.every() if where in one.helps)


def _reference(name: str) -> str:
    if name in _OURS:
        return f"otherminds.cli.{_OURS[name]}"
    return _of_benchmarks()[name].reference


def _made(name: str, reference: str) -> Any:
    """A command; in place of one of others that cannot be imported, one that says so."""
    try:
        return _built(name, reference)
    except (Exception, SystemExit) as error:  # of others: the other commands work
        if name in _OURS:
            raise
        return _broken(name, _cannot(name, reference, error))


def _built(name: str, reference: str) -> Any:
    found = benchmark.resolve(reference)
    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False)
        help_text = f"{inspect.getdoc(found)} {said(name)}" if name in _EXTENDED else None
        app.command(name, help=help_text)(found)
        found = app
    made = typer.main.get_command(found)
    made.name = name
    return made


def _broken(name: str, reason: str) -> Any:
    def fail() -> None:
        raise OtherMindsError(reason)

    app = typer.Typer(add_completion=False)
    takes_all = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(name, help=reason, context_settings=takes_all)(fail)
    return typer.main.get_command(app)


def _cannot(name: str, reference: str, error: BaseException) -> str:
    said = " ".join(str(error).split())
    return f"The command '{name}' cannot be used: {reference}: {type(error).__name__}: {said}"


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
    built: Annotated[
        bool,
        typer.Option(
            "--build",
            help="Build all generated data that the cache lacks, and try tasks on these; takes minutes.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check the installation: every task, template, manifest, version and link; or a card."""
    from otherminds import harness
    from otherminds.cli import doctor as checks

    harness.quiet(debug=_DEBUG)
    if card is None:
        findings = checks.examine(built=built)
    else:
        from otherminds.publishing import card_check

        findings = card_check.check(card.expanduser())
    if as_json:
        typer.echo(json.dumps(checks.as_json(findings), indent=2, ensure_ascii=False))
    else:
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
