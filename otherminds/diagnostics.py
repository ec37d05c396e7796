"""`otherminds diagnose`: what a model's scores are made of, from its saved samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from otherminds import estimates, samples
from otherminds.errors import OtherMindsError
from otherminds.estimates import Row
from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent import (
    PAPER,
    ContextLength,
    Item,
    Protocol,
    accuracy_by_context_length,
    controversy_by_topic,
    distribution_match,
    individual_correlation,
    run_deviation,
    summarize,
)
from otherminds.metrics.hugagent.items import BDU, OPINION
from otherminds.metrics.hugagent.protocol import BASELINES
from otherminds.metrics.hugagent.table import in_order, tabulate

EDGES = (0.0, 20.0, 25.0, 30.0, 35.0, 40.0, math.inf)
"""Edges of the bins of context length, in question-answer pairs (interviews have 16 to 44)."""

_OUT = Console()


@dataclass(frozen=True)
class Diagnosis:
    """What was found about one model.

    sections  by title, in the order in which they are printed; none is empty
    notes     what a reader must know: what was left out, and how many
    """

    runs: int
    n_items: int
    n_people: int
    protocol: str
    sections: Mapping[str, Sequence[Row]]
    notes: Sequence[str]


def diagnose(
    paths: Sequence[Path], *, protocol: Protocol = PAPER, edges: Sequence[float] = EDGES
) -> Diagnosis:
    """Diagnostics of one model from the sample files of one or several of its runs.

    change and direction       the parts of the direction score, by topic
    run-to-run spread          SD over runs per item
    distributions              model against people, by topic and scale
    individuals                correlation within people
    controversy                of each topic, from the people's own answers
    context length             accuracy in bins, and its slope per question-answer pair (H4)

    A section that the samples have nothing for (BSI has no numbers) is left out.
    Raises OtherMindsError for samples that cannot be read or do not belong together.
    """
    notes: list[str] = []
    lengths: dict[str, int] = {}
    items = samples.combine(_read_all(paths, lengths, notes.append), note=notes.append)
    try:
        sections = {
            title: found
            for title, make in _SECTIONS.items()
            if (found := make(items, protocol, notes.append))
        }
        sections |= _context_length(items, lengths, protocol, edges)
    except MetricError as error:
        raise OtherMindsError(f"These samples cannot be diagnosed: {error}") from error
    return Diagnosis(
        runs=len(items[0].answers),
        n_items=len(items),
        n_people=len({item.participant_id for item in items}),
        protocol=protocol.name,
        sections=sections,
        notes=notes,
    )


def print_diagnosis(found: Diagnosis) -> None:
    """One table per section, then the notes."""
    _OUT.print(
        f"{found.n_items:,} items about {found.n_people:,} people; answers to each item: "
        f"{found.runs:,}; protocol: {found.protocol}.",
        highlight=False,
    )
    for title, rows in found.sections.items():
        _OUT.print(estimates.table(title, rows, part="Part"))
    for note in found.notes:
        _OUT.print(f"• {note}", highlight=False, soft_wrap=True)


def as_json(found: Diagnosis) -> dict[str, Any]:
    """The same for programs: one record per number."""
    return {
        "runs": found.runs,
        "n_items": found.n_items,
        "n_people": found.n_people,
        "protocol": found.protocol,
        "notes": list(found.notes),
        "sections": {
            title: [
                {"part": row.part, "metric": row.metric, **estimates.record(row.estimate)}
                for row in rows
            ]
            for title, rows in found.sections.items()
        },
    }


def _read_all(
    paths: Sequence[Path], lengths: dict[str, int], note: samples.Note
) -> Iterator[samples.Sample]:
    """The samples of all files, one at a time; `lengths` gets each item's context length."""
    if not paths:
        raise OtherMindsError("Give at least one sample file (samples_….jsonl or .jsonl.gz).")
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise OtherMindsError(f"{path} is given twice: one run would count as two.")
        seen.add(path.resolve())
        for sample in samples.read(path, note=note):
            lengths[sample.item.item_id] = len(sample.doc["context"])
            yield sample


def _decomposition(items: Sequence[Item], protocol: Protocol, note: samples.Note) -> list[Row]:
    whole = summarize(items, protocol=protocol)
    parts = {"all topics": whole, **whole.by_topic}
    rows = [
        Row(part, metric, summary[metric])
        for part, summary in parts.items()
        for metric in ("bdu_dir", "bdu_change", "bdu_direction")
        if not math.isnan(summary["bdu_change"].value)
    ]
    if rows:
        note(
            f"Direction rests on {whole.counts['n_both_changed']:,.0f} of "
            f"{whole.counts['n_pairs']:,.0f} pairs of a scenario answer and its baseline: those in "
            "which both model and person moved."
        )
    return rows


