from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.socialmindchange import (
    CELLS,
    GUIDANCE,
    METRICS,
    SETS,
    STATES,
    TYPES,
    Question,
    Summary,
    chance,
    summarize,
)
from otherminds.metrics.uncertainty import clustered_mean, partition


def values(summary: Summary) -> dict[str, float]:
    return {name: summary[name].value for name in METRICS}


def small(make: Any) -> list[Question]:
    """Two stages and two runs; the gold is "c" throughout."""
    return [
        make.question("g1", "P", "c", "c"),
        make.question("g2", "P", "c", "a"),
        make.question("t1", "P", "c", "c", type="transition_state", span=1, needs=("g1", "g2")),
        make.question("h1", "Q", "c", None, state="action", group_size=5),
        make.question(
            *("u1", "Q", "b", "b"),
            type="transition_plan",
            state="action",
            span=2,
            needs=("h1",),
            group_size=5,
        ),
    ]


def test_by_hand(make: Any) -> None:
    found = summarize(small(make))
    # Right in run 1: g1 g2 t1 h1, 4 of 5; in run 2: g1 t1, 2 of 5. Guidance 3/3 and 1/3; transitions
    # 1/2 and 1/2. Read 5/5 and 4/5.
    # Sets, run 1: t1 right with g1, g2 right: full; u1 wrong with h1 right: local.
    # Run 2: t1 right with g2 wrong: apparent; u1 wrong with h1 unread, hence wrong: error.
    assert values(found) == {
        "acc": pytest.approx(3 / 5),
        "acc_guidance": pytest.approx(2 / 3),
        "acc_transition": 0.5,
        "acc_third_order": pytest.approx(math.nan, nan_ok=True),
        "parse_rate": pytest.approx(0.9),
        "sets_full": 0.25,
        "sets_local": 0.25,
        "sets_apparent": 0.25,
        "sets_error": 0.25,
    }
    # Item means: P 1, 1/2, 1; Q 1/2, 0. Residuals from 3/5: P 5/2 - 9/5 = 0.7, Q 1/2 - 6/5 = -0.7.
    # SE = sqrt(2 · (0.49 + 0.49)) / 5 = 1.4 / 5.
    assert found["acc"].stderr == pytest.approx(0.28)
    assert (found["acc"].n, found["acc"].n_clusters) == (5, 2)
    # t with one degree of freedom: 12.7062.
    assert found["acc"].high == pytest.approx(0.6 + 12.7062 * 0.28, abs=1e-4)
    # Full is 1/2 for t1 of P and 0 for u1 of Q: s/sqrt(2) = (1/2)/2.
    assert found["sets_full"].n == 2
    assert found["sets_full"].stderr == pytest.approx(0.25)
    assert (found["acc_third_order"].n, found["acc_third_order"].n_clusters) == (0, 0)
    assert dict(found.counts) == {"n_items": 5, "n_stages": 2, "n_sets": 2, "n_read": 4.5}
    assert found.runs == 2
    assert dict(found.sets) == {name: found[name] for name in SETS}


def test_breakdowns_by_hand(make: Any) -> None:
    found = summarize(small(make))
    assert {name: one["acc"].value for name, one in found.by_type.items()} == {
        GUIDANCE: pytest.approx(2 / 3),
        "transition_state": 1.0,
        "transition_plan": 0.0,
    }
    assert {name: one["acc"].value for name, one in found.by_state.items()} == {
        "belief": pytest.approx(2.5 / 3),
        "action": 0.25,
    }
    assert {name: one["acc"].value for name, one in found.by_cell.items()} == {
        "guidance_action/belief": 0.75,
        "guidance_action/action": 0.5,
        "transition/belief": 1.0,
        "transition/action": 0.0,
        "transition_state/belief": 1.0,
        "transition_plan/action": 0.0,
    }
    assert {span: one["acc"].value for span, one in found.by_span.items()} == {1: 1.0, 2: 0.0}
    assert {size: one.counts["n_items"] for size, one in found.by_group_size.items()} == {
        4: 3,
        5: 2,
    }
    # A set is in the part of its primary, though its prerequisites are in another one.
    state = found.by_type["transition_state"]
    assert (state["sets_full"].value, state["sets_apparent"].value) == (0.5, 0.5)
    assert (state["sets_full"].n_clusters, state.by_type) == (1, {})
    assert math.isnan(state["sets_full"].stderr)
    assert math.isnan(found.by_type[GUIDANCE]["sets_full"].value)


