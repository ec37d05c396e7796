"""Reading one of the options out of a model's reply."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.metrics.parsing import parse_letter
from otherminds.metrics.socialmindchange.items import LETTERS


def parse_option(text: str | None, options: Sequence[str] | None = None) -> str | None:
    """The option ("a", "b", …) that `text` answers with, or None; see `parsing.parse_letter`.

    options  their texts, which say how many letters there are; without them there are sixteen, an
             option's text is no answer, and a letter that stands before the text of another option is
             not noticed

    "(i)" is a Roman number where there is a "(ii)". Never raises on any text.
    """
    if text and "(ii)" in text:
        text = text.replace("(i)", " ")
    letter = parse_letter(text, len(LETTERS) if options is None else options)
    return letter.lower() if letter else None
