"""Options of one token on vLLM: one generation step per item instead of one request per option.

lm-eval sends vLLM each option as a request of its own, asks for the log-probabilities of its whole
prompt, and thereby keeps the engine from reading its prefix cache. Where all options of a prompt are one
token, the distribution over the next token holds all the answers.

Most chat templates end a prompt in line breaks: ChatML's `<|im_start|>assistant` in one, Llama 3's
header in two. lm-eval moves these to each option, which then is two tokens. Here, the tokens that all
options of a prompt begin with belong to the prompt.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.progress import CONSOLE

_MOST = 128
"""How many tokens vLLM gives log-probabilities of in one step."""

Answer = tuple[float, bool]


@dataclass(frozen=True)
class _Item:
    """A prompt in tokens, with the one token of each of its options."""

    prompt: list[int]
    options: dict[str, int]


class OneToken:
    """Answers log-likelihood requests with one generation step per prompt of lm-eval's vLLM model.

    A prompt is split into tokens together with each of its options, as it is: t_1 … t_n, o for an option
    that is one token after what all of them share. Its answer is log p(o | t_1 … t_n), of the whole
    vocabulary's distribution before any restriction, and it is greedy when no token is likelier. lm-eval
    counts some of the shared tokens with the option, such as the prompt's last line break: its answer
    is less by a number that is the same for all options of the prompt, and 0 where there are none.
    The options' shares, and the likeliest of them, are the same.

    Prompts with an option that is more than one token after the shared ones are asked in lm-eval's own
    way, as are single options that are more than one token by lm-eval's split.
    """

    asks_whole_items = True
    """Which tokens the options of a prompt share can only be told from all of them."""

    def __init__(self, model: LM) -> None:
        self._model: Any = model
        self._has_noted = False
        self._n_steps = 0
        self._n_apart = 0

    def loglikelihood(self, requests: Sequence[Instance], **silent: bool) -> list[Answer]:
        """One (log-likelihood, is greedy) pair per request, in their order."""
        groups: dict[str, list[int]] = {}
        for index, request in enumerate(requests):
            groups.setdefault(request.args[0], []).append(index)
        items: dict[str, _Item] = {}
        apart: list[int] = []
        for prompt, members in groups.items():
            options = list(dict.fromkeys(str(requests[index].args[1]) for index in members))
            item = self._item(prompt, options)
            if item is None:
                apart += members
            else:
                items[prompt] = item
        found = dict(zip(apart, self._ask_apart([requests[n] for n in apart], silent), strict=True))
        steps = dict(zip(items, self._step(list(items.values())), strict=True))
        for prompt, item in items.items():
            for index in groups[prompt]:
                option = requests[index].args[1]
                found[index] = _answer(steps[prompt], item.options[option])
                self._model.cache_hook.add_partial("loglikelihood", (prompt, option), found[index])
        return [found[index] for index in range(len(requests))]

    def report(self) -> dict[str, int]:
        """How many prompts one step each has answered, and how many requests were asked apart."""
        return {"prompts_in_one_step": self._n_steps, "requests_apart": self._n_apart}

    def _item(self, prompt: str, options: Sequence[str]) -> _Item | None:
        """The tokens of a prompt and its options; None where an option is not one token."""
        if not prompt.strip() or len(options) > _MOST:
            return None
        if len(options) == 1:
            found = self._alone(prompt, options[0])
        else:
            found = self._model.tok_encode([prompt + option for option in options])
        shared = found[0][:-1] if found else []
        if not shared or any(tokens[:-1] != shared for tokens in found):
            return None
        # One place for the option, and one that vLLM wants for a generated token, as in lm-eval.
        room = self._model.max_length - 2
        lasts = [tokens[-1] for tokens in found]
        return _Item(shared[-room:], dict(zip(options, lasts, strict=True)))

    def _alone(self, prompt: str, option: str) -> list[list[int]]:
        """A single option's tokens, where lm-eval asks for its last one alone; else none.

        With nothing to compare it with, its own log-likelihood is wanted, by lm-eval's split.
        """
        start, whole = self._model.tok_encode([prompt.rstrip(), prompt + option])
        return [whole] if start and whole[:-1] == start else []

    def _step(self, items: Sequence[_Item]) -> list[Mapping[int, Any]]:
        """For each prompt, the log-probabilities of its options and of the likeliest token."""
        if not items:
            return []
        from vllm import SamplingParams

        outputs = self._model._model_generate(
            requests=[item.prompt for item in items],
            generate=True,
            sampling_params=[
                SamplingParams(
                    temperature=0,
                    max_tokens=1,
                    detokenize=False,
                    logprob_token_ids=sorted({*item.options.values()}),
                )
                for item in items
            ],
        )
        self._n_steps += len(items)
        return [output.outputs[0].logprobs[0] for output in outputs]

    def _refuse_swallowed(self, requests: Sequence[Instance]) -> None:
        """Raise OtherMindsError for an option of which lm-eval's split leaves no token."""
        for prompt, option in {
            request.args: None for request in requests if request.args[0].strip()
        }:
            start, whole = self._model.tok_encode([prompt.rstrip(), prompt + option])
            if len(whole) <= len(start):
                raise _swallowed(prompt, option)

    def _ask_apart(self, requests: list[Instance], silent: Mapping[str, bool]) -> list[Answer]:
        if not requests:
            return []
        if not self._has_noted:
            self._has_noted = True
            CONSOLE.print(
                "Some options are more than one token after their prompt: lm-eval asks them one by one.",
                highlight=False,
                soft_wrap=True,
            )
        self._n_apart += len(requests)
        self._refuse_swallowed(requests)
        answers: list[Answer] = self._model.loglikelihood(requests, **silent)
        return answers


def _swallowed(prompt: str, option: str) -> OtherMindsError:
    return OtherMindsError(
        f"The model's tokenizer makes one token of the end of a prompt ({prompt[-20:]!r}) and the "
        f"beginning of its option {option!r}, and lm-eval would call that option certain. End the "
        "prompt in another way (a line break or a space), or ask a task that generates its answers."
    )


def of(model: LM) -> OneToken | None:
    """The one-step way of a model that lm-eval runs on vLLM.

    None where the installed vLLM cannot give the log-probabilities of chosen tokens, and for a model
    that thinks before it answers, whose next token is not an answer.
    """
    from vllm import SamplingParams

    has_chosen = "logprob_token_ids" in inspect.signature(SamplingParams).parameters
    return OneToken(model) if has_chosen and not getattr(model, "enable_thinking", None) else None


def _answer(logprobs: Mapping[int, Any], token: int) -> Answer:
    own = float(logprobs[token].logprob)
    return own, own >= max(float(one.logprob) for one in logprobs.values())
