"""Good data pass every audit, and every audit fails on the fault it is there for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent import synthetic
from otherminds.dataset_builders.hugagent.answerability import Tally
from otherminds.dataset_builders.hugagent.audits import answerability_audits
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.synthetic import Audit, SyntheticSpec

Tables = dict[str, pa.Table]
Rows = dict[str, list[dict[str, Any]]]


def failed(audits: list[Audit]) -> set[str]:
    return {found.name for found in audits if not found.passed}


def test_good_data_pass(small: Tables, small_spec: SyntheticSpec) -> None:
    audits = synthetic.audit(small, small_spec)
    assert failed(audits) == set()
    names = [found.name for found in audits]
    assert len(names) == len(set(names))
    assert all(isinstance(found.value, (str, float)) for found in audits)


def drop_item(rows: Rows) -> None:
    rows["bdu"].pop()


def drop_person(rows: Rows) -> None:
    rows["agents"] = [row for row in rows["agents"] if row["participant_id"] != "S0001"]


def unmark(rows: Rows) -> None:
    for row in rows["agents"]:
        row["in_subset_50"] = False


def repeat_id(rows: Rows) -> None:
    rows["bsi"][1]["item_id"] = rows["bsi"][0]["item_id"]


def same_answer(task: str, answer: str) -> Callable[[Rows], None]:
    def edit(rows: Rows) -> None:
        for row in rows[task]:
            row["answer"] = answer

    return edit


def grade_all(grade: str) -> Callable[[Rows], None]:
    def edit(rows: Rows) -> None:
        for row in rows["bsi"] + rows["bdu"]:
            row["evidence"] = grade

    return edit


def cut_network(rows: Rows) -> None:
    graph = rows["agents"][0]["graph"]
    graph["edges"] = graph["edges"][:3]


def forget_importance(rows: Rows) -> None:
    for row in rows["agents"]:
        for node in row["graph"]["nodes"]:
            node["importance"] = 0.0


def show_masked(rows: Rows) -> None:
    """Show a masked exchange in all items of its person, as an unmasked one would be."""
    agent = rows["agents"][0]
    turn = next(turn for turn in agent["transcript"] if turn["masked"])
    for row in items_of(rows, agent):
        row["context"].append({"question": turn["question"], "answer": turn["answer"]})


def forget_to_mask(rows: Rows) -> None:
    for turn in rows["agents"][0]["transcript"]:
        turn["masked"] = False


def other_context(rows: Rows) -> None:
    rows["bsi"][0]["context"].append({"question": "One more?", "answer": "No."})


def shorten(rows: Rows) -> None:
    agent = rows["agents"][0]
    agent["transcript"] = agent["transcript"][:10]
    for row in items_of(rows, agent):
        row["context"] = [
            {"question": turn["question"], "answer": turn["answer"]}
            for turn in agent["transcript"]
            if not turn["masked"]
        ]


def tell(sentence: str) -> Callable[[Rows], None]:
    """Let the first person say a sentence."""

    def edit(rows: Rows) -> None:
        agent = rows["agents"][0]
        agent["transcript"][-1]["answer"] += f" {sentence}"
        for row in items_of(rows, agent):
            row["context"][-1]["answer"] += f" {sentence}"

    return edit


def say_twice(rows: Rows) -> None:
    tell("So it goes. So it goes.")(rows)


def say_everywhere(rows: Rows) -> None:
    for agent in rows["agents"]:
        agent["transcript"][0]["answer"] += " As the saying goes."
        for row in items_of(rows, agent):
            row["context"][0]["answer"] += " As the saying goes."


def number_in_question(rows: Rows) -> None:
    rows["bdu"][0]["question"] += f" ({rows['bdu'][0]['answer']})"


def answer_in_labels(rows: Rows) -> None:
    for row in rows["bdu"]:
        row["scale_labels"] = [row["answer"], "high"]


def one_direction(rows: Rows) -> None:
    rows["bsi"][0]["question"] += " NEGATIVE."


def turn_answers(rows: Rows) -> None:
    for row in rows["bsi"]:
        row["answer"] = "B" if row["answer"] == "A" else "A"
    for row in rows["bdu"]:
        low, high = row["scale"]
        row["answer"] = str(high if int(row["answer"]) <= (low + high) / 2 else low)


def items_of(rows: Rows, agent: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        row
        for row in rows["bsi"] + rows["bdu"]
        if (row["participant_id"], row["topic"]) == (agent["participant_id"], agent["topic"])
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edit", "names"),
    [
        (drop_item, {"counts_bdu"}),
        (drop_person, {"counts_agents"}),
        (unmark, {"counts_subset"}),
        (repeat_id, {"ids_unique"}),
        (same_answer("bsi", "A"), {"answers_bsi_healthcare", "answers_bsi_zoning"}),
        (
            same_answer("bdu", "5"),
            {"answers_opinion_zoning", "answers_reason_evaluation_zoning", "unchanged_zoning"},
        ),
        (grade_all("implied"), {"evidence_stated", "evidence_hinted"}),
        (grade_all("stated"), {"evidence_implied"}),
        (cut_network, {"structure_sound"}),
        (forget_importance, {"structure_importance_zoning"}),
        (show_masked, {"masked_absent", "one_context"}),
        (forget_to_mask, {"masked_absent", "one_context"}),
        (other_context, {"one_context"}),
        (shorten, {"context_length"}),
        (tell("I would say 8 out of 10 by now."), {"initial_state_only"}),
        (say_twice, {"sentence_repeated"}),
        (say_everywhere, {"sentence_commonest"}),
        (number_in_question, {"gold_hidden"}),
        (answer_in_labels, {"gold_hidden"}),
        (one_direction, {"gold_hidden"}),
        (
            turn_answers,
            {
                "reader_bsi_stated",
                "reader_baseline_stated",
                "reader_scenario_stated",
                "reader_reason_stated",
            },
        ),
    ],
)
def test_a_fault_is_found(
    small: Tables, small_spec: SyntheticSpec, edit: Callable[[Rows], None], names: set[str]
) -> None:
    found = failed(synthetic.audit(edited(small, edit), small_spec))
    assert names <= found


def edited(tables: Tables, edit: Callable[[Rows], None]) -> Tables:
    rows = {name: table.to_pylist() for name, table in tables.items()}
    edit(rows)
    return {
        name: pa.Table.from_pylist(rows[name], schema=table.schema)
        for name, table in tables.items()
    }


@pytest.mark.parametrize("kind", ["stance", "importance"])
def test_a_later_state_in_a_context_is_found(
    small: Tables, small_spec: SyntheticSpec, content: Content, kind: str
) -> None:
    agent = small["agents"].to_pylist()[0]
    topic = content.topics[agent["topic"]]
    if kind == "stance":
        # A person in the upper half who flatly opposes the policy, or the other way round.
        band = 1 if agent["initial_stance"] > 5.5 else 5
        clause = content.voices.stance[band].plain[0].format(policy=topic.policy)
    else:
        weakest = min(agent["weights"], key=lambda entry: entry["weight"])["factor"]
        phrase = topic.by_name[weakest].phrases[0]
        clause = content.voices.importance[5].plain[0].format(factor=phrase, policy=topic.policy)
    sentence = clause[0].upper() + clause[1:] + "."
    found = failed(synthetic.audit(edited(small, tell(sentence)), small_spec))
    assert found == {"initial_state_only"}


def tally(stated: int, hinted: int, implied: int, without: int) -> Tally:
    """Of 1,000 items of each grade, so many right; gold answers half A, half B."""
    return Tally(
        total=Counter(stated=1000, hinted=1000, implied=1000),
        right=Counter(stated=stated, hinted=hinted, implied=implied),
        right_without=without,
        answers=Counter(A=1500, B=1500),
    )


@pytest.mark.parametrize(
    ("found", "names"),
    [
        (tally(960, 850, 650, 1500), set()),
        (tally(949, 850, 650, 1500), {"reader_bsi_stated"}),
        # Three standard errors of a share at 1,000 items are 1.5 / sqrt(1000) = 4.7 points.
        (tally(960, 850, 900, 1500), {"reader_bsi_falls"}),
        # 50 % + 5 points + 1.5 / sqrt(3000) = 2.7 points: 57.7 % of 3,000 is 1,732.
        (tally(960, 850, 650, 1740), {"reader_bsi_without_interview"}),
    ],
)
def test_answerability(found: Tally, names: set[str]) -> None:
    assert failed(list(answerability_audits({"bsi": found}))) == names


def test_no_items_are_no_failure() -> None:
    assert failed(list(answerability_audits({}))) == set()
