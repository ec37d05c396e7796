from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.hugagent import METRICS, RELEASE, Item, Summary, summarize


def values(summary: Summary) -> dict[str, float]:
    return {name: summary[name].value for name in METRICS}


def small(make: Any) -> list[Item]:
    """Two people, two runs, one topic.

    BSI: P right, wrong; Q right, unread.                        per run 2/2, 0/2
    Baselines 5 (P) and 6 (Q); scenarios P 1.2 = 8, Q 1.2 = 6.   Δ: P +3, Q 0
    Run 1: P 5 -> 9 (+4, same sign); Q 6 -> 6 (0, agrees).       change 2/2, direction 1/1
    Run 2: P 5 -> 4 (-1, other sign); Q 6 -> unread: left out.   change 1/1, direction 0/1
    """
    return [
        make.bsi("a", "P", "A", "A", "B"),
        make.bsi("b", "Q", "B", "B", None),
        make.opinion("c", "P", "1.1", 5, 5, 5),
        make.opinion("d", "P", "1.2", 8, 9, 4),
        make.opinion("e", "Q", "1.1", 6, 6, 6),
        make.opinion("f", "Q", "1.2", 6, 6, None),
        make.reason("g", "P", 0, 1, 3),
    ]


def test_by_hand(make: Any) -> None:
    summary = summarize(small(make))
    # parse 7/7 and 5/7; bsi 1 and 0; acc run 1 5/5; run 2 2/5: c, e right, d, f (unread), g wrong.
    # MAE run 1 (0, ½, 0, 0, 1)/5 = 0.3; run 2 (0, 2, 0, –, 3)/4 = 1.25.
    assert summary["parse_rate"].value == pytest.approx((1 + 5 / 7) / 2)
    assert summary["bsi_acc"].value == 0.5
    assert summary["bdu_acc"].value == pytest.approx(0.7)
    assert summary["bdu_mae"].value == pytest.approx((0.3 + 1.25) / 2)
    assert summary["bdu_change"].value == 1
    assert summary["bdu_direction"].value == 0.5
    assert summary["bdu_dir"].value == pytest.approx(0.3 + 0.7 * 0.5)
    # u = ½·½ + ½·(½·½·(0.7 + 1 - 0.775/4) + ½·0.65)
    assert summary["composite"].value == pytest.approx(
        100 * (0.25 + 0.5 * (0.25 * (0.7 + 1 - 0.775 / 4) + 0.325))
    )
    assert dict(summary.counts) == {
        "n_people": 2, "n_items": 7, "n_mae": 4.5, "n_pairs": 1.5, "n_both_changed": 1
    }  # fmt: skip
    assert (summary["bdu_dir"].n, summary["bdu_dir"].n_clusters) == (1.5, 2)
    assert summary["bdu_direction"].n_clusters == 1
    assert math.isnan(summary["bdu_direction"].stderr)


def test_release_protocol_by_hand(make: Any) -> None:
    items = [
        *small(make),
        make.bsi("h", "P", "A/B", "B", "B"),
        make.opinion("i", "P", "1.7", 5, 5, 5),
    ]
    paper, release = summarize(items), summarize(items, protocol=RELEASE)
    # With "either": run 1 3/3, run 2 1/3; without: 2/3 and 0/3.
    assert paper["bsi_acc"].value == pytest.approx(1 / 3)
    assert release["bsi_acc"].value == pytest.approx(2 / 3)
    # f, unread in run 2, adds 6 there: (0 + 2 + 0 + 6 + 3 + 0)/6 = 11/6; run 1 1.5/6.
    assert release["bdu_mae"].value == pytest.approx((1.5 / 6 + 11 / 6) / 2)
    assert (paper.counts["n_mae"], release.counts["n_mae"]) == (5.5, 6)
    # 1.7 is no scenario of the paper's.
    assert (paper.counts["n_pairs"], release.counts["n_pairs"]) == (1.5, 2.5)


def test_cluster_robust_error_of_a_topic_mean(make: Any) -> None:
    # Item means over runs: P 1, ½; Q 0. Mean ½; residual sums ½ and -½: SE = sqrt(2 · ½) / 3 = 1/3.
    items = [
        make.bsi("a", "P", "A", "A", "A"),
        make.bsi("b", "P", "A", "A", "B"),
        make.bsi("c", "Q", "A", "B", None),
    ]
    assert summarize(items)["bsi_acc"].stderr == pytest.approx(1 / 3)


def test_topics_weigh_the_same(make: Any) -> None:
    items = [make.bsi(f"z{i}", f"P{i}", "A", "A") for i in range(9)]
    items.append(make.bsi("h", "P0", "A", "B", topic="healthcare"))
    summary = summarize(items)
    assert summary["bsi_acc"].value == 0.5
    assert summary.by_topic["zoning"]["bsi_acc"].value == 1
    assert summary.by_topic["healthcare"].by_topic == {}


