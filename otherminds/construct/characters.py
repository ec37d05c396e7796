"""Characters by which a text says to a program something else than to who reads it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_JOINERS: Final = frozenset("\u200c\u200d")
"""Of the characters without a shape, those that some scripts and signs are written with."""

_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and signs that have no shape either."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_GREEK: Final = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧινορυκϲϳ")
"""Greek letters that look like Latin ones; "µm" and "kΩ" are words all the same."""

_NAME: Final = re.compile(r"[\w .,:+/@()'’=&-]{1,120}")


def unseen(text: str) -> str | None:
    """The first character that nobody can see; None without any.

    Joiners count between Latin letters, where nothing is written with them.
    """
    for place, one in enumerate(text):
        if one in "\n\r\t":
            continue
        if one in _JOINERS:
            around = text[max(0, place - 1) : place + 2].replace(one, "")
            if any(other.isascii() and other.isalnum() for other in around):
                return one
        elif one in _BLANK or unicodedata.category(one) in ("Cc", "Cs", "Co", "Cn", "Cf"):
            return one
    return None


def lookalike(text: str) -> str | None:
    """The first word with Latin letters and others that look like them; None without any."""
    for found in _WORD.finditer(text):
        word: str = found.group()
        if word.isascii():
            continue
        named = [unicodedata.name(one, "") for one in word]
        other = any(
            name.startswith("CYRILLIC") or one in _GREEK
            for one, name in zip(word, named, strict=True)
        )
        if other and any(name.startswith("LATIN") for name in named):
            return word
    return None


def is_name(text: str) -> bool:
    """Whether a text can be the name of an author or a family: a card shows it as it is."""
    return bool(_NAME.fullmatch(text)) and lookalike(text) is None
