"""Prompt building through lm-eval: our compiled templates against the same prompts as inline Jinja.

Run: python -m performance.prompts [--docs N]
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from otherminds import harness, paths
from performance.ratio import Ratio, print_table

TASK, DOCS = "hugagent_synthetic", 3_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", type=int, default=DOCS)
    print_table(measure(parser.parse_args().docs))


def measure(docs: int = DOCS) -> list[Ratio]:
    harness.quiet(debug=False)
    ours = harness.load_tasks(harness.task_manager(), [TASK])[TASK]
    inline = harness.load_tasks(harness.task_manager(), [TASK])[TASK]
    inline.config.doc_to_text = inline_template()
    rates: dict[str, list[float]] = {"inline": [], "ours": []}
    for _ in range(3):
        rates["inline"].append(documents_per_second(inline, docs))
        rates["ours"].append(documents_per_second(ours, docs))
    assert prompts(ours) == prompts(inline)
    return [
        Ratio.of(
            "prompt building against inline Jinja",
            max(rates["ours"]),
            max(rates["inline"]),
            "documents/s",
            target=">= 5",
            note=f"{docs:,} documents of {TASK}, same prompts, best of 3",
        )
    ]


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
    start = time.perf_counter()
    task.build_all_requests(limit=limit, rank=0, world_size=1)
    return len(task.instances) / (time.perf_counter() - start)


def prompts(task: Any) -> list[str]:
    return [instance.args[0] for instance in task.instances]


if __name__ == "__main__":
    main()
