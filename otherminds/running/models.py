"""The models of a run: each loaded once, one at a time."""

from __future__ import annotations

import copy
import gc
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

from otherminds import console, harness, manifest, progress, weightless
from otherminds.benchmark import of_dataset
from otherminds.errors import OtherMindsError, unknown
from otherminds.running import results
from otherminds.running.prices import Price
from otherminds.running.signing import JUDGE_ROLE
from otherminds.weightless import questions


class Season(Protocol):
    """A season that a run plays: its check of the run, and its mark in the results."""

    def is_played(self, arguments: Any) -> bool:
        """Whether the data of a season are asked."""

    def check(self, arguments: Any, tasks: Sequence[str]) -> None:
        """Raise OtherMindsError for a model or a task that the season does not take."""

    def mark(self, found: dict[str, Any], arguments: Any) -> None:
        """Note in results which season was played."""

    def mark_answer(self, task: str, sample: dict[str, Any]) -> None:
        """Note in a sample of the season the answer in it."""


def no_season(arguments: Any) -> Season | None:
    """The season of a run that plays none."""
    return None


@dataclass(frozen=True)
class Options:
    """The options that `otherminds run` adds to lm-eval's flags.

    ask_refused    ask again what a server has refused for good
    mend_journal   keep the sound answers of a damaged journal, and the file beside it
    stage_models   by task, or by the `role` in a task's metadata, the model that answers it instead of
                   the one of `--model`: `NAME` or `NAME,argument=value,…`, as in `--model_args`
    season         changes lm-eval's flags for the season that is played, and returns the differences
                   of such a run; None where none is played
    runs           how often every document is asked, or a chain of stages is walked
    reasoning      whether models have room for thoughts before their answers; None where that was not
                   said, and then a run of thoughts alone is stopped by its first replies
    price          what a server's tokens cost
    """

    allow_truncation: bool = False
    chat_template: bool = True
    fresh: bool = False
    ask_refused: bool = False
    mend_journal: bool = False
    stage_models: Mapping[str, str] = field(default_factory=dict)
    season: Callable[[Any], Season | None] = no_season
    runs: int = 1
    reasoning: bool | None = None
    price: Price | None = None


@dataclass(frozen=True)
class Loaded:
    """A model that is loaded once and can evaluate tasks several times.

    model      gives the model for some tasks in some run of a chain; a weightless one is made anew for
               each evaluation
    manager    the index that tasks are looked up in
    arguments  lm-eval's flags
    record     the facts about all evaluations so far that a results file states
    stages     shows how far an evaluation is
    runs       how often every document is asked
    """

    model: Callable[[Sequence[Any], int], harness.LM]
    manager: Any
    arguments: harness.RunArguments
    record: Callable[[], dict[str, Any]]
    stages: progress.Stages = field(default_factory=progress.Stages)
    runs: int = 1

    def evaluate(
        self,
        tasks: Sequence[Any],
        *,
        metadata: Mapping[str, Any] | None = None,
        whole: bool = False,
        run: int = 0,
        keep: harness.Keep | None = None,
    ) -> dict[str, Any] | None:
        """Run tasks (names, or loaded tasks); returns lm-eval's results dictionary with samples.

        Of several processes, only the first has results; the others get None.

        metadata  settings beyond `--metadata` of the tasks that are named
        whole     leave `--limit` aside
        run       which run of a chain of stages this is, from 0: each has answers and seeds of its own
        keep      takes the samples of a task as they come; the results have none then
        """
        manager = harness.informed(self.manager, metadata) if metadata else self.manager
        if self.runs > 1:
            manager = harness.repeating(manager, self.runs)
        arguments = copy.copy(self.arguments)
        arguments.seed = _seeds_of(arguments, run)
        if whole:
            arguments.limit = None
        with self.stages, progress.no_other_bars():
            found: dict[str, Any] | None = harness.evaluate(
                self.model(tasks, run),
                manager,
                tasks,
                arguments,
                commit=results.commit,
                environment=results.environment,
                stages=self.stages,
                key=_evidence,
                keep=keep,
            )
        return found


def _evidence(task: Any) -> Callable[[Any], tuple[str, ...]] | None:
    """From a document of a loaded task to what it has in common with those that show the same evidence.

    None where these are unknown.
    """
    dataset = harness.dataset_of({"dataset_kwargs": task.config.dataset_kwargs})
    if dataset not in manifest.names():
        return None
    columns = of_dataset(str(dataset)).together

    def key(doc: Any) -> tuple[str, ...]:
        return (str(dataset), *(str(doc.get(name)) for name in columns))

    return key if columns else None


def _seeds_of(arguments: harness.RunArguments, run: int) -> list[int | None] | None:
    """lm-eval's four seeds for run number `run`, from 0; that of few-shot examples stays the same."""
    if arguments.seed is None:
        return None
    *of_draws, fewshot = arguments.seed
    return [*(None if seed is None else seed + run for seed in of_draws), fewshot]


Load = Callable[
    [harness.RunArguments, Any, Options, progress.Stages], AbstractContextManager[Loaded]
]
"""Loads the model of some flags, with the index of tasks, for as long as it is open; see `loaded`."""


