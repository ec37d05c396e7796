"""`otherminds diagnose`: the parts of a model's scores, from its saved samples."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from otherminds import console, estimates
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
from otherminds.metrics.hugagent.columns import in_order
from otherminds.metrics.hugagent.items import BASELINES, BDU, OPINION
from otherminds.metrics.hugagent.measures import tabulate
from otherminds.metrics.hugagent.stability import MATCHING_DIVERGENCE, MATCHING_R
from otherminds.metrics.uncertainty import Estimate, bounded
from otherminds.samples.read import Note, Sample, read
from otherminds.tasks.hugagent.samples import combine, item_of
from otherminds.tasks.hugagent.scoring import Scored
from otherminds.tasks.hugagent.scoring_order import Asked

EDGES = (0.0, 20.0, 25.0, 30.0, 35.0, 40.0, math.inf)
"""Edges of the bins of context length, in question-answer pairs (interviews have 16 to 44)."""

_DISTRIBUTIONS = "Answer distributions, model against people"
_DIVERGENCE = "Jensen–Shannon divergence (bits)"
_R_OF_MEANS = "Pearson r of the mean answers"


@dataclass(frozen=True)
class Flag:
    """Whether a model's answers on one topic and scale match the people's, by the paper's bounds.

    divergence, r  Jensen-Shannon divergence, and r of the mean answers to each question; their
                   intervals say how sure the flags are
    """

    part: str
    divergence: Estimate
    r: Estimate

    @property
    def is_alike(self) -> bool | None:
        """Divergence below MATCHING_DIVERGENCE; None where it is not known."""
        value = self.divergence.value
        return None if math.isnan(value) else value < MATCHING_DIVERGENCE

    @property
    def is_correlated(self) -> bool | None:
        """r of at least MATCHING_R; None where it is not known."""
        return None if math.isnan(self.r.value) else self.r.value >= MATCHING_R


@dataclass(frozen=True)
class Diagnosis:
    """The findings about one model.

    sections  by title, in the order in which they are printed; none is empty
    flags     which distributions match; empty without numbers
    notes     notes for readers: on samples left out, and how many
    name      the model and its task, where the samples lay in a folder of several
    """

    runs: int
    n_items: int
    n_people: int
    protocol: str
    sections: Mapping[str, Sequence[Row]]
    flags: Sequence[Flag]
    notes: Sequence[str]
    name: str | None = None


@dataclass(frozen=True)
class Diagnoses:
    """The findings in some files and folders; `notes` name the samples left out of them."""

    found: Sequence[Diagnosis]
    notes: Sequence[str] = ()


def diagnose_all(paths: Sequence[Path], *, protocol: Protocol = PAPER) -> Diagnoses:
    """`diagnose` for files, which are runs of one model; folders are searched, as by `score`.

    The samples of a folder are sorted into models and tasks; repeated runs of one model on one task are
    taken together. Samples that are not answers to HugAgent's items are left out, with a note.
    Raises OtherMindsError as `diagnose`, and where nothing is left.
    """
    if not any(path.expanduser().is_dir() for path in paths):
        return Diagnoses([diagnose(paths, protocol=protocol)])
    from otherminds import analysis

    lengths: dict[Path, dict[str, int]] = defaultdict(dict)

    def measure(path: Path, sample: Sample) -> None:
        if (item := item_of(sample)) is not None:
            lengths[path][item.item_id] = len(sample.doc["context"])

    runs = analysis.read_runs(paths, visit=measure)
    notes, found = list(runs.notes), []
    for run in runs:
        name = f"{run.name}, {run.task}"
        if isinstance(run.records[0], Scored | Asked):
            items = [record.item for record in run.records]
            found.append(_diagnosis(items, lengths[run.files[0]], [], protocol, EDGES, name))
        else:
            notes.append(f"{name} was left out: these are not answers to HugAgent's items.")
    if not found:
        raise OtherMindsError("None of these samples can be diagnosed. " + " ".join(notes))
    return Diagnoses(found, notes)


def diagnose(
    paths: Sequence[Path], *, protocol: Protocol = PAPER, edges: Sequence[float] = EDGES
) -> Diagnosis:
    """Diagnostics of one model from the sample files of one or several of its runs.

    change and direction       the parts of the direction score, by topic
    run-to-run spread          SD over runs per item
    distributions              model against people, by topic and scale, with the paper's flags
    individuals                correlation within people
    controversy                of each topic, from the people's own answers
    context length             accuracy in bins, and its slope per question-answer pair (H4)

    A section that the samples have nothing for (BSI has no numbers) is left out. Intervals are cut
    to the values that a metric can have.
    Raises OtherMindsError for samples that cannot be read or do not belong together.
    """
    notes: list[str] = []
    lengths: dict[str, int] = {}
    items = combine(_read_all(paths, lengths, notes.append), note=notes.append)
    return _diagnosis(items, lengths, notes, protocol, edges)


def print_diagnoses(found: Diagnoses) -> None:
    """Each diagnosis, then the notes on samples left out."""
    for one in found.found:
        print_diagnosis(one)
    console.print_notes(found.notes)


def print_diagnosis(found: Diagnosis) -> None:
    """One table per section, the flags, then the notes."""
    if found.name is not None:
        console.OUT.rule(found.name)
    console.OUT.print(
        f"{found.n_items:,} items about {found.n_people:,} people; answers to each item: "
        f"{found.runs:,}; protocol: {found.protocol}.",
        highlight=False,
    )
    for title, rows in found.sections.items():
        console.OUT.print(estimates.table(title, rows, part="Part"))
        if title == _DISTRIBUTIONS:
            console.OUT.print(_flags_table(found.flags))
    console.print_notes(found.notes)


def as_json(found: Diagnosis) -> dict[str, Any]:
    """The same for programs: one record per number."""
    return {
        "name": found.name,
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
        "flags": [
            {
                "part": flag.part,
                "jsd_below_bound": flag.is_alike,
                "r_of_means_at_least_bound": flag.is_correlated,
            }
            for flag in found.flags
        ],
        "flag_bounds": {"jsd": MATCHING_DIVERGENCE, "r_of_means": MATCHING_R},
    }


def _diagnosis(
    items: Sequence[Item],
    lengths: Mapping[str, int],
    notes: list[str],
    protocol: Protocol,
    edges: Sequence[float],
    name: str | None = None,
) -> Diagnosis:
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
        sections={title: [_possible(row) for row in rows] for title, rows in sections.items()},
        flags=_flags(sections.get(_DISTRIBUTIONS, [])),
        notes=notes,
        name=name,
    )


def _read_all(paths: Sequence[Path], lengths: dict[str, int], note: Note) -> Iterator[Sample]:
    """The samples of all files, one at a time; `lengths` gets each item's context length."""
    if not paths:
        raise OtherMindsError("Give at least one sample file (samples_….jsonl or .jsonl.zst).")
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise OtherMindsError(f"{path} is given twice: one run would count as two.")
        seen.add(path.resolve())
        for sample in read(path, note=note):
            if (item := item_of(sample)) is not None:
                lengths[item.item_id] = len(sample.doc["context"])
            yield sample


