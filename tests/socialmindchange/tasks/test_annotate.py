"""Studies with people: what they get, what comes back, and what may be wrong with it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from otherminds import filled, harness
from otherminds.cli.main import app
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.metrics.socialmindchange import TYPES
from otherminds.tasks.socialmindchange.study import (
    Plan,
    evaluate,
    export,
    key,
    read,
    sampling,
)
from otherminds.tasks.socialmindchange.study.results import as_json, print_results, reference
from tests.helpers import fictional_socialmindchange_codes
from tests.helpers.annotated import answer_key, fill, right, table
from tests.helpers.fictional_socialmindchange_codes import DATASET

PLAN = Plan(part="base", stages=4, items=3, raters=3, overlap=2, seed=5)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    harness.quiet(debug=False)
    return fictional_socialmindchange_codes.write(tmp_path_factory.mktemp("small"))


@pytest.fixture
def study(source: Path, tmp_path: Path) -> Path:
    export(tmp_path / "study", PLAN, dataset=DATASET, source=str(source))
    return tmp_path / "study"


def test_more_than_there_is_cannot_be_drawn(source: Path, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="the part 'lite' has 2 stages"):
        export(
            tmp_path / "a",
            replace(PLAN, part="lite", stages=3),
            dataset=DATASET,
            source=str(source),
        )
    with pytest.raises(OtherMindsError, match="a stage has 80 questions"):
        export(tmp_path / "a", replace(PLAN, items=81), dataset=DATASET, source=str(source))
    assert not (tmp_path / "a").exists()


def test_a_study_draws_from_a_dataset_of_this_benchmark(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "a"
    with pytest.raises(OtherMindsError, match="no studies of 'hugagent-synthetic': it must be one"):
        export(out, PLAN, dataset="hugagent-synthetic", source=str(source))
    assert not out.exists()
    export(out, PLAN, dataset=DATASET, source=str(source))
    made = key.read(out)
    assert (made.dataset, made.data["dataset"]) == ("socialmindchange-codes",) * 2
    other = made.model_copy(update={"dataset": "hugagent-synthetic"}).sealed()
    key.write(other, out)
    with pytest.raises(OtherMindsError, match=r"at 'dataset': .*it must be one of"):
        key.read(out)


def test_the_same_seed_gives_the_same_bytes(source: Path, tmp_path: Path) -> None:
    def written(name: str, plan: Plan) -> dict[str, bytes]:
        export(tmp_path / name, plan, dataset=DATASET, source=str(source))
        found = sorted((tmp_path / name).rglob("*.*"))
        return {str(path.relative_to(tmp_path / name)): path.read_bytes() for path in found}

    first = written("a", PLAN)
    assert set(first) == {
        *("README.txt", "key.json"),
        *(f"for_A0{n}/annotate_A0{n}.{kind}" for n in (1, 2, 3) for kind in ("csv", "html")),
    }
    assert written("b", PLAN) == first
    other = written("c", replace(PLAN, seed=6))
    assert {name for name in first if first[name] == other[name]} == {"README.txt"}


def test_an_annotator_gets_no_gold_reason_state_or_id(source: Path, study: Path) -> None:
    known = key.read(study)
    golds = {one.item_id for stage in known.stages for one in stage.questions}
    rows = data.load("socialmindchange-codes", "questions", source=str(source))["test"].to_list()
    stages = data.load("socialmindchange-codes", "stages", source=str(source))["test"].to_list()
    reasons = {code for row in rows for codes in row["reasons"] for code in codes}
    given = "".join(path.read_text("utf-8") for path in study.glob("for_*/*"))
    for hidden in (*golds, *reasons, *(row["stage_id"] for row in stages), *TYPES):
        assert hidden not in given
    # Options speak of beliefs, right ones and others alike; outside of questions nothing names a state.
    pages = "".join(path.read_text("utf-8") for path in study.glob("for_*/*.html"))
    read_only = re.sub(r'<fieldset class="question".*?</fieldset>', "", pages, flags=re.DOTALL)
    assert len(read_only) < len(pages)
    rows_of = [row for path in study.glob("for_*/*.csv") for row in table(path)]
    read_only += "\n".join(row["text"] for row in rows_of if row["kind"] != "question")
    beliefs = {state["belief"] for stage in stages for state in stage["states"]}
    assert not [belief for belief in beliefs if belief in read_only]
    # Every option stands there as it does for every other question: nothing marks one of them.
    page = (study / "for_A01" / "annotate_A01.html").read_text("utf-8")
    boxes = re.findall(r'<label><input type="radio" name="(q-\w+)" value="(\w)"><b>', page)
    assert {letters for _, letters in boxes} == set("abcdefghijklmnop")
    assert set(Counter(row for row, _ in boxes).values()) == {16}
    assert "checked" not in page.replace(":checked", "").replace("box.checked", "")


def test_a_sheet_shows_what_models_see(source: Path, study: Path) -> None:
    known = key.read(study)
    questions = data.load("socialmindchange-codes", "questions", source=str(source))["test"]
    stages = data.load("socialmindchange-codes", "stages", source=str(source))["test"]
    asked = {row["item_id"]: row for row in questions.to_list()}
    told = {row["stage_id"]: row for row in stages.to_list()}
    by_row = {one.row: one for stage in known.stages for one in stage.questions}
    of_stage = {stage.row: told[stage.stage_id] for stage in known.stages}
    rows = table(study / "for_A02" / "annotate_A02.csv")
    for number, pages in enumerate(known.sheets["A02"], start=1):
        own = [row for row in rows if row["stage"] == str(number)]
        stage = of_stage[pages.stage]
        assert [row["text"] for row in own if row["kind"] == "people"] == stage["profile"]
        for scene in stage["scenes"]:
            lines = [row["text"] for row in own if row["kind"] == f"scene {scene['number']}"]
            assert [line.rpartition(": ")[2] for line in lines] == [
                turn["text"].rpartition(": ")[2] for turn in scene["turns"]
            ]
        shown = [row for row in own if row["kind"] == "question"]
        assert [row["row"] for row in shown] == pages.questions
        for row in shown:
            item = asked[by_row[row["row"]].item_id]
            lines = [item["question"], *item["options"]]
            marks = ["", *(f"({letter}) " for letter in "abcdefghijklmnop")]
            assert row["text"].split("\n") == [
                mark + line for mark, line in zip(marks, lines, strict=True)
            ]


def test_an_export_never_overwrites_answers(source: Path, study: Path) -> None:
    with pytest.raises(OtherMindsError, match="not an empty folder"):
        export(study, PLAN, dataset=DATASET, source=str(source))


def test_variants_are_drawn_by_turns(source: Path, tmp_path: Path) -> None:
    plan = replace(PLAN, part="variants", stages=4, items=0)
    export(tmp_path / "study", plan, dataset=DATASET, source=str(source))
    found = {stage.variant for stage in key.read(tmp_path / "study").stages}
    assert found == {"group_5", "group_6", "length_6", "length_7"}


def test_a_study_is_read_back(study: Path) -> None:
    golds = answer_key(study)
    wrong = {row: "b" if gold == "a" else "a" for row, gold in golds.items()}
    fill(study, "A01", right(study, "5"))
    fill(study, "A02", lambda row: wrong.get(row["row"], "3"))
    found = evaluate(read(study))
    one, two = found.returned.sent
    assert (one.missing_ratings, one.missing_answers, two.missing_answers) == (0, 0, 0)
    assert found.returned.not_returned == ["A03"]
    assert found.accuracy is not None
    assert found.retention is not None
    # Both have equally many stages, or one more; A01 is always right and A02 never.
    share = one.answers / (one.answers + two.answers)
    assert found.accuracy.overall.value == pytest.approx(share)
    assert found.by_annotator["A01"].value == 1.0
    assert found.means["coherence"].value == pytest.approx(5 * share + 3 * (1 - share))
    # 5 alone and (5 + 3)/2 are at least 4; 3 alone is not.
    sheets = key.read(study).sheets
    mine, theirs = ({pages.stage for pages in sheets[name]} for name in ("A01", "A02"))
    names = {stage.row: stage.stage_id for stage in key.read(study).stages}
    assert set(found.retention.retained) == {names[row] for row in mine}
    assert set(found.retention.rejected) == {names[row] for row in theirs - mine}
    assert found.agreement["answers"].value < 0
    print_results(found)
    json.dumps(as_json(found), allow_nan=False)


def test_empty_cells_and_lost_rows_are_missing_and_never_zero(study: Path) -> None:
    questions = [row for pages in key.read(study).sheets["A01"] for row in pages.questions]
    path = fill(study, "A01", lambda row: "" if row["row"] in questions[1:] else right(study)(row))
    lines = path.read_bytes().split(b"\r\n")
    lost = next(n for n, line in enumerate(lines) if questions[-1].encode() in line)
    path.write_bytes(b"\r\n".join([*lines[:lost], b""]))
    found = evaluate(read(study))
    [sent] = found.returned.sent
    assert (sent.answers, sent.missing_answers) == (1, len(questions) - 1)
    assert found.accuracy is not None
    assert (found.accuracy.overall.value, found.accuracy.overall.n) == (1.0, 1)
    assert as_json(found)["agreement"]["answers"]["value"] is None


def test_ratings_alone_are_a_study_too(study: Path) -> None:
    fill(study, "A01", lambda row: "2" if row["kind"] == "rating" else "")
    found = evaluate(read(study))
    assert found.accuracy is None
    assert as_json(found)["accuracy"] is None
    print_results(found)
    with pytest.raises(OtherMindsError, match="Nobody answered"):
        reference(found)


def test_tables_as_spreadsheets_write_them(study: Path) -> None:
    fill(study, "A01", right(study))
    wanted = evaluate(read(study))
    rows = table(study / "returned" / "A01.csv")
    names = ["value", "annotator", "row", "study", "remarks"]
    lines = [";".join(names)]
    for row in rows[::-1]:
        cells = {**row, "value": f" {row['value'].upper()} ", "remarks": '"a; b"'}
        lines.append(";".join(cells[name] for name in names))
    (study / "returned" / "A01.csv").unlink()
    late = study / "returned" / "Sheet (2).CSV"
    late.write_bytes("\n".join([*lines, ";;;;", ""]).encode("utf-8-sig"))
    (study / "returned" / ".~lock.A01.csv").write_text("me", "utf-8")
    found = evaluate(read(study))
    assert (found.returned.ratings, found.returned.answers) == (
        wanted.returned.ratings,
        wanted.returned.answers,
    )


def tabbed(content: bytes) -> bytes:
    """A table with tabs between cells."""
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    text = io.StringIO(newline="")
    csv.writer(text, delimiter="\t").writerows(rows)
    return text.getvalue().encode()


def test_tables_with_tabs_are_read(study: Path) -> None:
    path = fill(study, "A01", right(study))
    wanted = read(study)
    path.write_bytes(tabbed(path.read_bytes()))
    assert read(study) == wanted


@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "large"])
def test_what_is_no_table_is_refused_before_it_is_read(study: Path, kind: str) -> None:
    path = study / "returned" / "A01.csv"
    if kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(filled.LARGEST + 1)
    message = "and is not a filled table" if kind == "large" else "is not a regular file"
    with pytest.raises(OtherMindsError, match=rf"A01\.csv .*{message}") as caught:
        read(study)
    assert "\n" not in str(caught.value)


def test_a_link_to_a_table_is_read(study: Path, tmp_path: Path) -> None:
    path = fill(study, "A01", right(study))
    wanted = read(study)
    path.rename(tmp_path / "kept.csv")
    path.symlink_to(tmp_path / "kept.csv")
    assert read(study) == wanted
    path.with_name("A02.csv").symlink_to(tmp_path / "lost.csv")
    with pytest.raises(OtherMindsError, match=r"Cannot read .*A02\.csv: No such file"):
        read(study)


def replaced(old: str, new: str, count: int = 1) -> Callable[[bytes], bytes]:
    return lambda content: content.replace(old.encode(), new.encode(), count)


def rated_six(content: bytes) -> bytes:
    return re.sub(rb"(-coherence,rating,.*),4\r\n", rb"\1,6\r\n", content, count=1)


def last_cell(value: str) -> Callable[[bytes], bytes]:
    """The last row of the table is a question's: exchange its value."""
    return lambda content: content.rstrip(b"\r\n")[:-1] + value.encode() + b"\r\n"


