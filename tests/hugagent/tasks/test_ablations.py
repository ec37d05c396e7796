"""The ablation tasks: what each shows, and that nothing else differs between them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, paths, prompts
from otherminds.dataset_builders.hugagent import ablations
from otherminds.errors import OtherMindsError
from otherminds.running.models import Options
from otherminds.running.run import run
from tests.helpers import fictional_hugagent as fictional

VARIANTS = (
    *("context5", "context10", "random_context", "no_context", "no_demographics"),
    *("cross_domain", "cross_person", "rag", "rag_full"),
)
TURN = "\nInterviewer: "


@pytest.fixture(autouse=True, scope="module")
def _data(twelve_people: Path) -> None:
    harness.quiet(debug=False)


def loaded(variant: str, **metadata: Any) -> Any:
    name = f"hugagent_{variant}_synthetic" if variant else "hugagent_synthetic"
    manager = harness.task_manager(metadata)
    return harness.load_tasks(manager, [name])[name]


def first_prompt(variant: str, **metadata: Any) -> str:
    task = loaded(variant, **metadata)
    return str(task.doc_to_text(task.eval_docs[0]))


def scores(variant: str, model: str, out: Path) -> dict[str, float]:
    name = f"hugagent_{variant}_synthetic" if variant else "hugagent_synthetic"
    flags = ["--model", model, "--output_path", str(out)]
    found = run([name], flags, Options()).results["results"][name]
    return {key.split(",")[0]: value for key, value in found.items() if "," in key}


@pytest.mark.parametrize("suffix", ["", "_synthetic"])
def test_the_group_holds_every_ablation_and_what_it_is_compared_with(suffix: str) -> None:
    group = harness.load_yaml(paths.tasks() / "hugagent" / f"hugagent_ablations{suffix}.yaml")
    assert set(group["task"]) == {
        f"hugagent{suffix}",
        *(f"hugagent_{variant}{suffix}" for variant in VARIANTS),
    }
    shown = {
        harness.load_yaml(paths.tasks() / "hugagent" / f"{name}.yaml")["dataset_kwargs"].get(
            "evidence"
        )
        for name in group["task"]
    }
    # Those show of other people, and ask the survey's questions alone.
    assert shown == {None, *ablations.ABLATIONS} - {"survey_examples"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_items_are_asked_with_the_same_words(variant: str) -> None:
    base, ablated = loaded(""), loaded(variant)
    for name in ("item_id", "answer", "question", "topic"):
        assert ablated.eval_docs[name] == base.eval_docs[name]
    mark = "# The question"
    for place in (0, 40, 200):
        one, other = (task.doc_to_text(task.eval_docs[place]) for task in (base, ablated))
        assert one.partition(mark)[2] == other.partition(mark)[2] != ""


@pytest.mark.parametrize(
    ("variant", "turns"),
    [("context5", 5), ("context10", 10), ("random_context", 5), ("rag", 5), ("no_context", 0)],
)
def test_a_prompt_shows_as_many_turns_as_its_name_says(variant: str, turns: int) -> None:
    assert first_prompt(variant).count(TURN) == turns


def test_retrieved_turns_are_added_to_the_interview() -> None:
    whole = first_prompt("").count(TURN)
    assert first_prompt("rag_full").count(TURN) == whole + 5
    assert first_prompt("no_demographics").count(TURN) == whole


def test_the_number_and_the_draw_of_random_turns_are_set_from_the_command_line() -> None:
    prompt = first_prompt("random_context")
    assert first_prompt("random_context", context_k=7).count(TURN) == 7
    assert first_prompt("random_context", context_seed=1) != prompt
    assert first_prompt("random_context", context_seed=0) == prompt
    assert first_prompt("context5", context_seed=0) == prompt


def test_survey_examples_stand_between_the_person_and_the_question() -> None:
    base, shown = loaded("bdu"), loaded("survey_examples", survey_k=4)
    assert harness.task_metadata(harness.task_manager(), shown.config.task)["survey_k"] == 15
    assert shown.eval_docs["item_id"] == base.eval_docs["item_id"]
    mark = "# The question"
    for place in (0, 40, 200):
        own, prompt = (task.doc_to_text(task.eval_docs[place]) for task in (base, shown))
        assert prompt.partition(mark)[2] == own.partition(mark)[2] != ""
        assert prompt.startswith(own.partition("Interview with")[0])
        assert TURN not in prompt
        assert prompt.count("\nBackground: ") == prompt.count("\nAnswer: ") == 4
        assert "\n\n\n" not in prompt


def test_the_number_and_the_draw_of_survey_examples_are_set_from_the_command_line() -> None:
    prompt = first_prompt("survey_examples")
    assert first_prompt("survey_examples", survey_k=4).count("\nAnswer: ") == 4
    assert first_prompt("survey_examples", survey_seed=1) != prompt
    assert first_prompt("survey_examples", survey_seed=0) == prompt


def test_without_examples_the_prompt_is_that_of_no_context() -> None:
    doc = {**loaded("no_context").eval_docs[0], "examples": []}
    assert prompts.hugagent__answer_survey(doc) == prompts.hugagent__answer(doc)


def test_a_derangement_is_set_from_the_command_line() -> None:
    found = {first_prompt("cross_person", derangement_seed=seed) for seed in (1, 2)}
    assert len({first_prompt("cross_person"), *found}) == 3


def test_what_is_left_out_leaves_no_empty_part() -> None:
    assert "Interview" not in first_prompt("no_context")
    assert "Background" not in first_prompt("no_demographics")
    for variant in ("", *VARIANTS):
        assert "\n\n\n" not in first_prompt(variant)
    doc = {**loaded("").eval_docs[0], "demographics": [], "context": []}
    for render in (prompts.hugagent__answer, prompts.hugagent__choose):
        head, _, _ = render(doc).partition("# The question")
        assert head == "# The person\n\nNothing is known of this person.\n\n"


def test_no_prompt_says_what_its_interview_is_about() -> None:
    # The interview may be about another topic than the item.
    doc = dict(loaded("cross_domain").eval_docs[0])
    for render in (prompts.hugagent__answer, prompts.hugagent__choose):
        assert render({**doc, "topic": "@@"}) == render(doc)


@pytest.mark.slow
def test_the_reader_learns_less_from_less(tmp_path: Path) -> None:
    found = {
        variant: scores(variant, "reader", tmp_path)["composite"]
        for variant in ("", "context10", "no_context", "cross_person")
    }
    assert found[""] > found["context10"] > found["no_context"] + 5
    # Another person's interview is no better than none.
    assert found["cross_person"] < found["no_context"] + 5


def test_persistence_is_right_about_change_where_nothing_changed(tmp_path: Path) -> None:
    docs = loaded("no_context").eval_docs.remove_columns(["context", "demographics"])
    opinions = [doc for doc in docs if doc["question_type"] == "opinion"]
    baselines = {
        (doc["participant_id"], doc["topic"]): doc["answer"]
        for doc in opinions
        if doc["question_id"].endswith(".1")
    }
    unchanged: dict[str, list[bool]] = defaultdict(list)
    for doc in opinions:
        if not doc["question_id"].endswith(".1"):
            same = doc["answer"] == baselines[doc["participant_id"], doc["topic"]]
            unchanged[doc["topic"]].append(same)
    by_topic = [sum(same) / len(same) for same in unchanged.values()]
    found = scores("no_context", "persistence", tmp_path)
    assert found["bdu_change"] == pytest.approx(sum(by_topic) / 3)
    assert found["bdu_direction"] == 0.0


def test_survey_answers_can_be_handed_in(clone: Path, tmp_path: Path) -> None:
    table = tmp_path / "survey.csv"
    table.write_text("participant_id,trade,1.1\nX1,cook,3\nX2,nurse,8\n")
    metadata = {"data_source": str(clone), "survey_table": str(table)}
    name = "hugagent_survey_examples"
    task = harness.load_tasks(harness.task_manager(metadata), [name])[name]
    for doc in task.eval_docs:
        prompt = task.doc_to_text(doc)
        if doc["question_id"] == "1.1":
            assert prompt.index("Background: trade: cook\nAnswer: 3") < prompt.index(
                "# The question"
            )
            assert "Background: trade: nurse\nAnswer: 8" in prompt
            assert "\nQuestion: " not in prompt
        else:
            assert "Other people" not in prompt
    out = ["--model", "random", "--output_path", str(tmp_path)]
    finished = run([name, "hugagent_bdu"], [*out, "--metadata", json.dumps(metadata)], Options())
    # Results say which table it was, where one was read.
    origins = finished.results["otherminds"]["data"]
    assert origins[name]["handed"] == {
        "survey_table": hashlib.sha256(table.read_bytes()).hexdigest()
    }
    assert "handed" not in origins["hugagent_bdu"]
    flags = ["--metadata", json.dumps(metadata | {"survey_table": str(tmp_path / "no.csv")})]
    with pytest.raises(
        OtherMindsError, match=r"'survey_examples': Cannot read the table .*no\.csv"
    ):
        run([name], [*flags, "--output_path", str(tmp_path)], Options())


def test_the_oracle_is_perfect_with_survey_examples(clone: Path, tmp_path: Path) -> None:
    flags = ["--metadata", json.dumps({"data_source": str(clone)}), "--output_path", str(tmp_path)]
    name = "hugagent_survey_examples"
    found = run([name], ["--model", "oracle", *flags], Options()).results["results"][name]
    assert found["bdu_acc,none"] == found["bdu_dir,none"] == 1.0


def test_an_impossible_parameter_is_one_clear_error(tmp_path: Path) -> None:
    metadata = json.dumps({"context_k": 0})
    with pytest.raises(OtherMindsError, match=r"random_k.*k is 0"):
        run(
            ["hugagent_random_context_synthetic"],
            ["--metadata", metadata, "--output_path", str(tmp_path)],
            Options(),
        )


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fictional records in upstream's format."""
    return fictional.write_clone(fictional.sample(), tmp_path_factory.mktemp("clone"))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_oracle_is_perfect_on_the_human_track(
    variant: str, clone: Path, tmp_path: Path
) -> None:
    flags = ["--metadata", json.dumps({"data_source": str(clone)}), "--output_path", str(tmp_path)]
    name = f"hugagent_{variant}"
    found = run([name], ["--model", "oracle", *flags], Options()).results["results"][name]
    # Under the paper's protocol the gold "A/B" is wrong whatever is said: 1 of 8 zoning items.
    assert found["bsi_acc,none"] == pytest.approx((1 + 1 + 7 / 8) / 3)
    assert found["bsi_acc_release,none"] == found["bdu_acc,none"] == found["bdu_dir,none"] == 1.0
