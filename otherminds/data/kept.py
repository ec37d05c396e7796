"""The project's own release of data that anybody else builds from a source of theirs.

Its source lies in the package, beside the builder (`Handed.kept` in the manifest), once there is one.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from otherminds import paths
from otherminds.benchmark import of_dataset
from otherminds.manifest import Manifest


def source(known: Manifest) -> Path | None:
    """The source of the release; None where there is none."""
    place = at(known)
    return place if place is not None and place.is_dir() else None


def at(known: Manifest) -> Path | None:
    """Where it lies, or will; None for a dataset that is always built from what users provide."""
    if known.handed is None or known.handed.kept is None:
        return None
    package = paths.packages()[of_dataset(known.dataset).name]
    # The builder itself is not imported: listings ask for this.
    found = importlib.util.find_spec(f"{package}.dataset_builders.{known.builder}")
    if found is None or found.origin is None:
        return None
    # Of an editable install, the file itself: a folder of links is made anew by every install.
    return Path(found.origin).resolve().parent / known.handed.kept
