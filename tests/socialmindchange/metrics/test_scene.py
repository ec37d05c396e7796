"""Finding a scene in a reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.socialmindchange.scene import BEGIN, END, read_scene

SCENE = "A bell rang.\nAnn: Good."


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n{SCENE}\n{END}",
        f"Here it is.\n\n{BEGIN}\n\n{SCENE}\n\n{END}\n\nI kept all lines.",
        f"```\n**{BEGIN}**\n{SCENE}\n### {END}\n```",
        f"<think>{BEGIN}\nA draft.\n{END}</think>{BEGIN}\n{SCENE}\n{END}",
        f"{BEGIN}\nA draft.\n{END}\nNo, rather:\n{BEGIN}\n{SCENE}\n{END}",
        f"{BEGIN}\n{BEGIN}\n{SCENE}\n{END}",
    ],
)
def test_the_last_whole_scene_counts(text: str) -> None:
    assert read_scene(text) == SCENE


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        SCENE,
        f"{BEGIN}\n{SCENE}",
        f"{SCENE}\n{END}",
        f"{END}\n{SCENE}\n{BEGIN}",
        f"{BEGIN} {SCENE} {END}",
        f"<think>{BEGIN}\n{SCENE}\n{END}",
    ],
)
def test_a_scene_without_beginning_or_end_is_none(text: str | None) -> None:
    assert read_scene(text) is None


def test_an_empty_scene_is_read_as_one() -> None:
    assert read_scene(f"{BEGIN}\n{END}") == ""


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert read_scene(f"{BEGIN}\n{text}\n{END}") is not None or "think" in text.lower()
    read_scene(text)


def test_a_huge_reply_is_read() -> None:
    filler = "#" * 1_000_000 + "\n" * 1_000_000
    assert read_scene(f"{filler}{BEGIN}\n{SCENE}\n{END}\n{filler}") == SCENE
