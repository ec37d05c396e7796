"""The weightless models in the form in which lm-eval runs a model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from otherminds import manifest
from otherminds.errors import OtherMindsError, unknown
from otherminds.harness import LM, Instance, windows
from otherminds.weightless import questions
from otherminds.weightless.questions import Asked, Questions
from otherminds.weightless.strategies import Strategy, Writer, find, names


class _Request(NamedTuple):
    """A document that is asked, and for which repeat of it."""

    of: Asked
    repeat: int


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

    @property
    def documents_at_once(self) -> int | None:
        """How many documents are asked at once; None, for all, where answers depend on others' too."""
        return None if self._strategy.sees_all else windows.DOCUMENTS

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
        asked = self._asked(requests)
        chosen = iter(self._choose([one for one in asked if one.of.is_closed]))
        written = iter(self._write([one for one in asked if not one.of.is_closed]))
        return [
            one.of.answers[next(chosen)] if one.of.is_closed else next(written) for one in asked
        ]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """Probability one for the chosen option, zero for the others."""
        chosen = self._choose(self._asked(requests))
        return [
            (0.0, True) if index == request.idx else (-math.inf, False)
            for request, index in zip(requests, chosen, strict=True)
        ]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """Not defined for a model that reads no text."""
        raise OtherMindsError(
            "A weightless model has no likelihood of a text; choose another task."
        )

    def _asked(self, requests: Sequence[Instance]) -> list[_Request]:
        """The documents of requests, each with how often the same was asked before.

        That is in this run or in another one of the chain.
        """
        repeats: Counter[tuple[str | None, int | None, int]] = Counter()
        found = []
        for request in requests:
            key = (request.task_name, request.doc_id, request.idx)
            task = str(request.task_name)
            if task not in self._questions:
                raise OtherMindsError(
                    "A weightless model reads documents, and cannot read those of "
                    f"'{task}': its dataset_kwargs name no dataset of a known benchmark. "
                    "Run a real model."
                )
            asked = self._questions[task].asked(request.doc)
            found.append(_Request(asked, self._run + repeats[key]))
            repeats[key] += 1
        return found

    def _choose(self, asked: Sequence[_Request]) -> list[int]:
        with _errors():
            self._strategy.fit(self._learned(asked))
            return [self._strategy.choose(one.of, one.repeat) for one in asked]

    def _write(self, asked: Sequence[_Request]) -> list[str]:
        if not isinstance(self._strategy, Writer):
            return [one.of.questions.blank_reply(one.of.doc) for one in asked]
        with _errors():
            self._strategy.fit([one.of for one in asked])
            return [self._strategy.write(one.of, one.repeat) for one in asked]

    def _learned(self, asked: Sequence[_Request]) -> Sequence[Asked]:
        known = {one.key for one in self._population}
        if known and all(one.of.key in known for one in asked):
            return self._population
        return [one.of for one in asked]


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
