"""The guard against prompts that do not fit into a model's window.

lm-eval cuts such prompts from the left, and with them the system text and the evidence on the person,
without an error: the score would be that of another task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance

# Byte-level tokenizers make at most one token of a byte; a few special tokens may be added.
_SPECIAL_TOKENS = 16


class Window:
    """Counts the prompts that would be cut; refuses them unless `allow_truncation`.

    After `check`, `report` holds the findings: `checked` (False for a model without a tokenizer or a
    known window), `n_prompts`, `n_truncated`, `longest_at_most` (tokens with the answer: exact where a
    prompt was long enough to be counted, else its bytes, which are no fewer) and `max_length`.
    """

    def __init__(self, *, allow_truncation: bool) -> None:
        self._allow = allow_truncation
        self._known: set[int] = set()
        self.report: dict[str, Any] = {"checked": False, "n_prompts": 0, "n_truncated": 0}

    def is_refusing(self, model: LM) -> bool:
        """Whether a prompt of this model may be refused: all are counted then before any is asked."""
        return not self._allow and _limit(model) is not None

    def check(self, model: LM, kind: str, requests: Sequence[Instance]) -> None:
        """Count the requests that exceed the window. Raises OtherMindsError if there are any."""
        self.count(model, kind, requests)
        self.refuse()

    def begin(self) -> None:
        """Begin an evaluation, in which each prompt counts once."""
        self._known.clear()

    def count(self, model: LM, kind: str, requests: Sequence[Instance]) -> None:
        """Count the requests that exceed the window."""
        limit = _limit(model)
        # A chat API puts messages into a prompt by a template that only the server has.
        if limit is None or not all(isinstance(request.args[0], str) for request in requests):
            return
        distinct = _distinct(kind, requests)
        new = {mark: one for mark, one in distinct.items() if mark not in self._known}
        self._known.update(new)
        needs = [_tokens(model, request, limit) for request in new.values()]
        over = [need for need in needs if need > limit]
        self.report = {
            "checked": True,
            "n_prompts": self.report["n_prompts"] + len(needs),
            "n_truncated": self.report["n_truncated"] + len(over),
            "longest_at_most": max([*needs, self.report.get("longest_at_most", 0)]),
            "max_length": limit,
        }

    def refuse(self) -> None:
        """Raise OtherMindsError if prompts that were counted exceed the window."""
        n, n_over = self.report["n_prompts"], self.report["n_truncated"]
        if n_over and not self._allow:
            raise OtherMindsError(
                f"{n_over} of {n} prompts do not fit into the model's window: the longest needs "
                f"{self.report['longest_at_most']} tokens with its answer, the window holds "
                f"{self.report['max_length']}. lm-eval would cut them from the left, and the person "
                "with them. Raise max_length (hf) or max_model_len (vllm) in --model_args, or accept "
                "the cuts with --allow-truncation."
            )


def _limit(model: LM) -> int | None:
    """The tokens in a model's window; None where it is unknown, or has no tokenizer to count with."""
    limit = getattr(model, "max_length", None)
    if not isinstance(limit, int) or getattr(model, "tokenizer", None) is None:
        return None
    return limit


def _distinct(kind: str, requests: Sequence[Instance]) -> dict[int, Instance]:
    """Requests by a number for the prompt and the room that its answer needs."""
    # Repeats, and the options of one multiple-choice item (all of one token), need the same room.
    return {
        hash((kind, request.args[0], *map(_room, request.args[1:2]))): request
        for request in requests
    }


def _room(answer: Any) -> Any:
    return len(answer) if isinstance(answer, str) else asked_tokens(answer)


def _tokens(model: LM, request: Instance, limit: int) -> int:
    prompt, *rest = request.args
    answer = _answer_tokens(model, rest[0]) if rest else 0
    at_most = len(prompt.encode()) + _SPECIAL_TOKENS + answer
    if at_most <= limit:
        return at_most
    return len(model.tok_encode(prompt)) + answer


def _answer_tokens(model: LM, decoding: Mapping[str, Any] | str) -> int:
    if isinstance(decoding, str):
        return len(model.tok_encode(decoding))
    return asked_tokens(decoding) or int(model.max_gen_toks)


def asked_tokens(decoding: Mapping[str, Any]) -> int | None:
    """The most tokens that a decoding lets a model generate; None where it does not say."""
    for name in ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens"):
        if decoding.get(name) is not None:
            return int(decoding[name])
    return None
