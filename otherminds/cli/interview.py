"""The commands of interviews."""

from __future__ import annotations

import contextlib
import importlib
import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from otherminds import console
from otherminds.cli import interview_results as results
from otherminds.cli.interview_results import HERE, Data, Topic
from otherminds.errors import OtherMindsError, StoppedError, UsageError

if TYPE_CHECKING:
    from otherminds.interview.config import Config
    from otherminds.interview.readers import SessionReader
    from otherminds.interview.rewording import ModelWording
    from otherminds.interview.store import Store, Summary

INTERVIEW = typer.Typer(no_args_is_help=True, add_completion=False)

_KEPT: Final = "Kept. The same command goes on from here."
_SHOWN: Final = 20
"""Rows of a table for people; files have all."""

_Config = Annotated[Path, typer.Argument(help="A YAML with topic and parameters, or a topic.")]
_Reword = Annotated[
    bool, typer.Option("--reword", help="Let the configuration's model word follow-up questions.")
]


class ParticipantKind(StrEnum):
    """Who answers in a simulation."""

    SCRIPTED = "scripted"
    MODEL = "model"


@INTERVIEW.callback()
def _interview() -> None:
    """Interview people on a topic, and make items of what they say.

    The interviewer builds a causal belief network while it listens, and asks what the network lacks.

    Examples:
        otherminds interview new-topic night_buses
        otherminds interview chat night_buses.yaml --person P01
        otherminds interview check
        otherminds interview items built
    """


@INTERVIEW.command("chat")
def chat(
    config: _Config,
    person: Annotated[str, typer.Option(help="The person's pseudonym.")] = "me",
    data: Data = HERE,
    recruited_as: Annotated[
        str | None,
        typer.Option(
            help="Their id on the platform of the recruitment; kept encrypted, and apart."
        ),
    ] = None,
    wave: Annotated[int, typer.Option(min=1, help="2 and more: interview them again.")] = 1,
    reword: _Reword = False,
) -> None:
    """Interview one person in the terminal.

    The same command goes on with a conversation that was left or interrupted.

    Examples:
        otherminds interview chat zoning.yaml --person P01
    """
    from otherminds.interview.chatting import chat as talk
    from otherminds.interview.conversation import Conversation
    from otherminds.interview.readers import SessionReader, description
    from otherminds.interview.recruitment import Recruitment
    from otherminds.interview.store import Store

    given = _config(config)
    name = f"{person}-{given.topic.name}{'' if wave == 1 else f'-{wave}'}"
    with Store(data, create=True) as store:
        found = next((one for one in store.summaries(participant=person) if one.id == name), None)
        if recruited_as is not None:
            Recruitment(store, create=True).add(person, recruited_as)
        if found is None:
            reader = SessionReader(given.parameters, store, name)
            conversation = Conversation.begin(
                store,
                given,
                reader,
                session_id=name,
                participant_id=person,
                wave=wave,
                model=description(given.parameters),
                wording=_wording(reader, reword),
            )
        else:
            if found.config_hash != given.hash:
                console.note(
                    f"{config} was changed: this session goes on under what it began with."
                )
            kept = _kept_config(store, found)
            reader = SessionReader(kept.parameters, store, name)
            conversation = Conversation.resume(
                store, name, reader, wording=_wording(reader, reword)
            )
        try:
            talk(conversation, _line, console.say)
        except KeyboardInterrupt as error:
            raise StoppedError(_KEPT) from error
        _print_counts(reader.counts)


@INTERVIEW.command("serve")
def serve(
    config: Annotated[
        Path, typer.Argument(help="A YAML with topic, parameters and `study`, or a topic.")
    ],
    data: Data = HERE,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8765,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where browsers find the study, if a reverse proxy stands before it.",
        ),
    ] = None,
) -> None:
    """Serve a study: web pages for participants and researchers.

    Consent, questionnaire, interview, review and a code at the end; sessions, quality control, exports,
    retest and withdrawal for those who run it.

    Examples:
        otherminds interview serve study.yaml
        otherminds interview serve study.yaml --address https://study.example.org
    """
    from otherminds.interview.pages.serving import serve as run
    from otherminds.interview.study_settings import Study, StudyFile, read_study, with_tutorial

    given = config.expanduser()
    if given.exists() and not _is_topic(given):
        study = read_study(given)
    else:
        study = StudyFile(with_tutorial(_config(config)), Study())
    run(study, data, host=host, port=port, address=address, say=console.say)


