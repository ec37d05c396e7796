"""`otherminds run`: lm-eval's evaluation with a journal, a window guard and readable results."""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import otherminds
from otherminds import data, harness, progress, results, stages, weightless, weightless_lm
from otherminds.errors import OtherMindsError, unknown
from otherminds.journal import Journal
from otherminds.journaled import JournaledLM
from otherminds.scoring.base import details
from otherminds.window import Window

DEFAULT_MODEL = "majority"
DEFAULT_OUTPUT = "otherminds-results"


@dataclass(frozen=True)
class Options:
    """What `otherminds run` adds to lm-eval's flags."""

    allow_truncation: bool = False
    chat_template: bool = True
    fresh: bool = False


@dataclass(frozen=True)
class Finished:
    """A finished run: lm-eval's results dictionary with our block, and where it was written.

    samples      the sample file of each task
    stages_path  where it is written how the stages of a staged run followed from each other
    """

    results: dict[str, Any]
    results_path: Path
    samples: dict[str, Path]
    stages_path: Path | None = None

    @property
    def sample_paths(self) -> list[Path]:
        """All sample files."""
        return list(self.samples.values())


@dataclass(frozen=True)
class Loaded:
    """A model that is loaded once and can evaluate tasks several times.

    model      gives the model for some tasks; a weightless one is made anew for each evaluation
    manager    the index that tasks are looked up in
    arguments  lm-eval's flags
    record     the facts about all evaluations so far that a results file states
    """

    model: Callable[[Sequence[Any]], harness.LM]
    manager: Any
    arguments: harness.RunArguments
    record: Callable[[], dict[str, Any]]

    def evaluate(
        self,
        tasks: Sequence[Any],
        *,
        metadata: Mapping[str, Any] | None = None,
        whole: bool = False,
    ) -> dict[str, Any] | None:
        """Run tasks (names, or loaded tasks); returns lm-eval's results dictionary with samples.

        Of several processes, only the first has results; the others get None.

        metadata  what tasks that are given by name are told beyond `--metadata`
        whole     leave `--limit` aside
        """
        manager = harness.informed(self.manager, metadata) if metadata else self.manager
        arguments = copy.copy(self.arguments)
        if whole:
            arguments.limit = None
        found: dict[str, Any] | None = harness.evaluate(
            self.model(tasks), manager, tasks, arguments
        )
        return found


def run(patterns: Sequence[str], flags: Sequence[str], options: Options) -> Finished | None:
    """Evaluate a model on tasks, groups or tags, given by name or glob pattern.

    `flags` are those of `lm_eval run`. Without `--model` a weightless model answers. Where a task is
    made from the answers to earlier stages, the same model is asked these first, unless `--metadata`
    gives their samples; `--limit` counts the documents of the tasks that were asked for. Of several
    processes, the first one has the results and writes them; the others get None.
    """
    arguments = harness.parse_arguments(
        flags, default_model=DEFAULT_MODEL, default_output=DEFAULT_OUTPUT
    )
    arguments.output_path = arguments.output_path or DEFAULT_OUTPUT
    manager = harness.task_manager(arguments.metadata, arguments.include_path)
    names = harness.resolve_names(manager, [*patterns, *(arguments.tasks or [])])
    if not names:
        raise OtherMindsError(
            "Say which task to run, for example: otherminds run hugagent_synthetic"
        )
    results.check_writable(Path(arguments.output_path))
    given = stages.given(manager, names, arguments.metadata)
    earlier = [name for name in stages.before(manager, names) if not given]
    if earlier and arguments.samples:
        raise OtherMindsError(
            "--samples picks documents of one task, and a staged run has several: use --limit, which "
            "counts the documents of the last stage."
        )
    with loaded(arguments, manager, options) as model:
        return walk(model, earlier, [name for name in names if name not in earlier], given)


def walk(
    model: Loaded, earlier: Sequence[str], names: Sequence[str], given: Mapping[str, Path]
) -> Finished | None:
    """Run and write each earlier stage, for the next one and for the reader, and then the tasks."""
    limit = model.arguments.limit
    told: dict[str, Any] = {stages.LIMIT: limit} if earlier and limit is not None else {}
    samples = dict(given)
    done: list[stages.Stage] = []
    for name in earlier:
        found = model.evaluate([name], metadata=told, whole=True)
        if found is None:
            return None
        finished = _finish(model.arguments, found, model.record())
        done += _stages_of(model, finished, samples)
        samples[name] = finished.samples[name]
        told = {**told, stages.SAMPLES: {stage: str(path) for stage, path in samples.items()}}
    found = model.evaluate(names, metadata=told)
    if found is None:
        return None
    facts = model.record()
    if samples:
        facts["made_from"] = stages.made_from(samples, done)
    finished = _finish(model.arguments, found, facts)
    if not samples:
        return finished
    done += _stages_of(model, finished, samples)
    path = finished.results_path
    path = path.with_name(path.name.replace("results_", "stages_", 1))
    return replace(finished, stages_path=stages.write_manifest(done, path))


