"""Options from one generation step, on a stand-in for vLLM; tests/vllm asks the real engine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from otherminds.errors import OtherMindsError
from otherminds.harness import LM, CacheHook, Instance
from otherminds.running import one_token
from otherminds.running.journal import Journal
from otherminds.running.journaled_lm import JournaledLM
from tests.helpers.askers import asker


class Params:
    """vLLM's settings of one request."""

    def __init__(self, *, logprob_token_ids: list[int], **others: Any) -> None:
        self.wanted = logprob_token_ids
        self.others = others


class OldParams:
    """Those of a vLLM that cannot choose tokens."""

    def __init__(self, *, logprobs: int) -> None:
        self.logprobs = logprobs


class Engine(LM):
    """Tokens are letters; the log-probability of a letter is minus its number, and "b" is likeliest."""

    max_length = 12
    enable_thinking = None

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[str] = []
        self.apart: list[tuple[str, str]] = []

    def tok_encode(self, texts: Sequence[str]) -> list[list[int]]:
        return [[ord(letter) for letter in text] for text in texts]

    def _model_generate(
        self, requests: list[list[int]], *, generate: bool, sampling_params: list[Params]
    ) -> list[Any]:
        assert generate
        self.steps += ["".join(map(chr, tokens)) for tokens in requests]
        return [
            SimpleNamespace(
                outputs=[
                    SimpleNamespace(
                        logprobs=[
                            {
                                n: SimpleNamespace(logprob=self.of(n))
                                for n in {ord("b"), *one.wanted}
                            }
                        ]
                    )
                ]
            )
            for one in sampling_params
        ]

    @staticmethod
    def of(token: int) -> float:
        return -1.0 if token == ord("b") else -float(token)

    def loglikelihood(
        self, requests: list[Instance], disable_tqdm: bool = False
    ) -> list[tuple[float, bool]]:
        self.apart += [one.args for one in requests]
        return [(-0.5, True) for _ in requests]

    def generate_until(self, requests: list[Instance]) -> list[str]:
        return ["" for _ in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        return [0.0 for _ in requests]


@pytest.fixture(autouse=True)
def vllm(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A stand-in for the package."""
    module = ModuleType("vllm")
    module.SamplingParams = Params  # type: ignore[attr-defined]  # what vLLM has too
    monkeypatch.setitem(sys.modules, "vllm", module)
    return module


def asked(model: Engine, *pairs: tuple[str, str]) -> list[tuple[float, bool]]:
    ours = one_token.of(model)
    assert ours is not None
    return ours.loglikelihood(
        [Instance("loglikelihood", {}, pair, 0, metadata=("t", 0, 1)) for pair in pairs],
        disable_tqdm=True,
    )


def test_all_options_of_a_prompt_take_one_step() -> None:
    model = Engine()
    found = asked(model, ("why:", "a"), ("so:", "b"), ("why:", "b"), ("so:", "c"))
    # The letters' numbers: a 97, c 99; "b" is the likeliest of all tokens.
    assert found == [(-97.0, False), (-1.0, True), (-1.0, True), (-99.0, False)]
    assert model.steps == ["why:", "so:"]
    assert model.apart == []


@pytest.mark.parametrize("end", [" ", "\n", "\n\n", "<think>\n\n</think>\n\n"])
def test_what_ends_the_prompt_stays_in_it(end: str) -> None:
    model = Engine()
    assert asked(model, (f"why{end}", "a"), (f"why{end}", "b")) == [(-97.0, False), (-1.0, True)]
    assert model.steps == [f"why{end}"[-10:]]
    assert model.apart == []


def test_what_all_options_begin_with_belongs_to_the_prompt() -> None:
    model = Engine()
    # The letters' numbers: 0 is 48, 1 is 49.
    assert asked(model, ("n:", "10"), ("n:", "11")) == [(-48.0, False), (-49.0, False)]
    assert model.steps == ["n:1"]


def test_an_option_that_begins_another_is_asked_apart_with_it() -> None:
    model = Engine()
    assert asked(model, ("n:", "1"), ("n:", "11")) == [(-0.5, True)] * 2
    assert model.steps == []


def test_a_single_option_is_scored_as_a_whole() -> None:
    model = Engine()
    # With nothing to compare it with, a line break and "a" are not the last token alone.
    found = asked(model, ("why:", "of"), ("why\n", "a"), ("so:", "a"))
    assert found == [(-0.5, True), (-0.5, True), (-97.0, False)]


def test_options_that_the_tokenizer_cannot_tell_apart_are_equally_likely() -> None:
    class Blind(Engine):
        def tok_encode(self, texts: Sequence[str]) -> list[list[int]]:
            return super().tok_encode([text.replace("z", "y") for text in texts])

    assert asked(Blind(), ("n:", "y"), ("n:", "z")) == [(-121.0, False)] * 2


def test_an_option_that_merges_with_the_end_of_the_prompt_is_refused() -> None:
    class Merging(Engine):
        """Has a token for "(a", of number 1."""

        def tok_encode(self, texts: Sequence[str]) -> list[list[int]]:
            return super().tok_encode([text.replace("(a", "\x01") for text in texts])

    # lm-eval would say that "a" has the log-likelihood 0: no token is left of it.
    with pytest.raises(OtherMindsError, match=r"one token of the end of a prompt.*option 'a'"):
        asked(Merging(), ("why (", "a"), ("why (", "b"))


def test_an_item_of_which_the_journal_has_a_part_is_asked_as_a_whole(tmp_path: Path) -> None:
    pairs = [("so\n", "a"), ("so\n", "b"), ("why\n", "a"), ("why\n", "b")]
    requests = [
        Instance("loglikelihood", {}, pair, 0, metadata=("t", doc // 2, 1))
        for doc, pair in enumerate(pairs)
    ]

    def answered(requests: list[Instance]) -> tuple[list[Any], Engine, JournaledLM]:
        model = Engine()
        with Journal(tmp_path / "journal.sqlite") as journal:
            asking = asker(model, journal, options=one_token.of(model))
            return asking.loglikelihood(requests), model, asking

    # A line break and an option alone: lm-eval's way, which counts both.
    first, model, _ = answered(requests[:3])
    assert (first[2], model.steps) == ((-0.5, True), ["so\n"])
    whole, model, asking = answered(requests)
    assert whole == [(-97.0, False), (-1.0, True)] * 2
    assert (model.steps, asking.asked, asking.reused) == (["why\n"], 2, 2)
    _, model, asking = answered(requests)
    assert (model.steps, asking.asked, asking.reused) == ([], 0, 4)


def test_an_item_with_a_longer_option_is_asked_as_a_whole_by_lm_eval(
    capsys: pytest.CaptureFixture[str],
) -> None:
    model = Engine()
    ours = one_token.of(model)
    assert ours is not None
    pairs = [("why:", "a"), ("so:", "a"), ("why:", "zebra"), ("", "a"), (" ", "a")]
    requests = [Instance("loglikelihood", {}, pair, 0, metadata=("t", 0, 1)) for pair in pairs]
    for _ in range(2):
        assert ours.loglikelihood(requests) == [
            (-0.5, True),
            (-97.0, False),
            (-0.5, True),
            (-0.5, True),
            (-0.5, True),
        ]
    assert model.steps == ["so:"] * 2
    assert ours.report() == {"prompts_in_one_step": 2, "requests_apart": 8}
    assert capsys.readouterr().err.count("more than one token") == 1


def test_a_prompt_that_is_too_long_loses_its_beginning_as_in_lm_eval() -> None:
    model = Engine()
    asked(model, ("0123456789abcdef", "a"), ("0123456789abcdef", "b"))
    # Of twelve places, one is the option's and one for a token to be generated.
    assert model.steps == ["6789abcdef"]


def test_more_options_than_the_engine_gives_at_once_are_asked_one_by_one() -> None:
    model = Engine()
    asked(model, *(("why:", chr(300 + n)) for n in range(129)))
    assert len(model.apart) == 129
    assert model.steps == []


def test_answers_are_reported_as_they_come() -> None:
    reported = []

    class Hook(CacheHook):
        def add_partial(self, attr: str, req: Any, res: Any) -> None:
            reported.append((attr, req, res))

    model = Engine()
    model.set_cache_hook(Hook(None))
    asked(model, ("why:", "a"), ("why:", "b"))
    assert reported == [
        ("loglikelihood", ("why:", "a"), (-97.0, False)),
        ("loglikelihood", ("why:", "b"), (-1.0, True)),
    ]


def test_engines_that_cannot_are_left_to_lm_eval(vllm: ModuleType) -> None:
    thinks = Engine()
    thinks.enable_thinking = True  # type: ignore[assignment]  # as lm-eval's model has it
    assert one_token.of(thinks) is None
    vllm.SamplingParams = OldParams  # type: ignore[attr-defined]  # what vLLM has too
    assert one_token.of(Engine()) is None