@INTERVIEW.command("simulate")
def simulate(
    config: _Config,
    agents: Annotated[str, typer.Option(help="A dataset of simulated people.")],
    n: Annotated[int, typer.Option("--n", min=1, help="How many of them.")] = 50,
    data: Data = HERE,
    topic: Annotated[
        list[str] | None,
        typer.Option(help="Topics in place of the configuration's. May be repeated."),
    ] = None,
    participant: Annotated[
        ParticipantKind, typer.Option(help="Who answers: rules, or the configuration's model.")
    ] = ParticipantKind.SCRIPTED,
    seed: Annotated[int, typer.Option(help="Of the wordings of questions and answers.")] = 0,
    parallel: Annotated[int, typer.Option(min=1, help="Sessions at once.")] = 1,
    fixed_order: Annotated[
        bool, typer.Option("--fixed-order", help="Ask in a fixed order, as the baseline does.")
    ] = False,
    reword: _Reword = False,
) -> None:
    """Interview simulated people, and keep their questionnaires.

    The same command goes on with what was interrupted, and leaves finished interviews alone.

    Examples:
        otherminds interview simulate zoning.yaml --agents DATASET --n 50
        otherminds interview simulate zoning.yaml --agents DATASET --parallel 4
    """
    from otherminds import progress
    from otherminds.interview import simulating, studies
    from otherminds.interview.config import topic_named
    from otherminds.interview.store import Store

    given = _config(config)
    named = [topic_named(one, beside=config.parent) for one in topic or []] or [given.topic]
    configs = {one.name: given.model_copy(update={"topic": one}) for one in named}
    people = studies.agents_of(agents, n=n, topics=[*configs])
    with Store(data, create=True) as store:
        with progress.bar("Interviews") as stages:
            try:
                done = simulating.simulate(
                    store,
                    configs,
                    people,
                    _cast(participant, store),
                    seed=seed,
                    wording=lambda reader: _wording(reader, reword),
                    parallel=parallel,
                    fixed_order=fixed_order,
                    progress=stages,
                )
            except KeyboardInterrupt as error:
                raise StoppedError(_KEPT) from error
        _print_counts(done.counts)
    if replaced := done.counts.get(simulating.REPLACED):
        console.note(f"{replaced} {simulating.REPLACED}: see the events `replaced` of an export.")
    console.say(
        f"{done.begun} interviews were begun, {done.resumed} gone on with, {done.finished} were over "
        f"before; they are in {data}."
    )


@INTERVIEW.command("list")
def list_(
    data: Data = HERE,
    topic: Topic = None,
    person: Annotated[str | None, typer.Option(help="Only of this person.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, of all there are.")] = False,
) -> None:
    """List the sessions of a study.

    Examples:
        otherminds interview list
        otherminds interview list --json
    """
    from otherminds.interview.store import Store

    with Store(data) as store:
        found = store.summaries(topic=topic, participant=person)
    if as_json:
        typer.echo(json.dumps([vars(one) for one in found], indent=2, ensure_ascii=False))
        return
    columns = [
        *console.texts("session", "person", "topic", "status"),
        *console.numbers("answers", "concepts"),
    ]
    console.OUT.print(
        console.table(columns, map(_listed, found[:_SHOWN]), title=f"{len(found):,} sessions")
    )
    if len(found) > _SHOWN:
        console.say(f"… and {len(found) - _SHOWN:,} more: `otherminds interview list --json`.")


