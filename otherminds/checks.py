"""The finding of a check: of an installation, a card, a folder before it is published."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """The outcome of one check; a `note` is not a fault, but something to know.

    untried  whether it could not be made, which is no fault; `detail` says why
    """

    subject: str
    passed: bool
    detail: str
    note: bool = False
    untried: bool = False
