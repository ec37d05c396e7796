"""What the commands print: tables for people, on standard output."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from scipy.special import stdtrit

from otherminds import build, manifest
from otherminds.doctor import Finding
from otherminds.run import Finished

_OUT = Console()
_COUNTS = "n_"


def print_run(finished: Finished) -> None:
    """The results table, with chance and ceiling beside each score, and what a reader must know."""
    ours = finished.results["otherminds"]
    for task, numbers in finished.results["results"].items():
        _OUT.print(_results_table(task, _metrics(numbers), _references(task, finished.results)))
    for note in _notes(finished):
        _OUT.print(f"• {note}", highlight=False)
    _OUT.print(f"Results: {finished.results_path}", soft_wrap=True, highlight=False)
    for path in finished.sample_paths:
        _OUT.print(f"Samples: {path}", soft_wrap=True, highlight=False)
    if ours["reads_gold"]:
        _OUT.print("[bold]This model reads the gold answers: a test of the task, not a score.[/]")


def print_audits(audits: Iterable[build.Audit], out: Path) -> None:
    """What was checked of a build, and the values found."""
    table = Table("Audit", "Passed", "Value", "Detail")
    for audit in audits:
        table.add_row(audit.name, "yes" if audit.passed else "NO", str(audit.value), audit.detail)
    _OUT.print(table)
    _OUT.print(f"Written: {out}", soft_wrap=True, highlight=False)


def print_findings(findings: Iterable[Finding]) -> None:
    """The doctor's findings, faults last."""
    ordered = sorted(findings, key=lambda finding: not finding.passed)
    for finding in ordered:
        sign = "[green]ok[/]  " if finding.passed else "[red]FAIL[/]"
        _OUT.print(f"{sign} {finding.subject}: {finding.detail}", highlight=False)
    faults = sum(not finding.passed for finding in ordered)
    _OUT.print(f"{len(ordered)} checks, {faults} faults.", highlight=False)


def _metrics(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Metric values without lm-eval's filter suffix and bookkeeping."""
    return {key.partition(",")[0]: value for key, value in numbers.items() if "," in key}


def _results_table(
    task: str, numbers: Mapping[str, Any], references: Mapping[str, Mapping[str, float]]
) -> Table:
    table = Table(title=task, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Metric", no_wrap=True)
    for heading in ("Value", "± SE", "95 % interval", *references):
        table.add_column(heading, justify="right", no_wrap=True)
    people = numbers.get("n_people", math.nan)
    for metric, value in numbers.items():
        if metric.endswith("_stderr"):
            continue
        stderr = numbers.get(f"{metric}_stderr", math.nan)
        is_count = metric.startswith(_COUNTS)
        table.add_row(
            metric,
            _count(value) if is_count else _number(value),
            "" if is_count else _number(stderr),
            "" if is_count else _interval(value, stderr, people),
            *(_number(scores.get(metric), missing="") for scores in references.values()),
        )
    return table


def _references(task: str, results: Mapping[str, Any]) -> dict[str, Mapping[str, float]]:
    """The manifest's reference scores for the rows of this task: all of them, or one topic's."""
    origin = results["otherminds"]["data"].get(task)
    if origin is None:
        return {}
    topic = results["configs"][task]["dataset_kwargs"].get("topic", "all")
    known = manifest.load(origin["dataset"]).references
    return {name: reference.scores[topic] for name, reference in known.items()}


def _notes(finished: Finished) -> Iterable[str]:
    results, ours = finished.results, finished.results["otherminds"]
    name = results["config"]["model"]
    if ours["weightless"]:
        yield f"Model: {name}, which has no weights. --model and --model_args name a real one."
    else:
        weights = results["config"]["model_args"].get("pretrained", "")
        applied = "applied" if ours["chat_template_applied"] else "not applied"
        journal = ours["journal"]
        yield f"Model: {name} {weights}. Chat template {applied}."
        yield f"Requests asked: {journal['asked']:,}; taken from the journal: {journal['reused']:,}."
        if not ours["window"]["checked"]:
            yield "Prompt lengths could not be checked: this model tells no tokenizer or window."
        elif ours["window"]["n_truncated"]:
            yield f"{ours['window']['n_truncated']:,} prompts were cut to the model's window."
    for task, counts in results["n-samples"].items():
        if counts["effective"] < counts["original"]:
            yield (
                f"{task}: {counts['effective']:,} of {counts['original']:,} documents were run; "
                "the reference columns are for all of them."
            )
    if {origin["subset"] for origin in ours["data"].values()} - {None}:
        yield "A subset of the people was run; the reference columns are for all of them."
    yield "± is the standard error over people (clustered), not over items."


def _number(value: Any, missing: str = "n/a") -> str:
    if not isinstance(value, float) or math.isnan(value):
        return missing
    return _digits(value)


def _digits(value: float) -> str:
    # Scores up to 1 and errors of a few points, or percentages: three figures each.
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def _count(value: Any) -> str:
    return f"{value:,.0f}" if isinstance(value, float | int) and not math.isnan(value) else "n/a"


def _interval(value: Any, stderr: Any, people: Any) -> str:
    numbers = (value, stderr, people)
    if not all(isinstance(number, float) and math.isfinite(number) for number in numbers):
        return ""
    if people < 2:
        return ""
    half = float(stdtrit(people - 1, 0.975)) * stderr
    return f"{_digits(value - half)} – {_digits(value + half)}"
