"""What self-contained pages have in common: how they are rendered, and what their policy lets run."""

from __future__ import annotations

import base64
import hashlib

from jinja2 import Environment, StrictUndefined


def environment() -> Environment:
    """For templates of pages: every text is escaped."""
    return Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def policy_hash(text: str) -> str:
    """What a page's policy knows an element by: the hash of its whole text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
