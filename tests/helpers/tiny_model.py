"""Real, tiny Llama models with a tokenizer and a chat template, made on the spot."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def make(
    folder: Path,
    texts: Iterable[str],
    *,
    says: str | None = None,
    max_length: int = 16_384,
    chat: bool = True,
    template: str = CHAT_TEMPLATE,
    tokenizer: Any = None,
) -> Path:
    """Write a model, and a tokenizer trained on `texts` (or the one given), to `folder`.

    Its weights are random, or such that it answers every prompt with the one token `says`.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    fast = _trained(texts) if tokenizer is None else tokenizer
    if chat:
        fast.chat_template = template
    fast.save_pretrained(folder)

    torch.manual_seed(0)
    # vLLM's CPU attention needs a head size of 64.
    config = LlamaConfig(
        vocab_size=len(fast),
        hidden_size=128,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=64,
        max_position_embeddings=max_length,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
        bos_token_id=fast.bos_token_id,
    )
    model = LlamaForCausalLM(config)
    if says is not None:
        [token] = fast.encode(says)
        _always(model, token, fast.eos_token_id)
    model.save_pretrained(folder)
    return folder


def _trained(texts: Iterable[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=2_000,
        special_tokens=["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>"
    )


def _always(model: Any, token: int, end: int) -> None:
    """Make the next token depend on the last one alone: `token` after all others, then `end`."""
    import torch

    with torch.no_grad():
        for layer in model.model.layers:
            # Nothing is added to the embedding on its way through the layers.
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        embedding, head = model.model.embed_tokens.weight, model.lm_head.weight
        embedding.zero_()
        head.zero_()
        embedding[:, 0] = 1.0
        head[token, 0] = 10.0
        embedding[token, 0], embedding[token, 1] = 0.0, 1.0
        head[end, 1] = 10.0
