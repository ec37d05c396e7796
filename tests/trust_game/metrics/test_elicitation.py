from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.trust_game import (
    Dollars,
    Ranking,
    elicited_eta_squared,
    parse_ascending_ranking,
    parse_dollars,
    parse_ranking,
)

LEVELS = ("Low", "Average", "High")
RANKED = {
    "ranking": "Average > Low > High",
    "omnibus_effect_size": "medium",
    "omnibus_explanation": "Some.",
    "contrast_effect_size": "small",
    "contrast_explanation": "Less.",
}
ASCENDING = {"ranking": ["High", "Low", "Average"], "effect_size": "medium"}
PRICED: dict[str, Any] = {
    "levels": [
        {"level": "Low", "mean": 3, "sd": 1},
        {"level": "Average", "mean": 5.5, "sd": 2},
        {"level": "High", "mean": 4, "sd": 0},
    ]
}
KEYED = {one["level"]: {"mean": one["mean"], "sd": one["sd"]} for one in PRICED["levels"]}


def ranking(**changes: Any) -> str:
    return json.dumps({**RANKED, **changes})


def dollars(**changes: Any) -> str:
    """PRICED with its first level changed."""
    first, *others = PRICED["levels"]
    return json.dumps({"levels": [{**first, **changes}, *others]})


def test_a_ranking() -> None:
    # Two levels stand below Average, one below Low; scores in the order of LEVELS.
    expected = Ranking(
        order=("Average", "Low", "High"),
        effect_size="medium",
        contrast_effect_size="small",
        scores=(1.0, 2.0, 0.0),
        eta_squared=0.1,  # midpoint of 0.06 and 0.14
        contrast_eta_squared=(0.01 + 0.06) / 2,  # midpoint of 0.01 and 0.06
    )
    assert parse_ranking(json.dumps(RANKED), LEVELS) == expected
    # A list in the order that was asked for says the same.
    listed = {**RANKED, "ranking": ["Average", "Low", "High"]}
    assert parse_ranking(json.dumps(listed), LEVELS) == expected


def test_a_ranking_from_lowest_to_highest() -> None:
    found = parse_ascending_ranking(json.dumps(ASCENDING), LEVELS)
    assert found is not None
    assert found.order == ("Average", "Low", "High")
    assert found.scores == (1.0, 2.0, 0.0)
    assert (found.contrast_effect_size, found.contrast_eta_squared) == (None, None)
    # A list is in the order that was asked for; ">" may here say "above" or "then".
    listed = parse_ranking(json.dumps(ASCENDING), LEVELS)
    assert listed is not None
    assert (listed.order, listed.effect_size) == (("High", "Low", "Average"), None)
    assert parse_ascending_ranking(json.dumps(RANKED), LEVELS) is None
    rising = parse_ascending_ranking('{"ranking": "High < Low < Average"}', LEVELS)
    assert rising is not None
    assert rising.order == found.order


def order_in(text: str, levels: Sequence[str] = LEVELS) -> tuple[str, ...] | None:
    found = parse_ranking(text, levels)
    return None if found is None else found.order


@pytest.mark.parametrize(
    "age", ["18-29", "18 to 29", "18–29", "18 - 29", "18  TO  29", "18—29", "18−29"]
)
def test_a_range_is_the_same_however_it_is_written(age: str) -> None:
    for own in ("18 to 29", "18-29"):
        levels = (own, "30-44", "65+")
        text = json.dumps({**RANKED, "ranking": f"65+ > {age} > 30 to 44"})
        found = parse_ranking(text, levels)
        assert found is not None
        assert found.order == ("65+", own, "30-44")
    # Not another range, and not a word with "to" in it.
    other = json.dumps({**RANKED, "ranking": "65+ > 18-28 > 30-44"})
    for levels in (("18-29", "30-44", "65+"), ("18tom29", "30-44", "65+")):
        assert order_in(other, levels) is None


def test_typography_does_not_matter() -> None:
    levels = ("Bachelor's", "High-school", "65+")
    for own in (
        "Bachelor\u2019s > High\u2011school > 65 +",
        "BACHELOR\u2018S > high\u2212school > 65\uff0b",
    ):
        found = parse_ranking(json.dumps({**RANKED, "ranking": own}), levels)
        assert found is not None
        assert found.order == levels
    # The levels may be the ones that are set in type.
    found = parse_ranking(
        json.dumps({**RANKED, "ranking": "no > bachelor's"}), ("Bachelor\u2019s", "no")
    )
    assert found is not None
    assert found.order == ("no", "Bachelor\u2019s")


