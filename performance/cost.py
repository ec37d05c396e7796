"""What a whole run asks of a model: requests, and tokens of prompts with a prefix cache and without.

The tokens of the first 400 documents are counted, and scaled to all. The tokenizer is trained on texts
of the data, with 2,000 tokens: a real model's has more, and makes fewer tokens of the same text, so the
characters stand beside them. A prefix cache that forgets nothing reads each beginning once. What a
model writes is not measured, but how much it may write at most; nor are prices.
Run: python -m performance.cost [--tokenizer NAME]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherminds import harness
from performance import prefix_tokens as prefix
from performance.prefix import DOCUMENTS, encoder, trained
from performance.prefix_tokens import Encode
from performance.ratio import Ratio, print_table

DATA = "generated"
NAME = "prompt tokens of a whole run, read with a prefix cache against sent"


@dataclass(frozen=True)
class Asked:
    """A task, and the beginning and the owner of an item's own text, as in `performance.prefix`."""

    task: str
    mark: str
    owner: tuple[str, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)


TASKS = (
    Asked("hugagent_synthetic", "# The question", ("participant_id", "topic")),
    Asked("socialmindchange_scale_lite", "# The question", ("stage_id",)),
    Asked("socialmindchange_scale", "# The question", ("stage_id",)),
    Asked("debate_both_synthetic", "[[ ## proposition ## ]]", ("user_id",)),
    Asked(
        *("trust_game_forecast", "Suppose that, in every round", ("persona_id",)),
        {"forecast_form": "rule"},
    ),
)
"""One task of each benchmark whose data are generated, in its plain form; SocialMindChange whole too."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", help="of transformers; else one is trained on the texts")
    print_table(measure(tokenizer=parser.parse_args().tokenizer))


def measure(documents: int = DOCUMENTS, *, tokenizer: str | None = None) -> list[Ratio]:
    """Tokens of each task, from so many first documents."""
    harness.quiet(debug=False)
    with tempfile.TemporaryDirectory() as folder:
        encode = encoder(tokenizer or trained(Path(folder) / "model"))
        return [counted(one, documents, encode) for one in TASKS]


def counted(asked: Asked, documents: int, encode: Encode) -> Ratio:
    """The tokens of a whole run in millions, read against sent."""
    task = harness.load_tasks(harness.task_manager(asked.metadata), [asked.task])[asked.task]
    docs = task.dataset["test"]
    n, taken = len(docs), min(documents, len(docs))
    task.dataset["test"] = docs.select(range(taken))
    shown = prefix.of_task(task, asked.mark, asked.owner)
    prompts = prefix.measure(shown, encode)
    characters = sum(len(one.system + one.evidence + one.rest) for one in shown)
    most = (task.config.generation_kwargs or {}).get("max_gen_toks")
    written = f", each of at most {most:,} tokens" if most else ""
    whole = n / taken / 1e6
    return Ratio.of(
        f"{NAME}, {asked.task}: {n:,} requests",
        prefix.unique(prompts) * whole,
        prefix.total(prompts) * whole,
        "million tokens",
        note=f"{n:,} answers{written}; {characters * whole:,.1f} million characters of prompts; "
        f"from the first {taken:,} documents",
    )


if __name__ == "__main__":
    main()
