"""Chat templates of our own with the marks and line breaks that model families have published.

Each ends a prompt as its family does: that is what decides into which tokens an option falls.
"""

from __future__ import annotations

from typing import Any

_CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def _qwen(thought: str) -> str:
    """ChatML with the beginning of a reply that Qwen 3 writes for the model."""
    return _CHATML.replace("assistant\n{% endif %}", f"assistant\n{thought}{{% endif %}}")


TEMPLATES = {
    "chatml": _CHATML,
    "llama3": (
        "{{ bos_token }}{% for message in messages %}<|start_header_id|>{{ message['role'] }}"
        "<|end_header_id|>\n\n{{ message['content'] }}<|eot_id|>{% endfor %}"
        "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
    ),
    "gemma": (
        "{{ bos_token }}{% for message in messages %}<start_of_turn>"
        "{{ 'model' if message['role'] == 'assistant' else 'user' }}\n{{ message['content'] }}"
        "<end_of_turn>\n{% endfor %}"
        "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
    ),
    "mistral": (
        "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'assistant' %}"
        " {{ message['content'] }}{{ eos_token }}{% else %}[INST] {{ message['content'] }} [/INST]"
        "{% endif %}{% endfor %}"
    ),
    "mistral_v7": (
        "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'system' %}"
        "[SYSTEM_PROMPT]{{ message['content'] }}[/SYSTEM_PROMPT]"
        "{% elif message['role'] == 'assistant' %}{{ message['content'] }}{{ eos_token }}"
        "{% else %}[INST]{{ message['content'] }}[/INST]{% endif %}{% endfor %}"
    ),
    "qwen_not_thinking": _qwen("<think>\n\n</think>\n\n"),
    "qwen_thinking": _qwen("<think>\n"),
}
"""By family; Mistral's newer templates have no blanks, and Qwen's is ChatML with thoughts or without."""

MARKS = [
    *("<|im_start|>", "<|im_end|>"),
    *("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    *("<start_of_turn>", "<end_of_turn>"),
    *("[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"),
    *("<think>", "</think>"),
]
"""The marks that tokenizers of these families have as one token."""


def rendered(tokenizer: Any, template: str, question: str) -> str:
    """The prompt that a chat template makes of a question."""
    prompt: str = tokenizer.apply_chat_template(
        [{"role": "user", "content": question}],
        chat_template=TEMPLATES[template],
        tokenize=False,
        add_generation_prompt=True,
    )
    return prompt
