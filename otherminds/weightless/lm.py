"""The weightless models in the form in which lm-eval runs a model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.weightless import (
    STRATEGIES,
    Doc,
    Strategy,
    Writer,
    answer_space,
    identity,
    is_closed,
)


class WeightlessLM(LM):
    """Answers requests by a strategy that sees their documents instead of their prompts.

    `population` are the documents that the strategy learns from where they hold those that it is
    asked, just so; items in another form (with their options exchanged) it learns from themselves.
    `run` counts the runs of a chain of stages, from 0: in each, it answers as to that repeat.
    """

    def __init__(self, strategy: Strategy, population: Sequence[Doc] = (), *, run: int = 0) -> None:
        super().__init__()
        self._strategy = strategy
        self._population = population
        self._run = run

    def generate_until(self, requests: list[Instance]) -> list[str]:
        """The chosen answer's text; where a document asks for free text, what the model writes."""
        closed = [request for request in requests if is_closed(request.doc)]
        chosen = iter(self._choose(closed))
        written = iter(self._write([one for one in requests if not is_closed(one.doc)]))
        return [
            answer_space(request.doc)[next(chosen)] if is_closed(request.doc) else next(written)
            for request in requests
        ]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """Probability one for the chosen option, zero for the others."""
        chosen = self._choose(requests)
        return [
            (0.0, True) if index == request.idx else (-math.inf, False)
            for request, index in zip(requests, chosen, strict=True)
        ]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """Not defined for a model that reads no text."""
        raise OtherMindsError(
            "A weightless model has no likelihood of a text; choose another task."
        )

    def _choose(self, requests: Sequence[Instance]) -> list[int]:
        asked = [request.doc for request in requests]
        with _errors():
            self._strategy.fit(self._population if self._covers(asked) else asked)
            return [self._strategy.choose(doc, repeat) for doc, repeat in self._repeats(requests)]

    def _write(self, requests: Sequence[Instance]) -> list[str]:
        if not hasattr(self._strategy, "write"):
            return [""] * len(requests)
        writer = cast(Writer, self._strategy)
        with _errors():
            writer.fit([request.doc for request in requests])
            return [writer.write(doc, repeat) for doc, repeat in self._repeats(requests)]

    def _covers(self, asked: Sequence[Doc]) -> bool:
        known = {identity(doc) for doc in self._population}
        return all(identity(doc) in known for doc in asked)

    def _repeats(self, requests: Sequence[Instance]) -> Iterator[tuple[Doc, int]]:
        """Each request's document, with how often the same was asked before, in this run or another."""
        repeats: Counter[tuple[str | None, int | None, int]] = Counter()
        for request in requests:
            key = (request.task_name, request.doc_id, request.idx)
            yield request.doc, self._run + repeats[key]
            repeats[key] += 1


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise OtherMindsError(f"This weightless model cannot answer here. {error}") from error


def make(
    name: str, arguments: dict[str, Any], population: Sequence[Doc] = (), *, run: int = 0
) -> WeightlessLM:
    """The weightless model `name`, with the options given in `--model_args` (seed, rate)."""
    try:
        return WeightlessLM(STRATEGIES[name](**arguments), population, run=run)
    except (TypeError, ValueError) as error:
        raise OtherMindsError(
            f"Model '{name}' does not take these --model_args: {error}"
        ) from error
