"""Content files that the generator cannot use are refused, with the reason."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from otherminds.dataset_builders.content_files import ContentError
from otherminds.dataset_builders.socialmindchange.codes import content as vocabulary
from otherminds.dataset_builders.socialmindchange.codes.content import Content


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(vocabulary.FOLDER, tmp_path / "content"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_there_are_at_least_261_places_of_13_kinds(content: Content) -> None:
    places = [place for kind in content.places.values() for place in kind.places]
    assert len(content.places) == 13
    assert len(places) == len(set(places)) >= 261


def test_an_unknown_slot_is_refused(folder: Path) -> None:
    change(folder / "gestures.yaml", "{t} [pushed|shoved] {his}", "{t} [pushed|shoved] {its}")
    with pytest.raises(ContentError, match=re.escape("has the unknown slot {its}")):
        vocabulary.load(folder)


def test_a_line_that_names_a_state_is_refused(folder: Path) -> None:
    change(folder / "gestures.yaml", "pulled the lamp closer, chin out", "was angry")
    with pytest.raises(ContentError, match="names a state: angry"):
        vocabulary.load(folder)


def test_a_belief_that_does_not_say_about_whom_is_refused(folder: Path) -> None:
    change(
        folder / "beliefs.yaml",
        "    {x} went over {thing} again",
        "    They went over {thing} again",
    )
    with pytest.raises(ContentError, match=re.escape("does not name {x}")):
        vocabulary.load(folder)


def test_a_pool_with_too_few_names_is_refused(folder: Path) -> None:
    path = folder / "people.yaml"
    change(path, "Amira Dalia Leyla Maryam Noor Rania Shirin Yasmin", "Amira Dalia")
    with pytest.raises(ContentError, match="too few initials among Amira, Dalia"):
        vocabulary.load(folder)


def test_a_name_that_is_also_a_word_of_the_texts_is_refused(folder: Path) -> None:
    change(folder / "people.yaml", "Allison Beth", "Allison Table")
    with pytest.raises(ContentError, match="the name Table is also a word"):
        vocabulary.load(folder)


def test_relations_must_be_possible_for_every_age(folder: Path) -> None:
    path = folder / "relations.yaml"
    change(path, "has known {t} since school | -2 | 2", "has known {t} since school | 30 | 45")
    change(path, "lives across the yard | -45 | 45", "lives across the yard | 30 | 45")
    with pytest.raises(ContentError, match="relations: home: too few for somebody aged"):
        vocabulary.load(folder)


def test_a_project_needs_eight_things(folder: Path) -> None:
    change(folder / "projects.yaml", "; the inventory sheet", "")
    with pytest.raises(ContentError, match="is not a name, a date and 8 things"):
        vocabulary.load(folder)


def test_a_phrase_needs_three_wordings(folder: Path) -> None:
    change(folder / "phrases.yaml", "    in private\n", "")
    with pytest.raises(ContentError, match=r"phrases.yaml: key 'setting.aside"):
        vocabulary.load(folder)


def test_a_missing_matter_is_refused(folder: Path) -> None:
    change(folder / "phrases.yaml", "      passive: |\n        discouraged about the project\n"
           "        dejected, as it will not succeed\n"
           "        in a mood of hopelessness over the outcome\n", "")  # fmt: skip
    with pytest.raises(ContentError, match="phrases: emotion: not one for each"):
        vocabulary.load(folder)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "acts.yaml").unlink()
    with pytest.raises(ContentError, match=r"Cannot read the content file .*acts\.yaml"):
        vocabulary.load(folder)
