"""Debate beliefs as students see them: a proposition, who is asked, and what else they believe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from otherminds.students.view import Item, Tables, View

_OPTIONS: Final = ("agree", "disagree")


def items(tables: Tables) -> Iterator[Item]:
    """The beliefs that are asked for; those on one proposition are of one kind."""
    for row in tables["beliefs"].to_pylist():
        yield Item(
            item_id=row["item_id"],
            group=row["user_id"],
            kind=row["proposition"],
            question=row["proposition"],
            options=_OPTIONS,
            gold=0 if row["agrees"] else 1,
            demographics=" ".join(_word(one) for one in row["background"]),
            text=tuple(_told(one) for one in row["known_beliefs"]),
        )


def _word(one: Mapping[str, str]) -> str:
    """An attribute with its value, as one word."""
    return "_".join("".join(c if c.isalnum() else " " for c in " ".join(one.values())).split())


def _told(belief: Mapping[str, Any]) -> str:
    """A belief as its words and, as one word, as a whole: what goes with what is learned from both."""
    answer = _OPTIONS[0] if belief["agrees"] else _OPTIONS[1]
    whole = _word({"answer": answer, "proposition": belief["proposition"]})
    return f"{answer}: {belief['proposition']} {whole}"


VIEWS: Final[Mapping[str, View]] = dict.fromkeys(
    ("debate-beliefs", "debate-beliefs-issues", "debate-beliefs-synthetic"),
    View(configs=("beliefs",), items=items, called="people"),
)
"""The view of each dataset."""
