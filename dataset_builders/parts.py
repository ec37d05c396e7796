"""Building a dataset in parts that need nothing of each other, and putting them together.

What a part holds depends on the specification and its own number, so a part is the same whichever
process, machine or engine builds it, and whatever else is built beside it. What is drawn over everybody
(who is in a subset, running numbers of items) is drawn where the parts are put together.
"""

from __future__ import annotations

import mmap
import multiprocessing
import signal
import tempfile
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, Final, TypeAlias, TypeVar

import pyarrow as pa

from otherminds.types import Progress

Part: TypeAlias = dict[str, pa.Table]
"""The tables of some people or stages, under names of the builder's own. It may lack some names."""


Read: TypeAlias = Callable[[str], Iterator[pa.Table]]
"""The tables of that name, of all parts in order."""


Run: TypeAlias = Callable[
    [Callable[[Any], Part], Iterable[Any]], AbstractContextManager[Iterable[Part]]
]
"""Builds each task into a part, in order; see `built`."""


Task = TypeVar("Task")


Chunk = TypeVar("Chunk")


AHEAD: Final = 2
"""Tasks per process that are submitted and not yet collected: none waits for work, and memory does not
grow with the number of tasks."""


_ROWS: Final = 32_768
"""Rows are joined so many at a time, so that no more of them are in memory at once."""


@dataclass(frozen=True)
class Plan:
    """How a specification is built in parts.

    count      how many parts there are
    people     how many people or stages a part is of, by its number from 0
    task       all that a part depends on, by its number; it can be pickled
    build      the part of a task: a function of a module, which another process can import
    assembled  the configurations, row by row in their final order, from the parts; what it reads it
               reads one table at a time, so that memory does not grow with the rows
    holds      the configurations that a part has rows of, by its number; None: every part of all
    """

    count: int
    people: Callable[[int], int]
    task: Callable[[int], Any]
    build: Callable[[Any], Part]
    assembled: Callable[[Read], Mapping[str, Iterator[pa.Table]]]
    holds: Callable[[int], Collection[str]] | None = None

    def parts(
        self, run: Run, progress: Progress | None = None, numbers: Sequence[int] | None = None
    ) -> Iterator[Part]:
        """The parts of these numbers (default: all), built by `run`."""
        numbers = range(self.count) if numbers is None else numbers
        total = sum(map(self.people, numbers))
        done = 0
        with run(self.build, map(self.task, numbers)) as built:
            for number, part in zip(numbers, built, strict=True):
                yield part
                done += self.people(number)
                if progress is not None:
                    progress(done, total)

    def tables(self, run: Run, progress: Progress | None = None) -> dict[str, pa.Table]:
        """All configurations, on disk and mapped into memory, as the parts are before. Raises OSError
        where there is no room for them in the folder for temporary files."""
        return whole(self.assembled(reader(list(map(_waiting, self.parts(run, progress))))))

    def needed(self, configs: Collection[str]) -> list[int]:
        """The numbers of the parts that hold rows of some configurations."""
        return [
            number
            for number in range(self.count)
            if self.holds is None or not set(configs).isdisjoint(self.holds(number))
        ]

    def only(
        self, run: Run, numbers: Sequence[int], progress: Progress | None = None
    ) -> dict[str, pa.Table]:
        """The configurations that have no rows outside the parts of these numbers, as `tables` gives
        them."""
        made = self.assembled(reader(list(map(_waiting, self.parts(run, progress, numbers)))))
        if self.holds is not None:
            outside = {
                config
                for number in sorted(set(range(self.count)).difference(numbers))
                for config in self.holds(number)
            }
            made = {config: tables for config, tables in made.items() if config not in outside}
        return whole(made)


def reader(parts: Sequence[Part]) -> Read:
    """Read parts that are there."""

    def read(name: str) -> Iterator[pa.Table]:
        return (part[name] for part in parts if name in part)

    return read


def whole(configs: Mapping[str, Iterator[pa.Table]]) -> dict[str, pa.Table]:
    """Each configuration as one table, in a file without a name that is mapped into memory.

    Nothing about a table, not its size in memory either, tells how many parts it was built in and
    whether they came from files: it is cut anew, and written and read again.
    """
    return {name: _on_disk(tables) for name, tables in configs.items()}


def processes(num_proc: int) -> Run:
    """Build in so many processes; in this one, if one is enough. Raises ValueError for none."""
    if num_proc < 1:
        raise ValueError(f"num_proc is {num_proc}, but at least one process is needed.")
    return partial(built, num_proc=num_proc)


@contextmanager
def built(
    build: Callable[[Task], Chunk], tasks: Iterable[Task], num_proc: int
) -> Iterator[Iterator[Chunk]]:
    """The chunk of each task, in order, whichever process builds it.

    build  a function of a module, which another process can import

    Tasks are read as there is room for them, AHEAD of them per process. What a build raises is raised
    here as soon as it happens, and leaving the block gives up what is not begun.
    """
    if num_proc == 1:
        yield map(build, tasks)
        return
    # Spawned rather than forked: forking a process that runs threads, as callers' may, can hang.
    # A terminal interrupts (Ctrl-C) all of them: this one says so, and the others say nothing.
    pool = ProcessPoolExecutor(
        num_proc,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )
    try:
        yield in_order(pool, build, tasks, AHEAD * num_proc)
    finally:
        pool.shutdown(cancel_futures=True)


def in_order(
    pool: Executor, build: Callable[[Task], Chunk], tasks: Iterable[Task], most: int
) -> Iterator[Chunk]:
    """The chunk of each task, in order; at most so many are in the pool, finished ones included."""
    remaining = iter(tasks)
    window = deque(pool.submit(build, task) for task in islice(remaining, most))
    while window:
        _wait_for_first(window)
        window.extend(pool.submit(build, task) for task in islice(remaining, 1))
        yield window.popleft().result()


def _waiting(part: Part) -> Part:
    return {name: _on_disk([table]) for name, table in part.items()}


def in_equal_sizes(pieces: Iterable[pa.Table], size: int) -> Iterator[pa.Table]:
    """The rows of all pieces in tables of `size` rows; the last or only one may have fewer."""
    waiting: list[pa.Table] = []
    rows = 0
    for piece in pieces:
        waiting.append(piece)
        rows += piece.num_rows
        while rows > size:
            together = pa.concat_tables(waiting)
            yield together.slice(0, size)
            waiting, rows = [together.slice(size)], rows - size
    yield pa.concat_tables(waiting)


def _on_disk(tables: Iterable[pa.Table]) -> pa.Table:
    """The tables as one, in a temporary file that is mapped into memory, so that it need not stay there.

    The file never has a name: nothing is left of it when the process ends, however it does.
    """
    pieces = in_equal_sizes(tables, _ROWS)
    first = next(pieces)
    with tempfile.TemporaryFile() as file:
        # Arrow's own format leaves out the marks of missing values where there are none.
        with pa.ipc.new_stream(file, first.schema) as writer:
            for piece in chain([first], pieces):
                writer.write_table(piece.combine_chunks())
        file.flush()
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return pa.ipc.open_stream(pa.py_buffer(mapped)).read_all()


def _wait_for_first(window: deque[Future[Chunk]]) -> None:
    """Until the first is done. Raises what any of them raises, rather than at its turn."""
    waiting = set(window)
    while not window[0].done():
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for each in done:
            each.result()
