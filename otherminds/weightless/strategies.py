"""The weightless models: what each is, those that answer any benchmark, and all of them by name."""

from __future__ import annotations

import contextlib
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import ClassVar

from otherminds import benchmark
from otherminds.benchmark import Benchmark
from otherminds.errors import OtherMindsError
from otherminds.types import Doc
from otherminds.weightless import ridge as demographic
from otherminds.weightless.questions import Asked, Questions, draw, known_answers


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

    @property
    def sees_all(self) -> bool:
        """Whether an answer may depend on the other documents of the run (`fit`)."""
        return type(self).fit is not Strategy.fit

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

    @property
    def sees_all(self) -> bool:
        """Whether a reply may depend on the other documents of the run (`prepare`)."""
        return type(self).prepare is not Script.prepare

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


class Random(Writer):
    """Uniform over the answer space; each document and repeat has its own seeded draw."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, asked: Asked, run: int) -> int:
        """A uniform draw that depends on seed, item and run alone."""
        return draw(self._seed, asked.identity, run, "choice") % len(asked.answers)

    def write(self, asked: Asked, run: int) -> str:
        """A reply drawn uniformly; the blank one where the benchmark has no replies to draw from."""
        return asked.questions.random_reply(asked.doc, run, self._seed)


class Constant(Strategy):
    """The first answer of the answer space, whatever is asked: A of letters, the low end of a scale.

    It learns nothing from anybody; the answer that most people gave to each question is `majority`,
    which scores more.
    """

    def choose(self, asked: Asked, run: int) -> int:
        """Always 0."""
        return 0


class Majority(Strategy):
    """The most frequent gold answer that *other* people gave to the same kind of question.

    The kinds are those of the benchmark (`Questions.kinds`): the same question, where people are asked
    the same; where no other person answered it, a broader kind, such as the topic. A tie goes to the
    lowest index. Two answers also count as tied, where a person gave several of this kind, unless one
    leads by more than chance would give: where the letters are balanced, whatever a person adds to one
    side is missing on the other people's, and the mode of these would be right less often than a coin.
    With no other people at all the answer is the middle of the space.
    """

    learns: ClassVar[bool] = True

    def __init__(self) -> None:
        self._counts: dict[Hashable, Counter[int]] = defaultdict(Counter)

    def fit(self, asked: Iterable[Asked]) -> None:
        """Count answers by kind of question, and by kind and person; those shown of people too."""
        for person, one in known_answers(asked):
            for kind in one.kinds:
                self._counts[kind][one.gold] += 1
                self._counts[kind, person][one.gold] += 1

    def choose(self, asked: Asked, run: int) -> int:
        """The mode among other people's answers to this kind of question."""
        return self._mode(asked, asked.person)

    def _mode(self, asked: Asked, person: str) -> int:
        for kind in asked.kinds:
            own = self._counts[kind, person]
            others = self._counts[kind] - own
            if others and asked.is_two_sided and own.total() > 1 and _is_balanced(others):
                return 0
            if others:
                return min(others, key=lambda index: (-others[index], index))
        return (len(asked.answers) - 1) // 2


def _is_balanced(counts: Counter[int]) -> bool:
    """Whether the lead of the first of two answers is within two standard errors of none."""
    lead = abs(counts[0] - counts[1])
    return lead <= 2 * math.sqrt(counts.total())


class DemographicLinear(Strategy):
    """Ridge regression from demographics, fitted on *other* people's answers (leave one person out).

    There is one regression for each broadest kind of question (`Questions.kinds`), with the question as
    one more attribute. Numbers are rounded and clipped into the scale; of two letters, the first is
    predicted at or above 0 when it counts as +1 and the second as -1 (a gold of both counts as 0). With
    no other people at all the answer is the middle of the space.

    alpha  the ridge penalty
    table  a CSV file with a column `participant_id` and one for each attribute (demographics, survey
           answers): it is used in place of the documents' demographics
    """

    learns: ClassVar[bool] = True

    def __init__(self, alpha: float = 1.0, table: str | Path | None = None) -> None:
        demographic.check_penalty(alpha)
        self._alpha = alpha
        self._table = None if table is None else demographic.read_table(Path(table).expanduser())
        self._source = table
        self._chosen: dict[Hashable, int] = {}

    def fit(self, asked: Iterable[Asked]) -> None:
        """Predict every document from the documents about other people."""
        unique = {one.key: one for one in asked}
        by_kind: dict[Hashable, list[Asked]] = defaultdict(list)
        for one in unique.values():
            by_kind[one.kinds[-1]].append(one)
        for here in by_kind.values():
            # In one order, so that no sum depends on the order of the documents.
            here.sort(key=lambda one: str(one.doc["item_id"]))
            predictions = demographic.leave_one_person_out(
                demographic.design([self._facts(one) for one in here]),
                [one.questions.number(one.doc) for one in here],
                [one.person for one in here],
                alpha=self._alpha,
            )
            for one, prediction in zip(here, predictions.tolist(), strict=True):
                self._chosen[one.key] = _nearest(one, prediction)

    def choose(self, asked: Asked, run: int) -> int:
        """The answer nearest to the regression's prediction."""
        return self._chosen[asked.key]

    def _facts(self, asked: Asked) -> demographic.Facts:
        name = asked.questions.question(asked.doc)
        question = (("", f"question {name}"),) if name else ()
        if self._table is None:
            return (*asked.questions.facts(asked.doc), *question)
        person = asked.person
        if person not in self._table:
            raise OtherMindsError(
                f"The table {self._source} has no row for the participant '{person}': add one, or run "
                "a subset of the people that it has."
            )
        return (*self._table[person], *question)


