"""Whether items can be answered: a rule-based reader's score by kind of item and evidence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent.features import PROMPT_FIELDS
from otherminds.dataset_builders.hugagent.items import REASON
from otherminds.dataset_builders.hugagent.reader import Portrait, Reader

KINDS = ("bsi", "baseline", "scenario", "reason")
TOLERANCE = {"bsi": 0, "baseline": 2, "scenario": 2, "reason": 1}
"""How far from the answer still counts as right, in points of the item's own scale."""

_ASKED = tuple(name for name in PROMPT_FIELDS if name != "context")
_READ = (*_ASKED, "task", "question_type", "participant_id", "question_id", "evidence", "answer")
_ROWS_AT_A_TIME = 256


@dataclass
class Tally:
    """Counts for one kind of item."""

    total: Counter[str] = field(default_factory=Counter)
    """Items by grade of evidence."""

    right: Counter[str] = field(default_factory=Counter)
    """Items answered within tolerance, by grade."""

    right_without: int = 0
    """Items answered within tolerance without the interview."""

    answers: Counter[str] = field(default_factory=Counter)

    def accuracy(self, grade: str | None = None) -> float:
        """Share answered within tolerance, of one grade or of all; NaN when there is none."""
        if grade is None:
            return _share(self.right.total(), self.total.total())
        return _share(self.right[grade], self.total[grade])

    def accuracy_without(self) -> float:
        """Share answered within tolerance without the interview."""
        return _share(self.right_without, self.total.total())

    def majority(self, tolerance: int) -> float:
        """Share answered within tolerance by the best constant answer."""
        best = max(
            (
                sum(n for gold, n in self.answers.items() if within(guess, gold, tolerance))
                for guess in self.answers
            ),
            default=0,
        )
        return _share(best, self.total.total())


def within(guess: str, gold: str, tolerance: int) -> bool:
    """Whether a guess counts: equal, or (where numbers are asked) at most `tolerance` away."""
    return guess == gold if tolerance == 0 else abs(int(guess) - int(gold)) <= tolerance


def kind_of(item: Mapping[str, Any]) -> str:
    """Which of KINDS an item is."""
    if item["task"] == "bsi":
        return "bsi"
    if item["question_type"] == REASON:
        return "reason"
    baseline = vocabulary.load().topics[item["topic"]].stance_question.id
    return "baseline" if item["question_id"] == baseline else "scenario"


def measure(tables: Mapping[str, pa.Table]) -> dict[str, Tally]:
    """The reader's score on all items, by kind."""
    content = vocabulary.load()
    readers = {name: Reader(content, topic) for name, topic in content.topics.items()}
    blank = {name: reader.portrait([]) for name, reader in readers.items()}
    tallies: dict[str, Tally] = defaultdict(Tally)
    for name in ("bsi", "bdu"):
        known: tuple[tuple[str, str], Portrait] | None = None
        contexts = tables[name].column("context")
        for place, item in enumerate(_rows(tables[name])):
            reader = readers[item["topic"]]
            person = (item["participant_id"], item["topic"])
            # Items that share a context are adjacent, so one portrait at a time is enough.
            if known is None or known[0] != person:
                known = (person, reader.portrait(contexts[place].as_py()))
            shown = {key: item[key] for key in _ASKED}
            kind = kind_of(item)
            tally, gold, grade = tallies[kind], item["answer"], item["evidence"]
            tally.total[grade] += 1
            tally.answers[gold] += 1
            tally.right[grade] += within(reader.answer(shown, known[1]), gold, TOLERANCE[kind])
            tally.right_without += within(
                reader.answer(shown, blank[item["topic"]]), gold, TOLERANCE[kind]
            )
    return dict(tallies)


def _rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in table.select(list(_READ)).to_batches(max_chunksize=_ROWS_AT_A_TIME):
        yield from batch.to_pylist()


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
