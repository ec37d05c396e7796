"""Documents whose gold answers are withheld until a season closes: they can be answered, not scored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from otherminds.errors import OtherMindsError

_Gold = TypeVar("_Gold")

_GOLDS: Final = ("answer", "agrees")

SEALED: Final = (
    "its gold answer is sealed until the season closes, so nothing can be scored. Run with "
    "`otherminds run TASK --season FOLDER`, or lm_eval's --predict_only, and submit the answers with "
    "`otherminds submit … --season FOLDER`."
)
"""Why a document cannot be scored, and what to do."""


def is_sealed(doc: Mapping[str, Any]) -> bool:
    """Whether a document has a place for a gold answer, and none in it."""
    return any(name in doc and doc[name] is None for name in _GOLDS)


def revealed(gold: _Gold | None) -> _Gold:
    """A gold answer. Raises OtherMindsError for one that is sealed: no score may come of that."""
    if gold is None:
        raise OtherMindsError(f"A document cannot be scored: {SEALED}")
    return gold