@INTERVIEW.command("replay")
def replay(
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="SESSION", help="Sessions; all by default.")
    ] = None,
    data: Data = HERE,
) -> None:
    """Go through sessions again from their answers.

    The journal stands in for the model. Ends with 1 where anything comes out otherwise than it is
    stored.

    Examples:
        otherminds interview replay me-zoning
    """
    from otherminds.interview.replaying import replay as again
    from otherminds.interview.store import Store

    differing = 0
    with Store(data) as store:
        wanted = sessions or [one.id for one in store.summaries()]
        for name in wanted:
            found = again(store, name)
            differing += bool(found.differences)
            for line in found.differences:
                console.say(f"{name}: {line}")
    console.say(f"{len(wanted) - differing} of {len(wanted)} sessions came out the same.")
    if differing:
        raise typer.Exit(1)


_RESULTS: Final[dict[str, Callable[..., None]]] = {
    "export": results.export,
    "check": results.check,
    "items": results.items,
    "annotate": results.annotate,
    "annotations": results.read_annotations,
    "study": results.study,
    "new-topic": results.new_topic,
    "check-topic": results.check_topic,
}
for _name, _command in _RESULTS.items():
    INTERVIEW.command(_name)(_command)


@INTERVIEW.command("delete")
def delete(
    person: Annotated[str, typer.Argument(help="The person's pseudonym.")],
    data: Data = HERE,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a person and all that they said.

    Everywhere that this program wrote it: from the database and its log, the journals of models, and
    exports where they lie. What stays is a tombstone: the pseudonym and a time.

    Examples:
        otherminds interview delete P01
    """
    from otherminds.interview import deletion
    from otherminds.interview.store import Store

    with Store(data) as store:
        if not yes and not typer.confirm(f"Delete all that '{person}' said? It cannot be undone."):
            raise OtherMindsError("Nothing was deleted.")
        done = deletion.delete(store, person)
    console.say(
        f"'{person}' is deleted: {done.sessions} sessions, {len(done.changed)} exported files."
    )
    for path in done.missing:
        console.note(f"An export is not where it was written, delete its copies yourself: {path}")


def _line() -> str | None:
    # With it, a terminal takes more than 4,095 bytes, and a pasted text of several lines as one.
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
    try:
        return input("> ")
    except EOFError:
        return None
    except UnicodeDecodeError:
        # What cannot be read is asked for again.
        return ""


def _config(path: Path) -> Config:
    """The configuration of a YAML; of a topic's own YAML or a shipped topic's name, with defaults."""
    from otherminds.interview import config

    given = path.expanduser()
    if not given.exists() and str(path) in config.topic_names():
        return config.Config(topic=config.topic_named(str(path)))
    if config.is_topic(given):
        return config.Config(topic=config.read_topic(given))
    return config.read_config(given)


def _is_topic(path: Path) -> bool:
    from otherminds.interview import config

    return config.is_topic(path)


def _kept_config(store: Store, one: Summary) -> Config:
    from otherminds.interview.config import Config

    return Config.model_validate_json(store.config(one.config_hash))


def _wording(reader: SessionReader, wanted: bool) -> ModelWording | None:
    from otherminds.interview.rewording import ModelWording

    if not wanted:
        return None
    if reader.caller is None:
        raise UsageError("--reword needs a model: name one in the configuration (model: NAME).")
    return ModelWording(reader.caller)


def _cast(kind: ParticipantKind, store: Store) -> Any:
    from otherminds.interview import casting

    return casting.scripted if kind is ParticipantKind.SCRIPTED else casting.by_model(store)


def _listed(one: Summary) -> tuple[str, ...]:
    return (one.id, one.participant_id, one.topic, one.status, str(one.answers), str(one.nodes))


def _print_counts(counts: Any) -> None:
    """Requests without a result, which an interview went on without."""
    for name, count in sorted(counts.items()):
        if ": " in name:
            call = name.partition(":")[0]
            console.note(
                f"{count} of {counts[call]} requests '{call}' had no result{name[len(call) :]}"
            )
