"""Tables in `docs/` of HugAgent's data alone, from manifests (`otherminds.publishing.doc_tables`)."""

from __future__ import annotations

from typing import Final

from otherminds.console import digits
from otherminds.manifest import Manifest
from otherminds.publishing.doc_tables import markdown

_KINDS = {
    "bsi": "BSI",
    "baseline": "stance before",
    "scenario": "stance after a scenario",
    "reason": "weight of a reason",
}
_GRADES = ("stated", "hinted", "implied", "without_interview")


def _reader(known: Manifest) -> str:
    """The rule-based reader's accuracy by kind of item and grade of evidence."""
    rows = [
        [label, *(digits(float(known.measured[f"reader_{kind}_{grade}"])) for grade in _GRADES)]
        for kind, label in _KINDS.items()
    ]
    return markdown(["item", "stated", "hinted", "implied", "without the interview"], rows)


TABLES: Final = {"reader": _reader}
