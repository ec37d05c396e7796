"""The questions to a weightless model: a document, and how documents of its benchmark are read."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from otherminds import benchmark
from otherminds.types import Doc

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Questions:
    """How models without weights read the documents of one benchmark.

    A benchmark whose documents have the columns below needs none of its own (`Benchmark.questions`);
    another one overrides the methods that differ, and names its object there.

        item_id       identifies the item among all others
        PERSON        whom the document is about, under the name that `Benchmark.person` gives
        options       texts of options, answered by A, B, …; empty or absent where there is a scale
        scale         [low, high], where whole numbers from low to high are the answers
        answer        the gold answer; letters that are equally right are joined, as in "A/B"
        question_id   for documents that ask several people the same: which question it is (optional)
        demographics  [{"attribute": …, "value": …}, …], facts about the person (optional)

    person   the column with the person
    letters  the names of options, in order
    """

    letters: ClassVar[str] = LETTERS

    def __init__(self, person: str) -> None:
        self._person = person

    def asked(self, doc: Doc) -> Asked:
        """The document as a weightless model is asked it."""
        return Asked(doc, self)

    def person(self, doc: Doc) -> str:
        """Whom the document is about."""
        return str(doc[self._person])

    def identity(self, doc: Doc) -> Hashable:
        """The identity of one question about one person, among all others of the benchmark."""
        # Some tasks ask an item a second time with its options exchanged.
        return doc["item_id"], tuple(self._options(doc))

    def is_closed(self, doc: Doc) -> bool:
        """Whether the document has a set of answers to choose from; otherwise it wants free text."""
        return True

    def answers(self, doc: Doc) -> list[str]:
        """The answers of a closed document, in the order in which its prompt lists them."""
        if options := self._options(doc):
            return list(self.letters[: len(options)])
        low, high = doc["scale"]
        return [str(value) for value in range(low, high + 1)]

    def gold(self, doc: Doc) -> int:
        """The index of the gold answer among the answers; of several right letters, the first.

        A gold outside the scale counts as the nearest end.
        """
        space = self.answers(doc)
        first = doc["answer"].split("/")[0]
        if first in space:
            return space.index(first)
        return 0 if int(first) < int(space[0]) else len(space) - 1

    def question(self, doc: Doc) -> str | None:
        """The name of the question that several people are asked; None where each has its own."""
        found: str | None = doc.get("question_id")
        return found

    def kinds(self, doc: Doc) -> Sequence[Hashable]:
        """The kinds of the question, from the narrowest to the broadest.

        Answers of one kind must have the same meaning: the same options, or a scale of the same length.
        """
        space = tuple(self._options(doc)) or len(self.answers(doc))
        question = self.question(doc)
        return [(space,)] if question is None else [(space, question), (space,)]

    def is_two_sided(self, doc: Doc) -> bool:
        """Whether there are just two answers, with no order between them."""
        return len(self._options(doc)) == 2

    def number(self, doc: Doc) -> float:
        """The gold answer as a number that a regression predicts.

        On a scale it is the gold itself, also outside the scale. Of two answers without an order, the
        first is +1 and the second -1; both at once are 0.

        Raises ValueError for more options without an order.
        """
        if not self._options(doc):
            return float(doc["answer"])
        if not self.is_two_sided(doc):
            raise ValueError(
                "A regression predicts answers on a scale, or one of two, and no others."
            )
        signs = [1.0 - 2.0 * self.letters.index(letter) for letter in doc["answer"].split("/")]
        return sum(signs) / len(signs)

    def facts(self, doc: Doc) -> list[tuple[str, str]]:
        """Facts about the person, (attribute, value) pairs, for regressions.

        Raises ValueError where documents say nothing of people.
        """
        known = doc.get("demographics")
        if known is None:
            raise ValueError("These documents have no demographics to predict an answer from.")
        return [(fact["attribute"], fact["value"]) for fact in known]

    def further(self, doc: Doc) -> Iterable[Doc]:
        """Answers of the person that the document shows besides, as `kinds` and `gold` read them."""
        return ()

    def random_reply(self, doc: Doc, run: int, seed: int) -> str:
        """To a document that wants free text: a reply drawn uniformly, for the run-th repeat."""
        return self.blank_reply(doc)

    def perfect_reply(self, doc: Doc) -> str:
        """To a document that wants free text: the reply that states all that is wanted."""
        return self.blank_reply(doc)

    def corrupted_reply(self, doc: Doc, rate: float, seed: int) -> str:
        """To a document that wants free text: the perfect reply, with parts of it made wrong.

        rate  the share of the parts that are; where a benchmark has no such parts, none is
        """
        return self.perfect_reply(doc)

    def blank_reply(self, doc: Doc) -> str:
        """To a document that wants free text: the reply of a model that has nothing to say."""
        return ""

    def _options(self, doc: Doc) -> Sequence[str]:
        return doc.get("options") or ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A document with the questions of its benchmark: one run may ask documents of several."""

    doc: Doc
    questions: Questions

    @property
    def person(self) -> str:
        """As `Questions.person`."""
        return self.questions.person(self.doc)

    @property
    def identity(self) -> Hashable:
        """As `Questions.identity`."""
        return self.questions.identity(self.doc)

    @property
    def key(self) -> Hashable:
        """The identity of the document among those of all benchmarks."""
        return self.questions, self.identity

    @property
    def is_closed(self) -> bool:
        """As `Questions.is_closed`."""
        return self.questions.is_closed(self.doc)

    @property
    def answers(self) -> list[str]:
        """As `Questions.answers`."""
        return self.questions.answers(self.doc)

    @property
    def gold(self) -> int:
        """As `Questions.gold`."""
        return self.questions.gold(self.doc)

    @property
    def kinds(self) -> list[Hashable]:
        """As `Questions.kinds`; no kind is one of another benchmark's."""
        return [(self.questions, kind) for kind in self.questions.kinds(self.doc)]

    @property
    def is_two_sided(self) -> bool:
        """As `Questions.is_two_sided`."""
        return self.questions.is_two_sided(self.doc)


def of_dataset(dataset: str) -> Questions:
    """The questions of a dataset's benchmark: its own (`Benchmark.questions`), or the defaults.

    Raises OtherMindsError for an unknown dataset.
    """
    return _of_benchmark(benchmark.of_dataset(dataset).name)


@cache
def _of_benchmark(name: str) -> Questions:
    # One object for each benchmark: keys of documents and kinds of questions hold it.
    found = benchmark.named(name)
    own: Questions | None = benchmark.resolve(found.questions)
    return Questions(found.person) if own is None else own


def known_answers(asked: Iterable[Asked]) -> Iterator[tuple[str, Asked]]:
    """Every answer that is known of people, each once, with its person.

    Where documents show other answers of a person, these are among them.
    """
    unique = {one.key: one for one in asked}
    shown: set[Hashable] = set()
    for one in unique.values():
        person = one.person
        yield person, one
        if (one.questions, person) not in shown:
            shown.add((one.questions, person))
            for belief in one.questions.further(one.doc):
                yield person, Asked(belief, one.questions)


def draw(seed: int, identity: Hashable, run: int, purpose: str) -> int:
    """A seeded number below 2^64 that depends on the item and nothing else."""
    key = f"{seed}\0{identity}\0{run}\0{purpose}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big")
