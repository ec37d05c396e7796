"""Scenes that were told anew: what is accepted, and why all else is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange.codes import content as vocabulary
from otherminds.dataset_builders.socialmindchange.codes.content import state_words
from otherminds.dataset_builders.socialmindchange.codes.rerender import (
    MARK,
    REASONS,
    Checker,
    Verdict,
)

Row = Mapping[str, Any]

CHECKER = Checker(vocabulary.load())


@pytest.fixture(scope="module")
def row(tables: dict[str, pa.Table]) -> Row:
    found: Row = tables["stages"].to_pylist()[0]
    return found


@pytest.fixture(scope="module")
def rows(tables: dict[str, pa.Table]) -> list[Row]:
    base: list[Row] = tables["stages"].to_pylist()
    variants: list[Row] = tables["stages_variants"].to_pylist()
    return [base[1], variants[0], variants[-1]]


def line(one: Mapping[str, str]) -> str:
    return f"{one['speaker']}: {one['text']}" if one["speaker"] else one["text"]


def lines(row: Row, number: int) -> list[str]:
    return [line(one) for one in row["scenes"][number - 1]["turns"]]


def places(row: Row, number: int, *, cues: bool) -> list[int]:
    flags = CHECKER.cues(row["scenes"][number - 1]["turns"])
    return [place for place, cue in enumerate(flags) if cue is cues]


def check(row: Row, number: int, told: Sequence[str]) -> Verdict:
    return CHECKER.check(row, number, "\n".join(told))


def refused(row: Row, number: int, told: Sequence[str]) -> set[str]:
    verdict = check(row, number, told)
    assert not verdict.accepted
    assert not verdict.changed
    assert verdict.new_words is None
    assert verdict.scene == row["scenes"][number - 1]
    return set(verdict.reasons)


def test_a_copy_is_accepted_and_has_no_new_words(rows: list[Row]) -> None:
    for row in rows:
        for scene in row["scenes"]:
            verdict = check(row, scene["number"], lines(row, scene["number"]))
            assert verdict.reasons == ()
            assert verdict.scene == scene
            assert not verdict.changed
            assert verdict.new_words == 0.0


def test_every_state_that_is_shown_has_a_line_that_must_stay(rows: list[Row]) -> None:
    """Two beliefs, two gestures, an intention, a circumstance and an act; from the second scene on what
    was done before, and somebody's guess in some."""
    for row in rows:
        for scene, change in zip(row["scenes"], row["changes"], strict=True):
            wanted = 7 + (change["bridge"] is not None) + (change["guess_by"] is not None)
            assert sum(CHECKER.cues(scene["turns"])) == wanted


@pytest.mark.slow
def test_any_cue_that_is_left_out_is_missed(rows: list[Row]) -> None:
    for row in rows:
        for scene in row["scenes"]:
            told = lines(row, scene["number"])
            for place in places(row, scene["number"], cues=True):
                found = refused(row, scene["number"], told[:place] + told[place + 1 :])
                assert "cue_dropped" in found


@settings(max_examples=40)
@given(st.data())
def test_any_word_that_is_left_out_of_a_cue_is_missed(row: Row, data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 5))
    told = lines(row, number)
    place = data.draw(st.sampled_from(places(row, number, cues=True)))
    words = told[place].split()
    word = data.draw(st.integers(0, len(words) - 1))
    told[place] = " ".join(words[:word] + words[word + 1 :])
    assert "cue_dropped" in refused(row, number, told)


def test_cues_stand_once_and_in_order(row: Row) -> None:
    told = lines(row, 2)
    first, second = places(row, 2, cues=True)[:2]
    assert refused(row, 2, [*told, told[first]]) >= {"cue_repeated"}
    told[first], told[second] = told[second], told[first]
    assert refused(row, 2, told) >= {"cue_moved"}


@pytest.mark.slow
def test_cues_of_other_scenes_are_noticed_wherever_they_are_put(rows: list[Row]) -> None:
    for row in rows:
        told = lines(row, 1)
        free = places(row, 1, cues=False)
        for place in places(row, 2, cues=True):
            strange = row["scenes"][1]["turns"][place]
            assert "cue_added" in refused(row, 1, [*told, line(strange)])
            within = list(told)
            within[free[-1]] += f" {strange['text']}"
            assert "cue_added" in refused(row, 1, within)