def _stages_of(
    model: Loaded, finished: Finished, samples: Mapping[str, Path]
) -> list[stages.Stage]:
    """The tasks of an evaluation that was written, as stages of a run."""
    found = finished.results
    return [
        stages.Stage(
            task=task,
            model={"name": found["config"]["model"], "args": found["config"]["model_args"]},
            inputs=stages.inputs(model.manager, task, samples),
            results=finished.results_path,
            samples=path,
            scores=stages.scores_of(found["results"][task]),
        )
        for task, path in finished.samples.items()
    ]


@contextmanager
def loaded(arguments: harness.RunArguments, manager: Any, options: Options) -> Iterator[Loaded]:
    """Load the model that `arguments` name, with its journal open until the block ends."""
    if arguments.model in weightless.STRATEGIES:
        yield _weightless(arguments, manager)
        return
    known = [*weightless.STRATEGIES, *harness.model_names()]
    if arguments.model not in known:
        raise unknown("model", arguments.model, known, listing="otherminds list --models")
    model = harness.make_model(arguments)
    template = _decide_chat_template(model, arguments, options)
    window = Window(allow_truncation=options.allow_truncation)
    path = Path(arguments.output_path) / "journal.sqlite"
    with Journal(path) as journal, progress.bar("Asking the model") as bar:
        asker = JournaledLM(
            model,
            journal,
            identity=_identity(arguments),
            versions=harness.task_versions(manager),
            window=window,
            reuse=not options.fresh,
            advance=bar,
        )

        def record() -> dict[str, Any]:
            return {
                "weightless": False,
                "reads_gold": False,
                "chat_template_applied": bool(arguments.apply_chat_template),
                "chat_template": template,
                "window": window.report,
                "journal": {"path": str(path), "asked": asker.asked, "reused": asker.reused},
            }

        yield Loaded(lambda tasks: asker, manager, arguments, record)


def _weightless(arguments: harness.RunArguments, manager: Any) -> Loaded:
    arguments.apply_chat_template = False
    record = {
        "weightless": True,
        "reads_gold": arguments.model in weightless.TEST_ONLY,
        "chat_template_applied": False,
    }

    def model(tasks: Sequence[Any]) -> harness.LM:
        wanted = (harness.dataset_kwargs(manager, task) for task in tasks)
        population = data.population(itertools.chain.from_iterable(wanted), arguments.metadata)
        return weightless_lm.make(arguments.model, dict(arguments.model_args), population)

    return Loaded(model, manager, arguments, lambda: dict(record))


def _decide_chat_template(
    model: harness.LM, arguments: harness.RunArguments, options: Options
) -> str | None:
    if not options.chat_template:
        arguments.apply_chat_template = False
    elif not arguments.apply_chat_template:
        arguments.apply_chat_template = harness.has_chat_template(arguments.model, model)
    if not arguments.apply_chat_template:
        return None
    if arguments.fewshot_as_multiturn is None:
        arguments.fewshot_as_multiturn = True
    return harness.chat_template(model, arguments.apply_chat_template)


def _identity(arguments: harness.RunArguments) -> str:
    """What distinguishes the answers of one model from those of another, for the journal."""
    weights = arguments.model_args.get("pretrained")
    return json.dumps(
        {
            "model": arguments.model,
            "model_args": {key: str(value) for key, value in arguments.model_args.items()},
            "weights": _fingerprint(Path(weights)) if isinstance(weights, str) else None,
            "seed": arguments.seed,
        },
        sort_keys=True,
    )


def _fingerprint(folder: Path) -> str | None:
    """Names, sizes and times of a local model's files: a model trained further is another model."""
    if not folder.is_dir():
        return None
    facts = [
        (path.name, path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.iterdir())
        if path.is_file()
    ]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _finish(
    arguments: harness.RunArguments, found: dict[str, Any], record: dict[str, Any]
) -> Finished:
    samples = found.pop("samples")
    found["config"]["model"] = arguments.model
    found["config"]["model_args"] = arguments.model_args
    found["otherminds"] = {
        "version": otherminds.__version__,
        **record,
        "scores": {task: details(rows) for task, rows in samples.items()},
        "data": _origins(found["configs"], arguments.metadata),
    }
    results_path, sample_paths = results.write(found, samples, arguments)
    return Finished(found, results_path, dict(zip(samples, sample_paths, strict=True)))


def _origins(
    configs: Mapping[str, Mapping[str, Any]], metadata: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """For each task, the data that it was run on."""
    origins = {}
    for task, config in configs.items():
        wanted = config.get("dataset_kwargs") or {}
        # Without configurations, a task has documents of its own: no rows of the dataset.
        if "configs" not in wanted:
            continue
        chosen = {**metadata, **{name: wanted[name] for name in ("dataset", "configs")}}
        origins[task] = data.provenance(**chosen)
    return origins
