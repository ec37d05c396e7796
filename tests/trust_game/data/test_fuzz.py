"""The bank of personas with any damage, in both layouts: read, or refused by one clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.sources import SourceError, Stretch
from otherminds.dataset_builders.trust_game import bank, genagents
from tests.helpers import damage, fictional_personas

pytestmark = pytest.mark.slow


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
def test_a_damaged_bank_of_lines_is_built_from_or_refused(tmp_path: Path) -> None:
    path = fictional_personas.write_lines(tmp_path / "bank.jsonl", fictional_personas.bank())
    spec = genagents.GenagentsSpec(seed=3)

    def read() -> list[dict[str, Any]]:
        return genagents.build(path, spec).table.to_pylist()

    found = damage.fuzz(
        path,
        read,
        damage.JSON,
        n=60,
        error=SourceError,
    )
    assert min(found.same, found.refused) > 10


def test_a_damaged_agent_of_a_clone_is_read_or_refused(tmp_path: Path) -> None:
    folder = fictional_personas.write_clone(tmp_path / "bank", fictional_personas.bank(5))
    path = min(folder.rglob(bank.AGENT))
    found = damage.fuzz(
        path, lambda: bank.read(folder, Stretch(None)), damage.JSON, n=400, error=SourceError
    )
    assert min(found.same, found.other, found.refused) > 20


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_agent_that_says_anything_is_read_or_refused(
    tmp_path: Path, data: st.DataObject
) -> None:
    agent: dict[str, Any] = dict(fictional_personas.agent(1))
    for key in data.draw(st.lists(st.sampled_from(sorted(agent)), max_size=3)):
        agent[key] = data.draw(JSON)
    path = fictional_personas.write_lines(tmp_path / "bank.jsonl", [agent])
    refused: list[str] = []
    try:
        [found] = bank.read(path, Stretch(None))
    except SourceError as error:
        refused.append(str(error))
    else:
        assert all(text.isprintable() and text for text in found.person.values.values())
    assert all(str(path) in message for message in refused)