def _decomposition(items: Sequence[Item], protocol: Protocol, note: Note) -> list[Row]:
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


def _spread(items: Sequence[Item], protocol: Protocol, note: Note) -> list[Row]:
    if not _has_numbers(items) or len(items[0].answers) < 2:
        return []
    found = run_deviation(items)
    if found.n_left_out:
        note(f"Run-to-run spread: {found.n_left_out:,} items were read in fewer than two runs.")
    return [Row("all topics", "SD over runs (5-point scale)", found.deviation)]


def _distributions(items: Sequence[Item], protocol: Protocol, note: Note) -> list[Row]:
    if not _has_numbers(items):
        return []
    rows, questions = [], []
    for (topic, low, high), match in distribution_match(items).items():
        part = f"{topic} {low}–{high}"
        questions.append(f"{match.n_questions:,} ({part})")
        rows.append(Row(part, _DIVERGENCE, match.jensen_shannon))
        rows.append(Row(part, _R_OF_MEANS, match.pearson_means))
        rows.append(Row(part, "Pearson r of the shares", match.pearson))
        rows.append(Row(part, "variance, model / people", match.variance_ratio))
        if match.n_outside or match.n_unread:
            note(
                f"Distributions, {part}: left out {match.n_outside:,} items with a gold outside the "
                f"scale and {match.n_unread:,.1f} per run that could not be read."
            )
    note(f"The mean answers are correlated over questions: {', '.join(questions)}.")
    return rows


def _flags(distributions: Sequence[Row]) -> list[Flag]:
    found = {(row.part, row.metric): row.estimate for row in distributions}
    parts = dict.fromkeys(row.part for row in distributions)
    return [Flag(part, found[part, _DIVERGENCE], found[part, _R_OF_MEANS]) for part in parts]


def _flags_table(flags: Sequence[Flag]) -> Table:
    """Yes or no; a question mark where the interval holds the bound."""
    bounds = (f"JSD < {MATCHING_DIVERGENCE:.2f}", f"r of the means ≥ {MATCHING_R:.1f}")
    return console.table(
        [*console.texts("Part"), *console.texts(*bounds, fit="words")],
        [
            [
                flag.part,
                _verdict(flag.is_alike, flag.divergence, MATCHING_DIVERGENCE),
                _verdict(flag.is_correlated, flag.r, MATCHING_R),
            ]
            for flag in flags
        ],
        title="Distribution match",
        caption="?: the 95 % interval holds the bound, or is not known",
        look=console.Look.INDENTED,
    )


def _verdict(is_met: bool | None, found: Estimate, bound: float) -> str:
    if is_met is None:
        return "n/a"
    is_sure = found.high < bound or found.low > bound
    return ("yes" if is_met else "no") + ("" if is_sure else " ?")


def _individuals(items: Sequence[Item], protocol: Protocol, note: Note) -> list[Row]:
    if not _has_numbers(items):
        return []
    found = individual_correlation(items)
    note(
        f"Individuals without a correlation: {found.n_too_few:,} with too few items, "
        f"{found.n_constant_gold:,} whose own answers are all alike, {found.n_constant_model:,} for "
        "whom the model's are."
    )
    return [Row("all topics", "r within people, mean", found.correlation)]


def _controversy(items: Sequence[Item], protocol: Protocol, note: Note) -> list[Row]:
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


_SHARE = (0.0, 1.0)
_CORRELATION = (-1.0, 1.0)
_POSITIVE = (0.0, math.inf)

_POSSIBLE: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("bdu_dir", "bdu_change", "bdu_direction", "bsi_acc", "bdu_acc"), _SHARE),
    "SD over runs (5-point scale)": _POSITIVE,
    "r within people, mean": _CORRELATION,
    "controversy index": (0.0, 2.0),
    "stance variance": _SHARE,
    "polarity entropy": _SHARE,
}
"""The range of a metric, where its interval is not cut already."""


def _possible(row: Row) -> Row:
    bounds = _POSSIBLE.get(row.metric)
    return row if bounds is None else row._replace(estimate=bounded(row.estimate, *bounds))


Section = Callable[[Sequence[Item], Protocol, Note], list[Row]]

_SECTIONS: Mapping[str, Section] = {
    "Change and direction": _decomposition,
    "Run-to-run spread": _spread,
    _DISTRIBUTIONS: _distributions,
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
