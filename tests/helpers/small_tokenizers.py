"""Small tokenizers of the kinds that models have, trained on the spot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.helpers.chat_templates import MARKS

KINDS = ("byte_level", "byte_level_across", "metaspace", "unigram")
"""byte_level         merges within words, runs of line breaks and single digits: Llama 3, Qwen
byte_level_across  merges across everything, a line break and the letter after it too
metaspace          blanks are a mark before words, and what is unknown is its bytes: Llama 2, Mistral
unigram            pieces by likelihood, over such marks, and line breaks are pieces
"""

BOS, EOS, UNKNOWN = "<s>", "</s>", "<unk>"

_WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s*[\r\n]+|\s+"


def train(kind: str, texts: Iterable[str], *, adds_bos: bool = False) -> Any:
    """A transformers tokenizer of a kind, trained on some texts.

    adds_bos  whether it begins every text with `BOS`
    """
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    tokenizer = {
        "byte_level": lambda: _byte_level(texts, across=False),
        "byte_level_across": lambda: _byte_level(texts, across=True),
        "metaspace": lambda: _metaspace(texts),
        "unigram": lambda: _unigram(texts),
    }[kind]()
    if adds_bos:
        number = tokenizer.token_to_id(BOS)
        tokenizer.post_processor = TemplateProcessing(
            single=f"{BOS} $A", pair=f"{BOS} $A $B", special_tokens=[(BOS, number)]
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        **{"bos_token": BOS, "eos_token": EOS, "pad_token": EOS, "unk_token": UNKNOWN},
    )


def _special() -> list[str]:
    return [UNKNOWN, BOS, EOS, *MARKS]


def _byte_level(texts: Iterable[str], *, across: bool) -> Any:
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    bytes_of = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    words = pre_tokenizers.Split(Regex(_WORDS), behavior="isolated")
    tokenizer.pre_tokenizer = bytes_of if across else pre_tokenizers.Sequence([words, bytes_of])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=_special(),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def _metaspace(texts: Iterable[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token=UNKNOWN, fuse_unk=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Sequence([decoders.Metaspace(), decoders.ByteFallback()])
    trainer = trainers.BpeTrainer(
        vocab_size=900,
        special_tokens=[*_special(), *(f"<0x{n:02X}>" for n in range(256))],
        show_progress=False,
    )
    # Line breaks are unknown to it, and therefore bytes.
    tokenizer.train_from_iterator((text.replace("\n", " ") for text in texts), trainer)
    return tokenizer


def _unigram(texts: Iterable[str]) -> Any:
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    lines = pre_tokenizers.Split(Regex(r"\n+"), behavior="isolated")
    blanks = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([lines, blanks])
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=400,
        special_tokens=_special(),
        unk_token=UNKNOWN,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
