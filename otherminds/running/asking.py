"""How a server is asked: with patience, going on without prompts that it refuses for good.

lm-eval's own client tries every request three times, whatever the server says, and then ends the run.
This one takes its place in lm-eval's models behind servers; prompts, payloads and the reading of replies
stay lm-eval's.
"""

from __future__ import annotations

import asyncio
import copy
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple
from unittest import mock

from otherminds import credentials
from otherminds.errors import OtherMindsError
from otherminds.harness import LM
from otherminds.progress import duration
from otherminds.running import finish, responses
from otherminds.running.finish import FILTERED, REJECTED, Reply
from otherminds.running.in_flight import InFlight
from otherminds.running.responses import Came

MOST_WAIT = 1_800.0
"""Seconds for which a server may refuse all requests (429, or 503 with a time to come back) before the
run ends; `max_wait` in --model_args."""

_TRIES = 3
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_SAID_AGAIN = 60.0
_FIRST_REJECTED, _MOST_REJECTED = 10, 500
"""Requests in a row that a server may refuse one by one: before it has answered any, and then."""

_MEND = "see what it refuses, and mend --model_args or --gen_kwargs"


@dataclass(frozen=True)
class Clock:
    """The time in seconds, and how it is waited for."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    asleep: Callable[[float], Awaitable[None]] = asyncio.sleep


Talk = Generator[float | Mapping[str, Any], Any, Any]
"""What is done for one request: a payload is to be sent, for what comes, or seconds to be waited."""


class Refusal(NamedTuple):
    """In the place of a response: that there will be none, why, and in whose words."""

    reason: str
    said: str


class Unanswered(OtherMindsError):  # noqa: N818  (what it is to its reader)
    """A server was given up."""


class Asking:
    """What one server was asked and has answered in a run.

    `models` counts replies by the name that the server gives the model, `faults` what else came, and
    `waited` is how many seconds were spent waiting.

    say    is given lines for the user, as they happen
    clock  is that of all waiting
    """

    def __init__(
        self,
        model: Any,
        *,
        most_wait: float = MOST_WAIT,
        say: Callable[[str], None] = lambda _: None,
        clock: Clock | None = None,
    ) -> None:
        self.models: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.waited = 0.0
        self.is_answering = False
        self._model = model
        self._named = str(getattr(model, "model", "") or "")
        # A model's name may be an address, with a secret in it.
        self._shown_name = credentials.text(self._named)
        self._tries = int(getattr(model, "max_retries", None) or _TRIES)
        self._most_wait = most_wait
        self._say = say
        self._clock = clock or Clock()
        self._until = -math.inf
        self._refusing_since: float | None = None
        self._pause = _FIRST_PAUSE
        self._said_at = -math.inf
        self._answers = 0
        self._rejected = 0
        self._last_rejected = ""
        self._name = ""
        self._in_flight = InFlight()

    def report(self) -> dict[str, Any]:
        """What a results file says of it."""
        return {
            "models": dict(self.models),
            "faults": dict(self.faults),
            "waited_seconds": round(self.waited),
        }

    def know(self, replies: Sequence[object]) -> None:
        """Take replies to this run's requests that the journal holds."""
        for reply in replies:
            if isinstance(reply, Reply) and not finish.is_unanswered(reply):
                self._name = credentials.text(reply.by) or self._shown_name
                self.models[self._name] += 1
        self.is_answering |= any(not finish.is_unanswered(reply) for reply in replies)

    @contextmanager
    def patiently(self) -> Iterator[None]:
        """While the block runs, lm-eval's model asks in this way; within `finish.told`, replies say why
        they ended.

        Raises Unanswered once the server is given up.
        """
        model = self._model
        self._in_flight = InFlight()
        with ExitStack() as stack:
            for name, value in {
                # Tries are made here.
                "max_retries": 1,
                "model_call": self._call,
                "amodel_call": self._call_at_once,
                "parse_generations": self._reading(model.parse_generations, self._no_text),
                "parse_logprobs": self._reading(model.parse_logprobs, _no_number),
            }.items():
                stack.enter_context(mock.patch.object(model, name, value))
            yield
        if self._rejected and not self.is_answering:
            self._give_up(f"{self._last_rejected}, and answered no other request", _MEND)

    def talk(self, payload: Mapping[str, Any]) -> Talk:
        """Ask for one payload: yields it to be sent, for what came, or seconds to be waited.

        Returns the response, or a Refusal. Raises Unanswered.
        """
        tries = 0
        while True:
            while (pause := self._until - self._clock.now()) > 0:
                yield self._counted(pause)
            came: Came = yield payload
            outputs, fault = responses.read(came)
            if fault is None:
                self._take(outputs)
                return outputs
            self.faults[fault] += 1
            if responses.is_of_content(came):
                return self._refused(came, FILTERED)
            if responses.is_for_now(came):
                self._wait(came)
                continue
            if came.status in responses.NO_MORE or came.status == responses.TOO_MANY:
                self._give_up(responses.what(came, fault), responses.remedy(came, fault))
            if responses.is_of_request(came):
                return self._refused(came, REJECTED)
            tries += 1
            if tries >= self._tries:
                self._give_up(
                    responses.what(came, fault), responses.remedy(came, fault), tries=tries
                )
            yield self._counted(min(_FIRST_PAUSE * 2 ** (tries - 1), _LONGEST_PAUSE))

    def _counted(self, seconds: float) -> float:
        self.waited += seconds
        return seconds

    def _take(self, outputs: Any) -> None:
        self._answers += 1
        self.is_answering = True
        self._rejected = 0
        self._refusing_since = None
        self._pause = _FIRST_PAUSE
        for end in finish.ends(outputs)[:1]:
            self._meet(
                self._shown_name if end.by in ("", self._named) else credentials.text(end.by)
            )

    def _meet(self, name: str) -> None:
        if self.models and name not in self.models:
            self._say(
                f"The server names another model now: '{name}', after {self.models.total():,} replies "
                f"as '{self._name}'. The scores will be of both; another --output_path "
                "starts anew."
            )
        self.models[name] += 1
        self._name = name

    def _wait(self, came: Came) -> None:
        """Let all requests wait as long as a server asks for, or twice as long as the last time."""
        now = self._clock.now()
        if self._refusing_since is None:
            self._refusing_since = now
        asked_for = responses.retry_after(came.headers)
        if now < self._until and asked_for is None:
            # Sent before the last refusal came.
            return
        seconds = self._pause if asked_for is None else max(asked_for, _FIRST_PAUSE)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        refused = now - self._refusing_since
        if refused + seconds > self._most_wait:
            wanted = f", and asks to wait {duration(seconds)}" if asked_for is not None else ""
            self._give_up(
                f"it has refused every request for {duration(refused)} (status {came.status}){wanted}",
                "lower num_concurrent, or raise max_wait (in seconds; "
                f"{self._most_wait:,.0f}), in --model_args",
            )
        self._until = max(self._until, now + seconds)
        if now >= self._said_at + _SAID_AGAIN:
            self._said_at = now
            self._say(
                f"The server refuses for now (status {came.status}): waiting {duration(seconds)}; "
                f"the run ends when it has refused for {duration(self._most_wait)}."
            )

    def _refused(self, came: Came, reason: str) -> Refusal:
        self._rejected += 1
        self._last_rejected = responses.what(came, str(came.status))
        most = _MOST_REJECTED if self.is_answering else _FIRST_REJECTED
        if self._rejected >= most and (reason == REJECTED or not self.is_answering):
            self._give_up(
                f"{self._last_rejected}, and so to {self._rejected} requests in a row", _MEND
            )
        return Refusal(reason, responses.said(came))

    def _give_up(self, what: str, remedy: str, *, tries: int = 0) -> None:
        kept = f"The {self._answers:,} answers" if self._answers != 1 else "The 1 answer"
        in_tries = f" in {tries} tries" if tries > 1 else ""
        raise Unanswered(
            credentials.text(
                f"The server at {self._model.base_url} gave no answer{in_tries}: {what}. "
                f"{kept} of this run so far, and those of before, are kept in the journal, and the same "
                f"command resumes. First {remedy}."
            )
        )

    def _payload(self, messages: Any, *, generate: bool, gen_kwargs: Any, **named: Any) -> Any:
        model = self._model
        return model._create_payload(
            model.create_message(messages),
            generate=generate,
            # It takes settings out of what it is given.
            gen_kwargs=copy.deepcopy(gen_kwargs),
            seed=model._seed,
            eos=model.eos_string,
            **named,
        )

    def _call(
        self, messages: Any, *, generate: bool = True, gen_kwargs: Any = None, **named: Any
    ) -> Any:
        """In the place of lm-eval's `model_call`."""

        def one(part: Any) -> Any:
            payload = self._payload(part, generate=generate, gen_kwargs=gen_kwargs, **named)
            return self._sent(self.talk(payload))

        found = one(messages)
        if isinstance(found, Refusal) and len(messages) > 1:
            # One prompt of a batch is refused, and with it all of them.
            return [one(messages[place : place + 1]) for place in range(len(messages))]
        return found

    def _sent(self, talk: Talk) -> Any:
        came: Came | None = None
        try:
            while True:
                step = talk.send(came)
                came = None
                if isinstance(step, float | int):
                    self._clock.sleep(step)
                else:
                    came = responses.post(self._model, step)
        except StopIteration as end:
            return end.value

    async def _call_at_once(
        self,
        session: Any,
        sem: Any,
        messages: Any,
        *,
        generate: bool = True,
        cache_keys: Any = None,
        ctxlens: Any = None,
        gen_kwargs: Any = None,
        **named: Any,
    ) -> Any:
        """In the place of lm-eval's `amodel_call`."""

        request = object()

        async def one(part: Any) -> Any:
            payload = self._payload(part, generate=generate, gen_kwargs=gen_kwargs, **named)
            return await self._sent_at_once(request, session, self.talk(payload))

        model = self._model
        async with sem:
            try:
                found = await one(messages)
                if isinstance(found, Refusal) and len(messages) > 1:
                    found = [
                        await one(messages[place : place + 1]) for place in range(len(messages))
                    ]
                answers = (
                    model.parse_generations(outputs=found)
                    if generate
                    else model.parse_logprobs(outputs=found, tokens=messages, ctxlens=ctxlens)
                )
                answers = ["" if answer is None else answer for answer in answers]
                kind = "generate_until" if generate else "loglikelihood"
                for answer, key in zip(answers, cache_keys or (), strict=False):
                    model.cache_hook.add_partial(kind, key, answer)
            except Exception:
                await self._in_flight.end(request)
                raise
            self._in_flight.land(request)
        return answers

    async def _sent_at_once(self, request: object, session: Any, talk: Talk) -> Any:
        came: Came | None = None
        while True:
            try:
                step = talk.send(came)
            except StopIteration as end:
                return end.value
            came = None
            await self._in_flight.hold(request)
            if isinstance(step, float | int):
                self._in_flight.land(request)
                await self._clock.asleep(step)
            else:
                self._in_flight.send(request)
                came = await responses.posted(self._model, session, step)

    def _reading(
        self, read: Callable[..., Any], refused: Callable[[Refusal], Any]
    ) -> Callable[..., Any]:
        """lm-eval's reading of a response, for what stands in the place of one too."""

        def reading(outputs: Any, **named: Any) -> list[Any]:
            if isinstance(outputs, Refusal):
                return [refused(outputs)]
            # lm-eval itself puts a response into a list.
            if isinstance(outputs, list) and len(outputs) == 1:
                return reading(outputs[0], **named)
            if isinstance(outputs, list):
                found = []
                for place, output in enumerate(outputs):
                    own = {
                        name: value[place : place + 1] if isinstance(value, Sequence) else value
                        for name, value in named.items()
                    }
                    found += reading(output, **own)
                return found
            return [self._unnamed(one) for one in read(outputs=outputs, **named)]

        return reading

    def _no_text(self, refusal: Refusal) -> Reply:
        return Reply("", refusal.reason, said=refusal.said)

    def _unnamed(self, reply: Any) -> Any:
        """A reply without the model's name where that is the one that was asked for."""
        if not isinstance(reply, Reply) or reply.by != self._named:
            return reply
        return Reply(reply, reply.finish_reason, said=reply.said)


