"""The reference of tasks: a page per benchmark, from the YAML that lm-eval reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from otherminds import benchmark, harness, index, manifest
from otherminds.benchmark import Benchmark
from otherminds.cli import catalogue
from otherminds.index import Entry


def pages() -> dict[str, str]:
    """By name below `docs/`, the page of each benchmark's tasks, and the page that lists these."""
    found = {f"reference/tasks/{one.name}.md": _page(one) for one in benchmark.every()}
    return {"reference/tasks/index.md": _index(), **found}


def _index() -> str:
    lines = ["# Tasks", "", "Made from the YAML that lm-eval reads.", ""]
    lines += ["| benchmark | question | tasks |", "| --- | --- | ---: |"]
    for one in benchmark.every():
        count = sum(entry.kind == "task" for entry in index.of_benchmark(one.name))
        lines.append(f"| [{one.name}]({one.name}.md) | {one.about or ''} | {count} |")
    return "\n".join(lines) + "\n"


def _page(one: Benchmark) -> str:
    return "\n".join(_lines(one)) + "\n"


def _lines(one: Benchmark) -> Iterator[str]:
    entries = list(index.of_benchmark(one.name))
    yield from (f"# Tasks of {one.name}", "", one.about or "", "")
    yield "Made from the YAML that lm-eval reads. `otherminds show NAME` prints a prompt of each."
    yield from (
        "",
        "## To begin with",
        "",
        *_table(one, [e for e in entries if e.name in one.headline]),
    )
    groups = [entry for entry in entries if entry.kind != "task"]
    if groups:
        yield from ("", "## Groups and tags", "", "| name | kind | parts |", "| --- | --- | --- |")
        for entry in groups:
            parts = ", ".join(f"`{part}`" for part in entry.parts)
            yield f"| `{entry.name}` | {entry.kind} | {parts} |"
    yield from ("", "## All tasks")
    by_dataset: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.kind == "task":
            by_dataset.setdefault(str(harness.dataset_of(entry.content)), []).append(entry)
    for dataset, found in by_dataset.items():
        yield from ("", f"### {dataset}", "")
        if dataset in manifest.names():
            known = manifest.load(dataset)
            yield f"{known.title}, version {known.version}, licence {known.licence}."
            yield ""
        yield from _table(one, found)


def _table(one: Benchmark, entries: list[Entry]) -> Iterator[str]:
    yield "| task | asks | answer | version | metrics |"
    yield "| --- | --- | --- | ---: | --- |"
    for entry in entries:
        content = entry.content
        yield (
            f"| `{entry.name}` | {catalogue.asks_how(one, entry)} | {_answer(content)} "
            f"| {(content.get('metadata') or {}).get('version', '')} | {_metrics(content)} |"
        )


def _answer(content: Any) -> str:
    match content.get("output_type"):
        case "multiple_choice":
            return "log-probabilities"
        case None:
            return ""
    tokens = (content.get("generation_kwargs") or {}).get("max_gen_toks")
    return f"text, up to {tokens:,} tokens" if tokens else "text"


def _metrics(content: Any) -> str:
    judged = [
        one for one in content.get("metric_list") or [] if one.get("higher_is_better") is not None
    ]
    names = [f"`{one['metric']}`" for one in judged]
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
