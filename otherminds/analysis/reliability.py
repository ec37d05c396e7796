"""`otherminds report --reliability`: what else than the person moves a score, from saved samples.

Each section needs samples of its own, and says which command makes those that are not there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from otherminds.analysis.identity_files import IdentityFile
from otherminds.analysis.layouts import benchmark_of
from otherminds.analysis.reply_ends import ReplyEnds
from otherminds.analysis.runs import Run
from otherminds.analysis.scores import Scored, Scores
from otherminds.analysis.words import some
from otherminds.benchmark import Benchmark
from otherminds.metrics.agreement import cohen_kappa, quadratic_kappa
from otherminds.metrics.ranges import SHARE, Range
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition
from otherminds.page.reliability import Row, Section
from otherminds.samples import read as samples
from otherminds.scoring.base import RUNS, View, is_answered

if TYPE_CHECKING:
    import pandas as pd

ORDER, LETTERS, FORMS = "order", "letters", "forms"
IDENTITY, SPREAD, REPLIES = "identity", "spread", "replies"

_ABOUT = {
    ORDER: (
        "Does the order of the options decide?",
        "Each item is asked twice, with its two options exchanged. An answer by position keeps its "
        "letter: 1 for a model that always says one letter, 0.5 for a coin, 0 for one that goes by "
        "the meaning. “Says A” is over both orders, in which each letter is right equally often.",
    ),
    LETTERS: (
        "Does it prefer letters?",
        "How far the letters of the answers lie from balance, in which each option of an item is said "
        "equally often (total variation: 0 is balanced, 1 is apart), and the same of the true "
        "answers: what few items differ by.",
    ),
    FORMS: (
        "Do log-probabilities and written answers agree?",
        "The same model on the same items, asked for the likeliest option and for a written answer. "
        "Kappa is Cohen's: 1 is identity, 0 what such answers share by chance; on scales of numbers "
        "it has quadratic weights. Answers that could not be read are left out of both, and counted.",
    ),
    IDENTITY: (
        "Does it matter whose evidence is shown?",
        "The score with everyone's own evidence, against that with another person's. A model that "
        "knows people in general, and not this person, loses nothing.",
    ),
    SPREAD: (
        "How much does another run differ?",
        "The same items asked several times. SD is over runs (population): how much the model's own "
        "sampling moves a score. An item changes when its answers are not all the same.",
    ),
    REPLIES: (
        "How many answers could be read?",
        "What is not read counts as wrong. Prompts are cut where they do not fit into the model's "
        "window (counted over the whole run), replies where they are out of tokens.",
    ),
}
"""By section, its title and how to read its numbers."""

_NO_LETTERS = "None of these tasks has letters as options."
_NO_ENDS = "None of these samples says why its replies ended."
_LOGPROB, _DIRECT = "_logprob", "_direct"
_SAMPLED = "--runs 5 --gen_kwargs do_sample=true,temperature=0.7"
_DIFFERENCE = Range(-1.0, 1.0)


def sections(scores: Scores, identities: Sequence[IdentityFile], ends: ReplyEnds) -> list[Section]:
    """All sections of the page, those without samples too."""
    runs = [one.run for one in scores.scored if is_answered(one.run.records[0])]
    ordered = [run for run in runs if _pairs(run)]
    forms = list(_forms(runs))
    made = {
        ORDER: chain.from_iterable(map(_order, ordered)),
        LETTERS: chain.from_iterable(map(_letters, runs)),
        FORMS: chain.from_iterable(_agreement(*pair) for pair in forms),
        IDENTITY: chain.from_iterable(map(_identity, identities)),
        SPREAD: chain.from_iterable(map(_spread, scores.scored)),
        REPLIES: chain.from_iterable(_replies(one, ends) for one in scores.scored),
    }
    missing = {
        ORDER: _lacking(runs, ORDER, {run.name for run in ordered}),
        LETTERS: [] if any(map(_has_letters, runs)) else [_NO_LETTERS],
        FORMS: _without_form(runs, forms),
        IDENTITY: _lacking(runs, IDENTITY, {one.model for one in identities}),
        SPREAD: _run_once(runs),
        REPLIES: [] if any(ends.of(run.files) for run in runs) else [_NO_ENDS],
    }
    return [
        Section(name, *_ABOUT[name], rows=list(rows), missing=missing[name])
        for name, rows in made.items()
    ]


def table(found: Iterable[Section]) -> pd.DataFrame:
    """All numbers, a row each; the columns are the fields of `Row`."""
    import pandas as pd

    rows = [row for section in found for row in section.rows]
    return pd.DataFrame(rows, columns=list(Row._fields))


class _Pair(NamedTuple):
    as_is: View
    exchanged: View

    def places(self) -> list[tuple[int | None, int | None]]:
        """By run, the place of the letter that was said in each order; None for what was not read."""
        return [
            (_place(self.as_is, one), _place(self.exchanged, other))
            for one, other in zip(self.as_is.answers, self.exchanged.answers, strict=True)
        ]


def _pairs(run: Run) -> list[_Pair]:
    """The items of a run that were asked in both orders."""
    found: dict[str, dict[bool, View]] = {}
    for record in run.answered:
        if record.order is not None:
            found.setdefault(record.order.item, {})[record.order.exchanged] = record.view()
    return [_Pair(one[False], one[True]) for one in found.values() if len(one) == 2]


def _place(view: View, answer: object) -> int | None:
    return view.options.index(answer) if answer in view.options else None


def _order(run: Run) -> Iterator[Row]:
    pairs = _pairs(run)
    people = [pair.as_is.person for pair in pairs]
    same, unread, moved = [], [], []
    said: list[tuple[str, int]] = []
    for pair in pairs:
        places = pair.places()
        both = [(a, b) for a, b in places if a is not None and b is not None]
        same.append(sum(a == b for a, b in both) / len(places))
        unread.append(1 - len(both) / len(places))
        moved.append(pair.as_is.score - pair.exchanged.score)
        said += [(pair.as_is.person, place) for one in both for place in one]
    yield _mean(run, ORDER, "", "keeps its letter", same, people, expected=0.0)
    if said:
        first = [float(place == 0) for _, place in said]
        whom = [person for person, _ in said]
        name = f"says {pairs[0].as_is.options[0]}"
        yield _mean(run, ORDER, "", name, first, whom, expected=0.5)
    yield _mean(run, ORDER, "", "right, as it is − exchanged", moved, people, within=_DIFFERENCE)
    yield _mean(run, ORDER, "", "unread", unread, people)


def _has_letters(run: Run) -> bool:
    return any(_is_lettered(record.view()) for record in run.answered)


def _is_lettered(view: View) -> bool:
    return len(view.options) > 1 and all(
        isinstance(one, str) and len(one) == 1 and one.isupper() for one in view.options
    )


def _letters(run: Run) -> Iterator[Row]:
    views = [view for view in (record.view() for record in run.answered) if _is_lettered(view)]
    answers = [(view, one) for view in views for one in view.answers if one in view.options]
    if not answers:
        return
    letters = sorted({str(one) for view in views for one in view.options})
    people = [view.person for view, _ in answers]
    balanced, off, off_golds = {}, 0.0, 0.0
    for letter in letters:
        even = [1 / len(view.options) if letter in view.options else 0.0 for view, _ in answers]
        balanced[letter] = sum(even) / len(even)
    said = {one: _share(answer == one for _, answer in answers) for one in letters}
    for letter in letters:
        off += abs(said[letter] - balanced[letter]) / 2
        golds = _share(view.gold == letter for view, _ in answers)
        off_golds += abs(golds - balanced[letter]) / 2
    n, n_people = float(len(answers)), float(len(set(people)))
    same = (run.name, run.task)
    nan = math.nan
    yield Row(LETTERS, *same, "", "from balance", off, nan, nan, n, n_people)
    yield Row(LETTERS, *same, "", "true answers from balance", off_golds, nan, nan, n, n_people)
    for measure, ends in (("most over", max), ("most under", min)):
        letter = ends(letters, key=lambda one: said[one] - balanced[one])
        is_said = [float(answer == letter) for _, answer in answers]
        name = f"{measure}: {letter}"
        yield _mean(run, LETTERS, "", name, is_said, people, expected=balanced[letter])


def _share(flags: Iterable[bool]) -> float:
    known = list(flags)
    return sum(known) / len(known)


def _forms(runs: Sequence[Run]) -> Iterator[tuple[Run, Run]]:
    """Runs by log-probabilities, each with those of the same model that wrote answers to the items."""
    for chosen in runs:
        if chosen.rules.takes_options:
            base = chosen.task.removesuffix(_LOGPROB)
            for written in runs:
                is_other = written.task in (base, base + _DIRECT)
                if is_other and written.name == chosen.name and not written.rules.takes_options:
                    yield chosen, written


def _agreement(chosen: Run, written: Run) -> Iterator[Row]:
    of_chosen = {view.item_id: view for view in (one.view() for one in chosen.answered)}
    by_scale: dict[tuple[int, int] | None, list[tuple[View, View]]] = {}
    for other in (one.view() for one in written.answered):
        first = of_chosen.get(other.item_id)
        # An item of other data may have the same id.
        if first is not None and (first.gold, first.person) == (other.gold, other.person):
            by_scale.setdefault(other.scale, []).append((first, other))
    for scale, items in by_scale.items():
        part = "letters and words" if scale is None else f"{scale[0]} to {scale[1]}"
        yield from _agreement_on(written, part, scale, items)


def _agreement_on(
    written: Run, part: str, scale: tuple[int, int] | None, items: Sequence[tuple[View, View]]
) -> Iterator[Row]:
    asked = [(a.person, a.answers[0], one) for a, b in items for one in b.answers]
    read = [one for one in asked if one[1] is not None and one[2] is not None]
    if read:
        people = [person for person, _, _ in read]
        first, second = [one for _, one, _ in read], [one for _, _, one in read]
        same = [float(a == b) for a, b in zip(first, second, strict=True)]
        yield _mean(written, FORMS, part, "same answer", same, people)
        whom = partition(people)
        if scale is None:
            kappa = cohen_kappa(first, second, whom)
        else:
            low, high = scale
            a, b = ([float(str(one)) for one in side] for side in (first, second))
            kappa = quadratic_kappa(a, b, whom, low=low, high=high)
        yield _row(written, FORMS, part, "kappa", kappa)
    gained = [a.score - b.score for a, b in items]
    whose = [a.person for a, _ in items]
    measure = "right, log-probabilities − written"
    yield _mean(written, FORMS, part, measure, gained, whose, within=_DIFFERENCE)
    unread = [float(a is None or b is None) for _, a, b in asked]
    yield _mean(written, FORMS, part, "unread", unread, [person for person, _, _ in asked])


def _without_form(runs: Sequence[Run], forms: Sequence[tuple[Run, Run]]) -> list[str]:
    """The runs of which the same model's other form is not there, where the task has one."""
    paired = {id(run) for pair in forms for run in pair}
    lacking: dict[str, list[str]] = {}
    for run in runs:
        other = None if id(run) in paired else _other_form(run)
        if other is not None:
            lacking.setdefault(run.name, []).append(other)
    return [
        f"{model}: `otherminds run {' '.join(dict.fromkeys(tasks))}`"
        for model, tasks in lacking.items()
    ]


