"""Which of the 23 categories a debate belongs to."""

from __future__ import annotations

from typing import Final

from otherminds.dataset_builders.debate.schema import CATEGORIES

UNKNOWN: Final = "Miscellaneous"
"""Where debates of no category, or of one that is not Debate.org's, are put."""

_BY_NAME: Final = {
    "".join(c for c in name.casefold() if c.isalnum()): name for name in CATEGORIES
} | {"travel": "Places-Travel", "places": "Places-Travel", "television": "TV", "misc": UNKNOWN}


def category_of(written: str) -> tuple[str, bool]:
    """The category that `written` means, and whether it is one that Debate.org has.

    Case, spaces and punctuation do not matter. Anything else is UNKNOWN and False.
    """
    name = _BY_NAME.get("".join(c for c in written.casefold() if c.isalnum()))
    return (UNKNOWN, False) if name is None else (name, True)
