"""Checks of the vocabulary that its shape alone does not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from otherminds.dataset_builders.socialmindchange.cast import AGES, ROLES, occupations, relations
from otherminds.dataset_builders.socialmindchange.states import LEVELS, MATTERS, KINDS
from otherminds.dataset_builders.socialmindchange.text import slots

if TYPE_CHECKING:
    from otherminds.dataset_builders.socialmindchange.content import Content


def problems(content: Content) -> list[str]:
    return []
