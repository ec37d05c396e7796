"""Which of a manifest's reference scores a run may be read against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherminds import manifest


def known_references(task: str, results: Mapping[str, Any]) -> dict[str, Mapping[str, float]]:
    """The manifest's reference scores on exactly the documents that were run; none for others."""
    origin = (results.get("otherminds") or {}).get("data", {}).get(task)
    config = results.get("configs", {}).get(task)
    if origin is None or config is None or is_partial(results["n-samples"][task]):
        return {}
    known = manifest.load(origin["dataset"])
    if origin["version"] != known.version or any(
        known.configs[name].content_hash not in (None, found)
        for name, found in origin["content_hash"].items()
    ):
        return {}
    kwargs = config["dataset_kwargs"]
    subset = f"subset_{origin['subset']}" if origin["subset"] else None
    # The manifest has scores of some parts of the data and of some ways of showing them.
    parts = [name for name in (kwargs.get("evidence"), kwargs.get("topic"), subset) if name]
    if len(parts) > 1:
        return {}
    part = parts[0] if parts else "all"
    return {
        name: reference.scores[part]
        for name, reference in known.references.items()
        if part in reference.scores
    }


def is_partial(counts: Mapping[str, int]) -> bool:
    """Whether fewer documents of a task were run than it has."""
    return counts["effective"] < counts["original"]
