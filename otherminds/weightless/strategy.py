"""What every weightless model is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from otherminds.weightless.questions import Asked, Doc, Questions


class Strategy:
    """How a weightless model answers.

    learns      whether it answers from what a whole population has said
    reads_gold  whether it reads the gold answer of what it is asked: it is for tests, and results are
                stamped so
    caution     what a reader must know of scores that rest on it, "" for nothing
    """

    learns: ClassVar[bool] = False
    reads_gold: ClassVar[bool] = False
    caution: ClassVar[str] = ""

    def fit(self, asked: Iterable[Asked]) -> None:
        """See all documents of the run once, before the first answer."""

    def choose(self, asked: Asked, run: int) -> int:
        """The index of the answer to a closed document among its answers, for the run-th repeat.

        Raises ValueError for a document that it cannot answer.
        """
        raise NotImplementedError


class Writer(Strategy):
    """A weightless model that also writes whole replies, to documents that want free text."""

    def write(self, asked: Asked, run: int) -> str:
        """The reply, for the run-th repeat; the blank one where it has none."""
        raise NotImplementedError


class Script(Writer):
    """A weightless model that only writes replies, to documents of one benchmark.

    questions  of that benchmark
    answers    which documents these are, in words
    """

    questions: ClassVar[Questions]
    answers: ClassVar[str]

    def fit(self, asked: Iterable[Asked]) -> None:
        """See the documents of its benchmark."""
        self.prepare([one.doc for one in asked if one.questions is self.questions])

    def choose(self, asked: Asked, run: int) -> int:
        """Not defined: raises ValueError."""
        raise ValueError(f"It answers {self.answers} and no others.")

    def write(self, asked: Asked, run: int) -> str:
        """The reply; the blank one to documents of other benchmarks."""
        if asked.questions is not self.questions:
            return asked.questions.blank_reply(asked.doc)
        return self.reply(asked.doc, run)

    def prepare(self, docs: list[Doc]) -> None:
        """See all documents of the benchmark once, before the first reply."""

    def reply(self, doc: Doc, run: int) -> str:
        """The reply to a document of the benchmark, for the run-th repeat."""
        raise NotImplementedError