def test_a_metric_is_averaged_over_the_topics_that_ask_for_it(make: Any) -> None:
    items = [*small(make), make.bsi("h", "P", "A", "A", "A", topic="healthcare")]
    summary = summarize(items)
    assert summary["bsi_acc"].value == 0.75
    assert summary["bdu_acc"].value == pytest.approx(0.7)
    assert math.isnan(summary.by_topic["healthcare"]["bdu_acc"].value)


def test_a_topic_without_a_readable_answer_is_not_passed_over(make: Any) -> None:
    summary = summarize(
        [make.reason("a", "P", 3, 3), make.reason("b", "Q", 3, None, topic="healthcare")]
    )
    assert summary["bdu_acc"].value == 0.5
    assert math.isnan(summary["bdu_mae"].value)
    assert summary["bdu_mae"].n == 0
    assert summary.by_topic["zoning"]["bdu_mae"].value == 0


def test_nothing_readable_is_no_crash_and_no_zero(make: Any) -> None:
    items = [item._replace(answers=(None, None)) for item in small(make)]
    summary = summarize(items)
    assert [summary[name].value for name in ("parse_rate", "bsi_acc", "bdu_acc")] == [0, 0, 0]
    for name in ("bdu_mae", "bdu_change", "bdu_direction", "bdu_dir", "composite", "ati"):
        assert math.isnan(summary[name].value)
        assert (summary[name].n, summary[name].n_clusters) == (0, 0)
    assert (summary.counts["n_mae"], summary.counts["n_pairs"]) == (0, 0)
    # Under the release protocol an unread answer has an error of 6.
    assert summarize(items, protocol=RELEASE)["bdu_mae"].value == 6


def test_what_is_not_asked_is_not_available(make: Any) -> None:
    only_bsi = summarize([make.bsi("a", "P", "A", "A"), make.bsi("b", "Q", "A", "A")])
    assert only_bsi["bsi_acc"].value == 1
    assert math.isnan(only_bsi["bdu_acc"].value)
    assert math.isnan(only_bsi["composite"].value)
    assert set(only_bsi.undefined_draws) == {"parse_rate", "bsi_acc"}
    only_bdu = summarize([make.reason("a", "P", 3, 3)])
    assert math.isnan(only_bdu["bsi_acc"].value)
    assert math.isnan(only_bdu["bdu_dir"].value)


def test_without_common_change_direction_is_zero_and_says_so(make: Any) -> None:
    items = [
        make.opinion("a", "P", "1.1", 5, 5),
        make.opinion("b", "P", "1.2", 5, 5),
        make.opinion("c", "Q", "1.1", 5, 5),
        make.opinion("d", "Q", "1.2", 7, 5),
    ]
    summary = summarize(items)
    assert (summary["bdu_direction"].value, summary["bdu_direction"].n) == (0, 0)
    assert math.isnan(summary["bdu_direction"].stderr)
    assert summary["bdu_dir"].value == pytest.approx(0.15)
    assert summary.share_without_direction == 1


def test_shares_of_draws(make: Any) -> None:
    # Only P has a pair: a draw of two out of two people misses P with probability ¼.
    items = [
        make.opinion("a", "P", "1.1", 5, 5),
        make.opinion("b", "P", "1.2", 7, 7),
        make.opinion("c", "Q", "1.1", 5, 5),
    ]
    summary = summarize(items, draws=4_000)
    assert summary.undefined_draws["bdu_dir"] == pytest.approx(0.25, abs=0.03)
    assert summary.undefined_draws["bdu_acc"] == 0
    # Now Q has a pair without change: a draw of Q alone, again ¼, has pairs but no direction.
    summary = summarize([*items, make.opinion("d", "Q", "1.2", 5, 5)], draws=4_000)
    assert summary.undefined_draws["bdu_dir"] == 0
    assert summary.share_without_direction == pytest.approx(0.25, abs=0.03)


def test_perfect_answers(make: Any) -> None:
    items = [
        item._replace(answers=(item.gold if item.task == "bsi" else int(item.gold),))
        for item in make.population(20)
    ]
    summary = summarize(items)
    for name in ("parse_rate", "bsi_acc", "bdu_acc", "bdu_change", "bdu_direction", "bdu_dir"):
        assert summary[name].value == 1
        assert summary[name].stderr == 0
    assert summary["bdu_mae"].value == 0
    assert summary["composite"].value == 100
    assert summary["ati"].value == pytest.approx(139.5358, abs=1e-4)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000))
