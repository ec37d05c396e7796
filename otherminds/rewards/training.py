"""Prompts to train on: documents of a task on data that are generated anew, from seeds of their own.

    from otherminds.rewards import training
    rows = training.prompts(TASK, size=64, number=0)

The number of a training set is turned into a seed that no release and no season can have, and each
dataset's training sets carry one canary of their own. What a model learns from them is the generator,
and that changes what its score means: docs/how-to/training.md.
"""

from __future__ import annotations

import hashlib
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import datasets

from otherminds import benchmark, harness, manifest
from otherminds.data.build import dataset as building
from otherminds.data.repository import rows as repository
from otherminds.errors import OtherMindsError, unknown_task
from otherminds.rewards.rows import DATASET

CANARY: Final = "canary"
"""The column with the canary of training sets."""

_LEAST: Final = 2**256
"""Above all seeds of releases, which manifests state, and of seasons, which are hashes of 256 bits."""


def seed(dataset: str, number: int) -> int:
    """The seed of a dataset's training set `number`: 2^256 and the SHA-256 of both.

    Raises OtherMindsError unless `number` is a whole number from 0.
    """
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise OtherMindsError(f"A training set has a whole number from 0, not {number!r}.")
    told = f"otherminds training seed\x00{dataset}\x00{number}".encode()
    return _LEAST + int.from_bytes(hashlib.sha256(told).digest(), "big")


def canary(dataset: str) -> str:
    """The canary of a dataset's training sets, which follows from that of its release."""
    _, _, of_release = manifest.load(dataset).canary.partition("CANARY-")
    own = uuid.uuid5(uuid.UUID(of_release), "training")
    return f"OTHERMINDS-TRAINING-CANARY-{own}"


def prompts(
    task: str, *, size: int, number: int = 0, limit: int | None = None, chat: bool = True
) -> datasets.Dataset:
    """The documents of a task or group on a training set, as a trainer takes them.

    size    how many people the set has, or stages
    number  which set: the same number gives the same rows
    limit   how many rows to keep, from the first
    chat    whether `prompt` holds messages, for a model with a chat template, or a text

    Prompts are those of an evaluation of the installed version of the task. Further columns are those
    that the rewards of the benchmark need, with the gold answer, the item's id, the dataset and the
    canary. Raises OtherMindsError for a task that does not exist or whose benchmark has no such
    rewards, and for a size that its generator does not take.
    """
    manager = harness.task_manager()
    if task not in manager.task_index:
        raise unknown_task(task, manager.all_tasks)
    [dataset, *others] = sorted(
        {str(one.get("dataset")) for one in harness.dataset_kwargs(manager, task)}
    )
    if others or dataset not in manifest.names():
        raise OtherMindsError(f"'{task}' is not on one dataset of ours: choose a part of it.")
    module = _rewards_of(dataset, task)
    with tempfile.TemporaryDirectory(prefix="otherminds-training-") as work:
        folder = Path(work) / dataset
        _write(dataset, folder, module.sized, size, number)
        made = harness.task_manager({"data_source": str(folder)})
        found = [
            # The ids of a release begin anew in every set.
            {**row, "item_id": f"training-{number}-{row['item_id']}"}
            for row in _rows(made, task, dataset, module.REWARDING, limit, chat)
        ]
    return datasets.Dataset.from_list(found)


def _rewards_of(dataset: str, task: str) -> Any:
    """The rewards of a dataset's benchmark, which say how training sets are made."""
    module = benchmark.resolve(benchmark.of_dataset(dataset).rewards)
    rewarding = getattr(module, "REWARDING", None)
    if rewarding is None or dataset not in rewarding.datasets:
        raise OtherMindsError(
            f"'{task}' is on {dataset}, of which no training sets are made: its gold answers are not "
            "those of a generator, or nobody can reward an answer without a judge."
        )
    return module


def _write(dataset: str, folder: Path, sized: Any, size: int, number: int) -> None:
    known = manifest.load(dataset)
    builder = building.builder_of(known)
    own = seed(dataset, number)
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise OtherMindsError(f"A training set has one person or stage at least, not {size!r}.")
    try:
        spec = builder.spec({**sized(known.generator or {}, size), "seed": own})
        tables = builder.build(spec, num_proc=1, progress=None)
    except ValueError as error:
        raise OtherMindsError(f"Cannot make a training set of {dataset}: {error}") from error
    # Not all configurations of a release need be there.
    made = known.model_copy(
        update={"configs": {name: known.configs[name] for name in tables}, "slices": {}}
    )
    made = made.model_copy(
        update={
            "version": f"{known.version}+training.{number}",
            "configs": building.described(made, tables),
            "canary": canary(dataset),
        }
    )
    folder.mkdir(parents=True)
    repository.write(folder, made, tables)


def _rows(
    manager: Any, name: str, dataset: str, rewarding: Any, limit: int | None, chat: bool
) -> Iterator[Mapping[str, Any]]:
    own = canary(dataset)
    left = limit
    for task in harness.load_tasks(manager, [name]).values():
        if task.OUTPUT_TYPE != "generate_until":
            raise OtherMindsError(
                f"'{task.config.task}' compares options and asks for no text: train on the task "
                "without `_logprob`."
            )
        for doc in task.eval_docs:
            if left == 0:
                return
            left = None if left is None else left - 1
            yield {
                "prompt": harness.prompt(task, doc, chat=chat),
                "item_id": doc["item_id"],
                DATASET: dataset,
                CANARY: own,
                **_needed(doc, rewarding.columns),
            }


def _needed(doc: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    return {name: doc.get(name) for name in columns}
