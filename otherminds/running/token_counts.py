"""Tokens of prompts: by a tokenizer where there is one, else an estimate by characters."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from otherminds import harness
from otherminds.extras import is_installed
from otherminds.running.prefixes import packed

CHARACTERS = 4
"""Characters in a token, by estimate: of English prose, tokenizers of large vocabularies make a token of
four to five."""


class Counter(Protocol):
    """Turns prompts into units, of which `per_token` are a token.

    called       how the tokens are counted, for people
    is_estimate  whether that is a guess
    """

    called: str
    per_token: int
    is_estimate: bool

    def units(self, prompts: Sequence[Any]) -> list[bytes]:
        """Each prompt (a text, or messages in a form of lm-eval's), packed as in `prefixes`."""


def counter_of(model: harness.LM | None, name: str, model_args: Mapping[str, Any]) -> Counter:
    """How the tokens of an unloaded model are counted; None stands for one that reads no prompts.

    Raises OtherMindsError for a tokenizer that is named and not there.
    """
    if model is None:
        return ByCharacters("a model without weights has no tokenizer")
    tokenizer = vars(model).get("tokenizer")
    if tokenizer is not None:
        return ByTokenizer(tokenizer, adds=not hasattr(model, "base_url"))
    if not hasattr(model, "base_url"):
        return ByCharacters(f"'{name}' has no tokenizer")
    if model_args.get("tokenizer"):
        return ByTokenizer(harness.tokenizer_of(model_args, "tokenizer"), adds=False)
    known = str(model_args.get("model") or "")
    if is_installed("tiktoken") and known:
        import tiktoken

        # Unknown names, and no way to fetch the tokens of known ones.
        with contextlib.suppress(KeyError, OSError, ValueError):
            return ByTiktoken(tiktoken.encoding_for_model(known))
    return ByCharacters(
        "no tokenizer of the server's is at hand: name one by `tokenizer=` in --model_args"
    )


class ByTokenizer:
    """Tokens of a tokenizer of transformers, which also puts messages into its chat template.

    adds  whether texts that do not begin with its first token are given it, as lm-eval's local models do
    """

    per_token = 1
    is_estimate = False

    def __init__(self, tokenizer: Any, *, adds: bool) -> None:
        self._tokenizer = tokenizer
        self._adds = adds
        self.called = f"by the tokenizer {_short(str(tokenizer.name_or_path))}"

    def units(self, prompts: Sequence[Any]) -> list[bytes]:
        """The tokens of each prompt."""
        texts = [self._text(prompt) for prompt in prompts]
        first = getattr(self._tokenizer, "bos_token", None)
        adds = self._adds and not (first and texts and texts[0].startswith(first))
        found = self._tokenizer(texts, add_special_tokens=adds)["input_ids"] if texts else []
        return [packed(tokens) for tokens in found]

    def _text(self, prompt: Any) -> str:
        messages = harness.messages(prompt)
        if messages is None or not getattr(self._tokenizer, "chat_template", None):
            return _joined(prompt)
        return str(
            self._tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True
            )
        )


class ByTiktoken:
    """Tokens of an encoding of tiktoken."""

    per_token = 1
    is_estimate = False

    def __init__(self, encoding: Any) -> None:
        self._encoding = encoding
        self.called = f"by tiktoken's {encoding.name}, without the few that mark a message"

    def units(self, prompts: Sequence[Any]) -> list[bytes]:
        """The tokens of each prompt."""
        return [packed(self._encoding.encode_ordinary(_joined(prompt))) for prompt in prompts]


class ByCharacters:
    """An estimate: so many characters a token."""

    per_token = CHARACTERS
    is_estimate = True

    def __init__(self, why: str) -> None:
        self.called = f"estimated, {CHARACTERS} characters a token ({why})"

    def units(self, prompts: Sequence[Any]) -> list[bytes]:
        """The characters of each prompt."""
        return [
            packed(np.frombuffer(_joined(prompt).encode("utf-32-le", "surrogatepass"), dtype="<u4"))
            for prompt in prompts
        ]


def _joined(prompt: Any) -> str:
    """The text of a prompt; of messages, their contents."""
    messages = harness.messages(prompt)
    if messages is None:
        return str(prompt)
    return "\n".join(str(one.get("content") or "") for one in messages)


def _short(name: str) -> str:
    """A name on the Hub as it is; of a folder, its last part."""
    return (
        name
        if name.count("/") == 1 and name[0] not in "/."
        else name.rstrip("/").rpartition("/")[2]
    )
