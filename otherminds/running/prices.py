"""Prices of tokens, and what a number of them costs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from otherminds.errors import OtherMindsError

_PER = 1_000_000


@dataclass(frozen=True)
class Price:
    """Amounts per million tokens, in any currency: of a prompt, of a prompt's cached part, generated."""

    prompt: float
    cached: float
    generated: float

    def of(self, *, prompt: int, cached: int, generated: int) -> float:
        """The amount for `prompt` tokens, of which `cached` were in a cache, and those generated."""
        fresh = prompt - cached
        return (fresh * self.prompt + cached * self.cached + generated * self.generated) / _PER

    def __str__(self) -> str:
        return (
            f"{self.prompt:g} per million prompt tokens, {self.cached:g} cached, "
            f"{self.generated:g} generated"
        )


def parse(text: str) -> Price:
    """The prices in `IN,CACHED,OUT`.

    Raises OtherMindsError for anything but three numbers from 0, and where cached tokens cost more than
    others.
    """
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 3 or not all(math.isfinite(one) and one >= 0 for one in numbers):
        raise OtherMindsError(
            f"`--price {text}` cannot be read: give three numbers from 0, IN,CACHED,OUT, such as "
            "`--price 2.5,1.25,10`. They are amounts per million tokens: of prompts, of their cached "
            "part and generated. Without a discount for cached tokens, CACHED is IN."
        )
    found = Price(*numbers)
    if found.cached > found.prompt:
        raise OtherMindsError(
            f"`--price {text}` has cached tokens cost more than others: its order is IN,CACHED,OUT."
        )
    return found


def usage_notes(usage: Mapping[str, Any]) -> Iterator[str]:
    """Lines on what a server says that it read and wrote (`usage.Usage.report`)."""
    if not usage["replies"]:
        if usage["silent"]:
            yield "The server's replies tell no usage of tokens."
        return
    cached = usage["cached"]
    parts = [
        f"{usage['prompt']:,} prompt tokens "
        f"({'it tells of no cache' if cached is None else f'{cached:,} of them cached'})",
        f"{usage['generated']:,} generated"
        + (f" ({usage['reasoning']:,} of them reasoning)" if usage["reasoning"] else ""),
    ]
    line = f"By the server's own count, over {usage['replies']:,} replies: {', '.join(parts)}"
    if "amount" in usage:
        line += f"; that is {usage['amount']:,.4f}, at {Price(**usage['price'])}"
    yield f"{line}."
    if usage["silent"]:
        yield f"{usage['silent']:,} replies told no usage, and are not in that count."
