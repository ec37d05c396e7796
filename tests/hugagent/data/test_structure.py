"""Statistics of networks, by hand, and what a person's beliefs rest on."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent import dynamics, structure
from otherminds.dataset_builders.hugagent.beliefs import draw_beliefs
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.people import draw_person
from otherminds.dataset_builders.hugagent.schema import Content
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream


def network() -> dict[str, Any]:
    """Six nodes and nine edges, five of them into the stance."""
    names = ["stance", "a", "b", "c", "d", "e"]
    into = [(name, "stance") for name in names[1:]]
    among = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
    return {
        "nodes": [
            {"name": name, "importance": 0.1 * place, "evidence": place, "is_stance": place == 0}
            for place, name in enumerate(names)
        ],
        "edges": [
            {"source": u, "target": v, "sign": 1 if k < 6 else -1, "confidence": 0.5, "weight": 0.2}
            for k, (u, v) in enumerate(into + among)
        ],
    }


def test_the_table_by_hand(small: dict[str, pa.Table]) -> None:
    schema = small["agents"].schema.field("graph").type
    table = structure.table(
        pa.table({"topic": ["zoning", "zoning"], "graph": pa.array([network()] * 2, type=schema)})
    )
    found = {row["statistic"]: row for row in table.to_pylist()}
    assert found["nodes"]["mean"] == 6
    assert found["edges"]["mean"] == 9
    assert found["density"]["mean"] == pytest.approx(9 / 30)  # of 6 · 5 ordered pairs
    assert found["degree"]["mean"] == pytest.approx(3.0)  # each edge has two ends: 18 / 6
    assert found["importance"]["mean"] == pytest.approx(0.25)  # (0 + 0.1 + … + 0.5) / 6
    assert found["evidence"]["mean"] == pytest.approx(2.5)
    assert found["anchor_ratio"]["mean"] == pytest.approx(5 / 9)
    assert found["positive_share"]["mean"] == pytest.approx(6 / 9)
    assert found["negative_share"]["mean"] == pytest.approx(3 / 9)
    assert found["nodes"]["n"] == 2
    assert found["nodes"]["sd"] == 0.0


def test_one_person_has_no_spread(small: dict[str, pa.Table]) -> None:
    schema = small["agents"].schema.field("graph").type
    table = structure.table(
        pa.table({"topic": ["zoning"], "graph": pa.array([network()], type=schema)})
    )
    assert math.isnan(table.to_pylist()[0]["sd"])


def test_soundness() -> None:
    assert structure.is_sound(network())
    few = network()
    few["edges"] = few["edges"][:8]
    assert not structure.is_sound(few)  # three edges among factors
    split = network()
    split["nodes"].append({**split["nodes"][1], "name": "alone"})
    assert not structure.is_sound(split)
    twice = network()
    twice["nodes"][1]["is_stance"] = True
    assert not structure.is_sound(twice)


def test_values_move_beliefs(content: Content) -> None:
    factor = content.topics["zoning"].factors[0]
    nobody = dict.fromkeys(("autonomy", "security", "care", "thrift"), 0.0)
    caring = nobody | {"care": 1.0}
    # The difference is slope · (1.2 − |prior|) · loading: what all agree on moves values less.
    difference = dynamics.positive_log_odds(factor, caring) - dynamics.positive_log_odds(
        factor, nobody
    )
    assert difference == pytest.approx(7.0 * (1.2 - abs(factor.prior)) * factor.loading.care)


def test_chances_are_symmetric() -> None:
    assert dynamics.logistic(0.0) == 0.5
    assert dynamics.logistic(1.2) + dynamics.logistic(-1.2) == pytest.approx(1.0)


@pytest.mark.parametrize("number", range(6))
def test_a_persons_beliefs(content: Content, number: int) -> None:
    person = draw_person(agent_stream(11, number, Purpose.PERSON), content)
    for place, name in enumerate(TOPICS):
        beliefs = draw_beliefs(11, number, place, person, content.topics[name])
        assert len(beliefs.reasons) >= 4
        assert max(beliefs.weights) == 1.0
        assert sum(edge.sign != 0 for edge in beliefs.edges) >= 6
        assert 1.0 <= beliefs.stance <= 10.0
        for found in beliefs.interventions:
            assert 1 <= len(found.magnitudes) <= 3
            assert set(found.magnitudes) <= set(found.scenario.factors)
            assert all(abs(magnitude) in (1, 2, 3) for magnitude in found.magnitudes.values())


def test_streams_are_independent_of_each_other() -> None:
    first = agent_stream(1, 2, Purpose.TEXT, 0).random(4).tolist()
    assert first == agent_stream(1, 2, Purpose.TEXT, 0).random(4).tolist()
    others = [(1, 2, Purpose.TEXT, 1), (1, 3, Purpose.TEXT, 0), (2, 2, Purpose.TEXT, 0)]
    assert all(first != agent_stream(*key).random(4).tolist() for key in others)
    assert first != agent_stream(1, 2, Purpose.ITEMS, 0).random(4).tolist()
