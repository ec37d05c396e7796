"""What data are made: hashes of releases, of the small data here, and of files that `build` writes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml

from tests.golden import pinned
from tests.golden.texts import as_json, sha256
from tests.golden.versions import ROOT

NAME = "data.json"

BUILDS: Mapping[str, tuple[str, ...]] = {
    "hugagent-synthetic": ("--people", "6"),
    "debate-beliefs-synthetic": ("--people", "8"),
    "trust-game-synthetic": (),
}
"""Datasets that `otherminds build` writes here, with its options."""


def collect(folder: Path) -> dict[str, Any]:
    """Hashes of data.

    releases  by dataset, version and content hashes that its manifest states; a build that finds others
              is refused
    small     by dataset, the content hashes of the small data of these tests: what builders make
    builds    by dataset, the SHA-256 of each file that `otherminds build` writes (without the names of
              modules that made it), and of the rows of each table, whatever file they are in
    """
    return {
        "releases": releases(),
        "small": {
            path.parent.name: _stated(path)["content_hash"]
            for path in sorted((folder / "shelf").glob("*/manifest.yaml"))
        },
        "builds": {name: _built(name, words, folder) for name, words in BUILDS.items()},
    }


def releases() -> dict[str, Any]:
    """By dataset, version and content hashes of its release."""
    return {path.parent.name: _stated(path) for path in sorted(ROOT.glob("cards/*/manifest.yaml"))}


def _stated(path: Path) -> dict[str, Any]:
    known = yaml.safe_load(path.read_text(encoding="utf-8"))
    hashes = {name: facts.get("content_hash") for name, facts in known["configs"].items()}
    return {"version": str(known["version"]), "content_hash": hashes}


def _built(dataset: str, words: tuple[str, ...], folder: Path) -> dict[str, Any]:
    out = folder / "built" / dataset
    out.parent.mkdir(exist_ok=True)
    pinned.command("build", dataset, str(out.relative_to(folder)), *words)
    paths = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    sums = json.loads(paths.pop("checksums.json").read_bytes())
    # Sums of files that name a module are not stored, but must be right.
    assert sums == {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in paths.items()
    }
    return {
        "files": {
            name: sha256(content if _is_table(path) else pinned.without_makers(content))
            for name, path in paths.items()
            for content in [path.read_bytes()]
        },
        "rows": {
            name: sha256(as_json(pq.read_table(path).to_pylist()))
            for name, path in paths.items()
            if _is_table(path)
        },
    }


def _is_table(path: Path) -> bool:
    return path.suffix == ".parquet"
