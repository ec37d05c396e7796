"""Models with a journal, as a run has them, without a run around them."""

from __future__ import annotations

from typing import Any

from otherminds.harness import LM
from otherminds.running.journal import Journal
from otherminds.running.journaled_lm import JournaledLM
from otherminds.running.window import Window


def asker(model: LM, journal: Journal, **changes: Any) -> JournaledLM:
    """The model `model`, on the task `t`, which is neither cut short nor watched."""
    settings: dict[str, Any] = {
        "identity": "model",
        "versions": {"t": "1.0"},
        "window": Window(allow_truncation=False),
        "advance": lambda done, total: None,
    }
    return JournaledLM(model, journal, **(settings | changes))