@pytest.mark.parametrize(
    "size", ["medium (6-14%)", "Medium.", "medium effect", "medium: η² = 0.1", "medium – some"]
)
def test_a_class_may_have_a_remark_behind_it(size: str) -> None:
    found = parse_ranking(ranking(omnibus_effect_size=size), LEVELS)
    assert found is not None
    assert (found.effect_size, found.eta_squared) == ("medium", 0.1)


@pytest.mark.parametrize(
    "size",
    [
        "small to medium",
        "medium-large",
        "medium (not large)",
        "mediums",
        "not medium",
        "very large",
    ],
)
def test_two_classes_or_another_word_are_none(size: str) -> None:
    found = parse_ranking(ranking(contrast_effect_size=size), LEVELS)
    assert found is not None
    # The rest is read.
    assert (found.contrast_effect_size, found.contrast_eta_squared) == (None, None)
    assert (found.order, found.effect_size) == (("Average", "Low", "High"), "medium")


def test_dollars() -> None:
    found = parse_dollars(json.dumps(PRICED), LEVELS, 10)
    assert found == Dollars(
        means=(3.0, 5.5, 4.0),
        sds=(1.0, 2.0, 0.0),
        scores=(3.0, 5.5, 4.0),
        eta_squared=elicited_eta_squared([3, 5.5, 4], [1, 2, 0]),
    )
    # Whatever the order in which the model lists them, and with the levels as keys.
    turned = {"levels": PRICED["levels"][::-1]}
    for same in (turned, KEYED, {"levels": KEYED}, {**KEYED, "why": "a remark"}):
        assert parse_dollars(json.dumps(same), LEVELS, 10) == found


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RANKED, indent=2),
        f"```json\n{json.dumps(RANKED)}\n```",
        f"Sure! Here it is:\n```\n{json.dumps(RANKED)}\n```\nI hope {{this}} helps.",
        f'For example {{"ranking": []}}. My answer: {json.dumps(RANKED)}',
        f"<think>{{}}</think>{json.dumps(RANKED)}",
        json.dumps({**RANKED, "reason": {"nested": [1, {"deep": None}]}}),
        json.dumps(
            {**RANKED, "ranking": "aver\u0041GE>  low >HIGH", "omnibus_effect_size": " Medium"}
        ),
        f"In set notation {{a, b}} \\frac{{1}}{{2}}: {json.dumps(RANKED)}",
        f"{{\n\n  {json.dumps(RANKED)[1:]}",
        "word " * 20_000 + json.dumps(RANKED),
    ],
)
def test_prose_fences_and_spelling_do_not_matter(text: str) -> None:
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert (found.order, found.effect_size) == (("Average", "Low", "High"), "medium")


def test_white_space_within_a_level_does_not_matter() -> None:
    levels = ("Less than high school", "College")
    text = '{"ranking": ["college", "less  than\\nhigh school"], "effect_size": "large"}'
    found = parse_ascending_ranking(text, levels)
    assert found is not None
    assert found.order == ("Less than high school", "College")
    assert found.eta_squared == pytest.approx(0.57)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "none",
        "[]",
        "null",
        '"ranking"',
        "{}",
        json.dumps(["High", "Low", "Average"]),
        # The example with its dots is no answer, alone or with classes filled in.
        ranking(ranking="V1 > V2 > V3 > ..."),
        ranking(ranking=["...", "..."]),
        ranking(ranking=["the least", "...", "the most"]),
        ranking(ranking="___ > ___ > ___"),
        ranking(ranking="", omnibus_effect_size="...", contrast_effect_size="..."),
        f"<think>{json.dumps(RANKED)}",
        # A key given twice contradicts itself.
        json.dumps(RANKED)[:-1] + ', "omnibus_effect_size": "small"}',
        # The kinds, the question or an opinion, and no order.
        "Low, Average, High: I would need to know more.",
        "- Low\n- Average\n- High",
        "The high ones trust more than the low ones.",
        "An effect is small if it explains 1 % to 6 %, medium for up to 14 %, large for more.",
        # Cut off in the ranking.
        '{"ranking": "Average > Low > Hi',
        '{"ranking": ["Average", "Low"',
        "Average > Low > ",
    ],
)
def test_no_statement(text: str | None) -> None:
    assert parse_ranking(text, LEVELS) is None


