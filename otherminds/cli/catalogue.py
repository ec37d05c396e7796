"""The tasks, datasets and models that exist, for `list`.

Tasks are read from their YAML alone, without lm-eval; functions import the libraries that they use.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import RenderableType

from otherminds import console, index, manifest
from otherminds.benchmark import Benchmark, every, look_up
from otherminds.console import OUT, say
from otherminds.errors import OtherMindsError, unknown
from otherminds.index import Entry

_LOG = logging.getLogger("otherminds")

_FORMS = {"generate_until": "text", "multiple_choice": "log-probabilities"}


def print_tasks(name: str | None = None, *, as_json: bool = False) -> None:
    """The tasks to begin with, by benchmark; of one benchmark, all tasks, groups and tags.

    As JSON, all of them are there, and `headline` says which ones `list` shows.
    """
    shown = _chosen(name)
    if as_json:
        _print_json([_described(one, entry) for one in shown for entry in _entries(one)])
        return
    for one in shown:
        if name is None:
            _print_headline(one)
        else:
            _print_all(one)
    if name is None:
        say("Generated data are built here; `otherminds show NAME` says how to get the others.")
    say("`otherminds show NAME` tells more of a task or group; `otherminds run NAME` evaluates.")


def _chosen(name: str | None) -> list[Benchmark]:
    """The benchmark of a name, or all. Raises OtherMindsError for a name that is none's."""
    shown = [one for one in every() if name in (None, one.name)]
    if not shown:
        if (entry := index.entries().get(str(name))) is not None:
            raise OtherMindsError(
                f"'{name}' is a {entry.kind} of {entry.benchmark}: `otherminds show {name}`"
            )
        names = [one.name for one in every()]
        raise unknown("benchmark", str(name), names, listing="otherminds list")
    return shown


def _print_headline(one: Benchmark) -> None:
    found = {entry.name: entry for entry in _entries(one)}
    names = [name for name in one.headline if name in found]
    names = names or [name for name, entry in found.items() if entry.kind == "task"]
    _print_title(one)
    rows = [(name, asks_how(one, found[name]), _data(found[name])) for name in names]
    columns = [*console.texts(""), *console.texts("", fit="words"), *console.texts("")]
    OUT.print(console.fitted(columns, rows, headed=False, indent=2))
    rest = sum(entry.kind == "task" for entry in found.values()) - sum(
        found[name].kind == "task" for name in names
    )
    if rest:
        say(f"  … and {rest} more tasks: `otherminds list {one.name}`")
    OUT.print()


def _print_all(one: Benchmark) -> None:
    found = _entries(one)
    order = {name: place for place, name in enumerate(one.headline)}
    by_dataset: dict[str, list[Entry]] = {}
    for entry in sorted(found, key=lambda entry: order.get(entry.name, len(order))):
        if entry.kind == "task":
            by_dataset.setdefault(_dataset(entry) or "unknown to us", []).append(entry)
    _print_title(one)
    groups = [entry for entry in found if entry.kind == "group"]
    groups.sort(key=lambda entry: order.get(entry.name, len(order)))
    if groups:
        OUT.print("[bold]Groups[/], which run several tasks")
        OUT.print(table("Group", "Asks", [(entry.name, asks(one, entry)) for entry in groups]))
    for dataset, entries in by_dataset.items():
        OUT.print(f"Dataset [bold]{dataset}[/]: {_data(entries[0])}")
        OUT.print(table("Task", "Asks", [(entry.name, asks_how(one, entry)) for entry in entries]))
    if tags := [f"{entry.name} ({len(entry.parts)})" for entry in found if entry.kind == "tag"]:
        say(f"Tags, and their tasks: {', '.join(tags)}")


def _print_title(one: Benchmark) -> None:
    OUT.print(f"[bold]{one.name}[/]" + (f": {one.about}" if one.about else ""), highlight=False)


def asks_how(one: Benchmark, entry: Entry) -> str:
    """What a task or group asks, and by log-probabilities where it does not ask for text."""
    by = f", by {_form(entry)}" if _form(entry) == _FORMS["multiple_choice"] else ""
    return asks(one, entry) + by


