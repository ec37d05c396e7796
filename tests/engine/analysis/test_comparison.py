"""Comparing models: real differences are found, made-up ones are not, and what cannot be is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from otherminds import analysis
from otherminds.analysis import plain, printing_pairs
from otherminds.analysis.comparability import READS_GOLD, REASONS
from otherminds.analysis.facts import Facts
from otherminds.analysis.runs import Run, Runs
from otherminds.errors import OtherMindsError
from otherminds.metrics.hugagent import Item
from otherminds.running.run import Finished
from otherminds.samples import read as samples
from otherminds.tasks.hugagent.scoring import Scored
from tests.engine.analysis.conftest import MODELS, SUBSET, evaluated
from tests.engine.analysis.made import (
    BDU,
    BOTH,
    BSI,
    DATES,
    Line,
    data_facts,
    letter,
    opinion,
    run_of,
    written,
)
from tests.helpers.packed import opened


def read(*paths: Path) -> Runs:
    return analysis.read_runs(paths)


def samples_of(models: Mapping[str, Finished], *names: str) -> Runs:
    return read(*(path for name in names for path in models[name].sample_paths))


def letters(answers: str, gold: str = "A") -> list[Line]:
    """One letter question for each of as many people as there are answers."""
    return [
        letter(f"i{n}", gold, *answer, participant_id=f"P{n}")
        for n, answer in enumerate(answers.split())
    ]


def test_a_real_difference_is_found(models: Mapping[str, Finished]) -> None:
    found = analysis.compare(samples_of(models, "oracle", "corrupted-oracle"))
    assert (found.n_items, found.n_people) == (1_426, 50)
    assert found.models == ["oracle", "corrupted-oracle"]
    for metric in ("composite", "bsi_acc", "bdu_acc", "bdu_dir"):
        one = found.differences[metric]["oracle", "corrupted-oracle"]
        assert one.difference.value == pytest.approx(one.a - one.b)
        assert one.difference.low > 0
        assert one.p_value < 0.001
        assert list(found.groups[metric]) == [("oracle",), ("corrupted-oracle",)]
        assert 0 < one.mde < one.difference.value
    # An error of 0 is the best.
    assert found.differences["bdu_mae"]["oracle", "corrupted-oracle"].difference.high < 0
    assert list(found.groups["bdu_mae"]) == [("oracle",), ("corrupted-oracle",)]
    only = found.mcnemar["oracle", "corrupted-oracle"]
    assert only.only_a > 100
    assert only.only_b == 0
    # The values are those that each run printed.
    for name, value in found.values["composite"].items():
        printed = models[name].results["results"][BOTH]["composite,none"]
        assert value == pytest.approx(printed)


def test_two_seeds_of_chance_are_not_told_apart(models: Mapping[str, Finished]) -> None:
    names = ("random", "random (seed=2)")
    found = analysis.compare(samples_of(models, *names))
    for metric in ("composite", "bsi_acc", "bdu_acc", "bdu_mae"):
        assert found.differences[metric][names].p_value > 0.05
        assert [set(group) for group in found.groups[metric]] == [set(names)]


def test_among_several_pairs_p_is_adjusted_and_groups_are_formed(
    models: Mapping[str, Finished],
) -> None:
    found = analysis.compare(samples_of(models, *MODELS))
    assert len(found.differences["composite"]) == 6
    table = found.table()
    assert (table["p_holm"] >= table["p"]).all()
    assert (table["p_holm"] <= 1).all()
    # Five of the six differences are plain: the smallest p counts six times, the largest once.
    p = sorted(found.differences["composite"].items(), key=lambda pair: pair[1].p_value)
    assert found.adjusted["composite"][p[-1][0]] == p[-1][1].p_value
    assert found.adjusted["composite"][p[0][0]] == pytest.approx(6 * p[0][1].p_value)
    best, middle, last = found.groups["composite"]
    assert (best, middle) == (("oracle",), ("corrupted-oracle",))
    assert set(last) == {"random", "random (seed=2)"}
    assert set(table.columns) >= {
        "metric",
        "a",
        "b",
        "difference",
        "low",
        "high",
        "mde",
        "n_people",
    }
    assert (table["n_people"] <= 50).all()


def test_metrics_and_topics_can_be_chosen(models: Mapping[str, Finished]) -> None:
    runs = samples_of(models, "random", "corrupted-oracle")
    found = analysis.compare(runs, metrics=["bdu_mae", "composite"], part="zoning")
    assert list(found.differences) == ["bdu_mae", "composite"]
    for name, value in found.values["composite"].items():
        ours = models[name].results["otherminds"]["scores"][BOTH]
        assert value == pytest.approx(ours["by_topic"]["zoning"]["composite"]["value"])
    with pytest.raises(
        OtherMindsError, match=r"Unknown metric 'compsite'\. Did you mean 'composite'"
    ):
        analysis.compare(runs, metrics=["compsite"])
    with pytest.raises(OtherMindsError, match=r"Unknown part 'zonin'\. Did you mean 'zoning'"):
        analysis.compare(runs, part="zonin")


def test_the_order_of_the_runs_turns_the_sign_and_nothing_else(tmp_path: Path) -> None:
    first = run_of(tmp_path / "a", letters("A A A A B B A A"), model="a", task=BSI)
    second = run_of(tmp_path / "b", letters("A B B A B A B B"), model="b", task=BSI)
    one = analysis.compare(read(first, second)).differences["bsi_acc"]["a", "b"]
    other = analysis.compare(read(second, first)).differences["bsi_acc"]["b", "a"]
    # 6 of 8 and 3 of 8 are right.
    assert one.difference.value == pytest.approx(3 / 8)
    assert other.difference.value == pytest.approx(-3 / 8)
    assert one.p_value == other.p_value
    # Of the 8 people 4 favour the one and 1 the other; swaps within the other 3 change nothing. Of the
    # 2^5 sign patterns of five ones, the sum is at least 3 in size in 1 + 5 + 5 + 1 of them.
    assert one.p_value == pytest.approx(12 / 32)


def test_only_shared_items_are_compared(models: Mapping[str, Finished], tmp_path: Path) -> None:
    limited = evaluated(tmp_path, *MODELS["corrupted-oracle"], *SUBSET, "--limit", "100")
    runs = read(*models["random"].sample_paths, *limited.sample_paths)
    found = analysis.compare(runs)
    assert found.n_items == 100
    assert "random: 1,326 of 1,426 items were left out" in " ".join(found.notes)
    own = analysis.score_run(runs.runs[1], check=False).details["estimates"]["bsi_acc"]["value"]
    assert found.values["bsi_acc"]["corrupted-oracle"] == pytest.approx(own)


def test_models_with_nothing_in_common_are_refused(tmp_path: Path) -> None:
    run_of(tmp_path / "a", letters("A A"), model="a", task=BSI)
    other = [letter("j1", "A", "A"), letter("j2", "A", "A", participant_id="P2")]
    run_of(tmp_path / "b", other, model="b", task=BSI)
    with pytest.raises(OtherMindsError, match="no item in common"):
        analysis.compare(read(tmp_path))


CHAT: dict[str, Any] = {"chat_template_applied": True}


@pytest.mark.parametrize(
    ("name", "first", "second", "said"),
    [
        ("version", {"version": 1.0}, {"version": 0.9}, r"b: 0\.9"),
        (
            "data",
            {"data": data_facts(content="aaaa")},
            {"data": data_facts(content="bbbb")},
            r"a: version 1\.0\.0 \(bdu aaaa\)",
        ),
        (
            "subset",
            {"data": data_facts()},
            {"data": data_facts(subset=50)},
            "a: all people; b: 50",
        ),
        ("chat-template", {}, CHAT, "a: not applied; b: applied"),
        (
            "truncation",
            {"window": {"checked": True, "n_truncated": 0}},
            {"window": {"checked": True, "n_truncated": 7}},
            "a: not cut; b: cut",
        ),
        ("decoding", {}, {"generation": {"temperature": 1}}, '"temperature": 1'),
    ],
)
def test_what_is_not_comparable_is_refused_unless_it_is_allowed(
    name: str, first: dict[str, Any], second: dict[str, Any], said: str, tmp_path: Path
) -> None:
    run_of(tmp_path / "a", letters("A A B"), model="a", task=BSI, **first)
    run_of(tmp_path / "b", letters("A B B"), model="b", task=BSI, **second)
    runs = read(tmp_path)
    with pytest.raises(OtherMindsError, match=REASONS[name]) as refused:
        analysis.compare(runs)
    assert refused.match(said)
    assert refused.match(f"--allow {name}")
    found = analysis.compare(runs, allow=[name])
    assert "that was allowed" in " ".join(found.notes)
    assert found.values["bsi_acc"] == pytest.approx({"a": 2 / 3, "b": 1 / 3})
    # Allowing something else does not help.
    others = [other for other in REASONS if other != name]
    with pytest.raises(OtherMindsError, match=f"--allow {name}"):
        analysis.compare(runs, allow=others)


def test_models_that_read_no_prompt_may_differ_in_how_prompts_are_made(tmp_path: Path) -> None:
    run_of(tmp_path / "a", letters("A A B"), model="a", task=BSI, weightless=True)
    many: dict[str, Any] = {
        "window": {"checked": True, "n_truncated": 7},
        "generation": {"temperature": 1},
    }
    run_of(tmp_path / "b", letters("A B B"), model="b", task=BSI, **CHAT, **many)
    assert not analysis.compare(read(tmp_path)).notes


def test_tasks_are_compared_on_what_they_share_when_that_is_allowed(tmp_path: Path) -> None:
    run_of(tmp_path / "a", letters("A A B"), model="m", task=BSI)
    run_of(tmp_path / "b", letters("A B B"), model="m", task=BOTH)
    with pytest.raises(OtherMindsError, match=r"are of different tasks .*--allow task"):
        analysis.compare(read(tmp_path))
    found = analysis.compare(read(tmp_path), allow=["task"])
    assert found.task == f"{BSI} and {BOTH}"
    assert found.models == [f"m on {BSI}", f"m on {BOTH}"]


def test_a_document_with_another_gold_is_refused_whatever_is_allowed(tmp_path: Path) -> None:
    run_of(tmp_path / "a", letters("A A"), model="a", task=BSI)
    run_of(tmp_path / "b", letters("A A", gold="B"), model="b", task=BSI)
    with pytest.raises(
        OtherMindsError, match=r"'i0' has another person, topic or gold in b than in a"
    ):
        analysis.compare(read(tmp_path), allow=list(REASONS))


def test_what_nothing_is_known_of_is_compared_and_said_to_be_unknown(tmp_path: Path) -> None:
    written(tmp_path / "a", letters("A A B"), task=BSI)
    run_of(tmp_path / "b", letters("A B B"), model="b", task=BSI)
    found = analysis.compare(read(tmp_path))
    assert "Nothing says how a was run" in " ".join(found.notes)


def limited(folder: Path, model: str, *, date: str, of: int = 12, **ours: Any) -> None:
    path = run_of(folder, letters("A"), task=BSI, model=model, date=date, **ours)
    beside = path.with_name(f"results_{date}.json")
    results = json.loads(beside.read_text())
    results["n-samples"][BSI]["original"] = of
    beside.write_text(json.dumps(results))


def test_a_limited_run_is_left_out_and_that_stands_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_of(tmp_path, letters("A A B"), task=BSI, model="one", date=DATES[0])
    run_of(tmp_path, letters("A B B"), task=BSI, model="two", date=DATES[1], reads_gold=True)
    limited(tmp_path, "few", date=DATES[2])
    found = analysis.compare(read(tmp_path))
    assert (found.models, found.n_items) == (["one", "two"], 3)
    printing_pairs.print_comparison(found)
    first, second, third, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith(f"few, {BSI}: not compared with the others")
    assert second == f"two: {READS_GOLD}"
    assert third.endswith("3 shared items about 3 people")
    assert plain.of_comparisons([found])["comparisons"][0]["notes"][:2] == [first, second]
    allowed = analysis.compare(read(tmp_path), allow=["limit"])
    assert (len(allowed.models), allowed.n_items) == (3, 1)
    printing_pairs.print_comparison(allowed)
    first, _, third, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("Run with --limit: few (1 document)")
    assert third.endswith("1 shared item about 1 person")
    assert analysis.ensemble(read(tmp_path)).cautions == found.cautions


def test_limited_runs_alone_are_compared_and_said_to_be(tmp_path: Path) -> None:
    limited(tmp_path, "few", date=DATES[0])
    limited(tmp_path, "less", date=DATES[1])
    found = analysis.compare(read(tmp_path))
    assert found.models == ["few", "less"]
    [said] = found.cautions
    assert said.startswith("Run with --limit: few (1 document), less (1 document).")


def test_too_few_runs_are_told_with_what_was_left_out(tmp_path: Path) -> None:
    run_of(tmp_path, letters("A A B"), task=BSI, model="one")
    with pytest.raises(OtherMindsError, match=r"give the samples of another model\. Left out: x"):
        analysis.compare(replace(read(tmp_path), notes=["Left out: x"]))


def test_one_run_is_not_enough_and_names_to_allow_must_exist(tmp_path: Path) -> None:
    run_of(tmp_path, letters("A A"), task=BSI)
    with pytest.raises(OtherMindsError, match="1 run is left to compare, and comparing takes two"):
        analysis.compare(read(tmp_path))
    with pytest.raises(
        OtherMindsError, match=r"Unknown difference 'decodin'\. Did you mean 'decoding'"
    ):
        analysis.compare(read(tmp_path), allow=["decodin"])


def test_of_models_that_were_run_more_often_the_first_answers_count(tmp_path: Path) -> None:
    run_of(tmp_path / "once", letters("A B"), model="once", task=BSI)
    for date, answers in zip(DATES, ("A A", "B B", "B B"), strict=False):
        run_of(tmp_path / "thrice", letters(answers), model="thrice", task=BSI, date=date)
    found = analysis.compare(read(tmp_path))
    assert found.values["bsi_acc"] == {"once": 0.5, "thrice": 1.0}
    assert "the first 1 of each are used" in " ".join(found.notes)
    assert set(found.mcnemar) == {("once", "thrice")}


def test_with_repeats_the_mean_is_compared_and_mcnemar_is_not_there(tmp_path: Path) -> None:
    run_of(tmp_path / "a", letters("AA AB AA"), model="a", task=BSI)
    run_of(tmp_path / "b", letters("AB BB AB"), model="b", task=BSI)
    found = analysis.compare(read(tmp_path))
    # Of 6 answers 5 and 2 are right.
    assert found.differences["bsi_acc"]["a", "b"].difference.value == pytest.approx(5 / 6 - 2 / 6)
    assert found.mcnemar == {}
    assert not found.notes


def test_a_model_without_a_metric_is_left_out_of_that_metric_alone(
    models: Mapping[str, Finished], tmp_path: Path
) -> None:
    silent = without_answers(models["random"], tmp_path / "silent")
    runs = read(silent, *samples_paths(models, "random", "random (seed=2)"))
    found = analysis.compare(runs)
    assert set(found.differences["composite"]) == {("random", "random (seed=2)")}
    assert len(found.differences["bsi_acc"]) == 3
    assert found.differences["bsi_acc"]["silent", "random"].p_value < 0.001
    [note] = [note for note in found.notes if note.startswith("silent is not")]
    assert "composite" in note
    pair = read(silent, *samples_paths(models, "random"))
    with pytest.raises(OtherMindsError, match="can be compared by composite"):
        analysis.compare(pair, metrics=["composite"])


def without_answers(run: Finished, folder: Path) -> Path:
    """The same documents, to none of which an answer can be read."""
    [path] = run.sample_paths
    with opened(path) as lines:
        made = [json.loads(one) | {"filtered_resps": [["lol"]]} for one in lines]
    return written(folder, made, task=BOTH)


def samples_paths(models: Mapping[str, Finished], *names: str) -> list[Path]:
    return [path for name in names for path in models[name].sample_paths]


SEEDS = 200
PEOPLE, ITEMS = 24, 4


def answered(name: str, right: np.ndarray[Any, Any]) -> Run:
    """A run in memory: `right` has a row for each person and a column for each letter question."""
    rules = samples.rules_of(BSI)
    assert rules is not None
    records = [
        Scored(
            Item(
                item_id=f"{person:02}-{item}",
                participant_id=f"P{person}",
                topic="zoning",
                task="bsi",
                question_id="",
                question_type="",
                low=0,
                high=0,
                gold="A",
                answers=("A" if right[person, item] else "B",),
            )
        )
        for person in range(len(right))
        for item in range(right.shape[1])
    ]
    facts = Facts(model=name, weightless=True)
    return Run(name, BSI, rules, facts, records, {}, {}, (), ())


@pytest.mark.slow
def test_equal_models_are_told_apart_as_often_as_five_percent_says() -> None:
    """People differ much in how easy they are, and each model has its own easy people."""
    rng = np.random.default_rng(20_260_102)
    found = 0
    for _ in range(SEEDS):
        ease = rng.beta(2, 2, (2, PEOPLE, 1))
        right = rng.random((2, PEOPLE, ITEMS)) < ease
        runs = Runs([answered("a", right[0]), answered("b", right[1])], ())
        result = analysis.compare(runs, metrics=["bsi_acc"])
        found += result.differences["bsi_acc"]["a", "b"].p_value < 0.05
    # Binomial 99 % interval of 200 at 5 %: 3 to 19.
    low, high = binom.interval(0.99, SEEDS, 0.05)
    assert low <= found <= high


def test_files_of_the_same_model_run_in_two_ways_are_two_models(tmp_path: Path) -> None:
    run_of(tmp_path, letters("A A B"), task=BSI, date=DATES[0])
    run_of(tmp_path, letters("A B B"), task=BSI, date=DATES[1], **CHAT)
    found = analysis.compare(read(tmp_path), allow=["chat-template"])
    assert found.models == ["some-model #1", "some-model #2"]


def test_numbers_are_compared_too(tmp_path: Path) -> None:
    lines = [("7", "7"), ("5", "8"), ("2", "2")]
    for model, off in (("a", 0), ("b", 2)):
        answers = [
            opinion(f"i{n}", gold, str(int(said) + off), participant_id=f"P{n}")
            for n, (gold, said) in enumerate(lines)
        ]
        run_of(tmp_path / model, answers, model=model, task=BDU)
    found = analysis.compare(read(tmp_path), metrics=["bdu_mae"])
    # Errors of 0, 3, 0 and of 2, 5, 2 points, half a point each.
    assert found.values["bdu_mae"] == {"a": pytest.approx(0.5), "b": pytest.approx(1.5)}
    assert found.groups["bdu_mae"][0][0] == "a"
