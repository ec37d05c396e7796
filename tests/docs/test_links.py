"""Every link, image and anchor of the Markdown that people read leads somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from docsite import links

PAGES = links.pages()
MADE = ("docs/reference/cli.md", "docs/reference/tasks/", "docs/reference/metrics/")
"""Pages that the site makes from the code: links to them are checked when it is built."""


def known(path: Path) -> bool:
    place = path.relative_to(links.ROOT).as_posix() if path.is_relative_to(links.ROOT) else ""
    return path.exists() or place in links.on_site() or place.startswith(MADE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(links.ROOT).as_posix())
def test_no_link_is_dead(page: Path) -> None:
    assert links.faults(page, known=known) == []


def page_of(folder: Path, text: str) -> Path:
    (folder / "other.md").write_text("# Other\n\n## It's `code`, and more\n\n### `a_b`\n")
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    links.anchors.cache_clear()
    return page


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("# A\n\nSee [it](gone.md).", 3, "'gone.md' leads to no file"),
        ("![a picture](gone.png)", 1, "'gone.png' leads to no file"),
        ("\n[![both](gone.png)](other.md)", 2, "'gone.png' leads to no file"),
        ("a\n[b](other.md#gone)", 2, "has no heading '#gone'"),
        ("# A\n[b](#b)", 2, "has no heading '#b'"),
        ("```text\n[x](a.md)\n```\n[y](b.md)", 4, "'b.md' leads to no file"),
        ("`[x](a.md)` and [y](b.md)", 1, "'b.md' leads to no file"),
        ("| a |\n| --- |\n| [y](b.md) |", 3, "'b.md' leads to no file"),
    ],
)
def test_a_dead_link_is_told_with_page_and_line(
    text: str, line: int, said: str, tmp_path: Path
) -> None:
    [fault] = links.faults(page_of(tmp_path, text))
    assert f"page.md:{line}: " in fault
    assert said in fault


@pytest.mark.parametrize(
    "text",
    [
        "[a](other.md#its-code-and-more)",
        "[a](other.md#a_b)",
        "# Top\n[a](#top)",
        "[a](https://example.org/gone.md) [b](mailto:a@b.c)",
        "```sh\n[x](gone.md)\n```",
        "<a id='here'></a>\n[a](#here)",
    ],
)
def test_a_link_that_leads_somewhere_is_none(text: str, tmp_path: Path) -> None:
    assert links.faults(page_of(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a](docs/start/first-model.md#b)", "[a](../start/first-model.md#b)"),
        ("[a](README.md)", "[a](../index.md)"),
        ("[a](performance)", "a"),
        ("[a](#b) [c](https://d.e)", "[a](#b) [c](https://d.e)"),
        ("```text\n[a](performance)\n```", "```text\n[a](performance)\n```"),
    ],
)
def test_a_file_of_the_root_that_becomes_a_page_keeps_its_links(text: str, shown: str) -> None:
    moved = links.moved(text, "CONTRIBUTING.md", "docs/how-to/contributing.md", outside=None)
    assert moved == shown
    there = links.moved("[a](performance)", "x.md", "docs/x.md", outside="https://h/blob/main")
    assert there == "[a](https://h/blob/main/performance)"
