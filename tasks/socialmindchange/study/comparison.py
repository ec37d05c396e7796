"""People beside models, on the same questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from otherminds import console, estimates
from otherminds.analysis import read_runs
from otherminds.analysis.runs import Run, Runs
from otherminds.errors import OtherMindsError
from otherminds.manifest import Reference
from otherminds.metrics.socialmindchange import GUIDANCE, LETTERS, chance
from otherminds.metrics.socialmindchange.human import KINDS, Compared, compare_means
from otherminds.metrics.socialmindchange.summary import POOLED
from otherminds.samples import read as samples
from otherminds.samples.names import named
from otherminds.samples.read import Sample
from otherminds.strict import Strict
from otherminds.tasks.socialmindchange import scoring as socialmindchange
from otherminds.tasks.socialmindchange.benchmark import BENCHMARK
from otherminds.tasks.socialmindchange.study.key import Dataset, asked, told
from otherminds.tasks.socialmindchange.study.results import CUT, known, record

ALL = "all"


class _Item(Strict):
    item_id: str
    stage_id: str
    type: str
    mental_state: str
    options: int = Field(ge=2, le=len(LETTERS))
    asked: str
    told: str
    accuracy: float = Field(ge=0, le=1)
    n_answers: int = Field(ge=1)


class _HumanReference(Strict):
    """The content of `results.reference`."""

    format: Literal["otherminds human reference 1"]
    study: str
    dataset: Dataset
    data: dict[str, Any]
    reference: Reference
    items: list[_Item] = Field(min_length=1)


@dataclass(frozen=True)
class Beside:
    """Models beside people.

    parts  by model and task, then by part ("all", or a question type): both on the shared questions
    n      how many questions people answered
    blind  the expected accuracy of a blind guess at these
    notes  on samples passed over or refused, and why; and on all intervals
    """

    study: str
    n: int
    blind: float
    parts: Mapping[tuple[str, str], Mapping[str, Compared]]
    notes: Sequence[str]


def beside(reference: Path, paths: Sequence[Path]) -> Beside:
    """Every model in some samples beside people, on the questions that both answered.

    reference  a file that `otherminds annotate socialmindchange read --reference` wrote
    paths      sample files or folders, as for `otherminds score`

    Samples of tasks that do not ask these questions are passed over. So is a model's run, with the
    reason in `notes`, where it saw something else than people of a stage or was asked something else.

    Raises OtherMindsError for what cannot be read, for a reference that has a question twice, for
    samples without a question of the study, and, with the reason, where every run is refused.
    """
    people = _read(reference)
    items = {one.item_id: one for one in people.items}
    files, notes = _asking(paths)
    reasons: dict[Path, str] = {}

    def check(path: Path, sample: Sample) -> None:
        item = items.get(str(sample.doc.get("item_id")))
        if item is not None and (other := _other(sample.doc, item)) is not None:
            reasons.setdefault(path, f"{sample.place}: {other}")

    runs = read_runs(files, visit=check) if files else Runs([], [])
    refused: list[str] = []
    found: dict[tuple[str, str], Mapping[str, Compared]] = {}
    for run in runs:
        if own := [reasons[path] for path in run.files if path in reasons]:
            refused.append(f"{run.name} on {run.task} was refused. {own[0]}")
        elif parts := dict(_parts(run, items)):
            found[run.name, run.task] = parts
    if not found and refused:
        raise OtherMindsError(refused[0])
    if not found:
        raise OtherMindsError(
            f"No sample is of a question of {people.study}: give samples of a task that asks them, such "
            f"as {people.dataset.replace('-', '_')}_lite for a study of the lite part."
        )
    blind = chance(one.options for one in people.items)
    return Beside(people.study, len(items), blind, found, [*notes, *runs.notes, *refused, CUT])


def as_json(found: Beside) -> dict[str, Any]:
    """The same for programs."""
    return {
        "study": found.study,
        "n_items": found.n,
        "chance": found.blind,
        "models": [
            {
                "model": model,
                "task": task,
                "parts": {
                    part: {name: record(one) for name, one in own._asdict().items()}
                    for part, own in parts.items()
                },
            }
            for (model, task), parts in found.parts.items()
        ],
        "notes": list(found.notes),
    }


def print_beside(found: Beside) -> None:
    """A table for each model, with a line and n for each part."""
    for (model, task), parts in found.parts.items():
        headings = ("People", "Model", "Difference", "95 % interval", "n", "Stages")
        rows = [
            [
                part,
                *(console.digits(one.value) for one in own),
                estimates.interval(known(own.difference)),
                *(f"{own.human.n:,.0f}", f"{own.human.n_clusters:,}"),
            ]
            for part, own in parts.items()
        ]
        columns = [*console.texts("Questions"), *console.numbers(*headings)]
        title = f"People and {model} on {task}"
        console.OUT.print(console.table(columns, rows, title=title, look=console.Look.RULED))
    lines = [
        f"People answered {found.n:,} questions in {found.study}; n: those that the model answered too.",
        "Both are means over these questions. Intervals of the difference are paired, and by stage.",
        f"Chance is {found.blind:.2%}.",
        *found.notes,
    ]
    console.print_notes(lines)


def _asking(paths: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The files that may hold these questions, and notes on the others.

    A file whose name is not a sample's, and a folder without any, are kept: `read_runs` reports them.
    """
    kept: list[Path] = []
    others: set[str] = set()
    for given in paths:
        path = given.expanduser()
        inside = sorted(path.rglob("samples_*.jsonl*")) if path.is_dir() else [path]
        known = [(one, name) for one in inside if (name := named(one)) is not None]
        if not known:
            kept.append(path)
        for one, name in known:
            rules = samples.rules_of(name.task)
            if rules is not None and rules.scorer.check_doc is socialmindchange.check_doc:
                kept.append(one)
            else:
                others.add(name.task)
    if not others:
        return kept, []
    return kept, [f"Passed over, as tasks without these questions: {', '.join(sorted(others))}."]


