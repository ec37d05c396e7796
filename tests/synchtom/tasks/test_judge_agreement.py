"""Agreement of judges and people: numbers by hand, what is left out, and what is refused."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from otherminds.errors import OtherMindsError
from otherminds.metrics.synchtom import DIMENSIONS
from otherminds.tasks.synchtom import judge_agreement
from otherminds.tasks.synchtom.judge_agreement import Compared, compare
from otherminds.tasks.synchtom.label_sheets import draw, read_judge, write
from tests.conftest import Command
from tests.synchtom.tasks.test_label_sheets import (
    ALL_MET,
    MARKER,
    Line,
    Verdicts,
    filled,
    judged,
    many,
    samples,
)

# Both agree on everything but the belief.
REST = ((1, 0), (0, 1, 1))
FIRST = ((1, 1), (1, 0), (0, 0), (1, 1))
SECOND = ((1, 1), (0, 1), (0, 0), (0, 0))


def of_beliefs(beliefs: Sequence[Sequence[int]]) -> list[Line]:
    return [judged(f"i{number}", (own, *REST)) for number, own in enumerate(beliefs)]


def compared(folder: Path, first: Sequence[Line], second: Sequence[Line]) -> Compared:
    one = samples(folder / "one", first, judge="judge-a")
    return compare(one, samples(folder / "other", second, judge="judge-b"))


def a_sheet(folder: Path, lines: Sequence[Line], **labels: str) -> Path:
    """The judge's own verdicts as if people had given them, but for those of some instances."""
    judge = read_judge(samples(folder / "judge", lines))
    path = folder / f"sheet{len(list(folder.glob('*.csv')))}.csv"
    write(draw(judge, n=len(lines), seed=0), path)

    def label(row: Line) -> object:
        part = judge.parts[row["answer_id"], row["dimension"]]
        own = part.criteria[int(row["number"])].verdict
        return labels.get(row["instance_id"], own)

    return filled(path, label)


def test_two_judges_by_hand(tmp_path: Path) -> None:
    found = compared(tmp_path, of_beliefs(FIRST), of_beliefs(SECOND))
    assert (found.first, found.second) == ("judge-a", "judge-b")
    assert (found.n_answers, found.n_parts, found.left_out) == (4, 12, {})
    belief = found.agreement.by_dimension["latent_belief_explanation"]
    # Fulfilled: 2, 1, 0, 2 and 2, 1, 0, 0.
    assert belief.counts.counts.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 1]]
    assert belief["exact"].value == belief["within_one"].value == pytest.approx(3 / 4)
    # p_o = 12/16; p_e = (1·2 + 1·1 + 2·1)/16.
    assert belief["kappa"].value == pytest.approx((12 - 5) / (16 - 5))
    # Of 8 verdicts 4 are equal, two of 1 and two of 0; 5 and 3 are 1: p_e = 30/64.
    assert belief.verdicts.counts.tolist() == [[2, 1], [3, 2]]
    assert belief["criterion_exact"].value == pytest.approx(1 / 2)
    assert belief["criterion_kappa"].value == pytest.approx((32 - 30) / (64 - 30))
    assert found.agreement["exact"].value == pytest.approx(11 / 12)
    solution = found.agreement.by_dimension["correct_resolution"]
    assert solution["exact"].value == solution["criterion_kappa"].value == 1


def test_exchanged_judges_transpose_the_matrices(tmp_path: Path) -> None:
    found = compared(tmp_path / "a", of_beliefs(FIRST), of_beliefs(SECOND)).agreement
    other = compared(tmp_path / "b", of_beliefs(SECOND), of_beliefs(FIRST)).agreement
    assert (other.counts.counts == found.counts.counts.T).all()
    assert found["kappa"].value == pytest.approx(other["kappa"].value)
    assert found["alpha"].value == pytest.approx(other["alpha"].value)


def test_the_order_in_which_criteria_were_shown_does_not_matter(tmp_path: Path) -> None:
    verdicts = ((1, 0), (0, 1), (0, 0, 1))
    one, other = judged("i1", verdicts), judged("i1", verdicts, reverse=True)
    found = compared(tmp_path, [one], [other])
    assert found.agreement.verdicts.counts.tolist() == [[4, 0], [0, 3]]


def in_parts(verdicts: Verdicts) -> list[Line]:
    """The same judgement as by `judged`, in a document for each dimension."""
    whole = judged("i1", verdicts)
    lines = []
    for part, own in zip(whole["doc"]["dimensions"], verdicts, strict=True):
        entries = [{"verdict": verdict} for verdict in own]
        doc = whole["doc"] | {
            "item_id": f"{whole['doc']['item_id']}-{part['name']}",
            "compared_as": f"{whole['doc']['compared_as']}-{part['name']}",
            "dimensions": [part],
        }
        text = json.dumps({"audit": MARKER, part["name"]: entries})
        lines.append({"doc": doc, "filtered_resps": [[text]]})
    return lines


