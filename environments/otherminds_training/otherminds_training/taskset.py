"""Documents of a task on people made anew for training, each with its reward."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import Any

import verifiers.v1 as vf

from otherminds import benchmark
from otherminds.rewards import training


class PersonConfig(vf.TasksetConfig):
    """Which items: see `otherminds.rewards.training.prompts`."""

    task_name: str = "hugagent_bsi_synthetic"
    people: int = 64
    number: int = 0
    limit: int | None = None


class PersonData(vf.TaskData):
    """An item: `columns` are those that its reward needs, with the gold answer."""

    dataset: str
    canary: str
    columns: dict[str, Any]


class PersonTask(vf.Task[PersonData]):
    """One item on one person."""

    @vf.reward(weight=1.0)
    async def answer(self, trace: vf.Trace) -> float:
        """1 for a right answer, as the benchmark counts it."""
        return self._rewarded("answer_reward", trace)

    @vf.metric
    async def readable(self, trace: vf.Trace) -> float:
        """1 where an answer could be read."""
        return self._rewarded("readable_reward", trace)

    def _rewarded(self, name: str, trace: vf.Trace) -> float:
        module = importlib.import_module(str(benchmark.of_dataset(self.data.dataset).rewards))
        columns = {key: [value] for key, value in self.data.columns.items()}
        [found] = getattr(module, name)(completions=[trace.last_reply], **columns)
        return float(found)


class PersonTaskset(vf.Taskset[PersonTask, PersonConfig]):
    """The documents of a task on a training set."""

    def load(self) -> Iterable[PersonTask]:
        """The items in the order of the data; raises OtherMindsError as `training.prompts`."""
        config = self.config
        rows = training.prompts(
            config.task_name, size=config.people, number=config.number, limit=config.limit
        )
        return self._tasks(rows)

    def _tasks(self, rows: Iterable[dict[str, Any]]) -> Iterator[PersonTask]:
        told = {"prompt", "item_id", "dataset", "canary"}
        for row in rows:
            system, user = (one["content"] for one in row["prompt"])
            data = PersonData(
                id=row["item_id"],
                system_prompt=system,
                prompt=user,
                dataset=row["dataset"],
                canary=row["canary"],
                columns={key: value for key, value in row.items() if key not in told},
            )
            yield PersonTask(data, self.config.task)
