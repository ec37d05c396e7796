from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from otherminds.metrics.hugagent import Item

Answer = str | int | None
QUESTIONS = {"zoning": ("1.1", "1.2", "1.3"), "healthcare": ("3.1", "3.6", "3.7")}

RUNS = ("run1", "run2", "run3", "run4", "run5")


def read(row: Mapping[str, str], answer: str) -> str | int | None:
    if not answer:
        return None
    return answer if row["task"] == "bsi" else int(answer)


@pytest.fixture(scope="session")
def published(shared_data: Path) -> Callable[[str], list[Item]]:
    """The public items with the five published runs of a model."""
    folder = shared_data / "hugagent"
    if not folder.is_dir():
        pytest.skip(f"No HugAgent data at {folder}.")
    with (folder / "golds.csv").open(newline="") as file:
        golds = list(csv.DictReader(file))

    def load(model: str) -> list[Item]:
        with (folder / "predictions" / f"{model}.csv").open(newline="") as file:
            predictions = {row["item_id"]: row for row in csv.DictReader(file)}
        return [
            Item(
                item_id=row["item_id"],
                participant_id=row["participant_id"],
                topic=row["topic"],
                task=row["task"],
                question_id=row["question_id"],
                question_type=row["question_type"],
                low=int(row["scale_low"] or 0),
                high=int(row["scale_high"] or 0),
                gold=row["gold"],
                answers=tuple(read(row, predictions[row["item_id"]][run]) for run in RUNS),
            )
            for row in golds
        ]

    return load


class Make:
    """Small and simulated sets of items."""

    @staticmethod
    def bsi(name: str, person: str, gold: str, *answers: Answer, topic: str = "zoning") -> Item:
        return Item(name, person, topic, "bsi", "", "", 0, 0, gold, answers)

    @staticmethod
    def opinion(
        name: str, person: str, question: str, gold: int, *answers: Answer, topic: str = "zoning"
    ) -> Item:
        return Item(name, person, topic, "bdu", question, "opinion", 1, 10, str(gold), answers)

    @staticmethod
    def reason(name: str, person: str, gold: int, *answers: Answer, topic: str = "zoning") -> Item:
        return Item(
            name, person, topic, "bdu", "1.2r_A", "reason_evaluation", 1, 5, str(gold), answers
        )

    @classmethod
    def population(cls, people: int, *, runs: int = 1, seed: int = 0, noise: int = 2) -> list[Item]:
        """Simulated people on two topics with two BSI items, a reason and three opinions on each."""
        rng = np.random.default_rng(seed)
        items: list[Item] = []

        def near(gold: int, low: int, high: int) -> tuple[int | None, ...]:
            drawn = np.clip(gold + rng.integers(-noise, noise + 1, runs), low, high)
            return tuple(None if rng.random() < 0.05 else int(x) for x in drawn)

        for p in range(people):
            for topic, questions in QUESTIONS.items():
                name, person = f"{topic}-{p}", f"P{p}"
                for k in range(2):
                    letters = tuple(str(x) for x in rng.choice(["A", "B"], runs))
                    items.append(
                        cls.bsi(
                            f"{name}-bsi{k}", person, "AB"[rng.integers(2)], *letters, topic=topic
                        )
                    )
                gold = int(rng.integers(1, 6))
                items.append(cls.reason(f"{name}-r", person, gold, *near(gold, 1, 5), topic=topic))
                for question in questions:
                    gold = int(rng.integers(1, 11))
                    items.append(
                        cls.opinion(
                            f"{name}-{question}",
                            person,
                            question,
                            gold,
                            *near(gold, 1, 10),
                            topic=topic,
                        )
                    )
        return items


@pytest.fixture(scope="session")
def make() -> type[Make]:
    return Make
