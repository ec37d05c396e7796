"""Models that think before they answer: room for their thoughts, their templates' switch, their marks.

A task's `max_gen_toks` is for its answer. With `--reasoning`, a model gets as much again as its thoughts
may need; stop sequences end its answer, and not its thoughts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
import jinja2.meta

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.metrics import thoughts
from otherminds.running import servers as serving
from otherminds.running.finish import LENGTH, STOP, Reply, reason_of

SHORT_ANSWER = 1_024
"""Tokens up to which an answer is short: a word, a number, or some sentences."""

THOUGHTS_BEFORE_SHORT, THOUGHTS_BEFORE_LONG = 8_192, 16_384
"""Tokens for the thoughts before a short answer, and before a longer one: a chain of thought, objects,
judgements."""

_DEFAULT_ANSWER = 256
"""lm-eval's own `max_gen_toks`, for tasks that give none."""

_SWITCHES = ("enable_thinking", "thinking")
"""Variables of chat templates that let a model think or not: Qwen3, GLM, Gemma and others have the
first, Granite and DeepSeek-V3.1 the second."""

_HF, _VLLM = "lm_eval.models.huggingface", "lm_eval.models.vllm_causallms"
_TRACKED = re.compile(r"\{%-?\s*(?:end)?generation\s*-?%\}")


def room(answer: int) -> int:
    """The `max_gen_toks` with thoughts of a task whose answer has `answer` tokens."""
    return answer + (THOUGHTS_BEFORE_SHORT if answer <= SHORT_ANSWER else THOUGHTS_BEFORE_LONG)


def refuse_log_likelihoods(manager: Any, tasks: Sequence[str]) -> None:
    """Raise OtherMindsError for tasks that no thought can come before."""
    kinds = {name: harness.task_settings(manager, name).get("output_type") for name in tasks}
    found = [name for name, kind in kinds.items() if kind not in (None, "generate_until")]
    if found:
        others = f" and {len(found) - 1} other tasks" if len(found) > 1 else ""
        raise OtherMindsError(
            f"--reasoning does not go with {found[0]}{others}: options are scored by their "
            "log-probability right after the prompt, before any thought. Run tasks whose answers are "
            "generated, or leave --reasoning out."
        )


