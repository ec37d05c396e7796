"""The journal: nothing that was answered is asked again, and nothing is mixed up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.running.journal import Journal
from tests.helpers.askers import asker


class Recorder(LM):
    """Answers every request with a new number, and remembers what it was asked."""

    def __init__(self, *, reports: bool = False, dies_after: int | None = None) -> None:
        super().__init__()
        self.asked: list[str] = []
        self._reports = reports
        self._dies_after = dies_after

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Any]:
        answers = []
        # As the real backends do, not in the order of the requests.
        for request in sorted(requests, key=lambda request: -len(request.args[0])):
            if self._dies_after is not None and len(self.asked) >= self._dies_after:
                raise KeyboardInterrupt
            self.asked.append(request.args[0])
            answer = f"{request.args[0]} answer {len(self.asked)}"
            answers.append((request, answer))
            if self._reports:
                self.cache_hook.add_partial("generate_until", request.args, answer)
        given = {id(request): [] for request in requests}
        for request, answer in answers:
            given[id(request)].append(answer)
        return [given[id(request)].pop(0) for request in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        self.asked += [request.args[1] for request in requests]
        return [(-float(len(request.args[1])), False) for request in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        return [0.0 for _ in requests]


def request(prompt: str, *, task: str = "t", doc: int = 0, temperature: float = 0.1) -> Instance:
    decoding = {"temperature": temperature, "until": [], "max_gen_toks": 8}
    return Instance("generate_until", {}, (prompt, decoding), 0, metadata=(task, doc, 1))


@pytest.mark.parametrize("reports", [True, False])
def test_a_second_run_asks_nothing_and_gets_the_same_answers(tmp_path: Path, reports: bool) -> None:
    requests = [request("one"), request("three"), request("three"), request("two")]
    with Journal(tmp_path / "j.sqlite") as journal:
        first = asker(Recorder(reports=reports), journal).generate_until(requests)
    again = Recorder(reports=reports)
    with Journal(tmp_path / "j.sqlite") as journal:
        assert asker(again, journal).generate_until(requests) == first
    assert again.asked == []


def test_equal_requests_are_repeats_with_answers_of_their_own(tmp_path: Path) -> None:
    same = request("same")
    with Journal(tmp_path / "j.sqlite") as journal:
        answers = asker(Recorder(), journal).generate_until([same, same, same])
        assert len(set(answers)) == 3
        more = Recorder()
        five = asker(more, journal).generate_until([same] * 5)
    assert five[:3] == answers
    assert len(more.asked) == 2


@pytest.mark.attack(
    "a run is killed",
    outcome="answered requests are not asked again",
    against="answers",
)
def test_a_killed_run_loses_only_what_was_not_answered(tmp_path: Path) -> None:
    requests = [request(f"prompt {n}") for n in range(6)] + [request("repeat")] * 3
    with Journal(tmp_path / "j.sqlite") as journal, pytest.raises(KeyboardInterrupt):
        asker(Recorder(reports=True, dies_after=4), journal).generate_until(requests)
    rest = Recorder(reports=True)
    with Journal(tmp_path / "j.sqlite") as journal:
        answers = asker(rest, journal).generate_until(requests)
    assert len(rest.asked) == len(requests) - 4
    assert all(answer.startswith(r.args[0]) for r, answer in zip(requests, answers, strict=True))


@pytest.mark.parametrize(
    ("change", "other"),
    [
        ({"identity": "another model"}, request("p")),
        ({"versions": {"t": "1.1"}}, request("p")),
        ({}, request("p", temperature=0.7)),
    ],
)
def test_what_changes_the_answer_is_asked_anew(
    tmp_path: Path, change: dict[str, Any], other: Instance
) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        asker(Recorder(), journal).generate_until([request("p")])
        model = Recorder()
        asker(model, journal, **change).generate_until([other])
    assert model.asked == ["p"]


def test_two_tasks_that_ask_the_same_share_the_answers_run_by_run(tmp_path: Path) -> None:
    part = [request("p", task="part")] * 2
    whole = [request("p", task="whole")] * 3
    versions = {"versions": {"part": "1.0", "whole": "1.0"}}
    with Journal(tmp_path / "j.sqlite") as journal:
        first = asker(Recorder(), journal, **versions).generate_until(part)
        model = Recorder()
        both = asker(model, journal, **versions).generate_until([*part, *whole])
    assert model.asked == ["p"]
    assert both[:2] == both[2:4] == first


def test_one_prompt_under_two_decodings_keeps_its_answers_apart(tmp_path: Path) -> None:
    class Backwards(Recorder):
        """Reports in another order than it was asked, as concurrent interfaces do."""

        def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Any]:
            answers = [str(request.args[1]["temperature"]) for request in requests]
            for request, answer in reversed(list(zip(requests, answers, strict=True))):
                self.cache_hook.add_partial("generate_until", request.args, answer)
            return answers

    requests = [request("p", temperature=0.0), request("p", temperature=1.0)]
    with Journal(tmp_path / "j.sqlite") as journal:
        assert asker(Backwards(), journal).generate_until(requests) == ["0.0", "1.0"]
        assert asker(Recorder(), journal).generate_until(requests) == ["0.0", "1.0"]


def test_without_reuse_everything_is_asked_again_and_journaled(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        asker(Recorder(), journal).generate_until([request("p")])
        model = Recorder()
        asker(model, journal, reuse=False).generate_until([request("p")])
        assert model.asked == ["p"]
        assert len(journal) == 1


def test_an_answer_that_was_not_given_is_asked_again(tmp_path: Path) -> None:
    class Silent(Recorder):
        def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Any]:
            return [None for _ in requests]

    with Journal(tmp_path / "j.sqlite") as journal:
        assert asker(Silent(), journal).generate_until([request("p")]) == [None]
        model = Recorder()
        asker(model, journal).generate_until([request("p")])
    assert model.asked == ["p"]


def test_log_likelihoods_come_back_as_the_pairs_that_lm_eval_expects(tmp_path: Path) -> None:
    options = [
        Instance("loglikelihood", {}, ("context", letter), n, metadata=("t", 0, 1))
        for n, letter in enumerate([" A", " BB"])
    ]
    with Journal(tmp_path / "j.sqlite") as journal:
        asker(Recorder(), journal).loglikelihood(options)
        again = Recorder()
        assert asker(again, journal).loglikelihood(options) == [(-2.0, False), (-3.0, False)]
    assert again.asked == []


@pytest.mark.attack(
    "a journal that is no database",
    outcome="one error that says what to do",
    against="answers",
)
def test_a_journal_that_is_no_database_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "j.sqlite").write_text("this is not a database, and it is long enough to be read")
    with pytest.raises(OtherMindsError, match="delete it to ask every request again"):
        Journal(tmp_path / "j.sqlite")


def test_ten_megabytes_of_answer_are_kept(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        journal.add({"k": "é\0" * 5_000_000})
        assert journal.find(["k", "missing"]) == {"k": "é\0" * 5_000_000}


class _OneOfTwo(Recorder):
    """A process among two."""

    def __init__(self, rank: int) -> None:
        super().__init__()
        self._rank, self._world_size = rank, 2

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Any]:
        return [f"of process {self._rank}" for _ in requests]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_processes_share_greedy_answers_and_draw_their_own(
    tmp_path: Path, temperature: float
) -> None:
    # Equal prompts about different documents, dealt out to two processes that share a journal.
    same = [request("same", doc=doc, temperature=temperature) for doc in range(4)]
    with Journal(tmp_path / "j.sqlite") as journal:
        asker(_OneOfTwo(0), journal).generate_until(same[::2])
        second = asker(_OneOfTwo(1), journal)
        found = second.generate_until(same[1::2])
        assert found == ["of process 1" if temperature else "of process 0"] * 2
        again = asker(_OneOfTwo(1), journal)
        assert again.generate_until(same[1::2]) == found
        assert (again.asked, again.reused) == (0, 2)
