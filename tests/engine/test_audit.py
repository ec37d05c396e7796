"""The CI stage about known faults of packages fails for one, and never passes in silence."""

from __future__ import annotations

import importlib.util
from importlib.machinery import SourceFileLoader
from typing import Any

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def audit() -> Any:
    loader = SourceFileLoader("audit", str(ROOT / ".ci" / "audit"))
    spec = importlib.util.spec_from_loader("audit", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


SOUND = {"name": "a", "version": "1", "vulns": []}
FAULTY = {"name": "b", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["3"]}]}
UNKNOWN = {"name": "c", "version": "1", "skip_reason": "not found"}


@pytest.mark.attack(
    "a pinned package with a known fault",
    outcome="CI fails; where no database is in reach, it says so",
    against="supply chain",
)
@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        ([SOUND, UNKNOWN], 0, "1 of 2 packages asked about, faults: 0."),
        ([SOUND, FAULTY], 1, "b 2: CVE-1, mended in: 3"),
        ([UNKNOWN, UNKNOWN], 0, "was skipped: its database knows none of 2 packages"),
    ],
)
def test_faults_fail_and_what_was_not_asked_is_told(
    audit: Any, found: Any, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.report(found) == code
    told = capsys.readouterr()
    assert said in told.out + told.err
