"""Reading the vocabulary: the YAML files in `content/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias, TypeVar, get_type_hints

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter

from otherminds.dataset_builders.content_files import ContentError, read
from otherminds.dataset_builders.socialmindchange.codes.moves import Goal, Norm, Setting
from otherminds.dataset_builders.socialmindchange.codes.states import (
    Agency,
    Circumstance,
    Level,
    Matter,
)
from otherminds.dataset_builders.socialmindchange.codes.trajectory import Bridge
from otherminds.strict import Strict

FOLDER: Final = Path(__file__).resolve().parent / "content"


def _lines(value: object) -> object:
    """The lines of a block of text, without empty ones."""
    if isinstance(value, str):
        return tuple(line.strip() for line in value.splitlines() if line.strip())
    return value


def _words(value: object) -> object:
    return tuple(value.split()) if isinstance(value, str) else value


Lines: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_lines), Field(min_length=1)]
Clauses: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_lines)]
Wordings: TypeAlias = Annotated[
    tuple[str, ...], BeforeValidator(_lines), Field(min_length=3, max_length=3)
]
Words: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_words), Field(min_length=1)]

_Entry = TypeVar("_Entry")
ByMatter: TypeAlias = dict[Level, dict[Matter, _Entry]]
ByKind: TypeAlias = dict[Level, dict[Matter, dict[Agency, _Entry]]]


class PlaceKind(Strict):
    """A kind of place: the places, spots that all of them have, and what goes on around.

    `jobs` ("job / schooling") are those of the people there, where it is a place of work.
    """

    jobs: Clauses = ()
    places: Lines
    corners: Lines
    seen: Lines


class NameGroup(Strict):
    """Names that go together, and the share of people who bear such names (any unit)."""

    share: float = Field(gt=0)
    women: Words
    men: Words
    surnames: Words


class Schooling(Strict):
    """A level of schooling, its weight, and the least age of somebody who has it."""

    value: str
    weight: float = Field(gt=0)
    age: int


class Retirement(Strict):
    """People may be retired from the first age, and are from the second."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    start: int = Field(alias="from")
    always: int


class People(Strict):
    """Who there is."""

    groups: tuple[NameGroup, ...]
    schooling: tuple[Schooling, ...]
    occupations: dict[str, str]
    retirement: Retirement
    types: dict[str, float]


class Act(Strict):
    """What is done: words for the ways that have words, and deeds."""

    words: Lines
    deeds: Lines


class Way(Strict):
    """A circumstance as it is seen, and how words are given in it: two clauses, or none for deeds."""

    seen: Lines
    moving: Clauses
    saying: Clauses


class WorkTalk(Strict):
    """Talk about the work: two clauses to join, any of the one with any of the other."""

    first: Lines
    then: Lines


class Guesses(Strict):
    """What somebody says of how another is looked at: leads, and a clause by matter."""

    leads: Lines
    ability: Lines
    goodwill: Lines
    fairness: Lines
    prospect: Lines

    def on(self, matter: Matter) -> tuple[str, ...]:
        """The clauses on a matter."""
        clauses: tuple[str, ...] = getattr(self, matter)
        return clauses


class Openings(Strict):
    """How scenes begin."""

    first: Lines
    later: Lines


class Asides(Strict):
    """How two people get out of somebody's hearing, and what the listener says: clauses to join."""

    leaving: Lines
    joining: Lines
    noticing: Lines
    asking: Lines
    hearing: Lines
    wondering: Lines


class BridgeTexts(Strict):
    """What was done about a matter: helpful, kept up where it was well already, made worse."""

    helped: Lines
    kept: Lines
    worse: Lines


class Frame(Strict):
    """What a scene is built around."""

    openings: Openings
    work: dict[str, tuple[WorkTalk, ...]]
    asides: Asides
    bridges: dict[Bridge, BridgeTexts]
    guesses: Guesses


class Background(Strict):
    """What is told before the scenes."""

    group: Lines
    norms: dict[Norm, Lines]
    goals: dict[Goal, Lines]
    face: dict[Setting, Lines]
    roles: dict[str, str]


class Phrases(Strict):
    """How options put what they claim; three wordings each."""

    belief: ByMatter[Wordings]
    emotion: ByKind[Wordings]
    intention: ByKind[Wordings]
    act: ByKind[Wordings]
    inform: dict[Matter, Wordings]
    redirect: ByKind[Wordings]
    ask: ByKind[Wordings]
    setting: dict[Setting, Wordings]
    goal: dict[Goal, Wordings]
    norm: dict[Norm, Wordings]
    way: dict[Circumstance, Wordings]
    circumstance: dict[Circumstance, Wordings]
    bridge: dict[Bridge, Wordings]
    agency: dict[Agency, Wordings]


class Question(Strict):
    """Wordings of a question, and the pattern of its options."""

    options: str
    ask: Wordings


class Voice(Strict):
    """What people with a voice put before and after what they say."""

    before: Lines
    after: Lines


class Content(Strict):
    """All wording."""

    places: dict[str, PlaceKind]
    projects: dict[str, Lines]
    relations: dict[str, Lines]
    people: People
    beliefs: ByMatter[Lines]
    gestures: ByKind[Lines]
    intentions: ByKind[Lines]
    acts: ByKind[Act]
    ways: dict[Circumstance, Way]
    frame: Frame
    background: Background
    phrases: Phrases
    questions: dict[str, dict[str, Question]]
    voices: dict[str, Voice]


@cache
def load(folder: Path = FOLDER) -> Content:
    """Read and check all content files in `folder`.

    Raises ContentError, which names the file and the key, for a missing or malformed file, and for
    content that the generator cannot use (see `content_checks`).
    """
    from otherminds.dataset_builders.socialmindchange.codes import content_checks

    files: dict[str, Any] = {
        name: read(folder / f"{name}.yaml", kind) for name, kind in _kinds().items()
    }
    content = Content(**files)
    if problems := content_checks.problems(content):
        raise ContentError(
            f"{len(problems)} problems in the content files of {folder}; the first: {problems[0]}"
        )
    return content


class _StateWords(Strict):
    words: Words
    retold: Words


@cache
def state_words(folder: Path = FOLDER) -> tuple[str, ...]:
    """Words that no scene may use, because they name a state. Raises ContentError like `load`."""
    return read(folder / "state_words.yaml", TypeAdapter(_StateWords)).words


@cache
def retold_words(folder: Path = FOLDER) -> tuple[str, ...]:
    """Further words that a scene told anew may not add. Raises ContentError like `load`."""
    return read(folder / "state_words.yaml", TypeAdapter(_StateWords)).retold


def _kinds() -> dict[str, TypeAdapter[Any]]:
    """What each content file holds."""
    hints = get_type_hints(Content, include_extras=True)
    return {name: TypeAdapter(hints[name]) for name in Content.model_fields}
