"""What README, docs, cards and examples import and call can be imported."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

_PLACES = (
    "README.md",
    "docs/**/*.md",
    "cards/*.jinja",
    "cards/*/*.jinja",
    "examples/*",
    "hub_metrics/*",
)
_IMPORT = re.compile(r"^\s*from (otherminds[\w.]*) import ([\w, ]+)$", re.MULTILINE)
_MODULE = re.compile(r"`(otherminds(?:\.[a-z_]\w*)+)`")

# Keys of a results file.
_NOT_MODULES = {"otherminds.options"}


def texts() -> Iterator[tuple[str, str]]:
    for pattern in _PLACES:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file():
                yield path.relative_to(ROOT).as_posix(), _text(path)


def _text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def imported() -> list[tuple[str, str, str]]:
    """Place, module and name of each import, and of each name that is then used of a module."""
    found = {}
    for place, text in texts():
        for module, names in _IMPORT.findall(text):
            for name in names.replace(" ", "").split(","):
                found[place, module, name] = None
                if module == "otherminds":
                    used = re.findall(rf"\b{name}\.([a-z_]+)\(", text)
                    found |= dict.fromkeys((place, f"otherminds.{name}", one) for one in used)
        for module in set(_MODULE.findall(text)) - _NOT_MODULES:
            parent, _, name = module.rpartition(".")
            found[place, parent, name] = None
    return sorted(found)


def test_documents_import_something() -> None:
    assert ("cards/card.md.jinja", "otherminds.data", "load") in imported()


@pytest.mark.parametrize(("place", "module", "name"), imported())
def test_what_documents_import_exists(place: str, module: str, name: str) -> None:
    try:
        found = importlib.import_module(f"{module}.{name}")
    except ModuleNotFoundError:
        found = getattr(importlib.import_module(module), name)
    assert found is not None
