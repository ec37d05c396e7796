"""Reports: what is written, and that the page's tables hold what the samples hold."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import analysis
from otherminds.analysis.contents import page_contents
from otherminds.analysis.texts import Texts
from otherminds.errors import OtherMindsError
from otherminds.page import Contents
from otherminds.running.run import Finished
from tests.engine.analysis.conftest import MODELS, SUBSET, evaluated
from tests.engine.analysis.made import BDU, BOTH, BSI, BSI_LOGPROB, DATES, letter, opinion, run_of
from tests.helpers.packed import opened

pytest.importorskip("altair", reason="the extra 'report' is not installed")

LIMITED = (*SUBSET, "--limit", "120")


@pytest.fixture(scope="module")
def folder(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Samples of two weightless models on two tasks."""
    out = tmp_path_factory.mktemp("reported")
    for name in ("random", "corrupted-oracle"):
        for task in (BOTH, BSI_LOGPROB):
            evaluated(out, *MODELS[name], *LIMITED, task=task)
    return out


@pytest.fixture(scope="module")
def reported(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> analysis.Report:
    return analysis.report(
        [folder], tmp_path_factory.mktemp("report") / "new", title="Two <models>"
    )


def contents(*paths: Path) -> Contents:
    texts = Texts()
    runs = analysis.read_runs(paths, visit=texts)
    return page_contents("Title", analysis.score(runs, check=False), [], runs.notes, texts)


def lines_of(folder: Path, task: str = BOTH) -> dict[tuple[str, str], dict[str, Any]]:
    """All sample lines below a folder, by model and document."""
    found = {}
    for path in folder.rglob(f"samples_{task}_2*.jsonl.zst"):
        with opened(path) as lines:
            for line in map(json.loads, lines):
                found[path.parent.name, line["doc"]["item_id"]] = line
    return found


def test_tables_plots_and_a_page_are_written(reported: analysis.Report) -> None:
    out = reported.folder
    assert {path.name for path in reported.tables} == {
        "scores.csv",
        "table_hugagent-synthetic.md",
        "table_hugagent-synthetic.tex",
    }
    kinds = Counter(path.suffix for path in reported.plots)
    assert kinds[".svg"] == kinds[".png"] > 5
    for path in [*reported.tables, *reported.plots, reported.page]:
        assert path.is_relative_to(out)
        assert path.stat().st_size > 100
    assert not [path for path in out.rglob("*") if "partial" in path.name]
    page = reported.page.read_text(encoding="utf-8")
    assert "Two &lt;models&gt;" in page
    assert "Two <models>" not in page
    for name in ("random", "corrupted-oracle", BOTH, BSI_LOGPROB):
        assert name in page
    # The notes say what the checks found: not all documents were run.
    assert any("coverage: 120 of" in note for note in reported.notes)


def test_the_page_has_every_sample_as_its_file_has_it(folder: Path) -> None:
    made = contents(folder)
    lines = lines_of(folder)
    shown = made.samples[made.samples["task"] == BOTH]
    assert len(shown) == len(lines) == 240
    for row in shown.to_dict("records"):
        line = lines[row["run"], row["item_id"]]
        doc = line["doc"]
        assert list(row["raw"]) == line["filtered_resps"][0]
        assert (row["person"], row["part"]) == (doc["participant_id"], doc["topic"])
        assert row["gold"] == doc["answer"]
        # Evidence and question together are the prompt, to the letter.
        prompt = line["arguments"]["gen_args_0"]["arg_0"]
        assert made.evidence[row["evidence_id"]] + str(row["question"]) == prompt


def test_a_persons_evidence_is_kept_once(folder: Path) -> None:
    made = contents(folder)
    people = made.samples[["person", "part"]].drop_duplicates()
    used = set(made.samples["evidence_id"])
    assert used == set(made.evidence)
    # Both models and all questions share one transcript for each person and topic.
    assert len(made.samples) == 480
    assert len(used) <= 2 * len(people)
    asked = made.samples["question"].map(str).map(len)
    kept = [len(made.evidence[name]) for name in made.samples["evidence_id"]]
    assert asked.sum() < sum(kept) / 3


def test_the_other_tables_follow_from_the_samples(folder: Path) -> None:
    made = contents(folder)
    lines = lines_of(folder)
    numbers = [line for line in lines.values() if line["doc"]["task"] == "bdu"]
    assert len(made.numeric) == len(numbers)
    row = made.numeric.iloc[0]
    assert row["low"] <= row["answer"] <= row["high"]
    # One value per person, the mean of theirs.
    of_one = made.people[(made.people["run"] == "random") & (made.people["task"] == BOTH)]
    samples = made.samples[(made.samples["run"] == "random") & (made.samples["task"] == BOTH)]
    for person, value in zip(of_one["person"], of_one["value"], strict=True):
        assert value == pytest.approx(samples[samples["person"] == person]["score"].mean())
    # Only log-probabilities have a confidence; its bins hold each answer once.
    assert set(made.reliability["task"]) == {BSI_LOGPROB}
    for _, bins in made.reliability.groupby("run"):
        assert bins["n"].sum() == 120
        assert (
            (bins["bin_low"] <= bins["confidence"]) & (bins["confidence"] <= bins["bin_high"])
        ).all()
    assert set(made.scores["part"]) >= {"all", "healthcare"}
    assert not made.scores["metric"].str.startswith("n_").any()
    assert set(made.changes.columns) >= {"true_change", "predicted_change"}
    assert len(made.changes) > 0


def test_lengths_of_interviews_are_binned(folder: Path) -> None:
    made = contents(folder)
    found = made.curves[(made.curves["run"] == "random") & (made.curves["task"] == BOTH)]
    lines = [line for (model, _), line in lines_of(folder).items() if model == "random"]
    starts = Counter(len(line["doc"]["context"]) // 5 * 5 for line in lines)
    if len(starts) > 1:
        assert dict(zip(found["x"] - 2, found["n"], strict=True)) == dict(starts)
    else:
        assert found.empty


def test_sections_without_anything_to_show_are_left_out(tmp_path: Path) -> None:
    lines = [letter("i1", "A", "A"), letter("i2", "B", "A", participant_id="P2")]
    run_of(tmp_path / "in", lines, task=BSI)
    made = contents(tmp_path / "in")
    for name in ("numeric", "changes", "reliability", "curves", "comparison", "references"):
        assert getattr(made, name).empty, name
    assert len(made.samples) == 2
    found = analysis.report([tmp_path / "in"], tmp_path / "out")
    kinds = {path.name.split("-")[0] for path in found.plots}
    assert not kinds & {"answers", "changes", "calibration", "curves"}
    page = found.page.read_text(encoding="utf-8")
    for heading in ("Calibration", "Comparison", "Predicted"):
        assert f">{heading}" not in page


def test_all_runs_of_a_sample_are_shown(tmp_path: Path) -> None:
    for date, said in zip(DATES, ("7", "lol", "8"), strict=False):
        run_of(tmp_path, [opinion("i1", "7", said)], date=date)
    [row] = contents(tmp_path).samples.to_dict("records")
    assert list(row["raw"]) == ["7", "lol", "8"]
    assert row["answers"] == "7 | – | 8"
    assert row["parsed"] is False
    assert row["correct"] is True  # in most runs
    assert row["score"] == pytest.approx(2 / 3)


def test_models_that_cannot_be_compared_are_reported_side_by_side(tmp_path: Path) -> None:
    lines = [letter("i1", "A", "A"), letter("i2", "B", "A", participant_id="P2")]
    run_of(tmp_path / "in/a", lines, model="a", task=BSI)
    run_of(tmp_path / "in/b", lines, model="b", task=BSI, chat_template_applied=True)
    found = analysis.report([tmp_path / "in"], tmp_path / "out")
    assert any("the models are not compared" in note for note in found.notes)
    assert "the models are not compared" in found.page.read_text(encoding="utf-8")
    assert {one.run.name for one in found.scores.scored} == {"a", "b"}


def test_hostile_names_and_answers_do_not_become_markup(tmp_path: Path) -> None:
    evil = "<script>window.pwned=1</script>"
    lines = [
        letter("i1", "A", f"A {evil}", participant_id=evil),
        letter(evil, "B", "</textarea>", topic=evil),
    ]
    run_of(tmp_path / "in", lines, model=f"m {evil}", task=BSI)
    found = analysis.report([tmp_path / "in"], tmp_path / "out", title=evil)
    for path in [found.page, *(path for path in found.tables if path.suffix == ".md")]:
        assert evil not in path.read_text(encoding="utf-8")
    for plot in found.plots:
        assert plot.parent == tmp_path / "out" / "plots"


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_nothing_is_half_written_where_nothing_can_be_written(place: str, tmp_path: Path) -> None:
    lines = [letter("i1", "A", "A"), letter("i2", "B", "A", participant_id="P2")]
    run_of(tmp_path / "in", lines, task=BSI)
    (tmp_path / "file").write_text("in the way")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OtherMindsError, match="Cannot write"):
        analysis.report([tmp_path / "in"], tmp_path / place)
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_report_without_a_single_score_is_refused(tmp_path: Path) -> None:
    lines = [letter("i1", "A", "A"), letter("i1", "A", "A")]
    path = run_of(tmp_path / "in", lines, task=BSI)
    path.write_bytes(b"")
    with pytest.raises(OtherMindsError, match="None of these files has a sample"):
        analysis.report([path], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_report_of_a_report_folder_replaces_it(tmp_path: Path) -> None:
    lines = [letter("i1", "A", "A"), letter("i2", "B", "A", participant_id="P2")]
    run_of(tmp_path / "in", lines, task=BSI)
    first = analysis.report([tmp_path / "in"], tmp_path / "out")
    page = first.page.read_bytes()
    table = (tmp_path / "out" / "scores.csv").read_bytes()
    again = analysis.report([tmp_path / "in"], tmp_path / "out")
    assert again.page.read_bytes() == page
    assert (tmp_path / "out" / "scores.csv").read_bytes() == table
    # What others wrote under our name stays, and is looked at before any run is read.
    (tmp_path / "out" / "scores.csv").write_text("mine\n1\n")
    with pytest.raises(OtherMindsError, match="`otherminds report` did not write"):
        analysis.report([tmp_path / "nowhere"], tmp_path / "out")
    assert (tmp_path / "out" / "scores.csv").read_text() == "mine\n1\n"


def test_a_vote_is_reported_beside_its_members(
    choosers: Mapping[str, Finished], tmp_path: Path
) -> None:
    from otherminds.analysis.ensembles import write_vote

    paths = [path for run in choosers.values() for path in run.sample_paths]
    write_vote(analysis.ensemble(analysis.read_runs(paths)), tmp_path / "vote")
    made = contents(tmp_path / "vote", *paths)
    assert len(made.samples) == 4 * 390
    assert any(str(run).startswith("ensemble by vote") for run in made.samples["run"])


def test_one_limited_run_does_not_spoil_the_comparison_of_whole_ones(tmp_path: Path) -> None:
    lines = [letter(f"i{number}", "A", "A" if number % 3 else "B") for number in range(12)]
    for model in ("one", "two"):
        run_of(tmp_path, lines, task=BSI, model=model, date=DATES[model == "two"])
    path = run_of(tmp_path, [letter("i0", "A", "no idea")], task=BSI, model="few", date=DATES[2])
    beside = path.with_name(f"results_{DATES[2]}.json")
    results = json.loads(beside.read_text())
    results["n-samples"][BSI]["original"] = len(lines)
    beside.write_text(json.dumps(results))
    found = analysis.report([tmp_path], tmp_path / "out")
    assert (
        f"few, {BSI}: not compared with the others, because it was run on 1 document only"
        in " ".join(found.notes)
    )
    assert not any("were left out, because not all runs answered them" in n for n in found.notes)
    assert any("1 of 1 answers could not be parsed" in note for note in found.notes)


def test_the_page_says_when_numbers_near_the_true_one_count(tmp_path: Path) -> None:
    path = run_of(tmp_path, [opinion("i", "7", "9")], task=BDU)
    found = contents(path)
    assert list(found.samples["correct"]) == [True]
    assert "at most 2 away on a scale of 1 to 10" in found.right[BDU]
    assert found.called[BDU] == "people"
