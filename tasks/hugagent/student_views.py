"""How the items of each dataset of HugAgent look to students."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from otherminds.students.view import Harder, View
from otherminds.tasks.hugagent import students, students_composed

VIEWS: Final[Mapping[str, View]] = {
    "hugagent": View(configs=students.CONFIGS, items=students.items, called="people"),
    "hugagent-stated": View(
        configs=students.CONFIGS,
        items=students.items,
        clues=students.clues,
        written=students.written,
        reader=students.reader,
        called="people",
    ),
    "hugagent-synthetic": View(
        configs=students.CONFIGS,
        items=students_composed.items,
        clues=students_composed.clues,
        written=students.written,
        reader=students.reader,
        called="people",
    ),
    "hugagent-core": View(
        configs=students.CONFIGS,
        items=students_composed.items,
        clues=students_composed.clues,
        written=students.written,
        called="people",
        edition="authored",
        harder=Harder("steps", 2),
        also="hugagent-synthetic",
    ),
}
"""The view of each dataset."""