def _other_form(run: Run) -> str | None:
    base = run.task.removesuffix(_LOGPROB)
    names = [base, base + _DIRECT] if run.rules.takes_options else [_with_logprob(base)]
    return next((name for name in names if samples.rules_of(name) is not None), None)


def _with_logprob(task: str) -> str:
    return task.removesuffix(_DIRECT) + _LOGPROB


def _identity(found: IdentityFile) -> Iterator[Row]:
    same = (IDENTITY, found.model, found.task, found.metric)
    n, people = float(found.n), float(found.n_people)
    nan = math.nan
    yield Row(*same, "own evidence", found.observed, nan, nan, n, people)
    mean = sum(found.null) / len(found.null)
    yield Row(*same, "another person's (mean; range)", mean, min(found.null), max(found.null))
    gain = found.observed - mean
    yield Row(*same, "gain", -gain if found.lower else gain)
    smallest = 1 / (1 + len(found.null))
    yield Row(*same, "p (permutation)", found.p_value, n=float(len(found.null)), expected=smallest)


def _spread(one: Scored) -> Iterator[Row]:
    apart = one.details.get(RUNS)
    run = one.run
    if not apart or not is_answered(run.records[0]):
        return
    scored = [name for name, better in run.rules.metrics.items() if better is not None]
    metric = next((name for name in scored if name in apart["estimates"]), None)
    if metric is not None:
        found = apart["estimates"][metric]
        values = [value for value in found["values"] if value is not None]
        same, n = (SPREAD, run.name, run.task, metric), float(len(values))
        yield Row(*same, "mean (range over runs)", found["mean"], min(values), max(values), n)
        yield Row(*same, "SD over runs", found["sd"], n=n)
    views = [record.view() for record in run.answered]
    changed = [float(len(set(view.answers)) > 1) for view in views]
    people = [view.person for view in views]
    yield _mean(run, SPREAD, metric or "", "items that change", changed, people)


