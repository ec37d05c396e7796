"""A dataset card taken apart: its YAML head and its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

NAME: Final = "README.md"
_MARK: Final = "---"


class CardError(Exception):
    """Why a card cannot be taken apart, on one line."""


@dataclass(frozen=True)
class Card:
    """A card and the repository that it stands in."""

    folder: Path
    head: Mapping[str, Any]
    body: str


def read(folder: Path) -> Card:
    """The card of the repository in `folder`.

    The head is what stands between a first line `---` and the next one. CardError for a card that is
    missing, is not UTF-8, or has no head, or a head that is not YAML, has a key twice, or is not a
    mapping.
    """
    try:
        text = (folder / NAME).read_text(encoding="utf-8")
    except OSError as error:
        raise CardError(f"{NAME} cannot be read ({error.strerror}); write one.") from error
    except UnicodeDecodeError as error:
        raise CardError(f"{NAME} is not UTF-8 (byte {error.start}); save it as UTF-8.") from error
    head, body = _split(text)
    try:
        # Made of SafeLoader, so as safe as that.
        found = yaml.load(head, Loader=_StrictLoader)  # nosec B506
    except Exception as error:  # a date such as 2026-99-99, a number too long: not only YAMLError
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CardError(f"the YAML head does not parse: {reason}") from error
    if not isinstance(found, Mapping):
        raise CardError("the YAML head holds no keys; begin with `license:` and `configs:`.")
    return Card(folder, found, body)


def _split(text: str) -> tuple[str, str]:
    lines = text.split("\n")
    marks = [place for place, line in enumerate(lines) if line.rstrip() == _MARK]
    if not marks or marks[0] != 0:
        raise CardError(f"{NAME} has no YAML head: its first line must be `{_MARK}`.")
    if len(marks) == 1:
        raise CardError(f"the YAML head is not closed: end it with a line `{_MARK}`.")
    return "\n".join(lines[1 : marks[1]]), "\n".join(lines[marks[1] + 1 :])


class _StrictLoader(yaml.SafeLoader):
    """A safe loader that refuses a key that stands twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    line = key.start_mark.line + 2
                    raise CardError(f"line {line}: the key '{key.value}' stands twice; keep one.")
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)
