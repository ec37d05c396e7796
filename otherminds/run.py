"""`otherminds run`: lm-eval's evaluation with a journal, a window guard and readable results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import otherminds
from otherminds import data, harness, progress, results, weightless, weightless_lm
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
    """A finished run: lm-eval's results dictionary with our block, and where it was written."""

    results: dict[str, Any]
    results_path: Path
    sample_paths: list[Path]


def run(patterns: Sequence[str], flags: Sequence[str], options: Options) -> Finished | None:
    """Evaluate a model on tasks, groups or tags, given by name or glob pattern.

    `flags` are those of `lm_eval run`. Without `--model` a weightless model answers. Of several
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
    if arguments.model in weightless.STRATEGIES:
        record, found = _run_weightless(arguments, manager, names)
    else:
        record, found = _run_model(arguments, manager, names, options)
    return None if found is None else _finish(arguments, found, record)


def _run_weightless(
    arguments: harness.RunArguments, manager: Any, names: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    population = _population(harness.task_configs(manager, names), arguments.metadata)
    model = weightless_lm.make(arguments.model, dict(arguments.model_args), population)
    arguments.apply_chat_template = False
    record = {
        "weightless": True,
        "reads_gold": arguments.model in weightless.TEST_ONLY,
        "chat_template_applied": False,
    }
    return record, harness.evaluate(model, manager, names, arguments)


def _population(
    configs: Sequence[Mapping[str, Any]], metadata: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """All documents of the datasets behind some tasks, whatever subset or limit is run.

    A baseline learned from a handful of people would be another one for every subset.
    """
    datasets = {config["dataset_kwargs"]["dataset"] for config in configs}
    docs = []
    for dataset in sorted(datasets):
        rows = data.for_task(
            dataset=dataset,
            configs=data.ITEM_CONFIGS,
            data_source=metadata.get("data_source"),
            data_revision=metadata.get("data_revision"),
        )[data.SPLIT]
        docs += rows.remove_columns(["context"]).to_list()
    return docs


def _run_model(
    arguments: harness.RunArguments, manager: Any, names: Sequence[str], options: Options
) -> tuple[dict[str, Any], dict[str, Any] | None]:
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
        found = harness.evaluate(asker, manager, names, arguments)
    record = {
        "weightless": False,
        "reads_gold": False,
        "chat_template_applied": bool(arguments.apply_chat_template),
        "chat_template": template,
        "window": window.report,
        "journal": {"path": str(path), "asked": asker.asked, "reused": asker.reused},
    }
    return record, found


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
    return Finished(found, results_path, sample_paths)


def _origins(
    configs: Mapping[str, Mapping[str, Any]], metadata: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """For each task, the data that it was run on."""
    origins = {}
    for task, config in configs.items():
        wanted = config.get("dataset_kwargs") or {}
        if "dataset" not in wanted:
            continue
        origin = data.locate(
            wanted["dataset"],
            source=metadata.get("data_source"),
            revision=metadata.get("data_revision"),
        )
        origins[task] = {
            "dataset": origin.dataset,
            "version": origin.version,
            "source": origin.kind,
            "subset": metadata.get("data_subset"),
            "content_hash": {
                name: data.content_hash(origin, name, metadata.get("data_revision"))
                for name in wanted["configs"]
            },
        }
    return origins
