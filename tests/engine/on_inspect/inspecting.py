"""Models that answer from a script, evaluated by Inspect in this process."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, index
from otherminds.benchmark import named
from otherminds.running import plan, stages
from otherminds.running import run as running
from otherminds.running.models import Loaded
from otherminds.running.run import Finished

inspect_ai = pytest.importorskip(
    "inspect_ai", reason="needs inspect-ai: pip install 'otherminds[inspect]'"
)

from inspect_ai._util import package  # noqa: E402
from inspect_ai.log import EvalLog  # noqa: E402
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model  # noqa: E402

# pytest puts the checkout before the installed package, whose metadata say where it is. What is seen
# from outside of it, `test_command.py` looks at.
package.package_is_installed_editable = lambda name: name == "otherminds"
importlib.import_module("otherminds.on_inspect.register")

Reply = Callable[[str], str]
"""From the user's message to the reply."""


def scripted(reply: Reply, *, name: str = "mockllm/model", stop: str = "stop") -> Model:
    """A model that replies as a function of what it is asked."""

    def answer(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        output = ModelOutput.from_content(name, reply(messages[-1].text), stop_reason=stop)  # type: ignore[arg-type]
        output.usage = (
            ModelUsage()
        )  # else Inspect counts tokens with a vocabulary that it downloads
        return output

    return get_model(name, custom_outputs=answer, memoize=False)


def evaluated(task: str, model: Model, folder: Path, **settings: Any) -> EvalLog:
    """The log of an evaluation, which went well unless `settings` have it otherwise."""
    wanted = {"display": "none", "log_dir": str(folder), "score_display": False, **settings}
    folder.mkdir(exist_ok=True)
    # In a checkout, Inspect would take the name for that of a folder.
    with contextlib.chdir(folder):
        [log] = inspect_ai.eval(f"otherminds/{task}", model=model, **wanted)
    return log


def numbers(log: EvalLog) -> dict[str, float]:
    """The numbers of a log, by name."""
    assert log.results is not None
    [found] = log.results.scores
    return {name: one.value for name, one in found.metrics.items()}


def path_of(log: EvalLog) -> Path:
    return Path(log.location)


def by_prompt(asked: str) -> str:
    """A reply that depends on the prompt alone: some right, some wrong, some of no form at all."""
    drawn = int(hashlib.sha256(asked.encode()).hexdigest()[:8], 16)
    if "dollars" in asked:
        return f"Finally, I will give {drawn % 11} dollars."
    return f"ANSWER: {'ABCD'[drawn % 4]}" if drawn % 7 else "I cannot say."


class Prompted(harness.LM):
    """A model of lm-eval that takes messages, and replies `by_prompt`."""

    tokenizer_name = "prompted"

    def apply_chat_template(self, chat_history: Any, add_generation_prompt: bool = True) -> Any:
        return harness.chat_text(chat_history)

    def generate_until(self, requests: Any) -> list[str]:
        asked = [harness.messages(one.args[0]) for one in requests]
        return [by_prompt(chat[-1]["content"]) for chat in asked if chat is not None]

    def loglikelihood(self, requests: Any) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: Any) -> Any:
        raise NotImplementedError


class Answering:
    """Lets `Prompted` answer all tasks of a run."""

    def __init__(self, manager: Any, arguments: Any) -> None:
        self._loaded = Loaded(
            lambda tasks, run: Prompted(), manager, arguments, lambda: dict(_RECORD)
        )

    def together(self, tasks: Sequence[str]) -> list[list[str]]:
        return [list(tasks)]

    def of(self, task: str) -> Loaded:
        return self._loaded


_RECORD = {"weightless": False, "reads_gold": False, "chat_template_applied": True}


def by_lm_eval(task: str, folder: Path, limit: int) -> Finished:
    """A run of `Prompted` with lm-eval."""
    arguments = harness.parse_arguments([], default_model="prompted", default_output=str(folder))
    arguments.output_path = str(folder)
    arguments.apply_chat_template = True
    arguments.fewshot_as_multiturn = True
    arguments.limit = limit
    manager = harness.task_manager()
    done = running.walk(Answering(manager, arguments), plan.planned(manager, [task], {}), folder)
    assert done is not None
    return done


def script_of(samples: Mapping[str, list[Mapping[str, Any]]]) -> dict[str, str]:
    """The reply to each user's message, of the samples of a run, by task."""
    found: dict[str, str] = {}
    manager = harness.task_manager()
    for task, lines in samples.items():
        loaded = stages.load(manager, task)
        for line in lines:
            chat = harness.chat_of(loaded, line["doc"])
            found[chat[-1]["content"]] = line["filtered_resps"][0][0]
    return found


def generating(benchmark: str | None = None) -> list[str]:
    """The tasks whose answers are generated."""
    return [
        name
        for name, entry in index.entries().items()
        if entry.kind == "task"
        and entry.content["output_type"] == "generate_until"
        and benchmark in (None, named(entry.benchmark).name)
    ]
