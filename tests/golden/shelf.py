"""A small build of every dataset on one shelf, as OTHERMINDS_DATA names it.

The one module here that knows how data are built; all others use commands and names of tasks.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from otherminds import harness
from tests.golden import pinned
from tests.helpers import (
    fictional_hugagent,
    fictional_socialmindchange_codes,
    fictional_synchtom,
    made_synchtom,
    small_builds,
)

VERSION = "golden"
CORPUS = "debate-corpus"
STANCES = "stances.csv"

_HUGAGENT: dict[str, Any] = {
    "agents": 6,
    "seed": 3,
    "subset": 3,
    "items": {
        "bsi": {"healthcare": 12, "surveillance": 12, "zoning": 12},
        "bdu": {"healthcare": 30, "surveillance": 24, "zoning": 30},
    },
}
_SIZES: dict[str, dict[str, Any]] = {
    "hugagent-stated": _HUGAGENT,
    "hugagent-synthetic": _HUGAGENT,
    "socialmindchange-codes": {**fictional_socialmindchange_codes.PARAMETERS, "stages": 4},
    "socialmindchange-scale": {
        **small_builds.GENERATED["socialmindchange-scale"],
        "variants": {
            name: {"stages": 1, "group_size": people, "scenarios": scenes}
            for name, people, scenes in (
                ("group_5", 5, 5),
                ("group_6", 6, 5),
                ("length_6", 4, 6),
                ("length_7", 4, 7),
            )
        },
    },
}
_MORE_STORIES = {
    # Shuffling a scenario's users takes two of them.
    "education": fictional_synchtom.Story("edu_0011", "pond", "bad luck", "algae", "a dreamer"),
    "culture": fictional_synchtom.Story("culture_0412", "toast", "scorn", "haste", "a host"),
}


@contextlib.contextmanager
def stocked() -> Iterator[Path]:
    """A temporary folder to work in, pinned, with the shelf in `shelf/`: yields the folder."""
    harness.quiet(debug=False)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "shelf").mkdir()
        with pinned.environment(folder, folder / "shelf"):
            _stock(folder)
            yield folder


def _stock(folder: Path) -> None:
    stories = {
        scenario: (*told, *([_MORE_STORIES[scenario]] if scenario in _MORE_STORIES else []))
        for scenario, told in fictional_synchtom.STORIES.items()
    }
    for dataset in small_builds.ALL:
        with mock.patch.object(fictional_synchtom, "STORIES", stories):
            made = small_builds.write(
                dataset, folder / "made" / dataset, VERSION, _SIZES.get(dataset)
            )
        made.rename(folder / "shelf" / dataset)
    made_synchtom.write(folder / "shelf" / "synchtom-made", folder / "made" / "synchtom-made")
    (folder / "made/debate-beliefs/source").rename(folder / CORPUS)
    (folder / "made/debate-beliefs-issues/source" / STANCES).rename(folder / STANCES)
    fictional_hugagent.write_clone(fictional_hugagent.sample(), folder / "shelf" / "hugagent")
