"""Presidio's second opinion on the privacy scan: planted texts, and the texts of small builds."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from otherminds.publishing import second_opinion
from otherminds.publishing.privacy_texts import parts
from tests.engine.publishing.test_privacy import HARMLESS, PLANTED
from tests.helpers import small_builds

pytestmark = pytest.mark.presidio

_LOOKED_AT = 25
"""How many texts of each column: Presidio takes its time."""

KNOWN = ("e-mail", "payment card", "bank account", "ip address")
"""Kinds of ours that Presidio's recognizers find too."""


@pytest.mark.parametrize("kind", KNOWN)
def test_both_find_what_is_planted(kind: str) -> None:
    assert second_opinion.opinions(PLANTED[kind])
    assert [*second_opinion.disagreements([PLANTED[kind]])] == []


def test_what_is_harmless_is_so_for_both() -> None:
    assert [*second_opinion.disagreements(HARMLESS)] == []


@pytest.mark.parametrize("dataset", sorted(small_builds.GENERATED))
def test_generated_texts_hold_nothing_that_our_scan_missed(dataset: str, tmp_path: Path) -> None:
    folder = small_builds.write(dataset, tmp_path)
    found: list[str] = []
    for path in sorted(folder.glob("data/**/*.parquet")):
        for part in parts(path):
            texts: pa.Array = part.texts.unique()
            # Ids and single words are told apart from running text by their length.
            told = [text for text in texts.to_pylist() if text and len(text) > 40][:_LOOKED_AT]
            found += [
                f"{one.kind}: {text[one.start : one.end]}"
                for text, one in second_opinion.disagreements(told)
            ]
    assert found == []
