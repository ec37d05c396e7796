"""The setting of the game: the trustor's dollars, and the part of them that can be sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa

from otherminds.dataset_builders.trust_game import game
from otherminds.errors import OtherMindsError
from otherminds.metrics.trust_game import parse_send

SETTING = (("endowment", pa.float64()), ("fractions", pa.bool_()))
"""The fields of a document that hold the setting."""


class Setting(NamedTuple):
    """The setting of all games of a run.

    endowment  the trustor's dollars in each round
    fractions  whether any amount can be sent; otherwise whole dollars, as in the paper
    """

    endowment: float
    fractions: bool

    @property
    def fields(self) -> dict[str, Any]:
        """As a document has them."""
        return self._asdict()

    def send(self, text: str | None) -> float | None:
        """The dollars that a reply sends (`metrics.trust.parse_send`)."""
        return parse_send(text, self.endowment, whole=not self.fractions)


def setting_of(endowment: Any, fractions: Any) -> Setting:
    """The setting that a run has from `--metadata`.

    Raises OtherMindsError for an endowment that the game cannot have, and for part of a dollar in it
    where only whole dollars can be sent.
    """
    if not isinstance(fractions, bool):
        raise OtherMindsError(f"fractions is {fractions!r}: give true or false in --metadata.")
    try:
        dollars = game.check_endowment(endowment)
    except ValueError as error:
        raise OtherMindsError(f"{error} Change it in --metadata.") from error
    if not fractions and not dollars.is_integer():
        raise OtherMindsError(
            f"The endowment is {dollars:g} dollars, and only whole dollars can be sent. Give a whole "
            "number, or allow parts of a dollar: --metadata '{\"fractions\": true}'."
        )
    return Setting(dollars, fractions)


def setting_in(doc: Mapping[str, Any]) -> Setting:
    """The setting that a document was made with."""
    return Setting(doc["endowment"], doc["fractions"])
