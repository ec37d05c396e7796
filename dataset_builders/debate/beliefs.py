"""Each person's beliefs, chosen from staged stances: readable, unique, enough of them, split by time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from otherminds.dataset_builders.debate.duplicates import Belief, key_of, unique
from otherminds.dataset_builders.debate.schema import category_of
from otherminds.dataset_builders.debate.split import split
from otherminds.dataset_builders.debate.staging import Staged
from otherminds.dataset_builders.debate.titles import (
    Judge,
    names_someone,
    proposition_of,
    unmistakable,
)
from otherminds.dataset_builders.draws import rank


@dataclass(frozen=True, slots=True)
class Proposition:
    """What a debate asks: its statement, its category, and its debate's key."""

    text: str
    category: str
    debate: str


@dataclass(frozen=True)
class Propositions:
    """The propositions of debates by number, and why the other titles were rejected."""

    by_debate: dict[int, Proposition]
    rejected: Counter[str]
    unknown_categories: int


def propositions(staged: Staged, judge: Judge) -> Propositions:
    """The propositions in the titles that `judge` finds readable and that name no user.

    Debates whose statements differ in case or punctuation only share the wording and the category of the
    first of them, so that one proposition is one text in one category.
    """
    names = unmistakable(staged.names())
    found: dict[int, Proposition] = {}
    first: dict[str, Proposition] = {}
    rejected: Counter[str] = Counter()
    unknown = 0
    for number, key, title, written, debaters in staged.debates():
        statement = proposition_of(title)
        reason = judge(title)
        if reason is None and names_someone(statement, debaters, names):
            reason = "names a user"
        if reason is not None:
            rejected[f"title: {reason}"] += 1
            continue
        category, known = category_of(written)
        unknown += not known
        own = Proposition(statement, category, key)
        shared = first.setdefault(key_of(statement), own)
        found[number] = Proposition(shared.text, shared.category, key)
    return Propositions(found, rejected, unknown)


@dataclass(frozen=True)
class Person:
    """One person's known beliefs, oldest first, and test beliefs."""

    name: str
    known: list[Belief]
    test: list[Belief]


@dataclass
class Tally:
    """Counts of people and beliefs after each step, filled while `Choice.people` runs."""

    readable: Counter[str]
    unique: Counter[str]
    enough: Counter[str]
    halves: Counter[str]
    duplicates: Counter[str]
    few: Counter[str]

    @classmethod
    def empty(cls) -> Tally:
        """All counts zero."""
        return cls(*(Counter() for _ in range(6)))


@dataclass(frozen=True)
class Choice:
    """How beliefs are chosen from staged stances.

    Those with at least `fewest` beliefs have the oldest `share` of them known. Beliefs of one day
    are in a random order that depends on `seed` only, so that a boundary that falls within a day is
    drawn there by lot: no known belief is of a later day than a test belief, though it may be of
    the same one.
    """

    staged: Staged
    asked: Propositions
    seed: int
    fewest: int
    share: float

    def people(self, tally: Tally) -> Iterator[Person]:
        """Everyone with enough beliefs, by name; `tally` counts who and what goes."""
        for name, stances in self.staged.stances():
            own = self._readable(name, stances)
            if not own:
                continue
            tally.readable.update(users=1, beliefs=len(own))
            beliefs = unique(own, tally.duplicates)
            tally.unique.update(users=bool(beliefs), beliefs=len(beliefs))
            if len(beliefs) < self.fewest:
                tally.few[f"beliefs of people with fewer than {self.fewest}"] += len(beliefs)
                continue
            tally.enough.update(users=1, beliefs=len(beliefs))
            known, test = split(beliefs, self.share)
            tally.halves.update(known=len(known), test=len(test))
            yield Person(name, known, test)

    def person(self, name: str) -> Person:
        """One of `people`, chosen anew: cheaper than to hold everyone's beliefs in memory."""
        own = self._readable(name, self.staged.stances_of(name))
        return Person(name, *split(unique(own, Counter()), self.share))

    def _readable(self, name: str, stances: Iterable[tuple[int, int, bool]]) -> list[Belief]:
        return [
            Belief(
                asked.text,
                asked.category,
                agrees,
                date.fromordinal(day),
                rank(self.seed, name, asked.debate),
            )
            for debate, day, agrees in stances
            if (asked := self.asked.by_debate.get(debate)) is not None
        ]