def _run_once(runs: Sequence[Run]) -> list[str]:
    """By model, the tasks with one written answer to each item."""
    once: dict[str, list[str]] = {}
    for run in runs:
        if run.n_runs == 1 and not run.rules.takes_options:
            once.setdefault(run.name, []).append(run.task)
    return [
        f"{model}: `otherminds run {tasks[0]} {_SAMPLED}`"
        + (f" (and {some(tasks[1:])})" if len(tasks) > 1 else "")
        for model, tasks in once.items()
    ]


def _replies(one: Scored, ends: ReplyEnds) -> Iterator[Row]:
    run = one.run
    if not is_answered(run.records[0]):
        return
    views = [record.view() for record in run.answered]
    read = [1 - view.answers.count(None) / len(view.answers) for view in views]
    yield _mean(run, REPLIES, "", "read", read, [view.person for view in views])
    unread = float(one.n_unread)
    yield Row(REPLIES, run.name, run.task, "", "answers not read", unread, n=float(one.n_answers))
    if run.facts.n_truncated is not None:
        cut = float(run.facts.n_truncated)
        yield Row(REPLIES, run.name, run.task, "", "prompts cut", cut)
    reasons = ends.of(run.files)
    if reasons:
        n = sum(reasons.values())
        share = reasons["length"] / n
        yield Row(REPLIES, run.name, run.task, "", "replies out of tokens", share, n=float(n))


