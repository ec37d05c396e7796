"""`--runs K` of chains of stages: each run on its own answers, resumed, and summed up."""

from __future__ import annotations

import json
import math
import sqlite3
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds import analysis, harness, weightless
from otherminds.cli.main import app
from otherminds.metrics.hugagent import Item
from otherminds.metrics.trust_game import Forecast
from otherminds.running import repeated, stages
from otherminds.running.journal import Journal
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from otherminds.scoring.base import EACH, RUNS, details_of_chains
from otherminds.tasks.hugagent.scoring import HUMAN, Scored
from otherminds.tasks.synchtom.weightless import Answerer
from otherminds.tasks.trust_game import scoring as trust_game
from tests.engine.running.test_runs import Seeded, requests
from tests.engine.running.test_stages import count, lines
from tests.helpers import killed
from tests.helpers.askers import asker
from tests.helpers.tiny_model import make as make_model
from tests.synchtom.tasks.test_synchtom import built, oracle

NOTES, FINAL = "hugagent_reflections_notes_synthetic", "hugagent_reflections_synthetic"
INDIVIDUAL, FORECAST, LAST = "trust_game_individual", "trust_game_forecast", "trust_game_rounds"
ANSWERS, JUDGE = "synchtom_10turn", "synchtom_10turn_judge"


@pytest.fixture(autouse=True, scope="module")
def _data(twelve_people: Path) -> None:
    harness.quiet(debug=False)


def chains(task: str, folder: Path, *flags: str, model: str = "random", runs: int = 3) -> Finished:
    told = ("--model", model, "--output_path", str(folder), *flags)
    found = run([task], told, Options(runs=runs))
    assert found is not None
    return found


def manifests(finished: Finished) -> list[dict[str, Any]]:
    paths = [one.stages_path for one in finished.runs]
    return [json.loads(path.read_text()) for path in paths if path is not None]


# By hand.


def item(name: str, answer: str | None) -> Scored:
    return Scored(Item(name, f"P{name}", "zoning", "bsi", "", "", 0, 0, "A", (answer,)), HUMAN)


def test_runs_of_the_same_items_are_pooled() -> None:
    # Accuracies 1, ½ and 0 of the same two items, which the second run answered in another order.
    each = [[("a", "A"), ("b", "A")], [("b", "B"), ("a", "A")], [("a", "B"), ("b", "B")]]
    found = details_of_chains([[item(*one) for one in answers] for answers in each])
    spread = found[RUNS]["estimates"]["bsi_acc"]
    assert spread["values"] == [1, 0.5, 0]
    # Squares ¼, 0, ¼ over 3, not over 2.
    assert (spread["mean"], spread["sd"]) == (0.5, pytest.approx(math.sqrt(1 / 6)))
    pooled = found["estimates"]["bsi_acc"]
    # Two items, not six. The people's own means are 2/3 and 1/3.
    assert (pooled["value"], pooled["n"], pooled["n_clusters"]) == (0.5, 2, 2)
    assert EACH not in found


@pytest.mark.parametrize(
    "other", [item("c", "A"), Scored(item("a", "A").item._replace(gold="B"), HUMAN)]
)
def test_other_items_are_not_pooled(other: Scored) -> None:
    found = details_of_chains([[item("a", "A")], [other]])
    assert found["estimates"] == {}
    assert [one["bsi_acc"]["n"] for one in found[EACH]] == [1, 1]
    assert found[RUNS]["n"] == 2


def test_games_have_a_mean_and_an_sd_and_no_common_interval() -> None:
    def game(persona: str, error: float) -> trust_game.Game:
        return trust_game.Game((Forecast(persona, "M1", 1, (5.0,), (5.0 + error,)),), ())

    # Mean errors 2 and 5: mean 3½, deviations ∓1½, population SD 1½.
    found = details_of_chains([[game("p", 1), game("q", 3)], [game("p", 4), game("q", 6)]])
    assert found["estimates"] == {}
    assert found[RUNS]["estimates"]["mae"] == {"mean": 3.5, "sd": 1.5, "values": [2.0, 5.0]}
    assert [one["mae"]["value"] for one in found[EACH]] == [2.0, 5.0]
    # One round has no slope, in any run.
    assert math.isnan(found[EACH][0]["mae_slope"]["value"])
    assert "mae_slope" not in found[RUNS]["estimates"]
    assert not found[RUNS]["identical"]


def test_nothing_scored_has_no_spread() -> None:
    assert details_of_chains([[], []]) == {}


# Without weights.


@pytest.fixture(scope="module")
def played(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Finished, Path]:
    harness.quiet(debug=False)
    folder = tmp_path_factory.mktemp("played")
    return chains(INDIVIDUAL, folder, "--limit", "6"), folder


