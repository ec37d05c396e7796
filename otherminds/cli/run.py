"""`otherminds run`: a model is evaluated."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from otherminds.cli import completions, helps
from otherminds.errors import OtherMindsError, UnknownFlagError

if TYPE_CHECKING:
    from otherminds.running.models import Options, Season

run = typer.Typer(add_completion=False)


class _Run(TyperCommand):
    """A command whose help and completion also have the tasks and the flags of `lm_eval run`.

    Its parser leaves both to lm-eval's own.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        TyperCommand.format_help(self._with_those_of_lm_eval(), ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Flags; and tasks, as long as no flag was given."""
        if incomplete.startswith("-"):
            return TyperCommand.shell_complete(self._with_those_of_lm_eval(), ctx, incomplete)
        if any(word.startswith("-") for word in ctx.args):
            return []
        return _tasks().shell_complete(ctx, incomplete)

    def _with_those_of_lm_eval(self) -> Any:
        shown: Any = copy.copy(self)
        more = [_tasks(), *_of_lm_eval()]
        shown.get_params = lambda context: [*more, *self.get_params(context)]
        return shown


_TASKS = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TASK",
        help="Names of tasks, groups or tags, or patterns of tasks' names.",
        autocompletion=completions.tasks,
    ),
]


def _tasks() -> Any:
    [found] = _parameters({"task": _TASKS})
    # The usage says where they stand.
    found.get_usage_pieces = lambda _: []
    return found


def _of_lm_eval() -> list[Any]:
    """The flags of `lm_eval run`."""
    from otherminds import harness

    found: dict[str, Any] = {}
    for flag in harness.run_flags():
        option = typer.Option(
            *flag.names,
            help=helps.escaped(flag.meaning),
            metavar=flag.takes,
            rich_help_panel=f"Flags of lm_eval run: {flag.group}",
        )
        found[flag.names[0].removeprefix("--")] = Annotated[str | None, option]

    return _parameters(found)


def _parameters(annotations: dict[str, Any]) -> list[Any]:
    """Parameters that typer shows: it makes them from the signature of a function."""

    def command(**_: object) -> None:
        pass

    command.__annotations__ = annotations
    signature: Any = inspect.Signature(
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=one)
            for name, one in annotations.items()
        ]
    )
    command.__signature__ = signature  # type: ignore[attr-defined]
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return list(typer.main.get_command(app).params)


