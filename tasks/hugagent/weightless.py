"""Models without weights that answer HugAgent alone: no change, and the synthetic track's ceiling."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from otherminds.tasks.hugagent.questions import QUESTIONS, is_graph
from otherminds.types import Doc
from otherminds.weightless.questions import Asked
from otherminds.weightless.strategies import Majority, Writer


class Persistence(Majority):
    """No change: a scenario is answered as the topic's baseline is, which is the majority's answer.

    Never sees a gold answer of the person. Other questions get the majority's answer.
    """

    def __init__(self) -> None:
        super().__init__()
        self._baselines: dict[str, Asked] = {}

    def fit(self, asked: Iterable[Asked]) -> None:
        """Learn the majority, and each topic's baseline: its opinion question of lowest id."""
        seen = list(asked)
        super().fit(seen)
        opinions = [one for one in seen if _is_opinion(one)]
        for one in sorted(opinions, key=lambda one: _question_order(one.doc["question_id"])):
            self._baselines.setdefault(one.doc["topic"], one)

    def choose(self, asked: Asked, run: int) -> int:
        """The majority's answer, to the baseline when the question is an opinion."""
        answered = self._baselines[asked.doc["topic"]] if _is_opinion(asked) else asked
        return self._mode(answered, asked.person)


def _is_opinion(asked: Asked) -> bool:
    return asked.questions is QUESTIONS and asked.doc["question_type"] == "opinion"


def _question_order(question_id: str) -> tuple[int, ...]:
    return tuple(int(part) for part in question_id.split("."))


class RuleBasedReader(Writer):
    """Follows the rules of HugAgent's simulated minds from what the shown answers claim: it reads the
    words of edition 1, and is handed the claims of later ones.

    Knows these rules and the update rule, and nothing of the person. On claims it is Bayes-optimal for
    stances and weights.
    """

    def __init__(self) -> None:
        self._shown: tuple[str, Any, Any] | None = None
        self._portrait: Any = None
        self._claims: dict[str, list[Any]] = {}

    def fit(self, asked: Iterable[Asked]) -> None:
        """Learn what each answer of an interview claims: a task may show that of somebody else."""
        from otherminds.dataset_builders.hugagent.world.claims import claim_of

        seen: set[tuple[str, str]] = set()
        for one in asked:
            if one.questions is not QUESTIONS or not has_claims(one.doc):
                continue
            key = (one.doc["participant_id"], one.doc["topic"])
            if key in seen:
                continue
            seen.add(key)
            for row in one.doc["claims"]:
                self._claims.setdefault(row["answer"], []).append(claim_of(row))

    def choose(self, asked: Asked, run: int) -> int:
        """The answer that follows from the document's visible fields."""
        if asked.questions is not QUESTIONS:
            raise ValueError("It answers HugAgent's questions and no others.")
        doc = asked.doc
        reader = claims_reader_of(doc["topic"]) if has_claims(doc) else reader_of(doc["topic"])
        index = asked.answers.index(reader.answer(doc, self._read(doc)))
        # The reader knows the options in their original order alone.
        return 1 - index if doc.get("options_swapped") else index

    def write(self, asked: Asked, run: int) -> str:
        """The graph of the edges that the interview shows; the blank reply to any other document."""
        if asked.questions is not QUESTIONS or not is_graph(asked.doc):
            return asked.questions.blank_reply(asked.doc)
        from otherminds.tasks.hugagent import weightless_graphs

        return weightless_graphs.as_read(asked.doc, self._read(asked.doc))

    def _read(self, doc: Doc) -> Any:
        shown = (doc["topic"], doc["context"], doc["demographics"])
        if shown != self._shown:
            self._shown = shown
            self._portrait = self._of(doc)
        return self._portrait

    def _of(self, doc: Doc) -> Any:
        if not has_claims(doc):
            return reader_of(doc["topic"]).portrait(doc["context"])
        from otherminds.dataset_builders.hugagent.world.claims import claim_of, digest

        own: dict[str, list[Any]] = {}
        for row in doc["claims"]:
            own.setdefault(row["answer"], []).append(claim_of(row))
        told = [digest(turn["answer"]) for turn in doc["context"]]
        claims = [claim for one in told for claim in own.get(one, self._claims.get(one, []))]
        return claims_reader_of(doc["topic"]).portrait(claims, doc["demographics"])


def has_claims(doc: Doc) -> bool:
    """Whether a document says what the answers of its interview claim, as those of edition 2 do."""
    return doc.get("claims") is not None


@cache
def reader_of(topic: str) -> Any:
    """The reader of words of a topic."""
    from otherminds.dataset_builders.hugagent import content
    from otherminds.dataset_builders.hugagent.reader import Reader

    vocabulary = content.load()
    return Reader(vocabulary, vocabulary.topics[topic])


@cache
def claims_reader_of(topic: str) -> Any:
    """The reader of claims of a topic."""
    from otherminds.dataset_builders.hugagent import content
    from otherminds.dataset_builders.hugagent.asking.reader import Reader

    vocabulary = content.load()
    return Reader(vocabulary, vocabulary.topics[topic])


class GraphSimulator(Persistence):
    """A belief graph decides how far the stance moves: a scenario sets nodes, and the change runs on.

    It starts from the majority's answer to the topic's baseline. Reasons are rated by the strength of
    their edges into the stance; of a reason that the graph lacks, the majority's rating is taken. The
    scenario's wording is read by the rules that it was written with.
    """

    def __init__(self) -> None:
        super().__init__()
        self._read: tuple[Any, Any] = (None, None)

    def choose(self, asked: Asked, run: int) -> int:
        """The answer that follows from the document's graph.

        Raises ValueError for a document without one.
        """
        if asked.questions is not QUESTIONS or "belief_graph" not in asked.doc:
            raise ValueError("It answers hugagent_bdu_graph_synthetic and no other task.")
        from otherminds.tasks.hugagent.graph_simulator import Simulator

        drawn = asked.doc["belief_graph"]
        if self._read[0] is not drawn:
            self._read = drawn, Simulator(drawn, asked.doc["topic"])
        simulator = self._read[1]
        if _is_opinion(asked):
            start = int(asked.answers[self._start(asked)])
            moves = reader_of(asked.doc["topic"]).moves(asked.doc["question"])
            return asked.answers.index(str(simulator.stance_after(moves, start)))
        rating = simulator.rating(asked.doc["reason_code"])
        return (
            self._mode(asked, asked.person) if rating is None else asked.answers.index(str(rating))
        )

    def _start(self, asked: Asked) -> int:
        """The index of the baseline's answer."""
        return super().choose(asked, 0)


class GraphSimulatorBound(GraphSimulator):
    """The same from the person's own true baseline: what a graph is worth to who knows the stance.

    Reads gold answers.
    """

    reads_gold = True

    def __init__(self) -> None:
        super().__init__()
        self._own: dict[tuple[str, str], int] = {}

    def fit(self, asked: Iterable[Asked]) -> None:
        """Learn the majority, and each person's own baseline."""
        seen = list(asked)
        super().fit(seen)
        for one in seen:
            if _is_opinion(one) and self._is_baseline(one):
                self._own[one.person, one.doc["topic"]] = one.gold

    def _is_baseline(self, one: Asked) -> bool:
        return bool(self._baselines[one.doc["topic"]].doc["question_id"] == one.doc["question_id"])

    def _start(self, asked: Asked) -> int:
        own = self._own.get((asked.person, asked.doc["topic"]))
        return super()._start(asked) if own is None else own
