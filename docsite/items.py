"""Whole items to try oneself, and numbers of manifests, on pages: `python -m docsite.items`.

A page marks the place of an item with `<!-- item TASK NUMBER -->` … `<!-- /item -->`, and this writes
the prompt that a model gets there, its evidence folded up, and the gold answer behind a click.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docsite import figures
from docsite.links import DOCS
from otherminds import harness
from otherminds.running import stages

MARK = re.compile(r"(<!-- item (\w+) (\d+) -->\n).*?(<!-- /item -->)", re.DOTALL)

# Where the question begins, in prompts that have a heading for it.
_QUESTION = re.compile(
    r"^(?:# The question|# Your task|\[\[ ## proposition ## \]\])$", re.MULTILINE
)


def marked() -> Iterator[tuple[Path, str, int]]:
    """The pages with items: each place as page, task and number of the document."""
    for page in sorted(DOCS.rglob("*.md")):
        for match in MARK.finditer(page.read_text(encoding="utf-8")):
            yield page, match[2], int(match[3])


def filled(text: str) -> str:
    """A page's text with its items as the tasks ask them now."""
    return MARK.sub(lambda match: f"{match[1]}{item(match[2], int(match[3]))}{match[4]}", text)


def item(name: str, number: int) -> str:
    """A document of a task as Markdown with HTML: what is shown, the question, the answer."""
    task = stages.load(harness.task_manager(), name)
    doc = task.eval_docs[number]
    return "\n".join(_lines(task, doc)) + "\n"


def _lines(task: Any, doc: dict[str, Any]) -> Iterator[str]:
    prompt = str(task.doc_to_text(doc)).strip()
    match = _QUESTION.search(prompt)
    shown, asked = (prompt[: match.start()], prompt[match.start() :]) if match else ("", prompt)
    if shown.strip():
        words = len(shown.split())
        yield f"<details><summary>What is shown first ({words:,} words)</summary>"
        yield _verbatim(shown)
        yield "</details>"
    yield _verbatim(asked)
    if gold := str(task.doc_to_target(doc)):
        yield f"<details><summary>Answer</summary><p><code>{html.escape(gold)}</code></p></details>"


def _verbatim(text: str) -> str:
    """Text as it stands. Blank lines would end HTML in Markdown, and are written as references."""
    lines = [html.escape(line, quote=False) or "&#8203;" for line in text.strip().split("\n")]
    # Nothing of it is Markdown: a list or an emphasis would be shown as one.
    safe = [re.sub(r"[*_`\[\]|~]", lambda one: f"&#{ord(one[0])};", line) for line in lines]
    return '<pre class="prompt">' + "\n".join(safe) + "</pre>"


def main() -> None:
    """Write every item and every number that a page has a place for."""
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (now := figures.filled(filled(text))) != text:
            page.write_text(now, encoding="utf-8")


if __name__ == "__main__":
    main()
