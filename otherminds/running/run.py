"""`otherminds run`: lm-eval's evaluation with a journal, a window guard and readable results."""

from __future__ import annotations

import copy
import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import otherminds
from otherminds import credentials, files, harness
from otherminds.benchmark import of_dataset
from otherminds.data import loading as data
from otherminds.data import mapping
from otherminds.errors import OtherMindsError
from otherminds.running import results, stages, tracking
from otherminds.running.models import Loaded, Models, Options, Season, role_of
from otherminds.running.plan import Plan, added, begin
from otherminds.running.sample_logs import SampleLogs
from otherminds.running.signing import JUDGE_ROLE
from otherminds.running.truncation import with_truncated
from otherminds.scoring.base import details_of


@dataclass(frozen=True)
class Finished:
    """A finished evaluation: lm-eval's results dictionary with our block, and where it was written.

    samples      the sample file of each task
    earlier      the run's evaluations before this one, in order: stages, and tasks of other models
    asked_for    whether its tasks were asked for, rather than being mere stages
    stages_path  where it is written how the stages of a staged run followed from each other
    records      the scored documents of each task
    truncated    of each of these, the share of its replies that were cut off
    runs         of a chain that was walked several times, all its walks; this is the last
    over_runs    of these, the numbers of all runs together, for each task that was asked for
    runs_path    where that is written
    """

    results: dict[str, Any]
    results_path: Path
    samples: dict[str, Path]
    earlier: tuple[Finished, ...] = ()
    asked_for: bool = True
    stages_path: Path | None = None
    records: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    truncated: Mapping[str, Sequence[float]] = field(default_factory=dict)
    runs: tuple[Finished, ...] = ()
    over_runs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    runs_path: Path | None = None

    @property
    def evaluations(self) -> tuple[Finished, ...]:
        """All evaluations of the run, in order, of which this is the last."""
        return (*self.earlier, self)

    @property
    def sample_paths(self) -> list[Path]:
        """All sample files."""
        return list(self.samples.values())


class Answering(Protocol):
    """Who answers the tasks of a run; `otherminds.running.models.Models` is one."""

    def together(self, tasks: Sequence[str]) -> list[list[str]]:
        """Tasks in groups, in order, that one model answers each."""

    def of(self, task: str) -> Loaded:
        """The model that answers a task."""


def run(
    patterns: Sequence[str],
    flags: Sequence[str],
    options: Options,
    *,
    say: Callable[[str], None] | None = None,
) -> Finished | None:
    """Evaluate a model on tasks, groups or tags, given by name or glob pattern.

    `flags` are those of `lm_eval run`. Without `--model` a weightless model answers. Where a task is
    made from the answers to earlier stages, these are asked first, unless `--metadata` gives their
    samples; `--limit` counts the documents of the tasks that were asked for. One model answers all
    stages but those that `options.stage_models` names. With `options.runs`, every document is asked so
    often, and each number is a mean over these runs; a chain of stages is walked so often, each run's
    stages being made from its own answers. `say` is called with each note for the user before the
    model is asked. Of several processes, the first one has the results and writes them; the others
    get None.
    """
    begun = begin(patterns, flags, options, say=say)
    arguments, manager, plan = begun.arguments, begun.manager, begun.plan
    folder = Path(arguments.output_path)
    if options.runs == 1 or not plan.earlier:
        with Models(arguments, manager, options, begun.tasks) as models:
            return walk(models, plan, folder, season=begun.season)
    # Each run of a chain asks every document once.
    with Models(arguments, manager, replace(options, runs=1), begun.tasks) as models:
        folders = [folder / f"run_{number}" for number in range(1, options.runs + 1)]
        found = walk_all(models, plan, folders, season=begun.season)
    from otherminds.running import repeated

    return repeated.together(found, folder) if found else None


def walk(
    models: Answering,
    plan: Plan,
    folder: Path,
    *,
    season: Season | None = None,
) -> Finished | None:
    """Run and write each earlier stage, for the next one and for the reader, and then the tasks.

    Of a staged run, a manifest in `folder` lists, after each evaluation, the finished ones and the
    files that they were made from.
    """
    found = walk_all(models, plan, [folder], season=season)
    return found[0] if found else None


