"""The trust game's documents, as models without weights read them: all want free text."""

from __future__ import annotations

import numpy as np

from otherminds.metrics.trust_game.effect_size import EFFECT_SIZE_CLASSES
from otherminds.tasks.trust_game.benchmark import BENCHMARK
from otherminds.tasks.trust_game.replies import sending, stating
from otherminds.types import Doc
from otherminds.weightless.questions import Questions, draw


class TrustGameQuestions(Questions):
    """Games to play or to forecast, and attributes to state the effects of."""

    def is_closed(self, doc: Doc) -> bool:
        """Never."""
        return False

    def random_reply(self, doc: Doc, run: int, seed: int) -> str:
        """Whole dollars, or a ranking with its effect sizes."""
        number = draw(seed, self.identity(doc), run, f"trust {_stream(doc)}")
        if doc.get("kind", "role_play") == "role_play":
            return sending(number % (int(doc["endowment"]) + 1))
        rng = np.random.default_rng(number)
        order = rng.permutation(len(doc["attribute_levels"]))
        means = [float(doc["endowment"]) * (place + 1) / (len(order) + 1) for place in order]
        lowest = [low + 0.01 for low, _ in EFFECT_SIZE_CLASSES.values()]
        effects = (float(rng.choice(lowest)), float(rng.choice(lowest)))
        return stating(doc, means, [float(doc["endowment"]) / 4] * len(order), effects)


def _stream(doc: Doc) -> str:
    """Which task and round a document is of: items of several have the same id."""
    if "kind" in doc:
        return "population"
    if "dollars_returned" in doc:
        return "forecast"
    if "history" in doc:
        return f"round {doc['round']}"
    return f"conditioned {doc['prior']} {doc['target_spearman']}"


QUESTIONS = TrustGameQuestions(BENCHMARK.person)
