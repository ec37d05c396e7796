"""The columns of each dataset that participants get: an explicit list, each with the reason.

`cards/<dataset>/season.yaml` holds it. Everything that is not listed there is withheld, so that a column
which a builder gains later is too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pydantic import Field

from otherminds.data.repository import card_facts
from otherminds.errors import OtherMindsError
from otherminds.strict import Strict

NAME: Final = "season.yaml"
"""In a card folder; a season's own record has this name too (`sealing.record`)."""


class Rows(Strict):
    """The rows of one configuration.

    ids     columns whose values are replaced by opaque ids: the builders' count what was drawn
    refers  columns that list ids of another column, by that column; they are withheld
    kept    columns that participants get as they are, with the reason
    order   columns that rows are ordered by, in place of the builder's order; `ids` by default
    """

    ids: tuple[str, ...] = Field(min_length=1)
    kept: Mapping[str, str] = {}
    refers: Mapping[str, str] = {}
    order: tuple[str, ...] = ()


class Size(Strict):
    """How many people, or other groups of items, a season's data are of.

    set      the generator's parameters that have this number
    at_most  the generator's parameters that may not exceed it
    usual    the parameter of the release that has this number where the operator names none; None where
             the release's parameters stay as they are
    """

    set: tuple[str, ...] = Field(min_length=1)
    at_most: tuple[str, ...] = ()
    usual: str | None = None


class Sealing(Strict):
    """A dataset that can be played in seasons: the content of `season.yaml`.

    gold       the column that has the gold answers
    size       how the generator is set to a number of people; None where that takes the builder's own
               function `scaled(spec, size)`
    generator  parameters of the generator in which a season differs from the release
    kept       how many rows of each group of items, by its first id, are published unless the operator
               says otherwise; None for all. Where the options of a group rest on the same facts, they
               reveal each other's golds: the more are shown, the better
    reveals    keys of `dataset_kwargs`: a task that sets one shows withheld data
    items      configurations of items; their rows are published
    beside     configurations that tasks join to items; their rows are published
    withheld   configurations of which nothing is published
    """

    gold: str
    items: Mapping[str, Rows] = Field(min_length=1)
    beside: Mapping[str, Rows] = {}
    withheld: Mapping[str, Rows] = {}
    size: Size | None = None
    generator: Mapping[str, Any] = {}
    kept: int | None = Field(default=None, ge=1)
    reveals: tuple[str, ...] = ()

    @property
    def published(self) -> Mapping[str, Rows]:
        """The configurations that participants get."""
        return {**self.items, **self.beside}

    @property
    def all(self) -> Mapping[str, Rows]:
        """All configurations that a season is built with."""
        return {**self.published, **self.withheld}


def sealable() -> list[str]:
    """The datasets that can be played in seasons."""
    return card_facts.having(NAME)


@cache
def sealing_of(dataset: str) -> Sealing:
    """How a dataset is sealed.

    Raises OtherMindsError for one that cannot be played in seasons, and for a file that does not fit.
    """
    found = card_facts.beside(dataset, NAME, Sealing)
    if found is None:
        raise OtherMindsError(
            f"There are no seasons of '{dataset}': its golds are known already, or it has none. There "
            f"can be of {', '.join(sealable())}."
        )
    return found
