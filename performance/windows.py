"""`otherminds run` in windows against all documents at once: no model may wait for our bookkeeping.

On hf with one prompt at a time, a server, and vLLM where it is installed, each with a tiny model or
none, which gives about a hundred answers a second: of a slower one, less of its time is lost. The clock
runs from the model's being loaded to the end of the run, so that both sides ask, score and write the
same. Each side is run in turn with the other.
Run: python -m performance.windows [--items N] [--only hf server vllm]
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from otherminds import harness
from otherminds.data.cache import cached
from otherminds.harness import windows
from otherminds.running.models import Options
from otherminds.running.run import run
from performance import engine
from performance.ratio import Ratio, print_table
from tests.helpers import tiny_model
from tests.helpers.openai_server import Hashed, serving

DATA = "generated"
CLAIM = "answers a second in windows, against all documents at once"
TARGET = ">= 0.98"
TASK, DATASET = "debate_blind_synthetic", "debate-beliefs-synthetic"
ITEMS, TIMES = 4_600, 2
"""More than one window of documents; and how often each side is run, of which the better counts."""
BACKENDS = ("hf", "server", "vllm")
_CONCURRENT, _SECONDS = 16, 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--only", nargs="+", choices=BACKENDS, default=BACKENDS)
    told = parser.parse_args()
    print_table(measure(told.items, told.only))


def measure(items: int = ITEMS, backends: Sequence[str] = BACKENDS) -> list[Ratio]:
    """Answers a second by backend."""
    cached(DATASET)
    harness.quiet(debug=False)
    found = []
    for backend in backends:
        if backend == "vllm" and not engine.is_here():
            found.append(Ratio.left_out(_named("vllm"), engine.MISSING, target=TARGET, claim=CLAIM))
            continue
        with tempfile.TemporaryDirectory() as folder, _model(backend, Path(folder)) as words:
            found.append(_compared(backend, words, items))
    return found


def _compared(backend: str, words: list[str], items: int) -> Ratio:
    rates: dict[int, list[float]] = {windows.DOCUMENTS: [], items: []}
    for _ in range(TIMES):
        for size, measured in rates.items():
            with mock.patch.object(windows, "DOCUMENTS", size):
                measured.append(answers_per_second(words, items))
    ours, reference = (max(measured) for measured in rates.values())
    note = f"{items:,} items of {TASK}, the better of {TIMES} runs each"
    name = _named(backend)
    return Ratio.of(name, ours, reference, "answers/s", target=TARGET, note=note, claim=CLAIM)


def _named(backend: str) -> str:
    served = f"a server with {_CONCURRENT} requests at a time" if backend == "server" else backend
    return f"{served}: in windows of {windows.DOCUMENTS:,} documents, against all at once"


@contextlib.contextmanager
def _model(backend: str, folder: Path) -> Iterator[list[str]]:
    """The words of a command line that name a model."""
    if backend == "server":
        with serving(Hashed(_SECONDS)) as server:
            arguments = f"base_url={server.address}/chat/completions,num_concurrent={_CONCURRENT}"
            yield [
                *("--model", "local-chat-completions"),
                *("--model_args", f"model=stand-in,{arguments}"),
            ]
        return
    # Often enough that the answer is one token, as it is in the vocabulary of any real model.
    texts = [*_prompts(), " ".join(["agree"] * 1_000)]
    weights = tiny_model.make(folder / "model", texts, says="agree")
    if backend == "hf":
        yield ["--model", "hf", "--device", "cpu", "--model_args", f"pretrained={weights}"]
        return
    yield ["--model", "vllm", "--model_args", engine.told(weights, window=4_096)]


def _prompts() -> list[str]:
    """Some of the prompts, for a tokenizer to learn their words."""
    task = harness.load_tasks(harness.task_manager({}), [TASK])[TASK]
    task.build_all_requests(limit=200, rank=0, world_size=1)
    return [request.args[0] for request in task.instances]


def answers_per_second(words: list[str], items: int) -> float:
    """From the end of the model's loading to that of the run."""
    with tempfile.TemporaryDirectory() as out, _loading() as loaded:
        flags = [
            *words,
            "--limit",
            str(items),
            "--output_path",
            out,
            "--gen_kwargs",
            "max_gen_toks=2",
        ]
        finished = run([TASK], flags, Options())
        took = time.perf_counter() - loaded[-1]
    assert finished is not None
    return items / took


@contextlib.contextmanager
def _loading() -> Iterator[list[float]]:
    """When models were loaded."""
    make, times = harness.make_model, []

    def timed(*given: Any) -> Any:
        model = make(*given)
        times.append(time.perf_counter())
        return model

    with mock.patch.object(harness, "make_model", timed):
        yield times


if __name__ == "__main__":
    main()
