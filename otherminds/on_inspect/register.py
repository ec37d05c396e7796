"""What Inspect imports to find our tasks: the entry point `otherminds` of the group `inspect_ai`.

Every task whose answers are generated is there under its own name, those of other packages' benchmarks
too: `inspect eval otherminds/hugagent_synthetic --model …`. Tasks that compare the log-likelihoods of
options are not: Inspect's models do not give those of a text that they are shown.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError

from otherminds import index
from otherminds.errors import OtherMindsError
from otherminds.on_inspect import scoring

__all__ = ["names", "scoring"]


def names() -> list[str]:
    """The tasks that Inspect can run, by name."""
    return [
        name
        for name, entry in index.entries().items()
        if entry.kind == "task" and entry.content.get("output_type") == "generate_until"
    ]


def _registered(name: str) -> None:
    def make(**metadata: Any) -> Task:
        # Inspect lists all tasks at once: what loads lm-eval and data waits for the one that is run.
        from otherminds.on_inspect import making

        try:
            return making.make(name, metadata)
        except OtherMindsError as error:
            # Inspect prints these alone, and of any other error the trace.
            raise PrerequisiteError(str(error)) from error

    task(name=name)(make)


for _name in names():
    _registered(_name)
