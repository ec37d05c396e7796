"""Whole items to try oneself, and numbers of manifests, on pages: `python -m docsite.items`.

A page marks the place of an item with `<!-- item TASK NUMBER -->` … `<!-- /item -->`, and this writes
the prompt that a model gets there, its evidence folded up, and the gold answer behind a click. With more
numbers, of items about the same evidence, that is shown once.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from docsite import figures
from docsite.links import DOCS
from otherminds import harness
from otherminds.running import stages

MARK = re.compile(r"(<!-- item (\w+) (\d+(?: \d+)*) -->\n).*?(<!-- /item -->)", re.DOTALL)

# Where the question begins, in prompts that have a heading for it.
_QUESTION = re.compile(
    r"^(?:# The question|# Your task|\[\[ ## proposition ## \]\])$", re.MULTILINE
)


def marked() -> Iterator[tuple[Path, str, list[int]]]:
    """The pages with items: each place as page, task and numbers of the documents."""
    for page in sorted(DOCS.rglob("*.md")):
        for match in MARK.finditer(page.read_text(encoding="utf-8")):
            yield page, match[2], numbers(match)


def filled(text: str) -> str:
    """A page's text with its items as the tasks ask them now."""
    return MARK.sub(lambda one: f"{one[1]}{items(one[2], numbers(one))}{one[4]}", text)


def numbers(match: re.Match[str]) -> list[int]:
    """The numbers of the documents that a mark names."""
    return [int(number) for number in match[3].split()]


def items(name: str, places: Sequence[int]) -> str:
    """Documents of a task as Markdown with HTML: what is shown, the questions, the answers.

    Raises ValueError for documents of several people, whose evidence differs.
    """
    task = stages.load(harness.task_manager(), name)
    docs = [task.eval_docs[number] for number in places]
    if len({_parts(task, doc)[0] for doc in docs}) > 1:
        raise ValueError(f"The documents {places} of {name} do not show the same evidence.")
    lines = [
        line for number, doc in enumerate(docs) for line in _lines(task, doc, first=not number)
    ]
    return "\n".join(lines) + "\n"


def _parts(task: Any, doc: dict[str, Any]) -> tuple[str, str]:
    """What a prompt shows first, and what it asks."""
    prompt = str(task.doc_to_text(doc)).strip()
    match = _QUESTION.search(prompt)
    return (prompt[: match.start()], prompt[match.start() :]) if match else ("", prompt)


def _lines(task: Any, doc: dict[str, Any], *, first: bool) -> Iterator[str]:
    shown, asked = _parts(task, doc)
    if first and shown.strip():
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