def test_each_run_of_a_game_is_made_from_its_own_answers(played: tuple[Finished, Path]) -> None:
    finished, folder = played
    found = manifests(finished)
    hashes = set()
    for number, manifest in enumerate(found, start=1):
        assert manifest["complete"]
        own = folder / f"run_{number}"
        files = {one["task"]: one["samples"] for one in manifest["stages"]}
        hashes.add(files[FORECAST]["sha256"])
        for stage in manifest["stages"]:
            assert (own / stage["samples"]["path"]).is_file()
            assert all(stage["inputs"][name] == files[name] for name in stage["inputs"])
        results = json.loads((own / manifest["stages"][-1]["results"]["path"]).read_text())
        assert results["otherminds"]["run"] == number
    assert len(hashes) == 3


def test_the_table_of_runs_is_that_of_their_own_results(played: tuple[Finished, Path]) -> None:
    finished, folder = played
    values = [one["stages"][-1]["scores"]["mae"] for one in manifests(finished)]
    assert len(set(values)) == 3
    assert finished.runs_path is not None
    written = json.loads(finished.runs_path.read_text())
    assert [(folder / path).is_file() for path in written["runs"]] == [True] * 3
    mae = written["scores"][LAST][RUNS]["estimates"]["mae"]
    assert mae["values"] == pytest.approx(values)
    assert mae["mean"] == pytest.approx(statistics.fmean(values))
    assert mae["sd"] == pytest.approx(statistics.pstdev(values))


def test_no_game_counts_twice_when_it_is_scored_again(played: tuple[Finished, Path]) -> None:
    finished, folder = played
    scored = analysis.score(analysis.read_runs([folder]), check=False).scored
    found = [one.details["estimates"]["mae"] for one in scored if one.run.task == LAST]
    # Six rounds of six games, in each run by itself.
    assert [one["n"] for one in found] == [36] * 3
    each = [one["mae"] for one in finished.over_runs[LAST][EACH]]
    assert sorted(one["value"] for one in found) == pytest.approx(
        sorted(one["value"] for one in each)
    )


def test_the_command_labels_what_is_each_run_s_own(cache: Path, tmp_path: Path) -> None:
    told = ["run", INDIVIDUAL, "--runs", "2", "--model", "random", "--limit", "3", "--details"]
    done = CliRunner().invoke(app, [*told, "--output_path", str(tmp_path)])
    assert done.exit_code == 0, done.output
    shown = " ".join(done.output.split())
    assert "These runs are not pooled: each has an interval of its own" in shown
    assert "of run 1 alone" in shown
    assert "By trustee, mean ± SD of 2 runs" in shown
    assert "population SD of the runs' own scores" in shown
    assert f"Run 2: {tmp_path / 'run_2'}" in shown


class Fickle(Answerer):
    """Right in its first run, and half of the time in its second; then it repeats itself."""

    def reply(self, doc: Mapping[str, Any], run: int) -> str:
        is_right = run == 0 or int(doc["instance_id"][-1]) % 2 == 0
        return oracle(doc) if is_right else super().reply(doc, run)


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Finished:
    monkeypatch.setitem(weightless.GENERAL, "fickle", Fickle)
    told = ("--metadata", json.dumps({"data_source": str(built(tmp_path / "data"))}))
    return chains(JUDGE, tmp_path / "out", *told, model="fickle")


def test_a_judge_judges_each_run_s_answers(judged: Finished, tmp_path: Path) -> None:
    for number, manifest in enumerate(manifests(judged), start=1):
        answers, verdicts = manifest["stages"]
        assert [answers["task"], verdicts["task"]] == [ANSWERS, JUDGE]
        assert verdicts["inputs"][ANSWERS]["sha256"] == answers["samples"]["sha256"]
        given, seen = (
            lines(tmp_path / "out" / f"run_{number}" / one["samples"]["path"])
            for one in (answers, verdicts)
        )
        assert len(given) == len(seen)
    found = judged.over_runs[JUDGE]
    first, second, third = found[RUNS]["estimates"]["avg"]["values"]
    assert first == 100 > second == third
    # Of a, b, b: mean (a + 2b)/3, deviations ⅔ and twice -⅓ of a - b, and their root mean square.
    assert found["estimates"]["avg"]["value"] == pytest.approx((100 + 2 * second) / 3)
    sd = (100 - second) * math.sqrt(2) / 3
    assert found[RUNS]["estimates"]["avg"]["sd"] == pytest.approx(sd)
    assert found["estimates"]["avg"]["n"] == judged.results["n-samples"][JUDGE]["effective"]


