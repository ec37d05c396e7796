"""Prompts: the Jinja files in `templates/`, compiled once.

A task names the template `templates/<benchmark>/<file>.jinja` as
`!function otherminds.prompts.<benchmark>__<file>`; it gets a function from a document to text.
A template that names a field which the document lacks is an error, never an empty string. Control
tokens in what a template has rendered are escaped (`control_tokens`): no template need think of it.

A part of templates, whose file begins with `_`, is rendered once for documents that hold the same
objects in the fields that it shows: the items of one person, or of one stage, share their evidence.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, TemplateError, meta
from jinja2.runtime import Context

from otherminds import paths
from otherminds.control_tokens import Neutral, neutral
from otherminds.errors import OtherMindsError, unknown

Renderer = Callable[[Mapping[str, Any]], str]
SUFFIX = ".jinja"

_SHARED_BY = 4
"""How many last renderings of a part are kept: documents that show the same lie next to each other."""


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


class _Template(Template):
    """A template; of a part, renderings are kept for documents with the same objects."""

    @classmethod
    def from_code(cls, environment: Environment, *given: Any, **named: Any) -> Template:
        made = super().from_code(environment, *given, **named)
        if made.name is not None and Path(made.name).name.startswith("_"):
            made.root_render_func = _kept(made.root_render_func, _fields(environment, made.name))
        return made


def _fields(environment: Environment, name: str) -> list[str]:
    """The fields of a document that a part shows, itself and by other parts."""
    source, _, _ = environment.loader.get_source(environment, name)  # type: ignore[union-attr]
    tree = environment.parse(source)
    found = meta.find_undeclared_variables(tree)
    for other in meta.find_referenced_templates(tree):
        found.update(_fields(environment, str(other)))
    return sorted(found)


def _kept(
    render: Callable[[Context], Iterator[str]], names: list[str]
) -> Callable[[Context], Iterator[str]]:
    last: deque[tuple[list[Any], str]] = deque(maxlen=_SHARED_BY)

    def kept(context: Context) -> Iterator[str]:
        shown = [context.resolve_or_missing(name) for name in names]
        for before, text in last:
            if all(one is other for one, other in zip(shown, before, strict=True)):
                yield text
                return
        text = "".join(render(context))
        last.append((shown, text))
        yield text

    return kept


@cache
def _environment() -> Environment:
    environment = _with_whitespace_control()
    environment.template_class = _Template
    return environment


def _with_whitespace_control() -> Environment:
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
