"""What the generation of the source left in its turns, and what it gives away."""

from __future__ import annotations

import re

# One trajectory repeats, in every observation, the instruction that its generator was given, with the
# whole true state in it.
_INSTRUCTION = re.compile(
    r"\ASimulate the environment feedback\. MUST reflect True State '.*?' \. -> ", re.DOTALL
)

# Written into some actions, as others carry it in a key of its own.
_LABEL = re.compile(r"[ \t]*\(Red Herring\)", re.IGNORECASE)

_ASIDE = re.compile(r"\btrue state\b", re.IGNORECASE)


def without_traces(text: str) -> str:
    """`text` without instructions to its generator and without labels of misleading steps."""
    return _LABEL.sub("", _INSTRUCTION.sub("", text))


def names_true_state(text: str) -> bool:
    """Whether a narrator's aside speaks of the "true state", a term that no user would use."""
    return _ASIDE.search(text) is not None
