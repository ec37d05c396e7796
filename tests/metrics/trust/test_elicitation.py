from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.trust import (
    Dollars,
    Ranking,
    elicited_eta_squared,
    parse_dollars,
    parse_ranking,
)

LEVELS = ("Low", "Average", "High")
RANKED = {"ranking": ["High", "Low", "Average"], "effect_size": "medium"}
PRICED: dict[str, Any] = {
    "levels": [
        {"level": "Low", "mean": 3, "sd": 1},
        {"level": "Average", "mean": 5.5, "sd": 2},
        {"level": "High", "mean": 4, "sd": 0},
    ]
}
KEYED = {one["level"]: {"mean": one["mean"], "sd": one["sd"]} for one in PRICED["levels"]}


def test_a_ranking() -> None:
    # High sends least (place 0), Low is next, Average sends most; scores in the order of LEVELS.
    assert parse_ranking(json.dumps(RANKED), LEVELS) == Ranking(
        order=("High", "Low", "Average"),
        effect_size="medium",
        scores=(1.0, 2.0, 0.0),
        eta_squared=0.1,  # midpoint of 0.06 and 0.14
    )


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
        json.dumps({"ranking": ["HIGH", " low ", "aver\u0041GE"], "effect_size": " Medium"}),
        f"In set notation {{a, b}} \\frac{{1}}{{2}}: {json.dumps(RANKED)}",
        f"{{\n\n  {json.dumps(RANKED)[1:]}",
        "word " * 20_000 + json.dumps(RANKED),
    ],
)
def test_prose_fences_and_spelling_do_not_matter(text: str) -> None:
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert (found.order, found.effect_size) == (("High", "Low", "Average"), "medium")


def test_white_space_within_a_level_does_not_matter() -> None:
    levels = ("Less than high school", "College")
    text = '{"ranking": ["college", "less  than\\nhigh school"], "effect_size": "large"}'
    found = parse_ranking(text, levels)
    assert found is not None
    assert found.order == ("College", "Less than high school")
    assert found.eta_squared == pytest.approx(0.57)


def ranking(**changes: Any) -> str:
    return json.dumps({**RANKED, **changes})


def dollars(**changes: Any) -> str:
    """PRICED with its first level changed."""
    first, *others = PRICED["levels"]
    return json.dumps({"levels": [{**first, **changes}, *others]})


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
        json.dumps({"ranking": RANKED["ranking"]}),
        json.dumps({"effect_size": "small"}),
        ranking(ranking=["High", "Low"]),
        ranking(ranking=["High", "Low", "Average", "Very high"]),
        ranking(ranking=["High", "Low", "Low"]),
        ranking(ranking=["High", "Low", "Average", "average"]),
        ranking(ranking=["High", "Low", 3]),
        ranking(ranking=["High", "Low", None]),
        ranking(ranking="High, Low, Average"),
        ranking(ranking={"High": 1, "Low": 2, "Average": 3}),
        ranking(effect_size="huge"),
        ranking(effect_size=0.1),
        ranking(effect_size=None),
        ranking(effect_size=["small"]),
        json.dumps(RANKED)[:-1],
        json.dumps(RANKED).replace('"', "'"),
        f"<think>{json.dumps(RANKED)}",
        # The last object counts, and this one states nothing.
        f'{json.dumps(RANKED)} {{"note": "done"}}',
        # A key given twice contradicts itself.
        json.dumps(RANKED)[:-1] + ', "effect_size": "small"}',
    ],
)
def test_no_ranking(text: str | None) -> None:
    assert parse_ranking(text, LEVELS) is None


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
        dollars(mean=-0.01),
        dollars(mean=10.01),
        dollars(mean="3"),
        dollars(mean=True),
        dollars(mean=None),
        dollars(mean=[3]),
        dollars(sd=-1),
        dollars(sd="1"),
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
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_hostile_replies(text: str) -> None:
    assert parse_ranking(text, LEVELS) is None
    assert parse_dollars(text, LEVELS, 10) is None


@given(st.text())
def test_any_text(text: str) -> None:
    assert parse_ranking(text, LEVELS) is None
    assert parse_dollars(text, LEVELS, 10) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from([*LEVELS, "small"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*LEVELS, "levels", "level", "mean", "sd", "ranking", "effect_size"]),
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
    assert ranked is None or sorted(ranked.order) == sorted(LEVELS)
    assert priced is None or all(0 <= mean <= 10 for mean in priced.means)


@given(st.permutations(LEVELS), st.sampled_from(["small", "medium", "large"]))
def test_every_ranking_comes_back(order: list[str], size: str) -> None:
    text = f"So:\n```json\n{json.dumps({'ranking': order, 'effect_size': size})}\n```"
    found = parse_ranking(text, LEVELS)
    assert found is not None
    assert (found.order, found.effect_size) == (tuple(order), size)
    assert [found.scores[LEVELS.index(level)] for level in order] == [0, 1, 2]


def test_bad_arguments() -> None:
    with pytest.raises(EmptyInput, match="No levels"):
        parse_ranking("{}", ())
    with pytest.raises(MisalignedInput, match="capitals or white space"):
        parse_dollars("{}", ("low", "Low "), 10)
    with pytest.raises(MetricError, match="Endowment"):
        parse_dollars("{}", LEVELS, 0)
