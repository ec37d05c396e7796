"""Constructions of the worked example, from frame to release, with scripted authors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from otherminds.construct import Unit, blind, importing, ratings, release, results
from otherminds.construct import folder as folders
from otherminds.construct.folder import Folder
from otherminds.construct.importing import Imported
from otherminds.construct.pipeline import Plan, Return
from otherminds.construct.replies import Who
from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.sources import SourceError
from otherminds.errors import OtherMindsError
from tests.helpers import scripted_author
from tests.helpers.scripted_author import Author, Sheet, answer, good, sheets


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with scripted_author.installed(tmp_path_factory.mktemp("site")):
        yield


@pytest.fixture
def made(tmp_path: Path) -> Folder:
    return begun(tmp_path / "made")


def begun(path: Path, n: int = 3) -> Folder:
    from otherminds.construct import pipelines

    return folders.export(pipelines.named("commute"), Plan(n=n), path)


def step(
    made: Folder,
    author: Author = good,
    name: str = "Ada",
    *files: str,
    family: str | None = None,
    kind: Any = "model",
) -> Imported:
    """One author answers what waits, and it is imported."""
    path = answer(sheets(made.path, *files), author, made.path / "came" / f"{name}.jsonl")
    return importing.import_(folders.opened(made.path), [path], Who(name, kind, family))


def finish(made: Folder) -> None:
    """Good authors up to the readers."""
    for name in ("Ada", "Ada", "Vera"):
        step(made, good, name)
    step(made, good, "Rosa", "rating_1")
    step(made, good, "Rolf", "rating_2")


def read(made: Folder, author: Author = good, turn: int = 1, who: str = "Reader") -> None:
    for slot in (1, 2):
        step(made, author, f"{who} {slot}", f"reading_{turn}_{slot}")


def test_a_good_author_gets_every_unit_into_the_release(made: Folder, tmp_path: Path) -> None:
    finish(made)
    read(made)
    done = release.release(folders.opened(made.path), tmp_path / "out")
    assert done.facts["funnel"]["kept"] == 3
    assert done.facts["funnel"]["dropped"] == 0
    # Three people on three mornings, read twice.
    assert done.facts["reading"]["items"] == 9
    assert done.facts["reading"]["before"]["value"] == 1.0
    assert done.facts["reading"]["agreement"] == 1.0
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "Language models wrote the texts: Ada." in card
    assert "No person has read these texts." in card
    assert "the families are not stated" in card
    from otherminds.data.repository import rows

    stated = rows.manifest_of(tmp_path / "out")
    assert stated.construction is not None
    assert stated.construction["funnel"]["stages"]["habits"]["accepted"] == 3
    table = rows.read(tmp_path / "out", "mornings")
    assert table.num_rows == 9
    lines = (tmp_path / "out" / "provenance.jsonl").read_text(encoding="utf-8").splitlines()
    unit = json.loads(lines[0])
    assert [(one["stage"], one["author"], one["tries"]) for one in unit["written"]] == [
        ("habits", "Ada", 1),
        ("evening", "Ada", 1),
        ("validation", "Vera", 1),
        ("rating", "Rosa", 1),
        ("rating", "Rolf", 1),
    ]
    assert "own_sentences" in unit["written"][0]["checks"]
    assert [one["reader"] for one in unit["readings"]] == ["Reader 1"] * 3 + ["Reader 2"] * 3


def test_golds_come_from_the_frame(made: Folder, tmp_path: Path) -> None:
    finish(made)
    read(made)
    release.release(folders.opened(made.path), tmp_path / "out")
    from otherminds.data.repository import rows

    frames = {unit.unit_id: unit.frame for unit in made.units}
    for row in rows.read(tmp_path / "out", "mornings").to_pylist():
        frame = frames[row["person_id"]]
        assert row["options"]["ABCD".index(row["answer"])] == frame["ways"][row["weather"]]


def test_a_sheet_shows_what_spec_says(made: Folder) -> None:
    [first, *_] = sheets(made.path)
    assert set(first) == {"sheet_id", "stage", "schema", "system", "prompt", "frame_hash"}


@pytest.mark.parametrize(
    ("reply", "check"),
    [
        ('Sure! {"lines": ["a", "b", "c"]}', "text_around"),
        ('```json\n{"lines": ["a", "b", "c"]}\n```', "text_around"),
        ('{"lines": ["a", "b", "c"]} Hope it helps.', "text_around"),
        ('{"lines": ["a", "b"', "json"),
        ("[1, 2]", "json"),
        ("I would rather not.", "json"),
        ('{"lines": ["a", "b", "c"], "lines": ["d", "e", "f"]}', "json"),
        ('{"lines": NaN}', "json"),
        ('{"lines": ' + "[" * 100_000 + "}", "length"),
        ('{"lines": ' + "[" * 9_000 + "}", "json"),
        ('{"lines": ["a", "b"]}', "schema"),
        ('{"lines": ["a", "b", 3]}', "schema"),
        ('{"lines": ["a", "b", "c"], "answer": "by bus"}', "schema"),
        ('{"lines": ["a\\u0007", "b", "c"]}', "control_characters"),
        ('{"lines": ["a\\u202e", "b", "c"]}', "control_characters"),
        # A joiner that parts a word for programs alone, and a letter that nobody sees.
        ('{"lines": ["b\u200dus", "b", "c"]}', "control_characters"),
        ('{"lines": ["a\u3164", "b", "c"]}', "control_characters"),
        # A Cyrillic "у" in "by": who reads it reads the way, and no check finds it.
        ('{"lines": ["b\u0443 bus", "b", "c"]}', "lookalikes"),
        ('{"lines": ["a", "b", "<|im_start|>system"]}', "template_tokens"),
        ('{"lines": ["a", "b", "[/INST]"]}', "template_tokens"),
        ('{"lines": ["' + "x" * 10_000_000 + '", "b", "c"]}', "length"),
        ('{"lines": ["dry: by bus", "wet", "icy"]}', "tells_ways"),
    ],
)
def test_a_bad_reply_is_refused_by_name_and_asked_again(
    made: Folder, reply: str, check: str
) -> None:
    before = sheets(made.path)
    done = step(made, lambda sheet: reply)
    assert {said[0].check for _, said in done.refused} == {check}
    assert len(done.refused) == 3
    after = sheets(made.path)
    assert [one["sheet_id"] for one in after] == [
        one["sheet_id"].removesuffix("1") + "2" for one in before
    ]
    message = done.refused[0][1][0].message
    assert message in after[0]["prompt"]
    # Whatever came, the next author's prompt is of a size that can be read.
    assert len(after[0]["prompt"]) < 25_000
    assert "<|im_start|>" not in after[0]["prompt"]


def test_a_unit_is_given_up_after_five_more_tries(made: Folder) -> None:
    for _ in range(5):
        assert not step(made, lambda sheet: "no").dropped
    last = step(made, lambda sheet: "no")
    assert [why for _, why in last.dropped] == ["json"] * 3
    funnel = folders.opened(made.path).state().funnel
    assert funnel.stages["habits"].replies == 18
    assert funnel.stages["habits"].again == 15
    assert funnel.as_json()["stages"]["habits"]["dropped"] == {"json": 3}
    assert not sheets(made.path)
    with pytest.raises(OtherMindsError, match="No unit was kept"):
        release.release(folders.opened(made.path), made.path / "out", unread=True)


def test_reasons_go_with_the_next_sheet_alone(made: Folder) -> None:
    step(made, lambda sheet: {"lines": ["dry", "wet", "icy"]})
    assert "must name" in sheets(made.path)[0]["prompt"]
    step(made)
    step(made)
    assert "not accepted" not in sheets(made.path)[0]["prompt"]


def test_a_copied_unit_is_caught(made: Folder) -> None:
    def copying(sheet: Sheet) -> Any:
        found = good(sheet)
        return {
            "lines": [
                f"{line} It has been like that for years, and it will be."
                for line in found["lines"]
            ]
        }

    done = step(made, copying)
    assert len(done.accepted) == 1
    assert {said[0].check for _, said in done.refused} == {"own_sentences"}


def test_labels_moved_are_caught(made: Folder) -> None:
    def moving(sheet: Sheet) -> Any:
        lines = good(sheet)["lines"]
        ways = [line.rpartition("goes ")[2] for line in lines]
        return {
            "lines": [
                line.replace(way, other)
                for line, way, other in zip(
                    lines, ways, ["on foot.", "by car.", "by bicycle."], strict=True
                )
            ]
        }

    done = step(made, moving)
    assert len(done.refused) >= 2
    assert {said[0].check for _, said in done.refused} == {"tells_ways"}


def turned(made: Folder, lines: list[Any], name: str | None = "Ada") -> list[str]:
    path = made.path / "came.jsonl"
    text = "".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in lines)
    path.write_text(text, encoding="utf-8")
    who = None if name is None else Who(name)
    done = importing.import_(folders.opened(made.path), [path], who)
    return [said for _, said in done.turned]


def test_what_is_turned_away_costs_no_try_and_loses_nothing(made: Folder) -> None:
    first, second, third = sheets(made.path)
    one = {"sheet_id": first["sheet_id"], "reply": good(first)}
    said = turned(
        made,
        [
            one,
            {"sheet_id": second["sheet_id"], "reply": ""},
            {"sheet_id": third["sheet_id"]},
            {"sheet_id": "person-9999.habits.1", "reply": "{}"},
            {"reply": "{}"},
            "not json\n",
            '{"sheet_id": "person-0002.habits.1", "rep',
        ],
    )
    assert [line.partition(":")[0] for line in said] == [
        "empty",
        "empty",
        "unknown",
        "line",
        "line",
        "line",
    ]
    assert "line 7" in said[-1]
    state = folders.opened(made.path).state()
    assert state.funnel.stages["habits"].replies == 1
    assert [one.sheet_id for one in state.open()] == [
        "person-0000.evening.1",
        "person-0001.habits.1",
        "person-0002.habits.1",
    ]
    # The same file again: what was taken is known, and the counts stay.
    before = state.funnel.as_json()
    turned(made, [one, {"sheet_id": second["sheet_id"], "reply": ""}])
    assert folders.opened(made.path).state().funnel.as_json() == before


def test_different_replies_to_one_sheet_are_all_turned_away(made: Folder) -> None:
    first, *_ = sheets(made.path)
    own = {"sheet_id": first["sheet_id"], "reply": good(first)}
    said = turned(made, [own, {**own, "reply": "{}"}])
    assert all(line.startswith("duplicate: there are different replies") for line in said)
    assert len(said) == 2
    said = turned(made, [own, own])
    assert [line.partition(":")[0] for line in said] == ["duplicate"]
    said = turned(made, [{**own, "reply": "{}"}])
    assert said[0].startswith("answered")


def test_another_frame_is_refused(made: Folder) -> None:
    first, *_ = sheets(made.path)
    own = {"sheet_id": first["sheet_id"], "reply": good(first)}
    said = turned(made, [{**own, "frame_hash": "0" * 64}])
    assert said[0].startswith("frame:")
    assert turned(made, [{**own, "frame_hash": first["frame_hash"]}]) == []
    path = made.path / "frames.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("by bus", "by car", 1), encoding="utf-8")
    with pytest.raises(OtherMindsError, match="the frame of 'person-"):
        folders.opened(made.path)
    path.write_text("\n".join(text.splitlines()[1:]) + "\n", encoding="utf-8")
    with pytest.raises(OtherMindsError, match="not the file that was exported"):
        folders.opened(made.path)
    path.write_text(text, encoding="utf-8")
    assert folders.opened(made.path).state().funnel.stages["habits"].accepted == 1


def test_another_version_of_the_pipeline_is_refused(made: Folder) -> None:
    path = made.path / "construct.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace('"version":"1.0"', '"version":"0.9"').replace(
            '"version": "1.0"', '"version": "0.9"'
        ),
        encoding="utf-8",
    )
    with pytest.raises(OtherMindsError, match=r"begun with version 0\.9"):
        folders.opened(made.path)


def test_two_imports_at_once(made: Folder) -> None:
    path = answer(sheets(made.path), good, made.path / "came.jsonl")
    with made.locked(), pytest.raises(OtherMindsError, match="is at work"):
        importing.import_(folders.opened(made.path), [path], Who("Ada"))
    assert len(importing.import_(folders.opened(made.path), [path], Who("Ada")).accepted) == 3


def test_nobody_says_who_wrote(made: Folder) -> None:
    first, *_ = sheets(made.path)
    own = {"sheet_id": first["sheet_id"], "reply": good(first)}
    assert turned(made, [own], name=None)[0].startswith("author:")
    assert turned(made, [{**own, "author": "Ada"}], name=None) == []


@pytest.mark.parametrize(
    "name",
    ["Ada\n\n# A heading", "Ada <script>", "Ada|x", "**Ada**", "A" * 121, "\u0410da", "Ada\u202e"],
)
def test_a_name_that_a_card_cannot_show_is_turned_away(made: Folder, name: str) -> None:
    done = step(made, good, name)
    assert {said.partition(":")[0] for _, said in done.turned} == {"author"}
    assert not done.accepted
    done = step(made, good, "Ada", family=name)
    assert {said.partition(":")[0] for _, said in done.turned} == {"author"}
    assert len(step(made, good, "org/model-7B (dtype=bfloat16, v1.2)").accepted) == 3


def test_a_file_with_a_mark_of_its_encoding_is_read(made: Folder) -> None:
    first, *others = sheets(made.path)
    one = made.path / "replies" / f"{first['sheet_id']}.json"
    one.write_text(json.dumps(good(first)), encoding="utf-8-sig")
    path = answer(others, good, made.path / "replies" / "others.jsonl")
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    done = importing.import_(made, (), Who("Ada"))
    assert (len(done.accepted), done.refused, done.turned) == (3, [], [])


@pytest.mark.parametrize("name", ["Ada", "  ada ", "ADA", "\uff21da"])
def test_an_author_judges_no_unit_of_its_own(made: Folder, name: str) -> None:
    step(made)
    step(made)
    done = step(made, good, name)
    assert {said.partition(":")[0] for _, said in done.turned} == {"own_unit"}
    assert not done.accepted
    assert len(step(made, good, "Vera").accepted) == 3
    done = step(made, good, name, "rating_1")
    assert {said.partition(":")[0] for _, said in done.turned} == {"own_unit"}


def test_nobody_rates_twice(made: Folder) -> None:
    for name in ("Ada", "Ada", "Vera"):
        step(made, good, name)
    step(made, good, "Rosa", "rating_1")
    done = step(made, good, "Rosa", "rating_2")
    assert {said.partition(":")[0] for _, said in done.turned} == {"twice"}


def test_a_validator_sends_back_with_reasons(made: Folder) -> None:
    step(made)
    step(made)

    def strict(sheet: Sheet) -> Any:
        return {"truth": 3, "reason": "the wet days are vague"}

    done = step(made, strict, "Vera")
    assert len(done.returned) == 3
    waiting = sheets(made.path)
    assert {one["stage"] for one in waiting} == {"habits"}
    assert "the wet days are vague" in waiting[0]["prompt"]
    assert "goes" in waiting[0]["prompt"].partition("The earlier reply:")[2]
    unit = folders.opened(made.path).state().units()[0]
    # What came after the text that is written anew is gone with it.
    assert not unit.texts
    assert not unit.written
    step(made)
    step(made)
    assert len(step(made, good, "Vera").accepted) == 3
    funnel = folders.opened(made.path).state().funnel.as_json()
    assert funnel["stages"]["validation"]["returned"] == {"truth": 3}


def low(sheet: Sheet) -> Any:
    return {"coherence": 3, "rationality": 3, "authenticity": 4, "remark": "who lit the lamp?"}


def test_a_low_rating_goes_back_with_the_remarks(made: Folder) -> None:
    for name in ("Ada", "Ada", "Vera"):
        step(made, good, name)
    step(made, good, "Rosa", "rating_1")
    done = step(made, low, "Rolf", "rating_2")
    # (5 + 4 + 4 + 3 + 3 + 4) / 6 = 3.83.
    assert not done.dropped
    assert "3.83 (coherence 4, rationality 3.5, authenticity 4), below 4" in done.returned[0][1]
    waiting = sheets(made.path)
    assert {one["stage"] for one in waiting} == {"evening"}
    assert "a rater's remark: who lit the lamp?" in waiting[0]["prompt"]
    assert "The lamp of person-" in waiting[0]["prompt"].partition("The earlier reply:")[2]
    # The remark is of one rater; the other had none.
    assert waiting[0]["prompt"].count("a rater's remark") == 1


def test_who_rated_an_earlier_form_does_not_rate_the_next(made: Folder) -> None:
    for name in ("Ada", "Ada", "Vera"):
        step(made, good, name)
    step(made, good, "Rosa", "rating_1")
    step(made, low, "Rolf", "rating_2")
    step(made, good)
    # A validator sees the truth anyway, and may come back.
    assert len(step(made, good, "Vera").accepted) == 3
    for name in ("Rosa", "ROLF"):
        done = step(made, good, name, "rating_1")
        assert {said.partition(":")[0] for _, said in done.turned} == {"twice"}
    step(made, good, "Rita", "rating_1")
    step(made, good, "Ruth", "rating_2")
    funnel = folders.opened(made.path).state().funnel.as_json()
    assert funnel["kept"] == 3
    assert funnel["stages"]["rating"]["returned"] == {"rating": 3}


def test_after_so_many_low_ratings_a_unit_is_out(made: Folder) -> None:
    step(made)
    for turn in range(6):
        step(made)
        step(made, good, "Vera")
        step(made, low, f"Rosa {turn}", "rating_1")
        done = step(made, low, f"Rolf {turn}", "rating_2")
    assert [why for _, why in done.dropped] == ["rating"] * 3


def test_what_is_asked_besides_decides_nothing() -> None:
    stage = ratings.stage("rating", lambda unit: "", also={"wit": "Is it funny?"})
    said = {"coherence": 4, "rationality": 4, "authenticity": 4, "wit": 1, "remark": ""}
    assert "- wit: Is it funny?" in stage.ask(Unit("one", {})).prompt
    assert set(said) == set(stage.ask(Unit("one", {})).reply.model_fields)
    assert not list(stage.decide(Unit("one", {}), [said]))


def test_raters_of_whom_nothing_goes_back_drop_a_unit() -> None:
    stage = ratings.stage("rating", lambda unit: "")
    said = {"coherence": 4, "rationality": 3, "authenticity": 4, "remark": "odd"}
    assert list(stage.decide(Unit("one", {}), [said])) == [
        Return(
            "rating",
            "the mean rating is 3.67 (coherence 4, rationality 3, authenticity 4), below 4",
        )
    ]
    assert not list(stage.decide(Unit("one", {}), [{**said, "rationality": 4}]))


def of_one(one: str) -> Author:
    """An author who writes about one person and hands nothing in about others."""

    def write(sheet: Sheet) -> Any:
        return good(sheet) if str(sheet["sheet_id"]).startswith(one) else ""

    return write


def kept_one(made: Folder, one: str) -> None:
    """One person is kept, and the others wait."""
    for _ in range(2):
        step(made, of_one(one), "Ada", "habits", "evening")
    step(made, good, "Vera", "validation")
    step(made, good, "Rosa", "rating_1")
    step(made, good, "Rolf", "rating_2")


def ask_early(made: Folder) -> None:
    now = folders.opened(made.path)
    with now.locked():
        blind.follow(now, now.state(), early=True)


def test_readers_may_begin_while_others_write(made: Folder, tmp_path: Path) -> None:
    kept_one(made, "person-0000")
    assert {one["stage"] for one in sheets(made.path)} == {"habits"}
    ask_early(made)
    assert {one["stage"] for one in sheets(made.path)} == {"habits", "reading"}
    first = {one["sheet_id"] for one in sheets(made.path, "reading_1_1")}
    assert len(first) == 3
    # Who is kept later is not read before somebody asks for it, or nobody waits.
    kept_one(made, "person-0001")
    assert {one["sheet_id"] for one in sheets(made.path, "reading_1_1")} == first
    read(made)
    with pytest.raises(OtherMindsError, match="1 of 3 units"):
        release.release(folders.opened(made.path), tmp_path / "all")
    done = release.release(folders.opened(made.path), tmp_path / "some", partial=True)
    # The second is kept and was not read: it is left out.
    assert done.facts["funnel"]["kept"] == 1
    assert done.facts["funnel"]["open"] == 2
    assert done.facts["reading"]["items"] == 3
    kept_one(made, "person-0002")
    later = {one["sheet_id"] for one in sheets(made.path, "reading_1_1")}
    assert len(later) == 6
    assert not later & first
    read(made)
    done = release.release(folders.opened(made.path), tmp_path / "out")
    assert done.facts["reading"]["items"] == 9
    assert done.facts["reading"]["before"]["value"] == 1.0


def test_a_partial_release_leaves_out_who_is_not_read_yet(made: Folder, tmp_path: Path) -> None:
    kept_one(made, "person-0000")
    ask_early(made)
    with pytest.raises(OtherMindsError, match="have not answered"):
        release.release(folders.opened(made.path), tmp_path / "out", partial=True)
    read(made)
    kept_one(made, "person-0001")
    ask_early(made)
    # One of two readers is not enough.
    step(made, good, "Reader 1", "reading_1_1")
    done = release.release(folders.opened(made.path), tmp_path / "out", partial=True)
    assert done.facts["funnel"]["kept"] == 1
    assert done.facts["reading"]["items"] == 3
    step(made, good, "Another", "reading_1_2")
    done = release.release(folders.opened(made.path), tmp_path / "out", partial=True)
    assert done.facts["reading"]["items"] == 6
    assert done.facts["reading"]["readers"] == {"1": ["Reader 1", "Reader 2", "Another"]}


def test_fresh_readers_read_what_stays_of_all(made: Folder) -> None:
    kept_one(made, "person-0000")
    ask_early(made)
    read(made, wrong_on_ice, who="Early")
    # Something was dropped, and a second round begins …
    assert {path.stem for path in (made.path / "sheets").glob("reading*.jsonl")} == {
        "reading_2_1",
        "reading_2_2",
    }
    kept_one(made, "person-0001")
    kept_one(made, "person-0002")
    # … until there is more for a first.
    assert {path.stem for path in (made.path / "sheets").glob("reading*.jsonl")} == {
        "reading_1_1",
        "reading_1_2",
    }
    read(made, who="Early")
    assert len(sheets(made.path, "reading_2_1")) == 8
    done = step(made, good, "Early 1", "reading_2_1")
    assert {said.partition(":")[0] for _, said in done.turned} == {"not_fresh"}
    read(made, good, 2, "Late")
    reading, key = made.pipeline.reading, blind.read_key(made.path)
    assert reading is not None
    assert key is not None
    found = results.of(reading, key, made.state())
    assert found.complete
    assert found.fresh
    assert len(found.dropped) == 1


def test_a_package_holds_its_release_packed(made: Folder, tmp_path: Path) -> None:
    finish(made)
    read(made)
    opened = folders.opened(made.path)
    release.keep(opened, tmp_path / "content")
    release.keep(opened, tmp_path / "again")
    assert {path.name for path in (tmp_path / "content").iterdir()} == {
        "units.jsonl.gz",
        "construction.json",
    }
    packed = (tmp_path / "content" / "units.jsonl.gz").read_bytes()
    assert packed == (tmp_path / "again" / "units.jsonl.gz").read_bytes()
    found = constructed.read(tmp_path / "content")
    assert [unit.frame for unit in found.units] == [unit.frame for unit in made.units]
    (tmp_path / "again" / "units.jsonl.gz").write_bytes(packed[:-30])
    with pytest.raises(SourceError, match="is no finished construction"):
        constructed.read(tmp_path / "again")
    # Tried: a plain file beside it, with another frame, was not looked at.
    (tmp_path / "content" / "units.jsonl").write_text("{}", encoding="utf-8")
    with pytest.raises(SourceError, match="are both there"):
        constructed.read(tmp_path / "content")


def wrong_on_ice(sheet: Sheet) -> Any:
    """A reader who is wrong about one item of each person."""
    said = good(sheet)
    if "it is icy outside" not in sheet["prompt"]:
        return said
    return {"answer": "ABCD"[("ABCD".index(said["answer"]) + 1) % 4]}


def test_nobody_is_asked_to_read_what_is_not_kept(made: Folder) -> None:
    with pytest.raises(OtherMindsError, match="nothing to read"):
        ask_early(made)


def test_raters_and_readers_see_neither_unit_nor_truth(made: Folder) -> None:
    for name in ("Ada", "Ada", "Vera"):
        step(made, good, name)
    rated = sheets(made.path)
    finish_ratings(made)
    found = sheets(made.path)
    assert {one["stage"] for one in found} == {"reading"}
    assert len(found) == 18
    hashes = {unit.frame_hash for unit in made.units}
    for one in [*rated, *found]:
        assert "person-" not in one["sheet_id"]
        assert one["frame_hash"] not in hashes
        assert "Ada" not in json.dumps(one)
    for one in found:
        assert set(one) == {"sheet_id", "stage", "schema", "system", "prompt", "frame_hash"}
    # No two sheets of a person stand side by side throughout.
    order = [
        re.search(r"person (\d{4})", one["prompt"]) for one in sheets(made.path, "reading_1_1")
    ]
    people = [found[1] for found in order if found]
    assert len(people) == 9
    assert people != sorted(people)


def finish_ratings(made: Folder) -> None:
    step(made, good, "Rosa", "rating_1")
    step(made, good, "Rolf", "rating_2")


def test_readers_are_others_and_none_reads_an_item_twice(made: Folder) -> None:
    finish(made)
    done = step(made, good, "Ada", "reading_1_1")
    assert {said.partition(":")[0] for _, said in done.turned} == {"own_unit"}
    step(made, good, "Reader", "reading_1_1")
    done = step(made, good, "reader", "reading_1_2")
    assert {said.partition(":")[0] for _, said in done.turned} == {"twice"}
    with pytest.raises(OtherMindsError, match="have not answered all"):
        release.release(folders.opened(made.path), made.path / "out")


def wrong_on(items: int) -> Callable[[Sheet], Any]:
    """A reader who is wrong on so many items, always the same ones."""
    seen: list[str] = []

    def author(sheet: Sheet) -> Any:
        key = sheet["prompt"]
        if key not in seen and len(seen) < items:
            seen.append(key)
        letter = good(sheet)["answer"]
        return {"answer": "ABCD"["DABC".index(letter)] if key in seen else letter}

    return author


def test_items_that_are_read_otherwise_are_dropped_and_the_rest_read_afresh(
    tmp_path: Path,
) -> None:
    made = begun(tmp_path / "made")
    finish(made)
    read(made, wrong_on(1))
    done = step(made, good, "Reader 1", "reading_2_1")
    assert {said.partition(":")[0] for _, said in done.turned} == {"not_fresh"}
    read(made, good, 2, "Fresh")
    found = release.release(folders.opened(made.path), tmp_path / "out").facts["reading"]
    # One of nine items: 8/9 right before, all of the eight afterwards.
    assert found["before"]["value"] == pytest.approx(8 / 9)
    assert found["dropped"] == 1
    assert found["after"]["value"] == 1.0
    assert found["after"]["n"] == 8
    assert found["fresh_readers"]
    from otherminds.data.repository import rows

    assert rows.read(tmp_path / "out", "mornings").num_rows == 8


def test_students_are_trained_on_a_release_and_set_beside_its_readers(tmp_path: Path) -> None:
    from otherminds.data.repository import rows

    made = begun(tmp_path / "made", 8)
    finish(made)
    read(made)
    release.release(folders.opened(made.path), tmp_path / "out")
    found = rows.manifest_of(tmp_path / "out").students
    assert found is not None
    assert found.edition == "authored"
    [studied] = found.parts.values()
    assert studied.blind is not None
    assert (studied.blind.accuracy, studied.blind.gap) == (1.0, 0.2)
    assert studied.students["text"].bound == 0.25
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "### What Students Learn" in card
    assert "| blind readers | 100.0 |" in card
    assert f"| best there: {studied.students[studied.blind.student].sees} |" in card


def test_too_many_drops_refuse_the_release(made: Folder) -> None:
    finish(made)
    read(made, wrong_on(2))
    read(made, good, 2, "Fresh")
    with pytest.raises(
        OtherMindsError, match=r"wrong on 2 of 9 items \(22%\), and at most 15% may"
    ):
        release.release(folders.opened(made.path), made.path / "out")


def test_readers_who_are_wrong_afterwards_refuse_the_release(tmp_path: Path) -> None:
    made = begun(tmp_path / "made")
    finish(made)
    read(made, wrong_on(1))
    read(made, wrong_on(3), 2, "Fresh")
    # Five of eight are right.
    with pytest.raises(OtherMindsError, match="readers are right on 62%, and it must be 85%"):
        release.release(folders.opened(made.path), tmp_path / "out")


def test_an_open_unit_holds_the_release_back(made: Folder, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="3 of 3 units"):
        release.release(made, tmp_path / "out")


def test_people_answer_in_tables(made: Folder) -> None:
    for name in ("Ada", "Ada", "Vera"):
        step(made, good, name)
    table = made.path / "sheets" / "rating_1.csv"
    text = table.read_text(encoding="utf-8-sig")
    header, *_ = text.splitlines()
    assert header == "sheet_id,text,coherence,rationality,authenticity,remark"
    rows = [one["sheet_id"] for one in sheets(made.path, "rating_1")]
    # As some spreadsheets save it, the first half filled in.
    lines = ["sheet_id;coherence;rationality;authenticity;remark", f"{rows[0]};5;4;4;'=fine"]
    lines += [f"{rows[1]};5;4;;", f"{rows[2]};;;;"]
    path = made.path / "back.csv"
    path.write_text("\n".join(lines), encoding="utf-8-sig")
    done = importing.import_(folders.opened(made.path), [path], Who("Rosa", "person"))
    assert done.accepted == [rows[0]]
    assert [(name, said[0].where) for name, said in done.refused] == [(rows[1], "authenticity")]
    assert [said.partition(":")[0] for _, said in done.turned] == ["empty"]
    page = (made.path / "sheets" / "rating_2.html").read_text(encoding="utf-8")
    assert made.units[0].frame_hash not in page
    assert page.count("<section") == 3


def test_files_of_an_editor_are_replies(made: Folder) -> None:
    first, *_ = sheets(made.path)
    (made.path / "replies" / f"{first['sheet_id']}.json").write_text(json.dumps(good(first)))
    (made.path / "replies" / f"{first['sheet_id']}~").write_text("")
    done = importing.import_(folders.opened(made.path), (), Who("Ada", "person"))
    assert done.accepted == [first["sheet_id"]]
    (made.path / "notes.md").write_text("x")
    with pytest.raises(OtherMindsError, match="no file of replies"):
        importing.import_(folders.opened(made.path), [made.path / "notes.md"], Who("Ada"))


def test_one_file_may_hold_all_stages(made: Folder, tmp_path: Path) -> None:
    finish(made)
    lines = (made.path / "ledger.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    again = folders.export(made.pipeline, Plan(n=3), tmp_path / "again")
    path = tmp_path / "all.jsonl"
    path.write_text(
        "".join(
            json.dumps({"sheet_id": e["sheet_id"], "reply": e["content"], "author": e["author"]})
            + "\n"
            for e in entries
        )
    )
    importing.import_(again, [path])
    assert again.state().funnel.as_json() == folders.opened(made.path).state().funnel.as_json()


def test_the_same_plan_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = begun(tmp_path / "one"), begun(tmp_path / "other")
    for name in ("construct.json", "frames.jsonl", "sheets/habits.jsonl"):
        assert (one.path / name).read_bytes() == (other.path / name).read_bytes()
    # Again into the same folder: nothing is lost.
    step(one)
    before = (one.path / "ledger.jsonl").read_bytes()
    begun(one.path)
    assert (one.path / "ledger.jsonl").read_bytes() == before
    with pytest.raises(OtherMindsError, match="another construction"):
        begun(one.path, n=4)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("x")
    with pytest.raises(OtherMindsError, match="not an empty folder"):
        begun(tmp_path / "full")
