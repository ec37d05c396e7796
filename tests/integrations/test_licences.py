"""The licences of what an integration brings, in the environment that has it."""

from __future__ import annotations

import pytest

from tests.engine.test_licences import dependencies, not_permitted


@pytest.mark.parametrize(
    ("package", "extra", "brought"),
    [
        pytest.param("otherminds", "train", "trl", marks=pytest.mark.trl),
        pytest.param("otherminds", "wandb", "wandb", marks=pytest.mark.trackers),
        pytest.param("otherminds", "trackio", "trackio", marks=pytest.mark.trackers),
        pytest.param("otherminds", "privacy", "presidio-analyzer", marks=pytest.mark.presidio),
        pytest.param("otherminds-training", "", "verifiers", marks=pytest.mark.verifiers),
    ],
)
def test_what_is_brought_is_permitted(package: str, extra: str, brought: str) -> None:
    found = dependencies(package, [extra] if extra else [])
    assert brought in found
    assert not_permitted(found) == {}
