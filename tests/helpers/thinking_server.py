"""A local HTTP server with OpenAI's chat and text completions, whose model thinks before it answers.

A token is a word here. The model needs a number of them for its thought, and one for its answer.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from tests.helpers.openai_server import POLL

Form = Literal["marked", "parsed", "begun in the prompt", "chatty"]
"""How thoughts reach the client: with their marks; in a field of their own, without content where
nothing else came; with the closing mark alone; or not at all, from a model that just says much."""


@dataclass
class Thinker:
    """What the server was asked, and how it answers.

    needs    tokens of a thought; a prompt that holds a key of `harder` needs the tokens given there
    answers  the answer to each prompt
    """

    form: Form
    needs: int
    answers: str = "agree"
    harder: dict[str, int] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """All tokens that were generated so far."""
        return sum(self._generated(body)[2] for body in self.bodies)

    def choice(self, body: dict[str, Any]) -> dict[str, Any]:
        """The choice in a response."""
        thought, answer, _ = self._generated(body)
        ends = "stop" if answer == self.answers else "length"
        text = {
            "marked": f"<think>\n{thought}" + (f"\n</think>\n\n{answer}" if answer else ""),
            "parsed": answer,
            "begun in the prompt": thought + (f"\n</think>\n\n{answer}" if answer else ""),
            "chatty": f"{thought} {answer}".strip(),
        }[self.form]
        for stop in body.get("stop") or ():
            if stop and stop in text:
                text, ends = text.partition(stop)[0], "stop"
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        if self.form == "parsed":
            message["reasoning_content"] = thought
        return {"index": 0, "message": message, "text": text, "finish_reason": ends}

    def _generated(self, body: dict[str, Any]) -> tuple[str, str, int]:
        prompt = json.dumps(body.get("messages") or body["prompt"])
        needs = next((n for word, n in self.harder.items() if word in prompt), self.needs)
        limit = int(body.get("max_completion_tokens") or body["max_tokens"])
        n = min(needs, limit)
        # An answer of either kind lies in every thought.
        words = ["perhaps", "disagree", "or", "agree", "\n\nhm"]
        thought = " ".join(words[place % len(words)] for place in range(n))
        return thought, self.answers if limit > needs else "", n + (limit > needs)


@contextlib.contextmanager
def thinking(thinker: Thinker) -> Iterator[str]:
    """Run the server until the block ends; gives its address up to /v1."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(404, {"error": "not found"})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                thinker.bodies.append(body)
            self._send(200, {"model": "thinker", "choices": [thinker.choice(body)]})

        def _send(self, status: int, found: dict[str, Any]) -> None:
            text = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
