"""A log as a run: lm-eval's own evaluation is given the log's answers, and written as any run is.

So the numbers are those of a run with lm-eval to the bit, and all commands that read runs read logs.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds import harness, progress
from otherminds.errors import OtherMindsError
from otherminds.on_inspect.logs import Log
from otherminds.on_inspect.replayed import Replayed
from otherminds.running import plan as planning
from otherminds.running import run as running
from otherminds.running.models import Loaded, role_of
from otherminds.running.signing import JUDGE_ROLE

MODEL = "inspect"
"""The name that stands for lm-eval's one, in results of logs."""

_CALLED = {"max_tokens": "max_gen_toks", "stop_seqs": "until"}
"""Inspect's names of settings that lm-eval calls otherwise."""

_OF_THE_CALL = frozenset(
    {
        *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections"),
        *("adaptive_connections", "cache", "cache_prompt", "batch", "extra_headers", "modalities"),
        *("fail_on_refusal", "max_tool_output", "parallel_tool_calls", "internal_tools"),
        *("logprobs", "top_logprobs", "prompt_logprobs", "reasoning_history", "num_choices"),
    }
)
"""Inspect's settings on which no answer to our tasks depends."""


def write(log: Log, folder: Path) -> list[Path]:
    """Write the run that a log holds into a folder; returns its sample files, those of stages too.

    Raises OtherMindsError where the task asks something else here than it asked then.
    """
    manager = harness.task_manager(log.metadata)
    plan = planning.planned(manager, [log.task], log.metadata)
    arguments = _arguments(log, manager, plan, folder)
    epochs = sorted(log.answers)
    # Of a chain, each run's stages are made from its own answers.
    apart = bool(plan.earlier) and len(epochs) > 1
    folders = [folder / f"run_{epoch}" for epoch in epochs] if apart else [folder]
    answering = _Logged(log, manager, arguments, runs=1 if apart else len(epochs))
    found = running.walk_all(answering, plan, folders)
    return [path for one in found for done in one.evaluations for path in done.sample_paths]


class _Logged:
    """Who answers the tasks of a log's run: its model, and its judge."""

    def __init__(self, log: Log, manager: Any, arguments: harness.RunArguments, runs: int) -> None:
        self._log = log
        self._manager = manager
        self._arguments = arguments
        self._runs = runs

    def together(self, tasks: Sequence[str]) -> list[list[str]]:
        """Tasks in groups that one model answers each."""
        return [list(tasks)] if tasks else []

    def of(self, task: str) -> Loaded:
        """The model that answered a task."""
        log, arguments = self._log, copy.copy(self._arguments)
        if role_of(self._manager, task) == JUDGE_ROLE and log.judge is not None:
            arguments.model_args = _model_args(*log.judge)
        epochs = sorted(log.answers)

        def model(tasks: Sequence[Any], run: int) -> harness.LM:
            return Replayed(log, epochs if self._runs > 1 else [epochs[run]])

        def record() -> dict[str, Any]:
            return {
                "weightless": False,
                "reads_gold": False,
                "chat_template_applied": True,
                "chat_template": None,
                "inspect": dict(log.facts),
            }

        return Loaded(model, self._manager, arguments, record, progress.Stages(), runs=self._runs)


def _arguments(log: Log, manager: Any, plan: planning.Plan, folder: Path) -> harness.RunArguments:
    arguments = harness.parse_arguments([], default_model=MODEL, default_output=str(folder))
    arguments.output_path = str(folder)
    arguments.model = MODEL
    arguments.model_args = _model_args(*log.model)
    arguments.metadata = dict(log.metadata)
    arguments.apply_chat_template = True
    arguments.fewshot_as_multiturn = True
    arguments.gen_kwargs = _changed(log, manager)
    n = len(log.places)
    if list(log.places) == list(range(n)):
        arguments.limit = n
    elif plan.earlier:
        raise OtherMindsError(
            f"{log.path} has some documents of a staged task from its middle. Choose the first ones: "
            "`-T stage_limit=N`."
        )
    else:
        arguments.samples = {log.task: list(log.places)}
    return arguments


def _model_args(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"model": name, **{key: one for key, one in given.items() if one is not None}}


def _changed(log: Log, manager: Any) -> dict[str, Any] | None:
    """The settings of the generation that are not the task's own, by lm-eval's names."""
    own = harness.task_settings(manager, log.task).get("generation_kwargs") or {}
    usual = {"temperature": 0.0 if not own.get("do_sample") else 1.0, "until": [], **own}
    given = {
        _CALLED.get(name, name): one
        for name, one in log.decoding.items()
        if name not in _OF_THE_CALL
    }
    found = {name: one for name, one in given.items() if usual.get(name) != one}
    return found or None
