"""The `usage` of a server's replies: summed, in the results and in the lines at the end of a run."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.running import prices
from otherminds.running.usage import Usage
from tests.conftest import Command
from tests.helpers.openai_server import Hashed, serving

OPENAI = {
    "prompt_tokens": 100,
    "completion_tokens": 7,
    "prompt_tokens_details": {"cached_tokens": 64},
    "completion_tokens_details": {"reasoning_tokens": 5},
}


class _Metered(Hashed):
    """Tells a usage that is the same for every reply."""

    def usage(self, prompt: Any, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return OPENAI


def summed(*usages: Any) -> dict[str, Any]:
    usage = Usage()
    for one in usages:
        usage.add({"choices": [], "usage": one})
    return usage.report(None)


@pytest.mark.parametrize(
    ("told", "prompt", "cached", "generated"),
    [
        (OPENAI, 100, 64, 7),
        # vLLM without --enable-prompt-tokens-details
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": None}, 9, None, 2),
        # An embedding, or a reply of which nothing was generated
        ({"prompt_tokens": 9}, 9, None, 0),
        # DeepSeek
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 8}, 9, 8, 2),
        # OpenAI's Responses
        (
            {"input_tokens": 9, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 0}},
            9,
            0,
            2,
        ),
        # Anthropic leaves out of its input tokens what is in the cache (80) or put there (10).
        (
            {
                **{"input_tokens": 9, "output_tokens": 2},
                **{"cache_read_input_tokens": 80, "cache_creation_input_tokens": 10},
            },
            *(99, 80, 2),
        ),
        # A proxy that speaks for Anthropic counts as OpenAI does.
        ({"prompt_tokens": 99, "completion_tokens": 2, "cache_read_input_tokens": 80}, 99, 80, 2),
    ],
)
def test_forms_of_a_usage(
    told: dict[str, Any], prompt: int, cached: int | None, generated: int
) -> None:
    found = summed(told)
    assert (found["prompt"], found["cached"], found["generated"]) == (prompt, cached, generated)
    assert (found["replies"], found["silent"]) == (1, 0)


def test_sums_and_an_amount_by_hand() -> None:
    usage = Usage()
    for told in (OPENAI, OPENAI, {"prompt_tokens": 50, "completion_tokens": 1}, None):
        usage.add({"usage": told})
    found = usage.report(prices.parse("2,0.5,10"))
    assert {name: found[name] for name in vars(usage)} == {
        **{"prompt": 250, "cached": 128, "generated": 15, "reasoning": 10},
        **{"replies": 3, "silent": 1},
    }
    # 122 · 2 + 128 · 0.5 + 15 · 10 = 458, per million
    assert found["amount"] == pytest.approx(458e-6)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from([*OPENAI, "usage", "cached_tokens"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(ANY)
def test_no_reply_ends_a_run(reply: Any) -> None:
    usage = Usage()
    usage.add(reply)
    usage.add({"usage": reply})
    assert usage.replies + usage.silent == 2
    assert min(usage.prompt, usage.generated, usage.cached or 0) >= 0


@pytest.mark.skipif(
    importlib.util.find_spec("tenacity") is None,
    reason="lm-eval's API models are not installed: pip install 'lm-eval[api]'.",
)
@pytest.mark.parametrize("concurrent", [1, 4])
def test_a_run_tells_what_the_server_read(
    command: Command, cache: Path, tmp_path: Path, concurrent: int
) -> None:
    with serving(_Metered()) as server:
        said = command(
            *("otherminds", "run", "debate_blind_synthetic_direct", "--limit", "6"),
            *("--model", "local-chat-completions", "--output_path", "out", "--price", "2,0.5,10"),
            "--model_args",
            f"model=m,base_url={server.address}/chat/completions,num_concurrent={concurrent}",
            cwd=tmp_path,
        ).stdout
    [path] = tmp_path.rglob("results_*.json")
    found = json.loads(path.read_text(encoding="utf-8"))["otherminds"]["usage"]
    assert (found["prompt"], found["cached"], found["generated"]) == (600, 384, 42)
    # 216 · 2 + 384 · 0.5 + 42 · 10 = 1,044, per million
    assert found["amount"] == pytest.approx(1044e-6)
    line = "600 prompt tokens (384 of them cached), 42 generated (30 of them reasoning); that is 0.0010"
    assert line in " ".join(said.split())
