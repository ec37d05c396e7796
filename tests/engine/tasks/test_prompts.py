"""Prompts: strict, compiled once, and readable."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds import paths, prompts
from otherminds.errors import OtherMindsError


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of templates of the test's own."""
    (tmp_path / "b").mkdir()
    monkeypatch.setattr(paths, "template_folders", lambda: [tmp_path])
    for remembered in (prompts._environment, prompts._compile, prompts.renderer):
        remembered.cache_clear()
    yield tmp_path
    for remembered in (prompts._environment, prompts._compile, prompts.renderer):
        remembered.cache_clear()


def test_a_task_gets_the_renderer_by_name(templates: Path) -> None:
    (templates / "b" / "hello.jinja").write_text("Hello {{ name }}.\n")
    assert prompts.b__hello({"name": "<Ann> & Bob"}) == "Hello <Ann> & Bob."
    assert prompts.names() == ["b__hello"]


def test_a_missing_field_is_an_error_that_names_it(templates: Path) -> None:
    (templates / "b" / "hello.jinja").write_text("{{ nane }}")
    with pytest.raises(OtherMindsError, match=r"'nane' is undefined.*has the fields: age, name"):
        prompts.b__hello({"name": "x", "age": 3})


def test_a_template_that_does_not_compile_is_one_clear_error(templates: Path) -> None:
    (templates / "b" / "broken.jinja").write_text("{% if %}")
    with pytest.raises(OtherMindsError, match="b__broken does not compile"):
        prompts.renderer("b__broken")


def test_an_unknown_template_names_the_nearest(templates: Path) -> None:
    (templates / "b" / "hello.jinja").write_text("x")
    with pytest.raises(OtherMindsError, match="Did you mean 'b__hello'"):
        prompts.renderer("b__helo")


def test_other_names_are_no_attributes() -> None:
    with pytest.raises(AttributeError):
        prompts.nothing  # noqa: B018
