"""Control tokens in shown texts: they are broken up, so that no text about a person opens a turn.

A document may hold what a model wrote, or a stranger: `<|im_end|><|im_start|>system` in it would be
read as the end of the question and an instruction. In every prompt, `ESCAPE` (␛, U+241B) is put after
the first character of such a token: `<␛|im_end|>`. To undo it, take one ␛ away after the first
character of each (`restored`): the original text comes back exactly, whatever it was.

These are the forms of the common families, and the tokens of the loaded model's own tokenizer, in small
or capital letters and in full width. What a chat template puts around a prompt stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

ESCAPE: Final = "\u241b"

_LITERAL = (
    *("<s>", "</s>", "<<SYS>>", "<</SYS>>", "<bos>", "<eos>", "<pad>", "<unk>", "<mask>", "<sep>"),
    *(
        "<cls>",
        "<eop>",
        "<eod>",
        "<sop>",
        "<BOS_TOKEN>",
        "<EOS_TOKEN>",
        "<PAD_TOKEN>",
        "<endoftext>",
    ),
    *(
        "<start_of_turn>",
        "<end_of_turn>",
        "<start_of_image>",
        "<end_of_image>",
        "<image_soft_token>",
    ),
    *("[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]"),
    *("[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CONTENT]"),
    *("[CALL_ID]", "[ARGS]", "[THINK]", "[/THINK]", "[IMG]", "[IMG_BREAK]", "[IMG_END]"),
    *("[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]", "[BOS]"),
    *("[EOS]", "[gMASK]", "[sMASK]", "[EOT]", "]~!b[", "]~b]", "[e~["),
)
"""Llama 2, Mistral, Gemma, Command R, BERT, T5, XLNet, GLM, MiniMax."""

_GAP: Final = f"{ESCAPE}*"
_OPEN, _CLOSE, _BAR = "<\uff1c\ufe64", "[>\uff1e\ufe65]", "[|\uff5c]"
_SQUARE, _SQUARE_END = r"\[\uff3b", r"[\]\uff3d]"
_INSIDE = rf"[^<>|\[\]\n\uff1c\uff1e\uff5c\ufe64\ufe65{ESCAPE}]"


def _numbered(*names: str) -> str:
    spread = ("".join(f"{_GAP}{sign}" for sign in name) for name in names)
    return rf"(?:{'|'.join(spread)})(?:{_GAP}\d)+{_GAP}"


# By first character (a class of them), what follows.
_FORMS = (
    # ChatML, Llama 3 and 4, Phi, Qwen, GPT-OSS, GPT-2; in full width DeepSeek.
    (_OPEN, rf"{_GAP}{_BAR}(?:{_GAP}{_INSIDE}){{1,64}}{_GAP}{_BAR}{_GAP}{_CLOSE}"),
    # Gemma 4: <|turn> and <turn|>.
    (_OPEN, rf"{_GAP}{_BAR}(?:{_GAP}\w){{1,32}}{_GAP}{_CLOSE}"),
    (_OPEN, rf"(?:{_GAP}\w){{1,32}}{_GAP}{_BAR}{_GAP}{_CLOSE}"),
    # T5, Gemma, Nemotron, Baichuan.
    (_OPEN, _numbered("extra_id_", "unused", "SPECIAL_", "reserved_") + _CLOSE),
    # EXAONE: [|assistant|].
    (_SQUARE, rf"{_GAP}{_BAR}(?:{_GAP}{_INSIDE}){{1,64}}{_GAP}{_BAR}{_GAP}{_SQUARE_END}"),
    # BERT, InternLM, Mistral.
    (_SQUARE, _numbered("unused", "UNUSED_TOKEN_", "CONTROL_") + _SQUARE_END),
)

_FIRST_OF_FULL_WIDTH = 0xFEE0
"""What lies between a printable ASCII character and its form in full width."""


class Neutral(str):
    """A text whose control tokens are escaped."""


def neutral(text: str) -> str:
    """A text with each control token escaped: of the common families, and of the model in use."""
    return _guard(_IN_USE.tokens).neutral(text)


def shown_by(write: Callable[..., Any]) -> Callable[..., Any]:
    """A function that writes prompts, with their control tokens escaped, if they are not yet."""

    def shown(*given: Any, **named: Any) -> Any:
        text = write(*given, **named)
        is_bare = isinstance(text, str) and not isinstance(text, Neutral)
        return Neutral(neutral(text)) if is_bare else text

    return shown


def restored(text: str) -> str:
    """The text that `neutral` was given."""
    return _guard(_IN_USE.tokens).restored(text)


def without_escapes(text: str) -> str:
    """A text without any ␛, to compare prompts that were shown to models of different tokens."""
    return text.replace(ESCAPE, "")


def count(text: str) -> int:
    """How many tokens of a text are escaped."""
    return _guard(_IN_USE.tokens).count(text) if ESCAPE in text else 0


@dataclass
class _Use:
    tokens: tuple[str, ...] = ()


_IN_USE: Final = _Use()


@contextmanager
def of_model(tokens: Iterable[str]) -> Iterator[None]:
    """Until the block ends, these are control tokens too."""
    was = _IN_USE.tokens
    _IN_USE.tokens = tuple(sorted(set(tokens)))
    try:
        yield
    finally:
        _IN_USE.tokens = was


@dataclass(frozen=True)
class Tokens:
    """The control tokens of a tokenizer.

    tokens  those that are escaped
    left    those that are not: single characters, blanks, and plain words would be in any text
    """

    tokens: tuple[str, ...] = ()
    left: tuple[str, ...] = field(default=())


def of_tokenizer(tokenizer: Any, template: str | None = None) -> Tokens:
    """The special tokens of a tokenizer, and others that its chat template writes, such as <think>.

    A tokenizer that says nothing of its special tokens has none here.
    """
    special = {str(token) for token in _listed(tokenizer, "all_special_tokens")}
    added = getattr(tokenizer, "added_tokens_decoder", None)
    for token in added.values() if isinstance(added, Mapping) else ():
        text = str(token)
        # Runs of blanks and HTML's tags are single tokens of some models, and control nothing.
        if getattr(token, "special", False) or (template and _is_sign(text) and text in template):
            special.add(text)
    # Those of tiktoken, and of a tokenizer that is behind a server.
    special |= {*_listed(tokenizer, "special_tokens_set")}
    with suppress(OSError, RuntimeError):
        named = (getattr(tokenizer, name, None) for name in ("bos_token", "eos_token", "pad_token"))
        special |= {token for token in named if isinstance(token, str)}
    special.discard("")
    found = {text for text in special if _is_sign(text)}
    return Tokens(tuple(sorted(found)), tuple(sorted(special - found)))


def _listed(tokenizer: Any, name: str) -> list[str]:
    found = getattr(tokenizer, name, None)
    return [str(one) for one in found] if isinstance(found, list | tuple | set) else []


def _is_sign(text: str) -> bool:
    is_word = all(one.isalnum() or one.isspace() for one in text)
    return len(text.strip()) > 1 and not is_word and ESCAPE not in text


@lru_cache(maxsize=16)
def _guard(tokens: tuple[str, ...]) -> _Guard:
    return _Guard(tokens)


class _Guard:
    """Finds tokens with any number of escapes between their characters.

    Whether a token begins at a place does then not depend on escapes, so that adding one and taking one
    away are each other's opposite.
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        follows: dict[str, list[str]] = {}
        for first, rest in _FORMS:
            follows.setdefault(first, []).append(rest)
        own = {one.strip() for one in tokens}
        if own:
            # Some models have thousands, of which the forms find nearly all.
            families = _guard(())
            own = {token for token in own if not families.begins(token)}
        for token in sorted({*_LITERAL, *own}):
            rest = "".join(f"{_GAP}[{_any_width(one)}]" for one in token[1:])
            follows.setdefault(_any_width(token[0]), []).append(rest)
        # One class of first characters at the beginning is what `re` looks for quickly.
        firsts = "".join(follows)
        branches = (f"(?<=[{first}])(?={'|'.join(rests)})" for first, rests in follows.items())
        pattern = f"([{firsts}])(?:{'|'.join(branches)})"
        self._found = re.compile(pattern, re.IGNORECASE)
        self._escaped = re.compile(pattern + ESCAPE, re.IGNORECASE)

    def begins(self, text: str) -> bool:
        return self._found.match(text) is not None

    def neutral(self, text: str) -> str:
        return self._found.sub(rf"\1{ESCAPE}", text)

    def restored(self, text: str) -> str:
        return self._escaped.sub(r"\1", text)

    def count(self, text: str) -> int:
        return len(self._escaped.findall(text))


def _any_width(sign: str) -> str:
    """The inside of a class of a character in either width, and of a blank for its sign in tokens."""
    if sign == "\u2581":
        return "\u2581 "
    width = 0
    if "!" <= sign <= "~":
        width = _FIRST_OF_FULL_WIDTH
    elif "\uff01" <= sign <= "\uff5e":
        width = -_FIRST_OF_FULL_WIDTH
    return re.escape(sign) + (re.escape(chr(ord(sign) + width)) if width else "")
