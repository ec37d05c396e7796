"""A sound build passes all audits; each fault is found by the audit that is there for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.socialmindchange.codes import synthetic
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec

Rows = list[dict[str, Any]]


def failed(tables: dict[str, pa.Table], spec: SocialMindSpec) -> set[str]:
    return {audit.name for audit in synthetic.audit(tables, spec) if not audit.passed}


def changed(
    tables: dict[str, pa.Table], name: str, change: Callable[[Rows], Any]
) -> dict[str, pa.Table]:
    rows = tables[name].to_pylist()
    change(rows)
    return tables | {name: pa.Table.from_pylist(rows, schema=tables[name].schema)}


def test_a_sound_build_passes_and_every_audit_has_a_value_and_says_what_it_means(
    tables: dict[str, pa.Table], spec: SocialMindSpec
) -> None:
    audits = synthetic.audit(tables, spec)
    assert {audit.name for audit in audits if not audit.passed} == set()
    assert len({audit.name for audit in audits}) == len(audits)
    assert all(audit.detail and isinstance(audit.value, float | str) for audit in audits)


def _wrong_answer(rows: Rows) -> None:
    rows[0]["answer"] = "b" if rows[0]["answer"] == "a" else "a"


def _drop(rows: Rows) -> None:
    rows.pop()


def _same_letter(rows: Rows) -> None:
    for row in rows:
        place = "abcdefghijklmnop".index(row["answer"])
        for name in ("options", "reasons"):
            row[name].insert(0, row[name].pop(place))
        row["answer"] = "a"


def _longest(rows: Rows) -> None:
    for row in rows:
        row["options"]["abcdefghijklmnop".index(row["answer"])] += " " + "m" * 90


def _repeated(rows: Rows) -> None:
    rows[1] |= {name: rows[0][name] for name in ("question", "options", "answer", "reasons")}


def _same_id(rows: Rows) -> None:
    rows[1]["item_id"] = rows[0]["item_id"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "audits"),
    [
        (_wrong_answer, {"proven"}),
        (_drop, {"counts_questions", "cells"}),
        (_same_letter, {"letters"}),
        (_longest, {"shortcut_longest_option"}),
        (_repeated, {"duplicates"}),
        (_same_id, {"ids"}),
    ],
)
def test_faulty_questions_are_found(
    tables: dict[str, pa.Table],
    spec: SocialMindSpec,
    change: Callable[[Rows], None],
    audits: set[str],
) -> None:
    assert audits <= failed(changed(tables, "questions", change), spec)


def _named(rows: Rows) -> None:
    rows[0]["scenes"][0]["turns"][0]["text"] += " Somebody was ashamed."


def _formula(rows: Rows) -> None:
    for row in rows:
        row["scenes"][0]["turns"][0]["text"] += " The clock struck."


def _silent(rows: Rows) -> None:
    name = rows[0]["characters"][3]["given"]
    for turn in rows[0]["scenes"][0]["turns"]:
        if turn["speaker"] == name:
            turn["speaker"] = ""


def _unhappy_end(rows: Rows) -> None:
    for mind in rows[0]["states"]:
        mind["level"] = "troubled"


def _unreadable(rows: Rows) -> None:
    for row in rows:
        for scene in row["scenes"]:
            for turn in scene["turns"]:
                turn["text"] = "Nothing much."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "audits"),
    [
        (_named, {"states_unnamed"}),
        (_formula, {"sentence_commonest"}),
        (_silent, {"everybody_speaks"}),
        (_unhappy_end, {"course"}),
        (_unreadable, {"reader", "sentence_commonest"}),
        (lambda rows: rows[0].update(in_lite=not rows[0]["in_lite"]), {"counts_lite"}),
    ],
)
def test_faulty_stages_are_found(
    tables: dict[str, pa.Table],
    spec: SocialMindSpec,
    change: Callable[[Rows], None],
    audits: set[str],
) -> None:
    assert audits <= failed(changed(tables, "stages", change), spec)
