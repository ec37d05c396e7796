"""Building a dataset chunk by chunk, in this process or in several."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Final, TypeVar

from otherminds.dataset_builders.parts import Run

Task = TypeVar("Task")
Chunk = TypeVar("Chunk")

AHEAD: Final = 2
"""Tasks per process that are given out and not taken back: none waits for work, and memory does not
grow with the number of tasks."""


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
    pool = ProcessPoolExecutor(num_proc, mp_context=multiprocessing.get_context("spawn"))
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


def _wait_for_first(window: deque[Future[Chunk]]) -> None:
    """Until the first is done. Raises what any of them raises, rather than at its turn."""
    waiting = set(window)
    while not window[0].done():
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for each in done:
            each.result()


def processes(num_proc: int) -> Run:
    """Build in so many processes; in this one, if one is enough. Raises ValueError for none."""
    if num_proc < 1:
        raise ValueError(f"num_proc is {num_proc}, but at least one process is needed.")
    return partial(built, num_proc=num_proc)
