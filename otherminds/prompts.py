"""Prompts: the Jinja files in `templates/`, compiled once.

A task names the template `templates/<benchmark>/<file>.jinja` as
`!function otherminds.prompts.<benchmark>__<file>`; it gets a function from a document to text.
A template that names a field which the document lacks is an error, never an empty string. Control
tokens in what a template has rendered are escaped (`control_tokens`): no template need think of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, TemplateError

from otherminds import paths
from otherminds.control_tokens import Neutral, neutral
from otherminds.errors import OtherMindsError, unknown

Renderer = Callable[[Mapping[str, Any]], str]
SUFFIX = ".jinja"


@cache
def renderer(name: str) -> Renderer:
    """The function that renders the template `<benchmark>__<file>`.

    Raises OtherMindsError for an unknown name or a template that does not compile.
    """
    template = _compile(name)

    def render(doc: Mapping[str, Any]) -> str:
        try:
            # The whole text, as a token may begin in one field and end in another.
            return Neutral(neutral(template.render(doc)))
        except TemplateError as error:
            raise OtherMindsError(
                f"Prompt {name}: {error}. The document has the fields: {', '.join(sorted(doc))}."
            ) from error

    render.__name__ = name
    return render


def names() -> list[str]:
    """All templates that a task can name, as `<benchmark>__<file>`; shared parts start with `_`."""
    return sorted(
        f"{path.parent.name}__{path.stem}"
        for folder in paths.template_folders()
        for path in folder.glob(f"*/*{SUFFIX}")
        if not path.name.startswith("_")
    )


@cache
def _environment() -> Environment:
    # Whitespace control keeps the files readable without leaving blank lines in the prompt.
    return Environment(
        loader=FileSystemLoader(paths.template_folders()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
    )


@cache
def _compile(name: str) -> Template:
    if name not in names():
        raise unknown("prompt template", name, names(), listing="otherminds doctor --verbose")
    try:
        return _environment().get_template(name.replace("__", "/", 1) + SUFFIX)
    except TemplateError as error:
        raise OtherMindsError(f"Prompt {name} does not compile: {error}.") from error


def __getattr__(name: str) -> Renderer:
    if name.startswith("_") or "__" not in name:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return renderer(name)
