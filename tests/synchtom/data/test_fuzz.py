"""A clone of SynchToM's repository with any damage: built from, or refused by one clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherminds.dataset_builders.sources import SourceError
from otherminds.dataset_builders.synchtom import upstream
from tests.helpers import damage, fictional_synchtom

pytestmark = pytest.mark.slow

FILES = ("culture-benchmark.json", fictional_synchtom.path_of("culture", "culture_0410"))


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_clone_is_read_or_refused(name: str, tmp_path: Path) -> None:
    folder = fictional_synchtom.write(tmp_path / "clone", *fictional_synchtom.sample())
    digests: dict[str, Any] = {}

    def read() -> Any:
        found = upstream.build(folder, fictional_synchtom.FACTS)
        rows = found.table.to_pylist()
        # Other rows have another digest: an audit sees that this is not the release.
        assert digests.setdefault(found.sha256, rows) == rows
        return rows

    found = damage.fuzz(folder / name, read, damage.JSON, n=250, error=SourceError, named=folder)
    assert min(found.same, found.other, found.refused) > 10
