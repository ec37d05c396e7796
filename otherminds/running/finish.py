"""Why replies ended: a reply carries the reason from the backend to the journal and the sample records.

A reply is a text that knows its reason, so that the reason goes wherever the text goes: through lm-eval,
into the journal, and into the samples of a run.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

if TYPE_CHECKING:
    # Who scores samples does without lm-eval.
    from otherminds.harness import LM, Instance

STOP, LENGTH = "stop", "length"
FILTERED, REFUSED, REJECTED = "content_filter", "refusal", "rejected"

UNANSWERED = {
    FILTERED: "by a content filter",
    REFUSED: "by the model itself, in a field of its own",
    REJECTED: "as a bad request",
}
"""The reasons of replies that are no answers, and will be none when the same is asked again, and who
refuses. A reply with one of them may have a text: what came before the filter."""

_COMMON = {
    # OpenAI's completions and chat completions, which vLLM, SGLang and llama.cpp follow, name
    # stop, length and content_filter so. Text Generation Inference:
    "eos_token": STOP,
    "stop_sequence": STOP,
    # Anthropic's messages, under stop_reason (refusal is named so):
    "end_turn": STOP,
    "max_tokens": LENGTH,
    # Mistral's chat completions:
    "model_length": LENGTH,
    # Gemini's candidates, which some gateways pass on:
    "safety": FILTERED,
    "recitation": FILTERED,
    "blocklist": FILTERED,
    "prohibited_content": FILTERED,
}
"""Words of other interfaces for what OpenAI's calls so."""

_HF, _VLLM = "lm_eval.models.huggingface", "lm_eval.models.vllm_causallms"
_CUT = "postprocess_generated_text"
"""lm-eval's function in both modules that every reply passes once, in the order of the generation."""

Watch = Callable[["Instance", str, str | None], None]
"""Is told each reply as it comes: its request, its text, and why it ended (None where nobody says).

Replies that the journal holds come first. It may raise, and the run then ends with that error: what
came until then is in the journal.
"""


class Reply(str):
    """A generated text, with what the backend says of it.

    finish_reason  why it ended: "stop", "length", "content_filter", "refusal", "rejected", or another
                   word of the server's; None where the backend does not say
    said           the words of who refused to answer; else empty
    by             the name that the server gave the model in this reply; else empty
    """

    __slots__ = ("by", "finish_reason", "said")

    finish_reason: str | None
    said: str
    by: str

    def __new__(
        cls, text: str, finish_reason: str | None = None, *, said: str = "", by: str = ""
    ) -> Reply:
        """Make one."""
        made = super().__new__(cls, text)
        made.finish_reason = finish_reason
        made.said = said
        made.by = by
        return made


class End(NamedTuple):
    """What a backend says of a reply beside its text, as in `Reply`."""

    finish_reason: str | None = None
    said: str = ""
    by: str = ""


def reason_of(answer: object) -> str | None:
    """Why a reply ended; None where that is unknown, and for what is no reply."""
    return getattr(answer, "finish_reason", None)


def is_unanswered(answer: object) -> bool:
    """Whether a reply is a refusal for good."""
    return reason_of(answer) in UNANSWERED


def reasons(replies: Any) -> Any:
    """The reasons of a document's replies, nested as these are; None where no reply has one."""
    found = _nested(replies)
    return found if any(reason is not None for reason in _flat(found)) else None


def known(sample: Mapping[str, Any]) -> list[str | None]:
    """The reasons in a sample record, of its first request: one per reply; empty where it has none."""
    return listed(sample.get("finish_reasons"))


def listed(found: Any) -> list[str | None]:
    """Of nested reasons, those of the first request."""
    if not isinstance(found, list) or not found:
        return []
    first = found[0] if isinstance(found[0], list) else found[:1]
    return [one if isinstance(one, str) else None for one in first]


def common(reason: object) -> str | None:
    """A server's reason in OpenAI's words; None where it gives none."""
    if isinstance(reason, Mapping):
        # SGLang's own interface.
        reason = reason.get("type")
    if not isinstance(reason, str) or not reason:
        return None
    return _COMMON.get(reason.lower(), reason.lower())


def ends(outputs: Any) -> list[End]:
    """What a server's response says of each reply in it, in their order."""
    found: list[End] = []
    for output in outputs if isinstance(outputs, list) else [outputs]:
        if not isinstance(output, Mapping):
            continue
        name = output.get("model")
        by = name if isinstance(name, str) else ""
        choices = output.get("choices")
        if isinstance(choices, list):
            listed = [one for one in choices if isinstance(one, Mapping)]
            found += [_end_of(one, by) for one in sorted(listed, key=_place)]
            continue
        about = output.get("meta_info")
        told = about.get("finish_reason") if isinstance(about, Mapping) else None
        found.append(End(common(output.get("stop_reason") or told), by=by))
    return found


