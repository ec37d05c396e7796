"""What participants get of each dataset: an explicit list of columns, each with the reason.

Everything that is not listed here is withheld, so that a column which a builder gains later is too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

PROMPT: Final = "shown by prompts"
FORM: Final = "chooses the prompt's form"
CONSTANT: Final = "the same in all rows"


@dataclass(frozen=True)
class Rows:
    """The rows of one configuration.

    ids     columns whose values are replaced by opaque ids
    refers  columns that list ids of another column, by that column; they are withheld
    kept    columns that participants get as they are, with the reason
    order   columns that rows are ordered by; `ids` unless it is told
    """

    ids: tuple[str, ...]
    kept: Mapping[str, str] = field(default_factory=dict)
    refers: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sealing:
    """A dataset that can be played in seasons.

    gold      the column that has the gold answers
    size      the generator's parameter that says how large the data are
    kept      how many rows of each group of items, by its first id, are published unless the operator
              says otherwise; None for all. Where the options of a group rest on the same facts, they
              tell each other's golds: the more are shown, the better
    items     configurations of items; their rows are published
    beside    configurations that tasks join to items; their rows are published
    withheld  configurations of which nothing is published
    """

    gold: str
    size: str
    items: Mapping[str, Rows]
    beside: Mapping[str, Rows] = field(default_factory=dict)
    withheld: Mapping[str, Rows] = field(default_factory=dict)
    kept: int | None = None

    @property
    def published(self) -> Mapping[str, Rows]:
        """The configurations that participants get."""
        return {**self.items, **self.beside}

    @property
    def all(self) -> Mapping[str, Rows]:
        """All configurations that a season is built with."""
        return {**self.published, **self.withheld}


_HUGAGENT: Final = Rows(
    ids=("participant_id", "item_id"),
    kept={
        "track": CONSTANT,
        "topic": "the subject of the interview, which prompts show; topics are scored apart",
        "task": FORM,
        "question_type": FORM,
        "demographics": PROMPT,
        "context": PROMPT,
        "question": PROMPT,
        "options": PROMPT,
        "scale": PROMPT,
        "scale_labels": PROMPT,
        "reason_code": PROMPT,
        "reason_text": PROMPT,
    },
)

_SIZES: Final = {
    "variant": CONSTANT,
    "in_lite": CONSTANT,
    "group_size": "the number of people, who are all in the prompt",
    "n_scenarios": "the number of scenes, which are all in the prompt",
}

SEALINGS: Final[Mapping[str, Sealing]] = MappingProxyType(
    {
        "hugagent-synthetic": Sealing(
            gold="answer",
            size="agents",
            items={"bsi": _HUGAGENT, "bdu": _HUGAGENT},
            withheld={"agents": Rows(ids=("participant_id",), order=("participant_id", "topic"))},
        ),
        "debate-beliefs-synthetic": Sealing(
            gold="agrees",
            size="users",
            items={
                "beliefs": Rows(
                    ids=("user_id", "item_id"),
                    kept={
                        "proposition": PROMPT,
                        "background": PROMPT,
                        "known_beliefs": "shown by prompts, but for their categories, which are those "
                        "of the propositions",
                        "n_known": "the number of known_beliefs",
                        "category": "that of the proposition, the same whoever is asked",
                    },
                )
            },
        ),
        "socialmindchange": Sealing(
            gold="answer",
            size="stages",
            kept=4,
            items={
                "questions": Rows(
                    ids=("stage_id", "item_id"),
                    kept={**_SIZES, "question": PROMPT, "options": PROMPT},
                    refers={"prerequisites": "item_id"},
                )
            },
            beside={
                "stages": Rows(
                    ids=("stage_id",),
                    kept={**_SIZES, "profile": PROMPT, "background": PROMPT, "scenes": PROMPT},
                )
            },
        ),
    }
)
"""By dataset. The builders' ids and order are replaced too: they count what was drawn, and how."""