class Reasoning:
    """The thoughts of one model in a run.

    wanted     True with `--reasoning`, False with `--no-reasoning`, None with neither
    templated  whether prompts end as the model's chat template ends them
    switches   arguments of the template that were set
    given      settings of `--gen_kwargs`, which come before the tasks' own
    """

    def __init__(
        self,
        model: LM,
        wanted: bool | None,
        *,
        templated: bool = False,
        switches: Mapping[str, bool] | None = None,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        self.wanted = wanted
        self._templated = templated
        self._switches = dict(switches or {})
        self._given = dict(given or {})
        self._stops: dict[str, Sequence[str]] = {}
        self._budgets: dict[str, dict[str, int]] = {}
        # Who gives lm-eval a mark wants thoughts cut away: what is left may be an answer.
        self._are_cut = bool(getattr(model, "think_end_token", None))
        self._is_served = serving.is_behind(model)
        self._unseen: str | None = None
        self._n_alone = 0

    def meet(self, tasks: Mapping[str, Any]) -> None:
        """Give loaded tasks room for thoughts, and keep their stop sequences for answers."""
        if not self.wanted:
            return
        for name, task in tasks.items():
            if task.OUTPUT_TYPE != "generate_until":
                continue
            own = dict(task.config.generation_kwargs or {})
            answer = int(own.get("max_gen_toks", _DEFAULT_ANSWER))
            if self._budgets.get(name, {}).get("with_thoughts") == answer:
                # Loaded before, and met a second time.
                continue
            tokens = int(self._given.get("max_gen_toks", room(answer)))
            self._stops[name] = _listed({**own, **self._given}.get("until"))
            self._budgets[name] = {"answer": answer, "with_thoughts": tokens}
            changed = {**own, "until": [], "max_gen_toks": tokens}
            task.set_config("generation_kwargs", changed)

    def whole(self, request: Instance, answer: Any) -> Any:
        """A reply from its own beginning: behind the mark of a thought that was begun in its prompt."""
        if not isinstance(answer, str):
            return answer
        mark = self._begun(request.args[0], answer)
        # A thought that lm-eval has cut away may have left an answer.
        if mark is None or (self._are_cut and reason_of(answer) != LENGTH):
            return answer
        return _changed(answer, f"{mark}{answer}")

    def _begun(self, prompt: Any, answer: str) -> str | None:
        if isinstance(prompt, str):
            return thoughts.opened_in(prompt) if self._templated else None
        # A server's template is not known here. Where a reply has closed a thought that it did not open,
        # one without marks that reached its limit is such a thought too.
        self._unseen = self._unseen or thoughts.begun_before(answer)
        is_cut_off = reason_of(answer) == LENGTH and not thoughts.has_thought(answer)
        return self._unseen if is_cut_off else None

    def read(self, requests: Sequence[Instance], answers: Sequence[Any]) -> list[Any]:
        """Replies as they are scored: whole, and up to the first stop sequence behind their thoughts."""
        # What one of them tells of the server's template holds for all.
        for request, answer in zip(requests, answers, strict=True):
            self.whole(request, answer)
        return list(map(self._read, requests, answers))

    def _read(self, request: Instance, answer: Any) -> Any:
        found = self.whole(request, answer)
        if not isinstance(found, str):
            return found
        self._n_alone += self.is_alone(request, answer)
        stops = self._stops.get(str(request.task_name), ())
        return _changed(found, thoughts.cut(found, stops)) if stops else found

    def is_alone(self, request: Instance, answer: Any) -> bool:
        """Whether a reply is a thought that found no end, with no answer behind it.

        So is one that ends within a thought, unless the model itself ended it there, and one that
        reached the limit of its tokens with nothing behind a thought, or with nothing at all that the
        server shows. A text without marks is none: it may be no more than chatty.
        """
        text, reason = self.whole(request, answer), reason_of(answer)
        if not isinstance(text, str):
            return False
        if not thoughts.has_thought(text):
            return text == "" and reason == LENGTH and self._is_served
        visible = thoughts.without_reasoning(text)
        if visible is not None:
            return reason == LENGTH and not visible.strip()
        # Where there are stop sequences, one of them may have ended it.
        return reason != STOP or bool(decoding_of(request).get("until"))

    def record(self) -> dict[str, Any]:
        """What results say of it; empty where there is nothing to say."""
        facts = {
            "template_arguments": self._switches,
            "budgets": self._budgets,
            "stops_after_thoughts": {
                name: list(found) for name, found in self._stops.items() if found
            },
            "thoughts_alone": self._n_alone,
        }
        told = {name: fact for name, fact in facts.items() if fact}
        return told if self.wanted is None else {"wanted": self.wanted, **told}


def decoding_of(request: Instance) -> Mapping[str, Any]:
    """The settings of a generation; none for other requests."""
    found = request.args[1] if len(request.args) > 1 else None
    return found if isinstance(found, Mapping) else {}


def switched(
    arguments: harness.RunArguments, model: Any, template: str | None, wanted: bool
) -> dict[str, bool]:
    """Let a model's chat template think or not, where it has a switch; returns the switches, as set.

    They become part of the model's arguments. Those that a user gives win; raises OtherMindsError where
    they say the opposite.
    """
    held = getattr(model, "chat_template_args", None)
    if template is None or not isinstance(held, dict):
        return {}
    found = dict.fromkeys(sorted(_variables(template).intersection(_SWITCHES)), wanted)
    own = {**dict(arguments.model_args), **held}
    for name in _SWITCHES:
        if isinstance(own.get(name), bool) and own[name] != wanted:
            flag = "--reasoning" if wanted else "--no-reasoning"
            raise OtherMindsError(
                f"{flag} and {name}={own[name]} in --model_args contradict each other: give one."
            )
    held.update(found)
    if type(model).__module__ == _VLLM and "enable_thinking" in found:
        # lm-eval hands it to the template by itself.
        model.enable_thinking = held.pop("enable_thinking")
    if found:
        given = dict(arguments.model_args).get("chat_template_args") or {}
        arguments.model_args = {
            **arguments.model_args,
            "chat_template_args": {**(given if isinstance(given, dict) else {}), **found},
        }
    return found


def keep_marks(model: Any) -> None:
    """Let lm-eval's hf model keep the marks of thoughts that are special tokens of its tokenizer.

    It decodes replies without special tokens, and then nothing tells a thought from an answer.
    """
    if getattr(type(model).generate_until, "__module__", None) != _HF:
        return
    tokenizer = vars(model).get("tokenizer")
    known = getattr(tokenizer, "added_tokens_decoder", None) or {}
    special = {number: str(token) for number, token in known.items() if token.special}
    special |= {
        n: tokenizer.convert_ids_to_tokens(n) for n in getattr(tokenizer, "all_special_ids", ())
    }
    marks = {
        token for family in thoughts.TOKENS if family <= {*special.values()} for token in family
    }
    dropped = {number for number, token in special.items() if token not in marks}
    if len(dropped) == len(special):
        return
    decode = model.tok_decode

    def tok_decode(tokens: Any, skip_special_tokens: bool = True) -> str:
        if not skip_special_tokens or isinstance(tokens, int):
            return str(decode(tokens, skip_special_tokens=skip_special_tokens))
        kept = [token for token in tokens if int(token) not in dropped]
        return str(decode(kept, skip_special_tokens=False))

    model.tok_decode = tok_decode


def _variables(template: str) -> set[str]:
    """The variables that a chat template takes."""
    environment = jinja2.Environment(extensions=["jinja2.ext.loopcontrols"])  # nosec B701
    try:
        tree = environment.parse(_TRACKED.sub("", template))
    except jinja2.TemplateError:
        return {"enable_thinking"} if "enable_thinking" in template else set()
    return set(jinja2.meta.find_undeclared_variables(tree))


def _changed(answer: str, text: str) -> str:
    if not isinstance(answer, Reply):
        return text
    return Reply(text, answer.finish_reason, said=answer.said, by=answer.by)


def _listed(until: Any) -> Sequence[str]:
    return [until] if isinstance(until, str) else list(until or ())
