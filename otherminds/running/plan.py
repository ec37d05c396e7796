"""A run before its model is loaded: what was asked for, its stages, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherminds import harness, manifest, weightless
from otherminds.benchmark import of_dataset
from otherminds.errors import OtherMindsError
from otherminds.keys import LIMIT, SAMPLES
from otherminds.running import results, stages
from otherminds.running.models import Options, Season

DEFAULT_MODEL = "majority"
WITHOUT_GOLDS = "random"
_UNNAMED = "default"
DEFAULT_OUTPUT = "otherminds-results"


@dataclass(frozen=True)
class Plan:
    """The tasks and stages that a run evaluates.

    earlier    stages that must be run first, in order
    names      the tasks, groups and tags that were asked for and are not among these
    tasks      the tasks behind these names
    asked_for  the tasks that were asked for, whether they are among the stages or not
    given      the sample files of stages that need not be run
    """

    earlier: Sequence[str]
    names: Sequence[str]
    tasks: Sequence[str]
    asked_for: frozenset[str]
    given: Mapping[str, Path]


@dataclass(frozen=True)
class Begun:
    """A run before its model is loaded.

    arguments  lm-eval's flags
    manager    the index of tasks
    plan       its tasks and stages
    tasks      all of these, stages first
    season     the season that is played, if any
    """

    arguments: harness.RunArguments
    manager: Any
    plan: Plan
    tasks: Sequence[str]
    season: Season | None


def begin(
    patterns: Sequence[str],
    flags: Sequence[str],
    options: Options,
    *,
    say: Callable[[str], None] | None = None,
    writes: bool = True,
) -> Begun:
    """Read flags, find the tasks and refuse what cannot be run; what is given is as in `run`.

    writes  whether the run will write, so that its folder is made
    """
    arguments = harness.parse_arguments(
        flags, default_model=_UNNAMED, default_output=DEFAULT_OUTPUT
    )
    arguments.output_path = arguments.output_path or DEFAULT_OUTPUT
    season = options.season(arguments)
    manager = harness.task_manager(arguments.metadata, arguments.include_path)
    names = harness.resolve_names(manager, [*patterns, *(arguments.tasks or [])])
    if not names:
        raise OtherMindsError(
            "Say which task to run: `otherminds list` prints those to begin with."
        )
    asked_for = harness.leaves(manager, names)
    if arguments.metadata or arguments.num_fewshot:
        from otherminds.running import used_keys

        for line in used_keys.refuse_unused(manager, asked_for, arguments):
            if say is not None:
                say(line)
    if arguments.model == _UNNAMED:
        played = season is not None and season.is_played(arguments)
        arguments.model = WITHOUT_GOLDS if played else _default_model(manager, names)
    if season is not None:
        season.check(arguments, asked_for)
    if writes:
        results.check_writable(Path(arguments.output_path))
    if writes and arguments.hf_hub_log_args:
        from otherminds.running import pushing

        pushing.check(arguments)
        pushing.warn_of_golds(arguments)
    if writes:
        from otherminds.running import tracking

        tracking.check(arguments)
    plan = planned(manager, names, arguments.metadata)
    if plan.earlier and arguments.limit is not None and arguments.limit < 1:
        arguments.limit = stages.as_count(manager, plan.tasks, arguments.limit)
    if plan.earlier and arguments.samples:
        raise OtherMindsError(
            "--samples picks documents of one task, and a staged run has several: use --limit, which "
            "counts the documents of the last stage."
        )
    tasks = [*plan.earlier, *harness.leaves(manager, plan.names)]
    if options.reasoning:
        from otherminds.running import reasoning

        reasoning.refuse_log_likelihoods(manager, tasks)
        if say is not None and weightless.find(arguments.model) is not None:
            say(f"--reasoning changes nothing for '{arguments.model}', which has no weights.")
    if options.runs > 1:
        from otherminds.running import repeated

        if not plan.earlier:
            repeated.check(manager, plan.tasks)
        for line in repeated.notes(
            manager,
            plan.tasks,
            earlier=plan.earlier,
            settings=arguments.gen_kwargs or {},
            runs=options.runs,
        ):
            if say is not None:
                say(line)
    return Begun(arguments, manager, plan, tasks, season)


def planned(manager: Any, names: Sequence[str], metadata: Mapping[str, Any]) -> Plan:
    """The plan of a run of some tasks, groups or tags.

    Raises OtherMindsError for a stage that does not exist.
    """
    asked_for = harness.leaves(manager, names)
    chains = [harness.task_metadata(manager, task).get("stages") for task in asked_for]
    if not any(chains) and not metadata.get(SAMPLES):
        return Plan((), names, asked_for, frozenset(asked_for), {})
    given = stages.given(manager, names, metadata)
    earlier = [name for name in stages.before(manager, names) if name not in given]
    answered = {name for name in stages.before(manager, names) if name in given}
    tasks = [task for task in asked_for if task not in earlier and task not in answered]
    # A group is taken apart where some of its tasks are stages of others.
    kept = tasks if len(tasks) < len(asked_for) else names
    return Plan(earlier, kept, tasks, frozenset(asked_for), given)


def _default_model(manager: Any, names: Sequence[str]) -> str:
    """The weightless model for a run that names none: that of the first task's benchmark."""
    datasets = (
        kwargs["dataset"]
        for name in names
        for kwargs in harness.dataset_kwargs(manager, name)
        if "dataset" in kwargs
    )
    dataset = next(datasets, None)
    return of_dataset(dataset).default_model if dataset in manifest.names() else DEFAULT_MODEL


def added(limit: float | None, plan: Plan, samples: Mapping[str, Path]) -> dict[str, Any]:
    """The settings that tasks of a staged run get beyond `--metadata`."""
    found: dict[str, Any] = {}
    if plan.earlier and limit is not None:
        found[LIMIT] = limit
    if samples:
        found[SAMPLES] = {stage: str(path) for stage, path in samples.items()}
    return found
