"""Rewards for training: by hand, as TRL calls them, and in a step of GRPO where TRL is installed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from otherminds.errors import OtherMindsError
from otherminds.tasks.synchtom.rewards import (
    STAGES,
    WEIGHTS,
    Judgement,
    Parts,
    combined,
    format_reward,
    parts_of,
    sample_turns,
    separate,
)
from tests.helpers import tiny_model
from tests.helpers.grpo import stepped

RUBRICS = {
    "latent_belief_explanation": ["wires", "kettle", "old"],
    "user_profile_modeling": ["electrician", "retired"],
    "correct_resolution": ["limescale", "vinegar", "rinse", "no wires", "polite"],
}

GOOD = (
    "<ToM_Belief>The wires of the kettle.</ToM_Belief>\n"
    "<ToM_Profile>An electrician.</ToM_Profile>\n"
    "It is limescale: use vinegar, then rinse."
)


def lexical(asked: Sequence[Judgement]) -> list[list[int]]:
    """A criterion is fulfilled when its word occurs."""
    return [[int(word in one.text.lower()) for word in one.criteria] for one in asked]


def reward(*completions: Any) -> list[float]:
    columns = {"rubrics": [RUBRICS] * len(completions)}
    return combined(lexical)(prompts=["?"] * len(completions), completions=completions, **columns)


def test_the_weighted_reward_by_hand() -> None:
    # Format 1, belief 2 of 3, profile 1 of 2, solution 3 of 5:
    # 0.1 + 0.25·2/3 + 0.25·1/2 + 0.4·3/5 = 0.1 + 0.16667 + 0.125 + 0.24 = 0.63167.
    assert reward(GOOD) == [pytest.approx(0.1 + 0.5 / 3 + 0.125 + 0.24)]
    # No profile: no format, no profile; the rest as before.
    assert reward(GOOD.replace("ToM_Profile", "b")) == [pytest.approx(0.5 / 3 + 0.24)]
    perfect = (
        "<ToM_Belief>Old kettle wires</ToM_Belief><ToM_Profile>a retired electrician</ToM_Profile>"
    )
    perfect += "Limescale, no wires! Vinegar and a polite rinse."
    assert reward(perfect, "", GOOD) == [pytest.approx(1), 0, pytest.approx(0.63166667)]


def test_messages_and_reasoning_are_read() -> None:
    messages = [{"role": "assistant", "content": f"<think>Hm, <ToM_Belief>.</think>{GOOD}"}]
    assert reward(messages, GOOD)[0] == reward(GOOD)[0]
    assert reward(f"<think>cut off {GOOD}") == [0]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<ToM_Belief>b</ToM_Belief><ToM_Profile>p</ToM_Profile>s", ("b", "p", "s")),
        ("s <ToM_Profile> p</ToM_Profile>\n<ToM_Belief>b</ToM_Belief>t", ("b", "p", "s \n\n\nt")),
        ("only this", (None, None, "only this")),
        ("<ToM_Belief>b</ToM_Belief>", ("b", None, None)),
        ("<ToM_Belief> </ToM_Belief><ToM_Profile>p</ToM_Profile>s", (None, "p", "s")),
        # Not closed, closed twice, given twice, inside one another, the wrong way round.
        ("<ToM_Belief>b<ToM_Profile>p</ToM_Profile>s", (None, "p", None)),
        ("<ToM_Belief>b</ToM_Belief></ToM_Belief>s", (None, None, None)),
        ("<ToM_Belief>b</ToM_Belief><ToM_Belief>c</ToM_Belief>s", (None, None, None)),
        ("<ToM_Belief>b<ToM_Profile>p</ToM_Profile></ToM_Belief>s", (None, "p", None)),
        ("</ToM_Belief>b<ToM_Belief>s", (None, None, None)),
        ("<tom_belief>b</tom_belief>s", (None, None, "<tom_belief>b</tom_belief>s")),
        ("", (None, None, None)),
    ],
)
def test_parts(text: str, parts: tuple[str | None, ...]) -> None:
    assert parts_of(text) == Parts(*parts)
    assert format_reward(["?"], [text]) == [float(None not in parts)]


def test_separate_rewards_weighted_are_the_combined_one() -> None:
    completions = [GOOD, GOOD.replace("<ToM_Belief>", ""), "nothing"]
    columns = {"rubrics": [RUBRICS] * 3}
    rows = [one(prompts=["?"] * 3, completions=completions, **columns) for one in separate(lexical)]
    assert [one.__name__ for one in separate(lexical)] == [
        "format_reward",
        "belief_reward",
        "profile_reward",
        "solution_reward",
    ]
    weighted = [
        sum(w * r for w, r in zip(WEIGHTS, column, strict=True))
        for column in zip(*rows, strict=True)
    ]
    assert reward(*completions) == pytest.approx(weighted)
    assert math.fsum(WEIGHTS) == 1


def test_the_judge_is_called_once_with_what_can_be_read() -> None:
    batches: list[list[Judgement]] = []

    def judge(asked: Sequence[Judgement]) -> list[list[int]]:
        batches.append(list(asked))
        return lexical(asked)

    completions = [GOOD, "a solution alone", ""]
    combined(judge)(["?"] * 3, completions, rubrics=[RUBRICS] * 3)
    [asked] = batches
    assert [(one.dimension, one.text) for one in asked] == [
        ("latent_belief_explanation", "The wires of the kettle."),
        ("user_profile_modeling", "An electrician."),
        ("correct_resolution", "It is limescale: use vinegar, then rinse."),
        ("correct_resolution", "a solution alone"),
    ]
    assert asked[1].criteria == ("electrician", "retired")
    # Nothing to judge, no judge.
    batches.clear()
    assert combined(judge)(["?"], [""], rubrics=[RUBRICS]) == [0]
    assert batches == []


def test_what_cannot_be_rewarded_is_one_clear_error() -> None:
    with pytest.raises(OtherMindsError, match="column `rubrics`"):
        combined(lexical)(["?"], [GOOD])
    with pytest.raises(OtherMindsError, match="one for each completion"):
        combined(lexical)(["?"], [GOOD], rubrics=[])
    empty = {**RUBRICS, "user_profile_modeling": []}
    with pytest.raises(OtherMindsError, match="no criteria for user_profile_modeling"):
        combined(lexical)(["?"], [GOOD], rubrics=[empty])
    with pytest.raises(OtherMindsError, match="must be a text, or messages"):
        reward([{"role": "assistant", "content": None}])
    with pytest.raises(OtherMindsError, match="3 weights"):
        combined(lexical, weights=(1, 2, 3))


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [
        ([], "0 answers to 3 judgements"),
        ([[1, 0, 1], [1], [0] * 5], r"verdicts \[1\] on user_profile_modeling"),
        ([[1, 0, 2], [1, 1], [0] * 5], "not 0 or 1 for each of 3 criteria"),
    ],
)
def test_a_judge_must_answer_what_it_is_asked(verdicts: list[list[int]], message: str) -> None:
    with pytest.raises(OtherMindsError, match=message):
        combined(lambda asked: verdicts)(["?"], [GOOD], rubrics=[RUBRICS])


def test_turns_are_drawn_from_each_stages_range() -> None:
    names = [f"synchtom-culture-{n:04d}" for n in range(4_000)]
    for stage, (fewest, most) in enumerate(STAGES, start=1):
        drawn = Counter(sample_turns(names, stage=stage, seed=3))
        assert sorted(drawn) == list(range(fewest, most + 1))
        # Uniform: each count within five standard deviations of its expectation.
        share = 1 / len(drawn)
        spread = math.sqrt(4_000 * share * (1 - share))
        assert all(abs(n - 4_000 * share) < 5 * spread for n in drawn.values())
    assert STAGES == ((3, 10), (8, 10))


def test_turns_depend_on_seed_epoch_and_instance_alone() -> None:
    names = [f"i{n}" for n in range(50)]
    drawn = sample_turns(names, stage=1, seed=3)
    assert drawn == sample_turns(names, stage=1, seed=3)
    assert drawn[::-1] == sample_turns(names[::-1], stage=1, seed=3)
    assert drawn[:1] == sample_turns(names[:1], stage=1, seed=3)
    assert drawn != sample_turns(names, stage=1, seed=4)
    assert drawn != sample_turns(names, stage=1, seed=3, epoch=1)
    for stage in (0, 3):
        with pytest.raises(OtherMindsError, match="stages 1 to 2"):
            sample_turns(names, stage=stage, seed=3)


def test_called_as_trl_documents_it() -> None:
    """Keywords only, with the columns of the data and what the trainer adds."""
    found = combined(lexical)(
        prompts=[[{"role": "user", "content": "?"}]] * 2,
        completions=[[{"role": "assistant", "content": text}] for text in (GOOD, "no")],
        completion_ids=[[1, 2], [3]],
        instance_id=["a", "a"],
        rubrics=[RUBRICS] * 2,
        trainer_state=None,
        log_extra=None,
        log_metric=None,
    )
    assert [type(one) for one in found] == [float, float]
    assert found == [pytest.approx(0.63166667), 0]


@pytest.mark.slow
def test_a_step_of_grpo(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    datasets = pytest.importorskip("datasets")
    # A model that says one token always: every completion is a solution without tags.
    model = tiny_model.make(
        tmp_path / "model", [GOOD, "What now?"], says=" limescale", max_length=512
    )
    data = datasets.Dataset.from_list([{"prompt": "What now?", "rubrics": RUBRICS}] * 4)
    trainer = stepped(
        model, separate(lexical), data, tmp_path, batch=4, length=8, weights=list(WEIGHTS)
    )
    logged = trainer.state.log_history[0]
    # One criterion of five: 0.4 · 1/5.
    assert logged["rewards/solution_reward/mean"] == pytest.approx(0.2)
    assert logged["rewards/format_reward/mean"] == 0
    assert logged["reward"] == pytest.approx(0.08)
