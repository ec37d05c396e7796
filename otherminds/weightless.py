"""Models without weights: the floors and ceilings that a real model is read against.

Each answers from the documents alone, by index into the document's answer space, and is the same for
every order of the documents. `oracle` and `corrupted-oracle` read the gold answer: they exist to test
tasks and metrics, and results are stamped so.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from otherminds import demographic
from otherminds.errors import OtherMindsError

Doc = Mapping[str, Any]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Strategy(Protocol):
    """How a weightless model answers."""

    def fit(self, docs: Iterable[Doc]) -> None:
        """See all documents of the run once, before the first answer."""

    def choose(self, doc: Doc, run: int) -> int:
        """The index of the answer in `answer_space(doc)`, for the run-th repeat."""


def answer_space(doc: Doc) -> list[str]:
    """The answers that a document admits, in the order in which a prompt lists them."""
    if doc["options"]:
        return list(LETTERS[: len(doc["options"])])
    low, high = doc["scale"]
    return [str(value) for value in range(low, high + 1)]


def gold_index(doc: Doc) -> int:
    """The index of the gold answer; of two right letters the first, and for a gold outside the scale
    the nearest end."""
    space = answer_space(doc)
    first = doc["answer"].split("/")[0]
    if first in space:
        return space.index(first)
    return 0 if int(first) < int(space[0]) else len(space) - 1


class Random:
    """Uniform over the answer space; each document and repeat has its own seeded draw."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def fit(self, docs: Iterable[Doc]) -> None:
        """Nothing to learn."""

    def choose(self, doc: Doc, run: int) -> int:
        """A uniform draw that depends on seed, item and run alone."""
        return _draw(self._seed, doc, run, "choice") % len(answer_space(doc))


class Majority:
    """The most frequent gold answer that *other* people gave to the same kind of question.

    The kind is the question id (for BSI, which has none, the topic); where no other person answered
    it, the topic, task and scale. A tie goes to the lowest index, and letters count as tied unless
    one leads by more than chance would give: where the letters are balanced, whatever a person adds
    to one side is missing on the other people's, and the mode of these would be right less often than
    a coin. With no other people at all the answer is the middle of the space.
    """

    def __init__(self) -> None:
        self._counts: dict[Hashable, Counter[int]] = defaultdict(Counter)

    def fit(self, docs: Iterable[Doc]) -> None:
        """Count gold answers by kind of question, and by kind and person."""
        unique = {_identity(doc): doc for doc in docs}
        for doc in unique.values():
            for kind in _kinds(doc):
                self._counts[kind][gold_index(doc)] += 1
                self._counts[kind, doc["participant_id"]][gold_index(doc)] += 1

    def choose(self, doc: Doc, run: int) -> int:
        """The mode among other people's answers to this kind of question."""
        return self._mode(doc, doc["participant_id"])

    def _mode(self, doc: Doc, participant: str) -> int:
        for kind in _kinds(doc):
            others = self._counts[kind] - self._counts[kind, participant]
            if others and doc["options"] and _is_balanced(others):
                return 0
            if others:
                return min(others, key=lambda index: (-others[index], index))
        return (len(answer_space(doc)) - 1) // 2


class Persistence(Majority):
    """No change: a scenario is answered as the topic's baseline is, which is the majority's answer.

    Never sees a gold answer of the person. Other questions get the majority's answer.
    """

    def __init__(self) -> None:
        super().__init__()
        self._baselines: dict[str, Doc] = {}

    def fit(self, docs: Iterable[Doc]) -> None:
        """Learn the majority, and each topic's baseline: its opinion question of lowest id."""
        seen = list(docs)
        super().fit(seen)
        opinions = [doc for doc in seen if doc["question_type"] == "opinion"]
        for doc in sorted(opinions, key=lambda doc: _question_order(doc["question_id"])):
            self._baselines.setdefault(doc["topic"], doc)

    def choose(self, doc: Doc, run: int) -> int:
        """The majority's answer, to the baseline when the question is an opinion."""
        asked = self._baselines[doc["topic"]] if doc["question_type"] == "opinion" else doc
        return self._mode(asked, doc["participant_id"])


class DemographicLinear:
    """Ridge regression from demographics, fitted on *other* people's answers (leave one person out).

    There is one regression for each topic, task, question type and answer space, with the question as
    one more attribute. Numbers are rounded and clipped into the scale; of two letters, the first is
    predicted at or above 0 when it counts as +1 and the second as -1 (a gold of both counts as 0). With
    no other people at all the answer is the middle of the space.

    alpha  the ridge penalty
    table  a CSV file with a column `participant_id` and one for each attribute (demographics, survey
           answers): it is used in place of the documents' demographics
    """

    def __init__(self, alpha: float = 1.0, table: str | Path | None = None) -> None:
        demographic.check_penalty(alpha)
        self._alpha = alpha
        self._table = None if table is None else demographic.read_table(Path(table).expanduser())
        self._source = table
        self._chosen: dict[Hashable, int] = {}

    def fit(self, docs: Iterable[Doc]) -> None:
        """Predict every document from the documents about other people."""
        unique = {_identity(doc): doc for doc in docs}
        kinds: dict[Hashable, list[Doc]] = defaultdict(list)
        for doc in unique.values():
            kinds[_kinds(doc)[-1]].append(doc)
        for here in kinds.values():
            # In one order, so that no sum depends on the order of the documents.
            here.sort(key=lambda doc: doc["item_id"])
            predictions = demographic.leave_one_person_out(
                demographic.design([self._facts(doc) for doc in here]),
                [_target(doc) for doc in here],
                [doc["participant_id"] for doc in here],
                alpha=self._alpha,
            )
            for doc, prediction in zip(here, predictions.tolist(), strict=True):
                self._chosen[_identity(doc)] = _nearest(doc, prediction)

    def choose(self, doc: Doc, run: int) -> int:
        """The answer nearest to the regression's prediction."""
        return self._chosen[_identity(doc)]

    def _facts(self, doc: Doc) -> demographic.Facts:
        question = (("", f"question {doc['question_id']}"),) if doc["question_id"] else ()
        if self._table is None:
            known = [(fact["attribute"], fact["value"]) for fact in doc["demographics"]]
            return (*known, *question)
        person = doc["participant_id"]
        if person not in self._table:
            raise OtherMindsError(
                f"The table {self._source} has no row for the participant '{person}': add one, or run "
                "a subset of the people that it has."
            )
        return (*self._table[person], *question)


