"""Blind readers as a reference: what a benchmark's metrics say of their answers, as of a model's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from otherminds.data import kept
from otherminds.dataset_builders import constructed
from otherminds.manifest import Manifest, Reference
from otherminds.metrics.uncertainty import Estimate

NAME: Final = "blind_readers"

_DIGITS: Final = 6
_KINDS: Final = {
    frozenset({"model"}): "Language models",
    frozenset({"person"}): "People",
    frozenset({"model", "person"}): "Language models and people",
}


@dataclass(frozen=True)
class Readers:
    """The readers of the project's own release.

    answers  by `item_id`, what they answered, as `Constructed.answered` has it
    who      whether they are language models or people, for the beginning of a sentence
    """

    answers: Mapping[str, tuple[str, ...]]
    who: str

    def reference(
        self,
        scores: Mapping[str, Mapping[str, float]],
        estimates: Mapping[str, Estimate] | None = None,
    ) -> dict[str, Reference]:
        """The reference by its name.

        scores     by part, as the manifest has them, rounded
        estimates  those of "all", by metric: their intervals are over the units that were read
        """
        whole = scores.get("all", {})
        intervals = {
            name: (round(one.low, _DIGITS), round(one.high, _DIGITS))
            for name, one in (estimates or {}).items()
            if name in whole
        }
        return {
            NAME: Reference(
                description=f"{self.who} that read blind, in the last round of reading. They saw the "
                "questions on a text together, and what earlier readers took otherwise than meant is "
                "out: an upper end of what the texts give.",
                scores={part: dict(one) for part, one in scores.items()},
                interval=intervals or None,
                interval_basis="Over the units that they read." if intervals else None,
            )
        }


def of_release(known: Manifest) -> Readers | None:
    """The readers of a dataset's release in the package; None where it has no texts that were read.

    Raises SourceError for a damaged release.
    """
    source = kept.source(known)
    if source is None:
        return None
    found = constructed.read(source)
    if not found.answered:
        return None
    kinds = frozenset(str(one["kind"]) for own in found.readings.values() for one in own)
    return Readers(found.answered, _KINDS[kinds])
