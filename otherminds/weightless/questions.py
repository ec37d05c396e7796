"""What a weightless model is asked, read from a document of any benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from otherminds.benchmark import person_of

Doc = Mapping[str, Any]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

STANCES = ("agree", "disagree")


class Strategy(Protocol):
    """How a weightless model answers.

    `learns` says whether it answers from what a whole population has said.
    """

    learns: ClassVar[bool]

    def fit(self, docs: Iterable[Doc]) -> None:
        """See all documents of the run once, before the first answer."""

    def choose(self, doc: Doc, run: int) -> int:
        """The index of the answer in `answer_space(doc)`, for the run-th repeat."""


class Writer(Strategy, Protocol):
    """A weightless model that also writes whole replies, to documents without a set of answers."""

    def write(self, doc: Doc, run: int) -> str:
        """The reply, for the run-th repeat; "" where it has none."""


class Untaught:
    """A weightless model that learns nothing from what people have said."""

    learns: ClassVar[bool] = False

    def fit(self, docs: Iterable[Doc]) -> None:
        """Nothing to learn."""


class Script(Untaught):
    """A weightless model that only writes replies, to documents of one benchmark."""

    answers: ClassVar[str]

    def choose(self, doc: Doc, run: int) -> int:
        """Not defined: raises ValueError."""
        raise ValueError(f"It answers {self.answers} and no others.")


def is_closed(doc: Doc) -> bool:
    """Whether a document has a set of answers to choose from."""
    return "agrees" in doc or "options" in doc


def answer_space(doc: Doc) -> list[str]:
    """The answers that a document admits, in the order in which a prompt lists them."""
    if "agrees" in doc:
        return list(STANCES)
    if doc["options"]:
        letters = LETTERS.lower() if "mental_state" in doc else LETTERS
        return list(letters[: len(doc["options"])])
    low, high = doc["scale"]
    return [str(value) for value in range(low, high + 1)]


def gold_index(doc: Doc) -> int:
    """The index of the gold answer; of two right letters the first, and for a gold outside the scale
    the nearest end."""
    if "agrees" in doc:
        return 0 if doc["agrees"] else 1
    space = answer_space(doc)
    first = doc["answer"].split("/")[0]
    if first in space:
        return space.index(first)
    return 0 if int(first) < int(space[0]) else len(space) - 1


def has_two_answers(doc: Doc) -> bool:
    """Whether there are two answers with no order between them."""
    return "agrees" in doc or len(doc["options"]) == 2


def kinds(doc: Doc) -> Sequence[Hashable]:
    """What is asked, from the narrowest kind of question to the broadest."""
    if "agrees" in doc:
        return [("proposition", doc["proposition"]), ("category", doc["category"])]
    if "mental_state" in doc:
        return [(doc["type"], doc["mental_state"])]
    space = tuple(doc["options"]) or len(answer_space(doc))
    broad = (doc["topic"], doc["task"], doc["question_type"], space)
    return [(*broad, doc["question_id"]), broad]


def identity(doc: Doc) -> Hashable:
    """What tells one question about one person from all others."""
    # Some tasks ask an item a second time with its options exchanged.
    return doc["item_id"], tuple(doc.get("options", ()))


def answers_of(docs: Iterable[Doc]) -> Iterator[tuple[str, Doc]]:
    """Every answer that is known of people, each once, with its person.

    Where documents show what a person believes besides, these beliefs are answers too.
    """
    unique = {identity(doc): doc for doc in docs}
    shown: set[str] = set()
    for doc in unique.values():
        person = person_of(doc)
        yield person, doc
        if person not in shown:
            shown.add(person)
            for belief in doc.get("known_beliefs", ()):
                yield person, belief


def draw(seed: int, doc: Doc, run: int, purpose: str) -> int:
    """A seeded number below 2^64 that depends on the item and nothing else."""
    key = f"{seed}\0{identity(doc)}\0{run}\0{purpose}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big")
