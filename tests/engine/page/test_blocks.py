"""Long texts lie on disk: what the samples of a page take in memory does not grow with their size."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.errors import OtherMindsError
from otherminds.page.blocks import store
from otherminds.page.contents import COLUMNS
from otherminds.page.samples import embed
from otherminds.spool import Spool

LONG = 20_000
"""Characters of a question; of 400, 8 MB."""


class Asked:
    """A question that is made when its text is asked for, and which no other equals."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __str__(self) -> str:
        # No compression makes it much smaller.
        return random.Random(self.number).randbytes(LONG // 2).hex()


def samples(n: int) -> pd.DataFrame:
    row = {"run": "a", "task": "t", "person": "P", "part": "x", "category": "c", "correct": True}
    row |= {"parsed": True, "gold": "A", "answers": "A", "raw": ["A"], "evidence_id": None}
    rows = [{**row, "item_id": f"i{n}", "question": Asked(n), "score": 1.0} for n in range(n)]
    return pd.DataFrame(rows, columns=list(COLUMNS["samples"]))


def written(n: int) -> tuple[int, int]:
    """Letters of the texts of so many samples in a page, and bytes that they take at the peak."""
    made = samples(n)
    tracemalloc.start()
    try:
        size = sum(len(block.text) for block in embed(made, {}).texts)
        return size, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_four_times_the_samples_take_hardly_more_memory() -> None:
    (few, little), (many, peak) = written(100), written(400)
    # All texts at once would be six million letters more.
    assert many > 3.9 * few > 4_000_000 // 2
    assert peak < 1.3 * little


@given(st.lists(st.text(st.characters())))
def test_a_spool_gives_back_any_text_in_any_order(texts: list[str]) -> None:
    spool = Spool()
    places = [spool.add(text) for text in texts]
    assert [spool.read(place) for place in reversed(places)] == texts[::-1]
    last = spool.add("after reading")
    assert spool.read(last) == "after reading"
    assert [spool.read(place) for place in places] == texts


def test_a_full_folder_for_temporary_files_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """/dev/full takes nothing, as a disk without room."""
    with Path("/dev/full").open("r+b", buffering=0) as full:
        monkeypatch.setattr("tempfile.TemporaryFile", lambda: full)
        with pytest.raises(OtherMindsError, match=r"temporary files.*No space.*TMPDIR"):
            store("text", [("x" * LONG, LONG)])
