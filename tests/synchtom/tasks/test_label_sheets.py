"""Judged answers, samples of them for people, and the sheets that people fill in."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.errors import OtherMindsError
from otherminds.metrics.synchtom import DIMENSIONS
from otherminds.sheets import defused
from otherminds.tasks.synchtom import label_sheets
from otherminds.tasks.synchtom.label_sheets import (
    COLUMNS,
    Part,
    Rater,
    draw,
    read_judge,
    read_labels,
)

Line = dict[str, Any]
Verdicts = Sequence[Sequence[int]]

TASK = "synchtom_judge"
DATE = "2026-01-02T03-04-05.678"
MARKER = "ANSWER-0123456789AB"
ALL_MET = ((1, 1), (1, 1), (1, 1, 1))


def judged(
    instance: str,
    *verdicts: Verdicts | str,
    turns: int = 10,
    scenario: str = "culture",
    stage: str = "synchtom_10turn",
    answered: bool = True,
    said: str = "It is said.",
    reverse: bool = False,
) -> Line:
    """A line of a judge's sample file: for each run the verdicts in the order of the rubric, or a reply.

    reverse  whether criteria are shown in reverse order
    """
    first = next((one for one in verdicts if not isinstance(one, str)), ALL_MET)
    dimensions = [
        {
            "name": name,
            "text": f"{said} About the {short}." if answered else "",
            "criteria": [f"Criterion {place + 1} of {short}, {instance}" for place in order],
            "order": order,
        }
        for (name, short), own in zip(DIMENSIONS.items(), first, strict=True)
        for order in [list(range(len(own)))[:: -1 if reverse else 1]]
    ]
    replies = [one if isinstance(one, str) else reply(one, dimensions) for one in verdicts]
    return {
        "doc": {
            "item_id": f"{stage}-{instance}-turns{turns}",
            "compared_as": f"{instance}-turns{turns}",
            "condition": stage,
            "instance_id": instance,
            "scenario": scenario,
            "n_turns": turns,
            "is_answered": answered,
            "was_cut": False,
            "marker": MARKER,
            "n_criteria": [len(own) for own in first],
            "dimensions": dimensions,
        },
        "filtered_resps": [replies],
    }


def reply(verdicts: Verdicts, dimensions: Sequence[Line]) -> str:
    """What a judge says that means these verdicts."""
    lists = {
        one["name"]: [
            {"criterion": number, "reason": "…", "verdict": own[place]}
            for number, place in enumerate(one["order"], start=1)
        ]
        for one, own in zip(dimensions, verdicts, strict=True)
    }
    return json.dumps({"audit": MARKER, **lists})


def samples(
    folder: Path,
    lines: Sequence[Line],
    *,
    task: str = TASK,
    judge: str | None = "a-judge",
    model: str = "a-model",
    date: str = DATE,
) -> Path:
    """A sample file; with the results file of a run by `judge` beside it, unless that is None."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{task}_{date}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    if judge is not None:
        metadata = {"role": "judge", "stages": ["some_stage"]}
        results = {
            "config": {"model": judge, "model_args": {}},
            "results": {task: {}},
            "versions": {task: 1.0},
            "configs": {task: {"metadata": metadata}},
            "otherminds": {"stage_models": {"some_stage": {"name": model, "args": {}}}},
        }
        (folder / f"results_{date}.json").write_text(json.dumps(results), encoding="utf-8")
    return path


