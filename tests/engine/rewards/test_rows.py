"""Rewards with provable golds: by hand, and called with what no trainer should send."""

from __future__ import annotations

from typing import Any

import pytest

from otherminds import rewards
from otherminds.errors import OtherMindsError

BSI: dict[str, Any] = {
    "task": "bsi",
    "options": ["POSITIVE effect", "NEGATIVE effect"],
    "scale": [],
    "scale_labels": [],
    "answer": "B",
}
BDU: dict[str, Any] = {
    "task": "bdu",
    "options": [],
    "scale": [1, 10],
    "scale_labels": ["strongly oppose", "strongly support"],
    "answer": "4",
}
BELIEF: dict[str, Any] = {"proposition": "Rain should be free", "agrees": True}
QUESTION: dict[str, Any] = {"options": ["He stays.", "He goes.", "He laughs."], "answer": "b"}

ROWS = {"hugagent": BSI, "debate": BELIEF, "socialmindchange": QUESTION}
RIGHT = {"hugagent": "B", "debate": "[[ ## prediction ## ]]\nTrue", "socialmindchange": "b"}


def columns(*rows: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def answered(name: str, *completions: Any, reward: str = "answer_reward") -> list[float | None]:
    found = getattr(getattr(rewards, name), reward)
    return found(
        prompts=["?"] * len(completions),
        completions=list(completions),
        **columns(*[ROWS[name]] * len(completions)),
    )


@pytest.mark.parametrize(
    ("name", "said", "score"),
    [
        ("hugagent", "B", 1),
        ("hugagent", "A", 0),
        ("hugagent", "The answer is B.", 1),
        ("hugagent", "<think>A, surely</think>B", 1),
        ("hugagent", "<think>B", 0),
        ("hugagent", "A or B", 0),
        ("debate", "[[ ## prediction ## ]]\nTrue", 1),
        ("debate", "[[ ## prediction ## ]]\nFalse", 0),
        ("debate", "It might be.", 0),
        ("socialmindchange", "b", 1),
        ("socialmindchange", "(c)", 0),
        ("socialmindchange", "q", 0),
    ],
)
def test_answers_are_read_as_the_benchmark_reads_them(name: str, said: str, score: float) -> None:
    assert answered(name, said) == [score]
    # Messages, one of which is the model's, and parts of a content.
    assert answered(name, [{"role": "assistant", "content": said}]) == [score]
    assert answered(name, [{"content": [{"type": "text", "text": said}]}]) == [score]


def test_numbers_are_right_within_the_tolerance_and_closer_is_better() -> None:
    said = ["4", "6", "7", "13", "1", "10"]
    told = columns(*[BDU] * len(said))
    # Right is at most 2 away of 1 to 10; 13 is off the scale, and no answer.
    assert rewards.hugagent.answer_reward(["?"] * 6, said, **told) == [1, 1, 0, 0, 0, 0]
    # 1 - |d| / 9: of 4, 6 is 2 away, 7 is 3, 1 is 3 and 10 is 6.
    assert rewards.hugagent.closeness_reward(["?"] * 6, said, **told) == pytest.approx(
        [1, 7 / 9, 2 / 3, 0, 2 / 3, 1 / 3]
    )
    assert rewards.hugagent.readable_reward(["?"] * 6, said, **told) == [1, 1, 1, 0, 1, 1]
    assert rewards.hugagent.closeness_reward(["?"], ["B"], **columns(BSI)) == [1]


@pytest.mark.parametrize("name", ROWS)
def test_nothing_is_said_of_sealed_golds_and_of_rows_of_others(name: str) -> None:
    module = getattr(rewards, name)
    own, said = module.DATASET, [RIGHT[name]] * 3
    told = columns(*[ROWS[name]] * 3) | {"dataset": [own, "another", own]}
    told[module.REWARDING.gold] = [told[module.REWARDING.gold][0]] * 2 + [None]
    assert module.answer_reward(["?"] * 3, said, **told) == [1, None, None]
    assert module.readable_reward(["?"] * 3, said, **told) == [1, None, None]
    # Of a mixture, the columns of another dataset's rows are empty.
    told = {key: [None] for key in ROWS[name]} | {"dataset": ["another"]}
    assert module.answer_reward(["?"], ["x"], **told) == [None]


@pytest.mark.parametrize("name", ROWS)
def test_called_as_trl_calls_it(name: str) -> None:
    module = getattr(rewards, name)
    assert module.answer_reward.__name__ == f"{name}_answer_reward"
    found = module.answer_reward(
        prompts=[[{"role": "user", "content": "?"}]],
        completions=[[{"role": "assistant", "content": RIGHT[name]}]],
        completion_ids=[[1, 2]],
        trainer_state=None,
        log_extra=None,
        log_metric=None,
        environments=None,
        **columns(ROWS[name]),
    )
    assert found == [1]
    assert type(found[0]) is float
    assert module.answer_reward(prompts=[], completions=[], **{key: [] for key in ROWS[name]}) == []


HOSTILE = [
    "",
    " \n\t",
    "\x00" * 50,
    "\ud800",
    "B" * 100_000,
    "A" + "B" * 3,
    "(" * 20_000,
    "{" * 20_000,
    '{"answer": ' * 500,
    "<think>" * 5_000,
    "[[ ## prediction ## ]]\n" * 2_000,
    "ᴮ Ⓑ Ｂ\u202eB",
    [],
    [{"role": "assistant"}],
    [{"role": "assistant", "content": None, "tool_calls": [{}]}],
    [{"role": "assistant", "content": []}],
    [{"content": [{"type": "image"}, {"type": "text", "text": None}]}],
    {"role": "assistant", "content": ""},
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_hostile_completions_get_a_number_and_never_stop_a_training(name: str) -> None:
    for reward in ("answer_reward", "readable_reward"):
        found = answered(name, *HOSTILE, RIGHT[name], reward=reward)
        assert all(one in (0, 1) for one in found)
        assert found[-1] == 1


GOLDS: dict[str, list[Any]] = {
    "hugagent": ["A", "B"],
    "debate": [True, False],
    "socialmindchange": ["a", "b", "c"],
}


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize(
    "said",
    [
        "A B",
        "a, b, c",
        "A\nB\nC\n",
        "True False",
        "True\nFalse",
        "[[ ## prediction ## ]]\nTrue\n[[ ## prediction ## ]]\nFalse",
        "A and B are both right",
        '{"answer": "A"} {"answer": "B"}',
        "\\boxed{A} \\boxed{B}",
        "B" * 1_000,
    ],
)
def test_no_completion_is_right_whatever_is_true(name: str, said: str) -> None:
    gold = getattr(rewards, name).REWARDING.gold
    rows = [ROWS[name] | {gold: one} for one in GOLDS[name]]
    found = getattr(rewards, name).answer_reward(
        ["?"] * len(rows), [said] * len(rows), **columns(*rows)
    )
    assert sum(found) <= 1


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("completion", [None, 3, b"B", ["B"], [None], [{"content": 3}], [[]], {1}])
def test_what_is_no_completion_is_one_clear_error(name: str, completion: Any) -> None:
    with pytest.raises(OtherMindsError, match="completion must be a text, or messages"):
        answered(name, completion)


@pytest.mark.parametrize("name", ROWS)
def test_wrong_columns_and_lengths_are_one_clear_error(name: str) -> None:
    reward, row = getattr(rewards, name).answer_reward, ROWS[name]
    first = getattr(rewards, name).REWARDING.columns[0]
    with pytest.raises(OtherMindsError, match=r"remove_unused_columns=False"):
        reward(["?"], ["B"])
    with pytest.raises(OtherMindsError, match=f"column {first} has 2 values for 1 completions"):
        reward(["?"], ["B"], **(columns(row) | {first: [row[first]] * 2}))
    with pytest.raises(OtherMindsError, match=f"column {first} must be a list"):
        reward(["?"], ["B"], **(columns(row) | {first: "bsi"}))
    with pytest.raises(OtherMindsError, match="column dataset has 0 values"):
        reward(["?"], ["B"], **columns(row), dataset=[])
    with pytest.raises(OtherMindsError, match="completions must be a list"):
        reward(["?"], "B", **columns(row))


def test_columns_of_another_benchmark_are_one_clear_error() -> None:
    wrong = columns(BSI | {"task": "bdu"})
    with pytest.raises(OtherMindsError, match="cannot be rewarded as one of hugagent"):
        rewards.hugagent.answer_reward(["?"], ["3"], **wrong)
