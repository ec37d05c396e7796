"""Tables in `docs/` of debate data alone, from manifests (`otherminds.publishing.doc_tables`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from otherminds.console import digits
from otherminds.manifest import Manifest
from otherminds.publishing.doc_tables import markdown


def _conditions(known: Manifest) -> str:
    """One row per reference, one column per condition: macro-F1 / accuracy."""
    conditions = dict.fromkeys(part for one in known.references.values() for part in one.scores)
    rows = [
        [name, *(_scores(reference.scores.get(condition)) for condition in conditions)]
        for name, reference in known.references.items()
    ]
    return markdown(["macro-F1 / accuracy", *conditions], rows)


def _scores(known: Mapping[str, float] | None) -> str:
    return "–" if known is None else " / ".join(digits(known[one]) for one in ("macro_f1", "acc"))


TABLES: Final = {"conditions": _conditions}