def filled(path: Path, label: Callable[[Line], object]) -> Path:
    """Fill in a sheet: `label` gets each row."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return sheet(path, [{**row, "verdict": label(row)} for row in rows])


def sheet(path: Path, rows: Sequence[Line], delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def row(**cells: object) -> Line:
    usual = ("answer-1", "i1", "correct_resolution", 1, "What was said.", "A criterion.", 1)
    return dict(zip(COLUMNS, usual, strict=True)) | cells


# Verdicts by the band of their total, of 7 criteria: 0, 1 to 3, 4 to 6, 7.
BANDS = (
    ((0, 0), (0, 0), (0, 0, 0)),
    ((1, 0), (0, 0), (0, 0, 0)),
    ((1, 1), (1, 1), (0, 0, 0)),
    ALL_MET,
)


def many(n: int = 120) -> list[Line]:
    """Answers in two scenarios after two numbers of turns; one in twenty does not fulfil everything."""
    return [
        judged(
            f"i{number:03d}",
            BANDS[3 if number % 20 else number // 20 % 3],
            scenario=("culture", "education")[number % 2],
            turns=(0, 10)[number // 2 % 2],
            stage=("synchtom_vanilla", "synchtom_10turn")[number // 2 % 2],
        )
        for number in range(n)
    ]


def names(answers: Sequence[Sequence[Part]]) -> list[str]:
    return [parts[0].answer_id for parts in answers]


def total(parts: Sequence[Part]) -> int:
    return sum(one.verdict or 0 for part in parts for one in part.criteria.values())


@pytest.fixture
def judge(tmp_path: Path) -> Rater:
    return read_judge(samples(tmp_path / "judge", many()))


def test_verdicts_are_read_in_the_order_of_the_rubric(tmp_path: Path) -> None:
    lines = [judged("i1", ((1, 0), (0, 1), (0, 0, 1)), reverse=True)]
    found = read_judge(samples(tmp_path, lines))
    assert (found.name, found.is_judge, found.notes) == ("a-judge", True, [])
    by_dimension = {part.dimension: part for part in found.parts.values()}
    assert list(by_dimension) == list(DIMENSIONS)
    solution = by_dimension["correct_resolution"]
    assert [one.verdict for one in solution.criteria.values()] == [0, 0, 1]
    texts = [one.text for one in solution.criteria.values()]
    assert texts == [f"Criterion {n} of solution, i1" for n in (1, 2, 3)]


def test_a_sheet_has_a_row_per_criterion_and_says_nothing_of_the_judge(
    judge: Rater, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.csv"
    answers = draw(judge, n=10, seed=0)
    assert label_sheets.write(answers, path) == 10 * 7
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 70
    assert {one["verdict"] for one in rows} == {""}
    assert list(dict.fromkeys(one["answer_id"] for one in rows)) == names(answers)
    first = rows[:7]
    assert [one["number"] for one in first] == ["1", "2", "1", "2", "1", "2", "3"]
    assert list(dict.fromkeys(one["dimension"] for one in first)) == list(DIMENSIONS)
    # Neither the task nor the number of turns, which would tell people what to expect.
    assert "turn" not in path.read_text(encoding="utf-8-sig")
    assert "vanilla" not in path.read_text(encoding="utf-8-sig")


def test_a_sample_has_all_of_the_range(judge: Rater) -> None:
    answers = draw(judge, n=16, seed=0)
    # 6 of 120 answers do not have the highest total.
    assert len(answers) == 16
    assert Counter(map(total, answers)) == {0: 2, 1: 2, 4: 2, 7: 10}
    assert {total(parts) for parts in draw(judge, n=4, seed=0)} == {0, 1, 4, 7}
    # The others are all in one scenario after no turns: 4 strata of the highest total, and 3 more.
    strata = [(parts[0].stratum, total(parts)) for parts in draw(judge, n=7, seed=0)]
    assert len(set(strata)) == 7
    assert {scenario for (scenario, *_), _ in strata} == {"culture", "education"}


def test_a_sample_depends_on_the_seed_and_not_on_the_order_of_lines(tmp_path: Path) -> None:
    lines = many()
    one = read_judge(samples(tmp_path / "one", lines))
    random.Random(1).shuffle(lines)
    other = read_judge(samples(tmp_path / "other", lines))
    assert names(draw(one, n=30, seed=3)) == names(draw(other, n=30, seed=3))
    assert names(draw(one, n=30, seed=3)) != names(draw(one, n=30, seed=4))
    # A labeller who stops early leaves a smaller sample of the same kind.
    assert names(draw(one, n=30, seed=3))[:12] == names(draw(one, n=12, seed=3))


@given(st.integers(1, 200), st.integers(0, 2**32))
def test_answers_are_drawn_once_and_strata_evenly(n: int, seed: int) -> None:
    parts = {
        (f"answer-{number}", dimension): Part(
            answer_id=f"answer-{number}",
            instance_id=f"i{number}",
            dimension=dimension,
            text="",
            criteria={1: label_sheets.Criterion("", number % 2, "")},
            missing="",
            place="",
            stratum=("culture", "task", number % 3),
        )
        for number in range(30)
        for dimension in DIMENSIONS
    }
    answers = draw(Rater("a-judge", parts, True, ()), n=n, seed=seed)
    assert len(answers) == len(set(names(answers))) == min(n, 30)
    assert all([part.dimension for part in one] == list(DIMENSIONS) for one in answers)
    # Six strata of five answers each.
    drawn = Counter((one[0].stratum, total(one)) for one in answers)
    assert max(drawn.values()) - min(drawn.values()) <= 1
    assert len(drawn) == min(n, 6)


def test_what_could_not_be_read_is_not_drawn(tmp_path: Path) -> None:
    lines = [
        judged("i1", ALL_MET),
        judged("i2", "I like it."),
        judged("i3", ALL_MET, answered=False),
    ]
    found = read_judge(samples(tmp_path, lines))
    assert [one[0].instance_id for one in draw(found, n=60, seed=0)] == ["i1"]
    none = read_judge(samples(tmp_path / "none", lines[1:]))
    with pytest.raises(OtherMindsError, match="judged no answer"):
        draw(none, n=60, seed=0)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "  =", "\t", "\r", "\uff1d"])
def test_no_cell_is_a_formula(tmp_path: Path, start: str) -> None:
    lines = [judged("i1", ALL_MET, said=f"{start}HYPERLINK(1)")]
    found = read_judge(samples(tmp_path, lines))
    label_sheets.write(draw(found, n=1, seed=0), tmp_path / "sheet.csv")
    answers = {part.text for part in read_labels(tmp_path / "sheet.csv").parts.values()}
    assert len(answers) == 3
    assert all(text.startswith(f"'{start}") for text in answers)


@given(st.text())
def test_defusing_twice_changes_nothing(text: str) -> None:
    once = defused(text)
    assert defused(once) == once
    assert once in (text, f"'{text}")


def test_a_file_that_may_hold_labels_is_never_written_over(judge: Rater, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("labels")
    with pytest.raises(OtherMindsError, match="may hold labels"):
        label_sheets.write(draw(judge, n=1, seed=0), path)
    assert path.read_text() == "labels"
    with pytest.raises(OtherMindsError, match=r"must end in \.csv"):
        label_sheets.write(draw(judge, n=1, seed=0), tmp_path / "sheet.xlsx")


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_labels_are_read_back(tmp_path: Path, delimiter: str) -> None:
    rows = [
        row(number=1, verdict=1, remark="x, y"),
        row(number=2, verdict=" 0 "),
        row(number=3, verdict=""),
        dict.fromkeys(COLUMNS, ""),
        row(answer_id="answer-2", answer="Two\nlines."),
    ]
    [first, second] = read_labels(sheet(tmp_path / "s.csv", rows, delimiter)).parts.values()
    assert {n: one.verdict for n, one in first.criteria.items()} == {1: 1, 2: 0, 3: None}
    assert second.text == "Two\nlines."
    # Spreadsheets count a cell of two lines, and an empty row, as one row.
    assert second.place.endswith("row 6")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"verdict": "yes"}, "row 3, column 'verdict': 'yes' is neither 0 nor 1"),
        ({"verdict": 2}, "row 3, column 'verdict': '2' is neither"),
        ({"verdict": "1.0"}, "row 3, column 'verdict': '1.0' is neither"),
        ({"verdict": "a\nb"}, r"row 3, column 'verdict': 'a\\nb' is neither"),
        ({"number": 0}, "row 3, column 'number': '0' is not 1, 2, 3"),
        ({"number": "9" * 5000}, "row 3, column 'number': '9+…' is not"),
        ({"number": "²"}, "row 3, column 'number'"),
        ({"dimension": "belief"}, "row 3, column 'dimension': 'belief' is none of latent_belief"),
        ({"answer_id": " "}, "row 3, column 'answer_id': it is empty"),
        ({"instance_id": ""}, "row 3, column 'instance_id': it is empty"),
        ({"number": 1}, "row 3: criterion 1 is in .*row 2 already"),
        ({"instance_id": "i2"}, "row 3: the instance or the answer is another one than in .*row 2"),
        ({"answer": "Else."}, "row 3: the instance or the answer is another one"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, cells: Line, message: str) -> None:
    path = sheet(tmp_path / "s.csv", [row(), row(**({"number": 2} | cells))])
    with pytest.raises(OtherMindsError, match=message) as raised:
        read_labels(path)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "Cannot read"),
        (b"", "no column 'answer_id'"),
        (b"answer_id,verdict\r\n", "no column 'instance_id'"),
        (",".join([*COLUMNS, "verdict"]).encode(), "no column 'verdict', or several"),
        (",".join(COLUMNS).encode(), "a header and no rows"),
        (f"{','.join(COLUMNS)}\r\na,b\r\n".encode(), "row 2 has 2 cells; the header has 7"),
        (f"{','.join(COLUMNS)}\r\n\xe9".encode("latin-1"), "not CSV in UTF-8"),
        (f'{",".join(COLUMNS)}\r\n"a"b,'.encode(), "not CSV in UTF-8"),
    ],
)
def test_a_wrong_table_is_one_clear_error(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / "s.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(OtherMindsError, match=message):
        read_labels(path)


def test_of_several_judgements_the_first_counts(tmp_path: Path) -> None:
    twice = [judged("i1", BANDS[0], ALL_MET)]
    found = read_judge(samples(tmp_path, twice))
    assert total(list(found.parts.values())) == 0
    assert found.notes[-1].endswith("judged 2 times; the first judgement counts.")


def test_a_folder_is_searched_for_one_judges_samples(tmp_path: Path) -> None:
    samples(tmp_path / "a", [judged("i1", ALL_MET)], task="synchtom_5turn_judge")
    samples(tmp_path / "a" / "b", [judged("i2", ALL_MET)], task="synchtom_10turn_judge")
    samples(tmp_path, [{}], task="hugagent_bdu_synthetic", judge=None)
    assert len(read_judge(tmp_path).parts) == 6
    samples(tmp_path / "c", [judged("i3", ALL_MET)], judge="another-judge")
    with pytest.raises(OtherMindsError, match=r"several judges \(a-judge, another-judge\)"):
        read_judge(tmp_path)
    samples(tmp_path / "c", [judged("i2", ALL_MET)])
    with pytest.raises(OtherMindsError, match=r"line 1 judges the same answer as .*, line 1"):
        read_judge(tmp_path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="There is no file or folder"):
        read_judge(tmp_path / "none")
    with pytest.raises(OtherMindsError, match="has no sample file of a judging task"):
        read_judge(tmp_path)
    other = samples(tmp_path, [{}], task="synchtom_10turn")
    with pytest.raises(OtherMindsError, match=r"neither a table of labels \(\.csv\) nor a sample"):
        read_judge(other)
    broken = judged("i1", ALL_MET)
    del broken["doc"]["dimensions"][0]["text"]
    with pytest.raises(OtherMindsError, match="line 1: its document is malformed"):
        read_judge(samples(tmp_path / "broken", [broken]))
    no_sample = samples(tmp_path / "no", [{"doc": {}, "filtered_resps": [["x"]]}])
    with pytest.raises(OtherMindsError, match="line 1 is not a sample"):
        read_judge(no_sample)


def test_without_a_results_file_the_file_stands_for_the_judge(tmp_path: Path) -> None:
    path = samples(tmp_path, [judged("i1", ALL_MET)], judge=None)
    assert read_judge(path).name == path.name


def test_a_judgement_without_an_answer_is_no_sample(tmp_path: Path) -> None:
    line = judged("i1", ALL_MET)
    line["filtered_resps"] = [[]]
    with pytest.raises(OtherMindsError, match="filtered_resps has an entry without an answer"):
        read_judge(samples(tmp_path, [line]))
