"""The project's own release of data that anybody else builds from a source of theirs.

Its source lies in the package, beside the builder (`Handed.kept` in the manifest), once there is one.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from filelock import FileLock

from otherminds import files, paths
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
    return Path(found.origin).parent / known.handed.kept


def built(known: Manifest, place: Path) -> Path:
    """The folder of the release in the local cache, built from its source if need be."""
    from otherminds.data.build import dataset as build

    sums = "".join(sorted(files.sha256(path) for path in place.iterdir() if path.is_file()))
    name = hashlib.sha256(f"{known.version} {sums}".encode()).hexdigest()[:16]
    folder = paths.cache_home() / known.dataset / f"kept-{name}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.parent / f".kept-{name}.lock"):
            if not folder.exists():
                build.build(known.dataset, folder, source=place)
    return folder