def of(
    model: LM, arguments: Mapping[str, Any], say: Callable[[str], None], clock: Clock | None = None
) -> Asking | None:
    """The asking of a model of lm-eval behind a server; None for others.

    Raises OtherMindsError for a `max_wait` among its arguments that is no number of seconds.
    """
    if not all(hasattr(model, name) for name in ("model_call", "amodel_call", "_create_payload")):
        return None
    given = arguments.get("max_wait", MOST_WAIT)
    try:
        most = float(given)
    except (TypeError, ValueError):
        most = math.nan
    if not 0 <= most < math.inf:
        raise OtherMindsError(
            f"max_wait={given} in --model_args is no number of seconds; write max_wait=3600."
        )
    return Asking(model, most_wait=most, say=say, clock=clock)


def settings(model: Any, request: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """What a server is sent with a request beside the prompt, and where that is not what was asked for.

    The differences are by setting: what was asked for, and what is sent.
    """
    prompt, asked = request.args[:2]
    sent = model._create_payload(
        model.create_message([prompt]),
        generate=True,
        gen_kwargs=copy.deepcopy(asked),
        seed=model._seed,
        eos=model.eos_string,
    )
    sent = {name: value for name, value in sent.items() if name not in _PROMPT}
    return sent, {
        called: [asked[name], value]
        for called, (ask, say) in _SAME.items()
        for name in ask
        if name in asked
        and (value := next((sent[one] for one in say if one in sent), None)) != asked[name]
    }


_PROMPT = frozenset({"prompt", "messages", "text", "input_ids", "model"})
_SAME = {
    "temperature": (("temperature",), ("temperature",)),
    "top_p": (("top_p",), ("top_p",)),
    "max_tokens": (("max_gen_toks", "max_tokens"), ("max_tokens", "max_completion_tokens")),
}
"""Settings, as tasks and as servers call them."""


def _no_number(_: Refusal) -> tuple[float, bool]:
    return math.nan, False
