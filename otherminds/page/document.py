"""The common parts of self-contained pages: rendering, and the policy of scripts and styles."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice

from jinja2 import Environment, StrictUndefined


def environment() -> Environment:
    """For templates of pages: every text is escaped."""
    return Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def policy_hash(text: str) -> str:
    """The hash of an element's whole text, by which a page's policy allows it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def asset(name: str) -> str:
    """The text of a file of the page."""
    return files("otherminds.page").joinpath("assets", name).read_text(encoding="utf-8")


def stripped(parts: Iterator[str]) -> Iterator[str]:
    """The same text without the white space that it begins with."""
    yield from islice(filter(None, (part.lstrip() for part in parts)), 1)
    yield from parts
