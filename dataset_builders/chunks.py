"""Building a dataset chunk by chunk, in this process or in several."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from otherminds.dataset_builders.parts import Run

Task = TypeVar("Task")
Chunk = TypeVar("Chunk")


@contextmanager
def built(
    build: Callable[[Task], Chunk], tasks: Sequence[Task], num_proc: int
) -> Iterator[Iterable[Chunk]]:
    """The chunk of each task, in order, whichever process builds it.

    build  a function of a module, which another process can import
    """
    if num_proc == 1:
        yield map(build, tasks)
        return
    # Spawned rather than forked: forking a process that runs threads, as callers' may, can hang.
    with ProcessPoolExecutor(num_proc, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool.map(build, tasks)


def processes(num_proc: int) -> Run:
    """Build in so many processes; in this one, if one is enough. Raises ValueError for none."""
    if num_proc < 1:
        raise ValueError(f"num_proc is {num_proc}, but at least one process is needed.")
    return partial(built, num_proc=num_proc)
