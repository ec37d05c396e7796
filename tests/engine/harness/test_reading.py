"""The documents of a task, read at once: as lm-eval reads them one by one."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from datasets import Dataset

from otherminds import harness
from otherminds.harness import reading


class Task:
    """A task of lm-eval, so far as documents are chosen from it."""

    def __init__(self, documents: Any) -> None:
        self.eval_docs = documents

    def doc_iterator(self, *, samples: list[int]) -> Any:
        return enumerate(doc for place, doc in enumerate(self.eval_docs) if place in samples)


def dataset(n: int = 600) -> Dataset:
    return Dataset.from_list(
        [
            {
                "id": number,
                "evidence": [{"said": f"person {number // 7}", "when": None}],
                "zero": [0.0 if number % 2 else -0.0],
                "text": "x" * (number % 3),
            }
            for number in range(n)
        ]
    )


def plain(documents: Any) -> list[str]:
    return [json.dumps(doc) for doc in documents]


def test_documents_are_those_of_iteration() -> None:
    found = list(reading.chosen(Task(dataset()), None, None))
    assert [number for number, _ in found] == list(range(600))
    assert plain(doc for _, doc in found) == plain(dataset())


@pytest.mark.parametrize(("limit", "n"), [(5, 5), (0.01, 6), (599.0, 599), (10_000, 600)])
def test_a_limit_counts_as_in_lm_eval(limit: float, n: int) -> None:
    found = list(reading.chosen(Task(dataset()), limit, None))
    assert plain(doc for _, doc in found) == plain(dataset(n))


def test_chosen_documents_keep_their_numbers() -> None:
    found = list(reading.chosen(Task(dataset()), None, [3, 599]))
    assert [(number, doc["id"]) for number, doc in found] == [(3, 3), (599, 599)]


def test_a_transform_and_documents_in_a_list_are_read_too() -> None:
    def doubled(batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
        return {"id": [2 * one for one in batch["id"]], "zero": batch["zero"]}

    shown = dataset().with_transform(doubled)
    assert plain(doc for _, doc in reading.chosen(Task(shown), None, None)) == plain(shown)
    listed = list(dataset(9))
    assert plain(doc for _, doc in reading.chosen(Task(listed), None, None)) == plain(listed)


def test_equal_evidence_is_one_object_and_zeros_keep_their_sign() -> None:
    documents = [doc for _, doc in reading.chosen(Task(dataset(21)), None, None)]
    assert len({id(doc["evidence"]) for doc in documents}) == 3
    assert [math.copysign(1, doc["zero"][0]) for doc in documents[:4]] == [-1, 1, -1, 1]


@pytest.mark.parametrize(
    "name", ["hugagent_synthetic", "debate_both_synthetic", "trust_game_population"]
)
def test_a_task_of_ours_is_read_as_lm_eval_reads_it(name: str) -> None:
    manager = harness.task_manager({"data_subset": 50} if "hugagent" in name else None)
    task = harness.load_tasks(manager, [name])[name]
    found = list(reading.chosen(task, 60, None))
    assert plain(doc for _, doc in found) == plain(doc for _, doc in task.doc_iterator(limit=60))
