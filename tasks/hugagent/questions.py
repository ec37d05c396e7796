"""HugAgent's documents, as models without weights read them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from otherminds.tasks.hugagent.benchmark import BENCHMARK
from otherminds.types import Doc
from otherminds.weightless.questions import Questions


def is_graph(doc: Doc) -> bool:
    """Whether a document asks for a person's belief graph."""
    return doc.get("task") == "graph"


def _graphs() -> Any:
    # It reads the vocabulary, which nothing else here needs.
    from otherminds.tasks.hugagent import graphs

    return graphs


class HugAgentQuestions(Questions):
    """Belief states (two letters) and belief changes (a scale), and the notes of experts."""

    def is_closed(self, doc: Doc) -> bool:
        """Experts write notes, graphs are written; everything else has answers to choose from."""
        return "expert" not in doc and not is_graph(doc)

    def perfect_reply(self, doc: Doc) -> str:
        """The gold graph; the blank reply where an expert writes notes."""
        return str(_graphs().gold(doc)) if is_graph(doc) else self.blank_reply(doc)

    def corrupted_reply(self, doc: Doc, rate: float, seed: int) -> str:
        """The gold graph with a share of its edges left out, turned, or given the other sign."""
        if not is_graph(doc):
            return self.blank_reply(doc)
        return str(_graphs().corrupted(doc, rate, seed))

    def kinds(self, doc: Doc) -> Sequence[Hashable]:
        """The question; then the topic, task, type of question and answer space.

        Belief states are asked without a question id: both kinds are the topic's then.
        """
        space = tuple(doc["options"]) or len(self.answers(doc))
        broad = (doc["topic"], doc["task"], doc["question_type"], space)
        return [(*broad, doc["question_id"]), broad]


QUESTIONS = HugAgentQuestions(BENCHMARK.person)