def _end_of(choice: Mapping[str, Any], by: str) -> End:
    message = choice.get("message")
    refusal = message.get("refusal") if isinstance(message, Mapping) else None
    if isinstance(refusal, str) and refusal:
        return End(REFUSED, refusal, by)
    return End(common(choice.get("finish_reason")), by=by)


def _place(choice: Mapping[str, Any]) -> int:
    place = choice.get("index")
    return place if isinstance(place, int) else 0


def with_ends(texts: Sequence[Any], outputs: Any) -> list[Any]:
    """The texts that lm-eval reads in a server's response, as replies.

    A text of None is an empty reply where there is a reason for it, and else stays None.
    """
    told = ends(outputs)
    if len(told) != len(texts):
        return list(texts)
    return [
        text if text is None and end.finish_reason is None else _reply(text, end)
        for text, end in zip(texts, told, strict=True)
    ]


def _reply(text: object, end: End) -> Reply:
    return Reply("" if text is None else str(text), end.finish_reason, said=end.said, by=end.by)


def told(model: LM) -> AbstractContextManager[None]:
    """While the block runs, texts that a model generates are replies where its backend tells their ends.

    That is so of lm-eval's hf and vLLM models and of its models behind servers; nothing changes of
    others.
    """
    made_in = getattr(type(model).generate_until, "__module__", None)
    if made_in == _HF:
        return _told_in_order(model, _HF, _of_tokens)
    if made_in == _VLLM:
        return _told_in_order(model, _VLLM, _of_outputs)
    if callable(getattr(model, "parse_generations", None)):
        return _told_by_responses(model)
    return nullcontext()


@contextmanager
def _told_by_responses(model: Any) -> Iterator[None]:
    read = model.parse_generations

    def parse_generations(outputs: Any, **named: Any) -> list[Any]:
        return with_ends(read(outputs=outputs, **named), outputs)

    with mock.patch.object(model, "parse_generations", parse_generations):
        yield


_Reasons = Callable[[Any, Any, Mapping[str, Any]], list[str | None]]
"""From a model, what it has generated, and how it was asked, to a reason per reply."""


@contextmanager
def _told_in_order(model: Any, module: str, reasons_of: _Reasons) -> Iterator[None]:
    """Put the reasons of each generation on its texts, which lm-eval cuts one after the other."""
    waiting: deque[str | None] = deque()
    generate, cut = model._model_generate, getattr(sys.modules[module], _CUT)

    def generated(*args: Any, **named: Any) -> Any:
        found = generate(*args, **named)
        waiting.clear()
        waiting.extend(reasons_of(model, found, named))
        return found

    def replied(*args: Any, **named: Any) -> Reply:
        return Reply(cut(*args, **named), waiting.popleft() if waiting else None)

    with (
        mock.patch.object(model, "_model_generate", generated),
        mock.patch.object(sys.modules[module], _CUT, replied),
    ):
        yield


def _of_outputs(model: Any, found: Any, asked: Mapping[str, Any]) -> list[str | None]:
    """Of vLLM's outputs."""
    return [common(getattr(output.outputs[0], "finish_reason", None)) for output in found]


def _of_tokens(model: Any, found: Any, asked: Mapping[str, Any]) -> list[str | None]:
    """Of the tokens that transformers has generated."""
    context, stops = asked.get("context"), [stop for stop in asked.get("stop") or () if stop]
    # An encoder's prompt is not among what its decoder generates, but a token to begin with.
    read = context.shape[1] if model.backend == "causal" and context is not None else 1
    end_tokens = {*_end_tokens(model), model.tokenizer.pad_token_id} - {None}
    limit = int(asked.get("max_length") or 0) - read
    return [
        STOP if not end_tokens.isdisjoint(row) or _is_stopped(model, row, stops, limit) else LENGTH
        for row in (row[read:] for row in found.tolist())
    ]


def _is_stopped(model: Any, row: Sequence[int], stops: Sequence[str], limit: int) -> bool:
    """Whether a reply without an end-of-sequence (or padding) token ended before the limit.

    A batch goes on until all of it has ended: a stop sequence may lie in the middle. In a thought it
    ends nothing, as lm-eval cuts thoughts away first.
    """
    text = model.tokenizer.decode(row)
    mark = getattr(model, "think_end_token", None)
    if isinstance(mark, int):
        mark = model.tokenizer.decode([mark])
    if mark and mark not in text:
        return len(row) < limit
    answer = text.split(mark)[-1] if mark else text
    return any(stop in answer for stop in stops)


def _end_tokens(model: Any) -> Iterator[Any]:
    settings = getattr(model.model, "generation_config", None)
    for found in (getattr(settings, "eos_token_id", None), model.eot_token_id):
        yield from found if isinstance(found, list | tuple) else [found]


def _nested(replies: Any) -> Any:
    if isinstance(replies, list | tuple):
        return [_nested(one) for one in replies]
    return reason_of(replies)


def _flat(found: Any) -> Iterator[Any]:
    return chain.from_iterable(map(_flat, found)) if isinstance(found, list) else iter([found])