class Models:
    """The models of a run, of which one is loaded at a time.

    Two engines would not fit into one accelerator; a model that answers several tasks in a row is
    loaded once. Raises OtherMindsError for a model or a stage that does not exist.

    load  takes the place of `loaded`
    """

    def __init__(
        self,
        arguments: harness.RunArguments,
        manager: Any,
        options: Options,
        tasks: Sequence[str],
        *,
        load: Load | None = None,
    ) -> None:
        self._load = load or loaded
        self._arguments = arguments
        self._manager = manager
        self._options = options
        self._stages = progress.Stages()
        self._choices = {task: _choice(manager, options, task, arguments) for task in tasks}
        self._open: AbstractContextManager[Loaded] | None = None
        self._current: tuple[str | None, Loaded] | None = None
        self._check(tasks)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._open is not None:
            self._open.__exit__(kind, error, trace)

    def together(self, tasks: Sequence[str]) -> list[list[str]]:
        """Tasks in groups, in order, that one model answers each."""
        groups: dict[str | None, list[str]] = {}
        for task in tasks:
            groups.setdefault(self._choices[task], []).append(task)
        return list(groups.values())

    def of(self, task: str) -> Loaded:
        """The model that answers a task, loaded if it is not."""
        choice = self._choices[task]
        if self._current is not None and self._current[0] == choice:
            return self._current[1]
        self._close()
        self._open = self._load(self._chosen(choice), self._manager, self._options, self._stages)
        self._current = (choice, self._open.__enter__())
        return self._current[1]

    def _close(self) -> None:
        if self._open is not None:
            self._open.__exit__(None, None, None)
            self._open = self._current = None
            gc.collect()
            _free_accelerator()

    def _chosen(self, choice: str | None) -> harness.RunArguments:
        # A copy, because loading a model decides on its chat template.
        chosen = copy.copy(self._arguments)
        return chosen if choice is None else harness.with_model(chosen, choice)

    def _check(self, tasks: Sequence[str]) -> None:
        known = {*tasks, *(role for task in tasks if (role := role_of(self._manager, task)))}
        for name in self._options.stage_models:
            if name not in known:
                raise OtherMindsError(
                    f"No stage of this run is called '{name}'. Its stages: {', '.join(sorted(known))}."
                )
        for choice in {*self._choices.values()}:
            check_model(self._chosen(choice).model)


def _free_accelerator() -> None:
    """Give back the accelerator's memory that a model no longer in use has held."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()


def _choice(
    manager: Any, options: Options, task: str, arguments: harness.RunArguments
) -> str | None:
    """The model that answers a task; None for that of `--model`."""
    role = role_of(manager, task)
    chosen = options.stage_models.get(task) or options.stage_models.get(role or "")
    if chosen is None and role == JUDGE_ROLE and weightless.find(arguments.model) is not None:
        # Who answers without reading prompts cannot judge either.
        return _judge(manager, task)
    return chosen


def _judge(manager: Any, task: str) -> str | None:
    """The weightless judge of a task's benchmark."""
    [wanted] = harness.dataset_kwargs(manager, task)
    dataset = wanted.get("dataset")
    return of_dataset(dataset).judge if dataset in manifest.names() else None


def role_of(manager: Any, task: str) -> str | None:
    """The part of a task in a run, from its metadata, such as JUDGE_ROLE."""
    role = harness.task_metadata(manager, task).get("role")
    return role if isinstance(role, str) else None


def check_model(name: str) -> None:
    """Raise OtherMindsError for a name that is not a model's."""
    if weightless.find(name) is None and name not in (real := harness.model_names()):
        raise unknown(
            "model", name, [*weightless.names(), *real], listing="otherminds list --models"
        )


@contextmanager
def loaded(
    arguments: harness.RunArguments,
    manager: Any,
    options: Options,
    stages: progress.Stages | None = None,
) -> Iterator[Loaded]:
    """Load the model that `arguments` name, with its journal open until the block ends.

    `stages` shows how far its evaluations are; by default, bars of its own.
    """
    stages = stages or progress.Stages()
    if (strategy := weightless.find(arguments.model)) is not None:
        yield _weightless(strategy, arguments, manager, options.runs, stages)
        return
    check_model(arguments.model)
    from otherminds.running import loading

    with loading.loaded(arguments, manager, options, stages) as model:
        yield model


def _weightless(
    strategy: type[weightless.Strategy],
    arguments: harness.RunArguments,
    manager: Any,
    runs: int,
    stages: progress.Stages,
) -> Loaded:
    # Who reads results alone needs neither lm-eval nor the data.
    from otherminds.weightless import lm

    arguments.apply_chat_template = False
    record = {
        "weightless": True,
        "reads_gold": strategy.reads_gold,
        "chat_template_applied": False,
    }

    def model(tasks: Sequence[Any], run: int) -> harness.LM:
        wanted = (harness.dataset_kwargs(manager, task) for task in tasks)
        population = (
            _population(itertools.chain.from_iterable(wanted), arguments.metadata, arguments.model)
            if strategy.learns
            else ()
        )
        return lm.make(arguments.model, dict(arguments.model_args), population, run=run)

    return Loaded(model, manager, arguments, lambda: dict(record), stages, runs)


def _population(
    wanted: Iterable[Mapping[str, Any]], metadata: Mapping[str, Any], model: str
) -> list[weightless.Asked]:
    """The rows that a baseline learns from, of the datasets in some `dataset_kwargs`."""
    from otherminds.data import loading as data

    by_dataset: dict[str, list[Mapping[str, Any]]] = {}
    for kwargs in wanted:
        if kwargs.get("dataset") in manifest.names():
            by_dataset.setdefault(kwargs["dataset"], []).append(kwargs)
    for dataset in by_dataset:
        if data.is_built_whole_first(dataset, metadata):
            console.note(
                f"The model '{model}' learns from all of {dataset}, which is built for it; a run with "
                "`--model random` needs the part alone that is asked."
            )
    return [
        questions.of_dataset(dataset).asked(doc)
        for dataset in sorted(by_dataset)
        for doc in data.population(by_dataset[dataset], metadata)
    ]
