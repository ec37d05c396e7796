"""Board, season and eval.yaml of a dataset: files of its own card folder, and no other file changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from otherminds import manifest, paths
from otherminds.data.repository import eval_yaml
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records import boards
from otherminds.leaderboard.sealing import columns
from otherminds.leaderboard.seasons import opening
from otherminds.leaderboard.seasons.opening import Plan

BOARD: dict[str, Any] = {
    **{"id": "chess", "title": "Chess", "short": "Chess", "benchmark": "Chess", "about": "Moves."},
    **{"task": "chess_move", "part": "both", "items": "share of answers that are right"},
    "columns": [{"name": "acc", "title": "Accuracy", "axis": [0, 1], "places": 3}],
}
RESULT = {
    **{"model": "m", "scores": {"acc": 0.5}, "note": "Theirs."},
    "source": {"title": "A paper", "url": "https://example.org", "date": "2026"},
}
SEASON: dict[str, Any] = {
    "gold": "answer",
    "size": {"set": ["users"], "at_most": ["subset"], "usual": "subset"},
    "generator": {"rounds": 3},
    "items": {"moves": {"ids": ["player_id", "item_id"], "kept": {"options": "shown by prompts"}}},
}


@pytest.fixture
def chess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The card folder of a dataset of another package."""
    folder = tmp_path / "cards" / "chess"
    folder.mkdir(parents=True)
    known = manifest.load("debate-beliefs-synthetic").model_copy(update={"dataset": "chess"})
    (folder / "manifest.yaml").write_text(manifest.dump(known), encoding="utf-8")
    monkeypatch.setattr(paths, "card_folders", lambda: [paths.cards(), tmp_path / "cards"])
    for cached in (manifest.load, columns.sealing_of):
        cached.cache_clear()
    yield folder
    for cached in (manifest.load, columns.sealing_of):
        cached.cache_clear()


def put(folder: Path, name: str, content: Any) -> None:
    # JSON is YAML.
    (folder / name).write_text(json.dumps(content), encoding="utf-8")


def test_a_board_is_a_file_of_its_dataset(chess: Path) -> None:
    ours = [board.id for board in boards.load().boards]
    # What is written and read blind comes first.
    assert ours[:2] == ["hugagent-core", "socialmindchange-core"]
    put(chess, boards.NAME, {**BOARD, "published": [RESULT]})
    known = boards.load()
    assert [board.id for board in known.boards] == [*ours, "chess"]
    assert known.boards[-1].dataset == "chess"
    assert [one.model for one in known.published if one.board == "chess"] == ["m"]
    assert {one.name for one in known.anchors["chess"]} >= {"chance", "optimal"}
    put(chess, boards.NAME, {**BOARD, "position": 0})
    assert [board.id for board in boards.load().boards] == ["chess", *ours]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"id": "hugagent"}, "Two boards have the id 'hugagent'"),
        ({"task": "hugagent"}, "Two boards have the task 'hugagent'"),
        ({"colour": "red"}, r"chess/board\.yaml: key 'colour'"),
        ({"columns": []}, r"chess/board\.yaml: key 'columns'"),
        ({"dataset": "chess"}, r"chess/board\.yaml: key 'dataset'"),
        ({"published": [{**RESULT, "note": 3}]}, r"chess/board\.yaml: key 'published\.0\.note'"),
    ],
)
def test_a_wrong_board(changed: dict[str, Any], message: str, chess: Path) -> None:
    put(chess, boards.NAME, {**BOARD, **changed})
    with pytest.raises(OtherMindsError, match=message):
        boards.load()


def test_what_is_no_yaml(chess: Path) -> None:
    (chess / boards.NAME).write_text("id: [")
    with pytest.raises(OtherMindsError, match=r"chess/board\.yaml is not valid YAML"):
        boards.load()


def test_a_season_is_a_file_of_its_dataset(chess: Path) -> None:
    with pytest.raises(OtherMindsError, match="There are no seasons of 'chess'"):
        columns.sealing_of("chess")
    put(chess, columns.NAME, SEASON)
    assert "chess" in columns.sealable()
    assert set(columns.sealing_of("chess").published) == {"moves"}


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"gold": None}, "gold"),
        ({"kept": 0}, "kept"),
        ({"items": {}}, "items"),
        ({"items": {"moves": {"ids": []}}}, r"items\.moves\.ids"),
        ({"size": {"at_most": ["subset"]}}, r"size\.set"),
    ],
)
def test_a_wrong_season(changed: dict[str, Any], key: str, chess: Path) -> None:
    put(chess, columns.NAME, {**SEASON, **changed})
    with pytest.raises(OtherMindsError, match=rf"chess/season\.yaml: key '{key}'"):
        columns.sealing_of("chess")


def test_no_dataset_is_a_path() -> None:
    for name in ("../cards/hugagent-synthetic", "nothing", ""):
        with pytest.raises(OtherMindsError, match="There are no seasons of"):
            columns.sealing_of(name)


def parameters(dataset: str, size: int | None) -> dict[str, Any]:
    day = date(2026, 1, 1)
    return opening._generator(Plan("winter", dataset, day, day, size=size))


def test_a_season_has_the_size_that_its_file_says(chess: Path) -> None:
    put(chess, columns.NAME, SEASON)
    # The release has 1,500 users, of whom 100 are the subset, which is the usual size here.
    assert parameters("chess", None) == {"users": 100, "subset": 100, "rounds": 3}
    assert parameters("chess", 7) == {"users": 7, "subset": 7, "rounds": 3}
    assert parameters("debate-beliefs-synthetic", None) == {"users": 1500, "subset": 100}
    assert parameters("debate-beliefs-synthetic", 200) == {"users": 200, "subset": 100}
    common = {"group_size": 4, "scenarios": 5, "variants": {}}
    for size in (None, 60):
        stages = size or 120
        expected = {"stages": stages, "lite": stages, **common}
        assert parameters("socialmindchange-scale", size) == expected
    # The builder's own function: 60 of 500 people, and 60/500 of the items, 1303 of them to 156.36.
    scaled = parameters("hugagent-synthetic", 60)
    assert (scaled["agents"], scaled["subset"]) == (60, 6)
    assert scaled["items"]["bsi"]["healthcare"] == 156
    assert "seed" not in scaled


def test_eval_yaml_and_its_names_are_files_of_their_dataset(chess: Path) -> None:
    known = manifest.load("chess")
    assert eval_yaml.text(known) is None
    assert eval_yaml.named("chess") == {}
    (chess / eval_yaml.TEMPLATE).write_text("# {{ hub_id }}\n{{ head }}tasks: []\n")
    text = eval_yaml.text(known)
    assert text is not None
    assert text.startswith("# otherminds/chess\n")
    assert yaml.safe_load(text)["name"] == known.title
    put(chess, eval_yaml.RESULTS, {"tasks": {"chess_move": {"id": "move", "metric": "acc"}}})
    with pytest.raises(OtherMindsError, match=r"key 'tasks\.chess_move\.about'"):
        eval_yaml.named("chess")