def walk_all(
    models: Answering,
    plan: Plan,
    folders: Sequence[Path],
    *,
    season: Season | None = None,
) -> list[Finished]:
    """Walk a plan once for each folder, every stage in all runs before the next: models are loaded once.

    Each run's stages are made from its own answers, and lie in its own folder with its own manifest.
    Where several processes run, those without results get an empty list.
    """
    if plan.earlier and _n_processes() > 1:
        raise OtherMindsError(
            "A staged run takes one process: start it without a launcher (engines such as vLLM use "
            "several accelerators by themselves), or run its stages one by one."
        )
    groups = models.together(plan.tasks)
    last = [(plan.names, plan.tasks)] if len(groups) < 2 else [(group, group) for group in groups]
    steps = [*(([stage], [stage]) for stage in plan.earlier), *last]
    several = len(folders) > 1
    walks = [
        _Walk(plan, folder, number if several else None, season)
        for number, folder in enumerate(folders, start=1)
    ]
    for place, (names, tasks) in enumerate(steps, start=1):
        model = models.of(tasks[0])
        for one in walks:
            if len(steps) > 1:
                which = f"Run {one.number} of {len(walks)}, stage" if several else "Stage"
                model.stages.announce(f"{which} {place} of {len(steps)}")
            whole = place <= len(plan.earlier)
            if not one.step(model, names, tasks, whole=whole):
                return []
        # Held any longer, it would still be in memory when the next model is loaded.
        del model
    return [one.end() for one in walks]


def _n_processes() -> int:
    """How many processes a launcher such as `accelerate` or `torchrun` has started for this run."""
    return int(os.environ.get("WORLD_SIZE", "1"))


class _Walk:
    """One run of a plan: its evaluations, and the answers that later stages are made from.

    number  which run of several it is, from 1; None for the only one
    season  the season that is played, if any
    """

    def __init__(self, plan: Plan, folder: Path, number: int | None, season: Season | None) -> None:
        self.number = number
        self._season = season
        self._plan = plan
        self._folder = folder
        self._path = folder / f"stages_{results.now()}.json"
        self._samples = dict(plan.given)
        self._done: list[stages.Stage] = []
        self._finished: list[Finished] = []

    @property
    def _is_staged(self) -> bool:
        return bool(self._plan.earlier or self._plan.given)

    def step(
        self,
        model: Loaded,
        names: Sequence[str],
        tasks: Sequence[str],
        *,
        whole: bool,
    ) -> bool:
        """Evaluate and write the next tasks; False where another process has the results."""
        plan = self._plan
        samples = self._samples
        inputs = stages.inputs(model.manager, tasks, samples) if self._is_staged else {}
        arguments = copy.copy(model.arguments)
        arguments.output_path = str(self._folder)
        with _logs(arguments, self._season) as logs:
            found = model.evaluate(
                names,
                metadata=added(model.arguments.limit, plan, samples),
                whole=whole,
                run=(self.number or 1) - 1,
                keep=partial(_kept, logs),
            )
            if found is None:
                return False
            facts = {**model.record(), "runs": model.runs}
            if self.number is not None:
                facts["run"] = self.number
            if inputs:
                facts |= _made_from(model, inputs, self._done)
            beside = _judged_in(model, tasks, inputs, self._folder)
            one = _finish(arguments, found, facts, logs, beside=beside, season=self._season)
            group = self._path.stem if self._is_staged else None
            tracking.log(arguments, one.results, logs.held, group=group)
        self._finished.append(replace(one, asked_for=not plan.asked_for.isdisjoint(tasks)))
        if self._is_staged:
            self._done += _stages_of(model, one, samples)
            self._samples |= {task: one.samples[task] for task in tasks if task in plan.earlier}
            planned = [*plan.earlier, *plan.tasks]
            stages.write_manifest(self._done, self._path, planned=planned)
        return True

    def end(self) -> Finished:
        """The last evaluation, with those before it."""
        *earlier, last = self._finished
        path = self._path if self._is_staged else None
        return replace(last, earlier=tuple(earlier), stages_path=path)


def _made_from(
    model: Loaded, inputs: Mapping[str, Path], done: Sequence[stages.Stage]
) -> dict[str, Any]:
    """The facts in a results file on the stages that its tasks were made from."""
    known = {stage.task: (dict(stage.model), stage.reads_gold) for stage in done}
    models = {}
    reads_gold = model.record()["reads_gold"]
    for stage, path in inputs.items():
        found = known.get(stage) or results.model_of(path)
        if found is not None:
            models[stage] = found[0]
            reads_gold = reads_gold or found[1]
    return {
        "made_from": stages.made_from(inputs, done),
        "stage_models": models,
        "reads_gold": reads_gold,
    }


