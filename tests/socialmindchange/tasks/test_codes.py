"""The tasks of SocialMindChange's codes on a small build of the same generator."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from otherminds import harness, manifest
from otherminds.analysis import compare, read_runs, score
from otherminds.data.loading import SPLIT, Origin
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from otherminds.tasks.socialmindchange import documents
from otherminds.tasks.socialmindchange.tables import state_table
from tests.helpers import fictional_socialmindchange_codes as fictional
from tests.helpers.fictional_socialmindchange_codes import DATASET

# Scenes that a model tells anew have no golds; test_codes_render.py has those tasks.
TASKS = [
    entry.name
    for entry in harness.entries(harness.task_manager())
    if entry.kind == "task"
    and entry.name.startswith("socialmindchange_codes")
    and not entry.name.startswith("socialmindchange_codes_render")
]

# Each form once, and each kind of stage; all of them together are slow.
QUICK = {
    "socialmindchange_codes",
    *("socialmindchange_codes_lite_logprob", "socialmindchange_codes_lite_cot"),
    *("socialmindchange_codes_lite_with_states", "socialmindchange_codes_group_6"),
    *("socialmindchange_codes_lite_truncated", "socialmindchange_codes_length_7"),
}
PARAMETERS = [
    task if task in QUICK else pytest.param(task, marks=pytest.mark.slow) for task in TASKS
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `otherminds build` writes it, of ten stages instead of 1,200."""
    harness.quiet(debug=False)
    return fictional.write(tmp_path_factory.mktemp("small"))


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


def test_all_questions_on_a_stage_share_what_is_known_of_it(source: Path) -> None:
    task = load("socialmindchange_codes", source)
    docs = list(task.eval_docs)
    assert len(docs) == 800
    heads: dict[str, set[str]] = {}
    for doc in docs[:240]:
        head, mark, tail = task.doc_to_text(doc).partition("# The question")
        assert mark
        assert doc["question"] in tail
        assert all(option in tail for option in doc["options"])
        heads.setdefault(doc["stage_id"], set()).add(head)
    assert len(heads) == 3
    assert all(len(found) == 1 for found in heads.values())


def test_a_prompt_shows_five_scenes_and_four_when_truncated(source: Path) -> None:
    whole, cut = (load(f"socialmindchange_codes_lite{end}", source) for end in ("", "_truncated"))
    doc = whole.eval_docs[0]
    scenes = ["".join(turn["text"] for turn in scene["turns"]) for scene in doc["scenes"]]
    assert len(scenes) == 5
    text = cut.doc_to_text(cut.eval_docs[0])
    assert "# Scene 4" in text
    assert "# Scene 5" not in text
    assert cut.eval_docs[0]["item_id"] == doc["item_id"]
    last = [turn["text"] for turn in doc["scenes"][-1]["turns"]]
    assert not any(turn in text for turn in last if len(turn) > 30)


@pytest.mark.parametrize("length", [6, 7])
def test_a_cut_stage_is_the_whole_one_without_its_later_scenes(length: int, source: Path) -> None:
    whole = load(f"socialmindchange_codes_length_{length}", source)
    wanted = {**whole.config.dataset_kwargs, "data_source": str(source)}
    cut = documents.documents(**wanted, scenes=4)[SPLIT]
    assert len(whole.eval_docs) == len(cut) == 80
    for place in (0, 40, 79):
        told, shown = whole.eval_docs[place], cut[place]
        assert [scene["number"] for scene in told["scenes"]] == list(range(1, length + 1))
        assert [scene["number"] for scene in shown["scenes"]] == [1, 2, 3, 4]
        assert shown["item_id"] == told["item_id"]
        # Nothing else changes: the prompt of the whole stage without its later scenes.
        text = whole.doc_to_text({**told, "scenes": told["scenes"][:4]})
        assert whole.doc_to_text(shown) == text != whole.doc_to_text(told)


@pytest.mark.parametrize(
    ("group", "ends"),
    [
        ("ablations", ("lite", "lite_with_states", "lite_truncated", "lite_cot")),
        ("variants", ("group_5", "group_6", "length_6", "length_7")),
    ],
)
def test_groups_have_their_tasks(group: str, ends: tuple[str, ...], source: Path) -> None:
    manager = harness.task_manager({"data_source": str(source)})
    found = harness.load_tasks(manager, [f"socialmindchange_codes_{group}"])
    assert set(found) == {f"socialmindchange_codes_{end}" for end in ends}


def test_states_stand_in_a_prompt_only_where_the_task_shows_them(source: Path) -> None:
    plain, told = (
        load(f"socialmindchange_codes_lite{end}", source) for end in ("", "_with_states")
    )
    assert "# Their states of mind" not in plain.doc_to_text(plain.eval_docs[0])
    text = told.doc_to_text(told.eval_docs[0])
    states = told.eval_docs[0]["states"]
    assert len(states) > 5
    assert all(f"Scene {one['scene']}, {one['person']}. Belief:" in text for one in states)


