"""A whole construction of a stage: from frame to scores."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness
from otherminds.construct import Plan, Unit, blind, pipelines, release
from otherminds.construct import folder as folders
from otherminds.construct.importing import Imported
from otherminds.data import loading
from otherminds.data.repository import rows as repository
from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.socialmindchange import core as builder
from otherminds.dataset_builders.socialmindchange.authored.stage import Given
from otherminds.dataset_builders.socialmindchange.evaluator import Evaluator
from otherminds.dataset_builders.sources import SourceError
from otherminds.errors import OtherMindsError
from tests.helpers import scripted_socialmindchange as author
from tests.helpers.scripted_author import read_together, replied, sheets, stepped
from tests.socialmindchange.construction.conftest import STAGES, written

READ = 27
WRONG = 2
"""Of the items that are read, how many both readers get wrong."""


def step(path: Path, write: Callable[[Unit, str], Any] = author.good) -> Imported:
    """An author answers what waits."""
    return stepped(path, write)


def rate(path: Path, score: int, *, given: int = 5, turn: int = 1) -> Imported:
    """Two raters; `given` is what they say of what is the frame's."""
    rating = dict.fromkeys(("consistency", "coherence", "authenticity"), score)
    rating["rationality"] = given
    said = {one["sheet_id"]: rating for one in sheets(path)[:1]}
    replied(path, said, f"Rae {turn}")
    said = {one["sheet_id"]: rating for one in sheets(path)[:1]}
    return replied(path, said, f"Ron {turn}")


def read(path: Path, turn: int, wrong: frozenset[str]) -> None:
    """Blind readers, who are wrong on some items."""

    def give(item: blind.Item) -> str:
        is_wrong = item.item_id in wrong
        return next(one for one in item.answers if (one == item.gold) != is_wrong)

    read_together(path, turn, give)


@dataclass(frozen=True)
class Made:
    """A finished construction, its release, and what its funnel says."""

    folder: Path
    out: Path
    facts: dict[str, Any]
    wrong: frozenset[str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, _relaxed: None) -> Made:
    path = tmp_path_factory.mktemp("made") / "made"
    folders.export(pipelines.named("socialmindchange"), Plan(n=1), path)
    for _ in STAGES:
        assert step(path).accepted
    rate(path, 5)
    key = blind.read_key(path)
    assert key is not None
    wrong = frozenset(item.item_id for item in key.items[:WRONG])
    read(path, 1, wrong)
    read(path, 2, frozenset())
    out = path.parent / "out"
    done = release.release(folders.opened(path), out)
    return Made(path, out, done.facts, wrong)


def test_a_third_is_read_and_what_is_read_otherwise_is_dropped(made: Made) -> None:
    reading = made.facts["reading"]
    assert reading["items"] == READ
    assert reading["dropped"] == WRONG
    rows = repository.read(made.out, "questions").to_pylist()
    assert len(rows) == 80 - WRONG
    gone = {item.partition(":")[2] for item in made.wrong}
    assert gone.isdisjoint(row["item_id"] for row in rows)
    assert gone.isdisjoint(one for row in rows for one in row["prerequisites"])
    marked = [row for row in rows if row["in_lite"]]
    assert len(marked) == READ - WRONG
    assert [row["read_right"] for row in marked] == [1.0] * len(marked)
    assert {row["read_right"] for row in rows if not row["in_lite"]} == {None}


def test_a_third_of_each_cell_is_read() -> None:
    unit = written(1)
    facts = constructed.Constructed((unit,), {})
    rows = list(builder._question_rows(unit, Given.of(unit), facts))
    counts = Counter((row["type"], row["mental_state"]) for row in rows if row["in_lite"])
    assert sorted(Counter(counts.values()).items()) == [(1, 5), (2, 11)]


def test_golds_are_proven_and_prompts_show_the_story(made: Made) -> None:
    rows = repository.read(made.out, "questions").to_pylist()
    [stage] = repository.read(made.out, "stages").to_pylist()
    evaluator = Evaluator(json.loads(stage["frame"]))
    for row in rows:
        right = evaluator.right(
            json.loads(row["asked"]), [json.loads(one) for one in row["claims"]]
        )
        assert right.index(True) == "abcdefghijklmnop".index(row["answer"])
        assert sum(right) == 1
        assert [not reasons for reasons in row["reasons"]] == right
    for scene in stage["scenes"]:
        assert any(turn["speaker"] for turn in scene["turns"])
    key = blind.read_key(made.folder)
    assert key is not None
    for item in key.items:
        assert stage["background"] in item.prompt
        assert stage["frame"] not in item.prompt


def test_the_tasks_ask_about_it(made: Made) -> None:
    manager = harness.task_manager({"data_source": str(made.out)})
    wanted = {"socialmindchange": 80 - WRONG, "socialmindchange_lite": READ - WRONG}
    [stage] = repository.read(made.out, "stages").to_pylist()
    for name, task in harness.load_tasks(manager, list(wanted)).items():
        docs = list(task.eval_docs)
        assert len(docs) == wanted[name]
        for doc in docs:
            assert stage["background"] in task.doc_to_text(doc)
            assert task.doc_to_target(doc) == doc["answer"]


