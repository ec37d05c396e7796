"""The build as a whole: same seed, same bytes; exact shape; labels that wording cannot move."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent import items as items_module
from otherminds.dataset_builders.hugagent import synthetic
from otherminds.dataset_builders.hugagent.features import AGENT, ITEM, TOPICS
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.simulate import simulate
from otherminds.dataset_builders.hugagent.synthetic import SyntheticSpec, content_hash
from otherminds.dataset_builders.hugagent.wording import ByRegister

Tables = dict[str, pa.Table]


def hashes(tables: Tables) -> dict[str, str]:
    return {name: content_hash(table) for name, table in tables.items()}


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_rows(release: SyntheticSpec) -> None:
    # 30 people are two chunks, so two processes share the work.
    spec = synthetic.scaled(release, 30)
    reports: list[tuple[int, int]] = []
    alone = synthetic.build(spec, progress=lambda done, total: reports.append((done, total)))
    together = synthetic.build(spec, num_proc=2)
    assert hashes(alone) == hashes(together)
    assert all(alone[name].equals(together[name]) for name in alone)
    assert reports == [(25, 30), (30, 30)]


def test_another_seed_gives_other_people(small: Tables, small_spec: SyntheticSpec) -> None:
    other = synthetic.build(replace(small_spec, seed=small_spec.seed + 1))
    for name, table in small.items():
        assert other[name].num_rows == table.num_rows
        assert content_hash(other[name]) != content_hash(table)


def test_tables_have_the_agreed_features(small: Tables) -> None:
    for name, table in small.items():
        wanted = AGENT if name == "agents" else ITEM
        assert table.schema.equals(wanted, check_metadata=True)
        table.validate(full=True)


def test_rows_are_ordered_and_numbered(small: Tables) -> None:
    for task in ("bsi", "bdu"):
        rows = small[task].to_pylist()
        assert [row["topic"] for row in rows] == sorted(row["topic"] for row in rows)
        for topic in TOPICS:
            own = [row for row in rows if row["topic"] == topic]
            assert [row["participant_id"] for row in own] == sorted(
                row["participant_id"] for row in own
            )
            ids = [f"synthetic-{task}-{topic}-{place:04d}" for place in range(1, len(own) + 1)]
            assert [row["item_id"] for row in own] == ids


def test_items_have_the_shape_of_their_kind(small: Tables, content: Content) -> None:
    for row in small["bsi"].to_pylist():
        assert row["options"] == ["POSITIVE effect", "NEGATIVE effect"]
        assert row["scale"] == row["scale_labels"] == []
        assert row["answer"] in ("A", "B")
        assert row["question_id"] is None
    for row in small["bdu"].to_pylist():
        low, high = row["scale"]
        assert (low, high) == ((1, 10) if row["question_type"] == "opinion" else (1, 5))
        assert low <= int(row["answer"]) <= high
        assert len(row["scale_labels"]) == 2
        assert row["options"] == []
        assert (row["reason_code"] is None) == (row["question_type"] == "opinion")
        if row["reason_code"]:
            assert row["question_id"].endswith(f"r_{row['reason_code']}")


def test_everybody_has_the_baseline_and_their_scenarios(small: Tables) -> None:
    asked: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in small["bdu"].to_pylist():
        if row["question_type"] == "opinion":
            asked[row["topic"], row["participant_id"]].append(row["question_id"])
    for (topic, _), ids in asked.items():
        first, *scenarios = ids
        assert first == {"healthcare": "3.1", "surveillance": "2.1", "zoning": "1.1"}[topic]
        possible = {
            "healthcare": ["3.6", "3.7", "3.8", "3.9"],
            "surveillance": ["2.6", "2.7", "2.8"],
            "zoning": ["1.2", "1.3", "1.4"],
        }[topic]
        assert len(scenarios) == {"healthcare": 3, "surveillance": 2, "zoning": 3}[topic]
        assert scenarios == [question for question in possible if question in scenarios]


def test_answers_follow_from_the_agents_table(small: Tables) -> None:
    agents = {(row["participant_id"], row["topic"]): row for row in small["agents"].to_pylist()}
    for row in small["bdu"].to_pylist():
        agent = agents[row["participant_id"], row["topic"]]
        scenario = (row["question_id"] or "").split("r_")[0]
        after = {found["question_id"]: found for found in agent["interventions"]}
        if row["question_type"] == "opinion":
            state = (
                after[scenario]["stance_after"] if scenario in after else agent["initial_stance"]
            )
            assert int(row["answer"]) == int(state + 0.5)


def test_a_person_is_the_same_across_topics(small: Tables) -> None:
    people: dict[str, list[Any]] = defaultdict(list)
    for row in small["agents"].to_pylist():
        people[row["participant_id"]].append((row["values"], row["demographics"], row["voice"]))
    for versions in people.values():
        assert len(versions) == 3
        assert versions[0] == versions[1] == versions[2]


def test_wording_does_not_move_labels(content: Content) -> None:
    quotas = {(task, topic): 4 for task in ("bsi", "bdu") for topic in TOPICS}
    voices = content.voices
    reworded = content.model_copy(
        update={
            "voices": voices.model_copy(
                update={
                    "fillers": ByRegister(plain=("Hm.",), casual=("Hm.",), formal=("Hm.",)),
                    "followups": tuple(reversed(voices.followups)),
                    "openers": ByRegister(plain=("So.",), casual=("So.",), formal=("So.",)),
                }
            )
        }
    )
    for number in range(5):
        first = simulate(7, number, quotas, content)
        second = simulate(7, number, quotas, reworded)
        for one, other in zip(first.records, second.records, strict=True):
            assert one.bsi == other.bsi
            assert one.bdu == other.bdu
            assert one.evidence == other.evidence
            assert one.transcript != other.transcript


def test_asked_edges_are_not_told_by_common_sense(small: Tables) -> None:
    # Both signs are asked about half of the time: the binomial sd of 94 items is 5 points.
    answers = small["bsi"]["answer"].to_pylist()
    assert 0.3 < answers.count("A") / len(answers) < 0.7


def test_reasons_spread_over_scenarios(content: Content) -> None:
    quotas = {(task, topic): 10 for task in ("bsi", "bdu") for topic in TOPICS} | {
        ("bsi", topic): 2 for topic in TOPICS
    }
    record = simulate(3, 0, quotas, content).records[2]
    counts: dict[str, int] = defaultdict(int)
    for item in record.bdu:
        if item.question_type == items_module.REASON:
            counts[str(item.question_id).split("r_")[0]] += 1
    # 10 questions less the baseline and three scenarios are six reasons, two for each scenario.
    assert list(counts.values()) == [2, 2, 2]


def test_spec_from_a_manifest(release: SyntheticSpec) -> None:
    written = {
        "agents": 500,
        "seed": release.seed,
        "subset": 50,
        "items": {task: dict(counts) for task, counts in release.items.items()},
    }
    assert synthetic.spec(written) == release
    with pytest.raises(ValueError, match="these are agents"):
        synthetic.spec({"agents": 3})


def test_no_processes_is_an_error(small_spec: SyntheticSpec) -> None:
    with pytest.raises(ValueError, match="num_proc is 0"):
        synthetic.build(small_spec, num_proc=0)


@pytest.mark.slow
def test_release_passes_all_audits(release: SyntheticSpec) -> None:
    tables = synthetic.build(release)
    failed = [found for found in synthetic.audit(tables, release) if not found.passed]
    assert not failed
    assert {name: table.num_rows for name, table in tables.items()} == {
        "bsi": 1303 + 1297 + 1302,
        "bdu": 3888 + 2610 + 3818,
        "agents": 1500,
    }
