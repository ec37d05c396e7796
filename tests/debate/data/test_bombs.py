"""Files that are small on disk and endless in memory."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from otherminds.dataset_builders import sources
from otherminds.dataset_builders.debate import ddo_source, issues, processed
from otherminds.dataset_builders.sources import SourceError

pytest.importorskip("ijson", reason="ijson is not installed (extra debate)")


@pytest.mark.attack(
    "200,000 objects in objects",
    outcome="one error that names the entry",
    against="data",
)
def test_objects_in_objects_without_end_are_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    depth = 200_000
    path.write_text('{"u": ' + '{"a":' * depth + "1" + "}" * depth + "}", encoding="utf-8")
    with pytest.raises(
        SourceError, match=r"entry number 1 of the profiles, or one soon after it, is nested more"
    ):
        list(ddo_source.profiles(path, lambda done, total: None))


@pytest.mark.attack(
    "a table that unpacks without end",
    outcome="refused before it is read",
    against="data",
)
def test_a_table_that_unpacks_without_end_is_refused_before_it_is_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / "issues.csv.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(4):
            file.write(bytes(2**20))
    with pytest.raises(SourceError, match="unpacks to more than 0 GiB"):
        sources.check_unpacked(path, most=3 * 2**20)
    sources.check_unpacked(path, most=4 * 2**20)


@pytest.mark.attack(
    "a table that unpacks without end",
    outcome="refused before it is read",
    against="data",
)
def test_readers_of_tables_ask_how_much_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "issues.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n"))
    monkeypatch.setattr(sources.check_unpacked, "__defaults__", (3,))
    with pytest.raises(SourceError, match="unpacks to more than"):
        list(processed._frames(path))
    with pytest.raises(SourceError, match="unpacks to more than"):
        issues.build(path, issues.IssuesSpec(seed=1, salt="x"))


def test_half_of_a_character_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    path.write_text('{"Ada": {"birthday": "\\udc00 x"}}', encoding="utf-8")
    with pytest.raises(SourceError, match=r"users\.json holds half of a character"):
        list(ddo_source.profiles(path, lambda done, total: None))
