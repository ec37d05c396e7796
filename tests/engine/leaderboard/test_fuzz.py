"""Whatever is sent, the verifier answers, and no score is accepted that the answers do not give."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.leaderboard.judging.expected import expected
from otherminds.leaderboard.judging.verify import verify
from otherminds.leaderboard.records import answers, intake
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.reasons import REASONS, RefusedError
from tests.engine.leaderboard.conftest import TASK, Forged

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@contextmanager
def copy_of(honest: Path) -> Iterator[Forged]:
    with tempfile.TemporaryDirectory() as work:
        yield Forged(Path(shutil.copytree(honest, Path(work) / honest.name)))


def refused_or_read(written: bytes) -> None:
    with suppress(RefusedError):
        intake.parse(written)


@pytest.mark.attack(
    "any bytes, any JSON, or anything anywhere in a record",
    outcome="read or refused for a known reason; never a crash",
    against="submissions",
)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(written: bytes) -> None:
    refused_or_read(written)


@pytest.mark.attack(
    "any bytes, any JSON, or anything anywhere in a record",
    outcome="read or refused for a known reason; never a crash",
    against="submissions",
)
@given(JSON)
def test_any_json_is_read_or_refused(value: Any) -> None:
    refused_or_read(json.dumps(value).encode("utf-8", "surrogatepass"))


def places(value: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The place of everything within a record."""
    if above:
        yield above
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    for key, one in inside:
        yield from places(one, (*above, key))


@pytest.mark.attack(
    "any bytes, any JSON, or anything anywhere in a record",
    outcome="read or refused for a known reason; never a crash",
    against="submissions",
)
@given(st.data())
@settings(max_examples=200)
def test_a_record_with_anything_anywhere_is_read_or_refused(
    honest: Path, data: st.DataObject
) -> None:
    record = json.loads((honest / "record.json").read_bytes())
    place = data.draw(st.sampled_from(list(places(record))))
    found: Any = record
    for key in place[:-1]:
        found = found[key]
    found[place[-1]] = data.draw(JSON)
    refused_or_read(json.dumps(record).encode("utf-8", "surrogatepass"))


@pytest.mark.attack(
    "any bytes of the answers' file changed",
    outcome="re-scored as the honest one, or refused",
    against="submissions",
)
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=8))
@settings(max_examples=12)
def test_a_damaged_file_of_answers_is_read_or_refused(
    honest: Path, damage: list[tuple[float, int]]
) -> None:
    with copy_of(honest) as forged:
        content = bytearray(forged.answers.read_bytes())
        for share, byte in damage:
            content[min(int(share * len(content)), len(content) - 1)] = byte
        forged.answers.write_bytes(content)
        outcome = verify(forged.folder)
    # Either nothing that matters was hit, and the answers are the honest ones, or it is refused.
    assert outcome.level in ("re-scored", None)
    assert {one.code for one in outcome.reasons} <= REASONS.keys()


CHANGES = st.lists(
    st.tuples(st.integers(0, 389), st.sampled_from(["A", "B", None, "C", "a", "A "])), max_size=5
)
CLAIMS = st.one_of(
    st.none(), st.floats(allow_nan=True), st.floats(-1e-3, 1e-3).map(lambda more: 0.5 + more)
)


@pytest.mark.attack(
    "some answers changed, and any score claimed",
    outcome="accepted only with the score that the answers give",
    against="submissions",
)
@given(CHANGES, CLAIMS, st.booleans(), st.booleans())
@settings(max_examples=15)
def test_no_wrong_score_is_accepted(
    honest: Path,
    changes: list[tuple[int, str | None]],
    claimed: float | None,
    with_raw: bool,
    knows_golds: bool,
) -> None:
    known = expected(TASK, 50).documents
    with copy_of(honest) as forged:

        def change(rows: list[Row]) -> list[Row]:
            rows = [row if with_raw else row._replace(raw=None) for row in rows]
            for place, answer in changes:
                row = rows[place]
                rows[place] = row._replace(
                    parsed=answer,
                    raw=(answer or "") if with_raw else None,
                    correct=answer == known[row.item_id].view.gold if knows_golds else row.correct,
                )
            return rows

        forged.rows(change)
        if claimed is not None:
            forged.record(
                lambda found: found["tasks"][0]["metrics"]["bsi_acc"].update(value=claimed)
            )
        outcome = verify(forged.folder)
        if not outcome.is_accepted:
            assert {one.code for one in outcome.reasons} <= REASONS.keys()
            return
        stated = forged.read()["tasks"][0]["metrics"]
        rows = answers.read(forged.answers)
    # By hand: in each topic, the share of documents whose answer is the gold one; topics count alike.
    right: dict[str, list[bool]] = {}
    for row in rows:
        view = known[row.item_id].view
        right.setdefault(view.part, []).append(row.parsed == view.gold)
    by_topic = [sum(found) / len(found) for found in right.values()]
    assert stated["bsi_acc"]["value"] == pytest.approx(sum(by_topic) / len(by_topic), abs=2e-9)
