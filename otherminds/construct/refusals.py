"""Why a reply was not accepted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """One reason why a reply was not accepted.

    check    the name of the check that refused, which the funnel counts: "json", "schema", …
    message  what is wrong and what to write instead, in words that an author can act on
    where    the place in the reply, such as "turns.3.action"; empty for the whole
    """

    check: str
    message: str
    where: str = ""

    def __str__(self) -> str:
        place = f" (at {self.where})" if self.where else ""
        return f"{self.check}{place}: {self.message}"
