"""The order in which requests reach an engine that keeps the prefixes it has read.

Prompts in order of their text put those that share a beginning next to each other, for any order
of the documents: a person's evidence is read once and may then be forgotten. lm-eval's models sort what
they are given by length, which mixes people; `kept` keeps them from it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from otherminds.harness import LM, Instance

_SORTER = "Collator"
"""lm-eval's class that sorts requests and puts the answers back into their order."""

_ENGINES = tuple(
    f"lm_eval.models.{name}"
    for name in ("vllm_causallms", "vllm_vlms", "sglang_causallms", "api_models")
)
"""Modules of models that batch by themselves. Others pad batches, for which length is the right order.
"""


def by_prompt(requests: Sequence[Instance], indices: Sequence[int]) -> list[int]:
    """The same indices, in order of their requests' prompts; equal prompts keep their order."""
    return sorted(indices, key=lambda index: _prompt(requests[index]))


def chunks(
    requests: Sequence[Instance], indices: Sequence[int], *, size: int, by_item: bool
) -> Iterator[list[int]]:
    """Indices in runs of `size` requests; with `by_item`, of `size` prompts with all their requests.

    Requests with equal prompts must lie next to each other for that.
    """
    part: list[int] = []
    n, last = 0, None
    for index in indices:
        prompt = _prompt(requests[index])
        is_new = not by_item or prompt != last
        if is_new and n == size:
            yield part
            part, n = [], 0
        part.append(index)
        n += is_new
        last = prompt
    if part:
        yield part


@contextmanager
def kept(model: LM) -> Iterator[None]:
    """Let a model of lm-eval answer requests in the order in which it is given them.

    A model that pads its batches goes on sorting.
    """
    with ExitStack() as stack:
        for name in {cls.__module__ for cls in type(model).__mro__} & {*_ENGINES}:
            sorter = getattr(sys.modules[name], _SORTER)
            stack.enter_context(mock.patch.object(sys.modules[name], _SORTER, _stable(sorter)))
        yield


def _stable(sorter: Any) -> Any:
    """The same sorter, to which all requests are equal: its sort then moves none."""

    class Stable(sorter):  # type: ignore[misc]  # the base is known when the model is
        def __init__(self, arr: Any, sort_fn: Any = None, *args: Any, **named: Any) -> None:
            super().__init__(arr, _equal, *args, **named)

    return Stable


def _equal(_: Any) -> int:
    return 0


def _prompt(request: Instance) -> str:
    # Chat backends take messages in a wrapper of lm-eval's, whose first field is their JSON.
    prompt = request.args[0]
    return prompt if isinstance(prompt, str) else str(prompt[0])
