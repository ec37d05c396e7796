"""The weightless models in the form in which lm-eval runs a model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from otherminds import manifest
from otherminds.errors import OtherMindsError, unknown
from otherminds.harness import LM, Instance
from otherminds.weightless import questions
from otherminds.weightless.questions import Asked, Questions
from otherminds.weightless.strategies import Strategy, Writer, find, names


class WeightlessLM(LM):
    """Answers requests by a strategy that sees their documents instead of their prompts.

    `population` are the documents that the strategy learns from where they hold those that it is
    asked, just so; items in another form (with their options exchanged) it learns from themselves.
    `run` counts the runs of a chain of stages, from 0: in each, it answers as to that repeat.
    """

    def __init__(
        self, strategy: Strategy, population: Sequence[Asked] = (), *, run: int = 0
    ) -> None:
        super().__init__()
        self._strategy = strategy
        self._population = population
        self._run = run
        self._questions: dict[str, Questions] = {}

    def meet(self, tasks: Mapping[str, Any]) -> None:
        """Learn from the loaded tasks, by name, which benchmark the documents of each belong to.

        `harness.evaluate` calls it before the first request.
        """
        for name, task in tasks.items():
            dataset = (task.config.dataset_kwargs or {}).get("dataset")
            if dataset in manifest.names():
                self._questions[name] = questions.of_dataset(dataset)

    def generate_until(self, requests: list[Instance]) -> list[str]:
        """The chosen answer's text; where a document wants free text, the model's own."""
        asked = [self._asked(request) for request in requests]
        both = list(zip(requests, asked, strict=True))
        chosen = iter(self._choose([request for request, one in both if one.is_closed]))
        written = iter(self._write([request for request, one in both if not one.is_closed]))
        return [one.answers[next(chosen)] if one.is_closed else next(written) for one in asked]

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

    def _asked(self, request: Instance) -> Asked:
        if request.task_name not in self._questions:
            raise OtherMindsError(
                f"A weightless model reads documents, and cannot read those of '{request.task_name}': "
                "its dataset_kwargs name no dataset of a known benchmark. Run a real model."
            )
        return self._questions[request.task_name].asked(request.doc)

    def _choose(self, requests: Sequence[Instance]) -> list[int]:
        asked = [self._asked(request) for request in requests]
        with _errors():
            self._strategy.fit(self._population if self._covers(asked) else asked)
            return [self._strategy.choose(one, repeat) for one, repeat in self._repeats(requests)]

    def _write(self, requests: Sequence[Instance]) -> list[str]:
        asked = [self._asked(request) for request in requests]
        if not isinstance(self._strategy, Writer):
            return [one.questions.blank_reply(one.doc) for one in asked]
        with _errors():
            self._strategy.fit(asked)
            return [self._strategy.write(one, repeat) for one, repeat in self._repeats(requests)]

    def _covers(self, asked: Sequence[Asked]) -> bool:
        known = {one.key for one in self._population}
        return all(one.key in known for one in asked)

    def _repeats(self, requests: Sequence[Instance]) -> Iterator[tuple[Asked, int]]:
        """Each request's document, with how often the same was asked before, in this run or another."""
        repeats: Counter[tuple[str | None, int | None, int]] = Counter()
        for request in requests:
            key = (request.task_name, request.doc_id, request.idx)
            yield self._asked(request), self._run + repeats[key]
            repeats[key] += 1


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise OtherMindsError(f"This weightless model cannot answer here. {error}") from error


def make(
    name: str, arguments: dict[str, Any], population: Sequence[Asked] = (), *, run: int = 0
) -> WeightlessLM:
    """The weightless model `name`, with the options of `--model_args` (seed, rate).

    Raises OtherMindsError for a name that no weightless model has, and for options that its model does
    not take.
    """
    strategy = find(name)
    if strategy is None:
        raise unknown("model", name, names(), listing="otherminds list --models")
    try:
        return WeightlessLM(strategy(**arguments), population, run=run)
    except (TypeError, ValueError) as error:
        raise OtherMindsError(
            f"Model '{name}' does not take these --model_args: {error}"
        ) from error
