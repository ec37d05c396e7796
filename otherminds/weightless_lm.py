"""The weightless models in the form in which lm-eval runs a model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.weightless import STRATEGIES, Strategy, answer_space


class WeightlessLM(LM):
    """Answers requests by a strategy that sees their documents instead of their prompts."""

    def __init__(self, strategy: Strategy) -> None:
        super().__init__()
        self._strategy = strategy

    def generate_until(self, requests: list[Instance]) -> list[str]:
        """The chosen answer's text."""
        chosen = self._choose(requests)
        return [
            answer_space(request.doc)[index]
            for request, index in zip(requests, chosen, strict=True)
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
        self._strategy.fit(request.doc for request in requests)
        repeats: Counter[tuple[str | None, int | None, int]] = Counter()
        chosen = []
        for request in requests:
            key = (request.task_name, request.doc_id, request.idx)
            chosen.append(self._strategy.choose(request.doc, repeats[key]))
            repeats[key] += 1
        return chosen


def make(name: str, arguments: dict[str, Any]) -> WeightlessLM:
    """The weightless model `name`, with the options given in `--model_args` (seed, rate)."""
    try:
        return WeightlessLM(STRATEGIES[name](**arguments))
    except (TypeError, ValueError) as error:
        raise OtherMindsError(
            f"Model '{name}' does not take these --model_args: {error}"
        ) from error
