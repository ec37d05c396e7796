"""`--runs K`: K sampled answers, the mean and population SD over runs, and what cannot be repeated."""

from __future__ import annotations

import json
import math
import random
import statistics
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds import analysis, harness
from otherminds.cli.main import app
from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.metrics.debate.items import Belief
from otherminds.metrics.hugagent import Item, summarize
from otherminds.metrics.synchtom import Failure
from otherminds.metrics.trust_game import Forecast, Stated
from otherminds.running import repeated
from otherminds.running.journal import Journal
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from otherminds.scoring.base import over_runs
from otherminds.tasks.debate import scoring as debate
from otherminds.tasks.debate import scoring_titles as titles
from otherminds.tasks.hugagent.scoring import HUMAN, Scored
from otherminds.tasks.synchtom import scoring as synchtom
from otherminds.tasks.trust_game import scoring as trust_game
from tests.helpers.askers import asker
from tests.helpers.openai_server import serving
from tests.helpers.packed import opened
from tests.hugagent.metrics.conftest import RUNS, published

__all__ = ["published"]

SUBSET = ("--metadata", '{"data_subset": 50}', "--limit", "40")


@pytest.fixture(autouse=True)
def _quiet() -> None:
    harness.quiet(debug=False)


def evaluate(
    folder: Path, task: str, *flags: str, runs: int = 3, model: str = "random"
) -> Finished:
    found = run(
        [task], ["--model", model, "--output_path", str(folder), *flags], Options(runs=runs)
    )
    assert found is not None
    return found


def details(found: Finished, task: str) -> dict[str, Any]:
    own: dict[str, Any] = found.results["otherminds"]["scores"][task]
    return own


# Against what is known.


@pytest.mark.parametrize("model", ["gpt-5.1", "claude-sonnet-4-5"])
def test_published_runs_have_the_population_sd_of_their_own_scores(
    published: Any, model: str
) -> None:
    items: list[Item] = published(model)
    found = over_runs([Scored(item, HUMAN) for item in items])
    alone = [
        summarize([item._replace(answers=(item.answers[k],)) for item in items], draws=2)
        for k in range(len(RUNS))
    ]
    assert found["n"] == 5
    assert not found["identical"]
    for metric in ("ati", "bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir", "parse_rate"):
        values = [one[metric].value for one in alone]
        spread = found["estimates"][metric]
        assert spread["values"] == pytest.approx(values)
        assert spread["mean"] == pytest.approx(statistics.fmean(values))
        # Σ(x - x̄)²/K, not /(K - 1).
        mean = sum(values) / 5
        assert spread["sd"] == pytest.approx(math.sqrt(sum((x - mean) ** 2 for x in values) / 5))


# The papers' form, "75.45 ± 1.13": in percent, by hand from the table of the published runs.
@pytest.mark.parametrize(
    ("model", "printed"),
    [
        (
            "gpt-5.1",
            {"bsi_acc": "73.36 ± 2.16", "bdu_acc": "67.13 ± 0.46", "bdu_dir": "80.94 ± 3.29"},
        ),
        (
            "claude-sonnet-4-5",
            {"bsi_acc": "76.04 ± 0.00", "bdu_acc": "68.61 ± 0.09", "bdu_dir": "78.73 ± 0.10"},
        ),
    ],
)
def test_published_runs_in_the_form_of_the_paper(
    published: Any, model: str, printed: dict[str, str]
) -> None:
    found = over_runs([Scored(item, HUMAN) for item in published(model)])["estimates"]
    for metric, cell in printed.items():
        one = found[metric]
        assert f"{100 * one['mean']:.2f} ± {100 * one['sd']:.2f}" == cell


