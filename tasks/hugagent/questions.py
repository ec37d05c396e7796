"""HugAgent's documents, as models without weights read them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from otherminds.tasks.hugagent.benchmark import BENCHMARK
from otherminds.types import Doc
from otherminds.weightless.questions import Questions


class HugAgentQuestions(Questions):
    """Belief states (two letters) and belief changes (a scale), and the notes of experts."""

    def is_closed(self, doc: Doc) -> bool:
        """Experts write notes; everything else has answers to choose from."""
        return "expert" not in doc

    def kinds(self, doc: Doc) -> Sequence[Hashable]:
        """The question; then the topic, task, type of question and answer space.

        Belief states are asked without a question id: both kinds are the topic's then.
        """
        space = tuple(doc["options"]) or len(self.answers(doc))
        broad = (doc["topic"], doc["task"], doc["question_type"], space)
        return [(*broad, doc["question_id"]), broad]


QUESTIONS = HugAgentQuestions(BENCHMARK.person)
