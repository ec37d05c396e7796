"""The reference of metrics: a page per folder of `metrics/`, whose docstrings mkdocstrings reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from docsite.links import ROOT

METRICS = ROOT / "metrics"


def pages() -> dict[str, str]:
    """By name below `docs/`, a page for each package of metrics, and the page that lists these."""
    packages = [METRICS, *sorted(path.parent for path in METRICS.glob("*/__init__.py"))]
    found = {f"reference/metrics/{_name(one)}.md": _page(one) for one in packages}
    lines = ["# Metrics", "", "Made from the docstrings of `otherminds.metrics`.", ""]
    lines += [
        f"- [{_name(one)}]({_name(one)}.md): {_summary(one / '__init__.py')}" for one in packages
    ]
    return {"reference/metrics/index.md": "\n".join(lines) + "\n", **found}


def _name(package: Path) -> str:
    return "shared" if package == METRICS else package.name


def _page(package: Path) -> str:
    return "\n".join(_lines(package)) + "\n"


def _lines(package: Path) -> Iterator[str]:
    dotted = ".".join(package.relative_to(ROOT).parts)
    yield from (f"# Metrics: {_name(package)}", "", _summary(package / "__init__.py"))
    for path in sorted(package.glob("*.py")):
        if path.stem != "__init__" and not path.stem.startswith("_"):
            yield from ("", f"## {path.stem}", "", f"::: {dotted}.{path.stem}")
            yield from ("    options:", "      show_root_heading: false", "      heading_level: 3")


def _summary(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split())
