"""Progress of long work, on standard error: one labelled bar per stage, and one line when it is done.

Without a terminal (a log file) there are no bars. A stage then says that it begins, how far it is now
and then, and that it is done, each on a line of its own.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import TracebackType
from typing import Any, Self
from unittest import mock

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.text import Text

from otherminds.types import Thousandths

CONSOLE = Console(stderr=True)

_WIDE = 100
_BAR = {False: 8, True: 30}
"""Columns of the bar itself, in a terminal that is narrower than `_WIDE`, and in others."""

_STEP, _PAUSE, _LONG = 0.1, 10.0, 600.0
"""Without a terminal, a line stands for a tenth of the work, not sooner than 10 s after the last one; of
very long work, for 10 minutes."""

_NOTABLE = 10.0
"""Seconds from which a stage that is usually quick is worth a line."""


class Stages:
    """The stages of some work, one after the other; `stages(done, total)` sets the bar of the current.

    clock   gives the time in seconds
    silent  whether nothing is shown, as of all processes of a run but the first
    """

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, silent: bool | None = None
    ) -> None:
        self._clock = clock
        self.silent = os.environ.get("RANK", "0") != "0" if silent is None else silent
        self._where = ""
        self._stage: _Stage | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end(done=kind is None)

    def announce(self, where: str) -> None:
        """Say with all following stages which part of a longer work they are."""
        self._where = where

    def begin(self, label: str, *, quick: bool = False) -> None:
        """End the current stage, and begin another.

        quick  whether it is usually over at once, and worth a line only where it is not
        """
        self.end()
        if not self.silent:
            whole = f"{self._where}: {label[:1].lower()}{label[1:]}" if self._where else label
            self._stage = _Stage(whole, self._clock, quick=quick)

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` steps of the stage are done."""
        if self._stage is not None:
            self._stage.set(done, total)

    def end(self, *, done: bool = True) -> None:
        """End the current stage, if there is one; `done` tells whether its work was finished."""
        stage, self._stage = self._stage, None
        if stage is not None:
            stage.end(done=done)


class _Stage:
    def __init__(self, label: str, clock: Callable[[], float], *, quick: bool) -> None:
        self._label = label
        self._clock = clock
        self._quick = quick
        self._began = clock()
        self._said_at, self._said = self._began, 0.0
        self._done: int | None = None
        self._total: int | None = None
        self._first = 0
        self._bar: Progress | None = None
        if CONSOLE.is_terminal:
            self._bar = _bar()
            self._task = self._bar.add_task(label, total=None, times=self._times)
            self._bar.start()
        elif not quick:
            _print(f"{label} …")

    def set(self, done: int, total: int) -> None:
        if self._done is None:
            # What was there before, such as answers in the journal, took no time.
            self._first = done
            self._said = done / total if total else 0.0
        self._done, self._total = done, total
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total)
        elif total and done < total:
            self._say(done, total)

    def end(self, *, done: bool) -> None:
        if self._bar is not None:
            self._bar.stop()
        seconds = self._clock() - self._began
        if self._quick and seconds < _NOTABLE:
            return
        if done:
            _print(f"{self._label}: {self._counts('done')} in {duration(seconds)}")
        elif self._done:
            _print(f"{self._label}: stopped at {self._counts('')} after {duration(seconds)}")

    def _counts(self, otherwise: str) -> str:
        if self._done is None or self._total is None:
            return otherwise
        is_share = isinstance(self._total, Thousandths)
        if self._done == self._total:
            return "done" if is_share else f"{self._done:,}"
        return (
            _percent(self._done, self._total) if is_share else f"{self._done:,} of {self._total:,}"
        )

    def _say(self, done: int, total: int) -> None:
        now = self._clock()
        share = done / total
        is_further = share >= self._said + _STEP and now >= self._said_at + _PAUSE
        if is_further or now >= self._said_at + _LONG:
            self._said_at, self._said = now, share
            is_share = isinstance(total, Thousandths)
            counts = _percent(done, total)
            if not is_share:
                counts = f"{done:,} of {total:,} ({counts})"
            _print(f"{self._label}: {counts}, {self._times()}")

    def _times(self) -> str:
        """The time since the beginning, and what is left at that speed."""
        seconds = self._clock() - self._began
        if self._done is None or self._total is None or self._done <= self._first:
            return duration(seconds)
        left = seconds * (self._total - self._done) / (self._done - self._first)
        return f"{duration(seconds)}, {duration(left)} left"


class _Label(ProgressColumn):
    """The label, cut to what bar, counts and times leave of the terminal."""

    def render(self, task: Task) -> Text:
        room = CONSOLE.width - _bar_width() - len(_counted(task)) - len(task.fields["times"]()) - 4
        label = Text(task.description)
        label.truncate(max(room, 1), overflow="ellipsis")
        return label


class _Counts(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(_counted(task), no_wrap=True)


class _Times(ProgressColumn):
    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        return Text(task.fields["times"](), no_wrap=True)


def _counted(task: Task) -> str:
    if task.total is None:
        return ""
    if isinstance(task.total, Thousandths):
        return _percent(task.completed, task.total)
    return f"{task.completed:,.0f}/{task.total:,.0f}"


def _percent(done: float, total: float) -> str:
    """Rounded down: it is never 100 % before it is done."""
    return f"{int(100 * done / total)} %"


def _bar_width() -> int:
    return _BAR[CONSOLE.width >= _WIDE]


def _bar() -> Progress:
    columns = (_Label(), BarColumn(bar_width=_bar_width()), _Counts(), _Times())
    # Its place is taken by a line when it is done.
    return Progress(*columns, console=CONSOLE, transient=True)


def duration(seconds: float) -> str:
    """A time in hours, minutes and seconds, such as 0:02:05."""
    minutes, rest = divmod(math.floor(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _print(line: str) -> None:
    CONSOLE.print(line, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def bar(label: str) -> Iterator[Stages]:
    """Show the progress of one stage while the block runs; the value sets it (see `Stages`)."""
    with Stages() as stages:
        stages.begin(label)
        yield stages


@contextmanager
def loading(called: str) -> Iterator[None]:
    """Say what is loaded while the block runs; libraries draw bars of their own in a terminal alone."""
    if not Stages().silent:
        _print(f"Loading {called} …")
    with nullcontext() if CONSOLE.is_terminal else no_other_bars():
        yield


@contextmanager
def no_other_bars() -> Iterator[None]:
    """Keep libraries from drawing bars of their own (tqdm's) while the block runs."""
    # Its subclasses, in lm-eval, transformers or the Hub's client, all begin with this.
    from tqdm.std import tqdm

    begin = tqdm.__init__

    def unseen(self: Any, *args: Any, **named: Any) -> None:
        begin(self, *args, **(named | {"disable": True}))

    with mock.patch.object(tqdm, "__init__", unseen):
        yield


@contextmanager
def status() -> Iterator[Callable[[str], None]]:
    """Show, while the block runs, the work that is reported to it.

    Without a terminal, nothing is shown.
    """
    with CONSOLE.status("") as shown:
        yield lambda text: shown.update(f"{text[:1].upper()}{text[1:]} …")
