"""How the items of SocialMindChange's editions look to students, by dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from otherminds.students.view import View
from otherminds.tasks.socialmindchange import codes_students, core_students, scale_students

VIEWS: Final[Mapping[str, View]] = {
    **codes_students.VIEWS,
    **scale_students.VIEWS,
    **core_students.VIEWS,
}
"""The view of each dataset."""
