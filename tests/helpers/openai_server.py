"""A local HTTP server that speaks OpenAI's completions, with a real, tiny model behind it.

It answers /v1/completions (texts and tokens, also with echoed log-probabilities) and
/v1/chat/completions, fails when it is told to, and keeps a record of what it was asked.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

Fault = Literal[
    "400",
    "400 of content",
    "401",
    "429",
    "429 of quota",
    "500",
    "503",
    "silence",
    "hang up",
    "web page",
    "half of the JSON",
    "error with status 200",
    "no choices",
    "no content",
    "filtered",
    "refusal",
]
POLL = 0.01
"""Seconds until a server notices that it is to end, which its block waits for."""

Faults = Callable[..., Fault | None]
"""What goes wrong with the n-th request, counted from 0; None where nothing does. With two parameters,
it gets the prompt as JSON too."""

_ERRORS = {
    "400": "This model's maximum context length is 8192 tokens.",
    "400 of content": "The prompt triggered our content management policy.",
    "429 of quota": "You exceeded your current quota, please check your plan and billing details.",
}
_CODES = {"400 of content": "content_filter", "429 of quota": "insufficient_quota"}


class Answering(Protocol):
    """What is behind the server."""

    def generate(self, prompt: Any, body: dict[str, Any]) -> str:
        """The text that follows a prompt (a text, tokens, or messages)."""

    def echoed(self, prompt: Any) -> dict[str, Any]:
        """Log-probabilities of a prompt's own tokens and of one more."""


@runtime_checkable
class Metered(Answering, Protocol):
    """What is behind a server that tells how many tokens it read and wrote."""

    def usage(self, prompt: Any, choices: list[dict[str, Any]]) -> dict[str, Any]:
        """The field `usage` of a reply."""


@dataclass
class Exchange:
    """One request as it came, all but its prompt in `settings`, and the status that was answered.

    That is 0 where there was no answer.
    """

    prompt: str
    status: int
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass
class Record:
    """All exchanges so far, and how many requests were open at once at most."""

    exchanges: list[Exchange] = field(default_factory=list)
    most_at_once: int = 0

    @property
    def answered(self) -> list[str]:
        """The prompts that got their answer, in order, repeats included."""
        return [one.prompt for one in self.exchanges if one.status == 200]


class TinyModel:
    """A model of `tests.helpers.tiny_model`; one prompt at a time: answers depend on nothing else."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._model = AutoModelForCausalLM.from_pretrained(folder)
        self._lock = threading.Lock()

    def generate(self, prompt: Any, body: dict[str, Any]) -> str:
        import torch

        tokens = torch.tensor([self._tokens(prompt)])
        sampled = body.get("temperature", 0) > 0
        decoding = {"temperature": body["temperature"]} if sampled else {}
        with self._lock:
            torch.manual_seed(body.get("seed") or 0)
            found = self._model.generate(
                tokens,
                attention_mask=torch.ones_like(tokens),
                max_new_tokens=body["max_tokens"],
                do_sample=sampled,
                **decoding,
            )
        text = str(self._tokenizer.decode(found[0, tokens.shape[1] :], skip_special_tokens=True))
        ends = [text.find(stop) for stop in body.get("stop") or [] if stop and stop in text]
        return text[: min(ends)] if ends else text

    def echoed(self, prompt: Any) -> dict[str, Any]:
        import torch

        tokens = self._tokens(prompt)
        with self._lock, torch.no_grad():
            logits = self._model(torch.tensor([tokens])).logits[0]
        every = torch.log_softmax(logits, dim=-1)
        best = every.max(dim=-1)
        follows = [*tokens[1:], int(best.indices[-1])]
        own = every[torch.arange(len(follows)), torch.tensor(follows)]
        top = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        return {
            "token_logprobs": [None, *own.tolist()],
            "top_logprobs": [None, *({str(token): value} for token, value in top)],
        }

    def _tokens(self, prompt: Any) -> list[int]:
        if isinstance(prompt, str):
            return list(self._tokenizer(prompt).input_ids)
        if isinstance(prompt[0], int):
            return list(prompt)
        text = self._tokenizer.apply_chat_template(
            prompt, tokenize=False, add_generation_prompt=True
        )
        return self._tokens(text)


class Hashed:
    """Answers a number that depends on the prompt alone, after so many seconds."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds

    def generate(self, prompt: Any, body: dict[str, Any]) -> str:
        time.sleep(self._seconds)
        return str(zlib.crc32(json.dumps(prompt).encode()))

    def echoed(self, prompt: Any) -> dict[str, Any]:
        raise ValueError("There is no model here, and so there are no log-probabilities.")


@dataclass(frozen=True)
class Server:
    """A running server: its address up to /v1, and what it was asked."""

    address: str
    record: Record


