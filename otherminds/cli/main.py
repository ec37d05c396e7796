"""The command line, `otherminds …`: the commands of the engine and of benchmarks.

Each is imported when it is used: `otherminds --help` must not load lm-eval.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

import otherminds
from otherminds import benchmark, credentials
from otherminds.benchmark import Command, Fault, Panel
from otherminds.cli import completions, helps
from otherminds.errors import OtherMindsError, UsageError

_OURS: Mapping[Panel, Mapping[str, str]] = {
    Panel.RUN: {
        "list": "main:list_",
        "show": "main:show",
        "run": "run:run",
        "doctor": "main:doctor",
        "link": "main:link",
        "unlink": "main:unlink",
        "tasks-path": "main:tasks_path",
    },
    Panel.COMPARE: {
        "score": "samples:score",
        "compare": "samples:compare",
        "gain": "samples:gain",
        "ensemble": "samples:ensemble",
        "report": "samples:report",
        "export": "samples:export",
        "graphs": "graphs:GRAPHS",
    },
    Panel.DATA: {
        "build": "build:build",
        "merge": "build:merge",
        "construct": "construct:CONSTRUCT",
        "audit": "audit:audit",
    },
    Panel.PUBLISH: {"publish": "publish:publish", "redact": "publish:redact"},
    Panel.LEADERBOARD: {
        "submit": "leaderboard:submit",
        "leaderboard": "leaderboard:LEADERBOARD",
        "season": "season:SEASON",
    },
    Panel.STUDIES: {"interview": "interview:INTERVIEW"},
}
"""The engine's commands in the order of `--help`, with their places in `otherminds.cli`."""

_PLACES = {name: place for panel in _OURS.values() for name, place in panel.items()}
_PANELS = {name: panel for panel, places in _OURS.items() for name in places}

_EXTENDED = frozenset({"gain"})
"""Commands to whose own help benchmarks add a sentence."""

_EXEMPLIFIED = frozenset({"show", "run", "build"})
"""Commands to whose examples benchmarks add theirs: the engine knows no task and no dataset."""


class Commands(TyperGroup):
    """The group `otherminds`, which imports a command when it is looked up.

    Words that it does not understand, and interruptions, become errors of ours, in one line.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # Nobody adds one.
        self.commands = cast(Any, _Commands())

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help of all commands."""
        helps.with_types_of_values_alone(self)
        super().format_help(ctx, formatter)

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        """Read the words before the command's name."""
        with _in_one_line():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Read the words of the command, and run it."""
        with _in_one_line(ctx):
            return super().invoke(ctx)


@contextmanager
def _in_one_line(context: Any = None) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        from otherminds.cli import usage

        raise usage.stopped(error, getattr(context, "invoked_subcommand", None)) from error
    except Exception as error:
        from otherminds.cli import usage

        if not usage.is_misuse(error):
            raise
        raise usage.told(error) from error


class _Commands(Mapping[str, Any]):
    # A command of the engine is found without any benchmark.
    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            made = _made(name, _reference(name))
            made.rich_help_panel = (_PANELS.get(name) or panels()[name]).value
            self._made[name] = made
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(names())

    def __len__(self) -> int:
        return len(names())


@cache
def panels() -> Mapping[str, Panel]:
    """The panel of each command, in the order of `--help`.

    A benchmark's command stands after the one that it names, in the same panel unless it names another;
    where it names none, it is the last of its panel.
    """
    following: dict[str, list[str]] = {name: [] for name in _PLACES}
    last: dict[Panel, list[str]] = {panel: [] for panel in Panel}
    for name, one in _of_benchmarks().items():
        leader = one.after if one.after in _PANELS else None
        panel = one.panel or _PANELS.get(leader or "", Panel.STUDIES)
        if leader is not None and _PANELS[leader] is panel:
            following[leader].append(name)
        else:
            last[panel].append(name)
    return {
        name: panel
        for panel, places in _OURS.items()
        for name in (
            *(one for leader in places for one in (leader, *following[leader])),
            *last[panel],
        )
    }


def names() -> tuple[str, ...]:
    """All commands in the order of `--help`."""
    return tuple(panels())


@cache
def _of_benchmarks() -> Mapping[str, Command]:
    found: dict[str, Command] = {}
    for one in benchmark.every():
        for name, command in one.commands.items():
            if name not in _PLACES:
                found.setdefault(name, command)
    return found


def faults() -> list[Fault]:
    """The commands of benchmarks that cannot be used, and why: another has the name, or it fails."""
    owners = dict.fromkeys(_PLACES, "otherminds itself")
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
    if name in _PLACES:
        return f"otherminds.cli.{_PLACES[name]}"
    return _of_benchmarks()[name].reference


def _made(name: str, reference: str) -> Any:
    """A command; in place of one of others that cannot be imported, one that says so."""
    try:
        return _built(name, reference)
    except (Exception, SystemExit) as error:  # of others: the other commands work
        if name in _PLACES:
            raise
        return _broken(name, _cannot(name, reference, error))


def _built(name: str, reference: str) -> Any:
    found = benchmark.resolve(reference)
    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False)
        app.command(name)(found)
        found = app
    made = typer.main.get_command(found)
    made.name = name
    return _with_help(made, name)


def _examples_of_benchmarks(name: str) -> str:
    return "\n".join(one.helps.get(f"{name} examples", "") for one in benchmark.every())


def _with_help(command: Any, name: str = "") -> Any:
    """A command whose help, and those of its own commands, are made when they are asked for."""
    for one in getattr(command, "commands", {}).values():
        _with_help(one)
    of_typer = command.format_help

    def format_help(context: Any, formatter: Any) -> None:
        command.format_help = of_typer
        more = _examples_of_benchmarks(name) if name in _EXEMPLIFIED else ""
        helps.polish(command, added=said(name) if name in _EXTENDED else "", more=more)
        of_typer(context, formatter)

    command.format_help = format_help
    return command


def _broken(name: str, reason: str) -> Any:
    def fail() -> None:
        raise OtherMindsError(reason)

    app = typer.Typer(add_completion=False)
    takes_all = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(name, help=reason, context_settings=takes_all)(fail)
    return _with_help(typer.main.get_command(app))


def _cannot(name: str, reference: str, error: BaseException) -> str:
    said = " ".join(str(error).split())
    return f"The command '{name}' cannot be used: {reference}: {type(error).__name__}: {said}"


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Commands inherit it.
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Does a language model know this particular person?",
    epilog=helps.examples(
        [
            "otherminds list",
            "otherminds show TASK",
            "otherminds run TASK",
            "otherminds run -h",
        ]
    ),
)

_DEBUG = False


def _print_version(wanted: bool) -> None:
    if wanted:
        import importlib.metadata
        import platform

        harness = importlib.metadata.version("lm_eval")
        python = platform.python_version()
        typer.echo(f"otherminds {otherminds.__version__} (lm-eval {harness}, Python {python})")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the trace of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Does a language model know this particular person?"""
    global _DEBUG  # noqa: PLW0603  (read by main after typer has returned)
    _DEBUG = debug