def test_a_cue_that_is_cut_in_two_lines_is_noticed(row: Row) -> None:
    told = lines(row, 1)
    strange = row["scenes"][2]["turns"][places(row, 3, cues=True)[1]]["text"].split()
    halves = [" ".join(strange[: len(strange) // 2]), " ".join(strange[len(strange) // 2 :])]
    assert "cue_added" in refused(row, 1, [*told, *halves])


def test_new_words_around_the_cues_are_accepted_and_counted(row: Row) -> None:
    told = lines(row, 1)
    place = places(row, 1, cues=False)[0]
    before = len(re.findall(r"[^\W\d_]+", " ".join(told)))
    told[place] = f"Outside, somewhat further off, trumpets sounded. {told[place]}"
    verdict = check(row, 1, told)
    assert verdict.reasons == ()
    assert verdict.changed
    assert verdict.new_words == pytest.approx(6 / (before + 6))
    assert [line(one) for one in verdict.scene["turns"]] == told
    assert verdict.scene["number"] == 1


def test_marks_curly_quotes_and_blank_lines_make_no_difference(row: Row) -> None:
    for number in range(1, 6):
        kept = places(row, number, cues=True)
        told = [
            f"  {MARK} {text}".replace("'", "’") if place in kept else text
            for place, text in enumerate(lines(row, number))
        ]
        verdict = CHECKER.check(row, number, "\r\n\r\n".join(told))
        assert verdict.reasons == ()
        assert verdict.scene == row["scenes"][number - 1]


def test_accepted_scenes_of_a_stage_are_read_together_as_before(rows: list[Row]) -> None:
    """Scenes are judged one by one; all of them at once must show the same minds still."""
    for row in rows:
        told = []
        for scene in row["scenes"]:
            number = scene["number"]
            text = lines(row, number)
            free = places(row, number, cues=False)[0]
            text[free] = f"It was a day like others. {text[free]}"
            verdict = check(row, number, text)
            assert verdict.accepted
            told.append(verdict.scene)
        assert CHECKER._minds({**row, "scenes": told}) == CHECKER._minds(row)


@pytest.mark.parametrize("word", state_words())
def test_a_state_is_not_named(row: Row, word: str) -> None:
    told = lines(row, 1)
    assert refused(row, 1, [*told, f"There was something {word} in the air."]) == {"state_named"}


@pytest.mark.parametrize("word", ["angrily", "bitterly", "worried", "proudly", "outraged"])
def test_nor_is_it_by_another_form_of_its_name(row: Row, word: str) -> None:
    assert refused(row, 1, [*lines(row, 1), f"It sounded {word} meant."]) == {"state_named"}


def test_a_word_like_a_state_may_stay_where_it_was(row: Row) -> None:
    scene = {**row["scenes"][0], "turns": list(row["scenes"][0]["turns"])}
    scene["turns"].append({"speaker": "", "text": "The contents of the bag lay on the floor."})
    with_it = {**row, "scenes": [scene, *row["scenes"][1:]]}
    told = lines(with_it, 1)
    assert check(with_it, 1, told).accepted
    assert refused(with_it, 1, [*told, "Its contents."]) == {"state_named"}


def somebody_comes_in(row: Row, told: list[str]) -> list[str]:
    return [*told, "Zebulon: May I come in?"]


def somebody_is_named(row: Row, told: list[str]) -> list[str]:
    return [*told, "After that, old Zebulon locked the door."]


def narrator_quotes(row: Row, told: list[str]) -> list[str]:
    return [*told, '"So much for that," somebody said.']


def narrator_reports(row: Row, told: list[str]) -> list[str]:
    return [*told, "And then one voice from the back: so much for that."]


def focus_chats(row: Row, told: list[str]) -> list[str]:
    return [*told, f"{row['characters'][0]['given']}: It is late."]


def somebody_falls_silent(row: Row, told: list[str]) -> list[str]:
    turns = row["scenes"][0]["turns"]
    cues = CHECKER.cues(turns)
    speakers = [one["speaker"] for one, cue in zip(turns, cues, strict=True) if not cue]
    lost = next(name for name in speakers if name and sum(o["speaker"] == name for o in turns) == 1)
    return [text.replace(f"{lost}: ", f"{lost} went by. ") for text in told]


def somebody_is_forgotten(row: Row, told: list[str]) -> list[str]:
    turns = row["scenes"][0]["turns"]
    own = {place for place in places(row, 1, cues=False) if not turns[place]["speaker"]}
    return [
        "They had gone here and there for a while." if place in own else text
        for place, text in enumerate(told)
    ]


def nothing_is_told(row: Row, told: list[str]) -> list[str]:
    kept = set(places(row, 1, cues=True))
    return [text for place, text in enumerate(told) if place in kept]


def much_is_told(row: Row, told: list[str]) -> list[str]:
    return [*told, " ".join(["The rain fell."] * 80)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (somebody_comes_in, "stranger"),
        (somebody_is_named, "stranger"),
        (narrator_quotes, "narrated_speech"),
        (narrator_reports, "narrated_speech"),
        (focus_chats, "new_voice"),
        (somebody_falls_silent, "silent"),
        (somebody_is_forgotten, "absent"),
        (nothing_is_told, "length"),
        (much_is_told, "length"),
    ],
)
def test_what_else_may_not_change(
    row: Row, change: Callable[[Row, list[str]], list[str]], reason: str
) -> None:
    assert reason in refused(row, 1, change(row, lines(row, 1)))


def test_a_line_that_only_the_reader_would_take_for_a_cue_is_noticed(row: Row) -> None:
    """Another belief of the person in focus, before the one that is meant, changes what is read."""
    told = lines(row, 1)
    turns = row["scenes"][2]["turns"]
    focus = row["characters"][0]["given"]
    belief = next(
        one
        for one in turns
        if one["speaker"] == focus
        and any(found.meaning[0] == "belief" for found in CHECKER._decoder.spoken(one["text"]))
    )
    found = refused(row, 1, [line(belief), *told])
    assert {"cue_added", "reads_differently", "new_voice"} <= found


@pytest.mark.attack(
    "a model's new wording of a scene with HTML, Markdown, control or foreign characters",
    outcome="refused, for one reason",
    against="data",
)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n\r\n \n", "empty"),
        ("x" * 1_000_000, "too_long"),
        ("\n" * 1_000_000, "too_long"),
        ("[" * 1_000_000, "too_long"),
        ("A bell rang.\x00", "characters"),
        ("A bell\trang.", "characters"),
        ("A bell rang.\u202e", "characters"),
        ("A bell\u2028rang.", "characters"),
        ("<p>A bell rang.</p>", "characters"),
        ("**A bell rang.**", "characters"),
        ("# The question", "characters"),
        ("Прозвенел звонок.", "characters"),
        ("Аn old bell rang.", "characters"),  # a Cyrillic letter
        ("鐘が鳴った。", "characters"),
        ("ａｎｇｒｙ", "characters"),
        ("A bell rang. 🔔", "characters"),
        ("\ud800", "characters"),
    ],
)
def test_hostile_text_is_refused_for_one_reason(row: Row, text: str, reason: str) -> None:
    assert refused(row, 1, [text]) == {reason}