@pytest.mark.parametrize("copied", ["V1 > V2 > V3", ["the least", "the most"], ""])
def test_classes_beside_a_ranking_of_placeholders_are_read(copied: str | list[str]) -> None:
    found = parse_ranking(ranking(ranking=copied), LEVELS)
    assert found is not None
    assert (found.order, found.effect_size, found.contrast_effect_size) == (None, "medium", "small")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I would not call the omnibus effect large; it is small.", ("small", None)),
        ("The overall effect: between small and medium, so I settle on medium.", ("medium", None)),
        ("Omnibus: no more than small. Contrast: I'd go with medium.", ("small", "medium")),
        (
            "Expect a large effect overall, but only a small one for the contrast.",
            ("large", "small"),
        ),
        ("How much the trait matters in general? I lean towards medium.", ("medium", None)),
        ("The specific order that I gave has a small effect.", (None, "small")),
        ("Omnibus effect: M. Contrast effect: L.", ("medium", "large")),
        ("The overall effect should be small and so should the contrast.", ("small", "small")),
    ],
)
def test_classes_in_sentences(text: str, expected: tuple[str | None, str | None]) -> None:
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert (found.effect_size, found.contrast_effect_size) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The omnibus effect could be small. The contrast could be large.",
        "Overall, a large number of people give half.",
        "Overall the sample was small.",
        "If the omnibus effect is large, the contrast is large too.",
        "Omnibus: small, medium, or large. Contrast: small, medium, or large.",
        "The overall effect is not large. The contrast effect is not small.",
        "You asked for the omnibus effect size (small, medium, large).",
        "The very order explains 1% to 6%, while the other effects are large.",
        "First I look at low, second at average, last at high. I have no answer.",
        "Whether low is first and high is last, with average in the middle, is unclear.",
    ],
)
def test_sentences_without_a_class_or_an_order(text: str) -> None:
    assert parse_ranking(text, LEVELS) is None
    assert parse_ascending_ranking(text, LEVELS) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Top of the list: high. Next: low. Bottom of the list: average.", "hla"),
        ("Bottom of the list: average. Next: low. Top of the list: high.", "hla"),
        ("high ahead of low, ahead of average", "hla"),
        ("average trails low, which trails high", "hla"),
        ("least: average, in between: low, most: high", "hla"),
        ("high (highest)\nlow\naverage (lowest)", "hla"),
        ("high \u279c low \u279c average", "hla"),
        ('{"rank_1": "high", "rank_2": "low", "rank_3": "average"}', "hla"),
        ('{"answer": {"ranking": ["high", "low", "average"]}, "confidence": 0.4}', "hla"),
        ("1) high 2) low 3) average", "hla"),
    ],
)
def test_orders_in_other_words(text: str, expected: str) -> None:
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert found.order is not None
    assert "".join(level[0].lower() for level in found.order) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Low: about 4 dollars (SD roughly 2).\nAverage: 5 (SD about 2).\nHigh: 6 (SD about 2).",
        "I'd guess $4 for low, $5 for average and $6 for high, all with an SD of 2.",
        "$4 (low), $5 (average) and $6 (high), with standard deviations of 2, 2 and 2.",
        "Low: four dollars, give or take two. Average: five dollars, give or take two. "
        "High: six dollars, give or take two.",
        "Low: 3 to 5, I'd say 4 (SD 2). Average: 5 out of 4-6 (SD 2). High: 6 (SD 2).",
    ],
)
def test_dollars_in_words(text: str) -> None:
    found = parse_dollars(text, LEVELS, 10)
    assert found is not None
    assert (found.means, found.sds) == ((4.0, 5.0, 6.0), (2.0, 2.0, 2.0))


