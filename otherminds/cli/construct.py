"""`otherminds construct`: data are written inside frames, and every reply is checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherminds import console
from otherminds.errors import OtherMindsError, UsageError

if TYPE_CHECKING:
    from otherminds.construct.folder import Folder
    from otherminds.construct.importing import Imported
    from otherminds.construct.replies import Who

CONSTRUCT = typer.Typer(no_args_is_help=True, add_completion=False)

_SHOWN = 20
"""Refusals that an import prints; the sheets to do again have all of them."""

_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the construction.")]


@CONSTRUCT.callback()
def _construct() -> None:
    """Write data under proof: frames, authors, checks, blind readers.

    Code fixes what is true of each unit. Authors (models, services, people) write the texts, checks
    accept or refuse them with reasons, and readers who know nothing of the truth answer from them.

    Examples:
        otherminds construct export PIPELINE --out made
        otherminds construct import made replies.jsonl --author NAME
        otherminds construct status made
        otherminds construct release made --out DATASET
    """


@CONSTRUCT.command()
def pipelines() -> None:
    """List the pipelines and their stages.

    Examples:
        otherminds construct pipelines
    """
    from otherminds.construct import pipelines as known

    rows = []
    for name in known.names():
        one = known.named(name)
        rows.append([name, one.dataset, one.about])
        rows += [[f"  {stage.name}", stage.role.value, stage.about] for stage in one.stages]
    if not rows:
        raise OtherMindsError("No benchmark here brings a pipeline.")
    columns = [*console.texts("pipeline", "dataset or role"), *console.texts("about", fit="words")]
    console.OUT.print(console.fitted(columns, rows, look=console.Look.RULED))


@CONSTRUCT.command()
def export(
    pipeline: Annotated[str, typer.Argument(metavar="PIPELINE", help="What is to be made.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to begin it in.")],
    n: Annotated[
        int | None, typer.Option("--n", min=1, help="How many units; all by default.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of every draw.")] = 0,
    material: Annotated[
        Path | None, typer.Option(help="A file with raw material instead of the pipeline's own.")
    ] = None,
) -> None:
    """Make the frames, and write the sheets of the first stage.

    Examples:
        otherminds construct export PIPELINE --out made --n 20
    """
    from otherminds.construct import blind, folder, pipelines
    from otherminds.construct.pipeline import Plan

    if material is not None and not material.is_file():
        raise OtherMindsError(f"There is no file {material}: give one with raw material.")
    found = folder.export(pipelines.named(pipeline), Plan(n, seed, material), out)
    with found.locked():
        # Of a folder that was begun before: what waits in it may have been deleted.
        blind.follow(found, found.state())
    console.say(f"{found.facts.name}: {len(found.units):,} units in {out}.")
    _say_waiting(found)


@CONSTRUCT.command("import")
def import_(
    directory: _Folder,
    replies: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="REPLIES", help="Files or folders; the folder's own `replies` by default."
        ),
    ] = None,
    author: Annotated[
        str | None, typer.Option(help="Who replied; samples of a run say it themselves.")
    ] = None,
    person: Annotated[bool, typer.Option("--person", help="The author is a person.")] = False,
    family: Annotated[
        str | None, typer.Option(help="The family of the model, which the card compares.")
    ] = None,
) -> None:
    """Check replies, keep what passes, and write the next sheets.

    A reply that does not pass is asked for again, with the reasons. Every reply is recorded; to go on
    after an interruption, run the same command again.

    Examples:
        otherminds construct import made --author NAME
        otherminds construct import made otherminds-results
    """
    from otherminds import harness
    from otherminds.construct import folder, importing

    harness.quiet(debug=False)
    found = folder.opened(directory)
    done = importing.import_(found, replies or (), _who(author, person=person, family=family))
    _say_imported(done)
    _say_waiting(found)


@CONSTRUCT.command()
def status(
    directory: _Folder,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the funnel, and which sheets wait.

    Examples:
        otherminds construct status made
    """
    from otherminds.construct import folder
    from otherminds.construct import status as states

    found = folder.opened(directory)
    if as_json:
        typer.echo(json.dumps(states.as_json(found), indent=2, ensure_ascii=False))
    else:
        states.show(found)