def _spread(items: Sequence[Item], protocol: Protocol, note: samples.Note) -> list[Row]:
    if not _has_numbers(items) or len(items[0].answers) < 2:
        return []
    found = run_deviation(items)
    if found.n_left_out:
        note(f"Run-to-run spread: {found.n_left_out:,} items were read in fewer than two runs.")
    return [Row("all topics", "SD over runs (5-point scale)", found.deviation)]


def _distributions(items: Sequence[Item], protocol: Protocol, note: samples.Note) -> list[Row]:
    if not _has_numbers(items):
        return []
    rows = []
    for (topic, low, high), match in distribution_match(items).items():
        part = f"{topic} {low}–{high}"
        rows.append(Row(part, "Jensen–Shannon divergence (bits)", match.jensen_shannon))
        rows.append(Row(part, "Pearson r of the shares", match.pearson))
        rows.append(Row(part, "variance, model / people", match.variance_ratio))
        if match.n_outside or match.n_unread:
            note(
                f"Distributions, {part}: left out {match.n_outside:,} items with a gold outside the "
                f"scale and {match.n_unread:,.1f} per run that could not be read."
            )
    return rows


def _individuals(items: Sequence[Item], protocol: Protocol, note: samples.Note) -> list[Row]:
    if not _has_numbers(items):
        return []
    found = individual_correlation(items)
    note(
        f"Individuals without a correlation: {found.n_too_few:,} with too few items, "
        f"{found.n_constant_gold:,} whose own answers are all alike, {found.n_constant_model:,} for "
        "whom the model's are."
    )
    return [Row("all topics", "r within people, mean", found.correlation)]


def _controversy(items: Sequence[Item], protocol: Protocol, note: samples.Note) -> list[Row]:
    before = [
        item
        for item in items
        if item.question_type == OPINION and item.question_id == BASELINES.get(item.topic)
    ]
    if not before:
        return []
    note(
        "Controversy index: stance variance (as a share of the largest) + polarity entropy (bits)."
    )
    rows = []
    for topic, found in controversy_by_topic(before).items():
        rows.append(Row(topic, "controversy index", found.index))
        rows.append(Row(topic, "stance variance", found.variance))
        rows.append(Row(topic, "polarity entropy", found.entropy))
    return rows


Section = Callable[[Sequence[Item], Protocol, samples.Note], list[Row]]

_SECTIONS: Mapping[str, Section] = {
    "Change and direction": _decomposition,
    "Run-to-run spread": _spread,
    "Answer distributions, model against people": _distributions,
    "Individuals": _individuals,
    "Controversy among the people": _controversy,
}


def _context_length(
    items: Sequence[Item], lengths: Mapping[str, int], protocol: Protocol, edges: Sequence[float]
) -> dict[str, list[Row]]:
    """Accuracy against context length, for BSI and BDU apart: their accuracies differ in meaning."""
    table, ordered = tabulate(items, protocol), in_order(items)
    accuracy = table.correct.mean(axis=1)
    topics = np.array([item.topic for item in ordered])

    def against_length(here: Any) -> ContextLength:
        chosen = np.flatnonzero(here).tolist()
        return accuracy_by_context_length(
            accuracy[chosen],
            [lengths[ordered[i].item_id] for i in chosen],
            [ordered[i].participant_id for i in chosen],
            edges=edges,
        )

    sections: dict[str, list[Row]] = {}
    for name, of_kind in (("bsi_acc", table.is_bsi), ("bdu_acc", ~table.is_bsi)):
        if not of_kind.any():
            continue
        whole = against_length(of_kind)
        rows = [
            Row(_bin(found.low, found.high), name, found.accuracy)
            for found in whole.bins
            if found.accuracy.n
        ]
        rows.append(Row("all topics", "slope per exchange", whole.slope))
        rows += [
            Row(topic, "slope per exchange", against_length(of_kind & (topics == topic)).slope)
            for topic in table.topics
            if (of_kind & (topics == topic)).any()
        ]
        sections[f"Context length: {name}"] = rows
    return sections


def _bin(low: float, high: float) -> str:
    return f"{low:g} or more" if math.isinf(high) else f"{low:g} to below {high:g}"


def _has_numbers(items: Sequence[Item]) -> bool:
    return any(item.task == BDU for item in items)
