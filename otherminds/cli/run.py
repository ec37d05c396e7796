"""`otherminds run`: a model is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from otherminds.errors import OtherMindsError

if TYPE_CHECKING:
    from otherminds.running.models import Season

run = typer.Typer(add_completion=False)


@run.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    options_metavar="[OPTIONS] [FLAGS OF lm_eval run]",
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
    evidence_once: Annotated[
        bool,
        typer.Option(
            "--evidence-once",
            help="Write a text that several samples show into the first of them alone.",
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
    details: Annotated[
        bool,
        typer.Option("--details", help="Print each task's scores by topic and other parts too."),
    ] = False,
) -> None:
    """Evaluate a model on TASKS (names, groups, tags or patterns).

    Takes the flags of `lm_eval run` after the tasks, such as --model, --model_args, --limit,
    --gen_kwargs, --metadata, --output_path. Without --model, a weightless model answers.
    """
    from otherminds import harness
    from otherminds.running.models import Options
    from otherminds.running.run import run as start

    tasks, flags = _split(context.args)
    harness.quiet(debug=context.find_root().params["debug"])
    choices = Options(
        allow_truncation=allow_truncation,
        chat_template=not no_chat_template,
        fresh=fresh,
        evidence_once=evidence_once,
        stage_models=_stage_models(stage_model or [], judge_model),
        season=played(season),
        runs=runs,
    )
    finished = start(tasks, flags, choices, say=lambda line: typer.echo(line, err=True))

    if finished is not None:
        from otherminds.running import report

        report.print_run(finished, details=details)


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
