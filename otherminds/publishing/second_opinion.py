"""A second opinion on the privacy scan: Presidio's recognizers, where the extra `privacy` is installed.

The scan of `otherminds.publishing.privacy` is made of patterns of ours. Presidio's are made by others,
and find in part other things. Used are those that are patterns and check digits alone: no model that
finds names, which made-up texts are full of. What they find is no fault by itself; `disagreements` are
the texts that they take for somebody's and our scan does not.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from otherminds import extras
from otherminds.errors import OtherMindsError
from otherminds.publishing import privacy_kinds

LEAST: Final = 0.5
"""The score from which a finding counts: below, a pattern is a mere guess without words beside it."""

RECOGNIZERS: Final = (
    "CreditCardRecognizer",
    "CryptoRecognizer",
    "EmailRecognizer",
    "IbanRecognizer",
    "IpRecognizer",
    "PhoneRecognizer",
    "UsSsnRecognizer",
)
"""Of Presidio's, those for numbers and addresses of people."""


class Opinion(NamedTuple):
    """A stretch of a text that Presidio takes for somebody's, with the kind that it calls it."""

    kind: str
    start: int
    end: int


def opinions(text: str) -> list[Opinion]:
    """What Presidio finds in a text.

    Raises OtherMindsError, with the command that installs it, where it is not there.
    """
    found = {
        Opinion(one.entity_type, one.start, one.end)
        for recognizer in _recognizers()
        for one in recognizer.analyze(text, recognizer.supported_entities, None) or []
        if one.score >= LEAST
    }
    return sorted(found, key=lambda one: (one.start, one.end, one.kind))


def disagreements(texts: Iterable[str]) -> Iterator[tuple[str, Opinion]]:
    """The texts in which Presidio finds something where our scan finds nothing."""
    for text in texts:
        own = [*privacy_kinds.find(text)]
        for one in opinions(text):
            seen = any(hit.start < one.end and one.start < hit.end for hit in own)
            if not seen and not _is_nobodys(text, one):
                yield text, one


def _is_nobodys(text: str, one: Opinion) -> bool:
    """Whether an address is of a private or documented range, as our scan knows."""
    if one.kind != "IP_ADDRESS":
        return False
    try:
        return not ipaddress.ip_address(text[one.start : one.end]).is_global
    except ValueError:
        return False


_MADE: list[Any] = []


def _recognizers() -> list[Any]:
    if not _MADE:
        try:
            from presidio_analyzer import predefined_recognizers as known
        except ModuleNotFoundError as error:
            raise OtherMindsError(
                "A second opinion on privacy needs presidio-analyzer, which is not installed: "
                f"{extras.command_for('presidio-analyzer')}."
            ) from error
        _MADE.extend(getattr(known, name)() for name in RECOGNIZERS)
    return _MADE
