"""The messages that lm-eval makes of a document for a model that takes messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class ChatText(NamedTuple):
    """Messages as lm-eval's models behind chat APIs get them: their JSON, in a tuple of its own."""

    prompt: str

    def encode(self, encoding: str) -> bytes:
        """The text as bytes: lm-eval hashes prompts."""
        return self.prompt.encode(encoding)


def chat_text(messages: Sequence[Mapping[str, str]], **_: Any) -> ChatText:
    """Messages in the form of a chat API; stands where a model's chat template would."""
    return ChatText(json.dumps(list(messages), ensure_ascii=False))


def chat_of(task: Any, doc: Mapping[str, Any]) -> list[dict[str, str]]:
    """The messages that a loaded task asks about a document."""
    made = task.fewshot_context(
        doc,
        num_fewshot=task.config.num_fewshot or 0,
        apply_chat_template=True,
        fewshot_as_multiturn=True,
        chat_template=chat_text,
    )
    found: list[dict[str, str]] = json.loads(made.prompt)
    return found
