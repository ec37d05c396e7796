"""SocialMindChange's core as students see it: stories that somebody wrote, without the grammar's lines.

What frame-aware students read off the scale edition, its grammar, is not in these stories, so they see
words alone. They learn from the scale edition, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from otherminds.students.view import Item, Tables, View
from otherminds.tasks.socialmindchange import scale_students


def items(tables: Tables) -> Iterator[Item]:
    """The questions, each with its story."""
    stages = {row["stage_id"]: row for row in tables["stages"].to_pylist()}
    for row in tables["questions"].to_pylist():
        stage = stages[row["stage_id"]]
        lines = (turn["text"] for scene in stage["scenes"] for turn in scene["turns"])
        yield scale_students.plain(row, stage, tuple(lines))


VIEWS: Final[Mapping[str, View]] = {
    "socialmindchange-core": View(
        configs=("questions", "stages"),
        items=items,
        written=scale_students.written,
        called="stages",
        edition="authored",
        gap=0.25,
        also="socialmindchange-scale",
    )
}
"""The view of each dataset."""
