"""The human ceiling from a table: what it says, and what it says of tables that are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherminds import files
from otherminds.errors import OtherMindsError
from otherminds.tasks.hugagent import ceiling

HEADER = "participant_id,topic,question_id,low,high,test,retest"


def table(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "retest.csv"
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    return path


def test_a_ceiling_by_hand(tmp_path: Path) -> None:
    # Errors on the 5-point scale: 6/2, 0, 1/2 and 0, 1. Within tolerance: all but the first.
    path = table(
        tmp_path,
        *("P1,zoning,1.1,1,10,9,3", "P1,zoning,1.2,1,10,7,7", "P1,zoning,1.2r_A,1,5,3,3"),
        *("P2,zoning,1.1,1,10,2,3", "P2,zoning,1.2r_A,1,5,5,4", "P2,zoning,b,0,0,A,A"),
        *("P2,zoning,1.2,1,10,5,", "P1,zoning,b,0,0,A,B"),
    )
    found = ceiling.ceiling(path)
    assert found.summary["bdu_acc"].value == pytest.approx(4 / 5)
    assert found.summary["bdu_mae"].value == pytest.approx((3 + 0 + 0.5 + 0 + 1) / 5)
    assert found.summary["bsi_acc"].value == pytest.approx(1 / 2)
    # One pair, P1's: 9 to 7 the first time, 3 to 7 the second: a change, and not the same way.
    assert found.summary["bdu_change"].value == 1
    assert found.summary["bdu_direction"].value == 0
    assert (found.n_people, found.n_unanswered) == (2, 1)


def test_people_who_repeat_themselves_have_a_perfect_ceiling(tmp_path: Path) -> None:
    rows = [f"P{n},healthcare,3.1,1,10,{1 + n % 10},{1 + n % 10}" for n in range(12)]
    found = ceiling.ceiling(table(tmp_path, *rows))
    named = {(row.part, row.metric): row.estimate for row in ceiling.rows_of(found)}
    assert named["all", "bdu_acc"].value == named["healthcare", "bdu_acc"].value == 1
    assert named["scale 1–10", "ICC(2,1)"].value == pytest.approx(1)
    assert named["scale 1–10", "weighted kappa"].value == pytest.approx(1)
    assert named["all", "bdu_acc"].n_clusters == 12
    assert ("all", "bsi_acc") not in named


def test_the_printed_table_and_the_json_have_intervals_and_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"P{n},zoning,1.1,1,10,{1 + n},{1 + (n + n % 3) % 10}" for n in range(9)]
    found = ceiling.ceiling(table(tmp_path, *rows, "P0,zoning,1.2r_A,1,5,0,2"))
    ceiling.print_ceiling(found)
    printed = capsys.readouterr().out
    for word in ("ICC(2,1)", "95 % interval", "weighted kappa", "outside its scale: 1"):
        assert word in printed
    files.write_json(tmp_path / "out.json", ceiling.as_json(found))
    stored = json.loads((tmp_path / "out.json").read_text())
    [icc] = [row for row in stored["estimates"] if row["metric"] == "ICC(2,1)"]
    assert icc["low"] < icc["value"] < icc["high"]
    assert icc["n_people"] == 9


def test_a_byte_order_mark_further_columns_and_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "retest.csv"
    rows = f"{HEADER},remark\r\nP1,zoning,1.1,1,10, 4 ,5,x\r\nP2,zoning,1.1,1,10,4,5,\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + rows.encode())
    assert [(row.test, row.retest) for row in ceiling.read(path)] == [(4, 5), (4, 5)]


GOOD = "P1,zoning,1.1,1,10,4,5"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("P2,zoning,1.1,1,10,four,5", "row 3, column 'test': 'four' is not a whole number"),
        ("P2,zoning,1.1,1,10,4,5.5", "row 3, column 'retest': '5.5' is not a whole number"),
        ("P2,zoning,1.1,1,10,,5", "row 3, column 'test': '' is not a whole number"),
        ("P2,zoning,1.1,1,7,4,5", "row 3, column 'high': the scale 1–7"),
        # Python's own reader takes them for 10 and 4.
        ("P2,zoning,1.1,1,10,1_0,5", "row 3, column 'test': '1_0' is not a whole number"),
        ("P2,zoning,1.1,1,10,٤,5", "row 3, column 'test': '٤' is not a whole number"),
        (f"P2,zoning,1.1,1,10,{'x' * 9_999},5", rf"row 3, column 'test': '{'x' * 40}…' is not"),
        ("P2,zoning,1.1,x,7,4,5", "row 3, column 'low': 'x'"),
        ("P2,zonning,1.1,1,10,4,5", "row 3, column 'topic': 'zonning' is none of healthcare"),
        ("P2,zoning,b,0,0,A,C", "row 3, column 'retest': 'C' is neither A nor B"),
        (",zoning,1.1,1,10,4,5", "row 3, column 'participant_id': it is empty"),
        (GOOD, "row 3, column 'question_id': 'P1' / 'zoning' / '1.1' is in row 2 already"),
        ("P2,zoning,1.1,1,10,4", "row 3: it does not have the 7 cells"),
        ("P2,zoning,1.1,1,10,4,5,6", "row 3: it does not have the 7 cells"),
    ],
)
def test_a_wrong_cell_is_named_by_row_and_column(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(OtherMindsError, match=message) as raised:
        ceiling.ceiling(table(tmp_path, GOOD, row))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing.csv", "Cannot read"),
        ("header.csv", "has a header and no rows"),
        ("columns.csv", "needs the column 'retest'"),
        ("unanswered.csv", "Nobody answered a question twice"),
        ("latin.csv", "not CSV in UTF-8"),
    ],
)
def test_a_wrong_table_is_one_clear_error(tmp_path: Path, path: str, message: str) -> None:
    (tmp_path / "header.csv").write_text(HEADER + "\n")
    (tmp_path / "columns.csv").write_text("participant_id,topic,question_id,low,high,test\n")
    (tmp_path / "unanswered.csv").write_text(f"{HEADER}\nP1,zoning,1.1,1,10,4,\n")
    (tmp_path / "latin.csv").write_bytes(f"{HEADER}\nPé".encode("latin-1"))
    with pytest.raises(OtherMindsError, match=message):
        ceiling.ceiling(tmp_path / path)
