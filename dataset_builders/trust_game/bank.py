"""Reading the GENAGENTS bank: its agents as one JSONL file, or as the folders of a clone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from otherminds.dataset_builders.sources import SourceError, Stretch
from otherminds.dataset_builders.trust_game.attributes import (
    BANK,
    OLDEST,
    PERSONA_FIELDS,
    YOUNGEST,
    key_of,
)
from otherminds.dataset_builders.trust_game.people import Person
from otherminds.files import not_json

FOLDER: Final = "agent_bank/populations/gss_agents"
"""Where the agents lie in a clone of the authors' repository: one folder each, named by its id."""

AGENT: Final = "scratch.json"
"""What the bank says of an agent, in the agent's folder."""

_ID = "agent_id"
_LONGEST = 200
_SHOWN = frozenset(field.key for field in PERSONA_FIELDS)
_LEVELS = {key_of(one): one for one in BANK.evaluated if key_of(one) in _SHOWN}


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent: what may be shown, and what must not be.

    secrets   the full name and the street address; the authors made them up, but they still suggest
              a person
    """

    person: Person
    secrets: tuple[str, str]


def read(source: Path, stretch: Stretch) -> list[Agent]:
    """The agents in `source`, in the order of their ids.

    `source` is a JSONL file with an agent per line, a clone of the authors' repository, or that
    clone's folder of agents. Raises SourceError, which names the line or file, for a source that is
    none of these or has no agents, broken JSON, an id twice, and an agent that lacks an attribute or
    has an impossible one.
    """
    agents: dict[str, Agent] = {}
    for where, agent_id, record in _records(source, stretch):
        if not isinstance(record, dict):
            raise SourceError(f"{where} is not a JSON object, but each agent must be one.")
        named = _text(record, _ID, where, "An agent") if agent_id is None else agent_id
        if named in agents:
            raise SourceError(f"{where}: the agent '{named}' occurs twice.")
        agents[named] = _agent(named, record, where)
    if not agents:
        raise SourceError(f"{source} has no agents; is this the whole bank?")
    return [agents[name] for name in sorted(agents)]


def fingerprint(agents: Iterable[Agent]) -> str:
    """The SHA-256 of the ids and of what may be shown, whatever files they were read from."""
    digest = hashlib.sha256()
    for agent in agents:
        said = [agent.person.key, *(agent.person.values[field.key] for field in PERSONA_FIELDS)]
        digest.update(json.dumps(said, ensure_ascii=True).encode("ascii") + b"\n")
    return digest.hexdigest()


def _records(source: Path, stretch: Stretch) -> Iterator[tuple[str, str | None, Any]]:
    """Where each record stands, the agent's id where the record does not say it, and the record."""
    if source.is_dir():
        yield from _of_folders(_folder(source), stretch)
    elif source.is_file():
        yield from _of_lines(source, stretch)
    else:
        raise SourceError(f"There is no file or folder {source}.")


def _folder(source: Path) -> Path:
    for folder in (source / FOLDER, source):
        if folder.is_dir() and any(folder.glob(f"*/{AGENT}")):
            return folder
    raise SourceError(
        f"{source} holds no agents: neither {FOLDER}/<id>/{AGENT} nor <id>/{AGENT}. Give the clone, "
        "its folder of agents, or a JSONL file."
    )


def _of_folders(folder: Path, stretch: Stretch) -> Iterator[tuple[str, str, Any]]:
    own = sorted(one for one in folder.iterdir() if one.is_dir() and one.name[0] not in "._")
    for one in stretch.through(own, len(own)):
        path = one / AGENT
        if not path.is_file():
            raise SourceError(f"{path} is missing; is the clone complete?")
        yield str(path), one.name, _parsed(_read(path), str(path))


def _of_lines(path: Path, stretch: Stretch) -> Iterator[tuple[str, None, Any]]:
    # Not splitlines: some of the characters that it splits at may stand inside JSON text.
    lines = _read(path).split("\n")
    for number, line in enumerate(stretch.through(lines, len(lines)), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, None, _parsed(line, where)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not text in UTF-8, so it is not the bank.") from error
    except OSError as error:
        raise SourceError(f"Cannot read {path}: {error.strerror}.") from error


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{where} is not valid JSON: {not_json(error)}.") from error


def _agent(agent_id: str, record: Mapping[str, Any], where: str) -> Agent:
    who = f"The agent '{agent_id}'"
    values = {
        field.key: (
            _age(record, where, who) if field.key == "age" else _text(record, field.key, where, who)
        )
        for field in PERSONA_FIELDS
    }
    for key, attribute in _LEVELS.items():
        try:
            BANK.level_of(attribute, values[key])
        except ValueError as error:
            raise SourceError(f"{where}: {who} has an unknown level: {error}.") from error
    first, last, street = (
        _text(record, key, where, who) for key in ("first_name", "last_name", "street_address")
    )
    return Agent(Person(agent_id, values), (f"{first} {last}", street))


def _age(record: Mapping[str, Any], where: str, who: str) -> str:
    age = _present(record, "age", where, who)
    if not isinstance(age, int) or isinstance(age, bool):
        raise SourceError(f"{where}: {who} has as 'age' no whole number, but {type(age).__name__}.")
    if not YOUNGEST <= age <= OLDEST:
        raise SourceError(f"{where}: {who} has an age that is not between {YOUNGEST} and {OLDEST}.")
    return str(age)


def _text(record: Mapping[str, Any], key: str, where: str, who: str) -> str:
    value = _present(record, key, where, who)
    if not isinstance(value, str):
        raise SourceError(f"{where}: {who} has as '{key}' no text, but {type(value).__name__}.")
    if not value.strip():
        raise SourceError(f"{where}: {who} has an empty '{key}'.")
    if len(value) > _LONGEST or not value.isprintable():
        raise SourceError(f"{where}: {who} has a '{key}' that is not short plain text on one line.")
    return value.strip()


def _present(record: Mapping[str, Any], key: str, where: str, who: str) -> Any:
    if key not in record:
        raise SourceError(f"{where}: {who} has no '{key}'.")
    return record[key]
