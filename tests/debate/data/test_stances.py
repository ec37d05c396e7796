"""Raw records of any shape, and the stances in them."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.debate.records import read_debate, read_profile
from otherminds.dataset_builders.debate.stances import stances
from otherminds.dataset_builders.debate.text import day_of, plain
from tests.helpers.fictional_debates import debate, vote

DAY = date(2010, 3, 5)


def found(raw: dict[str, Any]) -> tuple[dict[str, tuple[bool, date]], Counter[str]]:
    dropped: Counter[str] = Counter()
    taken = stances(read_debate("key", raw), dropped)
    assert len({stance.user for stance in taken}) == len(taken)
    return {stance.user: (stance.agrees, stance.day) for stance in taken}, +dropped


def voted(*votes: Any) -> tuple[dict[str, tuple[bool, date]], Counter[str]]:
    people, dropped = found(debate("Zoos are cruel", "Ada", "Bo", "3/5/2010", list(votes)))
    assert people.pop("Ada") == (True, DAY)
    assert people.pop("Bo") == (False, DAY)
    return people, dropped


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("11/21/2017", date(2017, 11, 21)),
        (" 1/2/2009 4:05:06 PM", date(2009, 1, 2)),
        ("2017-11-21", date(2017, 11, 21)),
        ("2017-11-21T23:59:59.5Z", date(2017, 11, 21)),
        ("Nov 21, 2017", date(2017, 11, 21)),
        ("November 21st 2017", date(2017, 11, 21)),
        (datetime(2017, 11, 21, 3), date(2017, 11, 21)),
        (pd.Timestamp("2017-11-21 10:00"), date(2017, 11, 21)),
        (date(2017, 11, 21), date(2017, 11, 21)),
        (pd.NaT, None),
        ("2 years ago", None),
        ("13/45/2010", None),
        ("21/11/2017", None),
        ("11/21/17", None),
        ("Smarch 3, 2010", None),
        ("", None),
        (None, None),
        (20171121, None),
    ],
)
def test_dates(written: Any, day: date | None) -> None:
    assert day_of(written) == day


def test_voters_agree_with_whom_they_agreed_with_after_the_debate() -> None:
    people, dropped = voted(
        vote("Cy", "3/9/2010", {"Ada": True, "Bo": False}),
        vote("Di", "2010-03-10 11:00:00", {"Ada": False, "Bo": True}),
        # An unreadable time, and one before the debate, count from the debate's day.
        vote("Ed", "2 years ago", {"Ada": True, "Bo": False}),
        vote("Fay", "1/1/2009", {"Ada": "true", "Bo": "false"}),
    )
    assert people == {
        "Cy": (True, date(2010, 3, 9)),
        "Di": (False, date(2010, 3, 10)),
        "Ed": (True, DAY),
        "Fay": (True, DAY),
    }
    assert not dropped


def test_ties_and_votes_that_say_nothing_are_dropped_with_their_reason() -> None:
    people, dropped = voted(
        vote("Cy", "3/9/2010", {"Ada": True, "Bo": False}, tied=True),
        vote("Di", "3/9/2010", {"Ada": True, "Bo": True}),
        vote("Ed", "3/9/2010", {"Ada": False, "Bo": False}),
        {"user_name": "Fay", "time": "3/9/2010", "votes_map": {"Ada": {"Total points": 3}}},
        {"user_name": "Gus"},
        {"user_name": "Hal", "votes_map": {"Ada": None, "Bo": 3}},
        vote("Ivy", "3/9/2010", {"Ada": None, "Bo": True}),
        vote(None, "3/9/2010", {"Ada": True, "Bo": False}),
        None,
    )
    assert people == {"Ivy": (False, date(2010, 3, 9))}
    assert dropped == {
        "vote for a tie": 2,
        "vote for neither side": 1,
        "vote without the question": 3,
    }


def test_a_person_counts_once() -> None:
    people, dropped = voted(
        vote("Ada", "3/9/2010", {"Ada": False, "Bo": True}),
        vote("Cy", "3/9/2010", {"Ada": True, "Bo": False}),
        vote("Cy", "3/8/2010", {"Ada": False, "Bo": True}),
        vote("Di", "3/9/2010", {"Ada": True, "Bo": False}),
        vote("Di", "3/9/2010", {"Ada": False, "Bo": True}),
    )
    assert people == {"Cy": (True, date(2010, 3, 9))}
    assert dropped == {"vote of a debater": 1, "vote repeated by the same voter": 3}


@pytest.mark.parametrize(
    ("changes", "people", "reason"),
    [
        ({"start_date": "soon"}, set(), "debate without a date"),
        ({"participant_2_name": "Bo"}, set(), "debater on both sides"),
        ({"participant_2_name": " "}, {"Bo"}, "vote where a debater is unknown"),
        ({"participant_2_name": "[deleted]"}, {"Bo"}, "vote where a debater is unknown"),
        ({"participant_2_position": "Con"}, set(), "vote where a debater is unknown"),
        ({"participant_1_position": 7}, {"Ada"}, "vote where a debater is unknown"),
    ],
)
def test_debates_without_two_sides(changes: dict[str, Any], people: set[str], reason: str) -> None:
    votes = [vote("Cy", "3/9/2010", {"Ada": True, "Bo": False})]
    taken, dropped = found(debate("T", "Ada", "Bo", "3/5/2010", votes, **changes))
    assert set(taken) == people
    assert dropped == {reason: 1}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(debate("T", "a", "b", "1/1/2010"))), JSON), JSON)
def test_no_record_is_too_odd(odd: dict[str, Any], entry: Any) -> None:
    raw = {**debate("T", "Ada", "Bo", "1/1/2010", [entry]), **odd}
    assert isinstance(stances(read_debate("key", raw), Counter()), list)
    profile = read_profile("Ada", {**odd, "big_issues_dict": entry})
    assert profile is not None
    assert all(isinstance(value, str) for value in profile.fields.values())


@given(st.text())
def test_plain_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    clean = plain(text)
    assert clean == " ".join(clean.split())
    assert "&" in clean or plain(clean) == clean