@run.command(
    cls=_Run,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    options_metavar="TASK... [OPTIONS] [FLAGS OF lm_eval run]",
)
def evaluate(
    context: typer.Context,
    allow_truncation: Annotated[
        bool,
        typer.Option("--allow-truncation", help="Run although prompts exceed the model's window."),
    ] = False,
    no_chat_template: Annotated[
        bool, typer.Option("--no-chat-template", help="Send bare prompts to a chat model.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ask again what the journal already holds.")
    ] = False,
    ask_refused: Annotated[
        bool,
        typer.Option(
            "--ask-refused", help="Ask again what a server has refused for good, as by a filter."
        ),
    ] = False,
    mend_journal: Annotated[
        bool,
        typer.Option(
            "--mend-journal", help="Go on with the sound answers of a journal that is damaged."
        ),
    ] = False,
    judge_model: Annotated[
        str | None,
        typer.Option(
            "--judge-model",
            metavar="NAME[,ARGS]",
            help="The model that judges answers, such as vllm,pretrained=…; default: --model.",
        ),
    ] = None,
    stage_model: Annotated[
        list[str] | None,
        typer.Option(
            "--stage-model",
            metavar="STAGE=NAME[,ARGS]",
            help="Another model for one stage; may be repeated.",
        ),
    ] = None,
    season: Annotated[
        Path | None,
        typer.Option(help="The folder of a season to play: its data, without golds or scores."),
    ] = None,
    runs: Annotated[
        int,
        typer.Option(min=1, help="Ask everything so often, and print mean ± SD over runs."),
    ] = 1,
    reasoning: Annotated[
        bool | None,
        typer.Option(
            "--reasoning/--no-reasoning",
            help="Give models that think room before their answers / let none think, where its "
            "template has a switch, and stop for no thoughts.",
            show_default=False,
        ),
    ] = None,
    details: Annotated[
        bool,
        typer.Option("--details", help="Print each task's scores by topic and other parts too."),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Ask nothing: count requests and tokens, without those that the journal answers.",
        ),
    ] = False,
    price: Annotated[
        str | None,
        typer.Option(
            metavar="IN,CACHED,OUT",
            help="Prices per million tokens: of prompts, of their cached part, and generated.",
        ),
    ] = None,
    cache_block: Annotated[
        int,
        typer.Option(
            min=1, help="With --dry-run: tokens that a cache of prefixes keeps together (vLLM: 16)."
        ),
    ] = 1,
) -> None:
    """Evaluate a model on tasks, groups, tags or patterns of names.

    Give the tasks first, and then flags: ours, or those of `lm_eval run`, which are listed below.
    Without --model, a weightless model answers. Every answer is kept in a journal: a run that was
    stopped goes on where it was when the same command is given again.

    Examples:
        otherminds run TASK --limit 20 --metadata data_subset=50
        otherminds run TASK --model hf --model_args pretrained=OWNER/NAME
    """
    from otherminds import console, harness
    from otherminds.running import prices
    from otherminds.running.models import Options
    from otherminds.running.run import run as start

    tasks, flags = _split(context.args)
    harness.quiet(debug=context.find_root().params["debug"])
    choices = Options(
        allow_truncation=allow_truncation,
        chat_template=not no_chat_template,
        fresh=fresh,
        ask_refused=ask_refused,
        mend_journal=mend_journal,
        stage_models=_stage_models(stage_model or [], judge_model),
        season=played(season),
        runs=runs,
        reasoning=reasoning,
        price=None if price is None else prices.parse(price),
    )
    try:
        if dry_run:
            _count(tasks, flags, choices, block=cache_block)
            return
        finished = start(tasks, flags, choices, say=console.note)
    except UnknownFlagError as error:
        from otherminds.cli.usage import flags_of

        known = [*error.known, *flags_of(context)]
        raise UnknownFlagError(error.flag, known, listing="otherminds run --help") from error

    if finished is not None:
        from otherminds.running import report

        report.print_run(finished, details=details)


def _count(tasks: list[str], flags: list[str], choices: Options, *, block: int) -> None:
    from otherminds import console
    from otherminds.running import cost, cost_report

    found = cost.count(tasks, flags, choices, block=block, say=console.note)
    cost_report.print_cost(found, price=choices.price, block=block)


def played(folder: Path | None) -> Callable[[Any], Season | None]:
    """The `season` of a run's options: that of a folder, or the one that `data_source` names.

    Where there is neither, nothing of seasons is imported.
    """

    def prepare(arguments: Any) -> Season | None:
        source = (arguments.metadata or {}).get("data_source")
        if folder is None and not isinstance(source, str):
            return None
        from otherminds.leaderboard.seasons import playing

        playing.prepare(arguments, folder)
        return playing

    return prepare


def _stage_models(options: list[str], judge: str | None) -> dict[str, str]:
    found = {} if judge is None else {"judge": judge}
    for text in options:
        stage, _, model = text.partition("=")
        if not stage or not model:
            raise OtherMindsError(
                f"--stage-model '{text}' does not name a stage and a model; write it as "
                "STAGE=hf,pretrained=…."
            )
        if stage in found:
            raise OtherMindsError(f"--stage-model names two models for '{stage}'; give one.")
        found[stage] = model
    return found


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Leading words are tasks; from the first flag on, everything is lm_eval's."""
    first = next((n for n, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    tasks = [name for word in arguments[:first] for name in word.split(",") if name]
    return tasks, arguments[first:]
