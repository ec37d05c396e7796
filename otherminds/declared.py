"""What a benchmark declares of its own: breakdowns, keys of `--metadata`, pictures and commands.

`otherminds.benchmark` has all of them too: a module `benchmark.py` imports nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Breakdown(NamedTuple):
    """How the estimates of a breakdown are shown.

    title        the heading that a run prints above them
    values_only  whether many parts are printed without errors, because these would not fit
    named        whether the names of its parts explain themselves: "work", but not "5"
    """

    title: str
    values_only: bool = False
    named: bool = False


class Key(NamedTuple):
    """A key of `--metadata`.

    meaning   what it chooses, in a line
    values    what it can be: names to choose from, or TEXT, NUMBER, WHOLE or FLAG
    default   what holds where it is left out, in words
    datasets  the datasets whose tasks use it; all by default
    tasks     patterns of the names of the tasks that use it; all whose documents take it by default
    """

    meaning: str
    values: tuple[str, ...] | str
    default: str
    datasets: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()


class Sketch(NamedTuple):
    """A document as a picture.

    title  what it shows
    lines  the same in words, for a terminal
    svg    the picture
    """

    title: str
    lines: tuple[str, ...]
    svg: str


TEXT, NUMBER, WHOLE, FLAG = "text", "a number", "a whole number", "true or false"
"""What a `Key` can be that is not one of some names."""


class Panel(Enum):
    """The panels of `otherminds --help`, in their order: what a person wants from a command."""

    RUN = "Run and look"
    COMPARE = "Compare and report"
    DATA = "Data"
    PUBLISH = "Publish"
    LEADERBOARD = "Leaderboard and seasons"
    STUDIES = "Studies"


@dataclass(frozen=True)
class Command:
    """A command that a benchmark adds to `otherminds`.

    Of its docstring, the first paragraph is listed by `otherminds --help`, and should fit on one line
    (62 characters). Lines below "Examples:" are commands to copy, which end its own help.

    reference  a function as typer takes it, or a `typer.Typer` with `add_completion=False` of one or
               several commands; its module is imported for every `otherminds --help`, and so must
               import its libraries in the function
    after      the command of the engine that it is listed after; the last one of its panel by default
    panel      where it is listed; by default where `after` is, and without this among the studies
    """

    reference: str
    after: str | None = None
    panel: Panel | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.panel, Panel | None):
            # Found where it is written, and not by the help of all commands.
            raise TypeError(f"panel is a Panel or None, not {self.panel!r}")
