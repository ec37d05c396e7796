"""Forward passes and time per item of a `_logprob` task, against ordinary `multiple_choice` tasks.

All ask a tiny real model the same questions on the same prompts. The ordinary form has whole options
as its continuations, as most multiple-choice tasks do: one request, and one forward pass, per option. On
vLLM, lm-eval sends one request per letter as well, and `otherminds run` takes all letters from one
generation step: it is measured with all that it does besides (a fresh journal, the guard of the window,
the order of requests). Run: python -m performance.logprob [--backend hf|vllm] [--items N]
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherminds import harness
from otherminds.harness import Instance
from otherminds.running import one_token
from otherminds.running.journal import Journal
from performance import engine
from performance.ratio import Ratio, print_table
from tests.helpers import tiny_model
from tests.helpers.askers import asker

DATA = "generated"
CLAIM = "one forward pass for all letters of an item"
TASK = "socialmindchange_scale_lite_logprob"
ITEMS = 8
WINDOW = 16_384
ONE_PASS = "<= 1"


@dataclass
class Work:
    """What a model had to do: passes (rows of batches on hf, requests on vLLM) and tokens in them.

    On hf, padding is counted; on vLLM, what came from the prefix cache is not.
    """

    passes: int = 0
    tokens: int = 0
    seconds: float = 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", choices=["hf", "vllm"], default="hf")
    parser.add_argument("--items", type=int, default=ITEMS)
    told = parser.parse_args()
    print_table((on_hf if told.backend == "hf" else on_vllm)(told.items))


def measure() -> list[Ratio]:
    """Passes, tokens and time on hf and, where it is installed, on vLLM."""
    if engine.is_here():
        return [*on_hf(ITEMS), *on_vllm(ITEMS)]
    return [*on_hf(ITEMS), Ratio.left_out("passes, tokens and times on vLLM", engine.MISSING)]


def on_hf(items: int) -> list[Ratio]:
    """Letters against whole options, which the hf backend asks in one pass each."""
    from lm_eval.models.huggingface import HFLM

    letters, whole = asked(items)
    with tempfile.TemporaryDirectory() as folder:
        weights = _weights(Path(folder), letters)

        def worked(requests: list[Instance]) -> Work:
            model = HFLM(pretrained=str(weights), device="cpu", batch_size=1, max_length=WINDOW)
            with counted(model) as work:
                model.loglikelihood(requests)
            return work

        ours, theirs = worked(letters), worked(whole)
    return [_passes("hf", ours, items), *_ratios("hf", "whole options", ours, theirs, items)]


def on_vllm(items: int) -> list[Ratio]:
    """One step for all letters against a request per letter, and against one per whole option.

    Raises AssertionError where one step gives other answers than a request per letter.
    """
    letters, whole = asked(items)
    with tempfile.TemporaryDirectory() as folder:
        model = engine.load(_weights(Path(folder), letters), window=WINDOW, at_once=16)
        one_step = one_token.of(model)
        assert one_step is not None, "this vLLM gives no log-probabilities of chosen tokens"
        model.loglikelihood(letters[:16], disable_tqdm=True)
        with Journal(Path(folder) / "journal.sqlite") as journal:
            asking = asker(model, journal, options=one_step)
            answers, ours = engine.worked(model, lambda: asking.loglikelihood(letters))
        expected, by_letter = engine.worked(model, lambda: model.loglikelihood(letters))
        _, by_option = engine.worked(model, lambda: model.loglikelihood(whole))
    for (one, is_greedy), (other, was_greedy) in zip(answers, expected, strict=True):
        assert abs(one - other) < 1e-3, "one step gives another log-probability"
        assert is_greedy == was_greedy, "one step gives another likeliest option"
    own = _of_engine(ours)
    return [
        _passes("vLLM", own, items),
        *_ratios("vLLM", "lm-eval's letters", own, _of_engine(by_letter), items),
        *_ratios("vLLM", "whole options", own, _of_engine(by_option), items),
    ]


def asked(items: int) -> tuple[list[Instance], list[Instance]]:
    """The requests of the task's first items, with letters and with whole options."""
    harness.quiet(debug=False)
    letters, whole = (_loaded(items) for _ in range(2))
    whole.config.doc_to_choice = lambda doc: doc["options"]
    for task in (letters, whole):
        task.build_all_requests(limit=items, rank=0, world_size=1)
    return letters.instances, whole.instances


def _loaded(items: int) -> Any:
    task = harness.load_tasks(harness.task_manager({}), [TASK])[TASK]
    task.dataset["test"] = task.dataset["test"].select(range(items))
    return task


def _weights(folder: Path, requests: list[Instance]) -> Path:
    texts = dict.fromkeys(request.args[0] for request in requests)
    # Often enough that each letter is one token, as it is in the vocabulary of any real model.
    letters = " ".join(["", *dict.fromkeys(request.args[1].strip() for request in requests)])
    return tiny_model.make(folder / "model", [*texts, letters * 1_000], max_length=2 * WINDOW)


@contextlib.contextmanager
def counted(lm: Any) -> Iterator[Work]:
    """Count what the hf model behind `lm` is asked while this lasts."""
    work = Work()

    def before(module: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        tokens = given[0] if given else named["input_ids"]
        work.passes += tokens.shape[0]
        work.tokens += tokens.numel()

    hook = lm.model.register_forward_pre_hook(before, with_kwargs=True)
    start = time.perf_counter()
    try:
        yield work
    finally:
        work.seconds = time.perf_counter() - start
        hook.remove()


def _of_engine(work: engine.Work) -> Work:
    return Work(work.requests, work.asked - work.cached, work.seconds)


def _ratios(backend: str, name: str, ours: Work, theirs: Work, items: int) -> list[Ratio]:
    against = f"{backend}, letters of {TASK} against {name}"
    return [
        Ratio.of(f"{what} per item, {against}", one / items, other / items, unit, inverse=True)
        for what, one, other, unit in (
            ("passes", ours.passes, theirs.passes, "passes"),
            ("tokens read", ours.tokens, theirs.tokens, "tokens"),
            ("time", ours.seconds, theirs.seconds, "s"),
        )
    ]


def _passes(backend: str, ours: Work, items: int) -> Ratio:
    name = f"passes per item, {backend}, letters of {TASK}"
    return Ratio.alone(name, ours.passes / items, "passes", target=ONE_PASS, claim=CLAIM)


if __name__ == "__main__":
    main()