def _nearest(asked: Asked, prediction: float) -> int:
    """The index of the answer that a regression predicts; NaN stands for the middle."""
    space = asked.answers
    last = len(space) - 1
    if math.isnan(prediction):
        return last // 2
    if asked.is_two_sided:
        return 0 if prediction >= 0 else 1
    return min(max(math.floor(prediction + 0.5) - int(space[0]), 0), last)


class Oracle(Writer):
    """The gold answer. For tests only."""

    reads_gold: ClassVar[bool] = True

    def choose(self, asked: Asked, run: int) -> int:
        """The gold answer."""
        return asked.gold

    def write(self, asked: Asked, run: int) -> str:
        """The reply that states all that is wanted; the blank one where that is not known."""
        return asked.questions.perfect_reply(asked.doc)


class CorruptedOracle(Oracle):
    """The gold answer, replaced by a uniformly drawn other one at a given rate. For tests only."""

    def __init__(self, rate: float = 0.3, seed: int = 0) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"The corruption rate must lie between 0 and 1, not {rate}.")
        self._rate = rate
        self._seed = seed

    def choose(self, asked: Asked, run: int) -> int:
        """The gold answer, or another one."""
        gold, size = asked.gold, len(asked.answers)
        if draw(self._seed, asked.identity, run, "corrupt") / 2**64 >= self._rate:
            return gold
        return (gold + 1 + draw(self._seed, asked.identity, run, "other") % (size - 1)) % size

    def write(self, asked: Asked, run: int) -> str:
        """The reply that states all that is wanted, with parts of it made wrong at the same rate."""
        return asked.questions.corrupted_reply(asked.doc, self._rate, self._seed + run)


GENERAL: dict[str, type[Strategy]] = {
    "random": Random,
    "constant": Constant,
    "majority": Majority,
    "demographic-linear": DemographicLinear,
    "oracle": Oracle,
    "corrupted-oracle": CorruptedOracle,
}
"""The models that answer any benchmark."""


def names() -> list[str]:
    """The names of all weightless models: those for any benchmark, then each benchmark's own."""
    return [*GENERAL, *_of_benchmarks()]


def find(name: str) -> type[Strategy] | None:
    """The weightless model of a name, without importing any other benchmark's; None where none has it.

    Raises OtherMindsError for a model of a benchmark that cannot be imported.
    """
    if name in GENERAL:
        return GENERAL[name]
    owner = _of_benchmarks().get(name)
    return None if owner is None else _imported(name, owner)


def models() -> dict[str, type[Strategy]]:
    """All weightless models, in the order of `names`; those that cannot be imported are left out."""
    found = dict(GENERAL)
    for name, owner in _of_benchmarks().items():
        with contextlib.suppress(OtherMindsError):
            found[name] = _imported(name, owner)
    return found


def faults() -> list[benchmark.Fault]:
    """The models of benchmarks that are left out, because their names are taken."""
    owners = {**dict.fromkeys(GENERAL), **_of_benchmarks()}
    found = []
    for one in benchmark.every():
        for name in one.models:
            owner = owners[name]
            if owner is not one:
                taken = "otherminds itself" if owner is None else f"the benchmark '{owner.name}'"
                reason = (
                    f"The weightless model '{name}' of the benchmark '{one.name}' is left out, "
                )
                reason += f"because {taken} has one of that name; rename it."
                found.append(benchmark.Fault(name, reason))
    return found


def about(strategy: Strategy | type[Strategy]) -> str:
    """In one sentence or two, how a weightless model answers."""
    return " ".join((strategy.__doc__ or "").split("\n\n")[0].replace("*", "").split())


def _of_benchmarks() -> Mapping[str, Benchmark]:
    """By name, the benchmarks whose models answer them alone; of two of a name, the first has it."""
    found: dict[str, Benchmark] = {}
    for one in benchmark.every():
        for name in one.models:
            if name not in GENERAL:
                found.setdefault(name, one)
    return found


def _imported(name: str, owner: Benchmark) -> type[Strategy]:
    found: type[Strategy] = benchmark.look_up(owner, owner.models[name])
    return found
