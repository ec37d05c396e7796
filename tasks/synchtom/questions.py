"""SynchToM's documents, as models without weights read them: all want free text."""

from __future__ import annotations

import json

from otherminds.metrics.synchtom import DIMENSIONS
from otherminds.tasks.synchtom.benchmark import BENCHMARK
from otherminds.types import Doc
from otherminds.weightless.questions import Questions


class SynchtomQuestions(Questions):
    """Instances to answer, which hold the criteria, and answers to judge, which hold them by part."""

    def is_closed(self, doc: Doc) -> bool:
        """Never."""
        return False

    def is_judgement(self, doc: Doc) -> bool:
        """Whether the document is an answer to judge."""
        return "dimensions" in doc

    def perfect_reply(self, doc: Doc) -> str:
        """The answer that states every criterion; the blank reply where an answer is to be judged."""
        if self.is_judgement(doc):
            return self.blank_reply(doc)
        return json.dumps({name: "\n".join(doc["rubrics"][name]) for name in DIMENSIONS})


QUESTIONS = SynchtomQuestions(BENCHMARK.person)