def test_one_mean_of_all_levels() -> None:
    found = parse_dollars("The same figures for all groups: mean 5, SD 2.", LEVELS, 10)
    assert found is not None
    assert (found.means, found.sds) == ((5.0,) * 3, (2.0,) * 3)
    said = "All groups give a mean of 5 in the literature, but I expect differences here."
    assert parse_dollars(said, LEVELS, 10) is None


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"omnibus_effect_size": "medium", "contrast_effect_size": "small"}),
        ranking(ranking="High > Low"),
        ranking(ranking="High > Low > Average > Very high"),
        ranking(ranking="High > Low > Low"),
        ranking(ranking="High > Low > Average > average"),
        ranking(ranking="High > Low = Average"),
        ranking(ranking="High > Low < Average"),
        ranking(ranking=["High", "Low"]),
        ranking(ranking=["High", "Low", 3]),
        ranking(ranking=["High", "Low", None]),
        ranking(ranking={"High": 1, "Low": 2, "Average": 3}),
        ranking(ranking="high trusters > low trusters > the rest"),
    ],
)
def test_classes_without_an_order(text: str) -> None:
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert (found.order, found.scores) == (None, None)
    assert (found.effect_size, found.contrast_effect_size) == ("medium", "small")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"ranking": RANKED["ranking"]}),
        ranking(omnibus_effect_size="huge", contrast_effect_size=0.1),
        ranking(omnibus_effect_size=None, contrast_effect_size=["small"]),
        ranking(omnibus_effect_size="...", contrast_effect_size="small, medium or large"),
        '{"ranking": "Average > Low > High", "omnibus_eff',
        # In other shapes that a person reads.
        "Average > Low > High",
        "Average \u2192 Low \u2192 High",
        "**Average** > **Low** > **High**",
        "$$\\boxed{\\text{Average} > \\text{Low} > \\text{High}}$$",
        "High < Low < Average",
        "1. Average (they have the least to lose)\n2. Low\n3. High",
        "ranking: Average > Low > High",
        "ranking = ['Average', 'Low', 'High']",
        "First I thought High > Low > Average, but the order is\n\nAverage > Low > High",
        '{"ranking": "high < low < average"}',
        '{"ranking": "Average, Low, High"}'.replace(", ", " > "),
        '{"result": {"ranking": ["average", "low", "high",]},}',
        '{"ranking": "Average group > Low group > High group"}',
    ],
)
def test_an_order_without_classes(text: str) -> None:
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert (found.order, found.scores) == (("Average", "Low", "High"), (1.0, 2.0, 0.0))
    assert (found.effect_size, found.contrast_effect_size) == (None, None)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RANKED)[:-1],
        json.dumps(RANKED).replace('"', "'"),
        json.dumps(RANKED).replace("}", ",}"),
        # What follows states nothing.
        f'{json.dumps(RANKED)} {{"note": "done"}}',
        json.dumps({"answer": RANKED}),
        "ranking: Average > Low > High\nomnibus effect size: medium\ncontrast effect size: small",
        "Average > Low > High. Omnibus: medium. Contrast: small.",
        "Average > Low > High\nOverall effect: medium\nContrast (first against the rest): small",
        ranking(omnibus_effect_size={"size": "medium", "share": 0.1}),
    ],
)
def test_whatever_the_shape(text: str) -> None:
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert found.order == ("Average", "Low", "High")
    assert (found.effect_size, found.contrast_effect_size) == ("medium", "small")


@pytest.mark.parametrize(
    "text",
    [
        None,
        "{}",
        '{"levels": []}',
        '{"levels": {}}',
        '{"levels": 3}',
        json.dumps({"levels": PRICED["levels"][:2]}),
        json.dumps({"levels": [*PRICED["levels"], PRICED["levels"][0]]}),
        json.dumps({"levels": [*PRICED["levels"], {"level": "Other", "mean": 1, "sd": 1}]}),
        json.dumps({**KEYED, "Other": {"mean": 1, "sd": 1}}),
        json.dumps({**KEYED, "low": {"mean": 1, "sd": 1}}),
        '{"levels": [{"level": "...", "mean": ..., "sd": ...}, ...]}',
        dollars(mean="..."),
        dollars(level="..."),
        dollars(mean=-0.01),
        dollars(mean=10.01),
        dollars(mean=True),
        dollars(mean=None),
        dollars(mean=[3]),
        dollars(sd=-1),
        dollars(sd=False),
        dollars(level=3),
        dollars(level="Lowest"),
        dollars(mean=float("nan")),
        dollars(sd=float("inf")),
        dollars(mean=float("-inf")),
        dollars(mean=3).replace("3,", "1e999,"),
        dollars(mean=3).replace("3,", f"{'9' * 5_000},"),
        # Cut off: an inner object is no statement.
        json.dumps(PRICED)[:-5],
        json.dumps(KEYED)[:-5],
        json.dumps(PRICED)[:-1] + ', "levels": []}',
        json.dumps(PRICED).replace('"mean": 3', '"mean": 2, "mean": 3'),
    ],
)
def test_no_dollars(text: str | None) -> None:
    assert parse_dollars(text, LEVELS, 10) is None


