"""What MkDocs calls while it builds the site: pages made from the code, and links that leave `docs/`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

# MkDocs loads this file by its path.
if (_ROOT := str(Path(__file__).resolve().parent.parent)) not in sys.path:
    sys.path.insert(0, _ROOT)

from docsite import command_line, links, metric_pages, task_pages

UNSEARCHED = ("benchmarks/stages/", "reference/performance.md")
"""Long pages that programs wrote: they would answer every search. Commands, tasks, metrics are found."""


def generated() -> dict[str, str]:
    """By name below `docs/`, the pages that are made from the code each time that the site is built."""
    return {"reference/cli.md": command_line.page(), **task_pages.pages(), **metric_pages.pages()}


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made from the code, and files of the root that are pages of the site."""
    for name, text in generated().items():
        files.append(File.generated(config, name, content=text))
    for page, file in links.on_site().items():
        text = (links.ROOT / file).read_text(encoding="utf-8")
        made = links.moved(text, file, page, outside=_repository(config))
        files.append(File.generated(config, page.removeprefix("docs/"), content=made))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Lead links that leave `docs/` to the repository, or leave their text where it has no address."""
    source = f"docs/{page.file.src_uri}"
    if page.file.src_uri.startswith(UNSEARCHED):
        page.meta["search"] = {"exclude": True}
    if "/" not in page.file.src_uri:
        page.meta["hide"] = ["navigation"]  # a section of one page has nothing to list
    if source in links.on_site():
        return markdown
    return links.moved(markdown, source, source, outside=_repository(config))


def _repository(config: Any) -> str | None:
    address = config.get("repo_url")
    return f"{address.rstrip('/')}/blob/main" if address else None
