"""Debate tasks: prompts, task files, and how a document is scored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from otherminds import harness, paths, prompts
from otherminds.analysis.ensembles import majority
from otherminds.cli import doctor
from otherminds.metrics.errors import MisalignedInput
from otherminds.scoring.base import ItemScores, details, is_answered
from otherminds.tasks.debate import scoring as debate

CONDITIONS = ("blind", "demographics", "beliefs", "both", "cross_category")
DATASETS = {"": "debate-beliefs", "_issues": "debate-beliefs-issues"} | {
    "_synthetic": "debate-beliefs-synthetic"
}
FORMS = ("", "_direct", "_logprob")
TASKS = [f"debate_{c}{d}{f}" for c, d, f in product(CONDITIONS, DATASETS, FORMS)]
METRICS = ("macro_f1", "acc", "agree_rate", "agree_rate_people")
DISTRIBUTION_METRICS = ("brier", "ece")
TEMPLATES = ("debate__answer_cot", "debate__answer", "debate__choose")
MARK = "[[ ## proposition ## ]]"


def document(name: str = "ddo-000001", user: str = "U1", **changes: Any) -> dict[str, Any]:
    return {
        "item_id": name,
        "user_id": user,
        "category": "Religion",
        "proposition": "God exists",
        "agrees": True,
        "background": [
            {"attribute": "Religion", "value": "Buddhist"},
            {"attribute": "Income", "value": "$25,000 to $35,000"},
        ],
        "known_beliefs": [
            {"proposition": "Taxes are theft", "category": "Politics", "agrees": False},
            {"proposition": "Cats rule!", "category": "Funny", "agrees": True},
        ],
        "n_known": 2,
    } | changes


def config(task: str) -> dict[str, Any]:
    return dict(harness.load_yaml(paths.tasks() / "debate" / f"{task}.yaml"))


def records(*scored: Mapping[str, ItemScores]) -> list[Any]:
    return [one["acc"].record for one in scored]


# Prompts


def test_the_prompt_of_both_reads_as_the_protocol_says() -> None:
    assert prompts.debate__answer(document()) == (
        "[[ ## background ## ]]\n"
        "- Religion: Buddhist\n"
        "- Income: $25,000 to $35,000\n"
        "\n"
        "[[ ## known_beliefs ## ]]\n"
        "1. I disagree with the following: Taxes are theft.\n"
        "2. I agree with the following: Cats rule!\n"
        "\n"
        "[[ ## proposition ## ]]\n"
        "God exists\n"
        "\n"
        "Would this person agree or disagree with the proposition? Reply with one word, agree or "
        "disagree."
    )


def test_what_is_not_shown_leaves_no_trace() -> None:
    for template in TEMPLATES:
        render = prompts.renderer(template)
        blind = render(document(background=[], known_beliefs=[]))
        assert blind.startswith("Nothing is known of this person.\n\n" + MARK)
        demographics = render(document(known_beliefs=[]))
        assert "Buddhist" in demographics
        assert "known_beliefs" not in demographics
        beliefs = render(document(background=[]))
        assert beliefs.startswith("[[ ## known_beliefs ## ]]\n1. I disagree")
        assert "## background" not in beliefs


@pytest.mark.parametrize("template", TEMPLATES)
def test_items_of_one_person_share_their_prompt_up_to_the_proposition(template: str) -> None:
    render = prompts.renderer(template)
    first = render(document())
    second = render(document("ddo-2", proposition="Cars are art", category="Cars", agrees=False))
    assert first.partition(MARK)[0] == second.partition(MARK)[0] != ""
    assert first.count(MARK) == second.count(MARK) == 1


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_prompt_shows_a_gold_field_an_id_or_the_category(template: str) -> None:
    render = prompts.renderer(template)
    hidden = {"agrees": "@@", "item_id": "@@", "user_id": "@@", "category": "@@", "n_known": "@@"}
    assert render(document() | hidden) == render(document())


def test_the_forms_ask_for_what_the_scoring_reads() -> None:
    reasoned, chosen = prompts.debate__answer_cot(document()), prompts.debate__choose(document())
    before, field = reasoned.split("[[ ## prediction ## ]]")
    assert "[[ ## reasoning ## ]]" in before
    # The paper's answer is a Python bool; the words stay readable.
    assert "one Python bool, True if this person would agree with the proposition or False" in field
    scored = debate.text(
        document(),
        [[f"[[ ## prediction ## ]]\n{word}" for word in ("True", "False", "agree", "no")]],
    )
    [record] = records(scored)
    assert record.item.answers == (True, False, True, False)
    assert "A. agree\nB. disagree\n" in chosen
    assert chosen.endswith("Answer:")


# Task files


def test_every_task_has_a_file_and_every_file_is_sound() -> None:
    folder = paths.tasks() / "debate"
    names = {path.stem for path in folder.glob("*.yaml")}
    assert names == {*TASKS, "debate", "debate_issues", "debate_synthetic", "debate_title_filter"}
    findings = [f for f in doctor.task_files() if f.subject.startswith("file debate")]
    assert len(findings) == len(names)
    assert [f.detail for f in findings if not f.passed] == []


@pytest.mark.parametrize("suffix", DATASETS)
def test_a_group_has_the_four_conditions_with_a_chain_of_thought(suffix: str) -> None:
    members = [f"debate_{c}{suffix}" for c in CONDITIONS[:4]]
    assert config(f"debate{suffix}") == {"group": f"debate{suffix}", "task": members}


@pytest.mark.parametrize(
    ("condition", "suffix", "form"), list(product(CONDITIONS, DATASETS, FORMS))
)
def test_a_task_names_its_data_condition_and_form(condition: str, suffix: str, form: str) -> None:
    found = config(f"debate_{condition}{suffix}{form}")
    assert found["dataset_kwargs"] == {
        "dataset": DATASETS[suffix], "configs": ["beliefs"], "evidence": condition
    }  # fmt: skip
    template = {"": "answer_cot", "_direct": "answer", "_logprob": "choose"}[form]
    assert found["doc_to_text"].__name__ == f"debate__{template}"
    if form == "_logprob":
        assert found["output_type"] == "multiple_choice"
        assert found["doc_to_choice"](document()) == ["A", "B"]
        return
    generation = found["generation_kwargs"]
    assert (generation["temperature"], generation["until"]) == (0, [])
    assert generation["max_gen_toks"] == (2048 if form == "" else 256)


@pytest.mark.parametrize("form", FORMS)
def test_a_task_scores_just_what_it_lists_in_order(form: str) -> None:
    found = config(f"debate_both_synthetic{form}")
    logprob = form == "_logprob"
    wanted = [*METRICS, *(DISTRIBUTION_METRICS if logprob else ()), "parse_rate"]
    with_errors = [part for name in wanted for part in (name, f"{name}_stderr")]
    listed = [entry["metric"] for entry in found["metric_list"]]
    assert listed == [*with_errors, "n_items", "n_people"]
    no_answer = [(math.nan, False)] * 2 if logprob else [[None]]
    assert list(found["process_results"](document(), no_answer)) == listed
    better = {entry["metric"]: entry["higher_is_better"] for entry in found["metric_list"]}
    assert [better[name] for name in METRICS] == [True, True, None, None]
    if logprob:
        assert better["brier"] is better["ece"] is False


@pytest.mark.parametrize("form", FORMS)
def test_the_aggregations_of_a_task_give_the_run_its_numbers(form: str) -> None:
    found = config(f"debate_blind{form}")
    docs = [document(f"i{i}", f"U{i % 3}", agrees=i % 2 == 0) for i in range(6)]
    if form == "_logprob":
        results: list[Any] = [[(math.log(0.75), True), (math.log(0.25), False)]] * 6
    else:
        results = [[["agree"]]] * 6
    scored = [found["process_results"](d, r) for d, r in zip(docs, results, strict=True)]
    values = {
        entry["metric"]: entry["aggregation"]([one[entry["metric"]] for one in scored])
        for entry in found["metric_list"]
    }
    # Half of the golds are agree, and so is every answer: F1 2·3/(3 + 6) and 0.
    assert values["macro_f1"] == pytest.approx(1 / 3)
    assert (values["acc"], values["agree_rate"], values["agree_rate_people"]) == (0.5, 1.0, 0.5)
    assert (values["parse_rate"], values["n_items"], values["n_people"]) == (1.0, 6, 3)
    assert not any(math.isnan(value) for value in values.values())
    if form == "_logprob":
        # (0.25² + 0.25²) and (0.75² + 0.75²), half each; confidence 0.75 where accuracy is 0.5.
        assert values["brier"] == pytest.approx((0.125 + 1.125) / 2)
        assert values["ece"] == pytest.approx(0.25)


def test_other_names_are_no_aggregations() -> None:
    for name in ("bsi_acc", "n_people_stderr", "macro_f2"):
        with pytest.raises(AttributeError):
            getattr(debate, name)


# Documents


def test_a_text_document_has_its_own_scores_by_run() -> None:
    scored = debate.text(document(), [["agree", "[[ ## prediction ## ]]\ndisagree", "hm", None]])
    assert scored["acc"] == [1.0, 0.0, 0.0, 0.0]
    assert scored["parse_rate"] == [1.0, 1.0, 0.0, 0.0]
    assert scored["agree_rate"] == [1.0, 0.0, None, None]
    assert scored["agree_rate_people"] == [1.0] * 4
    assert scored["macro_f1"] == scored["acc_stderr"] == scored["n_items"] == []
    assert debate.gold(document()) == "agree"
    assert debate.gold(document(agrees=False)) == "disagree"


@pytest.mark.parametrize(
    ("logs", "answer"),
    [
        ((-0.1, -2.0), True),
        ((-2.0, -0.1), False),
        ((-math.inf, -0.1), False),
        ((-1.0, -1.0), True),
        ((math.nan, -0.1), None),
        ((-math.inf, -math.inf), None),
    ],
)
def test_a_choice_is_the_likelier_letter(logs: tuple[float, float], answer: bool | None) -> None:
    [record] = records(debate.choice(document(), [(log, False) for log in logs]))
    assert record.item.answers == (answer,)


def test_a_broken_distribution_is_a_parse_failure_and_no_crash() -> None:
    broken = debate.choice(document("a"), [(math.nan, False), (0.0, False)])
    good = debate.choice(document("b", "U2"), [(0.0, True), (-math.inf, False)])
    found = debate.Scored.details(records(broken, good))["estimates"]
    assert found["parse_rate"]["value"] == found["acc"]["value"] == 0.5
    assert (found["brier"]["value"], found["brier"]["n"]) == (0.0, 1)
    only = debate.Scored.details(records(broken))["estimates"]
    assert "brier" not in only
    assert "agree_rate" not in only


def test_a_view_shows_words_category_and_bin() -> None:
    [record] = records(debate.text(document(n_known=12, agrees=False), [["disagree", "agree", ""]]))
    assert is_answered(record)
    view = record.view()
    assert (view.item_id, view.person, view.part, view.category) == (
        "ddo-000001", "U1", "Religion", "11-20"
    )  # fmt: skip
    assert (view.gold, view.answers) == ("disagree", ("disagree", "agree", None))
    assert (view.correct, view.scale) == ((True, False, False), None)


def test_answers_can_be_exchanged_for_a_vote() -> None:
    [record] = records(debate.choice(document(), [(0.0, True), (-1.0, False)]))
    votes = ["disagree", None, "disagree", "agree"]
    voted = record.with_answers((majority(votes),))
    assert voted.view().answers == ("disagree",)
    assert voted.log_likelihoods == ()
    with pytest.raises(MisalignedInput, match="'A' is neither 'agree'"):
        record.with_answers(("A",))


def test_details_have_every_breakdown() -> None:
    scored = [
        debate.text(document("a"), [["agree"]]),
        debate.text(document("b", "U2", n_known=80), [["disagree"]]),
        debate.text(document("c", "U2", n_known=80, category="Cars"), [["agree"]]),
    ]
    found = details(scored)
    assert found["estimates"]["acc"]["value"] == pytest.approx(2 / 3)
    assert list(found["by_topic"]) == ["Cars", "Religion"]
    assert list(found["by_known"]) == ["1-5", "51+"]
    assert found["by_topic"]["Religion"]["acc"]["n"] == 2
    assert found["part_counts"]["by_known"]["51+"]["n_people"] == 1
    assert found["counts"] == {"n_items": 3, "n_people": 2, "n_agree": 3, "n_read": 3}


def test_sufficient_holds_what_has_a_value() -> None:
    read = records(debate.text(document(), [["agree"]]))
    assert debate.Scored.sufficient(read).metrics == ("macro_f1", "acc", "agree_rate", "parse_rate")
    unread = records(debate.text(document(), [[""]]))
    assert "agree_rate" not in debate.Scored.sufficient(unread).metrics
    assert debate.Scored.changes(read) == []


def test_confidence_is_that_of_the_likelier_answer() -> None:
    scored = [
        debate.choice(document("a"), [(math.log(0.2), False), (math.log(0.8), True)]),
        debate.choice(document("b"), [(math.log(0.9), True), (math.log(0.1), False)]),
        debate.choice(document("c"), [(math.nan, False), (0.0, True)]),
        debate.text(document("d"), [["agree"]]),
    ]
    assert debate.Scored.confidence(records(*scored)) == [
        (pytest.approx(0.8), False),
        (pytest.approx(0.9), True),
    ]


def test_a_document_is_checked() -> None:
    debate.check_doc(document())
    debate.check_doc(document(background=[], known_beliefs=[]))
    for changes in (
        {"agrees": "agree"},
        {"n_known": -1},
        {"n_known": "2"},
        {"background": ["Buddhist"]},
        {"known_beliefs": [{"proposition": "x", "category": "Arts"}]},
        {"category": None},
    ):
        with pytest.raises(ValidationError):
            debate.check_doc(document(**changes))
    with pytest.raises(ValidationError):
        debate.check_doc([])