def _lacking(runs: Sequence[Run], section: str, there: set[str]) -> list[str]:
    """By model that has no samples for a section, the command that makes them."""
    said = []
    benchmarks: dict[str, Benchmark] = {}
    models: dict[str, list[str]] = {}
    for run in runs:
        found = benchmark_of(run.rules.dataset)
        if found is not None:
            benchmarks[found.name] = found
            models.setdefault(found.name, []).append(run.name)
    for name, benchmark in benchmarks.items():
        command = benchmark.reliability.get(section)
        if command is None:
            said.append(f"{name} has no task for this.")
            continue
        said += [
            f"{model}: {command}" for model in dict.fromkeys(models[name]) if model not in there
        ]
    return said


def _mean(
    run: Run,
    section: str,
    part: str,
    measure: str,
    values: Sequence[float],
    people: Sequence[str],
    *,
    expected: float = math.nan,
    within: Range = SHARE,
) -> Row:
    found = within.cut(clustered_mean(values, partition(people)))
    return _row(run, section, part, measure, found, expected=expected)


def _row(
    run: Run, section: str, part: str, measure: str, found: Estimate, expected: float = math.nan
) -> Row:
    return Row(
        *(section, run.name, run.task, part, measure, found.value, found.low, found.high),
        *(float(found.n), float(found.n_clusters), expected),
    )
