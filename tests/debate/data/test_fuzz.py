"""Sources of the debate datasets with any damage: built from, or refused by one clear error."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds import manifest
from otherminds.dataset_builders.debate import ddo, issues
from otherminds.dataset_builders.sources import SourceError
from tests.debate.data.test_processed import SPEC, frame, saved
from tests.helpers import damage, small_builds
from tests.helpers import fictional_debates as fictional

pytestmark = pytest.mark.slow

BINARY = (damage.flipped, damage.spliced, damage.cut)


def built(source: Path) -> Callable[[], Any]:
    def build() -> Any:
        return ddo.build(source, SPEC, embed=fictional.hashed).table.to_pylist()

    return build


def are_beliefs(rows: list[dict[str, Any]]) -> bool:
    return all(isinstance(row["agrees"], bool) and row["proposition"] for row in rows)


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
@pytest.mark.parametrize("name", ["debates.json", "users.json"])
def test_a_damaged_corpus_is_read_or_refused(name: str, tmp_path: Path) -> None:
    pytest.importorskip("ijson", reason="ijson is not installed (extra debate)")
    folder = fictional.write_corpus(tmp_path / "corpus", *fictional.sample())
    found = damage.fuzz(
        folder / name,
        built(folder),
        damage.JSON,
        n=80,
        error=SourceError,
        named=folder,
        is_sane=are_beliefs,
    )
    assert min(found.same, found.refused) > 10


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
@pytest.mark.parametrize(
    ("name", "mutators", "n"),
    [
        ("t.csv", damage.CSV, 80),
        ("t.csv.gz", damage.packed(damage.CSV), 80),
        ("t.parquet", BINARY, 200),
        # Each is read in a process of its own, which takes a second to start.
        ("t.pkl", BINARY, 8),
    ],
)
def test_a_damaged_processed_table_is_read_or_refused(
    name: str, mutators: tuple[damage.Mutator, ...], n: int, tmp_path: Path
) -> None:
    path = saved(frame(), tmp_path / name)
    found = damage.fuzz(path, built(path), mutators, n=n, error=SourceError, is_sane=are_beliefs)
    assert found.refused > n // 10


@pytest.mark.parametrize("name", ["stances.csv", "stances.csv.gz", "users.json"])
def test_damaged_answers_to_the_big_issues_are_read_or_refused(name: str, tmp_path: Path) -> None:
    spec = issues.spec(manifest.load("debate-beliefs-issues").parameters)
    mutators = damage.CSV
    if name == "users.json":
        pytest.importorskip("ijson", reason="ijson is not installed (extra debate)")
        path = fictional.write_corpus(tmp_path / "corpus", *fictional.sample()) / name
        mutators = damage.JSON
    elif name == "stances.csv":
        path = small_builds._stances(tmp_path / name)
    else:
        table = small_builds._stances(tmp_path / "stances.csv")
        path = tmp_path / name
        path.write_bytes(gzip.compress(table.read_bytes()))
        table.unlink()
        mutators = damage.packed(damage.CSV)

    def read() -> Any:
        return issues.build(path, spec).table.to_pylist()

    found = damage.fuzz(
        path,
        read,
        mutators,
        n=120,
        error=SourceError,
        is_sane=are_beliefs,
    )
    assert found.refused > 20
