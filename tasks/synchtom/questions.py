"""SynchToM's documents, as models without weights read them: all want free text."""

from __future__ import annotations

import json

from otherminds.metrics.synchtom import DIMENSIONS
from otherminds.tasks.synchtom.benchmark import BENCHMARK
from otherminds.types import Doc
from otherminds.weightless.questions import Questions


class SynchtomQuestions(Questions):
    """Instances to answer, with their criteria; answers to judge, with criteria by part; and sheets."""

    def is_closed(self, doc: Doc) -> bool:
        """Never."""
        return False

    def is_judgement(self, doc: Doc) -> bool:
        """Whether the document is an answer to judge."""
        return "dimensions" in doc

    def is_sheet(self, doc: Doc) -> bool:
        """Whether the document asks for a text of a user that is being written."""
        return "sheet_id" in doc

    def perfect_reply(self, doc: Doc) -> str:
        """The answer that states every criterion; the blank reply where something else is asked for."""
        if self.is_judgement(doc) or self.is_sheet(doc):
            return self.blank_reply(doc)
        return json.dumps({name: "\n".join(doc["rubrics"][name]) for name in DIMENSIONS})


QUESTIONS = SynchtomQuestions(BENCHMARK.person)
