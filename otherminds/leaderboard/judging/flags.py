"""Implausible traits of a submission whose scores are right: for a person to look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from otherminds import manifest
from otherminds.leaderboard.judging.expected import Expected
from otherminds.leaderboard.records.reasons import finding
from otherminds.leaderboard.records.record import Finding, Metric
from otherminds.samples.read import Rules
from otherminds.scoring.base import Answered

_SAME_LETTER = "same_letter"
"""The metric of tasks that ask each item with its options in both orders."""

CEILINGS = frozenset({"optimal", "reader"})
"""The references of manifests of generated data that know how these were made: nobody can be expected
to know more. Scores of other baselines can be passed."""

_PERFECT = 0.99

# Characters and pairs that are read for one another.
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "-": "", "_": "", ".": ""})


def of_scores(
    records: Sequence[Answered], metrics: Mapping[str, Metric], known: Expected
) -> Iterator[Finding]:
    """Nearly gold-perfect, above a ceiling, the same letters in every order of options."""
    views = [record.view() for record in records]
    right = [correct for view in views for correct in view.correct]
    if sum(right) >= _PERFECT * len(right):
        yield finding("gold-perfect", f"{known.task}: {sum(right)} of {len(right)} answers.")
    yield from of_answers(records, known.task)
    if _SAME_LETTER in metrics and metrics[_SAME_LETTER].value == 1:
        yield finding("same-answers-when-shuffled", known.task)
    references = manifest.load(known.rules.dataset).references
    for name in sorted(CEILINGS & references.keys()):
        scores = references[name].scores
        ceiling = scores.get(known.rules.evidence or "all") or scores.get("all", {})
        yield from above_known(name, ceiling, metrics, known.task, known.rules)
    human = references.get("human")
    if human is not None and human.interval is not None and known.rules.evidence is None:
        yield from above(human.interval, metrics, known.task, known.rules)


def of_answers(records: Sequence[Answered], task: str) -> Iterator[Finding]:
    """Implausible traits that do not depend on the golds: the same answer to everything."""
    views = [record.view() for record in records]
    if is_constant(view.answers for view in views):
        yield finding("constant-answers", f"{task}: {views[0].answers[0]}")


def above(
    ceiling: Mapping[str, tuple[float, float]],
    metrics: Mapping[str, Metric],
    task: str,
    rules: Rules,
) -> Iterator[Finding]:
    """The scores that are better than the whole interval of the human ceiling."""
    for name, (low, high) in ceiling.items():
        if name not in metrics:
            continue
        value, better = metrics[name].value, rules.metrics.get(name)
        if (better is True and value > high) or (better is False and value < low):
            yield finding(
                "above-human-ceiling",
                f"{task}: {name} {value:.4g}, people {low:.4g} to {high:.4g}.",
            )


def above_known(
    name: str,
    ceiling: Mapping[str, float],
    metrics: Mapping[str, Metric],
    task: str,
    rules: Rules,
) -> Iterator[Finding]:
    """The scores whose whole interval is better than the ceiling `name` of a dataset's manifest."""
    for metric, most in ceiling.items():
        found, better = metrics.get(metric), rules.metrics.get(metric)
        if found is None or better is None:
            continue
        # Without an interval, of a single person, a score says too little.
        worst = found.low if better else found.high
        if worst is not None and (worst > most if better else worst < most):
            yield finding(
                "above-known-ceiling", f"{task}: {metric} {found.value:.4g}, {name} {most:.4g}."
            )


def is_constant(answers: Iterable[tuple[object, ...]]) -> bool:
    """Whether there are several answers and all are the same."""
    flat = [answer for of_item in answers for answer in of_item]
    return len(flat) > 1 and len(set(flat)) == 1


def skeleton(name: str) -> str:
    """A name with everything equal that is read alike: two names of one skeleton look alike."""
    return re.sub("rn", "m", name.lower().translate(_ALIKE)).replace("vv", "w")
