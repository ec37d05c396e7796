"""Pushing results to the Hub; the pushing itself is tested with the round trip of publishing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from otherminds.running import pushing


@pytest.mark.parametrize(("pushes", "n_lines"), [(True, 1), (False, 0)])
def test_a_run_that_pushes_samples_says_that_they_hold_golds(
    pushes: bool, n_lines: int, capsys: pytest.CaptureFixture[str]
) -> None:
    pushing.warn_of_golds(SimpleNamespace(hf_hub_log_args={"push_samples_to_hub": pushes}))
    said = capsys.readouterr().err.splitlines()
    assert len(said) == n_lines
    assert all("gold" in line and "otherminds redact" in line for line in said)
