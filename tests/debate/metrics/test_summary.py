from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics.debate import METRICS, Belief, Summary, known_bin, summarize
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.uncertainty import clustered_mean, partition


def values(summary: Summary) -> dict[str, float]:
    return {name: summary[name].value for name in METRICS}


def small(make: Any) -> list[Belief]:
    """Two people, two runs; run 1 all right, run 2 with two wrong and one unread of four."""
    return [
        make.belief("a", "P", True, True, False, category="Arts", n_known=0),
        make.belief("b", "P", False, False, False, category="Religion", n_known=0),
        make.belief("c", "Q", True, True, None, category="Religion", n_known=60),
        make.belief("d", "Q", False, False, True, category="Religion", n_known=60),
    ]


def test_by_hand(make: Any) -> None:
    found = summarize(small(make))
    # Run 1: everything 1; "agree" 2 of 4.
    # Run 2: golds A D A D, answers D D - A. Right 1/4, read 3/4, "agree" 1 of 3 read.
    #   F1 agree 2·0/(2+1) = 0; disagree 2·1/(2+2) = 1/2; macro 1/4.
    assert values(found) == {
        "macro_f1": pytest.approx((1 + 1 / 4) / 2),
        "acc": pytest.approx((1 + 1 / 4) / 2),
        "agree_rate": pytest.approx((1 / 2 + 1 / 3) / 2),
        "agree_rate_people": 0.5,
        "parse_rate": pytest.approx((1 + 3 / 4) / 2),
    }
    assert dict(found.counts) == {"n_items": 4, "n_people": 2, "n_agree": 2, "n_read": 3.5}
    assert (found["macro_f1"].n, found["macro_f1"].n_clusters) == (4, 2)
    assert (found["agree_rate"].n, found["agree_rate"].n_clusters) == (3.5, 2)
    assert (found.runs, found.undefined_draws) == (2, 0.0)


def test_breakdowns_by_hand(make: Any) -> None:
    found = summarize(small(make))
    assert list(found.by_category) == ["Arts", "Religion"]
    arts, religion = found.by_category.values()
    # Arts: one item of gold agree. Run 1 F1 1 (disagree undefined); run 2 both classes 0.
    assert arts["macro_f1"].value == 0.5
    # Religion, run 2: golds D A D, answers D - A. Disagree 2·1/(2+1) = 2/3, agree 0.
    assert religion["macro_f1"].value == pytest.approx((1 + 1 / 3) / 2)
    assert religion["acc"].value == pytest.approx((1 + 1 / 3) / 2)
    assert dict(religion.counts) == {"n_items": 3, "n_people": 2, "n_agree": 1, "n_read": 2.5}
    assert list(found.by_known) == ["0", "51+"]
    assert found.by_known["51+"]["acc"].value == pytest.approx((1 + 0) / 2)
    assert math.isnan(found.by_known["51+"]["acc"].stderr)  # one person
    assert religion.by_category == religion.by_known == {}


@pytest.mark.parametrize(
    ("known", "name"),
    [
        *((0, "0"), (1, "1-5"), (5, "1-5"), (6, "6-10"), (10, "6-10"), (11, "11-20")),
        *((20, "11-20"), (21, "21-50"), (50, "21-50"), (51, "51+"), (5_000, "51+")),
    ],
)
def test_bins_of_known_beliefs(known: int, name: str) -> None:
    assert known_bin(known) == name


def test_bins_are_in_order_and_hold_every_item(make: Any) -> None:
    found = summarize(make.population(60), draws=10)
    assert list(found.by_known) == ["0", "1-5", "6-10", "11-20", "21-50", "51+"]
    for parts in (found.by_known, found.by_category):
        assert sum(part.counts["n_items"] for part in parts.values()) == found.counts["n_items"]
    # Pooling: accuracy is the mean over parts, weighted by their items.
    weighted = [one["acc"].value * one.counts["n_items"] for one in found.by_category.values()]
    assert sum(weighted) / found.counts["n_items"] == pytest.approx(found["acc"].value)


def test_a_part_is_summarised_as_if_it_were_everything(make: Any) -> None:
    items = make.population(40, runs=2, seed=4)
    found = summarize(items, draws=100)
    for name, part in found.by_category.items():
        alone = summarize([i for i in items if i.category == name], breakdowns=False, draws=100)
        assert alone == part
    for name, part in found.by_known.items():
        alone = summarize(
            [i for i in items if known_bin(i.n_known) == name], breakdowns=False, draws=100
        )
        assert alone == part


def test_means_have_the_cluster_robust_error(make: Any) -> None:
    items = sorted(make.population(50, seed=1), key=lambda item: item.item_id)
    right = [float(item.answers[0] is item.agrees) for item in items]
    expected = clustered_mean(right, partition([item.user_id for item in items]))
    assert summarize(items, draws=10)["acc"] == expected


def test_the_bootstrap_of_macro_f1_agrees_with_accuracy_where_both_are_the_same(make: Any) -> None:
    # With balanced golds, all read, and errors in both directions alike, macro-F1 and accuracy move
    # together; their standard errors, one by bootstrap and one by formula, are then close.
    rng = random.Random(3)
    items = [
        make.belief(f"{p}-{k}", f"U{p}", k == 0, (k == 0) == (rng.random() < 0.7))
        for p in range(150)
        for k in range(2)
    ]
    found = summarize(items)
    assert found["macro_f1"].value == pytest.approx(found["acc"].value, abs=0.01)
    assert found["macro_f1"].stderr == pytest.approx(found["acc"].stderr, rel=0.08)


