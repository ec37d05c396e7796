"""The fields of records: short texts that can do no harm, and scores with their uncertainty."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The name of a submission's folder, of at most 100 characters."""


def _plain_text(text: str) -> str:
    """Text that shows as it is, on a page and in a terminal."""
    if unicodedata.normalize("NFKC", text) != text:
        raise ValueError("has characters that look like others (it is not in the form NFKC)")
    if any(unicodedata.category(character)[0] == "C" for character in text):
        raise ValueError("has control characters or invisible ones")
    if any(unicodedata.category(character) in ("Zl", "Zp") for character in text):
        raise ValueError("has line or paragraph separators")
    if set("<>&") & set(text):
        raise ValueError("has one of the characters <, > and &, which are those of HTML")
    return text


def _no_climbing(text: str) -> str:
    if ".." in text:
        raise ValueError("has two dots in a row, as a path that climbs")
    return text


def matching(pattern: str, longest: int) -> StringConstraints:
    """A text that is all of a pattern, with at most so many characters."""
    return StringConstraints(pattern=rf"\A{pattern}\z", max_length=longest)


_PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"

ModelName = Annotated[str, matching(rf"{_PART}(?:/{_PART})?", 100), AfterValidator(_no_climbing)]
"""As on the Hub: `name` or `owner/name`, of ASCII letters, digits and `._-`."""

Name = Annotated[str, matching(_PART, 100), AfterValidator(_no_climbing)]
Version = Annotated[str, matching(r"[A-Za-z0-9][A-Za-z0-9.+_-]*", 64)]
TaskName = Annotated[str, matching(r"[a-z][a-z0-9_]*", 100)]
SeasonId = Annotated[str, matching(ID.pattern, 40)]
Sha256 = Annotated[str, matching(r"[0-9a-f]{64}", 64)]
ContentHash = Annotated[str, matching(r"[A-Za-z0-9:_-]+", 128)]
Setting = Annotated[str, StringConstraints(max_length=500), AfterValidator(_plain_text)]
Notes = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_plain_text)]

Level = Literal["sealed", "self-reported", "re-scored", "re-run"]
"""How far scores can be trusted. There are none of a sealed submission until its season closes."""


class Strict(BaseModel):
    """Takes the fields that it names and nothing else, of just its types, and no NaN."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, strict=True, protected_namespaces=()
    )


class Metric(Strict):
    """A value with its uncertainty, as `otherminds.metrics.uncertainty.Estimate`; None where unknown."""

    value: float
    stderr: float | None
    low: float | None
    high: float | None
    n: Annotated[float, Field(gt=0)]
    n_clusters: Annotated[int, Field(ge=1)]


Metrics = Annotated[dict[Name, Metric], Field(max_length=64)]


def metrics_of(estimates: Mapping[str, Mapping[str, float]]) -> dict[str, Metric]:
    """Estimates, as the details of a run have them, as a record states them: of items, without NaN."""
    return {
        name: Metric(
            value=float(found["value"]),
            stderr=_known(found["stderr"]),
            low=_known(found["low"]),
            high=_known(found["high"]),
            n=float(found["n"]),
            n_clusters=int(found["n_clusters"]),
        )
        for name, found in estimates.items()
        if found["value"] == found["value"] and found["n"] > 0
    }


def _known(number: float) -> float | None:
    return None if number != number else float(number)
