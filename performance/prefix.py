"""What an engine with a prefix cache reads of tasks that keep a person's evidence, against the ideal.

The ideal reads the system text once, each person's evidence on a topic (or each stage, user, persona or
instance) once, and every item's own text. `rag` chooses evidence for each item: it is shown, and held to
no target. HugAgent's human track and SynchToM are fictional samples in their formats unless a clone and
a built repository are given. With vLLM installed, `--engine vllm` asks a real engine too
(performance/prefix_engine.py). Run: python -m performance.prefix [--help]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherminds import harness
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from performance import engine, prefix_engine
from performance import prefix_tokens as prefix
from performance.prefix_tokens import BLOCK, Encode, Measured, Shown
from performance.ratio import Ratio, print_table
from tests.helpers import fictional_hugagent, small_builds, tiny_model

DATA = "generated"
CLAIM = "prefix tokens that are read, against the ideal"
TARGET = "<= 1.05"
PEOPLE = 50
DOCUMENTS = 400
"""How many first documents of a task are counted: five stages, some forty interviews."""

# All of these show the same evidence in all items of a person and topic, which `rag` cannot:
# it chooses turns for each item. `rag_full` shows the whole interview before the chosen turns.
HUGAGENT = (
    *("", "_logprob", "_cot", "_paraphrased", "_context5", "_context10", "_random_context"),
    *("_no_demographics", "_cross_domain", "_cross_person", "_rag_full", "_rag"),
)
SOCIALMIND = ("", "_cot", "_logprob", "_truncated", "_with_states")
HUMAN = "; upstream masks another answer for each BSI item, so that evidence ends there"
DEBATE = ("both", "beliefs", "demographics", "cross_category")
FORMS = ("", "_direct", "_logprob")


@dataclass(frozen=True)
class Kept:
    """A task that keeps evidence.

    mark    with what the item's own text begins
    owner   the columns that say whose evidence it is
    target  what its ratio is held to; none for a task whose evidence is chosen for each item
    note    why it may miss that
    data    whose data it asks, one of `ratio.DATA`
    """

    task: str
    mark: str
    owner: tuple[str, ...]
    metadata: dict[str, Any] = field(default_factory=dict)
    target: str = TARGET
    note: str = ""
    data: str = DATA


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", help="of transformers; else one is trained on the texts")
    parser.add_argument("--human", type=Path, help="a clone of upstream's repository")
    parser.add_argument("--synchtom", type=Path, help="a repository that `otherminds build` wrote")
    parser.add_argument("--engine", choices=["none", "vllm"], default="none")
    told = parser.parse_args()
    found = counted(told.tokenizer, told.human, told.synchtom)
    print_table(found)
    if told.engine == "vllm":
        print_table(prefix_engine.measure())


def measure() -> list[Ratio]:
    """Tokens read against the ideal, for each task; where vLLM is installed, on it too."""
    if engine.is_here():
        return [*counted(), *prefix_engine.measure()]
    return [*counted(), Ratio.left_out("prefix-cache hits and times on vLLM", engine.MISSING)]


def counted(
    tokenizer: str | None = None, human: Path | None = None, synchtom: Path | None = None
) -> list[Ratio]:
    """Tokens that are read when every prefix is read once, against the ideal, task by task."""
    harness.quiet(debug=False)
    with tempfile.TemporaryDirectory() as folder:
        encode = encoder(tokenizer or trained(Path(folder) / "model"))
        clone = human or fictional_hugagent.write_clone(
            fictional_hugagent.sample(), Path(folder) / "clone"
        )
        built = synchtom or small_builds.write("synchtom", Path(folder) / "synchtom", "0.0.1")
        whose = ("real" if human else "fictional", "generated" if synchtom else "fictional")
        return [_ratio(one, encode) for one in kept_by(clone, built, *whose)]


def kept_by(
    human: Path, synchtom: Path, human_data: str = "fictional", synchtom_data: str = "fictional"
) -> Iterator[Kept]:
    """All tasks that show one evidence in several prompts, and whose documents need no earlier answers.

    The others show it as these do: a stage that needs answers has its task's own template.
    """
    person = ("participant_id", "topic")
    for track, told in (("_synthetic", {"data_subset": PEOPLE}), ("", {"data_source": str(human)})):
        for variant in HUGAGENT:
            # The log-probability form alone ends in its own name.
            name = (
                f"hugagent{track}_logprob" if variant == "_logprob" else f"hugagent{variant}{track}"
            )
            mark = "# What you are asked" if variant == "_paraphrased" else "# The question"
            target = "" if variant == "_rag" else TARGET
            note, whose = ("", DATA) if track else (HUMAN, human_data)
            yield Kept(name, mark, person, told, target, note, whose)
    for variant in SOCIALMIND:
        yield Kept(f"socialmindchange_scale_lite{variant}", "# The question", ("stage_id",))
    for condition in DEBATE:
        # Beliefs in other categories than the item's are another evidence for each category.
        owner = ("user_id", "category") if condition == "cross_category" else ("user_id",)
        for form in FORMS:
            yield Kept(f"debate_{condition}_synthetic{form}", "[[ ## proposition ## ]]", owner)
    yield Kept(
        *("trust_game_forecast", "Suppose that, in every round", ("persona_id",)),
        {"forecast_form": "rule"},
    )
    yield Kept("trust_game_round1", "This is round", ("persona_id",))
    # A user after no turn, one turn, … ten: each shows the beginning of the next.
    kwargs = {"data_source": str(synchtom)}
    yield Kept("synchtom_turns", "# Your task", ("instance_id",), kwargs, data=synchtom_data)


def trained(folder: Path) -> str:
    """A tokenizer of 2,000 tokens: real ones have more, and make fewer tokens of the evidence."""
    rows = data.for_task(dataset="hugagent-synthetic", configs=["bdu"], data_subset=50)["test"]
    texts = [turn["answer"] for row in rows for turn in row["context"]]
    return str(tiny_model.make(folder, [*dict.fromkeys(texts), *rows["question"]]))


def encoder(name: str) -> Encode:
    """The tokenizer `name`: a folder, or a name on the Hub."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(name)
    return lambda texts: tokenizer(list(texts), add_special_tokens=False)["input_ids"]


