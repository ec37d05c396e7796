"""A language model as the judge of titles: what it is asked, how it is read, what is built with it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from otherminds import files, harness
from otherminds.cli import catalogue, doctor, showing
from otherminds.cli.main import app
from otherminds.data import loading as data
from otherminds.data.build import dataset as build
from otherminds.data.repository.write import manifest_of
from otherminds.dataset_builders.debate import ddo
from otherminds.dataset_builders.debate.titles import rejection
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.metrics.debate.prediction import parse_yes_or_no
from otherminds.running import results
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.scoring.scorer import over_documents
from otherminds.tasks.debate import scoring_titles as scoring
from otherminds.tasks.debate import titles as title_filter
from otherminds.tasks.debate.titles import DATASET, TASK, item_id, verdicts
from otherminds.types import Doc
from tests.helpers import fictional_debates as fictional
from tests.helpers.packed import unpacked
from tests.helpers.tiny_model import make as make_model

ASKED, STATED = "Kites or balloons fly higher in May?", "kites or balloons fly higher in MAY"


@pytest.fixture(autouse=True)
def _quiet() -> None:
    harness.quiet(debug=False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    debates, users = fictional.sample()
    # The rules reject the question, and not the same words without a question mark.
    debates["asked/1/"] = fictional.debate(ASKED, "Ada", "Bo", "11/06/2010")
    debates["stated/1/"] = fictional.debate(STATED, "Gus", "Hal", "11/06/2010")
    return fictional.write_corpus(tmp_path_factory.mktemp("corpus"), debates, users)


@pytest.fixture
def _any_embedding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ddo, "sentence_bert", lambda model: fictional.hashed)


def loaded(corpus: Path) -> Any:
    manager = harness.task_manager({"data_source": str(corpus), "pretrained": "x"})
    return harness.load_tasks(manager, [TASK])[TASK]


def documents(corpus: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = loaded(corpus).eval_docs.to_list()
    return rows


def written(
    path: Path, docs: list[dict[str, Any]], answer: Callable[[Doc], str], **more: Any
) -> Path:
    """A sample file in the form that lm-eval and `otherminds run` write."""
    lines = ({"doc": doc, "filtered_resps": [[answer(doc)]], **more} for doc in docs)
    return results.write_lines(path, lines)


def by_rules(doc: Doc) -> str:
    return "no" if doc["rejected_as"] else "yes"


# What is asked


def test_each_title_is_asked_about_once_without_what_surrounds_it(corpus: Path) -> None:
    docs = documents(corpus)
    titles = {doc["title"]: doc["rejected_as"] for doc in docs}
    assert len(titles) == len(docs) == len({doc["item_id"] for doc in docs})
    # "&quot;FERRIES should be free of charge.&quot;" is the same title again.
    assert titles["Ferries should be free of charge"] is None
    assert [title for title in titles if "erries" in title.lower()] == [fictional.STATEMENTS[0]]
    assert titles["Kites vs. Balloons"] == "comparison"
    assert titles["The merits of porridge"] == "fragment"
    assert "" not in titles
    assert [doc["item_id"] for doc in docs] == sorted(doc["item_id"] for doc in docs)


def test_a_title_counts_as_accepted_by_the_rules_where_one_wording_is(corpus: Path) -> None:
    assert rejection(ASKED) == "comparison"
    assert rejection(STATED) is None
    found = {doc["title"]: doc["rejected_as"] for doc in documents(corpus)}
    assert found["Kites or balloons fly higher in May"] is None
    assert STATED[1:] not in {title[1:] for title in found}


def test_titles_that_name_a_user_are_shown_to_no_model(corpus: Path) -> None:
    shown = " ".join(doc["title"].lower() for doc in documents(corpus))
    assert "cy_77" not in shown


def test_the_prompt_shows_the_title_and_nothing_else_of_the_document(corpus: Path) -> None:
    task = loaded(corpus)
    doc = next(d for d in task.eval_docs if d["title"] == "Kites vs. Balloons")
    shown = task.doc_to_text(doc)
    assert "Title: Kites vs. Balloons\n" in shown
    assert shown.endswith("Reply with one word, yes or no.")
    assert task.doc_to_text({**doc, "item_id": "@@", "rejected_as": "@@"}) == shown
    other = task.doc_to_text({**doc, "title": "@@"})
    assert shown.replace("Kites vs. Balloons", "@@") == other


@pytest.mark.parametrize(("fault", "said"), [("nowhere", "no file or folder"), ("", "lacks")])
def test_a_corpus_that_cannot_be_read_is_one_clear_error(
    tmp_path: Path, fault: str, said: str
) -> None:
    with pytest.raises(OtherMindsError, match=said) as caught:
        title_filter.documents(dataset=DATASET, data_source=str(tmp_path / fault))
    assert not isinstance(caught.value, AccessNeededError)
    assert "\n" not in str(caught.value)


def test_a_corpus_without_titles_is_refused(tmp_path: Path) -> None:
    debates = {"a": fictional.debate(None, "Ada", "Bo", "11/06/2010")}
    folder = fictional.write_corpus(tmp_path, debates, {"Ada": fictional.user()})
    with pytest.raises(OtherMindsError, match="no debate with a title"):
        title_filter.documents(dataset=DATASET, data_source=str(folder))


def test_without_a_corpus_the_task_says_how_to_get_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(AccessNeededError) as caught:
        title_filter.documents(dataset=DATASET)
    for word in (TASK, "esdurmus", "data_source", "otherminds[debate]"):
        assert word in str(caught.value)
    assert "  3. Name the folder" in str(caught.value)
    with pytest.raises(OtherMindsError, match="no titles"):
        title_filter.documents(dataset="debate-beliefs-synthetic")

    showing.print_named(TASK, 0, {})
    assert "data_source" in capsys.readouterr().out
    catalogue.print_tasks("debate")
    assert TASK in capsys.readouterr().out


def test_the_doctor_finds_no_fault_without_a_corpus() -> None:
    findings = [f for f in doctor.task_files() if f.subject == f"file {TASK}.yaml"]
    [entry] = [e for e in harness.entries(harness.task_manager()) if e.name == TASK]
    findings.append(
        doctor._check(TASK, lambda: doctor._tried(harness.task_manager(), entry, set(), {}))
    )
    assert [f.passed for f in findings] == [True, True]
    assert "not available here" in findings[1].detail


def test_show_prints_a_prompt_where_the_corpus_is(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    showing.print_named(TASK, 0, {"data_source": str(corpus)})
    shown = capsys.readouterr().out
    assert f"n = {len(documents(corpus))} documents\n" in shown
    assert documents(corpus)[0]["title"] in shown


def test_the_task_scores_what_it_lists(corpus: Path) -> None:
    task = loaded(corpus)
    scored = task.process_results(task.eval_docs[0], harness.no_answer(task))
    assert set(scored) == {entry["metric"] for entry in task.config.metric_list}


# How answers are read


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("yes", True),
        ("No.", False),
        ("**Yes**", True),
        ("Yes, it can be read as a claim about zoos.", True),
        ("No - it names two things.", False),
        ("No: a name.", False),
        ("The title makes a claim.\n\nAnswer: yes", True),
        ("The title is a question.\n\nNo", False),
        ("<think>no, or yes?</think>yes", True),
        # Neither, both, taken back, or cut off.
        ("", None),
        (None, None),
        ("None", None),
        ("A", None),
        ("maybe", None),
        ("yes or no", None),
        ("yes/no", None),
        ("No, yes", None),
        ("Yes. Wait, it is a question.", None),
        ("Yes, it is a claim.\n\nAnswer: no", None),
        ("No one would disagree", None),
        ("<think>yes", None),
        ("Yes, " + "x" * 30_000, None),
    ],
)
def test_a_verdict_is_yes_or_no_or_unread(answer: str | None, verdict: bool | None) -> None:
    assert parse_yes_or_no(answer) is verdict


@given(st.text(st.sampled_from("yesno YN.,-:*\n/<think>"), max_size=40))
def test_reading_never_raises_and_does_not_depend_on_capitals(text: str) -> None:
    assert parse_yes_or_no(text) is parse_yes_or_no(text.upper())


def scored(name: str, rejected: str | None, *answers: str | None) -> dict[str, Any]:
    return dict(scoring.text({"item_id": name, "rejected_as": rejected}, [answers]))


def test_shares_are_of_the_titles_that_were_read() -> None:
    docs = [
        scored("a", None, "yes"),
        scored("b", None, "no"),
        scored("c", "fragment", "no"),
        scored("d", "question", "yes", "no"),
        scored("e", "question", "hm", None),
    ]
    numbers = {
        name: over_documents([doc[name] for doc in docs])
        for name in ("accepted", "agreement", "parse_rate", "accepted_stderr", "n_titles")
    }
    # Accepted: 1, 0, 0 and ½ of d's two runs, e unread. s² = ((⅝)² + 2·(⅜)² + (⅛)²) / 3 = 11/48.
    assert numbers["accepted"] == pytest.approx(3 / 8)
    assert numbers["accepted_stderr"] == pytest.approx(math.sqrt(11 / 48 / 4))
    # As the rules: a yes, b not, c yes, d in one run of two.
    assert numbers["agreement"] == pytest.approx(2.5 / 4)
    assert numbers["parse_rate"] == pytest.approx(4 / 5)
    assert numbers["n_titles"] == 5
    record = docs[0]["accepted"].record
    details = record.details([doc["accepted"].record for doc in docs])
    assert details["estimates"]["accepted"]["n"] == 4
    assert details["counts"] == {"n_titles": 5}


def test_answers_that_cannot_be_read_leave_a_complete_table() -> None:
    doc = scored("a", None, "")
    assert over_documents([doc["parse_rate"]]) == 0.0
    assert math.isnan(over_documents([doc["accepted"]]))
    assert math.isnan(over_documents([doc["agreement"]]))


def test_a_document_of_another_task_is_refused() -> None:
    good = {"item_id": "title-1", "title": "Zoos are cruel", "rejected_as": None}
    scoring.check_doc(good)
    with pytest.raises(ValueError, match="title"):
        scoring.check_doc({"item_id": "ddo-000001", "rejected_as": None})


# What is read of a sample file


def test_verdicts_are_read_from_either_form_of_file_under_any_name(
    corpus: Path, tmp_path: Path
) -> None:
    docs = documents(corpus)
    packed = written(tmp_path / "a.jsonl.zst", docs, lambda d: "" if d is docs[0] else by_rules(d))
    plain = tmp_path / "b.jsonl"
    plain.write_bytes(unpacked(packed))
    one, other = verdicts(packed), verdicts(plain)
    assert one.says == other.says == {d["item_id"]: by_rules(d) == "yes" for d in docs[1:]}
    assert one.unread == other.unread == 1
    assert one.sha256 == files.sha256(packed) != other.sha256


def test_titles_without_a_verdict_are_judged_by_the_rules(corpus: Path, tmp_path: Path) -> None:
    docs = documents(corpus)
    kept = [d for d in docs if d["title"] == "Kites vs. Balloons"]
    unread = [d for d in docs if d["title"] == "Zoos are cruel to animals"]
    path = written(tmp_path / "s.jsonl.zst", kept + unread, lambda d: "yes" if d in kept else "hm")
    judge = verdicts(path)
    # Spelt otherwise, it is the same title.
    assert judge("&quot;KITES vs. balloons&quot;") is None
    assert judge("Zoos are cruel to animals") is None
    assert judge("Tea or coffee?") == rejection("Tea or coffee?") == "comparison"
    assert judge("!!!") == "empty"
    assert list(judge.judged().values()) == [1, 3]


def of_a_person(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "doc": {"item_id": "ddo-000001", "proposition": "Zoos are cruel"}}


def renamed(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "doc": {**line["doc"], "title": "Something else"}}


def repeated(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "filtered_resps": [["yes", "no"]]}


def of_options(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "filtered_resps": [["-1.0", "True"], ["-2.0", "False"]]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (of_a_person, "line 1 is not a sample of debate_title_filter"),
        (renamed, "line 1 is not a sample"),
        (repeated, "line 1 has several answers"),
        (of_options, "line 1 is not a sample"),
        (lambda line: [], "line 1 is not a sample"),
    ],
)
def test_a_foreign_file_is_one_clear_error(
    corpus: Path, tmp_path: Path, change: Callable[[dict[str, Any]], Any], said: str
) -> None:
    line = {"doc": documents(corpus)[0], "filtered_resps": [["yes"]]}
    path = results.write_lines(tmp_path / "s.jsonl.zst", [change(line)])
    with pytest.raises(OtherMindsError, match=said) as caught:
        verdicts(path)
    assert f"Run {TASK} on the corpus" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_damaged_empty_and_missing_files_are_refused(corpus: Path, tmp_path: Path) -> None:
    docs = documents(corpus)
    path = written(tmp_path / "s.jsonl.zst", docs, by_rules)
    cut = tmp_path / "cut.jsonl.zst"
    cut.write_bytes(path.read_bytes()[:-30])
    text = tmp_path / "text.jsonl"
    text.write_text("yes\n", encoding="utf-8")
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    twice = written(tmp_path / "twice.jsonl.zst", [docs[0], docs[0]], by_rules)
    silent = written(tmp_path / "silent.jsonl.zst", docs, lambda doc: "None")
    for wrong, said in (
        (cut, "cannot be read to its end"),
        (text, "cannot be read to its end"),
        (empty, "has no samples"),
        (twice, "a second time"),
        (silent, f"None of the {len(docs)} answers"),
        (tmp_path / "nowhere.jsonl", "There is no sample file"),
        (tmp_path, "There is no sample file"),
    ):
        with pytest.raises(OtherMindsError, match=said):
            verdicts(wrong)


# What is built with it


@pytest.mark.usefixtures("_any_embedding")
def test_a_judge_that_says_what_the_rules_say_builds_the_same_rows(tmp_path: Path) -> None:
    corpus = fictional.write_corpus(tmp_path / "corpus", *fictional.sample())
    path = written(tmp_path / "s.jsonl.zst", documents(corpus), by_rules)
    build.build(DATASET, tmp_path / "rules", source=corpus)
    build.build(DATASET, tmp_path / "model", source=corpus, judge=verdicts(path))
    by_rules_alone, by_model = (manifest_of(tmp_path / name) for name in ("rules", "model"))
    assert by_rules_alone.configs == by_model.configs
    assert by_rules_alone.version == "1.0"
    assert by_model.version == f"1.0+titles.{files.sha256(path)[:8]}"
    assert by_model.measured["titles_file"] == files.sha256(path)
    assert by_model.measured["titles_verdicts"] == len(documents(corpus))
    assert "titles_file" not in by_rules_alone.measured


@pytest.mark.usefixtures("_any_embedding")
def test_the_build_follows_the_model_and_says_who_judged_what(corpus: Path, tmp_path: Path) -> None:
    docs = documents(corpus)
    wanted = {"Kites vs. Balloons": "Yes, with some good will.", "Chess is a sport": "no"}
    asked = [doc for doc in docs if doc["title"] in wanted]
    path = written(tmp_path / "some.jsonl.zst", asked, lambda doc: wanted[doc["title"]])
    judge = verdicts(path)
    built = ddo.build(
        corpus,
        ddo.DdoSpec(seed=1, salt="x"),
        embed=fictional.hashed,
        judge=judge,
        judged=judge.judged,
    )
    texts = set(built.table["proposition"].to_pylist())
    texts |= {k["proposition"] for row in built.table.to_pylist() for k in row["known_beliefs"]}
    assert "Kites vs. Balloons" in texts
    assert "Chess is a sport" not in texts
    step = next(step for step in built.funnel if step.name == "readable titles")
    # One debate has each of the two titles; of all others the rules judged.
    debates = built.funnel[0].counts["debates"]
    assert step.counts["debates judged by the model"] == 2
    assert step.counts["debates without a verdict, judged by the rules"] == debates - 2
    assert step.dropped["title: not a statement, says the model"] == 1
    assert {a.name: a.value for a in judge.audits()} == {
        "titles_file": files.sha256(path),
        "titles_verdicts": 2,
        "titles_by_model": 2,
        "titles_by_rules": debates - 2,
    }


@pytest.mark.usefixtures("_any_embedding")
def test_verdicts_of_another_corpus_end_the_build(corpus: Path, tmp_path: Path) -> None:
    doc = {"item_id": item_id("Moss is green"), "title": "Moss is green", "rejected_as": None}
    judge = verdicts(written(tmp_path / "s.jsonl.zst", [doc], by_rules))
    with pytest.raises(OtherMindsError, match=r"None of the corpus' .* titles has"):
        build.build(DATASET, tmp_path / "out", source=corpus, judge=judge)
    assert not (tmp_path / "out").exists()
    with pytest.raises(OtherMindsError, match="no titles to judge"):
        build.build("debate-beliefs-issues", tmp_path / "out", source=corpus, judge=judge)


class Says(LM):
    """Answers every title by a rule of its own, and counts how often it is asked."""

    def generate_until(self, requests: list[Instance]) -> list[str]:
        return ["no" if " vs. " in request.args[0][-200:] else "yes" for request in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise AssertionError("nobody asks for likelihoods")

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise AssertionError("nobody asks for likelihoods")


@pytest.mark.usefixtures("_any_embedding")
def test_from_the_question_to_the_dataset(corpus: Path, tmp_path: Path) -> None:
    arguments = harness.parse_arguments(
        ["--metadata", json.dumps({"data_source": str(corpus)})],
        default_model="x",
        default_output="o",
    )
    found = harness.evaluate(Says(), harness.task_manager(arguments.metadata), [TASK], arguments)
    docs = documents(corpus)
    numbers = found["results"][TASK]
    share = sum(" vs. " not in doc["title"] for doc in docs) / len(docs)
    assert numbers["accepted,none"] == pytest.approx(share)
    assert numbers["parse_rate,none"] == 1.0
    assert numbers["n_titles,none"] == len(docs)
    rows = map(harness.plain_sample, found["samples"][TASK])
    path = results.write_lines(tmp_path / "samples.jsonl.zst", rows)

    out = tmp_path / "out"
    words = [
        "build",
        DATASET,
        str(out),
        "--source",
        str(corpus),
        "--titles",
        str(path),
        "--verbose",
    ]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "titles_by_model" in done.output
    known = manifest_of(out)
    assert known.version.startswith("1.0+titles.")
    origin = data.locate(DATASET, source=str(out))
    assert origin.version.startswith(known.version)
    rows_of = data.load(DATASET, "beliefs", source=str(out))["test"]
    said = {row["proposition"] for row in rows_of}
    said |= {k["proposition"] for row in rows_of for k in row["known_beliefs"]}
    assert "Tea or coffee" in said
    assert "Kites vs. Balloons" not in said


def test_a_run_can_be_built_with_and_asks_nothing_twice(corpus: Path, tmp_path: Path) -> None:
    docs = documents(corpus)
    model = make_model(tmp_path / "model", [doc["title"] for doc in docs] + ["yes no"], says="yes")
    flags = (
        *("--model", "hf", "--model_args", f"pretrained={model},dtype=float32", "--device", "cpu"),
        *("--metadata", json.dumps({"data_source": str(corpus)})),
        *("--output_path", str(tmp_path / "out")),
    )
    few = run([TASK], [*flags, "--limit", "5"], Options())
    finished = run([TASK], flags, Options())
    assert few is not None
    assert finished is not None
    assert few.results["otherminds"]["journal"]["asked"] == 5
    journal = finished.results["otherminds"]["journal"]
    assert (journal["asked"], journal["reused"]) == (len(docs) - 5, 5)
    scores = finished.results["otherminds"]["scores"][TASK]
    assert scores["estimates"]["accepted"]["value"] == 1.0
    assert verdicts(finished.samples[TASK]).says == {doc["item_id"]: True for doc in docs}
    assert len(verdicts(few.samples[TASK]).says) == 5


def test_a_weightless_model_gives_no_verdicts(corpus: Path, tmp_path: Path) -> None:
    flags = ("--metadata", json.dumps({"data_source": str(corpus)}), "--output_path", str(tmp_path))
    finished = run([TASK], flags, Options())
    assert finished is not None
    assert finished.results["results"][TASK]["parse_rate,none"] == 0.0
    with pytest.raises(OtherMindsError, match="says yes or no"):
        verdicts(finished.samples[TASK])
