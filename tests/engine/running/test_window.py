"""Prompts that lm-eval would cut are refused, with their number."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from otherminds.errors import OtherMindsError
from otherminds.harness import Instance
from otherminds.running.window import Window


def model(max_length: int) -> Any:
    return SimpleNamespace(
        max_length=max_length,
        max_gen_toks=256,
        tokenizer=object(),
        tok_encode=lambda text: text.split(),
    )


def generate(prompt: str, tokens: int = 10) -> Instance:
    return Instance("generate_until", {}, (prompt, {"max_gen_toks": tokens}), 0)


def test_a_prompt_fits_exactly_and_not_with_one_token_more() -> None:
    # 90 words and 10 tokens of answer make 100 in all.
    requests = [generate("w " * 90)]
    Window(allow_truncation=False).check(model(100), "generate_until", requests)
    with pytest.raises(OtherMindsError, match=r"1 of 1 prompts .* needs 100 tokens .* holds 99"):
        Window(allow_truncation=False).check(model(99), "generate_until", requests)


def test_allowed_truncation_is_counted_by_distinct_prompt() -> None:
    window = Window(allow_truncation=True)
    long = generate("w " * 500)
    window.check(model(100), "generate_until", [long, long, generate("short")])
    assert window.report["n_prompts"] == 2
    assert window.report["n_truncated"] == 1
    assert window.report["longest_at_most"] == 510


def test_the_same_prompt_with_a_longer_answer_is_checked_too() -> None:
    window = Window(allow_truncation=True)
    window.check(model(100), "generate_until", [generate("w " * 90, 20), generate("w " * 90, 5)])
    assert window.report["n_truncated"] == 1


def test_the_continuation_counts_in_log_likelihoods() -> None:
    request = Instance("loglikelihood", {}, ("w " * 98, " A"), 0)
    with pytest.raises(OtherMindsError, match="needs 99 tokens"):
        Window(allow_truncation=False).check(model(98), "loglikelihood", [request])


def test_a_model_that_tells_no_window_is_reported_as_unchecked() -> None:
    window = Window(allow_truncation=False)
    window.check(SimpleNamespace(), "generate_until", [generate("w " * 10**5)])  # type: ignore[arg-type]
    assert window.report["checked"] is False
