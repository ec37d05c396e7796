from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from otherminds.dataset_builders.socialmindchange import shortcuts
from otherminds.dataset_builders.socialmindchange.cells import LETTERS


def items(options: Any, *, stages: int = 10, per_stage: int = 20) -> list[dict[str, Any]]:
    """Items whose options come from `options(rng, right)`, the right place drawn at random."""
    rng = np.random.default_rng(0)
    made = []
    for stage in range(stages):
        for _ in range(per_stage):
            right = int(rng.integers(16))
            made.append(
                {
                    "stage_id": f"S{stage}",
                    "answer": LETTERS[right],
                    "options": options(rng, right),
                }
            )
    return made


def test_ties_count_as_drawn_at_random() -> None:
    scores = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 2.0]])
    # The first item has a tie of two with the right one among them (1/2), the second is right (1), the
    # third wrong (0): 1.5 / 3.
    assert shortcuts.accuracy(scores, np.array([0, 2, 1])) == pytest.approx(0.5)


def test_a_word_that_gives_the_answer_away_is_learned() -> None:
    def options(rng: np.random.Generator, right: int) -> list[str]:
        return [f"{'plum' if place == right else 'pear'} {rng.integers(9)}" for place in range(16)]

    leaky = items(options)
    assert shortcuts.accuracy(shortcuts.by_word_model(leaky), shortcuts.golds(leaky)) == 1.0


def test_words_that_are_drawn_alike_teach_nothing() -> None:
    words = ["plum", "pear", "fig", "lime"]

    def options(rng: np.random.Generator, _: int) -> list[str]:
        return [f"{words[place % 4]} {words[int(rng.integers(4))]}" for place in range(16)]

    even = items(options, stages=20)
    found = shortcuts.accuracy(shortcuts.by_word_model(even), shortcuts.golds(even))
    # Chance is 1/16; with 400 items its standard error is 0.012.
    assert found == pytest.approx(1 / 16, abs=0.05)


def test_the_longest_and_the_most_familiar_option_are_found() -> None:
    item = {"stage_id": "S", "answer": "b", "options": ["red fox", "a blue fox ran", "dog"]}
    assert shortcuts.by_length([item]).tolist() == [[7, 14, 3]]
    shared = shortcuts.by_shared_words([item], {"S": "The blue fox sat. A fox!"})
    # fox; a, blue, fox; nothing.
    assert shared.tolist() == [[1, 3, 0]]


def test_one_stage_cannot_be_learned_from_others() -> None:
    with pytest.raises(ValueError, match="1 stages cannot be split into 2"):
        shortcuts.by_word_model(items(lambda *_: ["x"] * 16, stages=1))


def test_words_that_mark_a_distractor_are_found() -> None:
    def options(_: np.random.Generator, right: int) -> list[str]:
        return [
            "a plum" if place == right else f"a {'pear' if place % 2 else 'plum'}"
            for place in range(16)
        ]

    marked = items(options, stages=3)
    assert shortcuts.only_wrong(marked, 3) == ["pear"]
    # What only a few stages have may be right elsewhere.
    assert shortcuts.only_wrong(marked, 4) == []
