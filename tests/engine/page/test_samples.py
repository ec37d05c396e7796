"""What goes into the page's blocks comes out again, whatever the texts hold."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.page import Contents
from otherminds.page.blocks import ROWS, SIZE, Block, store
from otherminds.page.samples import IN_LIST, IN_ROW, embed
from tests.engine.page import demo

ANY_TEXT = st.text(st.characters())  # surrogates and NUL too


def unpack(block: Block) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(block.text)))


def row(**values: Any) -> dict[str, Any]:
    return {
        **{"run": "a", "task": "t", "item_id": "i", "person": "P1", "part": "x", "category": "c"},
        **{"correct": True, "parsed": True, "gold": "A", "answers": "A", "raw": ["A"]},
        **{"evidence_id": "e", "question": "Which?", "score": 1.0, **values},
    }


def table(*rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), dtype=object)


@given(st.lists(ANY_TEXT, min_size=1))
def test_texts_come_back_and_their_blocks_are_inert(texts: list[str]) -> None:
    found = store("text", ((text, len(text)) for text in texts))
    assert [text for block in found.blocks for text in unpack(block)] == texts
    letters = set().union(*(set(block.text) for block in found.blocks))
    assert not letters & set("<>&\"'")


def test_blocks_end_by_number_and_by_size() -> None:
    # 600 short texts: 250 + 250 + 100. A long one has a block of its own.
    assert store("a", (("x", 1) for _ in range(600))).starts == [0, ROWS, 2 * ROWS]
    sizes = [1, SIZE + 1, 1, 1]
    assert store("a", ((size, size) for size in sizes)).starts == [0, 1, 2]


def test_shared_texts_are_stored_once() -> None:
    rows = [row(run=run, item_id=item) for run in "ab" for item in "ij"]
    samples = embed(table(*rows), {"e": "evidence", "unused": "x"})
    index = unpack(samples.index)
    assert index["evidence"] == [0, 0, 0, 0]
    assert index["question"] == [0, 0, 0, 0]
    texts = {block.id: unpack(block) for block in samples.texts}
    assert texts["question-0"] == ["Which?"]
    assert texts["evidence-0"] == ["evidence"]
    assert texts["answer-0"] == [[["A"], "A", "A"]] * 4


def test_nothing_is_not_a_value() -> None:
    samples = table(
        row(correct=None, score=float("nan"), evidence_id=None, person=None),
        row(correct=False, parsed=False, score=0, evidence_id="unknown", raw=[None, "x"]),
    )
    embedded = embed(samples, {})
    index = unpack(embedded.index)
    assert (index["correct"], index["score"]) == ([None, 0], [None, 0.0])
    assert (index["parsed"], index["evidence"]) == ([1, 0], [-1, -1])
    assert index["columns"]["person"]["values"] == ["", "P1"]
    assert unpack(next(embedded.texts))[1][0] == ["", "x"]


def test_the_index_stays_small_whatever_a_text_holds() -> None:
    long = "y" * 100_000
    samples = embed(table(row(gold=long, answers=long, item_id=long, run=long)), {})
    index = unpack(samples.index)
    for name in ("gold", "answers", "item_id"):
        assert index["columns"][name]["values"] == ["y" * (IN_LIST - 1) + "…"]
    [run], [shown] = index["columns"]["run"]["values"], index["labels"]
    assert (len(run), len(shown)) == (IN_LIST, IN_ROW)
    assert unpack(next(samples.texts))[0] == [["A"], long, long]


def test_runs_whose_names_are_cut_alike_stay_apart() -> None:
    names = ["m" * 300 + middle + "n" * 300 for middle in "ab"]
    index = unpack(embed(table(*(row(run=name) for name in names)), {}).index)
    assert len(set(index["columns"]["run"]["values"])) == 2
    assert len(set(index["labels"])) == 2
    assert index["columns"]["run"]["codes"] == [0, 1]


def test_each_task_says_when_an_answer_counts() -> None:
    found = embed(table(row(task="t"), row(task="u")), {}, {"u": "It is close."})
    assert unpack(found.index)["right"] == ["", "It is close."]


def test_the_same_contents_give_the_same_blocks() -> None:
    first, second = (demo.contents(people=4) for _ in range(2))
    one, other = (embed(made.samples, made.evidence) for made in (first, second))
    assert one.index == other.index
    assert list(one.texts) == list(other.texts)


def test_a_table_without_its_columns_is_one_clear_error() -> None:
    with pytest.raises(Exception, match="'samples' of the page lacks the column 'task'"):
        Contents(title="x", samples=pd.DataFrame({"run": ["a"]}))
