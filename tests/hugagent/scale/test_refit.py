"""The structure of the population from graphs of people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from otherminds import files
from otherminds.dataset_builders.hugagent import structures
from otherminds.dataset_builders.hugagent.schema import Beta
from otherminds.dataset_builders.hugagent.structures import Counted, StructureError
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.metrics.graphs import read_graph
from otherminds.tasks.hugagent import refit


def _graph(person: str, edges: list[tuple[str, str, float]]) -> dict[str, Any]:
    names = sorted({end for source, target, _ in edges for end in (source, target)} - {"stance"})
    return {
        "agent_id": person,
        "topic": "zoning",
        "stance_node": "stance",
        "nodes": {
            **{name: {"label": name, "importance": 0.25 + 0.1 * n} for n, name in enumerate(names)},
            "stance": {"label": "support", "status": "stance"},
        },
        "edges": {
            f"e{n}": {
                **{"source": source, "target": target, "modifier": modifier},
                "aggregate_confidence": 0.5 + 0.1 * (n % 3),
            }
            for n, (source, target, modifier) in enumerate(edges)
        },
    }


SMALL = [("noise", "stance", -0.5), ("light", "stance", 0.25), ("noise", "light", 0.0)]
LARGE = [*SMALL, ("rents", "stance", -1.0), ("rents", "noise", 0.5)]


def test_statistics_by_hand() -> None:
    counted = [refit.counted(read_graph(_graph(*one))) for one in (("P1", SMALL), ("P2", LARGE))]
    assert [(one.nodes, one.edges) for one in counted] == [(3, 3), (4, 5)]
    found = structures.estimate(counted, parameters.load()["zoning"].structure)
    # A network has a chain and a fork, however small people's graphs are.
    assert found.nodes.mean == structures.FEWEST_NODES
    assert found.nodes.sd == pytest.approx(0.7071, abs=1e-4)
    # (log 3 + log 5) / 2
    assert found.edges.log_mean == pytest.approx(1.3540, abs=1e-4)
    # Two of eight edges say that nothing happens; 0.2 is the most that is taken.
    assert found.zero_sign == 0.2
    # Nobody counted mentions: that stays.
    assert found.evidence == parameters.load()["zoning"].structure.evidence


def test_a_beta_by_hand() -> None:
    # Mean 0.5 and variance 0.05: 0.25 / 0.05 − 1 = 4, half of it each.
    start = Beta(a=9.0, b=9.0)
    values = (0.5 - 0.05**0.5, 0.5, 0.5 + 0.05**0.5)
    found = structures.beta_of(values, start)
    assert (found.a, found.b) == pytest.approx((2.0, 2.0))
    assert structures.beta_of((0.3, 0.3), start) == start
    assert structures.beta_of((0.0, 1.0), start) == start


def test_a_cycle_is_named_with_its_person() -> None:
    graph = read_graph(_graph("P7", [*SMALL, ("light", "noise", 0.5)]))
    with pytest.raises(StructureError, match="graph of P7 on zoning has a cycle"):
        refit.counted(graph)


def test_too_few_graphs_and_empty_ones_are_refused() -> None:
    start = parameters.load()["zoning"].structure
    one = refit.counted(read_graph(_graph("P1", SMALL)))
    with pytest.raises(StructureError, match="1 graphs are too few"):
        structures.estimate([one], start)
    empty = Counted(1, 0, (), (), (), (), 0)
    with pytest.raises(StructureError, match="1 of 2 graphs have no edges"):
        structures.estimate([one, empty], start)


def test_the_command_changes_one_topics_structure(tmp_path: Path) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    for person, edges in (("P1", SMALL), ("P2", LARGE)):
        (folder / f"{person}.json").write_text(files.strict_json(_graph(person, edges)))
    refit.main([str(folder), "--topic", "zoning", "-o", str(tmp_path / "out")])
    found = yaml.safe_load((tmp_path / "out" / "parameters.yaml").read_text())
    before = parameters.load()
    assert parameters.load(tmp_path / "out")["healthcare"] == before["healthcare"]
    assert found["zoning"]["structure"]["edges"]["log_mean"] == pytest.approx(1.354, abs=1e-3)
    assert found["zoning"]["stance"] == list(before["zoning"].stance)
