"""Documents of debate beliefs, as models without weights read them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from otherminds.tasks.debate.benchmark import BENCHMARK
from otherminds.types import Doc
from otherminds.weightless.questions import Questions

STANCES: Final = ("agree", "disagree")


class DebateQuestions(Questions):
    """Stances on propositions; titles are judged in free text.

    The beliefs that a document shows of a person are answers like its own, without person and id.
    """

    def is_closed(self, doc: Doc) -> bool:
        """A title that is to be judged: there are no answers to choose from."""
        return "title" not in doc

    def answers(self, doc: Doc) -> list[str]:
        """Agree, and disagree."""
        return list(STANCES)

    def gold(self, doc: Doc) -> int:
        """0 for a person who agrees, 1 for one who disagrees."""
        return 0 if doc["agrees"] else 1

    def number(self, doc: Doc) -> float:
        """+1 for a person who agrees, -1 for one who disagrees."""
        return 1.0 if doc["agrees"] else -1.0

    def question(self, doc: Doc) -> str:
        """The proposition."""
        return str(doc["proposition"])

    def kinds(self, doc: Doc) -> Sequence[Hashable]:
        """The proposition, then its category."""
        return [("proposition", doc["proposition"]), ("category", doc["category"])]

    def is_two_sided(self, doc: Doc) -> bool:
        """Always."""
        return True

    def facts(self, doc: Doc) -> list[tuple[str, str]]:
        """The person's statements about themselves."""
        return [(fact["attribute"], fact["value"]) for fact in doc["background"]]

    def further(self, doc: Doc) -> Iterable[Doc]:
        """The beliefs that the document shows."""
        shown: Iterable[Doc] = doc["known_beliefs"]
        return shown


QUESTIONS = DebateQuestions(BENCHMARK.person)