def test_a_baseline_learns_from_the_core_which_has_no_variants(made: Made) -> None:
    wanted = [{"dataset": "socialmindchange-core", "configs": ["questions", "stages"]}]
    found = loading.population(wanted, {"data_source": str(made.out)})
    assert len(found) == 80 - WRONG


def test_the_card_says_who_wrote(made: Made) -> None:
    card = (made.out / "README.md").read_text(encoding="utf-8")
    assert "Language models wrote the texts: Ada." in card


@pytest.mark.slow
def test_what_readers_are_mostly_wrong_about_is_no_release(tmp_path: Path) -> None:
    path = tmp_path / "made"
    folders.export(pipelines.named("socialmindchange"), Plan(n=1), path)
    for _ in STAGES:
        step(path)
    rate(path, 5)
    key = blind.read_key(path)
    assert key is not None
    read(path, 1, frozenset(item.item_id for item in key.items[:5]))
    read(path, 2, frozenset())
    with pytest.raises(OtherMindsError, match="No release"):
        release.release(folders.opened(path), tmp_path / "out")


@pytest.mark.slow
def test_a_poor_rating_goes_back_to_the_scenes(tmp_path: Path) -> None:
    path = tmp_path / "made"
    folders.export(pipelines.named("socialmindchange"), Plan(n=1), path)
    for _ in STAGES:
        step(path)
    assert "below 3.5" in rate(path, 3).returned[0][1]
    for _ in STAGES[2:]:
        assert step(path).accepted
    # What is the frame's sends nothing back.
    assert not rate(path, 4, given=1, turn=2).returned
    assert blind.read_key(path) is not None


def test_a_story_is_read_with_all_its_questions_on_one_sheet(tmp_path: Path) -> None:
    path = tmp_path / "made"
    folders.export(pipelines.named("socialmindchange"), Plan(n=1), path)
    for _ in STAGES:
        step(path)
    rate(path, 5)
    [sheet] = sheets(path, "reading_1_1")
    unit = folders.opened(path).state().units()[0]
    told = unit.texts["scenes"]["scenes"][0]["turns"][0]["text"]
    assert sheet["prompt"].count(told) == 1
    assert sheet["prompt"].count("Exactly one option is right.") == READ
    assert (
        "What is said to one of them before the others is weighed by that one alone"
        in sheet["prompt"]
    )


def test_a_refusal_is_asked_again_with_sentence_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "made"
    folders.export(pipelines.named("socialmindchange"), Plan(n=1), path)
    for _ in STAGES[:2]:
        step(path)

    def feeling(unit: Unit, stage: str) -> Any:
        reply = author.good(unit, stage)
        reply["scenes"][0]["turns"].append({"speaker": "", "text": "Nobody in the room is angry."})
        return reply

    done = step(path, feeling)
    assert {one.check for _, said in done.refused for one in said} == {"mind_stated"}
    [sheet] = sheets(path)
    assert "“Nobody in the room is angry.” states a mind (“angry”)" in sheet["prompt"]
    assert step(path).accepted


def source(folder: Path, *units: Unit) -> Path:
    folder.mkdir()
    (folder / "units.jsonl").write_text(constructed.lines(units, {}), encoding="utf-8")
    (folder / "construction.json").write_text("{}", encoding="utf-8")
    return folder


def failed(folder: Path) -> set[str]:
    facts = builder.spec({})
    return {
        one.name for one in builder.audit(builder.build(folder, facts), facts) if not one.passed
    }


def test_a_release_that_somebody_edited_is_refused(tmp_path: Path) -> None:
    unit, other = written(1), written(2)
    assert failed(source(tmp_path / "good", unit)) == set()
    texts = json.loads(json.dumps(unit.texts))
    texts["scenes"]["scenes"][0]["turns"].append(
        {"speaker": "", "text": "Somebody is furious now."}
    )
    assert failed(source(tmp_path / "edited", replace(unit, texts=texts))) == {"proofs_scenes"}
    # The grammar has sentences that come back; an author's stages must have none.
    line = {"speaker": "", "text": "A long brass key hangs beside the second window."}
    both = []
    for one in (unit, other):
        texts = json.loads(json.dumps(one.texts))
        texts["scenes"]["scenes"][0]["turns"].append(line)
        both.append(replace(one, texts=texts))
    assert failed(source(tmp_path / "shared", *both)) == {"own_sentences"}
    frame = json.loads(json.dumps(unit.frame))
    options = frame["questions"][0]["options"]
    options[0], options[1] = options[1], options[0]
    assert "evaluator" in failed(source(tmp_path / "moved", replace(unit, frame=frame)))
    bare = replace(unit, texts={"context": unit.texts["context"]})
    with pytest.raises(SourceError, match="has no trajectory, scenes, lexicon"):
        builder.build(source(tmp_path / "bare", bare), builder.spec({}))
