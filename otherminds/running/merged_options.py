"""Options on hf: lm-eval merges them into forward passes itself, and the run counts what it merged."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any
from unittest import mock

from otherminds.harness import LM, Instance

_MODULE, _SORTER = "lm_eval.models.huggingface", "Collator"
"""The class that groups requests which one forward pass answers, and where lm-eval's hf model has it."""


class MergedOptions:
    """Passes requests on, and counts the prompts whose options came from one forward pass.

    lm-eval's hf model answers requests in one pass that are the same tokens but for the last: all
    one-token options of a prompt, also where the prompt ends in line breaks that lm-eval moves to the
    options.
    """

    asks_whole_items = False

    def __init__(self, model: LM) -> None:
        self._model: Any = model
        self._n_steps = 0
        self._n_apart = 0

    def loglikelihood(self, requests: Sequence[Instance], **silent: bool) -> list[Any]:
        """lm-eval's own answers."""
        module = sys.modules[_MODULE]
        sorter = _watched(getattr(module, _SORTER), self._count)
        with mock.patch.object(module, _SORTER, sorter):
            found: list[Any] = self._model.loglikelihood(requests, **silent)
        return found

    def report(self) -> dict[str, int]:
        """How many prompts one pass each has answered, and how many requests were asked apart."""
        return {"prompts_in_one_step": self._n_steps, "requests_apart": self._n_apart}

    def _count(self, asked: Iterable[tuple[tuple[str, str], Hashable]]) -> None:
        passes: dict[str, list[Hashable]] = defaultdict(list)
        for (prompt, _), one in asked:
            passes[prompt].append(one)
        for of_prompt in passes.values():
            if len(set(of_prompt)) == 1:
                self._n_steps += 1
            else:
                self._n_apart += len(of_prompt)


def of(model: LM) -> MergedOptions | None:
    """The counting way of a model that lm-eval runs on transformers; None for others."""
    is_there = any(cls.__module__ == _MODULE for cls in type(model).__mro__)
    return MergedOptions(model) if is_there else None


def _watched(
    sorter: Any, tell: Callable[[Iterable[tuple[tuple[str, str], Hashable]]], None]
) -> Any:
    """The same sorter, which tells the texts of each request with its pass."""

    class Watched(sorter):  # type: ignore[misc]  # the base is known when the model is
        def __init__(self, arr: Any, *args: Any, **named: Any) -> None:
            super().__init__(arr, *args, **named)
            by_context = named.get("group_by") == "contexts"
            of_pass = named["group_fn"] if by_context else None
            tell(
                (one[0], tuple(of_pass(one)) if of_pass else place)
                for place, one in enumerate(arr)
                if one[0] is not None
            )

    return Watched
