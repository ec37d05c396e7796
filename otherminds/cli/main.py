"""The command line: `otherminds …`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli import build as cli_build
from otherminds.cli import leaderboard as cli_leaderboard
from otherminds.cli import publish as cli_publish
from otherminds.cli import samples as cli_samples
from otherminds.cli import season as cli_season
from otherminds.errors import OtherMindsError
from otherminds.tasks.socialmindchange import commands as cli_annotate

# Commands import what they use: `otherminds --help` must not load lm-eval.

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Does a language model know this particular person?",
)

_DEBUG = False

Metadata = Annotated[str, typer.Option(help="As --metadata of `lm_eval run`, JSON.")]


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the trace of an error.")] = False,
) -> None:
    """Does a language model know this particular person?"""
    global _DEBUG  # noqa: PLW0603  (read by main after typer has returned)
    _DEBUG = debug


@app.command("list")
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


@app.command()
def show(
    task: Annotated[str, typer.Argument(help="A task's name.")],
    item: Annotated[int, typer.Option(help="Which document to show.")] = 0,
    metadata: Metadata = "{}",
) -> None:
    """Show what a task asks: one prompt with its gold answer, its metrics, data and licence."""
    from otherminds import harness
    from otherminds.cli import catalogue

    harness.quiet(debug=_DEBUG)
    catalogue.print_task(task, item, _json(metadata))


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    options_metavar="[OPTIONS] [FLAGS OF lm_eval run]",
)
def run(
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
) -> None:
    """Evaluate a model on TASKS (names, groups, tags or patterns).

    Takes the flags of `lm_eval run` after the tasks, such as --model, --model_args, --limit,
    --gen_kwargs, --metadata, --output_path. Without --model, a weightless model answers.
    """
    from otherminds import harness
    from otherminds.running.models import Options
    from otherminds.running.run import run as evaluate

    tasks, flags = _split(context.args)
    harness.quiet(debug=_DEBUG)
    choices = Options(
        allow_truncation=allow_truncation,
        chat_template=not no_chat_template,
        fresh=fresh,
        evidence_once=evidence_once,
        stage_models=_stage_models(stage_model or [], judge_model),
        season=season,
        runs=runs,
    )
    finished = evaluate(tasks, flags, choices, say=lambda line: typer.echo(line, err=True))

    if finished is not None:
        from otherminds.running import report

        report.print_run(finished)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    options_metavar="[OPTIONS] [FLAGS OF lm_eval run]",
)
def identity(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="A task that shows people's own interviews.")],
    derangements: Annotated[int, typer.Option(min=1, help="Runs with exchanged interviews.")] = 19,
    seed: Annotated[int, typer.Option(help="Of the derangements.")] = 0,
    metric: Annotated[str | None, typer.Option(help="Default: the task's first score.")] = None,
) -> None:
    """Test whether it matters to a model whose interview it reads: a permutation p-value.

    Takes the flags of `lm_eval run`; the model is loaded once.
    """
    from otherminds import harness
    from otherminds.running.models import Options
    from otherminds.running.run import DEFAULT_OUTPUT
    from otherminds.tasks.hugagent import identity

    harness.quiet(debug=_DEBUG)
    found = identity.identity_test(
        task,
        context.args,
        Options(),
        derangements=derangements,
        seed=seed,
        metric=metric,
        on_progress=lambda done, total: typer.echo(f"{done} of {total} runs", err=True),
    )
    identity.print_identity(found)
    typer.echo(f"Written: {identity.write(found, Path(DEFAULT_OUTPUT))}")


@app.command()
def baselines(
    task: Annotated[str, typer.Argument(help="A HugAgent task.")],
    seeds: Annotated[int, typer.Option(min=2, help="Seeds of the random guesses.")] = 20,
    metadata: Metadata = "{}",
    table: Annotated[Path | None, typer.Option(help="People's survey answers, CSV.")] = None,
    out: Annotated[Path | None, typer.Option(help="A .csv or .json file to write.")] = None,
) -> None:
    """Print the rows of simple models: random, constant, majority, demographics, persistence."""
    from otherminds import harness
    from otherminds.tasks.hugagent import baselines as rows

    harness.quiet(debug=_DEBUG)
    found = rows.baselines(task, seeds=seeds, metadata=_json(metadata), table=table)
    rows.print_baselines(found)
    if out is not None:
        rows.write(found, out)
        typer.echo(f"Written: {out}")


@app.command()
def ceiling(
    table: Annotated[Path, typer.Argument(help="CSV of test and retest answers.")],
    out: Annotated[Path | None, typer.Option(help="A .json file to write.")] = None,
) -> None:
    """How well people agree with themselves when asked again: the human ceiling."""
    from otherminds import files
    from otherminds.tasks.hugagent import ceiling as ceilings

    found = ceilings.ceiling(table)
    ceilings.print_ceiling(found)
    if out is not None:
        files.write_json(out, ceilings.as_json(found))
        typer.echo(f"Written: {out}")


@app.command()
def diagnose(
    samples: Annotated[
        list[Path],
        typer.Argument(
            help="Sample files of one model's runs, or folders that are searched for them."
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="A .json file to write.")] = None,
) -> None:
    """What is behind a score: change and direction, spread, distributions, context length.

    Samples in folders are sorted by model and task, and each is diagnosed; --out then writes a list.
    """
    from otherminds import files, harness
    from otherminds.tasks.hugagent import diagnose as diagnostics

    harness.quiet(debug=_DEBUG)
    found = diagnostics.diagnose_all(samples)
    diagnostics.print_diagnoses(found)
    if out is not None:
        written = [diagnostics.as_json(one) for one in found.found]
        is_searched = any(path.expanduser().is_dir() for path in samples)
        files.write_json(out, written if is_searched else written[0])
        typer.echo(f"Written: {out}")


for _command in (
    *cli_samples.COMMANDS,
    *cli_publish.COMMANDS,
    *cli_build.COMMANDS,
    *cli_leaderboard.COMMANDS,
):
    app.command()(_command)
app.add_typer(cli_annotate.app, name="annotate")
app.add_typer(cli_leaderboard.LEADERBOARD, name="leaderboard")
app.add_typer(cli_season.SEASON, name="season")


@app.command()
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


@app.command()
def link() -> None:
    """Make the plain `lm_eval` command find these tasks."""
    from otherminds.running import link as links

    verb = "Linked" if links.link() else "Already linked"
    typer.echo(f"{verb}: {links.target()}")


@app.command()
def unlink() -> None:
    """Undo `link`."""
    from otherminds.running import link as links

    typer.echo("Unlinked." if links.unlink() else "There was no link.")


@app.command("tasks-path")
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


def _json(metadata: str) -> dict[str, Any]:
    try:
        told = json.loads(metadata)
    except ValueError as error:
        raise OtherMindsError(f"--metadata is not JSON: {error}") from error
    if not isinstance(told, dict):
        raise OtherMindsError('--metadata must be an object, such as {"data_subset": 50}.')
    return told


def _stage_models(given: list[str], judge: str | None) -> dict[str, str]:
    found = {} if judge is None else {"judge": judge}
    for text in given:
        stage, _, model = text.partition("=")
        if not stage or not model:
            raise OtherMindsError(
                f"--stage-model '{text}' names no stage and model; write it as "
                "trust_game_forecast=hf,pretrained=…."
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
