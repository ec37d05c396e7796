from __future__ import annotations

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.decoder import Decoder
from otherminds.dataset_builders.socialmindchange.codes.reader import Reader
from otherminds.dataset_builders.socialmindchange.codes.text import parts, sentence_case


def test_the_reader_finds_every_mind_that_a_scene_shows(
    content: Content, tables: dict[str, pa.Table]
) -> None:
    reader = Reader(content, Decoder(content), np.random.default_rng(0))
    wrong = 0
    for row in tables["stages"].to_pylist():
        read = reader.read(row).trajectory
        focus = [mind for mind in row["states"] if len(mind["shown"]) == 4]
        for moment, mind in zip(read.moments, focus, strict=True):
            found = (*moment.belief.kind, moment.belief.level)
            wrong += found != (mind["matter"], mind["agency"], mind["level"])
        for moment, change in zip(read.moments, row["changes"], strict=True):
            wrong += moment.circumstance != change["circumstance"]
        assert read.moments[0].group.norm == row["norm"]
        assert read.focus.goal == row["characters"][0]["goal"]
        assert read.focus.face == row["characters"][0]["face"]
    assert wrong == 0


def test_no_wording_can_be_read_in_two_ways(content: Content) -> None:
    """Every line of the banks, in its first and last wording, is read as what it was written for."""
    decoder = Decoder(content)
    slots = dict.fromkeys(
        ("x", "t", "xhe", "xhim", "xhis", "xhers", "he", "him", "his", "hers", "thing", "project"),
        "it",
    ) | {"x": "Ada", "t": "Tom", "thing": "the map", "project": "the fair"}
    for level, matters in content.beliefs.items():
        for matter, lines in matters.items():
            for line in lines:
                for pick in (0, -1):
                    text = "".join(part[pick] for part in parts(line)).format_map(slots)
                    found = decoder.spoken(sentence_case(text))
                    assert {(one.meaning, one.about) for one in found} == {
                        (("belief", level, matter), "Ada")
                    }


def test_habits_remarks_and_contractions_are_read_through(content: Content) -> None:
    decoder = Decoder(content)
    line = next(line for line in content.beliefs["sound"]["ability"] if "used to read" in line)
    plain = "".join(part[0] for part in parts(line)).format_map({"x": "Ada", "thing": "the map"})
    text = f"Honestly, {plain[0].lower()}{plain[1:]} Go figure."
    assert [found.about for found in decoder.spoken(text)] == ["Ada"]


def test_without_background_and_scenes_the_reader_guesses(
    content: Content, tables: dict[str, pa.Table]
) -> None:
    reader = Reader(content, Decoder(content), np.random.default_rng(0))
    read = {row["stage_id"]: reader.read(row, blind=True) for row in tables["stages"].to_pylist()}
    questions = tables["questions"].to_pylist()
    right = sum(reader.answer(read[row["stage_id"]], row) == row["answer"] for row in questions)
    # Chance is 1/16 of 960 items: 60, with a standard deviation of 7.5.
    assert 30 < right < 90