@CONSTRUCT.command()
def read(directory: _Folder) -> None:
    """Ask blind readers about what is kept, though others wait.

    Without this, they are asked once no unit waits any more. Units that are kept later join them then,
    or when this is asked for again.

    Examples:
        otherminds construct read made
    """
    from otherminds import harness
    from otherminds.construct import blind, folder

    harness.quiet(debug=False)
    found = folder.opened(directory)
    with found.locked():
        blind.follow(found, found.state(), early=True)
    _say_waiting(found)


@CONSTRUCT.command()
def release(
    directory: _Folder,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder of the dataset.")],
    partial: Annotated[
        bool, typer.Option("--partial", help="Leave out the units that wait for replies.")
    ] = False,
    unread: Annotated[
        bool, typer.Option("--unread", help="Without blind readers; the card says so.")
    ] = False,
) -> None:
    """Build the dataset, with card, manifest and funnel.

    Examples:
        otherminds construct release made --out DATASET
    """
    from otherminds import harness
    from otherminds.construct import folder
    from otherminds.construct import release as releases

    harness.quiet(debug=False)
    done = releases.release(folder.opened(directory), out, partial=partial, unread=unread)
    console.say(
        f"Released {done.facts['funnel']['kept']:,} units of {done.facts['funnel']['made']:,} as "
        f"{done.dataset}: {done.out}"
    )
    for line in done.facts["notes"]:
        console.say(f"  {line}")


@CONSTRUCT.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    options_metavar="[OPTIONS] [FLAGS OF run]",
)
def write(
    context: typer.Context,
    directory: _Folder,
    stage: Annotated[
        list[str] | None,
        typer.Option(help="Only this stage; all stages of authors by default. May be repeated."),
    ] = None,
    family: Annotated[
        str | None, typer.Option(help="The family of the model, which the card compares.")
    ] = None,
) -> None:
    """Let a model answer all that waits, again and again.

    It is asked, its replies are imported, and it is asked again what was refused, until nothing waits.
    Validators, raters and readers must be others than the author: name their stage, and another model.

    Examples:
        otherminds construct write made --model hf --model_args pretrained=MODEL
        otherminds construct write made --stage reading --model OTHER
    """
    from otherminds import harness
    from otherminds.construct import folder, writing

    harness.quiet(debug=False)
    found = folder.opened(directory)
    for done in writing.rounds(found, stage or (), context.args, family=family):
        _say_imported(done)
    _say_waiting(found)


def _who(author: str | None, *, person: bool, family: str | None) -> Who | None:
    from otherminds.construct.characters import is_name
    from otherminds.construct.replies import Who

    for given, flag in ((author, "--author"), (family, "--family")):
        if given is not None and given.strip() and not is_name(given.strip()):
            raise UsageError(
                f"{flag} is no name that a card can show: give letters, digits and plain signs, 120 at "
                "most, of one alphabet."
            )
    if author is None:
        if person:
            raise UsageError("--person says what the author is: give --author NAME too.")
        return None if family is None else Who("", "model", family)
    if not author.strip():
        raise UsageError("--author is empty: give a name.")
    return Who(author.strip(), "person" if person else "model", family)


def _say_imported(done: Imported) -> None:
    console.say(
        f"Accepted {len(done.accepted):,}, refused {len(done.refused):,}, turned away "
        f"{len(done.turned):,}" + (f", known already {done.known:,}" if done.known else "") + "."
    )
    lines = [f"{name}: {one}" for name, said in done.refused for one in said]
    _say_some("Refused", lines)
    _say_some("Turned away", [f"{place}: {why}" for place, why in done.turned])
    _say_some("Sent back", [f"{unit}: {why}" for unit, why in done.returned])
    _say_some("Given up", [f"{unit}: {why}" for unit, why in done.dropped])


def _say_some(heading: str, lines: Sequence[str]) -> None:
    if not lines:
        return
    console.say(f"{heading}:")
    for line in lines[:_SHOWN]:
        console.say(f"  {console.quoted(line, 400)}")
    if len(lines) > _SHOWN:
        console.say(f"  … and {len(lines) - _SHOWN:,} more")


def _say_waiting(found: Folder) -> None:
    from otherminds.construct import status

    for line in status.waiting(found):
        console.say(line)
