"""The keys of `--metadata`, each declared once: those of all tasks here, the others by benchmarks.

`Benchmark.keys` has what changes the questions of a benchmark's tasks. Which of them a task uses is told
by the functions that make its documents (`otherminds.running.used_keys`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from otherminds import benchmark
from otherminds.benchmark import FLAG, NUMBER, TEXT, WHOLE, Key
from otherminds.errors import OtherMindsError

SAMPLES: Final = "samples"
LIMIT: Final = "stage_limit"
SUBSET: Final = "data_subset"

DATA: Final[Mapping[str, Key]] = MappingProxyType(
    {
        "data_source": Key(
            "where the data are: a folder, or `hub`", TEXT, "built here, or from the Hub"
        ),
        "data_revision": Key("the revision, where data_source is `hub`", TEXT, "the version's tag"),
        SUBSET: Key("ask about a fixed subset of so many people", WHOLE, "all people"),
    }
)
"""Which rows are taken: for every task whose documents are rows of a dataset."""

STAGES: Final[Mapping[str, Key]] = MappingProxyType(
    {
        SAMPLES: Key(
            "the folder with the samples of earlier stages, or their file",
            TEXT,
            "they are asked in the same run",
        ),
        LIMIT: Key(
            "ask what the first so many documents of the last stage need", NUMBER, "all documents"
        ),
    }
)
"""What connects the stages of a chain (`otherminds.running.stages`)."""

CONSTRUCTION: Final = "construct_dir"

WRITING: Final[Mapping[str, Key]] = MappingProxyType(
    {
        CONSTRUCTION: Key(
            "the folder of `otherminds construct export` whose sheets are asked",
            TEXT,
            "an example, to be looked at",
        )
    }
)
"""Which construction the tasks of a pipeline's stages belong to (`otherminds.construct.tasks`)."""

_LONG = 8
"""Letters from which on a name may have two slips: a short one with two is as like another word."""


@cache
def known() -> Mapping[str, Key]:
    """All keys by name, ours first. Those that several benchmarks have stand as the first has them."""
    found = {**DATA, **STAGES, **WRITING}
    for one in benchmark.every():
        for name, key in one.keys.items():
            found.setdefault(name, key)
        for name in one.switches:
            found.setdefault(name, Key("", FLAG, "false"))
    return MappingProxyType(found)


def nearest(name: str, among: Iterable[str]) -> str | None:
    """The key that another name is most likely a slip of; None where there is none.

    A slip is one letter too many, too few or wrong, or two that changed places; long names may have two
    slips. Other forms of a key's word are words of their own: arguments of models are called `sample`,
    `sampler` and `fraction`.
    """
    found = []
    for key in among:
        allowed = 2 if min(len(name), len(key)) >= _LONG else 1
        if name not in _forms(key) and (slips := _slips(name, key)) <= allowed:
            found.append((slips, key))
    return min(found)[1] if found else None


def _forms(key: str) -> set[str]:
    """Other forms of a key's word: of `samples`, they are `sample`, `sampler` and `sampled`."""
    word = key.removesuffix("s")
    return {f"{word}s"} if word == key else {word, f"{word}r", f"{word}d"}


def _slips(one: str, other: str) -> int:
    """The least number of slips between two names (optimal string alignment)."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, wanted in enumerate(other, start=1):
            least = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != wanted))
            if i > 1 and j > 1 and (letter, one[i - 2]) == (other[j - 2], wanted):
                least = min(least, rows[-2][j - 2] + 1)
            row.append(least)
        rows.append(row)
    return rows[-1][-1]


def refuse_slips(names: Iterable[str], of: Iterable[str]) -> None:
    """Raise OtherMindsError for a name that is nearly one of our keys `of`, and none of them.

    In plain lm-eval, arguments of the model arrive among the keys: all other names may be theirs.
    """
    keys = {*DATA, *STAGES, *WRITING, *of}
    for name in names:
        if name not in keys and (near := nearest(name, keys)) is not None:
            raise OtherMindsError(f"Unknown --metadata key '{name}'. Did you mean '{near}'?")


def check_value(name: str, key: Key, value: Any) -> None:
    """Raise OtherMindsError for a value that a key cannot have; None counts as left out."""
    is_truth = isinstance(value, bool)
    fits = {
        WHOLE: isinstance(value, int) and not is_truth,
        NUMBER: isinstance(value, int | float) and not is_truth,
        FLAG: is_truth or str(value).strip().casefold() in ("true", "false"),
    }
    named = isinstance(key.values, tuple)
    is_possible = value in key.values if named else fits.get(str(key.values), True)
    if value is not None and not is_possible:
        raise OtherMindsError(f"{name} is {value!r} in --metadata: give {values(key)}.")


def values(key: Key) -> str:
    """What a key can be, in words."""
    if isinstance(key.values, str):
        return key.values
    *others, last = key.values
    return f"{', '.join(others)} or {last}" if others else last


def chosen(key: Key) -> str:
    """What a key chooses, with the names that there are to choose from."""
    return f"{key.meaning}: {values(key)}" if isinstance(key.values, tuple) else key.meaning
