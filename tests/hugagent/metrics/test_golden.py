"""The golden values of DESIGN §4, on the published answers of two models to the public items."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from otherminds.metrics.hugagent import (
    PAPER,
    RELEASE,
    Item,
    Protocol,
    baseline_pairs,
    constant_scores,
    summarize,
)

Load = Callable[[str], list[Item]]

# BSI, acc, MAE, dir; accuracies and dir in percent. Digits as given in DESIGN.
OVERALL = [
    ("gpt-5.1", PAPER, (73.36, 67.13, 1.17, 80.94), (2, 2, 2, 2)),
    ("claude-sonnet-4-5", PAPER, (76.04, 68.61, 1.18, 78.73), (2, 2, 2, 2)),
    ("gpt-5.1", RELEASE, (74.10, 67.13, 1.175, 82.01), (2, 2, 3, 2)),
    ("claude-sonnet-4-5", RELEASE, (76.83, 68.61, 1.181, 82.31), (2, 2, 3, 2)),
]
NAMES = ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir")

# gpt-5.1, paper protocol: healthcare, surveillance, zoning.
BY_TOPIC = {
    "bsi_acc": (72.22, 77.54, 70.32),
    "bdu_acc": (63.43, 68.19, 69.78),
    "bdu_mae": (1.22, 1.16, 1.12),
    "bdu_change": (54.47, 67.50, 59.05),
    "bdu_direction": (83.06, 88.26, 98.00),
    "bdu_dir": (74.48, 82.03, 86.31),
}


def shown(name: str, value: float) -> float:
    return value if name == "bdu_mae" else 100 * value


@pytest.mark.parametrize(("model", "protocol", "values", "digits"), OVERALL)
def test_overall(
    published: Load,
    model: str,
    protocol: Protocol,
    values: tuple[float, ...],
    digits: tuple[int, ...],
) -> None:
    summary = summarize(published(model), protocol=protocol, draws=10)
    for name, value, places in zip(NAMES, values, digits, strict=True):
        assert round(shown(name, summary[name].value), places) == value, name


def test_by_topic(published: Load) -> None:
    summary = summarize(published("gpt-5.1"), draws=10)
    for name, values in BY_TOPIC.items():
        for topic, value in zip(("healthcare", "surveillance", "zoning"), values, strict=True):
            assert round(shown(name, summary.by_topic[topic][name].value), 2) == value, (
                name,
                topic,
            )


# Not the paper's Table 8, which prints 64.66 and 67.39: no choice of constants gives these.
@pytest.mark.parametrize(
    ("model", "paper", "release"), [("gpt-5.1", 67.94, 69.26), ("claude-sonnet-4-5", 70.50, 73.55)]
)
def test_ati(published: Load, model: str, paper: float, release: float) -> None:
    items = published(model)
    assert round(summarize(items, draws=10)["ati"].value, 2) == paper
    assert round(summarize(items, protocol=RELEASE, draws=10)["ati"].value, 2) == release


def test_constant_answerer(published: Load) -> None:
    scores = constant_scores(published("gpt-5.1"), protocol=RELEASE)
    assert round(100 * scores["bsi_acc"], 4) == 63.6388
    assert round(100 * scores["bdu_acc"], 4) == 58.3173
    assert round(scores["bdu_mae"], 6) == 1.680472
    assert round(100 * scores["bdu_dir"], 4) == 15.3375
    assert round(scores["ati"], 6) == 2.021557


@pytest.mark.parametrize(
    ("protocol", "pairs"),
    [
        (PAPER, {"zoning": 21, "surveillance": 24, "healthcare": 47}),
        (RELEASE, {"zoning": 21, "surveillance": 75, "healthcare": 83}),
    ],
)
def test_pairs(published: Load, protocol: Protocol, pairs: dict[str, int]) -> None:
    items = published("claude-sonnet-4-5")
    summary = summarize(items, protocol=protocol, draws=10)
    assert {name: part.counts["n_pairs"] for name, part in summary.by_topic.items()} == pairs
    assert len(baseline_pairs(items, protocol)) == summary["bdu_dir"].n == sum(pairs.values())


def test_pairs_rest_on_few_people(published: Load) -> None:
    by_topic = summarize(published("claude-sonnet-4-5"), draws=10).by_topic
    people = {name: part["bdu_dir"].n_clusters for name, part in by_topic.items()}
    assert people == {"healthcare": 24, "surveillance": 18, "zoning": 11}


def test_counts(published: Load) -> None:
    items = published("gpt-5.1")
    assert len(items) == 1742
    assert sum(item.gold == "A/B" for item in items) == 3
    outside = [i for i in items if i.task == "bdu" and not i.low <= int(i.gold) <= i.high]
    assert len(outside) == 54
    assert {item.gold for item in outside} == {"0"}
    assert {item.question_id for item in outside} == {"1.4r_G"}
    summary = summarize(items, draws=10)
    assert (summary.counts["n_people"], summary.counts["n_items"], summary.runs) == (54, 1742, 5)
    # 15 of the 1,386 · 5 update answers are missing (all in zoning): 1,386 - 15/5 = 1,383 per run.
    assert summary.counts["n_mae"] == 1383
    assert summarize(items, protocol=RELEASE, draws=10).counts["n_mae"] == 1386