def again(content: bytes) -> bytes:
    """The last rating of the last stage once more."""
    lines = content.split(b"\r\n")
    return content + next(line for line in lines[::-1] if b"-authenticity,rating" in line) + b"\r\n"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (rated_six, r"row \d+, column 'value': '6' is not a rating from 1 to 5"),
        (last_cell("q"), r"row \d+, column 'value': 'q' is not a letter from a to p"),
        (last_cell("ab"), "'ab' is not a letter"),
        (last_cell("4"), "'4' is not a letter"),
        (replaced("-coherence,", "-beauty,"), "column 'row': 's-.*-beauty' is not a row of this"),
        (replaced("study-", "studio-"), r"row 2, column 'study': 'studio-.*another study"),
        (replaced(",A01,", ",A09,", -1), r"row 2, column 'annotator': 'A09' is not an annotator"),
        (replaced(",A01,2,", ",A02,2,"), "'A02', but 'A01' above"),
        (again, r"-authenticity' is in .*A01\.csv, row \d+ already: delete one"),
        (replaced("row", "line"), "row 1: there is no column 'row'"),
        (replaced("study,annotator", "study,value"), "no column 'annotator'"),
        (replaced(",people,", ",people;"), r"row \d+: the number of cells is \d+, in the header 7"),
        (lambda content: content.replace(b"study-", "é".encode("cp1252"), 1), "not in UTF-8"),
        (lambda content: content.decode().encode("utf-16"), "line 1 .*not in UTF-8"),
        (lambda content: b"PK\x03\x04" + content, "is a spreadsheet file"),
        (lambda content: content + b'"open', "it is not CSV"),
        (lambda content: content[: content.index(b"\r\n") + 2], "has a header and no rows"),
        (lambda content: b"", "row 1: there is no column 'study'"),
    ],
)
def test_damaged_tables_are_refused_with_file_and_row(
    study: Path, damage: Callable[[bytes], bytes], message: str
) -> None:
    path = fill(study, "A01", right(study))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(OtherMindsError, match=message) as caught:
        read(study)
    assert "A01.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_value_in_a_line_to_read_and_rows_of_others_are_refused(study: Path) -> None:
    path = fill(study, "A01", right(study))
    content = path.read_bytes()
    path.write_bytes(re.sub(rb"(,background,[^\r]*),\r\n", rb"\1,5\r\n", content, count=1))
    with pytest.raises(OtherMindsError, match="'5' stands in a line that is only to be read"):
        read(study)
    sheets = key.read(study).sheets
    mine = {pages.stage for pages in sheets["A01"]}
    other = next(pages.stage for pages in sheets["A02"] if pages.stage not in mine)
    own = sheets["A01"][0].stage
    path.write_bytes(content.replace(f"{own}-coherence".encode(), f"{other}-coherence".encode()))
    with pytest.raises(OtherMindsError, match="another annotator's table, not A01's"):
        read(study)


