"""Data, what commands print, the board, and an old journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden import board, data, journal, outputs, texts, versions
from tests.golden.conftest import needs, rounds_alike


@pytest.fixture(scope="module")
def made(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(texts.as_json(data.collect(folder)))
    return found


@pytest.mark.slow
def test_releases_have_new_versions_where_they_have_other_rows(made: dict[str, Any]) -> None:
    before = texts.committed(data.NAME)
    if found := versions.datasets(before["releases"], made["releases"]):
        raise AssertionError(versions.told_of_data(found))
    texts.check(before["releases"], made["releases"], "Releases are not those of the golden file.")


def test_rows_are_the_same(made: dict[str, Any]) -> None:
    def rows(found: dict[str, Any]) -> dict[str, Any]:
        built = {name: one["rows"] for name, one in found["builds"].items()}
        return {"small": found["small"], "built": built}

    what = "Builders make other rows: raise `version` in the manifests of their datasets."
    texts.check(rows(texts.committed(data.NAME)), rows(made), what)


def test_files_of_builds_are_the_same_byte_by_byte(made: dict[str, Any]) -> None:
    needs("pyarrow")
    before = texts.committed(data.NAME)["builds"]
    texts.check(before, made["builds"], "`otherminds build` writes other files.")


def test_every_help_is_the_same(folder: Path) -> None:
    needs("rich", "typer")
    texts.check_text(outputs.HELP, outputs.helps(), "What `--help` says is not the same.")


def test_lists_and_show_print_the_same(folder: Path) -> None:
    needs("rich", "typer")
    texts.check_text(outputs.PRINTED, outputs.printed(), "What commands print is not the same.")


def test_a_journal_of_an_old_run_is_resumed_and_nothing_is_asked(folder: Path) -> None:
    found = journal.collect(folder)
    assert not found["asked"], journal.NOT_RESUMED.format(**found)
    texts.check_json(journal.NAME, found, "Answers of an old journal are scored otherwise.")


@pytest.mark.slow
def test_a_submission_a_season_and_the_board_are_the_same(folder: Path) -> None:
    found, said = board.collect(folder)
    if not rounds_alike():
        near = [board.rounded_otherwise(one) for one in (texts.committed(board.NAME), found)]
        texts.check(*near, "A submission or a season is not the same.", near=True)
        return
    texts.check_text(board.SAID, said, "What the commands of the board say is not the same.")
    texts.check_json(board.NAME, found, "A submission, a season or the page is not the same.")
