"""lm-eval's evaluation of a loaded model, without work that it does over and over.

lm-eval decodes every document twice, hashes it with the slowest encoder and compiles a task's constant
description anew for each: that is most of the time of a run whose model answers at once. And it keeps
all of it until the end. Here, its own code asks and scores, a window of documents (`windows`) after the
other, which are decoded already; of each, the values stay that its aggregations need.
"""

from __future__ import annotations

import contextlib
import copy
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

from otherminds import credentials, progress
from otherminds.harness import hashes, windows
from otherminds.harness.flags import RunArguments
from otherminds.harness.missing import installed
from otherminds.harness.windowed import Keep, Unasked, Windowed

if TYPE_CHECKING:
    from lm_eval.api.model import LM


def evaluate(
    model: LM,
    manager: Any,
    names: Sequence[str],
    arguments: RunArguments,
    *,
    commit: Callable[[], str | None] | None = None,
    environment: Callable[[], Mapping[str, Any]] | None = None,
    stages: progress.Stages | None = None,
    key: Callable[[Any], windows.Key | None] = lambda _: None,
    keep: Keep | None = None,
) -> Any:
    """Run lm-eval on a loaded model; returns its results dictionary, with samples.

    A model with a method `meet` is shown the loaded tasks, by name, before the first request. One with
    an attribute `documents_at_once` is asked in windows of so many; any other is asked all at once. Of
    one that is asked in windows, `expect` is told before each how many documents came before it, are in
    it, and there are in all. In its context `looking`, unless that is None, all requests are made once
    before the first is asked. One with a true attribute `only_looks` answers nothing: it raises
    `Unasked` at the requests of each task of each window, and there are no results (None).

    commit, environment  replace lm-eval's own facts about the machine in the results file
    stages  shows how far the work is before and after the model is asked
    key     from a loaded task to what its documents that belong together have in common (`windows.Key`)
    keep    takes the samples of a task, window by window; the results have none then
    """
    from lm_eval import evaluator

    if commit is not None:
        evaluator.get_git_commit_hash = commit
    if environment is not None:
        evaluator.add_env_info = lambda results: results.update(environment())
    seeds = list(arguments.seed or [None] * 4)
    if "torch" not in sys.modules:
        # Seeding torch would import it, for a model that does without.
        seeds[2] = None
    evaluation = Windowed(evaluator.evaluate, key=key, keep=keep, stages=stages)
    with _lean(evaluation), installed(arguments.model), contextlib.suppress(Unasked):
        return _evaluate(model, manager, names, arguments, seeds)
    return None


def _evaluate(
    model: LM, manager: Any, names: Sequence[str], arguments: RunArguments, seeds: list[int | None]
) -> Any:
    from lm_eval import evaluator

    return evaluator.simple_evaluate(
        model=model,
        # The model is loaded: this is for the results alone.
        model_args=credentials.arguments(arguments.model_args),
        tasks=list(names),
        num_fewshot=arguments.num_fewshot,
        batch_size=arguments.batch_size,
        max_batch_size=arguments.max_batch_size,
        device=arguments.device,
        limit=arguments.limit,
        samples=arguments.samples,
        # Our standard errors are clustered; lm-eval's own bootstrap would resample items.
        bootstrap_iters=0,
        write_out=arguments.write_out,
        log_samples=True,
        system_instruction=arguments.system_instruction,
        apply_chat_template=arguments.apply_chat_template,
        fewshot_as_multiturn=bool(arguments.fewshot_as_multiturn),
        gen_kwargs=arguments.gen_kwargs,
        task_manager=_meeting(manager, model.meet) if hasattr(model, "meet") else manager,
        predict_only=arguments.predict_only,
        random_seed=seeds[0],
        numpy_random_seed=seeds[1],
        torch_random_seed=seeds[2],
        fewshot_random_seed=seeds[3],
        confirm_run_unsafe_code=arguments.confirm_run_unsafe_code,
        metadata=arguments.metadata,
    )


@contextlib.contextmanager
def _lean(evaluation: Windowed) -> Iterator[None]:
    """While the block runs, let lm-eval do once what it does for every document, in windows."""
    from lm_eval import evaluator, utils
    from lm_eval.api import task

    compiled = lru_cache(maxsize=64)(utils.env.from_string)

    def rendered(template: str, document: Mapping[str, Any]) -> str:
        return str(compiled(template).render(**document))

    with (
        mock.patch.object(evaluator, "evaluate", evaluation),
        mock.patch.object(task, "tqdm", evaluation.counted),
        mock.patch.object(evaluator, "json", SimpleNamespace(dumps=_dumps())),
        mock.patch.object(utils, "apply_template", rendered),
        mock.patch.object(
            evaluator, "add_tokenizer_info", _described(evaluator.add_tokenizer_info)
        ),
    ):
        yield


def _dumps() -> Callable[..., str]:
    """A stand-in for `json.dumps`, for what lm-eval hashes."""
    from lm_eval.utils import handle_non_serializable

    indented = hashes.Indented(handle_non_serializable)
    hashed = {"indent": 2, "default": handle_non_serializable, "ensure_ascii": False}

    def dumps(value: Any, **settings: Any) -> str:
        return indented(value) if settings == hashed else json.dumps(value, **settings)

    return dumps


def _described(describe: Callable[..., None]) -> Callable[..., None]:
    """lm-eval's description of a model's tokenizer, of one that the model has used.

    Some models make theirs when they are asked for it: with the last answer at hand, PyTorch would be
    imported to describe what nothing was read with.
    """

    def described(results: dict[str, Any], model: Any) -> None:
        if "transformers" in sys.modules:
            describe(results, model)

    return described


def _meeting(manager: Any, meet: Callable[[Mapping[str, Any]], None]) -> Any:
    """The same index of tasks, which shows those that it loads."""
    made = copy.copy(manager)

    def load(names: Any) -> Any:
        found = manager.load(names)
        meet(found["tasks"])
        return found

    made.load = load
    return made