def test_the_sd_by_hand() -> None:
    def item(name: str, *answers: str | None) -> Scored:
        return Scored(Item(name, f"P{name}", "zoning", "bsi", "", "", 0, 0, "A", answers))

    # Right in run 1: a b c d; in run 2: a b; in run 3: none, and d unread. Accuracies 1, ½, 0.
    records = [item("a", "A", "A", "B"), item("b", "A", "A", "B"), item("c", "A", "B", "B")]
    records.append(item("d", "A", "B", None))
    found = over_runs(records)
    accuracy = found["estimates"]["bsi_acc"]
    assert accuracy["values"] == [1, 0.5, 0]
    # Squares ¼, 0, ¼ over 3.
    assert accuracy["sd"] == pytest.approx(math.sqrt(1 / 6))
    assert found["estimates"]["parse_rate"]["values"] == [1, 1, 0.75]
    assert found["by_topic"]["zoning"]["bsi_acc"] == accuracy
    assert over_runs([one.with_answers(("A",)) for one in records]) == {}


def test_a_run_without_a_score_is_left_out_of_the_mean() -> None:
    # No number can be read in run 2, so that it has no error.
    record = Scored(Item("a", "P", "zoning", "bdu", "1.1", "opinion", 1, 10, "5", (7, None)))
    found = over_runs([record])["estimates"]["bdu_mae"]
    assert found == {"mean": 1.0, "sd": 0.0, "values": [1.0, None]}


def debated(agrees: bool, *answers: bool | None) -> debate.Scored:
    return debate.Scored(Belief(f"{agrees}{answers}", "u", "Religion", 3, agrees, answers))


def judged(
    *runs: tuple[bool, bool, bool, tuple[int, ...], tuple[tuple[int, ...], ...] | Failure],
) -> synchtom.Verdict:
    """Verdicts on one dimension, by run: is_answered, was_cut_off, was_cut, lengths, verdicts."""
    by_run: tuple[Any, ...] = tuple(zip(*runs, strict=True))
    return synchtom.Verdict("i", "i", "culture", 10, "c", (1, 2, 1), ("b",), (), *by_run)


def of_judged_parts() -> list[tuple[Any, list[Any]]]:
    """Runs that differ in every field: an answer, none because it was cut off, one cut for the judge."""
    runs = (
        (True, False, False, (7,), ((1, 0),)),
        (False, True, False, (0,), Failure.NO_REPLY),
        (True, False, True, (10_000,), Failure.NO_AUDIT),
    )
    answered = synchtom.Answered("i", "culture", 10, (3, None, None), (False, True, False))
    return [
        (judged(*runs), [judged(run) for run in runs]),
        (
            answered,
            [
                synchtom.Answered("i", "culture", 10, (part,), (cut_off,))
                for part, cut_off in ((3, False), (None, True), (None, False))
            ],
        ),
    ]


@pytest.mark.parametrize(
    ("record", "singles"),
    [
        (
            trust_game.RolePlay("p", (("age", "old"),), (3.0, None), ()),
            [
                trust_game.RolePlay("p", (("age", "old"),), (3.0,), ()),
                trust_game.RolePlay("p", (("age", "old"),), (None,), ()),
            ],
        ),
        (
            trust_game.Elicitation(
                "dollars", Stated("age", ("o", "y"), ((1, 2), None), (0.1, None))
            ),
            [
                trust_game.Elicitation("dollars", Stated("age", ("o", "y"), ((1, 2),), (0.1,))),
                trust_game.Elicitation("dollars", Stated("age", ("o", "y"), (None,), (None,))),
            ],
        ),
        (
            trust_game.Elicitation(
                "ranking", Stated("age", ("o", "y"), ((1, 2), None), (0.1, None), (0.05, None))
            ),
            [
                trust_game.Elicitation(
                    "ranking", Stated("age", ("o", "y"), ((1, 2),), (0.1,), (0.05,))
                ),
                trust_game.Elicitation(
                    "ranking", Stated("age", ("o", "y"), (None,), (None,), (None,))
                ),
            ],
        ),
        (
            trust_game.Game(
                (Forecast("p", "M1", 1, (2.0, 2.0), (3.0, 4.0)),), (("levels", "paper"),)
            ),
            [
                trust_game.Game((Forecast("p", "M1", 1, (2.0,), (3.0,)),), (("levels", "paper"),)),
                trust_game.Game((Forecast("p", "M1", 1, (2.0,), (4.0,)),), (("levels", "paper"),)),
            ],
        ),
        (
            titles.Verdict("t", True, (True, None)),
            [titles.Verdict("t", True, (True,)), titles.Verdict("t", True, (None,))],
        ),
        *of_judged_parts(),
    ],
)
def test_a_record_knows_its_single_runs(record: Any, singles: list[Any]) -> None:
    assert record.single_runs() == singles