@pytest.mark.parametrize(
    "text",
    [
        "| Kind | Mean ($) | SD |\n|---|---|---|\n"
        "| Low | 3.00 | 1.00 |\n| Average | 5.50 | 2 |\n| High | 4 | 0 |",
        "level,mean,sd\nlow,3.0,1.0\naverage,5.5,2.0\nhigh,4.0,0.0",
        "Low: 3 \u00b1 1\nAverage: 5.5 \u00b1 2\nHigh: 4 \u00b1 0\n\n(mean \u00b1 standard deviation)",
        "I expect $5.50 of some, but by kind: low $3 (SD $1), average $5.50 (SD $2), high $4 (SD $0).",
        "Kind, SD, mean\nLow 1 3\nAverage 2 5.5\nHigh 0 4",
        "Means: low 3, average 5.5, high 4\nSDs: low 1, average 2, high 0",
        "| | Low | Average | High |\n|---|---|---|---|\n| Mean | 3 | 5.5 | 4 |\n| SD | 1 | 2 | 0 |",
        '{"low": [3, 1], "average": [5.5, 2], "high": [4, 0]}',
        '{"means": {"low": 3, "average": 5.5, "high": 4}, "sds": {"low": 1, "average": 2, "high": 0}}',
        '[{"kind": "low", "avg": "$3", "stdev": "$1"}, {"kind": "average", "avg": "$5.50", "stdev": 2},'
        ' {"kind": "high", "avg": "4 dollars", "stdev": 0}]',
        '{"low": "3 (SD 1)", "average": "5.5 \u00b1 2", "high": "4 (SD 0)"}',
        "- **High**: mean 4, SD 0\n- **Low**: mean 3, SD 1\n- **Average**: mean 5.5, SD 2",
    ],
)
def test_dollars_in_a_table_or_a_sentence(text: str) -> None:
    assert parse_dollars(text, LEVELS, 10) == parse_dollars(json.dumps(PRICED), LEVELS, 10)


@pytest.mark.parametrize(
    "text",
    [
        "Low: 3, average: 3, high: 3. The standard deviation would be 2 in all of them.",
        '{"low": 3, "average": 3, "high": 3, "sd": 2}',
    ],
)
def test_one_sd_of_all(text: str) -> None:
    found = parse_dollars(text, LEVELS, 10)
    assert found is not None
    assert (found.means, found.sds) == ((3.0,) * 3, (2.0,) * 3)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("From most to least: average, low, high.", ("Average", "Low", "High")),
        ("From least to most: average, low, high.", ("High", "Low", "Average")),
        ("Average would give the most, then low, and high the least.", ("Average", "Low", "High")),
        ("Average would give the least, then low, and high the most.", ("High", "Low", "Average")),
        ("| Rank | Kind |\n|---|---|\n| 1 | Average |\n| 2 | Low |\n| 3 | High |", None),
        ("Highest: Average\nThen: Low\nLowest: High", ("Average", "Low", "High")),
    ],
)
def test_an_order_in_words(text: str, order: tuple[str, ...] | None) -> None:
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert found.order == (order or ("Average", "Low", "High"))
    if order is not None:
        # A direction that is said counts whichever was asked for.
        other = parse_ascending_ranking(text, LEVELS)
        assert other is not None
        assert other.order == order


@pytest.mark.parametrize(
    "text",
    [
        "From most to least: average, low or high.",
        "It is not average that gives the most, then low, and high the least.",
        "You asked for a ranking from most to least: average, low, high.",
        "Average, then low, then high.",
    ],
)
def test_no_order_in_words(text: str) -> None:
    assert parse_ranking(text, LEVELS) is None


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"levels": [{"level": name, "mean": 3} for name in LEVELS]}),
        json.dumps({"levels": [{"level": name, "mean": 3, "sd": None} for name in LEVELS]}),
        "Low: $3\nAverage: $3\nHigh: $3",
    ],
)
def test_an_sd_that_is_not_stated_is_none(text: str) -> None:
    found = parse_dollars(text, LEVELS, 10)
    assert found is not None
    assert (found.means, found.sds, found.eta_squared) == ((3.0,) * 3, (None,) * 3, None)


def test_zeros_for_all_levels_are_an_answer() -> None:
    text = json.dumps({"levels": [{"level": name, "mean": 0.0, "sd": 0.0} for name in LEVELS]})
    found = parse_dollars(text, LEVELS, 10)
    assert found is not None
    assert (found.means, found.sds, found.eta_squared) == ((0.0,) * 3, (0.0,) * 3, None)