def _stages_of(
    model: Loaded, finished: Finished, samples: Mapping[str, Path]
) -> list[stages.Stage]:
    """The tasks of an evaluation that was written, as stages of a run."""
    found = finished.results
    return [
        stages.Stage(
            task=task,
            model={"name": found["config"]["model"], "args": found["config"]["model_args"]},
            reads_gold=found["otherminds"]["reads_gold"],
            inputs=stages.inputs(model.manager, [task], samples),
            results=finished.results_path,
            samples=path,
            scores=stages.scores_of(found["results"][task]),
        )
        for task, path in finished.samples.items()
    ]


def _judged_in(
    model: Loaded, tasks: Sequence[str], inputs: Mapping[str, Path], folder: Path
) -> Path | None:
    """Where the answers lie that tasks judge: judgements of many models by one judge lie beside them."""
    if any(role_of(model.manager, task) != JUDGE_ROLE for task in tasks):
        return None
    judged = (harness.task_metadata(model.manager, task).get("stages", ()) for task in tasks)
    named = itertools.chain.from_iterable(judged)
    found = list({inputs[stage].resolve().parent for stage in named if stage in inputs})
    return found[0] if len(found) == 1 and found[0].is_relative_to(folder.resolve()) else None


def _logs(arguments: harness.RunArguments, season: Season | None) -> SampleLogs:
    """The samples of an evaluation, as they come."""
    is_played = season is not None and season.is_played(arguments)
    return SampleLogs(
        Path(arguments.output_path),
        change=season.mark_answer if season is not None and is_played else None,
        hold=bool(arguments.hf_hub_log_args) or tracking.is_asked(arguments),
    )


def _kept(logs: SampleLogs, task: str, samples: Sequence[dict[str, Any]]) -> None:
    logs.add(task, samples)
    # The rows of a window that is written are read no more.
    mapping.release()


def _finish(
    arguments: harness.RunArguments,
    found: dict[str, Any],
    record: dict[str, Any],
    logs: SampleLogs,
    *,
    beside: Path | None,
    season: Season | None,
) -> Finished:
    found["config"]["model"] = arguments.model
    found["config"]["model_args"] = arguments.model_args
    found = credentials.results(found)
    found["otherminds"] = {
        "version": otherminds.__version__,
        **record,
        "scores": {
            task: with_truncated(details_of(rows) if rows else {}, rows, logs.truncated[task])
            for task, rows in logs.records.items()
        },
        "control_tokens": {**record.get("control_tokens", {}), "n": dict(logs.n_escaped)},
        "data": _origins(found["configs"], arguments.metadata, record.get("made_from", {})),
    }
    if season is not None:
        season.mark(found, arguments)
    results_path, sample_paths = results.write(found, logs, arguments, beside=beside)
    return Finished(
        found, results_path, sample_paths, records=logs.records, truncated=logs.truncated
    )


def _origins(
    configs: Mapping[str, Mapping[str, Any]],
    metadata: Mapping[str, Any],
    made_from: Mapping[str, Mapping[str, Any]],
) -> dict[str, dict[str, Any]]:
    """For each task, the data that it was run on.

    Where a task's metadata says that answers to earlier stages are part of its data (`data_from`),
    version and content hashes say which answers: on others, it asks about other texts.
    """
    origins = {}
    for task, config in configs.items():
        wanted = config.get("dataset_kwargs") or {}
        # Without configurations, a task has documents of its own: no rows of the dataset.
        if "configs" not in wanted:
            continue
        chosen = {**metadata, **{name: wanted[name] for name in ("dataset", "configs")}}
        origin = data.provenance(**chosen)
        if passed := _passed_files(wanted, metadata):
            origin["handed"] = passed
        for stage in (config.get("metadata") or {}).get("data_from", ()):
            if stage in made_from:
                sha256 = made_from[stage]["sha256"]
                origin["version"] += f"+{stage}.{sha256[:8]}"
                origin["content_hash"][stage] = sha256
        origins[task] = origin
    return origins


def _passed_files(wanted: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, str]:
    """The SHA-256 of the files that a task's ablation reads, by key of the metadata."""
    evidence = wanted.get("evidence")
    if not isinstance(evidence, str):
        return {}
    known = of_dataset(wanted["dataset"]).known_ablations[evidence].parameters
    named = {name: metadata.get(name) for name in sorted(known)}
    paths = {
        name: Path(value).expanduser() for name, value in named.items() if isinstance(value, str)
    }
    return {name: files.sha256(path) for name, path in paths.items() if path.is_file()}
