from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange.codes import cast
from otherminds.dataset_builders.socialmindchange.codes import content as vocabulary
from otherminds.dataset_builders.socialmindchange.codes.content import Content

CONTENT = vocabulary.load()


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(sorted(CONTENT.places)), st.integers(4, 6))
def test_people_are_told_apart_by_their_initials_and_fit_their_relation(
    seed: int, kind: str, size: int
) -> None:
    people = cast.cast(np.random.default_rng(seed), CONTENT, kind, size)
    assert len({person.given[0] for person in people}) == size
    assert len({person.surname for person in people}) == size
    focus, others = people[0], people[1:]
    assert focus.relation is None
    assert len({person.relation.label for person in others if person.relation}) == size - 1
    for person in others:
        assert person.relation is not None
        assert person.relation.youngest <= person.age - focus.age <= person.relation.oldest
        assert "{" not in person.relation.text


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(sorted(CONTENT.places)))
def test_people_have_work_that_their_schooling_and_place_allow(seed: int, kind: str) -> None:
    for person in cast.cast(np.random.default_rng(seed), CONTENT, kind, 4):
        least = next(one.age for one in CONTENT.people.schooling if one.value == person.schooling)
        assert person.age >= least
        jobs = CONTENT.places[kind].jobs
        if jobs:
            assert f"{person.occupation} / {person.schooling}" in jobs
        else:
            names, _ = cast.occupations(CONTENT.people, person.schooling)
            assert person.occupation.removeprefix("retired ") in names


def test_relations_bound_the_age() -> None:
    older = cast.Relation("former teacher", "taught {t}", 14, 45)
    # 14 to 45 years older than 30, and below 71.
    assert older.ages(30) == (44, 71)
    assert older.ages(60) is None


def test_groups_of_names_come_in_their_shares(content: Content) -> None:
    groups = content.people.groups
    found = [0] * len(groups)
    for seed in range(500):
        person = cast.cast(np.random.default_rng(seed), content, "home", 4)[0]
        pool = [person.given in (*group.women, *group.men) for group in groups]
        found[pool.index(True)] += 1
    # 58 of 100 are wanted of the first group: 290, with a standard deviation of 11.
    assert 235 < found[0] < 345