def test_a_set_needs_all_its_prerequisites_in_the_data(make: Any) -> None:
    without = [question for question in small(make) if question.item_id != "g2"]
    assert summarize(without).counts["n_sets"] == 1
    alone = [make.question("t1", "P", "c", type="transition_reason")]
    assert summarize(alone).counts["n_sets"] == 0
    assert summarize(alone)["sets_full"].n == 0


def test_third_order_questions_have_an_accuracy_of_their_own(make: Any) -> None:
    first, *others = make.population(3)
    third = [q for q in [first, *others] if q.third_order]
    right = [float(q.answers[0] == q.answer) for q in third]
    expected = clustered_mean(right, partition([q.stage_id for q in third]))
    assert summarize([first, *others])["acc_third_order"] == expected


@pytest.mark.parametrize(("skill", "full", "error"), [(1.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_all_right_and_all_wrong(make: Any, skill: float, full: float, error: float) -> None:
    right = make.population(4, skill=1.0, unread=0.0)
    answered = right if skill else [q._replace(answers=("d",)) for q in right]
    found = summarize(answered)
    assert (found["acc"].value, found["acc"].stderr) == (skill, 0.0)
    assert (found["sets_full"].value, found["sets_error"].value) == (full, error)
    assert found["parse_rate"].value == 1.0


def test_nothing_readable_is_wrong_and_never_raises(make: Any) -> None:
    found = summarize([q._replace(answers=(None, None)) for q in make.population(3)])
    assert [found[name].value for name in ("acc", "parse_rate", "sets_error")] == [0, 0, 1]


def test_one_letter_for_all_is_at_chance_when_golds_are_uniform(make: Any) -> None:
    items = [make.question(f"{g}", f"S{g}", "a")._replace(answer=g) for g in "abcdefghijklmnop"]
    assert summarize(items)["acc"].value == chance([16] * 16) == 1 / 16


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1_000))
def test_parts_and_sets_add_up(make: Any, seed: int) -> None:
    found = summarize(make.population(4, runs=2, seed=seed))
    assert sum(one.value for one in found.sets.values()) == pytest.approx(1)
    for parts in (found.by_type, found.by_state, found.by_group_size):
        weighted = [one["acc"].value * one.counts["n_items"] for one in parts.values()]
        assert sum(weighted) / found.counts["n_items"] == pytest.approx(found["acc"].value)
        assert sum(one.counts["n_sets"] for one in parts.values()) == found.counts["n_sets"]
    spans = [one.counts["n_items"] for one in found.by_span.values()]
    assert sum(spans) == found["acc_transition"].n
    assert list(found.by_span) == sorted(found.by_span)
    assert (tuple(found.by_type), tuple(found.by_state), tuple(found.by_cell)) == (
        *(TYPES, STATES, CELLS),
    )
    # A right primary is in a full set or an apparent success.
    right = found["sets_full"].value + found["sets_apparent"].value
    assert right == pytest.approx(found["acc_transition"].value)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1_000))
def test_order_does_not_matter(make: Any, seed: int) -> None:
    items = make.population(4, runs=2, seed=seed)
    shuffled = random.Random(seed).sample(items, len(items))
    # repr, because NaN is not equal to itself.
    assert repr(summarize(items)) == repr(summarize(shuffled))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1_000))
def test_names_of_stages_do_not_matter(make: Any, seed: int) -> None:
    items = make.population(5, seed=seed)
    renamed = [q._replace(stage_id=f"x{900 - int(q.stage_id[1:])}") for q in items]
    before, after = summarize(items), summarize(renamed)
    for name in METRICS:
        assert after[name].value == pytest.approx(before[name].value)
        assert after[name].stderr == pytest.approx(before[name].stderr)