def _ratio(kept: Kept, encode: Encode) -> Ratio:
    name = f"prefix tokens, {kept.task}"
    try:
        prompts = prefix.measure(shown(kept), encode)
    except OtherMindsError as error:
        raise OtherMindsError(f"{kept.task}: {error}") from error
    return _compared(name, prompts, kept)


def _compared(name: str, prompts: list[Measured], kept: Kept) -> Ratio:
    """How much is read of a task's prompts, against the ideal; the note has the rest."""
    sent, ideal = prefix.total(prompts), prefix.ideal(prompts)
    blocks = prefix.unique(prompts, block=BLOCK)
    return Ratio.of(
        name,
        prefix.unique(prompts),
        ideal,
        "tokens",
        target=kept.target,
        note=f"{sent:,} sent; {blocks / ideal:.3f} in blocks of {BLOCK}{kept.note}",
        data=kept.data,
        claim=CLAIM,
    )


def shown(kept: Kept) -> list[Shown]:
    """A task's prompts; of `rag_full`, what comes after the whole interview is the item's own."""
    found = prefix.of_task(_loaded(kept, kept.task), kept.mark, kept.owner)
    if "rag_full" not in kept.task:
        return found
    base = _loaded(kept, kept.task.replace("_rag_full", ""))
    own = prefix.of_task(base, kept.mark, kept.owner)
    return [prefix.resplit(more, less.evidence) for more, less in zip(found, own, strict=True)]


def _loaded(kept: Kept, name: str) -> Any:
    task = harness.load_tasks(harness.task_manager(kept.metadata), [name])[name]
    docs = task.dataset["test"]
    task.dataset["test"] = docs.select(range(min(DOCUMENTS, len(docs))))
    return task


if __name__ == "__main__":
    main()