def test_a_judgement_in_parts_is_compared_with_one_of_the_whole(tmp_path: Path) -> None:
    verdicts = ((1, 0), (0, 1), (0, 0, 1))
    whole = samples(tmp_path / "whole", [judged("i1", verdicts)])
    each = samples(tmp_path / "each", in_parts(verdicts), task="synchtom_judge_each")
    found = compare(whole, each)
    assert (found.n_answers, found.n_parts) == (1, 3)
    assert found.agreement["criterion_exact"].value == 1
    # Both are by "a-judge": files tell them apart.
    assert (found.first, found.second) == (str(whole), str(each))


def test_people_who_label_as_the_judge_did_agree_with_it(tmp_path: Path) -> None:
    sheet = a_sheet(tmp_path, many(40))
    found = compare(tmp_path / "judge", sheet)
    assert (found.first, found.second) == ("a-judge", sheet.name)
    assert found.n_answers == 40
    overall = [row.estimate for row in judge_agreement.rows_of(found) if row.part == "all"]
    assert {one.value for one in overall} == {1.0}
    # Nobody differs, so that nothing says how wide an interval is.
    assert all(math.isnan(one.low) and math.isnan(one.high) for one in overall)
    both = compare(sheet, a_sheet(tmp_path, many(40), i000="1"))
    # Of i000 no criterion is fulfilled: in each of its three parts, all labels differ.
    assert both.agreement["exact"].value == pytest.approx(117 / 120)


def test_what_a_spreadsheet_does_to_texts_is_no_difference(tmp_path: Path) -> None:
    line = judged("i1", ALL_MET, said="=1+1\r\nTwo  lines\nof it.")
    sheet = a_sheet(tmp_path, [line])
    sheet.write_bytes(sheet.read_bytes().replace(b"Two  lines\n", b"Two lines\r\n"))
    assert compare(tmp_path / "judge", sheet).n_parts == 3


def test_what_is_left_out_is_counted_by_reason(tmp_path: Path) -> None:
    first = [
        judged("i1", ALL_MET),
        judged("i2", "No."),
        judged("i3", ALL_MET, answered=False),
        judged("i4", ALL_MET),
        judged("i5", ALL_MET),
    ]
    second = [
        *(judged("i1", ALL_MET), judged("i2", ALL_MET), judged("i3", ALL_MET, answered=False)),
        *(judged("i4", "Yes."), judged("i6", ALL_MET), judged("i7", ALL_MET)),
    ]
    found = compared(tmp_path, first, second)
    assert (found.n_answers, found.n_parts) == (1, 3)
    assert found.left_out == {
        "only judge-a has it": 3,
        "only judge-b has it": 6,
        "judge-a: the judgement could not be read": 3,
        "the answer could not be read": 3,
        "judge-b: the judgement could not be read": 3,
    }


