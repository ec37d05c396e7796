"""Commute as students see it: the evening, what somebody says of their habits, and four ways to go."""

from __future__ import annotations

from collections.abc import Iterator

from otherminds.students.view import Item, Tables, View


def items(tables: Tables) -> Iterator[Item]:
    """The mornings that somebody wrote."""
    for row in tables["mornings"].to_pylist():
        yield Item(
            item_id=row["item_id"],
            group=row["person_id"],
            kind=row["weather"],
            question=f"How does this person go to work when it is {row['weather']}?",
            options=tuple(row["options"]),
            gold="ABCD".index(row["answer"]),
            text=(*row["habits"], row["morning"]),
        )


VIEWS = {
    "commute-written": View(configs=("mornings",), items=items, called="people", edition="authored")
}
"""The view of what is written; the synthetic people are there to be looked up."""