def test_nothing_readable_is_no_crash_and_no_agree_rate(make: Any) -> None:
    items = [item._replace(answers=(None, None)) for item in small(make)]
    found = summarize(items)
    assert [found[name].value for name in ("macro_f1", "acc", "parse_rate")] == [0, 0, 0]
    assert math.isnan(found["agree_rate"].value)
    assert (found["agree_rate"].n, found["agree_rate"].n_clusters) == (0, 0)
    assert found["agree_rate_people"].value == 0.5
    assert found.undefined_draws == 1.0


def test_an_agree_rate_that_many_draws_lack_has_no_interval(make: Any) -> None:
    # Of ten people one gave a readable answer: a draw misses them with probability 0.9^10 = 35 %.
    items = [make.belief(f"{p}", f"U{p}", True, True if p == 0 else None) for p in range(10)]
    found = summarize(items)
    assert found.undefined_draws == pytest.approx(0.35, abs=0.04)
    assert (found["agree_rate"].value, found["agree_rate"].n) == (1.0, 1.0)
    assert math.isnan(found["agree_rate"].stderr)


def test_a_perfect_model(make: Any) -> None:
    items = [i._replace(answers=(i.agrees,)) for i in make.population(30)]
    found = summarize(items)
    assert [found[name].value for name in ("macro_f1", "acc", "parse_rate")] == [1, 1, 1]
    assert found["macro_f1"].stderr == 0
    assert found["agree_rate"].value == found["agree_rate_people"].value


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000))
def test_order_does_not_matter(make: Any, seed: int) -> None:
    items = make.population(8, runs=3, seed=seed)
    shuffled = random.Random(seed).sample(items, len(items))
    # repr, because NaN is not equal to itself.
    assert repr(summarize(items, draws=20)) == repr(summarize(shuffled, draws=20))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000))
def test_names_of_people_do_not_matter(make: Any, seed: int) -> None:
    items = make.population(8, seed=seed)
    renamed = [i._replace(user_id=f"x{900 - int(i.user_id[1:])}") for i in items]
    assert values(summarize(renamed, draws=10)) == pytest.approx(
        values(summarize(items, draws=10)), nan_ok=True
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000))
def test_turning_every_proposition_round_turns_the_agree_rates_alone(make: Any, seed: int) -> None:
    items = make.population(8, runs=2, seed=seed)
    turned = [
        i._replace(agrees=not i.agrees, answers=tuple(a if a is None else not a for a in i.answers))
        for i in items
    ]
    before, after = values(summarize(items, draws=10)), values(summarize(turned, draws=10))
    for name in ("macro_f1", "acc", "parse_rate"):
        assert after[name] == pytest.approx(before[name])
    for name in ("agree_rate", "agree_rate_people"):
        assert after[name] == pytest.approx(1 - before[name], nan_ok=True)


def test_repeating_a_run_is_no_new_information(make: Any) -> None:
    items = make.population(20)
    once = summarize(items, draws=100)
    thrice = summarize([i._replace(answers=i.answers * 3) for i in items], draws=100)
    for name in METRICS:
        assert thrice[name].value == pytest.approx(once[name].value)
        assert thrice[name].stderr == pytest.approx(once[name].stderr)
        assert thrice[name].n == once[name].n


def test_doubling_the_people_shrinks_the_error_by_root_two(make: Any) -> None:
    items = make.population(60)
    copies = [i._replace(item_id=f"{i.item_id}'", user_id=f"{i.user_id}'") for i in items]
    once, twice = summarize(items), summarize([*items, *copies])
    for name in METRICS:
        assert twice[name].value == pytest.approx(once[name].value)
        assert once[name].stderr / twice[name].stderr == pytest.approx(math.sqrt(2), rel=0.08)


def test_same_seed_same_draws(make: Any) -> None:
    items = make.population(20)
    assert summarize(items, draws=50) == summarize(items, draws=50)
    other = summarize(items, draws=50, seed=1)
    assert other["macro_f1"].value == summarize(items, draws=50)["macro_f1"].value
    assert other["macro_f1"].stderr != summarize(items, draws=50)["macro_f1"].stderr


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"item_id": "b"}, MisalignedInput, "'b' is given twice"),
        ({"answers": (True,)}, MisalignedInput, "2 answers, 'a' has 1"),
        ({"answers": ("agree", True)}, MetricError, "answer 'agree'"),
        ({"answers": (1, True)}, MetricError, "answer 1"),
        ({"agrees": "agree"}, MetricError, "gold 'agree'"),
        ({"agrees": np.True_}, MetricError, "gold"),
        ({"n_known": -1}, MetricError, "-1 known beliefs"),
    ],
)
def test_broken_items_are_refused(
    make: Any, changes: dict[str, object], error: type[Exception], words: str
) -> None:
    first, *others = small(make)
    with pytest.raises(error, match=words):
        summarize([first._replace(**changes), *others])  # type: ignore[arg-type]  # wrong on purpose


def test_no_items_and_no_answers_are_refused(make: Any) -> None:
    with pytest.raises(EmptyInput, match="No items"):
        summarize([])
    with pytest.raises(MisalignedInput, match="0 answers"):
        summarize([make.belief("a", "P", True)])
    with pytest.raises(MetricError, match="-1 known"):
        known_bin(-1)