def test_runs_of_another_benchmark() -> None:
    found = over_runs([debated(True, True, False), debated(False, False, False)])
    assert found["estimates"]["acc"]["values"] == [1, 0.5]
    assert found["estimates"]["acc"]["sd"] == 0.25


# Runs through lm-eval.


@pytest.mark.parametrize(
    "task",
    ["hugagent_synthetic", "hugagent_bsi_swapped_synthetic", "trust_game_population"],
)
def test_the_single_runs_of_a_task_add_up(tmp_path: Path, task: str) -> None:
    metadata = {"data_subset": 50} if task.startswith("hugagent") else {}
    found = evaluate(tmp_path, task, "--metadata", json.dumps(metadata), "--limit", "30")
    assert found.results["configs"][task]["repeats"] == 3
    assert found.results["otherminds"]["runs"] == 3
    own = details(found, task)
    spreads = own["runs"]["estimates"]
    assert spreads
    for metric, one in spreads.items():
        known = [value for value in one["values"] if value is not None]
        assert len(one["values"]) == 3, metric
        assert one["sd"] == pytest.approx(statistics.pstdev(known)), metric
    rate = next(name for name in spreads if name.startswith("parse_rate"))
    assert spreads[rate]["mean"] == pytest.approx(own["estimates"][rate]["value"])


@pytest.mark.slow
def test_score_and_report_know_the_runs(tmp_path: Path) -> None:
    task = "hugagent_synthetic"
    found = evaluate(tmp_path / "out", task, *SUBSET)
    scores = analysis.score(analysis.read_runs([tmp_path / "out"]), check=False)
    again = scores.scored[0].details["runs"]
    assert again == details(found, task)["runs"]
    table = scores.table().set_index(["breakdown", "part", "metric"])
    row = table.loc[("all", "all", "bsi_acc")]
    assert row["runs"] == 3
    assert row["sd_over_runs"] == pytest.approx(again["estimates"]["bsi_acc"]["sd"])
    assert row["stderr"] != row["sd_over_runs"]
    analysis.report([tmp_path / "out"], tmp_path / "report")
    text = (tmp_path / "report" / "table_hugagent-synthetic_runs.md").read_text()
    one = again["estimates"]["bsi_acc"]
    assert f"{100 * one['mean']:.2f} ± {100 * one['sd']:.2f}" in text


def test_files_of_single_runs_are_runs_too(tmp_path: Path) -> None:
    task = "hugagent_bsi_synthetic"
    for seed in range(3):
        flags = ("--model_args", f"seed={seed}", "--limit", "40")
        evaluate(tmp_path / "out", task, *flags, runs=1)
    # The weightless model's seed is part of its name; a real one's runs carry one name.
    for path in (tmp_path / "out").rglob("results_*.json"):
        results = json.loads(path.read_text())
        results["config"]["model_args"] = {}
        path.write_text(json.dumps(results))
    [scored] = analysis.score(analysis.read_runs([tmp_path / "out"]), check=False).scored
    assert scored.details["runs"]["n"] == 3
    assert not scored.details["runs"]["identical"]


