"""The results of a study: numbers for people, for programs, and as a reference for models."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.table import Table

from otherminds import console, estimates
from otherminds.errors import OtherMindsError
from otherminds.manifest import Reference
from otherminds.metrics.socialmindchange import GUIDANCE, chance
from otherminds.metrics.socialmindchange.human import (
    THRESHOLD,
    HumanAccuracy,
    Retention,
    answer_agreement,
    human_accuracy,
    item_means,
    rating_agreement,
    rating_means,
    retention,
)
from otherminds.metrics.socialmindchange.human_items import SCALE
from otherminds.metrics.socialmindchange.summary import POOLED
from otherminds.metrics.uncertainty import Estimate, nothing
from otherminds.tasks.socialmindchange.study.reading import Returned

REFERENCE_FORMAT = "otherminds human reference 1"

CUT = (
    "Intervals are value ± t × standard error, cut to the ends of the scale (1 to 5 for ratings, 0 to 1 "
    "for shares, -1 to 1 for differences)."
)
"""The note for readers of any interval here."""

_LISTED = 12
_ANSWERS = "answers"


@dataclass(frozen=True)
class Results:
    """The numbers of a study; `retention` is None without ratings, `accuracy` without answers.

    agreement  by dimension the ordinal alpha of ratings, and under "answers" the nominal one of letters
    """

    returned: Returned
    means: Mapping[str, Estimate]
    retention: Retention | None
    accuracy: HumanAccuracy | None
    by_annotator: Mapping[str, Estimate]
    agreement: Mapping[str, Estimate]


def evaluate(returned: Returned) -> Results:
    """All numbers of the returned sheets."""
    ratings, answers = returned.ratings, returned.answers
    agreement: dict[str, Estimate] = dict(rating_agreement(ratings)) if ratings else {}
    if answers:
        agreement[_ANSWERS] = answer_agreement(answers)
    own = {
        one.annotator: [given for given in answers if given.annotator == one.annotator]
        for one in returned.sent
    }
    return Results(
        returned=returned,
        means=rating_means(ratings) if ratings else {},
        retention=retention(ratings) if ratings else None,
        accuracy=human_accuracy(answers) if answers else None,
        by_annotator={
            name: human_accuracy(given).overall if given else nothing()
            for name, given in own.items()
        },
        agreement=agreement,
    )


def as_json(found: Results) -> dict[str, Any]:
    """Everything, for programs; ids are those of the data."""
    key, kept, accuracy = found.returned.key, found.retention, found.accuracy
    return {
        "study": key.study,
        "dataset": key.dataset,
        "data": key.data,
        "plan": key.plan.model_dump(),
        "annotators": [
            {**one._asdict(), "accuracy": record(found.by_annotator[one.annotator])}
            for one in found.returned.sent
        ],
        "not_returned": list(found.returned.not_returned),
        "ratings": {
            "scale": [SCALE[0], SCALE[-1]],
            "means": {name: record(one) for name, one in found.means.items()},
        },
        "retention": None
        if kept is None
        else {
            "threshold": THRESHOLD,
            "share": record(kept.share),
            "retained": list(kept.retained),
            "rejected": list(kept.rejected),
            "undecided": list(kept.undecided),
            "stage_means": {stage: dict(own) for stage, own in kept.means.items()},
        },
        "accuracy": None
        if accuracy is None
        else {
            "chance": blind(found),
            "overall": record(accuracy.overall),
            "by_type": {name: record(one) for name, one in accuracy.by_type.items()},
            "by_state": {name: record(one) for name, one in accuracy.by_state.items()},
            "by_cell": {name: record(one) for name, one in accuracy.by_cell.items()},
        },
        "agreement": {name: record(one) for name, one in found.agreement.items()},
        "notes": list(notes(found)),
    }


def blind(found: Results) -> float:
    """Expected accuracy of blind guesses at the questions that were answered, as often as they were."""
    return chance(one.options for one in found.returned.answers)


def reference(found: Results) -> dict[str, Any]:
    """People's accuracy as a reference for models: in the manifest's form, and question by question.

    It holds no gold answers, so that it can be published; `otherminds annotate socialmindchange beside`
    reads it. Raises OtherMindsError where nobody answered a question.
    """
    accuracy, key = found.accuracy, found.returned.key
    if accuracy is None:
        raise OtherMindsError("Nobody answered a question: there is no accuracy to refer to.")
    all_scores = {"acc": accuracy.overall}
    for name, kind in (("acc_guidance", GUIDANCE), ("acc_transition", POOLED)):
        if kind in accuracy.by_type:
            all_scores[name] = accuracy.by_type[kind]
    n_people = len({one.annotator for one in found.returned.answers})
    block = Reference(
        description=f"{n_people} people on {len(item_means(found.returned.answers)):,} questions of "
        f"{accuracy.overall.n_clusters:,} stages ({key.study}).",
        scores={
            "all": {name: one.value for name, one in all_scores.items()},
            **{kind: {"acc": one.value} for kind, one in accuracy.by_type.items()},
        },
        n_people=n_people,
        interval={
            name: (one.low, one.high)
            for name, one in all_scores.items()
            if not math.isnan(known(one).low)
        }
        or None,
        interval_basis="95 %, cluster-robust by stage, cut at 0 and 1; it does not cover the choice "
        "of people.",
    )
    questions = {one.item_id: (stage, one) for stage in key.stages for one in stage.questions}
    given: dict[str, int] = {}
    for answer in found.returned.answers:
        given[answer.item_id] = given.get(answer.item_id, 0) + 1
    return {
        "format": REFERENCE_FORMAT,
        "study": key.study,
        "dataset": key.dataset,
        "data": key.data,
        "reference": block.model_dump(exclude_none=True),
        "items": [
            {
                "item_id": item_id,
                "stage_id": questions[item_id][0].stage_id,
                "type": questions[item_id][1].type,
                "mental_state": questions[item_id][1].mental_state,
                "options": questions[item_id][1].options,
                "asked": questions[item_id][1].asked,
                "told": questions[item_id][0].told,
                "accuracy": mean,
                "n_answers": given[item_id],
            }
            for item_id, mean in item_means(found.returned.answers).items()
        ],
    }


def print_results(found: Results) -> None:
    """All numbers with their intervals and n."""
    kept, accuracy = found.retention, found.accuracy
    console.OUT.print(_people(found))
    if found.means:
        rows = list(found.means.items())
        if kept is not None:
            rows.append((f"stages retained at {THRESHOLD}", kept.share))
        console.OUT.print(table("Ratings, 1 to 5", rows))
    if accuracy is not None:
        rows = [("all", accuracy.overall), *accuracy.by_type.items(), *accuracy.by_state.items()]
        console.OUT.print(table("Accuracy", [*rows, *accuracy.by_cell.items()]))
    console.OUT.print(table("Agreement, Krippendorff's α", list(found.agreement.items())))
    console.print_notes(notes(found))


def notes(found: Results) -> Iterator[str]:
    """The notes for readers of the numbers."""
    returned, kept = found.returned, found.retention
    missing = sum(one.missing_ratings for one in returned.sent)
    unanswered = sum(one.missing_answers for one in returned.sent)
    yield f"Missing in returned tables, and left out: {missing:,} ratings, {unanswered:,} answers."
    if returned.not_returned:
        yield f"No table from: {', '.join(returned.not_returned)}."
    if kept is None:
        yield "Nobody rated a stage."
    else:
        yield (
            f"Retained (every mean at least {THRESHOLD}): {_listed(kept.retained)}. "
            f"Not retained: {_listed(kept.rejected)}."
        )
        if kept.undecided:
            yield f"Undecided, because a dimension has no rating: {_listed(kept.undecided)}."
    if found.accuracy is None:
        yield "Nobody answered a question."
    else:
        yield f"Chance is {blind(found):.2%}. n counts answers; an empty one is none."
    yield (
        "Intervals are over stages. They say nothing of other people than these: alpha and the table of "
        "annotators do."
    )
    yield CUT
    if any(math.isnan(one.value) for one in found.agreement.values()):
        yield "n/a: nothing was given twice, or everything given is equal."


def table(title: str, rows: Sequence[tuple[str, Estimate]]) -> Table:
    """Estimates with their intervals, and how many values of how many stages they rest on."""
    headings = ("Value", "95 % interval", "n", "Stages")
    cells = [
        (
            *(name, console.digits(one.value), estimates.interval(known(one))),
            *(f"{one.n:,.0f}", f"{one.n_clusters:,}"),
        )
        for name, one in rows
    ]
    columns = [*console.texts(""), *console.numbers(*headings)]
    return console.table(columns, cells, title=title, look=console.Look.RULED)


def known(found: Estimate) -> Estimate:
    """An estimate without an interval where stages do not differ: the formulas then know nothing."""
    return replace(found, low=math.nan, high=math.nan) if found.stderr == 0 else found


def record(found: Estimate) -> dict[str, float | int | None]:
    """An estimate for JSON; its clusters are stages."""
    made = estimates.record(known(found))
    made["n_stages"] = made.pop("n_people")
    return made


def _people(found: Results) -> Table:
    headings = ("Ratings", "Missing", "Answers", "Missing", "Accuracy")
    rows = []
    for one in found.returned.sent:
        counts = (one.ratings, one.missing_ratings, one.answers, one.missing_answers)
        accuracy = console.digits(found.by_annotator[one.annotator].value)
        rows.append([one.annotator, *(f"{count:,}" for count in counts), accuracy])
    columns = [*console.texts(""), *console.numbers(*headings)]
    return console.table(columns, rows, title="Annotators", look=console.Look.RULED)


def _listed(stages: Sequence[str]) -> str:
    shown = ", ".join(stages[:_LISTED])
    more = f" and {len(stages) - _LISTED:,} more" if len(stages) > _LISTED else ""
    return f"{shown}{more}" if stages else "none"
