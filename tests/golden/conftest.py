"""The small data of golden tests, built once for each module."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.golden import pinned, shelf, texts, write


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder with the small data, in which, and under whose environment, the module works."""
    with shelf.stocked() as made:
        yield made


def rounds_alike() -> bool:
    """Whether numbers here are rounded as they were where the golden files were written."""
    return bool(texts.committed(write.LIBRARIES)["numerics"] == pinned.numerics())


def needs(*libraries: str) -> None:
    """Skip unless libraries whose form of output is stored have the versions that it was stored with."""
    stored = texts.committed(write.LIBRARIES)
    others = {
        name: found
        for name in libraries
        if (found := importlib.metadata.version(name)) != stored[name]
    }
    if others:
        told = ", ".join(f"{name} {stored[name]} (here {found})" for name, found in others.items())
        pytest.skip(f"Written with {told}, whose form of output this file has.")
