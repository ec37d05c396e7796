"""SynchToM inside lm-eval.

`answers` is `process_results` of the answering tasks, which say only whether an answer can be judged,
and `verdicts` that of the judging tasks, where the scores are.

Scores go from 0 to 100. An answer that could not be read fulfils no criterion. A judgement that could
not be read, and an answer whose reasoning was cut off, is left out of `belief`, `profile`, `solution`
and `avg`, and is 0 in their `…_floor`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.synchtom import (
    DIMENSIONS,
    METRICS,
    Failure,
    Summary,
    Unscored,
    gain,
    is_cut_off,
    length_effects,
    read_answer,
    read_verdicts,
    sufficient,
    summarize,
)
from otherminds.metrics.synchtom import Judged as JudgedAnswer
from otherminds.metrics.synchtom.items import Counts
from otherminds.metrics.synchtom.length import Sized
from otherminds.metrics.synchtom.ranges import RANGES
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition
from otherminds.scoring.base import (
    Answer,
    Conditioned,
    Gains,
    Judged,
    Record,
    Totals,
    View,
    defined,
    plain,
)
from otherminds.scoring.scorer import Scorer, Scores, Texts
from otherminds.types import Doc


@dataclass(frozen=True, slots=True)
class Answered(Record):
    """Whether each run's answer to an instance can be judged, and how many parts it has.

    was_cut_off  by run, whether there is none because the reasoning was cut off
    """

    instance_id: str
    scenario: str
    n_turns: int
    parts: tuple[int | None, ...]
    was_cut_off: tuple[bool, ...]

    def single_runs(self) -> list[Answered]:
        """The same instance with the answer of each run."""
        return [
            replace(self, parts=(part,), was_cut_off=(cut_off,))
            for part, cut_off in zip(self.parts, self.was_cut_off, strict=True)
        ]

    @staticmethod
    def totals(records: Sequence[Answered]) -> Totals:
        """The parse rate, and the share of answers with all parts."""
        instances = {record.instance_id for record in records}
        cut_off = sum(sum(record.was_cut_off) / len(record.was_cut_off) for record in records)
        counts = {"n_instances": float(len(instances)), "n_cut_off": cut_off}
        return Totals(_answer_estimates(records), counts)

    @classmethod
    def details(cls, records: Sequence[Answered]) -> dict[str, Any]:
        """The parse rate, and the share of parts that say something, with intervals and n."""
        return {"estimates": plain(_answer_estimates(records), RANGES)}


@dataclass(frozen=True, slots=True)
class Verdict(Conditioned, Judged):
    """A judge's verdicts on an answer, or on one part of it.

    item_id     the instance, and whatever else distinguishes its documents in the task
    condition   the answering task
    n_criteria  of each of DIMENSIONS
    dimensions  those that were judged here
    flagged     places of the criteria on the solution that reward the wrong request
    is_answered, was_cut_off, was_cut
                by run: whether there was an answer to judge, whether there is none because its reasoning
                was cut off, and whether the answer was cut for the judge
    lengths     by run: characters of the answer's text on each of the dimensions judged here
    verdicts    by run: of each dimension, 0 or 1 for each criterion of the rubric; or why there are none
    """

    item_id: str
    instance_id: str
    scenario: str
    n_turns: int
    condition: str
    n_criteria: Counts
    dimensions: tuple[str, ...]
    flagged: tuple[int, ...]
    is_answered: tuple[bool, ...]
    was_cut_off: tuple[bool, ...]
    was_cut: tuple[bool, ...]
    lengths: tuple[tuple[int, ...], ...]
    verdicts: tuple[tuple[tuple[int, ...], ...] | Failure, ...]

    def view(self) -> View:
        """The document as tables show it: how many of the criteria each run fulfils."""
        most = sum(
            count
            for name, count in zip(DIMENSIONS, self.n_criteria, strict=True)
            if name in self.dimensions
        )
        fulfilled = tuple(map(_fulfilled, self.verdicts, self.is_answered, self.was_cut_off))
        return View(
            item_id=self.item_id,
            person=self.instance_id,
            part=self.scenario,
            category=f"{self.n_turns} turns",
            gold=str(most),
            answers=fulfilled,
            correct=tuple(count == most for count in fulfilled),
            scale=None,
            options=tuple(range(most + 1)),
        )

    def with_answers(self, answers: tuple[Answer, ...]) -> Verdict:
        """The same with its first runs alone.

        Raises MisalignedInput for other answers: a vote of models on texts has no verdicts.
        """
        if answers == self.view().answers[: len(answers)]:
            kept = slice(len(answers))
            return self._of_runs(kept)
        raise MisalignedInput(
            "Judged texts cannot be combined; use the task synchtom_collaboration."
        )

    def single_runs(self) -> list[Verdict]:
        """The same document with the judgement of each run."""
        return [self._of_runs(slice(run, run + 1)) for run in range(len(self.verdicts))]

    def _of_runs(self, kept: slice) -> Verdict:
        own: dict[str, Any] = {name: getattr(self, name)[kept] for name in _BY_RUN}
        return replace(self, **own)

    @classmethod
    def joined(cls, records: Sequence[Verdict]) -> Verdict:
        """One document judged in several runs, as one record of all of these."""
        every: dict[str, Any] = {
            name: tuple(one for record in records for one in getattr(record, name))
            for name in _BY_RUN
        }
        return replace(records[0], **every)

    @staticmethod
    def sufficient(records: Sequence[Verdict]) -> Sufficient:
        """The sums that resampling instances needs, for the metrics in which two models can differ."""
        return defined(sufficient(judged(records)))

    @staticmethod
    def gains(shown: Sequence[Verdict], baseline: Sequence[Verdict]) -> Gains:
        """The gain of a condition over another on the same instances (`metrics.synchtom.gain`)."""
        found = gain(judged(shown), judged(baseline))
        return Gains(found.overall, found.by_scenario)

    @staticmethod
    def totals(records: Sequence[Verdict]) -> Totals:
        """The scores of all answers."""
        summary = summarize(judged(records))
        return Totals(summary.estimates, summary.counts)

    @classmethod
    def details(cls, records: Sequence[Verdict]) -> dict[str, Any]:
        """All estimates with counts; by_topic (scenario) and by_turns have those of each part alone.

        `curves` has the scores along the number of turns, where there are several, `failures` counts why
        judgements could not be read, and `length` has by dimension how scores go with the characters of
        answers (`metrics.synchtom.length`).
        """
        summary = summarize(judged(records))
        return {
            "estimates": plain(summary.estimates, RANGES),
            "counts": dict(summary.counts),
            "by_topic": {
                name: plain(one.estimates, RANGES) for name, one in summary.by_scenario.items()
            },
            "by_turns": {
                f"{number} turns": plain(one.estimates, RANGES)
                for number, one in summary.by_turns.items()
            },
            "scenarios_by_turns": {
                f"{number} turns": {
                    name: plain(part.estimates, RANGES) for name, part in one.by_scenario.items()
                }
                for number, one in summary.by_turns.items()
            },
            "curves": list(_curves(summary)),
            "failures": _failures(records),
            "length": _length(records),
            "notes": _notes(records),
        }


def _read_answers(doc: Doc, texts: Texts) -> Answered:
    read = [read_answer(text) for text in texts]
    parts = tuple(None if one is None else sum(map(bool, one.parts.values())) for one in read)
    cut_off = tuple(is_cut_off(text) for text in texts)
    return Answered(doc["instance_id"], doc["scenario"], doc["n_turns"], parts, cut_off)


def _answer_scores(answered: Answered) -> Scores:
    return {
        "parse_rate": [float(one is not None) for one in answered.parts],
        "complete": [float(one == len(DIMENSIONS)) for one in answered.parts],
    }


def _read_verdicts(doc: Doc, texts: Texts) -> Verdict:
    shown = doc["dimensions"]
    counts = {part["name"]: len(part["criteria"]) for part in shown}
    read = [read_verdicts(text, counts, audit=doc["marker"]) for text in texts]
    return Verdict(
        item_id=doc["compared_as"],
        instance_id=doc["instance_id"],
        scenario=doc["scenario"],
        n_turns=doc["n_turns"],
        condition=doc["condition"],
        n_criteria=cast(Counts, tuple(doc["n_criteria"])),
        dimensions=tuple(counts),
        # Samples of version 1 state neither cut-off replies nor flagged criteria.
        flagged=tuple(doc.get("flagged") or ()),
        is_answered=(doc["is_answered"],) * len(read),
        was_cut_off=(bool(doc.get("was_cut_off")),) * len(read),
        was_cut=(doc["was_cut"],) * len(read),
        lengths=(tuple(len(part.get("text") or "") for part in shown),) * len(read),
        verdicts=tuple(
            found
            if isinstance(found, Failure)
            else tuple(_in_rubric_order(found[part["name"]], part["order"]) for part in shown)
            for found in read
        ),
    )


def _verdict_scores(record: Verdict) -> Scores:
    runs = list(zip(record.verdicts, record.is_answered, record.was_cut_off, strict=True))
    return {
        "judge_rate": [float(not isinstance(found, Failure)) for found, *_ in runs],
        "parse_rate": [float(is_answered) for _, is_answered, _ in runs],
        **{
            DIMENSIONS[name]: [
                None if was_cut_off else _share(found, place, is_answered)
                for found, is_answered, was_cut_off in runs
            ]
            for place, name in enumerate(record.dimensions)
        },
    }


def judged(records: Sequence[Verdict]) -> list[JudgedAnswer]:
    """Verdicts as the metrics take them: one item per answer, whether judged at once or in parts."""
    parts: dict[tuple[str, str, int], list[Verdict]] = defaultdict(list)
    for record in records:
        parts[record.condition, record.instance_id, record.n_turns].append(record)
    return [
        JudgedAnswer(
            instance_id=own[0].instance_id,
            scenario=own[0].scenario,
            turns=own[0].n_turns,
            criteria=own[0].n_criteria,
            marks=(marks := tuple(_mark(own, run) for run in range(len(own[0].verdicts)))),
            flagged=len(own[0].flagged),
            flagged_met=tuple(_flagged_met(own, run, mark) for run, mark in enumerate(marks)),
        )
        for own in parts.values()
        # A limit may have cut off a part of the last answer that is judged in parts.
        if sum(len(one.dimensions) for one in own) == len(DIMENSIONS)
    ]


def _fulfilled(found: Any, is_answered: bool, was_cut_off: bool) -> int | None:
    if not is_answered:
        return None if was_cut_off else 0
    return None if isinstance(found, Failure) else sum(map(sum, found))


def _mark(parts: Sequence[Verdict], run: int) -> Counts | Unscored:
    if not parts[0].is_answered[run]:
        return Unscored.CUT_OFF if parts[0].was_cut_off[run] else Unscored.NO_ANSWER
    fulfilled: dict[str, int] = {}
    for part in parts:
        found = part.verdicts[run]
        if isinstance(found, Failure):
            cut_off = found is Failure.CUT_OFF
            return Unscored.JUDGE_CUT_OFF if cut_off else Unscored.NO_JUDGEMENT
        fulfilled |= {name: sum(own) for name, own in zip(part.dimensions, found, strict=True)}
    return cast(Counts, tuple(fulfilled[name] for name in DIMENSIONS))


def _flagged_met(parts: Sequence[Verdict], run: int, mark: Counts | Unscored) -> int:
    if isinstance(mark, Unscored):
        return 0
    [on_solution] = [
        verdicts
        for part in parts
        for name, verdicts in zip(part.dimensions, part.verdicts[run], strict=True)
        if name == _SOLUTION
    ]
    return sum(cast(tuple[int, ...], on_solution)[place] for place in parts[0].flagged)


def _in_rubric_order(found: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    return tuple(verdict for _, verdict in sorted(zip(order, found, strict=True)))


def _share(found: Any, place: int, is_answered: bool) -> float | None:
    if not is_answered:
        return 0.0
    if isinstance(found, Failure):
        return None
    own = found[place]
    return float(100.0 * sum(own) / len(own))


def _curves(summary: Summary) -> list[dict[str, Any]]:
    if len(summary.by_turns) < 2:
        return []
    return [
        {
            "axis": "turns shown",
            "x": number,
            "metric": f"points of 100, {metric}",
            **{field: getattr(one[metric], field) for field in ("value", "low", "high", "n")},
        }
        for metric in (*DIMENSIONS.values(), "avg")
        for number, one in summary.by_turns.items()
    ]


def _failures(records: Sequence[Verdict]) -> dict[str, int]:
    return dict(
        Counter(
            found.value
            for record in records
            for found, is_answered in zip(record.verdicts, record.is_answered, strict=True)
            if is_answered and isinstance(found, Failure)
        )
    )


def _notes(records: Sequence[Verdict]) -> list[str]:
    notes = []
    if failures := _failures(records):
        counted = ", ".join(f"{name} {count:,}" for name, count in sorted(failures.items()))
        notes.append(f"Judgements that could not be read: {counted}.")
    cut_off = sum(any(record.was_cut_off) for record in records if _is_first(record))
    if cut_off:
        notes.append(
            f"{cut_off:,} answers have none but reasoning that was cut off: they are left out of the "
            "scores, and are 0 in the floors. Raise max_gen_toks."
        )
    cut = {(r.condition, r.instance_id, r.n_turns) for r in records if any(r.was_cut)}
    if cut:
        notes.append(
            f"{len(cut):,} answers had parts that were too long and were cut for the judge."
        )
    return notes


def _is_first(record: Verdict) -> bool:
    """Whether this record, and no other part of the same answer, is the one to count it by."""
    return next(iter(DIMENSIONS)) in record.dimensions


def _length(records: Sequence[Verdict]) -> dict[str, Any]:
    """Slope and correlation of score and length, by dimension and over all of an answer."""
    texts: dict[str, list[Sized]] = defaultdict(list)
    for record in records:
        for run, found in enumerate(record.verdicts):
            if isinstance(found, Failure) or not record.is_answered[run]:
                continue
            points = [100.0 * sum(own) / len(own) for own in found]
            sizes = record.lengths[run]
            for name, size, score in zip(record.dimensions, sizes, points, strict=True):
                texts[DIMENSIONS[name]].append(Sized(record.instance_id, size, score))
            if len(points) == len(DIMENSIONS):
                whole = Sized(record.instance_id, sum(sizes), sum(points) / len(points))
                texts["avg"].append(whole)
    return {
        name: {
            **plain({"slope": effect.slope, "correlation": effect.correlation}, RANGES),
            "mean_length": effect.mean_length,
        }
        for name, effect in length_effects(texts).items()
    }


def _answer_estimates(records: Sequence[Answered]) -> dict[str, Estimate]:
    instances = partition([record.instance_id for record in records])
    shares = {
        "parse_rate": lambda part: part is not None,
        "complete": lambda part: part == len(DIMENSIONS),
    }
    return {
        name: clustered_mean(
            [sum(map(is_so, record.parts)) / len(record.parts) for record in records], instances
        )
        for name, is_so in shares.items()
    }


_BY_RUN = ("is_answered", "was_cut_off", "was_cut", "lengths", "verdicts")
_SOLUTION = tuple(DIMENSIONS)[-1]

answers = Scorer(
    metrics={"parse_rate": True, "complete": True},
    counts=("n_instances", "n_cut_off"),
    read=_read_answers,
    scores=_answer_scores,
).text

VERDICTS = Scorer(
    metrics=dict.fromkeys(METRICS, True),
    counts=(
        *("n_items", "n_instances"),
        *("n_no_answer", "n_cut_off", "n_no_judgement", "n_judge_cut_off"),
    ),
    read=_read_verdicts,
    scores=_verdict_scores,
)
verdicts = VERDICTS.text
