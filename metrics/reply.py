"""The part of a model's reply in which an answer may be looked for: plain text, or JSON objects.

Removes reasoning, bounds the length, and reduces the many ways of writing the same thing (Unicode
digits, Markdown, LaTeX, tags) to plain lines. What counts as an answer is decided in `parsing`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from otherminds.metrics.lenient_json import LenientDecoder
from otherminds.metrics.thoughts import without_reasoning

__all__ = ["TAIL", "Reply", "objects_in", "read_reply", "without_reasoning"]

# Longer replies are read from the end only: an answer comes last, and reading is bounded.
TAIL = 20_000


# Braces that open no JSON object are tried in vain at most so often: reading stays bounded.
_MAX_FAILURES = 200


_OBJECT_BEGINS = re.compile(r"\{(?=\s*[\"}])")


_SPECIAL_TOKEN = re.compile(
    r"<[|｜][^|｜<>\n]{1,30}[|｜]>|</?s>|<\|?turn\|?>|<(?:eos|end_of_turn)>"
)


_STYLED = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf)\s*\{([^{}\n]{0,80})\}")


_BOXED = re.compile(r"\\boxed\s*\{([^{}\n]{0,80})\}")


_BOXED_CUT_OFF = re.compile(r"\\boxed\b[^\n]*")


_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__")


_ANSWER_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)


_DECORATION = re.compile(r"[*_`#$]|\\[()\[\]]|^[ \t]*>(?=\s)", re.MULTILINE)


# Reads as a line of its own with a marker, which is what a box or an answer tag means.
_AS_FINAL = "\nFinal answer: "


_KEYCAP = {0xFE0F: None, 0x20E3: None}


@dataclass(frozen=True)
class Reply:
    """What is left of a reply.

    text       plain text; one or more lines
    bold       texts set in bold, in order
    ends_bold  whether nothing but punctuation follows the last of them
    cut        whether the reply was longer than TAIL, so that `text` is only its end
    """

    text: str
    bold: tuple[str, ...]
    ends_bold: bool
    cut: bool


def read_reply(text: str | None) -> Reply | None:
    """Reduce `text` to what may hold an answer; None when nothing may.

    Thoughts are removed, in the marks of all families of models that `thoughts` knows. A closing mark
    without an opening one ends a thought that began in the prompt: only what follows counts. A thought
    that was never closed was cut off, and there is no answer. Time is linear in the length of `text`.
    """
    if not text:
        return None
    visible = without_reasoning(text)
    if visible is None:
        return None
    cut = len(visible) > TAIL
    visible = visible[-TAIL:] if cut else visible
    marked_up = _simple_characters(_SPECIAL_TOKEN.sub(" ", visible))
    marked_up = _STYLED.sub(r"\1", marked_up)
    marked_up = _BOXED.sub(rf"{_AS_FINAL}\1 ", marked_up)
    marked_up = _BOXED_CUT_OFF.sub(f"{_AS_FINAL}?", marked_up)
    marked_up = _ANSWER_TAG.sub(lambda tag: " " if tag[1] else _AS_FINAL, marked_up)
    bold = list(_BOLD.finditer(marked_up))
    plain = _plain(marked_up)
    if not plain:
        return None
    return Reply(
        text=plain,
        bold=tuple(_plain(found[1] or found[2]) for found in bold),
        ends_bold=bool(bold) and not marked_up[bold[-1].end() :].strip(" \n\t.!*_"),
        cut=cut,
    )


def objects_in(text: str) -> Iterator[dict[str, Any] | None]:
    """The JSON objects in `text` that are not inside another, in order.

    Numbers are floats. None stands for an object with a key given twice, which contradicts itself.
    Line breaks in texts and commas before a closing bracket do not matter. Other broken JSON and other
    brackets are passed over; never raises, and takes a bounded time.
    """
    # Numbers as float, since int() refuses long strings of digits; too large ones become inf.
    decoder = LenientDecoder(_unless_twice, parse_int=float)
    position, failures = 0, 0
    while failures < _MAX_FAILURES:
        brace = _OBJECT_BEGINS.search(text, position)
        if brace is None:
            return
        try:
            value, position = decoder.decode(text, brace.start())
        except (ValueError, RecursionError):
            position = brace.end()
            failures += 1
        else:
            yield value


def _simple_characters(text: str) -> str:
    """ASCII for decimal digits of every script and for fullwidth forms; no invisible characters."""
    if text.isascii():
        return text.replace("\r", "\n")
    return "".join(map(_simple, text.translate(_KEYCAP))).replace("\r", "\n")


def _simple(character: str) -> str:
    code = ord(character)
    if code < 0x80:
        return character
    if 0xFF01 <= code <= 0xFF5E:
        return chr(code - 0xFEE0)
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    if character in "‘’":
        return "'"
    if character in "“”":
        return '"'
    if character in "\u2028\u2029\x85":
        return "\n"
    if character in "、。":
        return "," if character == "、" else "."
    # A space, so that two numbers do not become one; minus signs keep their meaning as a hyphen.
    if unicodedata.category(character) in {"Cf", "Zs"}:
        return " "
    return "-" if character == "\u2212" else character


def _plain(text: str) -> str:
    lines = (" ".join(line.split()) for line in _DECORATION.sub(" ", text).split("\n"))
    return "\n".join(line for line in lines if line)


def _unless_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any] | None:
    found = dict(pairs)
    return found if len(found) == len(pairs) else None
