"""Links of Markdown pages: found with their lines, checked, and led elsewhere when a page moves."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
_PICTURED = re.compile(r"(?<=\[)(!\[[^\]]*\])\(([^()\s]+)\)")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")
_FENCE = re.compile(r"^ *(```+|~~~+)")
_NAMED = re.compile(r"""<a\s+(?:id|name)=["']([^"']+)["']""")


class Link(NamedTuple):
    """A link or image as it is written: `line` counts from 1."""

    page: Path
    line: int
    target: str

    def place(self) -> str:
        """The page and line, as editors and CI show places."""
        return f"{_below_root(self.page)}:{self.line}"


def pages() -> list[Path]:
    """The Markdown that people read: of the root and of `docs/`."""
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


def faults(page: Path, *, known: Callable[[Path], bool] = Path.exists) -> list[str]:
    """What is wrong with a page's links, each with page and line.

    known  whether a file exists; pages that the site makes when it is built can be said to
    """
    found = []
    for link in of_page(page):
        path, _, anchor = unquote(link.target).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not known(target):
            found.append(f"{link.place()}: '{link.target}' leads to no file.")
        elif (
            anchor and target.suffix == ".md" and target.is_file() and anchor not in anchors(target)
        ):
            found.append(f"{link.place()}: {_below_root(target)} has no heading '#{anchor}'.")
    return found


def of_page(page: Path) -> Iterator[Link]:
    """The links and images of a page that lead to files of the project."""
    for number, line in outside_code(page.read_text(encoding="utf-8")):
        # A picture may be the text of a link.
        for match in (*_LINK.finditer(line), *_PICTURED.finditer(line)):
            if not _ELSEWHERE.match(match[2]):
                yield Link(page, number, match[2])


def outside_code(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are no code, with their numbers from 1; inline code is taken out."""
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _FENCE.match(line):
            if not fence:
                fence = match[1]
            elif match[1].startswith(fence):
                fence = ""
            continue
        if not fence:
            yield number, re.sub(r"`[^`]*`", lambda one: "`" + "." * (len(one[0]) - 2) + "`", line)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings, as GitHub and MkDocs both make them, and named places."""
    text = page.read_text(encoding="utf-8")
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    found: dict[str, None] = {}
    for one, following in pairwise(tokens):
        if one.type == "heading_open":
            said = "".join(part.content for part in following.children or [])
            found[_slug(said)] = None
    return frozenset([*found, *_NAMED.findall(text)])


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def moved(text: str, source: str, target: str, *, outside: str | None) -> str:
    """A page's text where its links lead to the same files from another place.

    source, target  where the text comes from and where it is shown, below the root
    outside         address of the repository's files, for links that leave `docs/`; where it is None,
                    such links become their text
    """

    def place(match: re.Match[str]) -> str:
        if _ELSEWHERE.match(match[2]) or match[2].startswith("#"):
            return match[0]
        path, mark, anchor = match[2].partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        file = _ON_SITE.get(file, file)
        if file.startswith("docs/"):
            return f"{match[1]}({posixpath.relpath(file, posixpath.dirname(target))}{mark}{anchor})"
        if outside is None:
            return match[1].removeprefix("[").removesuffix("]")
        return f"{match[1]}({outside}/{file})"

    lines = text.split("\n")
    for number, _ in outside_code(text):
        lines[number - 1] = _LINK.sub(place, lines[number - 1])
    return "\n".join(lines)


_ON_SITE = {
    "README.md": "docs/index.md",
    "CONTRIBUTING.md": "docs/how-to/contributing.md",
    "CHANGELOG.md": "docs/reference/changelog.md",
    "CODE_OF_CONDUCT.md": "docs/how-to/code-of-conduct.md",
    "SECURITY.md": "docs/how-to/report-a-weakness.md",
}
"""Files of the root that are pages of the site, and where."""


def on_site() -> dict[str, str]:
    """Files of the root by their page of the site, both below the root; the home page is its own."""
    return {page: file for file, page in _ON_SITE.items() if file != "README.md"}


def _below_root(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)
