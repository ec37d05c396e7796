"""How many beliefs people have: Table 2 and Figure 1 of the paper."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from datasets import Dataset
from typer.testing import CliRunner

from otherminds.cli.main import app
from otherminds.tasks.debate import people as debate_people


def documents(people: dict[str, tuple[int, int]]) -> Dataset:
    """Of each person, as many documents as beliefs are asked for, with the number of known ones."""
    users = [user for user, (_, asked) in people.items() for _ in range(asked)]
    return Dataset.from_dict({"user_id": users, "n_known": [people[user][0] for user in users]})


def test_the_beliefs_of_a_person_are_those_known_and_those_asked_for() -> None:
    docs = documents({"b": (4, 1), "a": (8, 2), "c": (480, 120)})
    found = debate_people.beliefs_per_person(docs)
    assert {kind: list(numbers) for kind, numbers in found.items()} == {
        "all": [10, 5, 600],
        "known": [8, 4, 480],
        "asked": [2, 1, 120],
    }
    assert debate_people.histogram(found["all"]) == {
        **{"5-9": 1, "10-19": 1, "20-49": 0, "50-99": 0, "100-199": 0, "200-499": 0},
        "500+": 1,
    }


def test_the_spread_is_that_of_people_and_not_of_documents() -> None:
    # Mean (1 + 2 + 3 + 6) / 4 = 3; squares 4 + 1 + 0 + 9 = 14, SD = sqrt(14 / 4).
    found = debate_people.spread(np.array([1, 2, 3, 6]))
    assert found == {
        **{"total": 12, "mean": 3, "SD": pytest.approx(math.sqrt(3.5))},
        **{"min": 1, "25 %": 1.75, "median": 2.5, "75 %": 3.75, "max": 6},
    }
    assert all(math.isnan(value) for value in debate_people.spread(np.array([])).values())
    assert debate_people.histogram(np.array([], dtype=np.int64)) == {}


@pytest.mark.slow
def test_show_prints_the_distribution_of_the_data_at_hand(cache: Path) -> None:
    subset = ["--metadata", '{"data_subset": 100}']
    done = CliRunner().invoke(
        app, ["show", "debate_beliefs_synthetic", *subset], env={"COLUMNS": "120"}
    )
    assert done.exit_code == 0, done.output
    rows = {line.split()[0]: line.split() for line in done.output.splitlines() if line.split()}
    totals = [int(rows[kind][1].replace(",", "")) for kind in debate_people.KINDS]
    assert totals[0] == totals[1] + totals[2]
    assert f"n = {totals[2]:,} documents about 100 people" in done.output
    others = CliRunner().invoke(app, ["show", "hugagent_synthetic"])
    assert "Beliefs per person" not in others.output
