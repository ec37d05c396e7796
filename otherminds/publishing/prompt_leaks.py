"""Whether a prompt shows its answer: by the columns that its template names, and as it is rendered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Environment, FileSystemLoader, meta
from pydantic import BaseModel, ConfigDict, model_validator

from otherminds import harness, paths, prompts
from otherminds.checks import Finding
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.publishing.privacy_texts import strings_in

SAMPLED = 200
"""Documents of a task whose prompts are rendered, evenly spread over all."""

FEWEST_WORDS = 4
"""Words from which on a text is not a coincidence wherever it stands in a prompt. A shorter one ("8",
"Abortion", a term that a question cannot do without) must be all of a field that the prompt shows."""

_SELECTING = frozenset({"topic", "scenario", "variant", "lite", "scenes", "configs", "evidence"})
"""Keys of `dataset_kwargs` that select documents, their beginning, or a part of the evidence."""


class Secrets(BaseModel):
    """The texts that no prompt of a dataset's tasks may show.

    columns     that no template may name
    texts       Jinja expressions over a document: texts that must not stand in its prompt
    blank       fields that hold such a text because they ask for it, and the text to render instead
    on_purpose  by key of `dataset_kwargs`: why the tasks that set it give something away
    nothing     why a dataset has no gold answers
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    columns: list[str] = []
    texts: list[str] = []
    blank: dict[str, Any] = {}
    on_purpose: dict[str, str] = {}
    nothing: str | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Secrets:
        if (self.nothing is None) == (not self.columns or not self.texts):
            raise ValueError("give columns and texts, or in `nothing` why there are none")
        return self


class _Task(NamedTuple):
    """A task that puts its documents to a model that is to answer them.

    signature  equal for tasks whose documents differ only in the selection, or in the evidence
    evidence   the ablation, if it is one
    n_kwargs   how many `dataset_kwargs` it has: of several alike, that with the fewest selects least
    """

    name: str
    template: str
    render: Callable[[Mapping[str, Any]], str]
    signature: tuple[str, ...]
    evidence: str | None
    n_kwargs: int


def leaks(folder: Path, dataset: str, secret: Secrets | None) -> Iterator[Finding]:
    """The findings on all tasks that read `dataset`, whose repository is `folder`."""
    subject, rules = f"answers in prompts of {dataset}", f"cards/{dataset}/privacy.yaml"
    if secret is None:
        yield Finding(subject, False, f"{rules} does not say under `secrets` what to look for")
        return
    if secret.nothing is not None:
        yield Finding(subject, True, secret.nothing)
        return
    tasks = list(_tasks(dataset, secret))
    faults = list(_named(tasks, secret))
    prompts_seen: Counter[str] = Counter()
    try:
        for task in _representative(tasks):
            faults += _rendered(task, folder, secret, prompts_seen)
        # A document without the field (one that asks for notes, say) has nothing to hide; but a
        # secret that no document has is misspelt.
        faults += [
            f"no document has the secret {text}; correct {rules}"
            for text in secret.texts
            if not prompts_seen[text]
        ]
    except OtherMindsError as error:
        faults.append(f"its tasks cannot read it, so that nobody knows: {error.reason}")
    for fault in faults:
        yield Finding(subject, False, fault)
    if not faults:
        seen = max(prompts_seen.values())
        detail = f"none in {seen:,} prompts; no template of {len(tasks)} tasks names a gold column"
        yield Finding(subject, True, detail)


def _tasks(dataset: str, secret: Secrets) -> Iterator[_Task]:
    """The tasks of a dataset whose prompts must not give anything away, and that need no samples."""
    for path in paths.task_files():
        kwargs = harness.load_yaml(path, resolve_functions=False).get("dataset_kwargs") or {}
        # Tasks that name no configurations have documents of their own, which are not about a person.
        if kwargs.get("dataset") != dataset or "configs" not in kwargs:
            continue
        if set(kwargs) & set(secret.on_purpose):
            continue
        config = harness.load_yaml(path)
        if "stages" in (config.get("metadata") or {}):
            # Judges see the criteria; other later stages show a model's answers, not the data.
            continue
        kept = sorted(f"{key}={kwargs[key]}" for key in kwargs if key not in _SELECTING)
        render = config["doc_to_text"]
        made_by = config["custom_dataset"]
        signature = (made_by.__module__, made_by.__name__, render.__name__, *kept)
        yield _Task(
            config["task"], render.__name__, render, signature, kwargs.get("evidence"), len(kwargs)
        )


def _representative(tasks: list[_Task]) -> list[_Task]:
    """One task of those that are alike; of ablations, only where there is none with all the evidence.

    An ablation shows a part of the evidence, or another person's.
    """
    whole = {task.signature for task in tasks if task.evidence is None}
    most_first = sorted(tasks, key=lambda task: task.n_kwargs, reverse=True)
    alike = {
        (task.signature, task.evidence): task
        for task in most_first
        if task.evidence is None or task.signature not in whole
    }
    return list(alike.values())


def _named(tasks: list[_Task], secret: Secrets) -> Iterator[str]:
    """Templates that name a column which they must not show."""
    for template in sorted({task.template for task in tasks}):
        if named := sorted(fields(template) & set(secret.columns)):
            yield f"the template {template} shows the gold column {', '.join(named)}"


def _rendered(
    task: _Task, folder: Path, secret: Secrets, prompts_seen: Counter[str]
) -> Iterator[str]:
    """The first prompt of a task, if any, that shows its answer.

    `prompts_seen` counts, by secret, the prompts in which it was looked for.
    """
    docs = harness.documents(task.name, {"data_source": str(folder)})[data.SPLIT]
    chosen = np.unique(np.linspace(0, len(docs) - 1, SAMPLED).astype(int)).tolist()
    shown = fields(task.template) - set(secret.blank)
    for index in chosen:
        doc = docs[index]
        prompt = task.render({**doc, **secret.blank}).casefold()
        values = {value.strip().casefold() for name in shown for value in strings_in(doc.get(name))}
        for expression in secret.texts:
            text = _expression(expression).render(doc).strip().casefold()
            prompts_seen[expression] += bool(text)
            if text and (text in values or (len(text.split()) >= FEWEST_WORDS and text in prompt)):
                name = doc.get("item_id", f"number {index}")
                yield f"{task.name}: the prompt of {name} holds what it asks for ({expression})"
                return


@cache
def fields(template: str) -> frozenset[str]:
    """All fields of a document that a template shows, by itself or through others that it includes."""
    benchmark, _, name = template.partition("__")
    return _fields(f"{benchmark}/{name}{prompts.SUFFIX}")


@cache
def _fields(file: str) -> frozenset[str]:
    source, _, _ = FileSystemLoader(paths.template_folders()).get_source(Environment(), file)
    parsed = Environment().parse(source)
    named = frozenset(meta.find_undeclared_variables(parsed))
    others = (other for other in meta.find_referenced_templates(parsed) if other is not None)
    return named.union(*map(_fields, others))


@cache
def _expression(text: str) -> Any:
    return Environment().from_string(text)
