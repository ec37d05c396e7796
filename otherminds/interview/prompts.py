"""The instructions of the requests to models."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import yaml

_FILE: Final = Path(__file__).with_name("prompts.yaml")


def prompt(name: str, **values: object) -> str:
    """The instruction of a request, filled in."""
    return _prompts()[name].format(**values).strip()


@cache
def _prompts() -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return found