def _other(doc: Mapping[str, Any], item: _Item) -> str | None:
    """The difference in a model's question or evidence from people's; None where there is none."""
    if asked(doc) != item.asked:
        return (
            f"Question {item.item_id} is another one than people were asked: the samples are of another "
            "version of the data, or of options in another order."
        )
    if doc.get("states"):
        return (
            f"The model saw the annotated states of stage {item.stage_id} too, and people did not: give "
            "samples of a task without '_with_states'."
        )
    if told(doc) != item.told:
        return (
            f"The model saw another stage {item.stage_id} than people: fewer scenes, scenes told anew, "
            "or another version of the data."
        )
    return None


def _parts(run: Run, items: Mapping[str, _Item]) -> Iterator[tuple[str, Compared]]:
    views = [scored.view() for scored in run.answered]
    model = {
        view.item_id: sum(map(bool, view.correct)) / len(view.correct)
        for view in views
        if view.item_id in items
    }
    for part in (ALL, *KINDS):
        own = {
            name: item.accuracy
            for name, item in items.items()
            if name in model and _is_of(part, item.type)
        }
        if own:
            stages = {name: items[name].stage_id for name in own}
            yield part, compare_means(own, model, stages)


def _is_of(part: str, kind: str) -> bool:
    return part in (ALL, kind) or (part == POOLED and kind != GUIDANCE)


def _read(path: Path) -> _HumanReference:
    try:
        found = _HumanReference.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    except (ValidationError, UnicodeDecodeError) as error:
        raise OtherMindsError(
            f"{path} is not a human reference: write one with `otherminds annotate {BENCHMARK.name} "
            "read FOLDER --reference FILE`."
        ) from error
    [(item_id, times)] = Counter(one.item_id for one in found.items).most_common(1)
    if times > 1:
        raise OtherMindsError(
            f"{path} has the question {item_id} {times} times: write it anew with `otherminds annotate "
            f"{BENCHMARK.name} read FOLDER --reference FILE`."
        )
    return found
