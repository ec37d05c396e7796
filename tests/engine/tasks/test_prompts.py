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


def test_a_part_is_rendered_once_for_documents_that_hold_the_same_objects(templates: Path) -> None:
    class Line:
        """Counts how often it is shown."""

        def __init__(self, text: str) -> None:
            self.text, self.n = text, 0

        def __str__(self) -> str:
            self.n += 1
            return self.text

    (templates / "b" / "_inner.jinja").write_text("{{ city }};")
    (templates / "b" / "_person.jinja").write_text(
        '{% for line in said %}{{ line }},{% endfor %}{% include "b/_inner.jinja" %}'
    )
    (templates / "b" / "ask.jinja").write_text('{% include "b/_person.jinja" %} {{ question }}')
    ann, ben = [Line("a"), Line("a2")], [Line("b")]
    asked = [
        {"said": said, "city": city, "question": str(place)}
        for place, (said, city) in enumerate(
            [(ann, "X"), (ann, "X"), (ben, "X"), (ann, "X"), (ann, "Y"), (list(ann), "X")]
        )
    ]
    assert [prompts.b__ask(doc) for doc in asked] == [
        *("a,a2,X; 0", "a,a2,X; 1", "b,X; 2", "a,a2,X; 3", "a,a2,Y; 4", "a,a2,X; 5")
    ]
    # Once for X, once for Y, which an included part shows, and once for another list.
    assert [line.n for line in (*ann, *ben)] == [3, 3, 1]


def test_a_part_without_its_field_is_an_error_each_time(templates: Path) -> None:
    (templates / "b" / "_person.jinja").write_text("{{ said }}")
    (templates / "b" / "ask.jinja").write_text('{% include "b/_person.jinja" %}')
    for _ in range(2):
        with pytest.raises(OtherMindsError, match="'said' is undefined"):
            prompts.b__ask({"name": "x"})
    assert prompts.b__ask({"said": "y"}) == "y"


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
