"""Debate tasks through lm-eval, with models whose scores are known beforehand."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from otherminds import analysis, harness, manifest, paths
from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.running.models import Options
from otherminds.running.results import known_references
from otherminds.running.run import Finished, run
from tests.conftest import Command

SYNTHETIC, ISSUES = "debate-beliefs-synthetic", "debate-beliefs-issues"
FORMS = ("", "_direct", "_logprob")
CONDITIONS = ("blind", "demographics", "beliefs", "both", "cross_category")
TASKS = [f"debate_{one}_synthetic{form}" for one in CONDITIONS for form in FORMS]
SUBSET = {"data_subset": 100}
MARK = "[[ ## proposition ## ]]"

# A model without weights, a condition under which it knows something, in the form that is fastest.
BASELINES = {"majority": "blind", "demographic-logistic": "demographics", "neighbours": "beliefs"}

Numbers = dict[str, float]


@pytest.fixture(autouse=True, scope="module")
def _data(cache: Path) -> None:
    harness.quiet(debug=False)


def finished(
    tasks: list[str], model: str, out: Path, metadata: Mapping[str, Any], *flags: str
) -> Finished:
    told = ("--metadata", json.dumps(dict(metadata)))
    found = run(tasks, ["--model", model, *told, "--output_path", str(out), *flags], Options())
    assert found is not None
    return found


def numbers(results: Mapping[str, Any], task: str) -> Numbers:
    found = results["results"][task]
    return {key.split(",")[0]: value for key, value in found.items() if "," in key}


# Models that read the gold


@pytest.fixture(scope="module")
def perfect(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    out = tmp_path_factory.mktemp("oracle")
    return finished(TASKS, "oracle", out, SUBSET, "--limit", "120").results


@pytest.fixture(scope="module")
def corrupted(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    flags = ("--limit", "120", "--model_args", "rate=0.5")
    out = tmp_path_factory.mktemp("corrupted")
    return finished(TASKS, "corrupted-oracle", out, SUBSET, *flags).results


def test_the_tasks_are_all_there_are() -> None:
    listed = {entry.name for entry in harness.entries(harness.task_manager())}
    synthetic = {name for name in listed if re.fullmatch(r"debate_.+_synthetic.*", name)}
    assert synthetic == set(TASKS)


@pytest.mark.parametrize("task", TASKS)
def test_the_oracle_is_perfect_and_a_corrupted_one_is_not(
    task: str, perfect: Mapping[str, Any], corrupted: Mapping[str, Any]
) -> None:
    best, worse = numbers(perfect, task), numbers(corrupted, task)
    for name in ("acc", "macro_f1"):
        assert best[name] == 1.0
        # Half of some 120 answers are wrong: 0.5, and four standard errors of 0.5 / sqrt(120).
        assert 0.3 < worse[name] < 0.7
    assert best["agree_rate"] == best["agree_rate_people"] == worse["agree_rate_people"]
    assert 0 < best["agree_rate"] < 1
    assert best["parse_rate"] == worse["parse_rate"] == 1.0
    assert best["n_items"] == worse["n_items"] == 120
    assert 1 < best["n_people"] < 120
    if task.endswith("_logprob"):
        assert best["brier"] == best["ece"] == 0.0 < worse["brier"]


# Models that know nothing


class Fixed(LM):
    """The same answer to everything; of letters, the one at a place, or with a broken likelihood."""

    def __init__(self, text: str | None, place: int | None) -> None:
        super().__init__()
        self._text, self._place = text, place

    def generate_until(self, requests: list[Instance]) -> list[Any]:
        return [self._text for _ in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        if self._place is None:
            return [(math.nan, False) for _ in requests]
        return [(-1.0 if one.idx == self._place else -3.0, False) for one in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        return [math.nan for _ in requests]


def evaluated(model: LM, task: str) -> Numbers:
    flags = ["--metadata", json.dumps(SUBSET), "--limit", "200"]
    arguments = harness.parse_arguments(flags, default_model="x", default_output="o")
    manager = harness.task_manager(arguments.metadata)
    return numbers(harness.evaluate(model, manager, [task], arguments), task)


ANSWERS = {
    "": "[[ ## reasoning ## ]]\nPeople differ.\n\n[[ ## prediction ## ]]\n{stated}\n",
    "_direct": "{word}",
    "_logprob": "",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("word", "place"), [("agree", 0), ("disagree", 1)])
def test_a_constant_answer_scores_what_the_share_of_its_golds_says(
    form: str, word: str, place: int
) -> None:
    reply = ANSWERS[form].format(word=word, stated=word == "agree")
    found = evaluated(Fixed(reply, place), f"debate_both_synthetic{form}")
    agree = found["agree_rate_people"]
    share = agree if word == "agree" else 1 - agree
    assert 0.3 < share < 0.7
    assert found["acc"] == pytest.approx(share)
    # Precision is the share and recall is 1, so F1 is 2s / (1 + s); that of the other class is 0.
    assert found["macro_f1"] == pytest.approx(share / (1 + share))
    assert found["agree_rate"] == (1.0 if word == "agree" else 0.0)
    assert found["parse_rate"] == 1.0
    if form == "_logprob":
        # Its probability is 1 / (1 + e^-2) = 0.881, and the Brier score sums over both classes.
        right, wrong = (1 - 0.880797) ** 2 * 2, 0.880797**2 * 2
        assert found["brier"] == pytest.approx(share * right + (1 - share) * wrong, abs=1e-5)


RUBBISH = [
    *product(("", "_direct"), ("", None, "agree or disagree?", "x" * 50_000)),
    *(pytest.param(form, "x" * 1_000_000, marks=pytest.mark.slow) for form in ("", "_direct")),
    ("_logprob", None),
]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "answer"), RUBBISH, ids=lambda one: repr(one)[:12])
def test_rubbish_gets_a_complete_table(form: str, answer: str | None) -> None:
    found = evaluated(Fixed(answer, None), f"debate_blind_synthetic{form}")
    assert found["parse_rate"] == found["acc"] == found["macro_f1"] == 0.0
    assert math.isnan(found["agree_rate"])
    assert 0 < found["agree_rate_people"] < 1
    assert found["n_items"] == 200


def test_coin_tosses_score_what_the_manifest_says_of_chance(tmp_path: Path) -> None:
    task = "debate_blind_synthetic_direct"
    found = numbers(finished([task], "random", tmp_path, SUBSET).results, task)
    chance = manifest.load(SYNTHETIC).references["chance"].scores["blind"]
    for name in ("acc", "macro_f1", "agree_rate"):
        # Four standard errors, and the subset's own golds differ a little from all golds.
        assert abs(found[name] - chance[name]) < 4 * found[f"{name}_stderr"] + 0.01


# Prompts


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_prompts_show_what_the_condition_says_and_start_alike(condition: str, form: str) -> None:
    name = f"debate_{condition}_synthetic{form}"
    task = harness.load_tasks(harness.task_manager(SUBSET), [name])[name]
    docs = task.eval_docs.to_list()
    category_of = {one["proposition"]: one["category"] for one in docs} | {
        known["proposition"]: known["category"] for one in docs for known in one["known_beliefs"]
    }
    heads = defaultdict(set)
    for doc in docs[:300]:
        shown = task.doc_to_text(doc)
        # The gold cannot show: the prompt is the same for the other one.
        assert task.doc_to_text(doc | {"agrees": not doc["agrees"]}) == shown
        head, mark, asked = shown.partition(MARK)
        assert mark
        assert asked.startswith(f"\n{doc['proposition']}\n\n")
        assert doc["proposition"] not in head
        heads[doc["user_id"], doc.get("shown_category")].add(head)
        assert ("[[ ## background ## ]]" in head) == bool(doc["background"])
        beliefs = re.findall(r"^\d+\. I (?:dis)?agree with the following: (.+?)\.?$", head, re.M)
        assert len(beliefs) == len(doc["known_beliefs"])
        assert doc["n_known"] == len(beliefs) or condition in ("blind", "demographics")
        if condition in ("blind", "demographics"):
            assert beliefs == []
        if condition in ("blind", "beliefs", "cross_category"):
            assert doc["background"] == []
        if condition == "cross_category":
            categories = {category_of[one] for one in beliefs}
            assert categories == {doc["shown_category"]} != {doc["category"]}
            assert doc["category"] not in categories
    assert all(len(versions) == 1 for versions in heads.values())
    if condition in ("blind", "cross_category"):
        return
    # Nor do two people share theirs, but those who tell nothing of themselves.
    assert len({head for [head] in heads.values()}) > len(heads) / 2


# Baselines: what a run scores, what the manifest says, and what saved samples give


@pytest.fixture(scope="module")
def baselines(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Finished]:
    """Each on all documents of the generated dataset, under its condition."""
    return {
        model: finished(
            [f"debate_{condition}_synthetic_direct"], model, tmp_path_factory.mktemp(model), {}
        )
        for model, condition in BASELINES.items()
    }


def assert_as_the_manifest_says(model: str, found: Finished) -> Numbers:
    [task] = found.samples
    scored = numbers(found.results, task)
    known = known_references(task, found.results)
    assert {model, "chance", "majority"} <= set(known)
    for name in ("macro_f1", "acc", "agree_rate"):
        assert scored[name] == pytest.approx(known[model][name], abs=1e-6)
    return scored


@pytest.mark.slow
@pytest.mark.parametrize("model", BASELINES)
def test_a_baseline_scores_what_the_manifest_says(
    model: str, baselines: Mapping[str, Finished]
) -> None:
    found = baselines[model]
    assert_as_the_manifest_says(model, found)
    [task] = found.samples
    assert "optimal" in known_references(task, found.results)
    assert found.results["otherminds"]["data"][task]["version"] == manifest.load(SYNTHETIC).version


def test_part_of_the_documents_is_not_read_against_the_whole(
    perfect: Mapping[str, Any],
) -> None:
    for task in TASKS:
        assert known_references(task, perfect) == {}


@pytest.mark.slow
@pytest.mark.parametrize("model", ["majority", "neighbours"])
def test_saved_samples_give_the_same_numbers_and_pass_every_check(
    model: str, cache: Path, tmp_path: Path
) -> None:
    found = finished([f"debate_{BASELINES[model]}_synthetic_direct"], model, tmp_path, SUBSET)
    scored_runs = analysis.score(analysis.read_runs(found.sample_paths)).scored
    assert len(scored_runs) == 1
    for scored in scored_runs:
        printed = numbers(found.results, scored.run.task)
        for name, estimate in scored.details["estimates"].items():
            assert estimate["value"] == pytest.approx(printed[name], nan_ok=True)
        assert {check.name for check in scored.checks if not check.passed} == set()


@pytest.mark.slow
def test_known_beliefs_tell_more_than_the_majority(baselines: Mapping[str, Finished]) -> None:
    paths_of = [baselines[name].samples for name in ("neighbours", "majority")]
    runs = analysis.read_runs([path for one in paths_of for path in one.values()])
    table = analysis.compare(runs, allow=["task"]).table().set_index("metric")
    for metric in ("acc", "macro_f1"):
        row = table.loc[metric]
        assert row["a"].startswith("neighbours")
        assert 0 < row["low"] < row["difference"] < row["high"]
        assert row["n"] == 11447
        assert row["n_people"] == 1500


@pytest.mark.slow
def test_a_chosen_category_is_scored_as_it_was_run_and_is_another_task_than_the_default(
    tmp_path: Path,
) -> None:
    task = "debate_cross_category_synthetic_direct"
    told = {"default": SUBSET, "chosen": SUBSET | {"shown_category": "Religion"}}
    found = {
        name: finished([task], "neighbours", tmp_path / name, metadata)
        for name, metadata in told.items()
    }
    fewer, more = (numbers(found[name].results, task)["n_items"] for name in ("chosen", "default"))
    assert 0 < fewer < more
    for one in found.values():
        [scored] = analysis.score(analysis.read_runs(one.sample_paths)).scored
        assert {check.name for check in scored.checks if check.passed is False} == set()
    both = analysis.read_runs([path for one in found.values() for path in one.sample_paths])
    with pytest.raises(OtherMindsError, match="Religion"):
        analysis.compare(both)


# lm-eval's own command


@pytest.mark.slow
def test_lm_eval_runs_every_form(cache: Path, command: Command, tmp_path: Path) -> None:
    tasks = "debate_synthetic,debate_both_synthetic_direct,debate_both_synthetic_logprob"
    done = command(
        *("lm_eval", "--include_path", paths.tasks(), "--tasks", tasks, "--model", "dummy"),
        *("--limit", "4", "--metadata", json.dumps(SUBSET), "--log_samples"),
        *("--output_path", "out"),
        cwd=tmp_path,
    )
    rates = [line.split("|") for line in done.stdout.splitlines() if "parse_rate" in line]
    # Four conditions and the direct form, to which "lol" is no answer, and one choice of letters.
    assert sorted(float(line[7]) for line in rates) == [0, 0, 0, 0, 0, 1]
    [path] = tmp_path.rglob("results_*.json")
    results = json.loads(path.read_text())["results"]
    assert set(results) >= {f"debate_{one}_synthetic" for one in CONDITIONS[:4]}
    samples = tmp_path.rglob("samples_*.jsonl")
    assert len(list(samples)) == 6


# Real people


@pytest.mark.slow
def test_real_stances_are_predicted_from_people_who_think_alike(
    shared_data: Path, command: Command, tmp_path: Path
) -> None:
    source = shared_data / "debate_issues" / "ddo_user_issue_stance_wide.csv.gz"
    command("otherminds", "build", ISSUES, "issues", "--source", source, cwd=tmp_path)
    folder = tmp_path / "issues"
    known = manifest.load(ISSUES).configs["beliefs"]
    runs = {}
    for model, condition in BASELINES.items():
        task = f"debate_{condition}_issues_direct"
        # Those that learn, learn from everybody; a tenth of the people shows what they gain.
        few = () if model == "majority" else ("--limit", "6000")
        found = finished([task], model, tmp_path / model, {"data_source": str(folder)}, *few)
        runs[model] = found
        if not few:
            scored = assert_as_the_manifest_says(model, found)
            assert scored["n_items"] == known.splits["test"]
        origin = found.results["otherminds"]["data"][task]
        assert origin["content_hash"] == {"beliefs": known.content_hash}
        assert origin["version"] == manifest.load(ISSUES).version
    read = analysis.read_runs([path for one in runs.values() for path in one.sample_paths])
    table = analysis.compare(read, allow=["task"], metrics=["acc", "macro_f1"]).table()
    differences = {
        (row["metric"], row["a"].split()[0], row["b"].split()[0]): row
        for row in table.to_dict("records")
    }
    for metric in ("acc", "macro_f1"):
        for better in ("neighbours", "demographic-logistic"):
            pair = (metric, better, "majority")
            sign = 1
            if pair not in differences:
                pair, sign = (metric, "majority", better), -1
            row = differences[pair]
            low, high = sorted((sign * row["low"], sign * row["high"]))
            assert 0.01 < low < high
