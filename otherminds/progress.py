"""Progress of long work, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

CONSOLE = Console(stderr=True)


class Bar:
    """A progress bar; `bar(done, total)` sets it."""

    def __init__(self, progress: Progress, label: str) -> None:
        self._progress = progress
        self._task = progress.add_task(label, total=None)

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` steps are done."""
        self._progress.update(self._task, completed=done, total=total)

    def label(self, text: str) -> None:
        """Name the work that begins now; without a terminal, on a line of its own."""
        if self._progress.disable:
            CONSOLE.print(f"{text} …", highlight=False, soft_wrap=True)
        self._progress.reset(self._task, description=text, total=None)


@contextmanager
def bar(label: str) -> Iterator[Bar]:
    """Show a bar with counts, elapsed and remaining time while the block runs.

    Without a terminal (a log file), the label alone is printed, when the work begins.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    if not CONSOLE.is_terminal:
        CONSOLE.print(f"{label} …", highlight=False, soft_wrap=True)
    with Progress(*columns, console=CONSOLE, disable=not CONSOLE.is_terminal) as progress:
        yield Bar(progress, label)


@contextmanager
def status() -> Iterator[Callable[[str], None]]:
    """Show, while the block runs, the work that is reported to it.

    Without a terminal, nothing is shown.
    """
    with CONSOLE.status("") as shown:
        yield lambda text: shown.update(f"{text[:1].upper()}{text[1:]} …")