def list_(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="BENCHMARK",
            help="List all of one benchmark.",
            autocompletion=completions.benchmarks,
        ),
    ] = None,
    datasets: Annotated[bool, typer.Option("--datasets", help="List datasets instead.")] = False,
    models: Annotated[bool, typer.Option("--models", help="List models instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, of all there are.")] = False,
) -> None:
    """List the main tasks, or all that a benchmark has.

    Each with what it asks; groups and tags besides.

    Examples:
        otherminds list
        otherminds list BENCHMARK
        otherminds list --datasets
        otherminds list BENCHMARK --datasets
        otherminds list --models
    """
    from otherminds.cli import catalogue

    if datasets and models:
        raise UsageError("--datasets and --models list different things: give one of them.")
    if models and name is not None:
        raise UsageError("Models are of no benchmark: `otherminds list --models` prints them all.")
    if datasets:
        catalogue.print_datasets(name, as_json=as_json)
    elif models:
        from otherminds import harness

        harness.quiet(debug=_DEBUG)
        catalogue.print_models(as_json=as_json)
    else:
        catalogue.print_tasks(name, as_json=as_json)


def show(
    task: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A task, group, tag or benchmark.",
            autocompletion=completions.shown,
        ),
    ],
    item: Annotated[int, typer.Option(help="Which document to show.")] = 0,
    metadata: Annotated[
        str, typer.Option(help="As for `run`: data_subset=50, or a JSON object.")
    ] = "{}",
    graph: Annotated[
        str | None,
        typer.Option("--graph", metavar="PERSON", help="Show this person's gold graphs instead."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="With --graph: a folder to write the pictures to, as SVG.")
    ] = None,
) -> None:
    """Show what a task asks, with one prompt, its metrics and data.

    The prompt comes with its gold answer, the data with their licence, keys and terms.

    Of a group, a tag or a benchmark, the tasks in it, and the first one's prompt.

    Examples:
        otherminds show GROUP
        otherminds show TASK --item 40
        otherminds show TASK --graph PERSON --out pictures
    """
    from otherminds import harness
    from otherminds.cli import showing

    harness.quiet(debug=_DEBUG)
    if out is not None and graph is None:
        raise OtherMindsError("--out is for pictures: give --graph PERSON too.")
    if graph is not None:
        from otherminds.cli import sketches

        sketches.print_sketches(task, graph, harness.read_metadata(metadata), out)
        return
    showing.print_named(task, item, harness.read_metadata(metadata))


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
    """Check the installation, or the card of a dataset.

    Every task, template, manifest, version of a package and link is looked at.

    Examples:
        otherminds doctor
        otherminds doctor --verbose
        otherminds doctor --build
        otherminds doctor --card built
    """
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
    """Make the plain `lm_eval` command find these tasks, and the weightless models.

    Examples:
        otherminds link
    """
    from otherminds.running import link as links

    is_new = links.link()
    if links.state() == "unneeded":
        typer.echo("Not needed: the installed lm-eval finds these tasks and models by itself.")
        return
    typer.echo(f"{'Linked' if is_new else 'Already linked'}: {links.target()}")


def unlink() -> None:
    """Undo `link`.

    Examples:
        otherminds unlink
    """
    from otherminds.running import link as links

    typer.echo("Unlinked." if links.unlink() else "There was no link.")


def tasks_path() -> None:
    """Print the folder for `lm_eval --include_path`.

    Examples:
        otherminds tasks-path
    """
    from otherminds import paths

    typer.echo(paths.tasks())


def main() -> None:
    """Run the command line; errors are one line unless `--debug` is given.

    Ends with 1 for an error, 2 for words that it does not understand, 130 for an interruption.
    """
    if not all(map(_is_unicode, (sys.stdout, sys.stderr))):
        from otherminds.cli import usage

        usage.make_legible()
    credentials.learn_environment()
    credentials.learn_words(sys.argv[1:])
    credentials.guard_streams()
    try:
        app()
    except OtherMindsError as error:
        if _DEBUG:
            raise
        from otherminds.cli import usage

        usage.print_error(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        # Before any command has begun.
        typer.echo("Interrupted.", err=True)
        sys.exit(130)


def _is_unicode(stream: Any) -> bool:
    return str(getattr(stream, "encoding", "utf-8")).lower().startswith("utf")
