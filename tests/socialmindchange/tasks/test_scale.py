"""The tasks of SocialMindChange's scale edition on a small build of the same generator."""

from __future__ import annotations

import inspect
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, index, manifest
from otherminds.analysis import compare, read_runs, score
from otherminds.data.loading import SPLIT
from otherminds.errors import OtherMindsError
from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.socialmindchange import LETTERS, chance
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from otherminds.tasks.socialmindchange import commands, documents, scoring
from otherminds.tasks.socialmindchange.study import Plan, evaluate, export, key, read, results
from tests.helpers import fictional_socialmindchange_scale as fictional
from tests.helpers.annotated import fill, right, table
from tests.helpers.fictional_socialmindchange_scale import DATASET

LENGTHS = ("length_6", "length_7")

# The small build has one variant of each kind.
TASKS = [
    entry.name
    for entry in harness.entries(harness.task_manager())
    if entry.kind == "task"
    and entry.name.startswith("socialmindchange_scale")
    and not entry.name.startswith(
        ("socialmindchange_scale_group_6", "socialmindchange_scale_length_7")
    )
]

# Each form once, and each kind of stage; all of them together are slow.
QUICK = {
    *(
        "socialmindchange_scale",
        "socialmindchange_scale_lite_logprob",
        "socialmindchange_scale_lite_with_states",
    ),
    *("socialmindchange_scale_group_5_cot", "socialmindchange_scale_length_6_truncated"),
}
PARAMETERS = [
    task if task in QUICK else pytest.param(task, marks=pytest.mark.slow) for task in TASKS
]
EIGHT, SIXTEEN = 8, 16


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `otherminds build` writes it, of a few stages."""
    harness.quiet(debug=False)
    return fictional.shared(tmp_path_factory)


def load(task: str, source: Path) -> Any:
    manager = harness.task_manager({"data_source": str(source)})
    return harness.load_tasks(manager, [task])[task]


def play(task: str, model: str, source: Path, out: Path, *flags: str) -> Finished:
    told = ("--metadata", json.dumps({"data_source": str(source)}), "--output_path", str(out))
    finished = run([task], ["--model", model, *told, *flags], Options())
    assert finished is not None
    return finished


def numbers(finished: Finished, task: str) -> dict[str, float]:
    found = finished.results["results"][task]
    return {key.split(",")[0]: value for key, value in found.items() if "," in key}


def of_size(task: Any, options: int) -> Any:
    """The first document with so many options."""
    return next(doc for doc in task.eval_docs if len(doc["options"]) == options)


def test_all_questions_on_a_stage_share_what_is_known_of_it(source: Path) -> None:
    task = load("socialmindchange_scale", source)
    docs = list(task.eval_docs)
    assert len(docs) == 80 * fictional.PARAMETERS["stages"]
    heads: dict[str, set[str]] = {}
    for doc in docs:
        head, mark, tail = task.doc_to_text(doc).partition("# The question")
        assert mark
        assert doc["question"] in tail
        for letter, option in zip(LETTERS, doc["options"], strict=False):
            assert f"({letter}) {option}" in tail
        assert tail.count("\n(") == len(doc["options"])
        heads.setdefault(doc["stage_id"], set()).add(head)
    assert all(len(found) == 1 for found in heads.values())
    assert Counter(len(doc["options"]) for doc in docs) == {SIXTEEN: 240, EIGHT: 80}


def test_a_document_has_order_and_steps_and_a_prompt_nothing_that_says_how_it_was_made(
    source: Path,
) -> None:
    task = load("socialmindchange_scale", source)
    for doc in list(task.eval_docs)[::20]:
        assert doc["order"] in (1, 2, 3)
        assert doc["third_order"] == (doc["order"] == 3)
        assert doc["steps"] >= 1
        scoring.check_doc(doc)
        text = task.doc_to_text(doc)
        assert not any(word in text for word in ('"kind"', '"chain"', "{", "transition_"))


def test_truncated_tasks_show_the_first_four_scenes(source: Path) -> None:
    for name, scenes in (("lite", 5), ("length_6", 6)):
        whole, cut = (
            load(f"socialmindchange_scale_{name}{end}", source) for end in ("", "_truncated")
        )
        doc, shown = whole.eval_docs[0], cut.eval_docs[0]
        assert [one["number"] for one in doc["scenes"]] == list(range(1, scenes + 1))
        assert [one["number"] for one in shown["scenes"]] == [1, 2, 3, 4]
        text = whole.doc_to_text({**doc, "scenes": doc["scenes"][:4]})
        assert whole.doc_to_text(shown) == text != whole.doc_to_text(doc)


def test_states_are_shown_where_the_task_does(source: Path) -> None:
    plain, told = (
        load(f"socialmindchange_scale_lite{end}", source) for end in ("", "_with_states")
    )
    assert "# Their states of mind" not in plain.doc_to_text(plain.eval_docs[0])
    doc = told.eval_docs[0]
    text = told.doc_to_text(doc)
    # Who is away does nothing, and nothing is said of it.
    assert any(not one["action"] for one in doc["states"])
    for one in doc["states"]:
        [line] = [
            line
            for line in text.split("\n")
            if line.startswith(f"Scene {one['scene']}, {one['person']}. Belief: ")
        ]
        assert line.endswith(".")
        assert ".." not in line
        for part in ("belief", "emotion", "intention", "action"):
            assert (f" {part.capitalize()}: {one[part]}" in line) == bool(one[part])


def test_parts_of_the_data(source: Path) -> None:
    assert len(set(load("socialmindchange_scale_lite", source).eval_docs["stage_id"])) == 1
    assert set(load("socialmindchange_scale_group_5", source).eval_docs["group_size"]) == {5}
    assert set(load("socialmindchange_scale_length_6", source).eval_docs["n_scenarios"]) == {6}
    with pytest.raises(OtherMindsError, match="no questions of the variant 'length_7'"):
        documents.documents(
            dataset=DATASET,
            configs=["questions_variants", "stages_variants"],
            variant="length_7",
            data_source=str(source),
        )


@pytest.mark.parametrize(
    ("group", "ends"),
    [
        ("ablations", ("lite", "lite_with_states", "lite_truncated", "lite_cot")),
        ("variants", ("group_5", "group_6", "length_6", "length_7")),
        (
            "truncation",
            tuple(f"{one}{end}" for one in ("lite", *LENGTHS) for end in ("", "_truncated")),
        ),
    ],
)
def test_groups_have_their_tasks(group: str, ends: tuple[str, ...]) -> None:
    content = harness.entries(harness.task_manager())
    [found] = [one for one in content if one.name == f"socialmindchange_scale_{group}"]
    assert found.kind == "group"
    assert set(index.entries()[found.name].content["task"]) == {
        f"socialmindchange_scale_{end}" for end in ends
    }


@pytest.mark.parametrize("task", PARAMETERS)
def test_the_oracle_is_perfect(task: str, source: Path, tmp_path: Path) -> None:
    finished = play(task, "oracle", source, tmp_path)
    found = numbers(finished, task)
    for metric in ("acc", "acc_guidance", "acc_transition", "parse_rate", "sets_full"):
        assert found[metric] == 1.0
    assert finished.results["versions"][task] == 3.4


@pytest.mark.parametrize(
    "form", ["", *(pytest.param(form, marks=pytest.mark.slow) for form in ("_cot", "_logprob"))]
)
def test_a_corrupted_oracle_is_as_often_right_as_it_is_left_alone(
    form: str, source: Path, tmp_path: Path
) -> None:
    task = f"socialmindchange_scale{form}"
    found = numbers(play(task, "corrupted-oracle", source, tmp_path), task)
    # 0.3 of the answers are exchanged: 0.7 within five standard errors of the answers.
    assert abs(found["acc"] - 0.7) < 5 * math.sqrt(0.21 / found["n_items"])
    assert 0 < found["sets_full"] < 1


def test_random_letters_score_chance_of_eight_and_of_sixteen(source: Path, tmp_path: Path) -> None:
    task = "socialmindchange_scale"
    finished = play(task, "random", source, tmp_path, "--model_args", "seed=5")
    sizes = [len(doc["options"]) for doc in load(task, source).eval_docs]
    expected = chance(sizes)
    assert expected == pytest.approx(0.75 / SIXTEEN + 0.25 / EIGHT)
    found = numbers(finished, task)
    assert found["parse_rate"] == 1.0
    assert abs(found["acc"] - expected) < 5 * math.sqrt(expected / len(sizes))


def test_results_are_broken_down_by_order_and_steps_and_by_sizes_where_there_are_several(
    source: Path, tmp_path: Path
) -> None:
    finished = play("socialmindchange_scale", "corrupted-oracle", source, tmp_path)
    found = finished.results["otherminds"]["scores"]["socialmindchange_scale"]
    docs = list(load("socialmindchange_scale", source).eval_docs)
    assert set(found["by_topic"]) == {doc["type"] for doc in docs}
    assert set(found["by_state"]) == {"belief", "emotion", "intention", "action"}
    assert list(found["by_order"]) == [str(n) for n in sorted({doc["order"] for doc in docs})]
    assert set(found["by_steps"]) <= {"1-5", "6-7", "8-10", "11+"}
    for part in ("by_order", "by_steps"):
        assert sum(one["acc"]["n"] for one in found[part].values()) == len(docs)
    assert "by_group_size" not in found
    assert "by_length" not in found
    axes = Counter(one["axis"] for one in found["curves"])
    assert axes == {
        "scenes between": len(found["by_span"]),
        "order of belief": len(found["by_order"]),
    }


def test_sizes_and_lengths_have_parts_of_their_own(source: Path) -> None:
    records = []
    for task in (
        "socialmindchange_scale",
        "socialmindchange_scale_group_5",
        "socialmindchange_scale_length_6",
    ):
        loaded = load(task, source)
        for doc in list(loaded.eval_docs)[:40]:
            records.append(scoring.SCORER.record(doc, [["a"]], takes_options=False))
    found = scoring.Scored.details(records)
    assert list(found["by_group_size"]) == ["4", "5"]
    assert list(found["by_length"]) == ["5", "6"]


@pytest.mark.parametrize("options", [EIGHT, SIXTEEN])
def test_a_letter_beyond_the_options_is_no_answer(options: int, source: Path) -> None:
    task = load("socialmindchange_scale", source)
    doc = of_size(task, options)
    last, beyond = LETTERS[options - 1], chr(ord("a") + options)
    scored = task.process_results(doc, [[last, f"Answer: {last}", beyond, f"Answer: {beyond}"]])
    assert scored["parse_rate"] == [1.0, 1.0, 0.0, 0.0]
    record = scored["acc"].record
    assert record.item.answers == (last, last, None, None)
    assert record.view().options == tuple(LETTERS[:options])
    with pytest.raises(MisalignedInput, match=f"a letter from a to {last} nor None"):
        record.with_answers((beyond,))


@pytest.mark.parametrize("options", [EIGHT, SIXTEEN])
def test_log_likelihoods_are_of_the_letters_there_are(options: int, source: Path) -> None:
    task = load("socialmindchange_scale_lite_logprob", source)
    doc = of_size(task, options)
    assert task.doc_to_choice(doc) == list(LETTERS[:options])
    gold = LETTERS.index(doc["answer"])
    sure = [(0.0 if place == gold else -30.0, False) for place in range(options)]
    even = [(-1.0, False)] * options
    records = [task.process_results(doc, results)["brier"].record for results in (sure, even)]
    briers = [scoring.Scored.totals([one]).estimates["brier"].value for one in records]
    assert briers == pytest.approx([0.0, 1 - 1 / options])


def test_a_gold_beyond_the_options_is_no_document(source: Path) -> None:
    doc = dict(of_size(load("socialmindchange_scale", source), EIGHT))
    scoring.check_doc(doc)
    with pytest.raises(ValueError, match="none of 8 options"):
        scoring.check_doc({**doc, "answer": "i"})


def test_samples_are_scored_and_compared_again(source: Path, tmp_path: Path) -> None:
    for model in ("random", "corrupted-oracle"):
        play("socialmindchange_scale_lite", model, source, tmp_path)
    runs = read_runs([tmp_path])
    scores = score(runs)
    assert Counter(check.passed for one in scores.scored for check in one.checks)[False] == 0
    assert all(one.n_answers == 80 for one in scores.scored)
    [pair] = compare(runs, metrics=["acc"]).differences["acc"].values()
    assert abs(pair.difference.value) > 0.3


def test_documents_come_with_the_columns_of_questions(source: Path) -> None:
    task = load("socialmindchange_scale_lite", source)
    assert {"asked", "claims", "order", "steps"} <= set(task.eval_docs[0])
    assert len(task.dataset[SPLIT]) == 80


def test_people_are_asked_questions_with_eight_and_with_sixteen_options(
    source: Path, tmp_path: Path
) -> None:
    study = tmp_path / "study"
    plan = Plan("base", stages=2, items=40, raters=1, overlap=1, seed=3)
    export(study, plan, source=str(source))
    asked = {one.row: one for stage in key.read(study).stages for one in stage.questions}
    assert Counter(one.options for one in asked.values()) == {SIXTEEN: 60, EIGHT: 20}
    [row] = [one.row for one in asked.values() if one.options == EIGHT][:1]
    shown = (study / "for_A01" / "annotate_A01.html").read_text("utf-8")
    assert shown.count(f'name="{row}"') == EIGHT
    [line] = [one for one in table(study / "for_A01" / "annotate_A01.csv") if one["row"] == row]
    assert "\n(h) " in line["text"]
    assert "\n(i) " not in line["text"]
    fill(study, "A01", right(study))
    found = evaluate(read(study))
    assert results.as_json(found)["accuracy"]["chance"] == 0.75 / SIXTEEN + 0.25 / EIGHT
    assert {one["options"] for one in results.reference(found)["items"]} == {EIGHT, SIXTEEN}
    fill(study, "A01", lambda one: "I" if one["row"] == row else "")
    with pytest.raises(OtherMindsError, match="'I' is not a letter from a to h"):
        read(study)


def test_a_study_has_two_hundred_questions_where_nobody_says_otherwise() -> None:
    told = {
        name: one.default for name, one in inspect.signature(commands.export).parameters.items()
    }
    assert told["stages"] * told["items"] == 200
    assert told["dataset"] == DATASET
    assert manifest.load(DATASET).slices["lite"].rows["stages"] >= told["stages"]
