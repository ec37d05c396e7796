"""Building every dataset that can be built without a file of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from otherminds import benchmark, manifest
from otherminds.data import kept
from otherminds.data.build import dataset as build
from otherminds.dataset_builders.verdict import Audit
from otherminds.manifest import Manifest
from otherminds.types import Progress

Watch = Callable[[str], AbstractContextManager[Progress]]
"""Shows the progress of the work that a text names, while a block runs."""


@dataclass(frozen=True)
class Outcome:
    """The outcome for a dataset: the folder it was built into and its audits, or why it was skipped."""

    dataset: str
    folder: Path | None
    audits: list[Audit]
    skipped: str | None


def build_all(out: Path, *, num_proc: int, watch: Watch) -> Iterator[Outcome]:
    """Build each generated dataset into `out`/<dataset>, and say of each other one why it is skipped.

    Raises OtherMindsError as `build.build` does; datasets built before stay.
    """
    for dataset in benchmark.datasets():
        known = manifest.load(dataset)
        if not known.generated and kept.source(known) is None:
            yield Outcome(dataset, None, [], _why_skipped(known, out / dataset))
            continue
        with watch(f"Building {dataset}") as progress:
            audits = build.build(dataset, out / dataset, num_proc=num_proc, progress=progress)
        yield Outcome(dataset, out / dataset, audits, None)


def _why_skipped(known: Manifest, folder: Path) -> str:
    if known.handed is None:
        return f"it comes from {known.sources[0].name}, is read there, and no copy is kept"
    return (
        f"it is built from {known.handed.what}: "
        f"`otherminds build {known.dataset} {folder} --source SOURCE`"
    )