def test_repeating_a_run_is_no_new_information(make: Any) -> None:
    items = make.population(10)
    once = summarize(items)
    thrice = summarize([q._replace(answers=q.answers * 3) for q in items])
    for name in METRICS:
        assert thrice[name].value == pytest.approx(once[name].value)
        assert thrice[name].stderr == pytest.approx(once[name].stderr)
        assert thrice[name].n == once[name].n


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"item_id": "g2"}, MisalignedInput, "'g2' is given twice"),
        ({"answers": ("c",)}, MisalignedInput, "2 answers, 't1' has 1"),
        ({"group_size": 5}, MisalignedInput, "another group size"),
        ({"n_scenarios": 6}, MisalignedInput, "number of scenes"),
        ({"prerequisites": ("h1",)}, MisalignedInput, "prerequisite 'h1'"),
        ({"prerequisites": ("t1",)}, MisalignedInput, "prerequisite 't1'"),
        ({"type": "transition"}, MetricError, "type 'transition' is none of"),
        ({"mental_state": "mood"}, MetricError, "mental state 'mood'"),
        ({"answer": "q"}, MetricError, "gold 'q'"),
        ({"answer": "C"}, MetricError, "gold 'C'"),
        ({"answers": ("ab", "c")}, MetricError, "answer 'ab'"),
        ({"answers": ("", "c")}, MetricError, "answer ''"),
        ({"answers": (2, "c")}, MetricError, "answer 2"),
        ({"span": 0}, MetricError, "span 0 in a stage of 5"),
        ({"span": 5}, MetricError, "span 5 in a stage of 5"),
        ({"type": GUIDANCE, "span": 5}, MetricError, "guidance of span 5"),
        ({"stage_id": "R", "group_size": 0}, MetricError, "group of 0"),
    ],
)
def test_broken_questions_are_refused(
    make: Any, changes: dict[str, Any], error: type[Exception], words: str
) -> None:
    g1, g2, t1, *others = small(make)
    with pytest.raises(error, match=words):
        summarize([t1._replace(**changes), g1, g2, *others])


def test_no_questions_and_no_answers_are_refused(make: Any) -> None:
    with pytest.raises(EmptyInput, match="No questions"):
        summarize([])
    with pytest.raises(MisalignedInput, match="0 answers"):
        summarize([make.question("a", "P")])


def test_orders_steps_and_sizes_have_parts_of_their_own(make: Any) -> None:
    told = [(1, 4), (2, 7), (2, 8), (3, 12), (None, None)]
    items = [
        make.question(f"q{n}", f"S{n}", "c" if n % 2 else "d", group_size=4 + n % 2)._replace(
            order=order, steps=steps
        )
        for n, (order, steps) in enumerate(told)
    ]
    found = summarize(items)
    assert {key: one["acc"].n for key, one in found.by_order.items()} == {1: 1, 2: 2, 3: 1}
    assert found.by_order[2]["acc"].value == 0.5
    assert {key: one["acc"].n for key, one in found.by_steps.items()} == {
        "1-5": 1, "6-7": 1, "8-10": 1, "11+": 1,
    }  # fmt: skip
    assert {key: one["acc"].n for key, one in found.by_group_size.items()} == {4: 3, 5: 2}
    assert {key: one["acc"].n for key, one in found.by_length.items()} == {5: 5}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"answer": "i"}, "gold 'i' is not a letter from a to h"),
        ({"answers": ("p",)}, "answer 'p' is not a letter from a to h"),
        ({"options": 1}, "1 options"),
        ({"options": 17}, "17 options"),
        ({"order": -1}, "of -1"),
        ({"steps": -2}, "of -2"),
    ],
)
def test_letters_and_numbers_that_a_question_cannot_have(
    make: Any, changes: dict[str, Any], words: str
) -> None:
    question = make.question("a", "P", "c")._replace(options=8)
    with pytest.raises(MetricError, match=words):
        summarize([question._replace(**changes)])


def test_chance_is_the_mean_over_questions() -> None:
    assert chance([16, 16, 16, 8]) == (3 / 16 + 1 / 8) / 4
    with pytest.raises(EmptyInput):
        chance([])
