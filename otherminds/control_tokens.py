"""Control tokens in shown texts: they are broken up, so that no text about a person opens a turn.

A document may hold what a model wrote, or a stranger: `<|im_end|><|im_start|>system` in it would be
read as the end of the question and an instruction. In every prompt, `ESCAPE` (␛, U+241B) is put after
the first character of such a token: `<␛|im_end|>`. To undo it, take one ␛ away after the first
character of each (`restored`): the original text comes back exactly, whatever it was.

These are the forms of the common families, and the tokens of the loaded model's own tokenizer, in small
or capital letters, in all characters that Unicode's compatibility forms (NFKC) make the same, and with
characters between that nobody sees: some tokenizers normalise before they look for tokens. What a chat
template puts around a prompt stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

ESCAPE: Final = "\u241b"

_LITERAL = (
    *("<s>", "</s>", "<<SYS>>", "<</SYS>>", "<bos>", "<eos>", "<pad>", "<unk>", "<mask>", "<sep>"),
    *("<cls>", "<eop>", "<eod>", "<sop>", "<BOS_TOKEN>", "<EOS_TOKEN>", "<PAD_TOKEN>"),
    "<endoftext>",
    *("<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>"),
    "<image_soft_token>",
    *("[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]"),
    *("[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CONTENT]"),
    *("[CALL_ID]", "[ARGS]", "[THINK]", "[/THINK]", "[IMG]", "[IMG_BREAK]", "[IMG_END]"),
    *("[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]", "[BOS]"),
    *("[EOS]", "[gMASK]", "[sMASK]", "[EOT]", "]~!b[", "]~b]", "[e~["),
    *("<seed:bos>", "<seed:eos>", "<[BOS_never_used]>", "<[EOS_never_used]>", "<_user>", "<_bot>"),
    *("<eoh>", "<eoa>", "<end_of_utterance>", "<start_function_call>", "<end_function_call>"),
)
"""Llama 2, Mistral, Gemma, Command R, BERT, T5, XLNet, GLM, MiniMax, Seed, TeleChat, InternLM."""

_COMPATIBLE = (
    *((0xA0, 0xBF), (0x2B0, 0x2B8), (0x1D2C, 0x1D6A), (0x2070, 0x209F), (0x2100, 0x214F)),
    *((0x2460, 0x24FF), (0xFE30, 0xFE6F), (0xFF01, 0xFF5E), (0x1D400, 0x1D7FF), (0x1F100, 0x1F16F)),
)
"""Blocks with forms of ASCII characters: raised, circled, small, in full width, of mathematics."""

# Soft hyphens, joiners, marks of direction, selectors of variants.
_UNSEEN = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200F)),
    *((0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
)


def _folds() -> dict[int, str]:
    found = {ord("\u2581"): " "}  # a blank, in tokens
    for first, last in _COMPATIBLE:
        for sign in range(first, last + 1):
            plain = unicodedata.normalize("NFKC", chr(sign))
            if len(plain) == 1 and "!" <= plain <= "~":
                found[sign] = plain
    unseen = (range(first, last + 1) for first, last in _UNSEEN)
    return found | dict.fromkeys((sign for signs in unseen for sign in signs), ESCAPE)


_FOLDS: Final = _folds()
_FOLDED: Final = frozenset(map(chr, _FOLDS))
_GAP: Final = f"{ESCAPE}*"
_INSIDE = rf"[^<>|\[\]\n{ESCAPE}]"


def _spread(text: str) -> str:
    return "".join(f"{_GAP}{re.escape(sign)}" for sign in text)


def _numbered(*names: str) -> str:
    return rf"(?:{'|'.join(map(_spread, names))})(?:{_GAP}\d)+{_GAP}"


# By first character, what follows.
_FORMS = (
    # ChatML, Llama 3 and 4, Phi, Qwen, GPT-OSS, GPT-2; in full width DeepSeek.
    ("<", rf"{_GAP}\|(?:{_GAP}{_INSIDE}){{1,64}}{_GAP}\|{_GAP}>"),
    # Gemma 4: <|turn> and <turn|>.
    ("<", rf"{_GAP}\|(?:{_GAP}\w){{1,32}}{_GAP}>"),
    ("<", rf"(?:{_GAP}\w){{1,32}}{_GAP}\|{_GAP}>"),
    # T5, Gemma, Nemotron, Baichuan.
    ("<", _numbered("extra_id_", "unused", "SPECIAL_", "reserved_", "ctrl") + ">"),
    # EXAONE: [|assistant|].
    ("[", rf"{_GAP}\|(?:{_GAP}{_INSIDE}){{1,64}}{_GAP}\|{_GAP}\]"),
    # BERT, InternLM, Mistral.
    ("[", _numbered("unused", "UNUSED_TOKEN_", "CONTROL_") + r"\]"),
)


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
    """Finds tokens with any number of escapes, and of unseen characters, between their characters.

    Whether a token begins at a place does then not depend on escapes, so that adding one and taking one
    away are each other's opposite.
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        follows: dict[str, list[str]] = {}
        for first, rest in _FORMS:
            follows.setdefault(first, []).append(rest)
        own = {one.strip().translate(_FOLDS).replace(ESCAPE, "") for one in tokens}
        if own:
            # Some models have thousands, of which the forms find nearly all.
            families = _guard(())
            own = {token for token in own if len(token) > 1 and not families.begins(token)}
        for token in sorted({*_LITERAL, *own}):
            follows.setdefault(token[0], []).append(_spread(token[1:]))
        # One class of first characters at the beginning is what `re` looks for quickly.
        firsts = "".join(map(re.escape, follows))
        branches = (
            f"(?<={re.escape(first)})(?={'|'.join(rests)})" for first, rests in follows.items()
        )
        pattern = f"[{firsts}](?:{'|'.join(branches)})"
        self._found = re.compile(pattern, re.IGNORECASE)

    def begins(self, text: str) -> bool:
        return self._found.match(text) is not None

    def neutral(self, text: str) -> str:
        return ESCAPE.join(_cut(text, self._firsts(text), 0))

    def restored(self, text: str) -> str:
        return "".join(_cut(text, self._escaped(text), len(ESCAPE)))

    def count(self, text: str) -> int:
        return len(self._escaped(text))

    def _firsts(self, text: str) -> list[int]:
        """Where the first characters of tokens end."""
        # As long as the text, with one form of each character, and all that is unseen an escape.
        # Few texts have any such character, and to look for them is quicker than to translate.
        is_plain = text.isascii() or _FOLDED.isdisjoint(text)
        folded = text if is_plain else text.translate(_FOLDS)
        return [found.end() for found in self._found.finditer(folded)]

    def _escaped(self, text: str) -> list[int]:
        return [end for end in self._firsts(text) if text[end] == ESCAPE]


def _cut(text: str, places: Sequence[int], left_out: int) -> Iterator[str]:
    """The parts of a text between some places, without so many characters after each place."""
    begin = 0
    for place in places:
        yield text[begin:place]
        begin = place + left_out
    yield text[begin:]