def asks(one: Benchmark, entry: Entry) -> str:
    """What a task, group or tag asks, in a line; of a benchmark that does not say it, its data."""
    if entry.kind == "tag":
        return f"{len(entry.parts)} tasks"
    if one.asks is not None:
        try:
            return str(look_up(one, one.asks)(entry.content))
        except Exception as error:  # whatever a module of others raises
            _LOG.warning(
                "%s of '%s' cannot say what %s asks: %r", one.asks, one.name, entry.name, error
            )
    if entry.kind == "group":
        return f"{len(entry.parts)} parts: {', '.join(entry.parts)}"
    dataset = _dataset(entry)
    return manifest.load(dataset).title if dataset in manifest.names() else ""


def _entries(one: Benchmark) -> list[Entry]:
    return list(index.of_benchmark(one.name))


def _described(one: Benchmark, entry: Entry) -> dict[str, Any]:
    """An entry as `list --json` has it."""
    datasets = {_dataset(index.entries()[name]) for name in index.tasks_of(entry.name)} - {None}
    return {
        "name": entry.name,
        "kind": entry.kind,
        "benchmark": one.name,
        "headline": entry.name in one.headline,
        "asks": asks(one, entry),
        "datasets": sorted(map(str, datasets)),
        "answered_by": _form(entry) if entry.kind == "task" else None,
        "parts": list(entry.parts),
    }


def _form(entry: Entry) -> str:
    found = str(entry.content.get("output_type") or "")
    return _FORMS.get(found, found)


def _dataset(entry: Entry) -> str | None:
    found = (entry.content.get("dataset_kwargs") or {}).get("dataset")
    return found if isinstance(found, str) else None


def _data(entry: Entry) -> str:
    """Where the data of a task or group come from: "generated" here, or from others."""
    tasks = (index.entries()[name] for name in index.tasks_of(entry.name))
    found = [name for task in tasks if (name := _dataset(task)) in manifest.names() and name]
    said = {_state(name) for name in found}
    return ", ".join(sorted(said))


def _state(dataset: str) -> str:
    known = manifest.load(dataset)
    if known.generated:
        return "generated"
    if known.handed is not None:
        from otherminds.data import kept

        return "your file" if kept.source(known) is None else "packaged"
    return "gated" if known.access is not None and known.access.gated else "download"


def table(name: str, said: str, rows: Iterable[Sequence[str]]) -> RenderableType:
    """Names, and what is said of each, which may take several lines."""
    columns = [*console.texts(name), *console.texts(said, fit="words")]
    return console.fitted(columns, rows, look=console.Look.INDENTED)


def _print_json(found: Any) -> None:
    print(json.dumps(found, indent=2, ensure_ascii=False))


def print_datasets(name: str | None = None, *, as_json: bool = False) -> None:
    """All datasets, or those of a benchmark, with rows, licence, and whether they are generated here."""
    names = sorted(dataset for one in _chosen(name) for dataset in one.datasets)
    known = [manifest.load(one) for one in names]
    if as_json:
        _print_json(
            [
                {
                    "name": one.dataset,
                    "title": one.title,
                    "version": one.version,
                    "configurations": {c: sum(f.splits.values()) for c, f in one.configs.items()},
                    "licence": one.licence,
                    "generated": one.generated,
                    "data": _state(one.dataset),
                }
                for one in known
            ]
        )
        return
    lines = []
    for one in known:
        rows = ", ".join(
            f"{config} ({sum(facts.splits.values()):,})" for config, facts in one.configs.items()
        )
        source = "generated here" if one.generated else one.sources[0].name
        lines.append((one.dataset, one.version, rows, one.licence, source))
    headings = ("Version", "Configurations (rows)", "Licence", "Source")
    columns = [*console.texts("Dataset"), *console.texts(*headings, fit="words")]
    OUT.print(console.fitted(columns, lines, look=console.Look.INDENTED))


def print_models(*, as_json: bool = False) -> None:
    """The weightless models, and the kinds of model that lm-eval runs."""
    from otherminds import harness, weightless

    rows = [(name, weightless.about(one)) for name, one in weightless.models().items()]
    if as_json:
        _print_json({"weightless": dict(rows), "lm_eval": harness.model_names()})
        return
    OUT.print(table("Weightless model", "How it answers", rows))
    OUT.print(f"[bold]lm-eval's models[/]: {', '.join(harness.model_names())}")
