"""lm-eval's evaluation of loaded tasks, by its own code, in windows of documents."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from unittest import mock

from otherminds import progress
from otherminds.harness import reading, windows

if TYPE_CHECKING:
    from lm_eval.api.model import LM

Keep = Callable[[str, list[dict[str, Any]]], None]
"""Takes some samples of a task, as lm-eval logs them."""


class Unasked(Exception):  # noqa: N818  (no error: an evaluation ends with it that was for looking)
    """Raised by a model that has looked at requests."""


class Windowed:
    """Called in the place of `lm_eval.evaluator.evaluate`; what it takes is as in `harness.evaluate`."""

    def __init__(
        self,
        evaluate: Callable[..., Any],
        *,
        key: Callable[[Any], windows.Key | None],
        keep: Keep | None,
        stages: progress.Stages | None,
    ) -> None:
        self._evaluate = evaluate
        self._key = key
        self._keep = keep
        self._stages = stages
        self._prompts = _Prompts(stages)

    @property
    def counted(self) -> Callable[..., Iterator[Any]]:
        """What takes the place of lm-eval's own bar."""
        return self._prompts

    def __call__(self, *, lm: LM, task_dict: Any, limit: Any, samples: Any, **settings: Any) -> Any:
        """lm-eval's results; None where another process has them."""
        tasks = task_dict["tasks"]
        chosen = {name: (limit, (samples or {}).get(name)) for name in tasks}
        counts = {name: reading.count(task, *chosen[name]) for name, task in tasks.items()}
        total = sum(counts.values())
        size = _size(lm, tasks, total)

        def cut() -> Iterator[windows.Window]:
            streams = {
                name: windows.Stream(reading.chosen(task, *chosen[name]), self._key(task))
                for name, task in tasks.items()
            }
            # A task without any document is an error of lm-eval's own.
            none: windows.Window = {name: [] for name, n in counts.items() if not n}
            for window in windows.cut(streams, size):
                yield window | none

        def evaluate(window: windows.Window) -> None:
            with _holding(tasks, window):
                part = {"tasks": {name: tasks[name] for name in tasks if name in window}}
                self._evaluate(
                    lm=lm, task_dict={**part, "groups": {}}, limit=None, samples=None, **settings
                )

        def look(label: str, expect: Callable[[int, int, int], None] | None) -> None:
            self._prompts.begin(label, total)
            done = 0
            for window in cut():
                n = sum(map(len, window.values()))
                if expect is not None:
                    expect(done, n, total)
                for name, documents in window.items():
                    with contextlib.suppress(Unasked):
                        evaluate({name: documents})
                done += n
            self._prompts.end()

        expect, looking = getattr(lm, "expect", None), getattr(lm, "looking", None)
        if getattr(lm, "only_looks", False):
            look("Counting", expect)
            raise Unasked
        if size is not None and looking is not None:
            with looking:
                look("Checking prompts", None)
        if size is not None and expect is None:
            self._prompts.begin("Answering", total)
        found, done = _Found(tasks, self._keep), 0
        for window in cut():
            n = sum(map(len, window.values()))
            if expect is not None:
                expect(done, n, total)
                self._prompts.is_quiet = done > 0
            with found.taking():
                evaluate(window)
            done += n
        return found.results(task_dict["groups"]) if lm.rank == 0 else None


def _size(lm: LM, tasks: Mapping[str, Any], total: int) -> int | None:
    """How many documents the windows have; None where all are asked at once."""
    size: int | None = getattr(lm, "documents_at_once", None)
    if getattr(lm, "only_looks", False):
        return size
    # Processes gather their work once; the samples of several filters lie one after the other.
    is_whole = lm.world_size > 1 or any(len(task._filters) > 1 for task in tasks.values())
    return None if size is None or is_whole or total <= size else size


class _Prompts:
    """Shows how many prompts are written: of each task, or of all windows in one stage."""

    def __init__(self, stages: progress.Stages | None) -> None:
        self._stages = stages
        self._total: int | None = None
        self._done = 0
        self.is_quiet = stages is None

    def begin(self, label: str, total: int) -> None:
        """Begin a stage of all windows."""
        if self._stages is not None:
            self._stages.begin(label, quick=True)
        self._done, self._total = 0, total

    def end(self) -> None:
        """End such a stage."""
        self._total = None

    def __call__(self, documents: Sequence[Any], *, total: int) -> Iterator[Any]:
        """The documents, of each of which the prompt is written next."""
        stages = self._stages
        if stages is None or self.is_quiet:
            yield from documents
            return
        if self._total is None:
            stages.begin("Writing prompts", quick=True)
        for place, document in enumerate(documents):
            stages(*((place, total) if self._total is None else (self._done, self._total)))
            self._done += 1
            yield document
        if self._total is None:
            # A model that is asked begins a stage of its own.
            stages.begin("Scoring", quick=True)


@contextlib.contextmanager
def _holding(tasks: Mapping[str, Any], window: windows.Window) -> Iterator[None]:
    """While the block runs, a window holds the documents of its tasks."""
    from lm_eval.utils import create_iterator

    def held(documents: Sequence[reading.Numbered]) -> Callable[..., Iterator[reading.Numbered]]:
        def doc_iterator(*, rank: int = 0, world_size: int = 1, **_: Any) -> Any:
            return create_iterator(iter(documents), rank=int(rank), world_size=int(world_size))

        return doc_iterator

    with contextlib.ExitStack() as stack:
        for name, documents in window.items():
            stack.enter_context(mock.patch.object(tasks[name], "doc_iterator", held(documents)))
        yield


class _Found:
    """What stays of windows: the values that aggregations need, and the samples if nobody takes them."""

    def __init__(self, tasks: Mapping[str, Any], keep: Keep | None) -> None:
        self._tasks = tasks
        self._values: dict[str, dict[Any, Any]] = {name: {} for name in tasks}
        self._samples: dict[str, list[Any]] = {name: [] for name in tasks}
        self._keep = keep or (lambda task, samples: self._samples[task].extend(samples))
        self._is_kept = keep is not None

    @contextlib.contextmanager
    def taking(self) -> Iterator[None]:
        """While the block runs, take what lm-eval would aggregate."""
        from lm_eval import evaluator
        from lm_eval.evaluator_utils import EvalAcc

        def take(found: Mapping[str, Any], *_: Any) -> EvalAcc:
            for name, one in found.items():
                for metric, values in one["raw_metrics"].items():
                    self._of(name, metric, values).extend(values)
                self._keep(name, one["logged_samples"])
            return EvalAcc()

        with mock.patch.object(evaluator, "_process_results", take):
            yield

    def results(self, groups: Mapping[str, Any]) -> Any:
        """lm-eval's results of all windows."""
        from lm_eval import evaluator

        found = {
            name: {"task": task, "raw_metrics": self._values[name], "logged_samples": []}
            for name, task in self._tasks.items()
        }
        aggregated = evaluator._process_results(found, dict(groups), 0)
        return aggregated._to_eval_results(samples=None if self._is_kept else self._samples)

    def _of(self, task: str, metric: Any, values: Sequence[Any]) -> Any:
        known = self._values[task]
        if metric not in known:
            # Ours are columns of their own kind, which hold less than their values.
            column = getattr(values[0], "column", None)
            known[metric] = [] if column is None else column()
        return known[metric]
