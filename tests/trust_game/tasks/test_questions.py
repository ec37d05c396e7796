"""The trust game's documents, as models without weights read them."""

from __future__ import annotations

import json
from typing import Any

from otherminds.benchmark import of_dataset
from otherminds.metrics.trust_game import parse_send
from otherminds.tasks.trust_game.questions import QUESTIONS
from otherminds.weightless import Random, questions

PLAY: dict[str, Any] = {
    "item_id": "p1",
    "persona_id": "p1",
    "kind": "role_play",
    "endowment": 10.0,
    "fractions": False,
}
RANK = PLAY | {
    "item_id": "age",
    "kind": "ranking",
    "attribute": "age",
    "attribute_levels": ["young", "middle", "old"],
    "ranking_form": "descending",
}


def said(doc: dict[str, Any], run: int = 0, seed: int = 0) -> str:
    return Random(seed).write(QUESTIONS.asked(doc), run)


def test_both_datasets_have_these_questions() -> None:
    for dataset in of_dataset("trust-game").datasets:
        assert questions.of_dataset(dataset) is QUESTIONS


def test_nothing_has_answers_to_choose_from_and_nobody_is_right() -> None:
    assert not QUESTIONS.is_closed(PLAY)
    assert QUESTIONS.perfect_reply(PLAY) == ""
    assert QUESTIONS.person(PLAY) == "p1"


def test_random_sends_every_whole_amount_and_the_same_one_again() -> None:
    sends = [parse_send(said(PLAY, seed=seed), 10.0) for seed in range(200)]
    assert set(sends) == {float(dollars) for dollars in range(11)}
    assert said(PLAY, 1) == said(PLAY, 1)
    assert {said(PLAY, run) for run in range(20)} != {said(PLAY)}


def test_random_ranks_every_order() -> None:
    orders = {json.loads(said(RANK, seed=seed))["ranking"] for seed in range(100)}
    # Three levels have six orders.
    assert len(orders) == 6
    assert all(sorted(order.split(" > ")) == ["middle", "old", "young"] for order in orders)


def test_rounds_and_tasks_with_one_id_are_drawn_apart() -> None:
    play = {name: value for name, value in PLAY.items() if name != "kind"}
    rounds = [play | {"history": [], "round": number} for number in range(1, 7)]
    forecasts = play | {"history": [], "round": 1, "dollars_returned": 3}
    drawn = [[said(doc, seed=seed) for seed in range(10)] for doc in (*rounds, forecasts, PLAY)]
    assert len({tuple(one) for one in drawn}) == len(drawn)