@contextlib.contextmanager
def serving(
    model: Answering,
    faults: Faults = lambda number: None,
    *,
    retry_after: str | None = "1",
    called: Callable[[int], str | None] = lambda number: None,
) -> Iterator[Server]:
    """Run the server until the block ends.

    retry_after  the header beside status 429
    called       the model's name in the n-th reply
    """
    record = Record()
    end = threading.Event()
    handler = _handler(model, faults, record, end, retry_after, called)
    server = _Threads(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True)
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_address[1]}/v1", record)
    finally:
        end.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Threads(ThreadingHTTPServer):
    daemon_threads = True
    # The default of 5 would refuse connections that come at once.
    request_queue_size = 128


def _handler(
    model: Answering,
    faults: Faults,
    record: Record,
    end: threading.Event,
    retry_after: str | None,
    called: Callable[[int], str | None],
) -> type[BaseHTTPRequestHandler]:
    lock = threading.Lock()
    numbers = iter(range(1_000_000_000))
    open_now: set[int] = set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            # lm-eval asks whether there is a tokenizer to be had here.
            self._send(404, {"error": "not found"})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            place = self.path.partition("?")[0]
            prompt = body["messages"] if place.endswith("/chat/completions") else body["prompt"]
            with lock:
                number = next(numbers)
                open_now.add(number)
                record.most_at_once = max(record.most_at_once, len(open_now))
            n = len(inspect.signature(faults).parameters)
            fault = faults(*(number, json.dumps(prompt))[:n])
            found: dict[str, Any] = {} if fault else {"choices": _choices(model, prompt, body)}
            if found and isinstance(model, Metered):
                found["usage"] = model.usage(prompt, found["choices"])
            if found and (name := called(number)) is not None:
                found["model"] = name
            code = (fault or "").partition(" ")[0]
            status = int(code) if code.isdecimal() else 200
            if fault in ("silence", "hang up"):
                status = 0
            with lock:
                open_now.discard(number)
                # Before the answer is sent: who has the answer may read the record.
                record.exchanges.append(Exchange(json.dumps(prompt), status, _settings(body)))
            if fault == "no content":
                found = {
                    "choices": [{"index": 0, "message": {"role": "assistant", "content": None}}]
                }
            if fault in _ENDS:
                end_of = {"finish_reason": _ENDS[fault][0]}
                message = {"role": "assistant", "content": None, **_ENDS[fault][1]}
                found = {"choices": [{"index": 0, "text": "", "message": message, **end_of}]}
            if fault == "no choices":
                found = {"id": "1", "choices": []}
            if fault == "half of the JSON":
                self._send_bytes(status, b'{"choices": [{"index": 0, "te', "application/json")
            elif fault == "web page":
                self._send_bytes(status, b"<!doctype html><p>Hello", "text/html")
            elif status:
                said = _ERRORS.get(fault or "", f"fault {fault}")
                error = {"message": said, "code": _CODES.get(fault or "")}
                self._send(status, found or {"error": error})
            else:
                if fault == "silence":
                    end.wait()
                self.close_connection = True
                with contextlib.suppress(OSError):
                    self.connection.shutdown(socket.SHUT_RDWR)

        def _send(self, status: int, found: dict[str, Any]) -> None:
            self._send_bytes(status, json.dumps(found).encode(), "application/json")

        def _send_bytes(self, status: int, text: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text)))
            if status == 429 and retry_after is not None:
                self.send_header("Retry-After", retry_after)
            self.end_headers()
            # Who has given up does not wait for it.
            with contextlib.suppress(OSError):
                self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is printed."""

    return Handler


_ENDS: dict[str | None, tuple[str, dict[str, Any]]] = {
    "filtered": ("content_filter", {}),
    "refusal": ("stop", {"refusal": "I cannot help with that."}),
}


def _settings(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in ("prompt", "messages")}


def _choices(model: Answering, prompt: Any, body: dict[str, Any]) -> list[dict[str, Any]]:
    if "messages" in body:
        text = model.generate(prompt, body)
        end_of = {"finish_reason": _reason(text, body)}
        return [{"index": 0, "message": {"role": "assistant", "content": text}, **end_of}]
    prompts: Sequence[Any] = [prompt] if _is_one(prompt) else prompt
    if body.get("echo"):
        return [{"index": n, "logprobs": model.echoed(one)} for n, one in enumerate(prompts)]
    texts = [model.generate(one, body) for one in prompts]
    return [
        {"index": n, "text": text, "finish_reason": _reason(text, body)}
        for n, text in enumerate(texts)
    ]


def _reason(text: str, body: dict[str, Any]) -> str:
    """As if a token were a character: what matters is that some replies are cut off."""
    limit = body.get("max_tokens") or body.get("max_completion_tokens") or 0
    return "length" if len(text) >= limit else "stop"


def _is_one(prompt: Any) -> bool:
    return isinstance(prompt, str) or isinstance(prompt[0], int)