@pytest.mark.parametrize("order", [(2, 3), (3, 2), (1, 3)])
def test_answers_of_a_resumed_run_count_once(tmp_path: Path, order: tuple[int, int]) -> None:
    task = "hugagent_bsi_synthetic"
    for runs in order:
        evaluate(tmp_path, task, "--limit", "30", runs=runs)
    found = analysis.read_runs([tmp_path])
    [scored] = analysis.score(found, check=False).scored
    assert scored.details["runs"]["n"] == scored.run.n_runs == 3
    # Three answers to each of 30 items, and not five.
    assert scored.n_answers == 90
    [note] = [note for note in found.notes if "counts once" in note]
    assert "holds the first runs of" in note
    done = CliRunner().invoke(app, ["score", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "random (3 runs)" in done.output


def test_the_command_prints_mean_and_sd_beside_the_interval(tmp_path: Path) -> None:
    told = ["run", "hugagent_bsi_synthetic", "--runs", "4", "--limit", "40"]
    done = CliRunner().invoke(app, [*told, "--model", "random", "--output_path", str(tmp_path)])
    assert done.exit_code == 0, done.output
    shown = " ".join(done.output.split())
    assert "of 4 runs" in shown
    assert "95 % interval" in shown
    assert "population SD of the runs' own scores" in shown
    assert "copies of one" not in shown


def said_of_two_alike(out: Path, decoding: str) -> str:
    """What two runs that give the same answers print."""
    told = ["run", "hugagent_bsi_synthetic", "--runs", "2", "--limit", "10", "--model", "majority"]
    done = CliRunner().invoke(app, [*told, "--gen_kwargs", decoding, "--output_path", str(out)])
    assert done.exit_code == 0, done.output
    shown = " ".join(done.output.split())
    assert "All 2 runs gave the same answers" in shown
    return shown


def test_copies_are_called_copies(tmp_path: Path) -> None:
    shown = said_of_two_alike(tmp_path, "temperature=0")
    assert "decoding is greedy (temperature 0), so that 2 runs are copies of one" in shown


def test_sampled_runs_that_agree_are_not_called_copies(tmp_path: Path) -> None:
    shown = said_of_two_alike(tmp_path, "do_sample=True,temperature=0.7")
    assert "when sampled, the model did not vary" in shown
    assert "They are copies" not in shown


def test_one_run_has_no_spread(tmp_path: Path) -> None:
    found = evaluate(tmp_path, "hugagent_bsi_synthetic", "--limit", "20", runs=1)
    assert "runs" not in details(found, "hugagent_bsi_synthetic")
    assert found.results["otherminds"]["runs"] == 1


# What cannot be repeated.


def test_log_likelihoods_are_asked_for_once_and_have_no_spread(tmp_path: Path) -> None:
    tasks = ["hugagent_bsi_synthetic", "hugagent_bsi_synthetic_logprob"]
    told = ["run", *tasks, "--runs", "3", "--limit", "10", "--model", "random"]
    done = CliRunner().invoke(app, [*told, "--output_path", str(tmp_path)])
    assert done.exit_code == 0, done.output
    shown = " ".join(done.output.split())
    assert f"{tasks[1]}: compares log-likelihoods" in shown
    assert "copies of one" not in shown
    [path] = tmp_path.rglob("results_*.json")
    found = json.loads(path.read_text())
    assert [found["configs"][task]["repeats"] for task in tasks] == [3, 1]
    scores = found["otherminds"]["scores"]
    assert ["runs" in scores[task] for task in tasks] == [True, False]
    assert [scores[task]["estimates"]["bsi_acc"]["n"] for task in tasks] == [10, 10]


def test_a_task_that_keeps_one_answer_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "tasks"
    own.mkdir()
    config = "task: mine\noutput_type: generate_until\nmetadata: {version: 1.0}\n"
    (own / "mine.yaml").write_text(config)
    manager = harness.task_manager({}, str(own))
    with pytest.raises(OtherMindsError, match="keeps only the first"):
        repeated.check(manager, ["mine"])


@pytest.mark.parametrize(
    ("task", "told", "is_greedy"),
    [
        ("hugagent_synthetic", {}, False),
        ("hugagent_synthetic", {"temperature": 0}, True),
        ("debate_both_synthetic", {}, True),
        ("debate_both_synthetic", {"do_sample": True, "temperature": 0.7}, False),
        # The YAML's own temperature above 0 does not count then, nor does one that is given.
        ("hugagent_synthetic", {"do_sample": False}, True),
        ("debate_both_synthetic", {"do_sample": False, "temperature": 0.7}, True),
    ],
)
def test_greedy_decoding_is_known(task: str, told: dict[str, Any], is_greedy: bool) -> None:
    assert bool(repeated.greedy(harness.task_manager(), [task], told)) == is_greedy


def test_a_temperature_that_only_servers_heed_is_said() -> None:
    def said(**told: object) -> str:
        manager, tasks = harness.task_manager(), ["hugagent_synthetic"]
        return " ".join(repeated.notes(manager, tasks, earlier=[], settings=told, runs=2))

    assert "do_sample=False overrules the temperature" in said(do_sample=False)
    assert "2 runs are copies of one" in said(do_sample=False)
    assert "overrules" not in said(do_sample=False, temperature=0)
    assert said(do_sample=True) == ""


# The journal, and servers.


class Seeded(LM):
    """As lm-eval's models behind a server: one seed for all requests, equal answers to equal ones."""

    base_url = "http://nowhere"

    def __init__(self) -> None:
        super().__init__()
        self._seed = 1234
        self.asked: list[tuple[str, int]] = []

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        self.asked += [(request.args[0], self._seed) for request in requests]
        return [f"{request.args[0]} under {self._seed}" for request in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError


def requests(prompts: str, runs: int) -> list[Instance]:
    decoding = {"temperature": 0.1, "until": [], "max_gen_toks": 8}
    return [
        Instance("generate_until", {}, (prompt, decoding), 0, metadata=("t", doc, runs))
        for doc, prompt in enumerate(prompts)
        for _ in range(runs)
    ]


def test_each_repeat_reaches_a_server_with_a_seed_of_its_own(tmp_path: Path) -> None:
    model = Seeded()
    with Journal(tmp_path / "j.sqlite") as journal:
        found = asker(model, journal).generate_until(requests("ab", 3))
    assert found == [f"{prompt} under {1234 + k}" for prompt in "ab" for k in range(3)]
    assert model._seed == 1234


def test_more_runs_ask_only_for_those_that_are_missing(tmp_path: Path) -> None:
    first, second = Seeded(), Seeded()
    with Journal(tmp_path / "j.sqlite") as journal:
        asker(first, journal).generate_until(requests("ab", 3))
        found = asker(second, journal).generate_until(requests("ab", 5))
    assert sorted(second.asked) == [(p, 1234 + k) for p in "ab" for k in (3, 4)]
    assert found == [f"{prompt} under {1234 + k}" for prompt in "ab" for k in range(5)]


class Sampling:
    """A server's model that draws by the request's seed, as vLLM's server does."""

    def generate(self, prompt: Any, body: dict[str, Any]) -> str:
        return random.Random(f"{prompt} {body['seed']}").choice("AB")

    def echoed(self, prompt: Any) -> dict[str, Any]:
        raise NotImplementedError


def test_runs_through_a_server_differ_and_resume(tmp_path: Path) -> None:
    with serving(Sampling()) as server:
        words = f"model=x,base_url={server.address}/chat/completions"
        flags = ("--model_args", words, "--limit", "6")
        told: dict[str, Any] = {"model": "local-chat-completions"}
        first = evaluate(tmp_path, "hugagent_bsi_synthetic", *flags, runs=3, **told)
        asked = len(server.record.answered)
        again = evaluate(tmp_path, "hugagent_bsi_synthetic", *flags, runs=3, **told)
        assert (asked, len(server.record.answered)) == (18, 18)
        more = evaluate(tmp_path, "hugagent_bsi_synthetic", *flags, runs=5, **told)
        assert len(server.record.answered) == 30
    task = "hugagent_bsi_synthetic"
    assert details(first, task)["runs"] == details(again, task)["runs"]
    assert not details(first, task)["runs"]["identical"]
    assert more.results["otherminds"]["journal"]["reused"] == 18
    assert first_answers(more, task)[:3] == first_answers(first, task)


def first_answers(found: Finished, task: str) -> list[str]:
    with opened(found.samples[task]) as lines:
        [answers] = json.loads(lines.readline())["filtered_resps"]
    return list(answers)
