"""Which licence text is taken for that of data of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.data.repository import licences


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["LICENSE", "LICENSE.md", "COPYING"])
def test_it_lies_in_the_folder_or_beside_the_file(name: str, tmp_path: Path) -> None:
    source = put(tmp_path / "corpus" / "rows.csv", "")
    put(tmp_path / "corpus" / name, "theirs")
    assert licences.of_source(source) == "theirs"
    assert licences.of_source(source.parent) == "theirs"


def test_an_unrelated_one_further_up_is_not_taken(tmp_path: Path) -> None:
    source = put(tmp_path / "downloads" / "rows.csv", "")
    put(tmp_path / "LICENSE", "of something else")
    assert licences.of_source(source) is None
    assert licences.of_source(source.parent) is None


def test_in_a_clone_it_may_lie_at_its_root_and_no_further(tmp_path: Path) -> None:
    # As the agent bank of genagents: three folders below the root.
    source = put(tmp_path / "clone" / "bank" / "populations" / "agents" / "rows.csv", "")
    (tmp_path / "clone" / ".git").mkdir()
    put(tmp_path / "LICENSE", "of something else")
    assert licences.of_source(source) is None
    put(tmp_path / "clone" / "LICENSE", "theirs")
    assert licences.of_source(source) == "theirs"
    assert licences.of_source(source.parent) == "theirs"
    put(tmp_path / "clone" / "bank" / "LICENSE", "of the bank")
    assert licences.of_source(source) == "of the bank"


def test_that_of_this_project_is_not_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(licences.paths, "cards", lambda: tmp_path / "cards")
    (tmp_path / ".git").mkdir()
    put(tmp_path / "LICENSE", "ours")
    source = put(tmp_path / "downloads" / "rows.csv", "")
    assert licences.of_source(source) is None
    put(source.with_name("LICENSE"), "theirs")
    assert licences.of_source(source) == "theirs"
