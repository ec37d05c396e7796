"""Questions by their defaults alone: what an invented benchmark gets without a line of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from otherminds import benchmark
from otherminds.benchmark import Benchmark
from otherminds.errors import OtherMindsError
from otherminds.weightless import (
    Constant,
    CorruptedOracle,
    DemographicLinear,
    Majority,
    Oracle,
    Questions,
    Random,
    Strategy,
    questions,
)

CHESS = Questions("player")


def opening(player: str, answer: str, name: str | None = "e4", **facts: str) -> dict[str, Any]:
    """Which of three replies a player likes."""
    asked = {"item_id": f"{player}-{name}", "player": player, "answer": answer}
    demographics = [{"attribute": key, "value": value} for key, value in facts.items()]
    question = {} if name is None else {"question_id": name}
    return {**asked, **question, "options": ["e5", "c5", "e6"], "demographics": demographics}


def rating(player: str, answer: str, **facts: str) -> dict[str, Any]:
    """How a player rates a position from 3 to 7."""
    found = opening(player, answer, "rating", **facts)
    return {**found, "options": [], "scale": [3, 7]}


def answers(strategy: Strategy, docs: list[dict[str, Any]]) -> list[str]:
    asked = [CHESS.asked(doc) for doc in docs]
    strategy.fit(asked)
    return [one.answers[strategy.choose(one, 0)] for one in asked]


def test_options_are_letters_and_a_scale_is_its_whole_numbers() -> None:
    assert CHESS.answers(opening("P1", "B")) == ["A", "B", "C"]
    assert CHESS.answers(rating("P1", "4")) == ["3", "4", "5", "6", "7"]
    assert CHESS.is_closed(rating("P1", "4"))
    bare = {"item_id": "x", "player": "P1", "scale": [0, 1], "answer": "1"}
    assert CHESS.answers(bare) == ["0", "1"]
    # Numbers have an order, also where there are two of them.
    assert not CHESS.is_two_sided(bare)
    assert CHESS.is_two_sided({**bare, "options": ["yes", "no"]})


@pytest.mark.parametrize(("gold", "index"), [("3", 0), ("7", 4), ("2", 0), ("12", 4)])
def test_a_gold_outside_the_scale_counts_as_its_nearest_end(gold: str, index: int) -> None:
    assert CHESS.gold(rating("P1", gold)) == index


def test_of_two_right_letters_the_gold_is_the_first_and_their_number_is_the_middle() -> None:
    two = {**opening("P1", "B/A"), "options": ["yes", "no"]}
    assert CHESS.gold(two) == 1
    # A is +1, B is -1; of both, the mean.
    assert [CHESS.number({**two, "answer": answer}) for answer in ("A", "B", "A/B")] == [1, -1, 0]
    # A regression predicts what people said, and not the nearest end.
    assert CHESS.number(rating("P1", "12")) == 12
    with pytest.raises(ValueError, match="on a scale, or one of two"):
        CHESS.number(opening("P1", "B"))


def test_kinds_go_from_the_question_to_all_with_the_same_answers() -> None:
    replies = ("e5", "c5", "e6")
    assert CHESS.kinds(opening("P1", "A")) == [(replies, "e4"), (replies,)]
    assert CHESS.kinds(opening("P1", "A", None)) == [(replies,)]
    assert CHESS.kinds(rating("P1", "4")) == [(5, "rating"), (5,)]


def test_identity_tells_exchanged_options_apart() -> None:
    doc = opening("P1", "A")
    exchanged = {**doc, "options": doc["options"][::-1]}
    assert CHESS.identity(doc) == ("P1-e4", ("e5", "c5", "e6")) != CHESS.identity(exchanged)
    # The draws of all results so far rest on this text.
    assert repr(CHESS.identity(rating("P1", "4"))) == "('P1-rating', ())"


def test_general_models_answer_it() -> None:
    docs = [opening("P1", "A"), opening("P2", "C"), opening("P3", "C"), rating("P1", "6")]
    assert answers(Oracle(), docs) == ["A", "C", "C", "6"]
    assert answers(Constant(), docs) == ["A", "A", "A", "3"]
    # Of others, P1 sees C twice, and P2 and P3 see A and C once each; alone it is the middle of 3 to 7.
    assert answers(Majority(), docs) == ["C", "A", "A", "5"]
    wrong = answers(CorruptedOracle(rate=1.0), docs)
    assert all(one != doc["answer"] for one, doc in zip(wrong, docs, strict=True))
    assert {text for n in range(40) for text in answers(Random(n), docs[:1])} == {"A", "B", "C"}


def test_a_regression_reads_its_demographics() -> None:
    # 3 for the young and 7 for the old, whoever is left out.
    docs = [rating(f"P{n}", "37"[n % 2], age=("young", "old")[n % 2]) for n in range(10)]
    assert answers(DemographicLinear(alpha=1e-6), docs) == ["3", "7"] * 5
    del docs[0]["demographics"]
    with pytest.raises(ValueError, match="no demographics"):
        answers(DemographicLinear(), docs)


def test_free_text_gets_the_blank_reply_unless_a_benchmark_says_otherwise() -> None:
    class Essays(Questions):
        def is_closed(self, doc: Mapping[str, Any]) -> bool:
            return False

        def perfect_reply(self, doc: Mapping[str, Any]) -> str:
            return str(doc["wanted"])

        def blank_reply(self, doc: Mapping[str, Any]) -> str:
            return "-"

    asked = Essays("player").asked({"item_id": "x", "player": "P1", "wanted": "Checkmate."})
    assert not asked.is_closed
    assert Oracle().write(asked, 0) == "Checkmate."
    assert Random().write(asked, 0) == "-"


def test_two_benchmarks_whose_documents_look_the_same_share_nothing() -> None:
    go = Questions("player")
    doc = opening("P1", "A")
    mine, other = CHESS.asked(doc), go.asked({**doc, "player": "P2", "answer": "C"})
    assert mine.identity == other.identity
    assert mine.key != other.key
    assert not {*mine.kinds} & {*other.kinds}
    strategy = Majority()
    strategy.fit([mine, other])
    # Nobody else has answered in either: the middle.
    assert [strategy.choose(one, 0) for one in (mine, other)] == [1, 1]


@pytest.fixture
def invented(monkeypatch: pytest.MonkeyPatch) -> Iterator[Benchmark]:
    """A benchmark that names no questions of its own."""
    made = Benchmark(name="chess", datasets=("chess",), person="player")
    monkeypatch.setattr(benchmark, "of_dataset", lambda dataset: made)
    monkeypatch.setattr(benchmark, "named", lambda name: made)
    questions._of_benchmark.cache_clear()
    yield made
    questions._of_benchmark.cache_clear()


def test_a_benchmark_without_questions_has_the_defaults(invented: Benchmark) -> None:
    found = questions.of_dataset("chess")
    assert type(found) is Questions
    assert found.person(opening("P1", "A")) == "P1"
    # Keys of documents hold the object.
    assert questions.of_dataset("more-chess") is found


def test_an_unknown_dataset_is_one_clear_error() -> None:
    with pytest.raises(OtherMindsError, match="hugagent-synthetc"):
        questions.of_dataset("hugagent-synthetc")