def test_a_person_returns_one_table(study: Path) -> None:
    fill(study, "A01", right(study))
    fill(study, "A01", right(study), file="again.csv")
    with pytest.raises(
        OtherMindsError, match=r"again\.csv is of annotator A01, and so is .*A01\.csv"
    ):
        read(study)


def test_nothing_to_measure_is_an_error(study: Path, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match=r"no \.csv file in .*returned"):
        read(study)
    fill(study, "A01", lambda row: "")
    with pytest.raises(OtherMindsError, match="nothing to measure"):
        read(study)
    with pytest.raises(OtherMindsError, match=r"has no key\.json"):
        read(tmp_path)


def test_a_key_that_was_edited_is_refused(study: Path) -> None:
    fill(study, "A01", right(study))
    path = study / key.NAME
    known = json.loads(path.read_text("utf-8"))
    known["stages"][0]["place_kind"] = "moon"
    path.write_text(json.dumps(known), "utf-8")
    with pytest.raises(OtherMindsError, match="changed after the export"):
        read(study)
    path.write_text("{}", "utf-8")
    with pytest.raises(OtherMindsError, match="not the key of a study"):
        read(study)


def test_intervals_are_cut_to_the_scale_and_readers_learn_it(study: Path) -> None:
    # Whoever is right on two stages alone, of four with as many answers, has 0.5 ± 3.18 * 0.29.
    golds, known = answer_key(study), key.read(study)
    lucky = {one.row for stage in known.stages[:2] for one in stage.questions}
    wrong = {row: "b" if gold == "a" else "a" for row, gold in golds.items()}
    for name in ("A01", "A02", "A03"):
        fill(
            study, name, lambda row: (golds if row["row"] in lucky else wrong).get(row["row"], "4")
        )
    found = as_json(evaluate(read(study)))
    assert found["accuracy"]["overall"]["low"] == 0
    assert found["accuracy"]["overall"]["high"] == 1
    assert any("cut to the ends of the scale" in note for note in found["notes"])


