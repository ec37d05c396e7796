"""What a server says that it read and wrote: the `usage` of its replies, summed."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from otherminds.harness import LM
from otherminds.running.prices import Price

_PARSERS = ("parse_generations", "parse_logprobs")
"""The methods of lm-eval's models behind a server that are given a reply, or several."""


class Usage:
    """The sums over all replies so far; a try without a reply tells nothing.

    prompt     tokens of prompts, cached ones included
    cached     of these, tokens that the server had in a cache; None where no reply told
    generated  tokens that were generated, reasoning included
    reasoning  of these, tokens of reasoning; None where no reply told
    replies    how many replies told a usage
    silent     how many told none
    """

    def __init__(self) -> None:
        self.prompt = 0
        self.cached: int | None = None
        self.generated = 0
        self.reasoning: int | None = None
        self.replies = 0
        self.silent = 0

    def watch(self, model: LM) -> None:
        """Count every reply that a model behind a server is given from now on."""
        for name in _PARSERS:
            if (parse := getattr(model, name, None)) is not None:
                setattr(model, name, self._counting(parse))

    def report(self, price: Price | None) -> dict[str, Any]:
        """The sums, and what they cost."""
        found: dict[str, Any] = dict(vars(self))
        if price is not None:
            cached = self.cached or 0
            found["price"] = asdict(price)
            found["amount"] = price.of(prompt=self.prompt, cached=cached, generated=self.generated)
        return found

    def add(self, reply: Any) -> None:
        """Count one reply."""
        usage = reply.get("usage") if isinstance(reply, Mapping) else None
        prompt = _number(usage, "prompt_tokens", "input_tokens")
        if prompt is None:
            self.silent += 1
            return
        self.replies += 1
        cached = _number(usage, "cache_read_input_tokens")
        for part in ("prompt_tokens_details", "input_tokens_details"):
            if cached is None:
                cached = _number(_part(usage, part), "cached_tokens")
        if cached is None:
            cached = _number(usage, "prompt_cache_hit_tokens", "cached_tokens")
        if _number(usage, "prompt_tokens") is None:
            # Anthropic's own count leaves out what is in a cache, or is put there.
            prompt += (cached or 0) + (_number(usage, "cache_creation_input_tokens") or 0)
        self.prompt += prompt
        reasoning = _number(_part(usage, "completion_tokens_details"), "reasoning_tokens")
        self.cached = _sum(self.cached, cached)
        self.reasoning = _sum(self.reasoning, reasoning)
        self.generated += _number(usage, "completion_tokens", "output_tokens") or 0

    def _counting(self, parse: Any) -> Any:
        @functools.wraps(parse)
        def parsed(outputs: Any, *args: Any, **named: Any) -> Any:
            for reply in outputs if isinstance(outputs, list) else [outputs]:
                self.add(reply)
            return parse(outputs, *args, **named)

        return parsed


def _part(usage: Any, name: str) -> Any:
    return usage.get(name) if isinstance(usage, Mapping) else None


def _number(usage: Any, *names: str) -> int | None:
    """The first of some counts that is there and is one."""
    found = (_part(usage, name) for name in names)
    return next(
        (one for one in found if isinstance(one, int) and not isinstance(one, bool) and one >= 0),
        None,
    )


def _sum(before: int | None, more: int | None) -> int | None:
    return before if more is None else (before or 0) + more
