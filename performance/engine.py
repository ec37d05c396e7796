"""A real vLLM engine for benchmarks: a tiny model, on the CPU, with counters."""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherminds import harness

KV_GIB = "1"
MISSING = "vLLM is not installed (tests/vllm/setup.sh makes an environment with it)"


@dataclass(frozen=True)
class Work:
    """What an engine did.

    requests  that reached it
    asked     tokens of their prompts
    cached    of these, tokens that it took from its prefix cache
    """

    requests: int
    asked: int
    cached: int
    seconds: float

    @property
    def hit_rate(self) -> float:
        """The share of tokens that were not read again."""
        return self.cached / self.asked if self.asked else 0.0


def is_here() -> bool:
    """Whether vLLM is installed."""
    return importlib.util.find_spec("vllm") is not None


def load(folder: Path, *, window: int, blocks: int | None = None, at_once: int = 8) -> Any:
    """lm-eval's vLLM model of the weights in `folder`.

    `blocks` is the size of its cache in blocks of tokens (default: what fits into 1 GiB), `at_once` how
    many requests it works on at a time.
    """
    given = told(folder, window=window, blocks=blocks, at_once=at_once)
    words = ["--model", "vllm", "--tasks", "any", "--model_args", given]
    return harness.make_model(harness.parse_arguments(words, default_model="vllm"))


def told(folder: Path, *, window: int, blocks: int | None = None, at_once: int = 8) -> str:
    """The arguments of that model, as one text; the size of its cache is set for this process."""
    os.environ["VLLM_CPU_KVCACHE_SPACE"] = KV_GIB
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    arguments = {
        "pretrained": folder,
        "dtype": "float32",
        "enforce_eager": True,
        "gpu_memory_utilization": 0.2,
        "max_model_len": window,
        "max_num_seqs": at_once,
        "enable_prefix_caching": True,
        "block_size": 32,
        **({} if blocks is None else {"num_gpu_blocks_override": blocks}),
    }
    return ",".join(f"{name}={value}" for name, value in arguments.items())


def worked(model: Any, call: Callable[[], Any]) -> tuple[Any, Work]:
    """What `call` returns, and what it made the engine do, whose cache is empty before."""
    model.model.reset_prefix_cache()
    generate = model._model_generate
    asked: list[int] = []
    cached: list[int] = []

    def counting(requests: list[list[int]], **named: Any) -> Any:
        outputs = generate(requests=requests, **named)
        asked.extend(len(tokens) for tokens in requests)
        cached.extend(output.num_cached_tokens or 0 for output in outputs)
        return outputs

    model._model_generate = counting
    start = time.perf_counter()
    try:
        found = call()
    finally:
        seconds = time.perf_counter() - start
        del model._model_generate
    return found, Work(len(asked), sum(asked), sum(cached), seconds)
