"""Building in chunks: in order, no further ahead than there is room for, and to the first fault."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.data.build import dataset as build
from otherminds.dataset_builders import parts
from otherminds.dataset_builders.parts import Part, Plan
from otherminds.errors import OtherMindsError

_MANY = 70_000
"""Rows of which some are written before the others are asked for."""


class Pool(Executor):
    """Keeps what it is given, and begins nothing."""

    def __init__(self) -> None:
        self.given: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.given.append(Future())
        return self.given[-1]


class Prompt(Pool):
    """Has done each task when it is given."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn)
        future.set_result(fn(*args))
        return future


class FailsAtTheThird(Pool):
    """Works on the first tasks for ever."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn)
        if len(self.given) == 3:
            future.set_exception(ValueError("broken on purpose"))
        return future


def counted(tasks: Iterator[int], read: list[int]) -> Iterator[int]:
    for task in tasks:
        read.append(task)
        yield task


def test_no_more_tasks_are_given_than_the_window_has_room_for() -> None:
    pool = Prompt()
    found = parts.in_order(pool, operator.neg, itertools.count(), 4)
    for taken in range(1, 20):
        assert next(found) == 1 - taken
        assert len(pool.given) == taken + 4


@given(st.integers(0, 30), st.integers(1, 8))
def test_chunks_are_those_of_the_tasks_in_order(tasks: int, most: int) -> None:
    found = parts.in_order(Prompt(), operator.neg, range(tasks), most)
    assert list(found) == [-task for task in range(tasks)]


def test_a_fault_is_raised_before_its_turn() -> None:
    pool = FailsAtTheThird()
    with pytest.raises(ValueError, match="broken on purpose"):
        next(parts.in_order(pool, operator.neg, range(3), 3))
    assert not pool.given[0].done()


def test_processes_stop_at_a_fault() -> None:
    read: list[int] = []
    tasks = counted(itertools.chain([4, 9, -1], itertools.count()), read)
    with (
        pytest.raises(ValueError, match=r"math domain error|nonnegative"),
        parts.built(math.sqrt, tasks, 2) as found,
    ):
        list(found)
    assert len(read) <= 3 + 2 * parts.AHEAD


def test_processes_stop_with_their_reader() -> None:
    read: list[int] = []
    with parts.built(operator.neg, counted(itertools.count(), read), 2) as found:
        assert [next(found) for _ in range(3)] == [0, -1, -2]
        assert len(read) == 3 + 2 * parts.AHEAD


def test_a_plan_makes_its_tasks_as_they_are_needed() -> None:
    made: list[int] = []

    def task(number: int) -> int:
        made.append(number)
        return number

    def build(number: int) -> Part:
        return {}

    done: list[tuple[int, int]] = []
    plan = Plan(100, lambda number: 2, task, build, lambda read: {})
    drawn = plan.parts(parts.processes(1), lambda now, total: done.append((now, total)))
    for _ in range(3):
        next(drawn)
    assert made == [0, 1, 2]
    assert done == [(2, 200), (4, 200)]


def numbers(count: int, size: int) -> Plan:
    """Rows that are counted, in parts of so many."""
    return Plan(
        count=-(-count // size),
        people=lambda number: size,
        task=lambda number: (number * size, min(count, (number + 1) * size)),
        build=lambda ends: {
            "rows": pa.table({"n": range(*ends), "text": ["x"] * (ends[1] - ends[0])})
        },
        assembled=lambda read: {"rows": read("rows")},
    )


@given(st.integers(1, 40), st.integers(1, 9), st.integers(1, 11))
def test_tables_do_not_tell_how_many_parts_they_came_in(rows: int, size: int, joined: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "_ROWS", joined)
        found = numbers(rows, size).tables(parts.processes(1))["rows"]
        whole = numbers(rows, rows).tables(parts.processes(1))["rows"]
    assert found["n"].to_pylist() == list(range(rows))
    chunks = [[chunk.nbytes for chunk in table["text"].chunks] for table in (found, whole)]
    assert chunks[0] == chunks[1]


def test_nothing_is_left_in_the_folder_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts.tempfile, "tempdir", str(tmp_path))
    made = numbers(10, 3).tables(parts.processes(1))["rows"]
    assert not list(tmp_path.iterdir())
    assert made.num_rows == 10

    def broken() -> Iterator[pa.Table]:
        yield pa.table({"n": range(_MANY)})
        assert not list(tmp_path.iterdir()), "a killed process would leave this"
        raise ValueError("broken on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        parts.whole({"rows": broken()})
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts.tempfile, "tempdir", str(tmp_path / "absent"))
    with pytest.raises(OtherMindsError, match=r"Cannot write .*absent"):
        build.build("debate-beliefs-synthetic", tmp_path / "out")
    assert not (tmp_path / "out").exists()