def test_runs_that_answer_alike_are_runs_and_not_copies_of_a_file(
    judged: Finished, tmp_path: Path
) -> None:
    runs = analysis.read_runs([tmp_path / "out"])
    [again] = [one for one in analysis.score(runs, check=False).scored if one.run.task == JUDGE]
    assert again.details[RUNS] == judged.over_runs[JUDGE][RUNS]
    assert again.run.n_runs == 3


def test_the_only_run_of_a_chain_is_the_first_of_several(cache: Path, tmp_path: Path) -> None:
    chains(FINAL, tmp_path, "--limit", "20", runs=1)
    chains(FINAL, tmp_path, "--limit", "20", runs=2)
    runs = analysis.read_runs([tmp_path])
    [again] = [one for one in analysis.score(runs, check=False).scored if one.run.task == FINAL]
    assert again.run.n_runs == again.details[RUNS]["n"] == 2


def test_a_chain_without_sampling_is_called_copies() -> None:
    manager = harness.task_manager()

    def said(task: str, earlier: list[str], **told: object) -> str:
        return " ".join(repeated.notes(manager, [task], earlier=earlier, settings=told, runs=5))

    # The judge too is told what --gen_kwargs say.
    assert "5 runs are copies of one" in said(JUDGE, [ANSWERS])
    assert "the judge would sample" in said(JUDGE, [ANSWERS])
    assert said(JUDGE, [ANSWERS], do_sample=True, temperature=0.7) == ""
    # One stage that samples is enough.
    assert said(FINAL, [NOTES]) == ""


# The journal, and a real model.


def test_runs_of_a_chain_share_no_answer_and_ask_nothing_twice(tmp_path: Path) -> None:
    first, second = Seeded(), Seeded()
    with Journal(tmp_path / "j.sqlite") as journal:
        model = asker(first, journal)
        # Equal requests within a run are apart too.
        found = [model.in_run(k).generate_until(requests("ab", 2)) for k in range(3)]
        again = [asker(second, journal).in_run(k).generate_until(requests("ab", 2)) for k in (2, 1)]
    assert len({answer for answers in found for answer in answers}) == len(first.asked) == 12
    assert again == [found[2], found[1]]
    assert second.asked == []
    # The first run is that of a run without others.
    assert found[0] == [f"{prompt} under {1234 + k}" for prompt in "ab" for k in range(2)]


def real(model: Path) -> tuple[str, ...]:
    return (
        *("--model_args", f"pretrained={model},dtype=float32", "--device", "cpu"),
        *("--batch_size", "1"),
        *("--gen_kwargs", "do_sample=True,temperature=1,max_gen_toks=8"),
    )


def answers(finished: Finished, task: str) -> list[list[str]]:
    return [
        [line["filtered_resps"][0][0] for line in lines(one.samples[task])]
        for each in finished.runs
        for one in each.evaluations
        if task in one.samples
    ]


@pytest.mark.slow
def test_a_killed_run_of_chains_resumes_in_the_run_where_it_was(
    cache: Path, tmp_path: Path
) -> None:
    texts = [doc["question"] for doc in stages.load(harness.task_manager({}), FINAL).eval_docs]
    flags = (*real(make_model(tmp_path / "model", texts[:50])), "--limit", "3")
    out = tmp_path / "out"
    words = ("run", FINAL, "--runs", "3", "--model", "hf", *flags, "--output_path", out)
    # One person: three experts a run, then three items a run. This is in the third run's notes.
    killed.run_until(8, words, tmp_path)
    journal = out / "journal.sqlite"
    kept = count(journal)
    with sqlite3.connect(journal) as database:
        before = dict(database.execute("SELECT key, answer FROM answers"))
    finished = chains(FINAL, out, *flags, model="hf")
    facts = finished.results["otherminds"]["journal"]
    assert (facts["asked"], facts["reused"]) == (18 - kept, kept)
    with sqlite3.connect(journal) as database:
        after = dict(database.execute("SELECT key, answer FROM answers"))
    assert len(after) == 18
    assert before.items() <= after.items()
    notes = answers(finished, NOTES)
    assert len(notes) == len({tuple(one) for one in notes}) == 3
    again = chains(FINAL, out, *flags, model="hf")
    assert again.results["otherminds"]["journal"]["asked"] == 0
    assert answers(again, FINAL) == answers(finished, FINAL)
    assert again.over_runs == finished.over_runs
    # A fourth run asks for itself alone.
    more = chains(FINAL, out, *flags, model="hf", runs=4)
    assert more.results["otherminds"]["journal"]["asked"] == 6
    assert answers(more, NOTES)[:3] == notes
