"""The facts that a results file states of the run whose samples lie beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from otherminds.benchmark import parameters
from otherminds.errors import OtherMindsError
from otherminds.running.models import JUDGE_ROLE
from otherminds.running.results import content_of, known_references
from otherminds.running.signing import judged_model, model_label, settings
from otherminds.samples import read as samples
from otherminds.samples.names import named, results_of

_UNREADABLE = (
    *(OSError, ValueError, RecursionError, OtherMindsError),
    *(TypeError, KeyError, AttributeError),
)


NO_RESULTS = "lies beside it"
"""The words of a note on samples without a results file."""


@dataclass(frozen=True)
class Facts:
    """How the answers of one sample file came about; None where nothing says so.

    model          the model, distinguished from others of the same name; of judgements, the
                   model whose answers were judged
    judge          of judgements, the model that judged
    task_version   of the task, when it was run
    data           version, subset and content hashes of the data
    chat_template  whether the model's chat template was applied
    n_truncated    prompts that were cut to the model's window
    decoding       settings of the generation, as text
    weightless     whether the model has no weights and reads no prompt
    reads_gold     whether it reads the gold answers
    printed        by metric, the value that the run printed
    metadata       the task's configuration besides its YAML, such as `data_subset`
    damage         what is wrong with a results file that cannot be read
    settings       the model's arguments on which answers may depend, without secrets
    run            which run of a chain of stages it was, from 1; None where there was one
    references     by name, the scores to read those of exactly these documents against
    results        the whole results file; empty without one
    """

    model: str
    judge: str | None = None
    task_version: str | None = None
    data: Mapping[str, Any] | None = None
    chat_template: bool | None = None
    n_truncated: int | None = None
    decoding: str | None = None
    weightless: bool = False
    reads_gold: bool = False
    printed: Mapping[str, float] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    references: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)
    run: int | None = None
    damage: str | None = None
    settings: str = ""

    @property
    def data_source(self) -> str | None:
        """Where the run took its data from, where that was configured."""
        source = self.metadata.get("data_source")
        return source if isinstance(source, str) else None

    @property
    def made_from(self) -> dict[str, Path]:
        """By earlier stage, the sample file whose answers the documents were made from."""
        found = (self.results.get("otherminds") or {}).get("made_from") or {}
        return {stage: Path(str(facts["path"])) for stage, facts in found.items()}

    @property
    def shown(self) -> dict[str, Any]:
        """The parameters of how people are shown, such as `context_k`, that were configured.

        A switch that is off is left out: a run without it is the same.
        """
        known = sorted(parameters() & self.metadata.keys())
        off = {name for name in known if str(self.metadata[name]).casefold() == "false"}
        return {name: self.metadata[name] for name in known if name not in off}

    @property
    def subset(self) -> Any:
        """The subset of the people that was run; None for all, and where nothing says so."""
        return (self.data or {}).get("subset") or self.metadata.get("data_subset")


def facts_of(path: Path, *, note: samples.Note) -> Facts:
    """The facts about a sample file; without a results file, the folder's name stands for the model."""
    unknown = Facts(model=path.resolve().parent.name)
    name = named(path)
    if name is None:
        return unknown
    beside = results_of(path, name)
    if not beside.is_file():
        note(f"{path}: no {beside.name} {NO_RESULTS}, so nothing says how it was run.")
        return unknown
    try:
        return _read(content_of(beside), name.task)
    except _UNREADABLE as error:
        damage = _damage(error)
        note(f"{beside} is damaged ({damage}): nothing says how {path.name} was run.")
        return replace(unknown, damage=damage)


def _damage(error: Exception) -> str:
    """What is wrong with a results file, in words."""
    match error:
        case OSError() | OtherMindsError():
            return str(error)
        case json.JSONDecodeError():
            return f"no JSON from line {error.lineno} on"
        case KeyError():
            return f"it has no {error}"
    return "it is not of the form that lm-eval writes"


def _read(results: Mapping[str, Any], task: str) -> Facts:
    config, ours = results["config"], results.get("otherminds") or {}
    window = ours.get("window") or {}
    scores = results["results"].get(task) or {}
    version = results["versions"].get(task)
    metadata = dict(((results.get("configs") or {}).get(task) or {}).get("metadata") or {})
    is_judge = metadata.get("role") == JUDGE_ROLE and bool(metadata.get("stages"))
    return Facts(
        model=judged_model(metadata, ours) if is_judge else model_label(config),
        judge=model_label(config) if is_judge else None,
        task_version=None if version is None else str(version),
        data=_data((ours.get("data") or {}).get(task)),
        chat_template=_chat_template(results, ours),
        n_truncated=window.get("n_truncated") if window.get("checked") else None,
        decoding=_decoding(results, task),
        weightless=bool(ours.get("weightless")),
        reads_gold=bool(ours.get("reads_gold")),
        printed={
            key.removesuffix(",none"): float(value)
            for key, value in scores.items()
            if isinstance(value, int | float) and key.endswith(",none") and "_stderr" not in key
        },
        metadata=metadata,
        references=known_references(task, results, of_limited=True),
        results=results,
        run=ours.get("run"),
        settings=settings(config),
    )


def _data(found: Any) -> Mapping[str, Any] | None:
    """The facts about the data that are needed; raises here when a run did not write them."""
    if found is None:
        return None
    return {
        **found,
        "version": str(found["version"]),
        "content_hash": {name: str(text) for name, text in found["content_hash"].items()},
    }


def _chat_template(results: Mapping[str, Any], ours: Mapping[str, Any]) -> bool | None:
    if "chat_template_applied" in ours:
        return bool(ours["chat_template_applied"])
    # Plain lm-eval states the template's text where it applied one.
    return bool(results["chat_template"]) if "chat_template" in results else None


def _decoding(results: Mapping[str, Any], task: str) -> str | None:
    config = (results.get("configs") or {}).get(task) or {}
    settings = config.get("generation_kwargs")
    return json.dumps(settings, sort_keys=True) if settings else None