def test_parts_without_all_their_labels_are_left_out(tmp_path: Path) -> None:
    lines = [judged(f"i{number}", ALL_MET) for number in range(3)]
    sheet = a_sheet(tmp_path, lines, i0="")

    def label(row: Line) -> object:
        is_blank = row["instance_id"] == "i1" and row["number"] == "2"
        return "" if is_blank else row["verdict"]

    # And a row that was lost.
    text = filled(sheet, label).read_text(encoding="utf-8-sig").splitlines(keepends=True)
    kept = [one for one in text if ",i2,correct_resolution,3," not in one]
    assert len(kept) == len(text) - 1
    sheet.write_text("".join(kept), encoding="utf-8")
    found = compare(sheet, tmp_path / "judge")
    assert found.left_out == {
        f"{sheet.name}: no criterion has a label": 3,
        f"{sheet.name}: not every criterion has a label": 4,
    }
    assert (found.n_answers, found.n_parts) == (1, 2)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (judged("i2", ALL_MET), "have no answer in common"),
        (judged("i1", ALL_MET, stage="synchtom_shuffled"), "have no answer in common"),
        (
            judged("i1", ALL_MET, said="Else."),
            r"line 1 and .*line 1 rate different answers",
        ),
        (judged("i1", "?", answered=False), "rate different answers"),
        (
            judged("i1", ((1, 1), (1, 1), (1, 1))),
            "there is no criterion 3; the rubric of correct_res",
        ),
        (
            judged("i1", "I cannot."),
            "no part .* both have rated. 3: judge-b: the judgement could not",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(tmp_path: Path, other: Line, message: str) -> None:
    for place, pair in enumerate(([judged("i1", ALL_MET)], [other])):
        samples(tmp_path / str(place), pair, judge=f"judge-{'ab'[place]}")
    with pytest.raises(OtherMindsError, match=message) as raised:
        compare(tmp_path / "0", tmp_path / "1")
    assert "\n" not in str(raised.value)


def test_criteria_of_other_data_are_refused(tmp_path: Path) -> None:
    other = judged("i1", ALL_MET)
    other["doc"]["dimensions"][1]["criteria"][0] = "Something else."
    with pytest.raises(OtherMindsError, match=r"different criteria \(number 1 of user_profile"):
        compared(tmp_path, [judged("i1", ALL_MET)], [other])


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            ",i1,correct_resolution,3,",
            ",i1,correct_resolution,4,",
            "row 8: there is no criterion 4",
        ),
        (",i1,", ",i2,", "to different instances"),
        ("It is said.", "It is unsaid.", "rate different answers"),
    ],
)
def test_a_sheet_of_something_else_is_refused(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    sheet = a_sheet(tmp_path, [judged("i1", ALL_MET)])
    text = sheet.read_text(encoding="utf-8-sig")
    assert before in text
    sheet.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(OtherMindsError, match=message):
        compare(tmp_path / "judge", sheet)


def test_the_printed_tables_and_the_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = judged("i9", ALL_MET, ALL_MET)
    found = compared(tmp_path, [*of_beliefs(FIRST), twice], [*of_beliefs(SECOND), twice])
    judge_agreement.print_agreement(found)
    printed = capsys.readouterr().out
    for words in ("Krippendorff's α", "95 % interval", "rows: judge-a", "columns: judge-b"):
        assert words in printed
    assert printed.count("judged 2 times; the first judgement counts") == 2
    stored = json.loads(json.dumps(judge_agreement.as_json(found)))
    dimensions = ["all", *DIMENSIONS.values()]
    assert list(dict.fromkeys(row["dimension"] for row in stored["estimates"])) == dimensions
    [exact] = [
        row
        for row in stored["estimates"]
        if (row["dimension"], row["statistic"]) == ("belief", "exact")
    ]
    assert (exact["value"], exact["n"], exact["n_people"]) == (4 / 5, 5, 5)
    assert exact["low"] < exact["value"] < exact["high"]
    assert stored["confusion"]["belief"]["criteria_fulfilled"] == {
        "labels": [0, 1, 2],
        "counts": [[1, 0, 0], [0, 1, 0], [1, 0, 2]],
    }


def test_a_statistic_that_is_not_defined_is_no_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # All is fulfilled, and the numbers of criteria of the dimensions differ: 2, 2 and 3.
    found = compared(tmp_path, [judged("i1", ALL_MET)], [judged("i1", ALL_MET)])
    rows = judge_agreement.as_json(found)["estimates"]
    values = {(row["dimension"], row["statistic"]): row["value"] for row in rows}
    assert values["belief", "kappa"] is values["all", "criterion_alpha"] is None
    assert values["belief", "exact"] == 1
    judge_agreement.print_agreement(found)
    assert "n/a: all ratings are equal" in capsys.readouterr().out


def test_the_matrices_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="the extra 'report' is not installed")
    found = compared(tmp_path, of_beliefs(FIRST), of_beliefs(SECOND))
    paths = judge_agreement.write_plots(found, tmp_path / "plots")
    assert sorted(path.name for path in paths) == [
        *("agreement-counts.png", "agreement-counts.svg"),
        *("agreement-verdicts.png", "agreement-verdicts.svg"),
    ]
    drawn = (tmp_path / "plots" / "agreement-counts.svg").read_text(encoding="utf-8")
    for words in ("judge-a", "judge-b", "solution", "n = 12"):
        assert words in drawn
    assert all(path.stat().st_size > 1000 for path in paths)


def test_without_the_extra_drawing_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = compared(tmp_path, of_beliefs(FIRST), of_beliefs(SECOND))
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(OtherMindsError, match=r"pip install 'otherminds\[report\]'"):
        judge_agreement.write_plots(found, tmp_path / "plots")


def test_a_sheet_that_nobody_has_filled_in_is_one_clear_error(tmp_path: Path) -> None:
    sheet = a_sheet(tmp_path, many(20))
    filled(sheet, lambda row: "")
    with pytest.raises(OtherMindsError, match=r"60: sheet0\.csv: no criterion has a label"):
        compare(tmp_path / "judge", sheet)


def test_the_commands(command: Command, tmp_path: Path) -> None:
    samples(tmp_path / "run", many(20))
    done = command("otherminds", "labels", "run", "sheet.csv", "--n", "500", cwd=tmp_path)
    assert "no more than 20 answers" in done.stdout
    assert "140 criteria of 20 answers" in done.stdout
    filled(tmp_path / "sheet.csv", lambda row: "1")
    words = ("agreement", "run", "sheet.csv", "--out")
    done = command("otherminds", *words, "found.json", cwd=tmp_path)
    assert "First, rows: a-judge" in done.stdout
    assert json.loads((tmp_path / "found.json").read_text())["n_answers"] == 20
    wrong = command("otherminds", *words, "found.txt", cwd=tmp_path, code=1)
    assert "must end in .json" in wrong.stderr
