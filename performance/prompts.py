"""Prompt building: our templates against the same prompts as one Jinja text in the task's YAML.

lm-eval builds the requests of both. As it is, it compiles a task's constant description as a template
again for every document, and an inline prompt too: that time is in both sides of a row of its own.
`otherminds run` lets it compile every template once, also those of tasks with inline prompts, so that
is the harder reference and stands first. Times are of the processor.
Run: python -m performance.prompts [--docs N]
"""

from __future__ import annotations

import argparse
import contextlib
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from unittest import mock

from otherminds import harness, paths
from performance.ratio import Ratio, print_table

DATA = "generated"
TASK, DOCS, TIMES = "hugagent_synthetic", 3_000, 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", type=int, default=DOCS)
    print_table(measure(parser.parse_args().docs))


def measure(docs: int = DOCS) -> list[Ratio]:
    harness.quiet(debug=False)
    ours = harness.load_tasks(harness.task_manager(), [TASK])[TASK]
    inline = harness.load_tasks(harness.task_manager(), [TASK])[TASK]
    inline.config.doc_to_text = inline_template()
    rates: dict[str, list[float]] = defaultdict(list)
    for _ in range(TIMES):
        rates["inline"].append(documents_per_second(inline, docs))
        rates["ours"].append(documents_per_second(ours, docs))
        with compiled_once():
            rates["inline, compiled once"].append(documents_per_second(inline, docs))
            rates["ours, compiled once"].append(documents_per_second(ours, docs))
    assert prompts(ours) == prompts(inline)
    best = {name: max(found) for name, found in rates.items()}
    note = f"{docs:,} documents of {TASK}, same prompts, best of {TIMES}"
    return [
        Ratio.of(
            "prompt building against inline Jinja, each template compiled once",
            best["ours, compiled once"],
            best["inline, compiled once"],
            "documents/CPU s",
            note=f"{note}; `otherminds run` does so for any task",
        ),
        Ratio.of(
            "prompt building against inline Jinja, compiled for each document, as lm-eval does",
            best["ours"],
            best["inline"],
            "documents/CPU s",
            target=">= 5",
            note=f"{note}; the compilation of the description is in both",
        ),
    ]


@contextlib.contextmanager
def compiled_once() -> Iterator[None]:
    """Let lm-eval compile each template once, as it would with a cache of its own."""
    from lm_eval import utils

    compiled = lru_cache(maxsize=None)(utils.env.from_string)

    def apply_template(template: str, doc: dict[str, Any]) -> str:
        return str(compiled(template).render(**doc))

    with mock.patch.object(utils, "apply_template", apply_template):
        yield


def inline_template() -> str:
    """The prompt as a YAML author would write it: one Jinja text, its parts put in place."""
    folder = paths.templates()
    text = (folder / "hugagent" / "answer.jinja").read_text(encoding="utf-8")
    person = (folder / "hugagent" / "_person.jinja").read_text(encoding="utf-8")
    text = text.replace('{% include "hugagent/_person.jinja" %}\n', person)
    # lm-eval's environment does not trim blocks; `-%}` alone would eat blank lines we want.
    lines = [
        line.strip() if line.strip().startswith(("{%", "{#")) else line + "\n"
        for line in text.splitlines()
    ]
    return "".join(lines).rstrip("\n")


def documents_per_second(task: Any, limit: int) -> float:
    start = time.process_time()
    task.build_all_requests(limit=limit, rank=0, world_size=1)
    return len(task.instances) / (time.process_time() - start)


def prompts(task: Any) -> list[str]:
    return [instance.args[0] for instance in task.instances]


if __name__ == "__main__":
    main()
