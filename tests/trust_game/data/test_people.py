"""Levels, Big Five, splits and the sample: what holds whoever the people are."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.builder import check_seed
from otherminds.dataset_builders.trust_game.attributes import (
    BANK,
    BIG_FIVE,
    EVALUATED_NAMES,
    LEVEL_SETS,
    PAPER,
    SHOWN_FIELDS,
    Attribute,
    LevelSet,
    key_of,
    level_set_of,
)
from otherminds.dataset_builders.trust_game.people import big_five, persona_ids, splits
from otherminds.dataset_builders.trust_game.sample import draw_sample

COLOUR = Attribute("colour", "Colour", ("red", "green", "blue"))
SIZE = Attribute("size", "Size", ("small", "large"))
BOTH = (COLOUR, SIZE)
LEVELS = [(name, level) for name in range(2) for level in BOTH[name].levels]


def test_the_evaluated_attributes_are_those_of_the_paper() -> None:
    assert list(EVALUATED_NAMES) == [
        "age",
        "conscientiousness",
        "family_structure_at_16",
        "highest_degree",
        "openness",
        "political_views",
        "same_residence_since_16",
        "us_citizenship",
        "work_status",
    ]
    for levels in LEVEL_SETS.values():
        assert tuple(one.name for one in levels.evaluated) == EVALUATED_NAMES
        assert all(len(set(one.levels)) == len(one.levels) for one in levels.ranked)
        assert levels.ranked[-1].name == "religion"
    assert [len(one.levels) for one in BANK.evaluated] == [4, 5, 4, 5, 5, 7, 3, 2, 8]
    assert [len(one.levels) for one in PAPER.evaluated] == [4, 3, 6, 5, 3, 4, 3, 2, 4]


def test_levels_say_which_set_they_are_of() -> None:
    for levels in LEVEL_SETS.values():
        people = [[(one.name, one.levels[0]) for one in levels.evaluated]]
        assert level_set_of(people) is levels
    mixed = [("age", "18-29"), ("political_views", "Liberal")]
    with pytest.raises(ValueError, match="there is no level 'Liberal' of political_views"):
        level_set_of([mixed])


def test_prompts_call_an_attribute_what_the_evaluation_calls_it() -> None:
    labels = {field.key: field.label for field in SHOWN_FIELDS}
    assert {key_of(one): one.label for one in PAPER.ranked}.items() <= labels.items()
    assert len(set(labels.values())) == len(SHOWN_FIELDS)


def test_nothing_that_points_at_somebody_is_shown() -> None:
    keys = {field.key for field in SHOWN_FIELDS}
    assert not keys & {"agent_id", "first_name", "last_name", "street_address", "city"}


@pytest.mark.parametrize(
    ("age", "level"),
    [
        (18, "18 to 29"),
        (29, "18 to 29"),
        (30, "30 to 44"),
        (44, "30 to 44"),
        (45, "45 to 59"),
        (59, "45 to 59"),
        (60, "60 or older"),
        (120, "60 or older"),
    ],
)
def test_ages_are_binned(age: int, level: str) -> None:
    assert BANK.age_level(age) == level
    assert BANK.level_of(BANK.attribute("age"), str(age)) == level


@pytest.mark.parametrize(
    ("age", "level"), [(29, "18-29"), (44, "30-44"), (45, "45-64"), (64, "45-64"), (65, "65+")]
)
def test_ages_are_binned_as_in_the_paper(age: int, level: str) -> None:
    assert PAPER.level_of(PAPER.attribute("age"), str(age)) == level


@pytest.mark.parametrize("age", ["17", "121", "-20", "30.5", "", "²", "9" * 5000])
def test_ages_outside_the_bins(age: str) -> None:
    with pytest.raises(ValueError, match=r"is not between 18 and 120|is not an age in years"):
        BANK.level_of(BANK.attribute("age"), age)


def test_rare_levels_are_merged_and_unknown_ones_refused() -> None:
    family = BANK.attribute("family_structure_at_16")
    for level in ("Institution", "Armed forces", "Other (left home before 16, e.g., for school)"):
        assert BANK.level_of(family, level) == "Other"
    assert all(
        level in BANK.attribute(name).levels
        for name, merged in BANK.merged.items()
        for level in merged.values()
    )
    with pytest.raises(ValueError, match="'Foster care' is not a level of family_structure_at_16"):
        BANK.level_of(family, "Foster care")
    with pytest.raises(ValueError, match=r"'shoe_size' is not an attribute .*; there are: age,"):
        BANK.attribute("shoe_size")


@pytest.mark.parametrize("levels", LEVEL_SETS.values(), ids=lambda one: one.name)
def test_big_five_are_a_persons_own_and_near_uniform(levels: LevelSet) -> None:
    traits = levels.traits
    people = [big_five(7, f"person {number}", traits) for number in range(2_000)]
    assert big_five(7, "person 3", traits) == people[3]
    assert big_five(8, "person 3", traits) != people[3]
    share = 1 / len(traits)
    for trait in BIG_FIVE:
        counts = Counter(person[trait.key] for person in people)
        assert set(counts) == set(traits)
        # Five standard deviations of a count, √(n·p·(1 - p)).
        allowed = 5 * (2_000 * share * (1 - share)) ** 0.5
        assert all(abs(count - 2_000 * share) < allowed for count in counts.values())
    # Independent: two given levels of two traits meet in p² of the people.
    both = Counter((person["openness"], person["neuroticism"]) for person in people)
    allowed = 5 * (2_000 * share**2 * (1 - share**2)) ** 0.5
    assert all(abs(count - 2_000 * share**2) < allowed for count in both.values())
    assert len(both) == len(traits) ** 2


@given(st.sets(st.text(max_size=5), max_size=60), st.integers(0, 2**40))
def test_splits_have_exact_sizes_in_any_order(keys: set[str], seed: int) -> None:
    found = splits(sorted(keys), seed)
    assert splits(sorted(keys, reverse=True), seed) == found
    counts = Counter(found.values())
    total = len(keys)
    assert counts["train"] == 3 * total // 5
    assert counts["validation"] == total // 5
    assert sum(counts.values()) == total


def test_splits_depend_on_the_seed() -> None:
    keys = [str(number) for number in range(100)]
    assert splits(keys, 1) != splits(keys, 2)


def test_ids_sort_as_numbers_do() -> None:
    assert persona_ids("genagents", 2) == ["genagents-0001", "genagents-0002"]
    many = persona_ids("synthetic", 10_001)
    assert many == sorted(many)
    assert many[0] == "synthetic-00001"


@st.composite
def populations(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    """People with every colour and size, some perhaps rare."""
    count = draw(st.integers(12, 40))
    people = draw(
        st.lists(
            st.tuples(st.sampled_from(COLOUR.levels), st.sampled_from(SIZE.levels)),
            min_size=count,
            max_size=count,
        )
    )
    # Three people who have all levels among them, so that there is something to cover.
    everything = [("red", "small"), ("green", "large"), ("blue", "large")]
    return {f"p{place}": levels for place, levels in enumerate([*everything, *people])}


@settings(max_examples=60)
@given(populations(), st.integers(0, 1000))
def test_a_sample_covers_all_levels_twice_where_it_can(
    people: dict[str, tuple[str, ...]], seed: int
) -> None:
    sample = draw_sample(people, BOTH, size=10, seed=seed)
    assert len(sample) == 10
    assert sample <= people.keys()
    for place, level in LEVELS:
        there = sum(levels[place] == level for levels in people.values())
        chosen = sum(people[key][place] == level for key in sample)
        # 10 people are twice the 5 levels, so each can be covered twice.
        assert chosen >= min(2, there)
    backwards = dict(reversed(people.items()))
    assert draw_sample(backwards, BOTH, size=10, seed=seed) == sample


@settings(max_examples=40)
@given(populations(), st.integers(0, 1000))
def test_as_many_people_as_levels_always_cover_them(
    people: dict[str, tuple[str, ...]], seed: int
) -> None:
    sample = draw_sample(people, BOTH, size=5, seed=seed)
    for place, level in LEVELS:
        assert any(people[key][place] == level for key in sample)


def test_a_sample_has_the_shares_of_the_people() -> None:
    # 60 red, 30 green and 10 blue; half of each small. A tenth of each, as near as can be.
    colours = ["red"] * 60 + ["green"] * 30 + ["blue"] * 10
    people = {f"{n:03d}": (colour, SIZE.levels[n % 2]) for n, colour in enumerate(colours)}
    sample = draw_sample(people, BOTH, size=20, seed=1)
    assert Counter(people[key][0] for key in sample) == {"red": 12, "green": 6, "blue": 2}
    assert Counter(people[key][1] for key in sample) == {"small": 10, "large": 10}
    assert sample != draw_sample(people, BOTH, size=20, seed=2)


def test_everybody_can_be_the_sample() -> None:
    people = {"a": ("red", "small"), "b": ("green", "large"), "c": ("blue", "large")}
    assert draw_sample(people, BOTH, size=3, seed=1) == set(people)


def test_samples_that_cannot_be_drawn() -> None:
    people = {f"{n}": (COLOUR.levels[n % 3], SIZE.levels[n % 2]) for n in range(12)}
    with pytest.raises(ValueError, match="sample of 13 personas cannot be drawn from 12"):
        draw_sample(people, BOTH, size=13, seed=1)
    red = {key: ("red", levels[1]) for key, levels in people.items()}
    with pytest.raises(ValueError, match="level 'green' of colour occurs in none of the 12"):
        draw_sample(red, BOTH, size=6, seed=1)
    with pytest.raises(ValueError, match=r"of colour occurs in no sample of 2 that was found"):
        draw_sample(people, BOTH, size=2, seed=1)


@pytest.mark.parametrize("seed", [-1, 1.5, True, "1", None])
def test_seeds_are_whole_numbers(seed: object) -> None:
    with pytest.raises(ValueError, match="a seed is a whole number from 0"):
        check_seed(seed)
