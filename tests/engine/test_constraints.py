"""What CI installs is pinned by hash, and comes from where pip is told, not from an address of ours."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT

TEXT = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8")
PINNED = {
    match[1]: match[2].split()
    for match in re.finditer(
        r"^([a-z0-9.-]+)==\S+ \\\n((?:    --hash=\S+(?: \\)?\n?)+)", TEXT, re.M
    )
}
# Installed before: its CPU build, where plain hashes would mean gigabytes for accelerators.
APART = {"torch"}


@pytest.mark.attack(
    "a package exchanged under its version, or from another index",
    outcome="CI installs by SHA-256; no index is named",
    against="supply chain",
)
def test_every_package_is_pinned_by_hash_and_no_address_is_named() -> None:
    lines = [line for line in TEXT.splitlines() if not line.startswith("    --hash=")]
    assert len(lines) == len(PINNED) > 100
    assert all(re.fullmatch(r"[a-z0-9.-]+==[\w.+!]+ \\", line) for line in lines)
    for name, hashes in PINNED.items():
        found = [part for part in hashes if part != "\\"]
        assert found, name
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", part) for part in found), name
    assert "://" not in TEXT


@pytest.mark.attack(
    "a package that CI would install without a hash",
    outcome="the test fails",
    against="supply chain",
)
def test_all_that_the_test_and_lint_environments_name_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"]]
    for extra in ("test", "lint", "docs", "hf", "api", "report", "interview", "study"):
        asked += extras[extra]
    named = {re.sub(r"[-_.]+", "-", Requirement(text).name).lower() for text in asked}
    assert named - {"otherminds"} - APART <= PINNED.keys()
