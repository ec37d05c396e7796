"""Engines that build the parts of a dataset: processes of this machine, or Ray.

Every engine gives the same parts in the same order, so the built data do not depend on it.
"""

from __future__ import annotations

import importlib
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from otherminds.dataset_builders.parts import Part, Run, processes
from otherminds.errors import OtherMindsError, unknown

PROCESSES: Final = "processes"
RAY: Final = "ray"
ENGINES: Final = (PROCESSES, RAY)


def run_of(engine: str, num_proc: int) -> Run:
    """The engine of that name, with so many workers.

    Raises OtherMindsError for an unknown name, and where Ray is not installed.
    """
    if engine == PROCESSES:
        return partial(_clear, processes(num_proc))
    if engine == RAY:
        return partial(_on_ray, _ray(), num_proc=num_proc)
    raise unknown("engine", engine, list(ENGINES), listing="otherminds build --help")


def killed(error: BrokenExecutor) -> OtherMindsError:
    """The error for a worker that is gone."""
    return OtherMindsError(
        f"A worker process was killed ({error}), most likely for want of memory. Build again with a "
        "smaller --num-proc."
    )


@contextmanager
def _clear(
    run: Run, build: Callable[[Any], Part], tasks: Iterable[Any]
) -> Iterator[Iterable[Part]]:
    try:
        with run(build, tasks) as parts:
            yield parts
    except BrokenExecutor as error:
        raise killed(error) from error


@contextmanager
def _on_ray(
    ray: Any, build: Callable[[Any], Part], tasks: Iterable[Any], *, num_proc: int
) -> Iterator[Iterable[Part]]:
    """Build with Ray Data, on the cluster that RAY_ADDRESS names or else on a Ray of our own."""
    ours = not ray.is_initialized()
    if ours:
        local = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": num_proc}
        try:
            ray.init(**local, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        except ConnectionError as error:
            raise OtherMindsError(
                f"There is no Ray at RAY_ADDRESS ({os.environ.get('RAY_ADDRESS')}): {error}. Start it, "
                "or leave RAY_ADDRESS out for a Ray on this machine."
            ) from error
    options = ray.data.DataContext.get_current().execution_options
    in_order, options.preserve_order = options.preserve_order, True
    progress = ray.data.DataContext.get_current().enable_progress_bars
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        rows = [{"task": pickle.dumps(task)} for task in tasks]
        # One block per part: a part is a second of work, and the unit that is done again after a fault.
        data = ray.data.from_items(rows, override_num_blocks=len(rows))
        built = data.map(partial(_pickled, build)).iter_rows()
        yield (pickle.loads(row["part"]) for row in built)  # nosec B301
    finally:
        options.preserve_order = in_order
        ray.data.DataContext.get_current().enable_progress_bars = progress
        if ours:
            ray.shutdown()


def _pickled(build: Callable[[Any], Part], row: dict[str, Any]) -> dict[str, Any]:
    return {"part": pickle.dumps(build(pickle.loads(row["task"])))}  # nosec B301


def _ray() -> Any:
    try:
        importlib.import_module("ray.data")
        return importlib.import_module("ray")
    except ImportError as error:
        raise OtherMindsError(
            "--engine ray needs Ray Data: `pip install 'otherminds[ray]'`. Without it, "
            "`--engine processes --num-proc N` builds the same on one machine."
        ) from error