class RuleBasedReader:
    """Reads what the prompt shows by the rules that HugAgent's synthetic interviews were written with.

    Knows those rules and the update rule, and nothing of the person: the ceiling of that track.
    """

    def __init__(self) -> None:
        self._shown: tuple[str, Any] | None = None
        self._portrait: Any = None

    def fit(self, docs: Iterable[Doc]) -> None:
        """Nothing to learn."""

    def choose(self, doc: Doc, run: int) -> int:
        """The answer that follows from the document's visible fields."""
        reader = _reader(doc["topic"])
        shown = (doc["topic"], doc["context"])
        if shown != self._shown:
            self._shown, self._portrait = shown, reader.portrait(doc["context"])
        index = answer_space(doc).index(reader.answer(doc, self._portrait))
        # The reader knows the options in their original order alone.
        return 1 - index if doc.get("options_swapped") else index


class Oracle:
    """The gold answer. For tests only."""

    def fit(self, docs: Iterable[Doc]) -> None:
        """Nothing to learn."""

    def choose(self, doc: Doc, run: int) -> int:
        """The gold answer."""
        return gold_index(doc)


class CorruptedOracle(Oracle):
    """The gold answer, replaced by a uniformly drawn other one at a given rate. For tests only."""

    def __init__(self, rate: float = 0.3, seed: int = 0) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"The corruption rate must lie between 0 and 1, not {rate}.")
        self._rate = rate
        self._seed = seed

    def choose(self, doc: Doc, run: int) -> int:
        """The gold answer, or another one."""
        gold, size = gold_index(doc), len(answer_space(doc))
        if _draw(self._seed, doc, run, "corrupt") / 2**64 >= self._rate:
            return gold
        return (gold + 1 + _draw(self._seed, doc, run, "other") % (size - 1)) % size


STRATEGIES: Mapping[str, type[Strategy]] = {
    "random": Random,
    "majority": Majority,
    "persistence": Persistence,
    "demographic-linear": DemographicLinear,
    "reader": RuleBasedReader,
    "oracle": Oracle,
    "corrupted-oracle": CorruptedOracle,
}


def about(strategy: Strategy | type[Strategy]) -> str:
    """In one sentence or two, how a weightless model answers."""
    return " ".join((strategy.__doc__ or "").split("\n\n")[0].replace("*", "").split())


TEST_ONLY = frozenset({"oracle", "corrupted-oracle"})


@cache
def _reader(topic: str) -> Any:
    from otherminds.dataset_builders.hugagent import content
    from otherminds.dataset_builders.hugagent.reader import Reader

    vocabulary = content.load()
    return Reader(vocabulary, vocabulary.topics[topic])


def _kinds(doc: Doc) -> Sequence[Hashable]:
    space = tuple(doc["options"]) or len(answer_space(doc))
    broad = (doc["topic"], doc["task"], doc["question_type"], space)
    return [(*broad, doc["question_id"]), broad]


def _is_balanced(counts: Counter[int]) -> bool:
    """Whether the lead of the first of two answers is within two standard errors of none."""
    lead = abs(counts[0] - counts[1])
    return lead <= 2 * math.sqrt(counts.total())


def _identity(doc: Doc) -> Hashable:
    # Some tasks ask an item a second time with its options exchanged.
    return doc["item_id"], tuple(doc["options"])


def _target(doc: Doc) -> float:
    """The gold answer as a number: +1 for the first of two letters, -1 for the second, 0 for both."""
    if not doc["options"]:
        return float(doc["answer"])
    signs = [1.0 - 2.0 * LETTERS.index(letter) for letter in doc["answer"].split("/")]
    return sum(signs) / len(signs)


def _nearest(doc: Doc, prediction: float) -> int:
    """The index of the answer that a regression predicts; NaN stands for the middle."""
    last = len(answer_space(doc)) - 1
    if math.isnan(prediction):
        return last // 2
    if doc["options"]:
        return 0 if prediction >= 0 else 1
    return min(max(math.floor(prediction + 0.5) - int(doc["scale"][0]), 0), last)


def _question_order(question_id: str) -> tuple[int, ...]:
    return tuple(int(part) for part in question_id.split("."))


def _draw(seed: int, doc: Doc, run: int, purpose: str) -> int:
    key = f"{seed}\0{_identity(doc)}\0{run}\0{purpose}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big")