def test_a_row_keeps_no_secret_from_who_has_the_data(study: Path) -> None:
    told = (study / "README.txt").read_text("utf-8")
    assert "whoever has them finds every question by its text" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "{study}/key.json"), "is the key of a study"),
        (("--reference", "{study}/returned/../KEY.json"), "is the key of a study"),
        (("--out", "{study}/returned/found.json"), "what annotators were sent or sent back"),
        (("--reference", "{study}/for_A01/found.json"), "what annotators were sent or sent back"),
        (("--reference", "{study}/results.json"), "is given twice"),
        (("--out", "{study}/a.json", "--reference", "{study}/../study/a.json"), "is given twice"),
    ],
)
def test_no_output_takes_the_place_of_what_the_study_needs(
    study: Path, words: tuple[str, ...], message: str
) -> None:
    fill(study, "A01", right(study))
    before = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
    given = [word.format(study=study) for word in words]
    done = CliRunner().invoke(app, ["annotate", "socialmindchange", "read", str(study), *given])
    assert isinstance(done.exception, OtherMindsError)
    assert message in str(done.exception)
    assert {path: path.read_bytes() for path in study.rglob("*") if path.is_file()} == before


def test_the_commands(source: Path, tmp_path: Path) -> None:
    def call(*words: str | Path) -> str:
        done = CliRunner().invoke(
            app, ["annotate", "socialmindchange", *map(str, words)], catch_exceptions=False
        )
        assert done.exit_code == 0, done.output
        return done.output

    study = tmp_path / "study"
    words = ("--part", "base", "--stages", "4", "--items", "2", "--raters", "2", "--seed", "3")
    words = (*words, "--dataset", DATASET)
    assert "A02: 4 stages, 8 questions" in call("export", study, *words, "--source", source)
    for name in sampling.annotators(2):
        fill(study, name, right(study))
    call("read", study, "--reference", tmp_path / "reference.json")
    found = json.loads((study / "results.json").read_text("utf-8"))
    assert found["accuracy"]["overall"]["value"] == 1.0
    assert found["accuracy"]["chance"] == 1 / 16
    assert found["retention"]["share"]["n_stages"] == 4
    assert (tmp_path / "reference.json").exists()
    with pytest.raises(OtherMindsError, match=r"must end in \.json"):
        call("read", study, "--out", tmp_path / "results.txt")
