"""The command blocks of pages, with what they need and what they print.

A block of commands is fenced as `sh`. `title="Needs …"` says, on the page and to the test, why it is not
run. A block of `text` with `title="Output"` right after one says what it prints: its lines
come in this order, and a line `…` stands for any others. A `…` at the end of a line stands for its rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from docsite.links import DOCS, ROOT

NEEDS = frozenset(
    {
        "Needs a GPU",
        "Needs a checkout of the project",
        "Needs a model of yours",
        "Needs an account",
        "Needs answers of people",
        "Needs data of others",
        "Needs results of yours",
        "Takes long",
    }
)
"""Why a block is not run by the test; the page shows it above the block."""

LANGUAGES = frozenset({"sh", "text", "python", "yaml", "json", "toml", "nginx", "sql", "bibtex"})
"""What a block can be. `text` is output or a drawing."""

_FENCE = re.compile(r'^(```+)(\w*)(?: title="([^"]*)")?\s*$')


@dataclass(frozen=True)
class Block:
    """A fenced block: `line` is that of its fence, from 1."""

    page: Path
    line: int
    language: str
    title: str
    lines: tuple[str, ...]

    @property
    def place(self) -> str:
        """Page and line, as editors and CI show places."""
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"

    @property
    def runs(self) -> bool:
        """Whether the test runs it."""
        return self.language == "sh" and not self.title


def pages() -> list[Path]:
    """The README, and all pages of `docs/`."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def of_text(page: Path, text: str) -> Iterator[Block]:
    """The blocks of a page's text in their order."""
    opened: re.Match[str] | None = None
    begin, inside = 0, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        if opened is None:
            if line.startswith("```"):
                opened = _FENCE.match(line) or re.match(r"(```+)(.*)()", line)
                begin, inside = number, []
        elif line.rstrip() == opened[1]:
            yield Block(page, begin, opened[2], opened[3] or "", tuple(inside))
            opened = None
        else:
            inside.append(line)


def of_page(page: Path) -> list[Block]:
    """The blocks of a page."""
    return list(of_text(page, page.read_text(encoding="utf-8")))


def faults(block: Block) -> list[str]:
    """What is wrong with a block's fence."""
    if block.language not in LANGUAGES:
        return [
            f"{block.place}: a block of '{block.language}'; it can be {', '.join(sorted(LANGUAGES))}."
        ]
    if block.language == "sh" and block.title and block.title not in NEEDS:
        return [
            f"{block.place}: '{block.title}' is no reason; there are: {', '.join(sorted(NEEDS))}."
        ]
    if block.runs and any("…" in line for line in block.lines):
        return [f"{block.place}: a command with … cannot run; say what it needs in its title."]
    return []


def missing(wanted: Sequence[str], printed: str) -> str | None:
    """The first line of an output that was not printed where it should be; None where all were.

    Spaces count as one, because tables are as wide as their content.
    """
    left = iter([" ".join(line.split()) for line in printed.splitlines()])
    for line in wanted:
        said = " ".join(line.split())
        if said in ("…", ""):
            continue
        if said.endswith("…"):
            found = any(one.startswith(said[:-1].strip()) for one in left)
        else:
            found = said in left
        if not found:
            return line
    return None
