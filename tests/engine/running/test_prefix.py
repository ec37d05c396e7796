"""Prefix sharing: the count itself, and that prompts come close to the best there can be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from otherminds import harness
from otherminds.data import loading as data
from performance import prefix_tokens as prefix
from performance.prefix_tokens import Encode, Measured, Shown
from tests.helpers.tiny_model import make as make_model

MARK = "# The question"
PERSON_AND_TOPIC = ("participant_id", "topic")
KEEPING_EVIDENCE = (
    *("", "_context5", "_context10", "_random_context", "_no_demographics"),
    *("_cross_domain", "_cross_person"),
)
PEOPLE = 5
"""Enough to see whether people's prompts share what they should."""


def prompt(tokens: Sequence[int], owner: str = "P", system: int = 0, evidence: int = 0) -> Measured:
    return Measured(owner, np.array(tokens, dtype=np.uint32), system, evidence)


def test_unique_tokens_are_the_nodes_of_the_trie() -> None:
    # 1-2-3 and 1-2-4 share 1-2 (4 nodes), 1-2 is a part of them, 5-2 shares nothing (2 nodes).
    prompts = [prompt([1, 2, 3]), prompt([5, 2]), prompt([1, 2, 4]), prompt([1, 2])]
    assert prefix.total(prompts) == 10
    assert prefix.unique(prompts) == prefix.unique(prompts[::-1]) == 6


def test_tokens_above_255_are_told_apart_and_sorted_as_numbers() -> None:
    # 256-1 and 256-2 share one token; 1-256 shares none: 2 + 1 + 2.
    assert prefix.unique([prompt([256, 1]), prompt([1, 256]), prompt([256, 2])]) == 5


def test_only_whole_blocks_are_served_again() -> None:
    # They share 5 tokens, of which one block of 4 is served: 7 + 3, and 7 + 7 in blocks of 6.
    prompts = [prompt([1, 2, 3, 4, 5, 6, 7]), prompt([1, 2, 3, 4, 5, 8, 9])]
    assert prefix.unique(prompts, block=1) == 9
    assert prefix.unique(prompts, block=4) == 10
    assert prefix.unique(prompts, block=6) == 14


def test_the_ideal_reads_the_longest_evidence_of_each_owner_once() -> None:
    # System 1, evidence 5 of P (its longest) and 2 of Q, rests 2 + 3 + 4.
    prompts = [
        prompt(range(8), "P", 1, 5),
        prompt(range(7), "P", 1, 3),
        prompt(range(7), "Q", 1, 2),
    ]
    assert prefix.ideal(prompts) == 1 + 5 + 2 + 2 + 3 + 4


def test_a_prompt_can_be_split_again_within_its_evidence_alone() -> None:
    whole = Shown("P", "sys", "early late ", "rest")
    assert prefix.resplit(whole, "early ") == Shown("P", "sys", "early ", "late rest")
    with pytest.raises(ValueError, match="does not begin with that evidence"):
        prefix.resplit(whole, "late")


@pytest.fixture(scope="module")
def encode(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Encode:
    """A real tokenizer, trained on the interviews."""
    from transformers import AutoTokenizer

    rows = data.for_task(dataset="hugagent-synthetic", configs=["bdu"], data_subset=50)["test"]
    texts = {turn["answer"] for row in rows.select(range(200)) for turn in row["context"]}
    folder = make_model(tmp_path_factory.mktemp("model"), [*sorted(texts), *rows["question"]])
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return lambda texts: tokenizer(list(texts), add_special_tokens=False)["input_ids"]


def shown(variant: str) -> list[Shown]:
    """The prompts about the first few people."""
    name = f"hugagent{variant}_synthetic"
    task = harness.load_tasks(harness.task_manager({"data_subset": 50}), [name])[name]
    docs = task.eval_docs
    people = sorted(set(docs["participant_id"]))[:PEOPLE]
    few = docs.select([n for n, one in enumerate(docs["participant_id"]) if one in people])
    task.dataset["test"] = few
    return prefix.of_task(task, MARK, PERSON_AND_TOPIC)


def check(prompts: Sequence[Shown], encode: Encode) -> None:
    measured = prefix.measure(prompts, encode)
    ideal = prefix.ideal(measured)
    # The ideal is a real saving, and not one that counts the evidence with every item.
    assert ideal < 0.5 * prefix.total(measured)
    assert prefix.unique(measured) <= 1.05 * ideal
    assert prefix.unique(measured, block=prefix.BLOCK) <= 1.05 * ideal


@pytest.mark.parametrize("variant", KEEPING_EVIDENCE)
def test_what_is_read_is_within_five_percent_of_the_ideal(variant: str, encode: Encode) -> None:
    prompts = shown(variant)
    assert len({one.owner for one in prompts}) == 3 * PEOPLE
    assert len({(one.owner, one.evidence) for one in prompts}) == 3 * PEOPLE
    check(prompts, encode)


def test_retrieved_turns_come_after_the_whole_interview(encode: Encode) -> None:
    own, more = shown(""), shown("_rag_full")
    check([prefix.resplit(m, o.evidence) for m, o in zip(more, own, strict=True)], encode)


def test_the_evidence_holds_all_that_is_known_of_the_person() -> None:
    name = "hugagent_synthetic"
    task = harness.load_tasks(harness.task_manager({"data_subset": 50}), [name])[name]
    doc = task.eval_docs[0]
    [first, *_] = prefix.of_task(task, MARK, PERSON_AND_TOPIC)
    known = [entry["value"] for entry in doc["demographics"]]
    known += [text for turn in doc["context"] for text in turn.values()]
    assert all(text in first.evidence for text in known)
    assert not any(turn["answer"] in first.rest for turn in doc["context"])