@pytest.mark.parametrize(
    "text",
    [
        "Low: 3 to 5\nAverage: 5.5 (SD 2)\nHigh: 4 (SD 0)",
        "Low: 3 (SD 1)\nAverage: 5.5 (SD 2)",
        "Low: 3 (SD 1)\nAverage: 5.5 (SD 2)\nHigh: 4 (SD 0)\nLow: 2 (SD 1)",
        "Low 3, 1, 100\nAverage 5.5, 2, 100\nHigh 4, 0, 100",
        "Low: 30 %\nAverage: 55 %\nHigh: 40 %",
        "The low ones give less than the average and the high ones.",
    ],
)
def test_numbers_that_are_unclear_are_none(text: str) -> None:
    assert parse_dollars(text, LEVELS, 10) is None


def test_undefined_effect_sizes_are_none() -> None:
    def of(*levels: tuple[str, float, float]) -> Dollars:
        stated = [{"level": name, "mean": mean, "sd": sd} for name, mean, sd in levels]
        found = parse_dollars(
            json.dumps({"levels": stated}), [name for name, _, _ in levels], endowment=10
        )
        assert found is not None
        return found

    assert of(("a", 3, 1)).eta_squared is None
    assert of(("a", 3, 0), ("b", 3, 0)).eta_squared is None
    assert of(("a", 3, 0), ("b", 3, 1)).eta_squared == 0
    assert of(("a", 3, 0), ("b", 4, 0)).eta_squared == 1
    assert of(("a", 0, 1e308), ("b", 10, 0)).eta_squared == pytest.approx(0)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 20_000,
        '{"a":[' * 20_000,
        "[" * 100_000,
        "{" * 100_000,
        '{"' * 50_000,
        '{"a":"' + "\\" * 90_000,
        '{"' + "x" * 100_000,
        '{"a" {' * 20_000,
        '{"a": ' + "1" * 100_000 + "}",
        '{"a": [' + "1," * 50_000,
        '{"\ud800": "\x00"}',
        '{"levels": ' + "[" * 900 + "]" * 900 + "}",
        '{"levels": {"Low": ' * 4_000,
        "{}" * 50_000,
        "low, high " * 2_000,
        "low average high 1 " * 1_000,
        "low 1 average 2 high 3 sd " * 800,
        "omnibus (is) is (" * 1_200,
        "| low | 1 |\n" * 2_000,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_hostile_replies(text: str) -> None:
    assert parse_ranking(text, LEVELS) is None
    assert parse_ascending_ranking(text, LEVELS) is None
    assert parse_dollars(text, LEVELS, 10) is None


@given(st.text())
def test_any_text(text: str) -> None:
    assert parse_ranking(text, LEVELS) is None
    assert parse_ascending_ranking(text, LEVELS) is None
    assert parse_dollars(text, LEVELS, 10) is None


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.sampled_from([*LEVELS, "small", "High > Low > Average"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    *(*LEVELS, "levels", "level", "mean", "sd", "ranking", "effect_size"),
                    *("omnibus_effect_size", "contrast_effect_size"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON)
def test_any_json(value: Any) -> None:
    text = json.dumps(value)
    ranked, priced = parse_ranking(text, LEVELS), parse_dollars(text, LEVELS, 10)
    assert ranked is None or ranked.order is None or sorted(ranked.order) == sorted(LEVELS)
    assert priced is None or all(0 <= mean <= 10 for mean in priced.means)


@given(st.permutations(LEVELS), st.sampled_from(["small", "medium", "large"]))
def test_every_ranking_comes_back(order: list[str], size: str) -> None:
    stated = {**RANKED, "ranking": " > ".join(order), "contrast_effect_size": size}
    found = parse_ranking(f"So:\n```json\n{json.dumps(stated)}\n```", LEVELS)
    assert found is not None
    assert (found.order, found.contrast_effect_size) == (tuple(order), size)
    assert [found.scores[LEVELS.index(level)] for level in order] == [2, 1, 0]
    # The same order, asked for the other way round.
    stated = {"ranking": order[::-1], "effect_size": size}
    other = parse_ascending_ranking(json.dumps(stated), LEVELS)
    assert other is not None
    assert (other.order, other.scores) == (found.order, found.scores)


def test_bad_arguments() -> None:
    with pytest.raises(EmptyInput, match="No levels"):
        parse_ranking("{}", ())
    with pytest.raises(MisalignedInput, match="capitals, white space"):
        parse_dollars("{}", ("low", "Low "), 10)
    with pytest.raises(MetricError, match="Endowment"):
        parse_dollars("{}", LEVELS, 0)