@given(st.text(max_size=4000))
def test_no_text_is_accepted_by_chance(row: Row, text: str) -> None:
    found = refused(row, 3, [text])
    assert found <= set(REASONS)


@settings(max_examples=40)
@given(st.data())
def test_what_is_accepted_has_all_cues_and_no_other_voices(row: Row, data: st.DataObject) -> None:
    """Lines of the stage in any choice and order: whatever passes shows what the original shows."""
    number = data.draw(st.integers(1, 5))
    told = lines(row, number)
    for place in data.draw(st.lists(st.sampled_from(places(row, number, cues=False)), max_size=3)):
        told[place] = data.draw(
            st.sampled_from(["", "A bell rang.", *lines(row, number % 5 + 1), *lines(row, number)])
        )
    verdict = check(row, number, told)
    turns = verdict.scene["turns"]
    original = row["scenes"][number - 1]["turns"]
    shown, wanted = (
        [one for one, cue in zip(scene, CHECKER.cues(scene), strict=True) if cue]
        for scene in (turns, original)
    )
    assert shown == wanted
    assert {one["speaker"] for one in turns} == {one["speaker"] for one in original}


def test_a_scene_that_does_not_exist_is_an_error(row: Row) -> None:
    with pytest.raises(ValueError, match="no scene 6, but 5 scenes"):
        CHECKER.check(row, 6, "A bell rang.")
