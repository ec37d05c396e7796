"""How many tokens of a set of prompts an engine reads that keeps the prefixes it has read.

Counted for a cache that forgets nothing. Prompts that show the same evidence should cost it once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherminds.running.prefixes import Prefixes, packed

BLOCK = 16
"""Tokens per cached block in vLLM, by default: only whole blocks are served again."""

Encode = Callable[[Sequence[str]], Sequence[Sequence[int]]]
"""A tokenizer: texts to tokens, without special tokens."""


@dataclass(frozen=True)
class Shown:
    """One prompt: system text, then evidence, then the item's own text.

    `owner` is what the evidence belongs to: prompts of one owner are meant to share it.
    """

    owner: Hashable
    system: str
    evidence: str
    rest: str


@dataclass(frozen=True)
class Measured:
    """A prompt in tokens: all of them, and how many are system text and evidence."""

    owner: Hashable
    tokens: NDArray[np.uint32]
    system: int
    evidence: int


def of_task(task: Any, mark: str, owner: Sequence[str]) -> list[Shown]:
    """The prompts of a loaded task; an item's own text begins with `mark`.

    The evidence belongs to what the columns `owner` name, such as a person on a topic. Raises
    ValueError for a prompt without the mark.
    """
    system = task.config.description
    found = []
    for doc in task.eval_docs:
        evidence, sign, rest = task.doc_to_text(doc).partition(mark)
        if not sign:
            raise ValueError(f"The prompt of {doc['item_id']} does not contain '{mark}'.")
        whose = tuple(doc[column] for column in owner)
        found.append(Shown(whose, system, evidence, sign + rest))
    return found


def resplit(shown: Shown, evidence: str) -> Shown:
    """The same prompt, of which only `evidence` counts as such and what follows is the item's own.

    Raises ValueError unless the prompt's evidence begins with it.
    """
    if not shown.evidence.startswith(evidence):
        raise ValueError(f"A prompt of {shown.owner} does not begin with that evidence.")
    rest = shown.evidence.removeprefix(evidence) + shown.rest
    return Shown(shown.owner, shown.system, evidence, rest)


def measure(prompts: Sequence[Shown], encode: Encode) -> list[Measured]:
    """Count the tokens of prompts and of their parts."""
    heads = list(
        dict.fromkeys(
            head for shown in prompts for head in (shown.system, shown.system + shown.evidence)
        )
    )
    length = dict(zip(heads, map(len, encode(heads)), strict=True))
    wholes = encode([shown.system + shown.evidence + shown.rest for shown in prompts])
    return [
        Measured(
            owner=shown.owner,
            tokens=np.array(tokens, dtype=np.uint32),
            system=length[shown.system],
            evidence=length[shown.system + shown.evidence] - length[shown.system],
        )
        for shown, tokens in zip(prompts, wholes, strict=True)
    ]


def total(prompts: Iterable[Measured]) -> int:
    """Tokens that an engine without a prefix cache reads."""
    return sum(len(prompt.tokens) for prompt in prompts)


def unique(prompts: Iterable[Measured], *, block: int = 1) -> int:
    """Tokens that are read when every prefix of whole blocks is read once.

    With `block` = 1, the nodes of the prompts' trie. A prompt's last, partial block is always read.
    """
    new = Prefixes(block).new(packed(prompt.tokens) for prompt in prompts)
    return sum(read for _, read in new)


def ideal(prompts: Iterable[Measured]) -> int:
    """Tokens when the system text is read once, each owner's evidence once, and the rest each time.

    Of an owner's prompts that show different evidence, the longest counts.
    """
    system, rest = 0, 0
    evidence: dict[Hashable, int] = {}
    for prompt in prompts:
        system = max(system, prompt.system)
        evidence[prompt.owner] = max(evidence.get(prompt.owner, 0), prompt.evidence)
        rest += len(prompt.tokens) - prompt.system - prompt.evidence
    return system + sum(evidence.values()) + rest
