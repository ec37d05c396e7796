"""The core's release, as the package holds it, attacked by programs that read no story."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from otherminds.data import loading
from otherminds.metrics.socialmindchange.items import LETTERS

Row = Mapping[str, Any]
Attack = Callable[[Row, Sequence[Row]], list[float]]
"""The scores of a question's options, from this question and all of its stage of the same type."""


def offered_most(row: Row, rows: Sequence[Row]) -> list[float]:
    """Tried: the questions on guidance of a stage have one gold in common, or two."""
    offered = Counter(option for one in rows for option in one["options"])
    return [offered[option] for option in row["options"]]


def longest(row: Row, rows: Sequence[Row]) -> list[float]:
    return [len(option) for option in row["options"]]


def like_the_other_options(row: Row, rows: Sequence[Row]) -> list[float]:
    """Wrong options are often made from the right one."""
    words = [set(option.lower().split()) for option in row["options"]]
    common = Counter(word for own in words for word in own)
    return [sum(common[word] for word in own) / len(own) for own in words]


def like_the_other_questions(row: Row, rows: Sequence[Row]) -> list[float]:
    asked = Counter(
        word for one in rows if one is not row for word in one["question"].lower().split()
    )
    words = [option.lower().split() for option in row["options"]]
    return [sum(asked[word] for word in own) / len(own) for own in words]


@pytest.mark.slow
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "attack", [offered_most, longest, like_the_other_options, like_the_other_questions]
)
def test_what_needs_no_story_finds_no_answer(cache: Path, attack: Attack, sign: int) -> None:
    questions = loading.load("socialmindchange-core", "questions")["test"]
    of_stage: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in questions:
        of_stage[row["stage_id"], row["type"]].append(row)
    found, chance = [], []
    for rows in of_stage.values():
        for row in rows:
            scores = [sign * score for score in attack(row, rows)]
            options = zip(row["options"], scores, strict=True)
            best = [option for option, score in options if score == max(scores)]
            gold = row["options"][LETTERS.index(row["answer"])]
            found.append((gold in best) / len(best))
            chance.append(1 / len(row["options"]))
    assert sum(found) / len(found) <= sum(chance) / len(chance) + 0.03
