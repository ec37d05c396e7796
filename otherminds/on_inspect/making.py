"""An Inspect task of one of ours: the same documents, prompts and decoding as in lm-eval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.solver import Solver, generate

import otherminds
from otherminds import benchmark, harness, index
from otherminds.errors import OtherMindsError
from otherminds.keys import LIMIT, SAMPLES
from otherminds.on_inspect import chains, scoring, viewing
from otherminds.on_inspect.logs import OWN
from otherminds.running import stages, used_keys
from otherminds.running.models import role_of
from otherminds.running.signing import JUDGE_ROLE
from otherminds.samples.read import rules_of
from otherminds.scoring.scorer import SEALED
from otherminds.types import Doc


def make(name: str, metadata: Mapping[str, Any]) -> Task:
    """The Inspect task of our task `name`; `metadata` is what lm-eval takes under that name (`-T`).

    Raises OtherMindsError for a key that the task does not use, and as the task does for its data.
    """
    manager = harness.task_manager(metadata)
    used_keys.check(manager, [name], metadata)
    earlier = _earlier(manager, name, metadata)
    # Of a staged task, what earlier stages answer is not known yet: there, the ids alone count.
    loaded = stages.load(manager, name) if earlier else harness.load_tasks(manager, [name])[name]
    docs = loaded.eval_docs
    count = stages.reached(metadata.get(LIMIT), len(docs)) if earlier else len(docs)
    shown = chains.note(earlier) if earlier else None
    rules = rules_of(name)
    assert rules is not None  # it is in our index
    if count and rules.scorer.is_sealed(docs[0]):
        raise OtherMindsError(f"'{name}' cannot be scored in Inspect: {SEALED}")
    samples = _apart([sample_of(loaded, docs[place], place, shown=shown) for place in range(count)])
    judge = role_of(manager, name) == JUDGE_ROLE
    config = config_of(loaded)
    return Task(
        dataset=MemoryDataset(samples, name=rules.dataset),
        solver=_solver(name, metadata, config, earlier=earlier, judge=judge),
        scorer=scoring.graded(name),
        config=config,
        version=rules.version,
        metadata={"otherminds": otherminds.__version__, "dataset": rules.dataset},
        description=_asks(name),
        viewer=viewing.config(rules, (docs[place] for place in _some(count))),
    )


def sample_of(task: Any, doc: Doc, place: int, *, shown: str | None = None) -> Sample:
    """A document as a sample of Inspect.

    place  of the document in the task
    shown  stands in place of a prompt that is not known yet
    """
    return Sample(
        id=str(doc.get("item_id", place)),
        input=shown or messages_of(harness.chat_of(task, doc)),
        target=str(task.doc_to_target(doc)),
        metadata=facts_of(doc, place),
    )


def facts_of(doc: Doc, place: int, *, staged: bool = False) -> dict[str, Any]:
    """What a sample says of its document besides the prompt: all but the evidence, which is in there.

    Fields of several parts lie under a key of ours, for the scorer: readers see those that are short.
    `staged` says that the document was made while the sample was solved.
    """
    evidence = benchmark.evidence_columns()
    plain: dict[str, Any] = harness.plain(
        {name: value for name, value in doc.items() if name not in evidence}
    )
    own = {"place": place, "doc_hash": harness.doc_hash(doc), "staged": staged}
    more = {name: value for name, value in plain.items() if not _is_short(value)}
    shown = {name: value for name, value in plain.items() if name not in more}
    return {**shown, OWN: {**own, "more": more}}


def _is_short(value: Any) -> bool:
    parts = value if isinstance(value, list) else [value]
    return not any(isinstance(one, list | dict) for one in parts)


def messages_of(chat: Sequence[Mapping[str, str]]) -> list[ChatMessage]:
    """The messages of lm-eval as Inspect's; a prompt of ours has a system's and a user's alone."""
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser}
    return [kinds[one["role"]](content=one["content"]) for one in chat]


def config_of(task: Any) -> GenerateConfig:
    """How a task's answers are sampled, as Inspect calls it."""
    given = task.config.generation_kwargs
    # lm-eval reads do_sample as the temperature too.
    sampled = given.get("do_sample", False)
    return GenerateConfig(
        temperature=given.get("temperature", 1.0 if sampled else 0.0),
        top_p=given.get("top_p"),
        top_k=given.get("top_k"),
        max_tokens=given.get("max_gen_toks"),
        stop_seqs=list(given["until"]) if given.get("until") else None,
    )


def _apart(samples: list[Sample]) -> list[Sample]:
    """The same samples; those of one item, as in both orders of its options, are numbered."""
    times: Counter[str | int | None] = Counter()
    for one in samples:
        times[one.id] += 1
        if times[one.id] > 1:
            one.id = f"{one.id} #{times[one.id]}"
    return samples


def _some(count: int, wanted: int = 20) -> range:
    """The places of some of `count` documents, from all over them."""
    return range(0, count, max(1, count // wanted))


def _earlier(manager: Any, name: str, metadata: Mapping[str, Any]) -> list[str]:
    """The stages that must be asked before a task."""
    needed = stages.before(manager, [name])
    if not metadata.get(SAMPLES):
        return needed
    given = stages.given(manager, [name], metadata)
    if missing := [stage for stage in needed if stage not in given]:
        raise OtherMindsError(
            f"-T {SAMPLES}=… has no answers to {', '.join(missing)}. Give the samples of all earlier "
            f"stages of '{name}', or none, and they are asked in the same run."
        )
    return []


def _solver(
    name: str,
    metadata: Mapping[str, Any],
    config: GenerateConfig,
    *,
    earlier: Sequence[str],
    judge: bool,
) -> Solver:
    if earlier:
        return chains.staged(task=name, settings=dict(metadata))
    if judge:
        return chains.judging(decoding=config.model_dump(exclude_none=True))
    return generate()


def _asks(name: str) -> str | None:
    """What the task asks, in a line."""
    entry = index.entries()[name]
    asks = benchmark.resolve(benchmark.named(entry.benchmark).asks)
    return None if asks is None else str(asks(entry.content))