def test_order_and_seed(make: Any, seed: int) -> None:
    items = make.population(6, runs=2, seed=seed)
    shuffled = random.Random(seed).sample(items, len(items))
    # repr, because NaN is not equal to itself.
    assert repr(summarize(items, draws=50)) == repr(summarize(shuffled, draws=50))
    assert values(summarize(items, draws=50, seed=1)) == pytest.approx(
        values(summarize(items, draws=50, seed=2)), nan_ok=True
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000))
def test_names_of_people_do_not_matter(make: Any, seed: int) -> None:
    items = make.population(6, seed=seed)
    # The order of the names turns round, too.
    renamed = [i._replace(participant_id=f"x{9 - int(i.participant_id[1:])}") for i in items]
    assert values(summarize(items, draws=10)) == pytest.approx(
        values(summarize(renamed, draws=10)), nan_ok=True
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000))
def test_turning_every_scale_round_changes_nothing(make: Any, seed: int) -> None:
    items = make.population(6, runs=2, seed=seed)
    turned = [
        item
        if item.task == "bsi"
        else item._replace(
            gold=str(item.low + item.high - int(item.gold)),
            answers=tuple(a if a is None else item.low + item.high - a for a in item.answers),
        )
        for item in items
    ]
    assert values(summarize(turned, draws=10)) == pytest.approx(
        values(summarize(items, draws=10)), nan_ok=True
    )


def test_repeating_a_run_is_no_new_information(make: Any) -> None:
    items = make.population(10)
    repeated = [item._replace(answers=item.answers * 3) for item in items]
    once, thrice = summarize(items, draws=200), summarize(repeated, draws=200)
    for name in METRICS:
        assert thrice[name].value == pytest.approx(once[name].value)
        assert thrice[name].stderr == pytest.approx(once[name].stderr)
        assert thrice[name].n == once[name].n


def test_doubling_the_people_shrinks_the_error_by_root_two(make: Any) -> None:
    items = make.population(40)
    copies = [
        i._replace(item_id=f"{i.item_id}'", participant_id=f"{i.participant_id}'") for i in items
    ]
    once, twice = summarize(items), summarize([*items, *copies])
    for name in ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir", "composite"):
        assert twice[name].value == pytest.approx(once[name].value)
        assert once[name].stderr / twice[name].stderr == pytest.approx(math.sqrt(2), rel=0.08)
    # Exactly, where there is a formula: sqrt(G/(G-1)) / sqrt(2G/(2G-1)) · sqrt(2) with G = 40.
    first, second = once.by_topic["zoning"]["bsi_acc"], twice.by_topic["zoning"]["bsi_acc"]
    assert first.stderr / second.stderr == pytest.approx(math.sqrt(2 * (40 / 39) / (80 / 79)))


def test_bootstrap_agrees_with_the_formula(make: Any) -> None:
    # In one topic bdu_mae of fully read answers is a mean, too; compare via accuracies of one topic
    # (formula) and of the same topic given twice under two names (bootstrap over the same people).
    items = [i for i in make.population(80) if i.topic == "zoning" and i.task == "bsi"]
    twin = [i._replace(item_id=f"{i.item_id}'", topic="twin") for i in items]
    formula, bootstrap = summarize(items)["bsi_acc"], summarize([*items, *twin])["bsi_acc"]
    assert bootstrap.value == pytest.approx(formula.value)
    assert bootstrap.stderr == pytest.approx(formula.stderr, rel=0.06)


def test_one_person_has_values_without_errors(make: Any) -> None:
    summary = summarize(make.population(1, seed=3))
    assert summary["bdu_acc"].n_clusters == 1
    assert all(math.isnan(summary[name].stderr) for name in METRICS)


def broken(items: list[Item], **changes: object) -> list[Item]:
    return [items[0]._replace(**changes), *items[1:]]  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"item_id": "b"}, MisalignedInput, "'b' is given twice"),
        ({"answers": ("A",)}, MisalignedInput, "answers"),
        ({"answers": (1, "A")}, MisalignedInput, "no str"),
        ({"task": "tom"}, MetricError, "neither bsi nor bdu"),
        ({"gold": ""}, MetricError, "gold ''"),
        ({"task": "bdu", "low": 1, "high": 7}, MetricError, "1-7"),
        ({"task": "bdu", "low": 1, "high": 5, "gold": "A"}, MetricError, "not an integer"),
    ],
)
def test_broken_items_are_refused(
    make: Any, changes: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        summarize(broken(small(make), **changes))


def test_contradictory_sets_are_refused(make: Any) -> None:
    with pytest.raises(EmptyInput, match="No items"):
        summarize([])
    with pytest.raises(MisalignedInput, match="answers"):
        summarize([make.bsi("a", "P", "A")])
    with pytest.raises(MisalignedInput, match="same question"):
        summarize([*small(make), make.opinion("z", "P", "1.1", 5, 5, 5)])
    other_scale = make.opinion("z", "P", "1.3", 5, 5, 5)._replace(high=5)
    with pytest.raises(MisalignedInput, match="different scales"):
        summarize([*small(make), other_scale])
