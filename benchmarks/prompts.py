"""Prompt building through lm-eval: our compiled templates against the same prompts as inline Jinja.

Run: python benchmarks/prompts.py [--docs N]
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from otherminds import harness, paths

TASK = "hugagent_synthetic"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", type=int, default=3_000)
    limit = parser.parse_args().docs
    harness.quiet(debug=False)
    ours = harness.load_tasks(harness.task_manager(), [TASK])[TASK]
    inline = harness.load_tasks(harness.task_manager(), [TASK])[TASK]
    inline.config.doc_to_text = inline_template()

    rates = {"inline": [], "ours": []}
    for _ in range(3):
        rates["inline"].append(documents_per_second(inline, limit))
        rates["ours"].append(documents_per_second(ours, limit))
    same = prompts(ours) == prompts(inline)
    best = {name: max(values) for name, values in rates.items()}
    print(f"same prompts: {same}")
    print(f"inline Jinja: {best['inline']:,.0f} documents/s, ours: {best['ours']:,.0f} documents/s")
    print(f"ratio: {best['ours'] / best['inline']:.1f} (bound: at least 3)")


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