def test_lite_and_variants_are_parts_of_the_data(source: Path) -> None:
    lite = load("socialmindchange_codes_lite", source).eval_docs
    assert len(set(lite["stage_id"])) == 2
    assert set(load("socialmindchange_codes_group_6", source).eval_docs["group_size"]) == {6}
    assert set(load("socialmindchange_codes_length_7", source).eval_docs["n_scenarios"]) == {7}


def test_the_source_without_a_variant_says_so(tmp_path: Path, source: Path) -> None:
    from otherminds.errors import OtherMindsError
    from otherminds.tasks.socialmindchange import documents as socialmindchange

    with pytest.raises(OtherMindsError, match="no questions of the variant 'group_9'"):
        socialmindchange.documents(
            dataset=DATASET,
            configs=["questions_variants", "stages_variants"],
            variant="group_9",
            data_source=str(source),
        )


@pytest.mark.parametrize("task", PARAMETERS)
def test_the_oracle_is_perfect(task: str, source: Path, tmp_path: Path) -> None:
    found = numbers(play(task, "oracle", source, tmp_path), task)
    for metric in ("acc", "acc_guidance", "acc_transition", "parse_rate", "sets_full"):
        assert found[metric] == 1.0


@pytest.mark.parametrize(
    "form", ["", *(pytest.param(form, marks=pytest.mark.slow) for form in ("_cot", "_logprob"))]
)
def test_a_corrupted_oracle_is_as_often_right_as_it_is_left_alone(
    form: str, source: Path, tmp_path: Path
) -> None:
    task = f"socialmindchange_codes{form}"
    found = numbers(play(task, "corrupted-oracle", source, tmp_path), task)
    # 0.3 of the answers are exchanged: 0.7 within five standard errors of 800 answers.
    assert abs(found["acc"] - 0.7) < 5 * math.sqrt(0.21 / found["n_items"])
    assert 0 < found["sets_full"] < 1


def test_random_letters_and_majorities_score_chance(source: Path, tmp_path: Path) -> None:
    chance = manifest.load(DATASET).references["chance"].scores["all"]["acc"]
    spread = math.sqrt(chance * (1 - chance) / 800)
    for model in ("random", "majority"):
        found = numbers(
            play("socialmindchange_codes", model, source, tmp_path / model),
            "socialmindchange_codes",
        )
        assert abs(found["acc"] - chance) < 5 * spread


def test_details_have_the_papers_table_the_span_curve_and_the_sets(
    source: Path, tmp_path: Path
) -> None:
    finished = play("socialmindchange_codes", "corrupted-oracle", source, tmp_path)
    found = finished.results["otherminds"]["scores"]["socialmindchange_codes"]
    assert set(found["by_topic"]) == {
        "guidance_action",
        "transition_state",
        "transition_reason",
        "transition_plan",
    }
    assert set(found["by_state"]) == {"belief", "emotion", "intention", "action"}
    assert [one["x"] for one in found["curves"]] == sorted(int(n) for n in found["by_span"])
    shares = [found["estimates"][f"sets_{name}"]["value"] for name in ("full", "local")]
    shares += [found["estimates"][f"sets_{name}"]["value"] for name in ("apparent", "error")]
    assert sum(shares) == pytest.approx(1.0)


def test_an_answer_that_cannot_be_read_is_wrong_and_counted(source: Path) -> None:
    task = load("socialmindchange_codes", source)
    doc = task.eval_docs[0]
    other = next(letter for letter in "abc" if letter != doc["answer"])
    scored = task.process_results(doc, [[f"Answer: {doc['answer']}", other, "", "I think so."]])
    assert scored["acc"] == [1.0, 0.0, 0.0, 0.0]
    assert scored["parse_rate"] == [1.0, 1.0, 0.0, 0.0]


def test_samples_are_scored_and_compared_again(source: Path, tmp_path: Path) -> None:
    for model in ("random", "corrupted-oracle"):
        play("socialmindchange_codes_lite", model, source, tmp_path)
    runs = read_runs([tmp_path])
    scores = score(runs)
    assert Counter(check.passed for one in scores.scored for check in one.checks)[False] == 0
    assert all(one.n_answers == 160 for one in scores.scored)
    found = compare(runs, metrics=["acc"])
    table = state_table(scores)
    assert list(table["Type"])[:2] == ["Guidance–Action", "Guidance–Transition, pooled"]
    assert len(table) == 2 * 5
    [pair] = found.differences["acc"].values()
    assert abs(pair.difference.value) > 0.3


def test_stages_are_those_of_the_data_that_are_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may look at several builds, one after the other, by the same arguments."""
    where = ["here"]
    monkeypatch.setattr(
        documents.data,
        "locate",
        lambda dataset, **_: Origin(dataset, "1.0", "folder", where[0]),
    )
    monkeypatch.setattr(
        documents.data, "for_task", lambda **_: {SPLIT: Dataset.from_list([{"place": where[0]}])}
    )
    for place in ("here", "there", "here"):
        where[0] = place
        assert [*documents.stage_rows("stages", dataset="socialmindchange-codes")] == [
            {"place": place}
        ]
