"""Reference scores in manifests, beside what the releases in the package give today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from otherminds import benchmark, manifest
from otherminds.construct import reference as blind_readers
from otherminds.data import kept, loading
from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.constructed import Constructed
from otherminds.manifest import Reference

READ = [name for name in manifest.names() if blind_readers.NAME in manifest.load(name).references]


def of_package(dataset: str) -> Mapping[str, Reference]:
    known = manifest.load(dataset)
    tables = {
        config: loading.load(dataset, config)[loading.SPLIT].with_format("arrow")[:]
        for config in known.configs
    }
    found: Mapping[str, Reference] = benchmark.resolve(benchmark.of_dataset(dataset).references)(
        known, tables
    )
    return found


def test_both_cores_have_the_scores_of_their_blind_readers() -> None:
    assert sorted(READ) == ["hugagent-core", "socialmindchange-core"]


@pytest.mark.slow
@pytest.mark.parametrize("dataset", READ)
def test_they_are_what_the_release_gives(dataset: str, cache: Path) -> None:
    assert of_package(dataset) == manifest.load(dataset).references


def test_of_hugagents_core_the_same_readers_read_all_items_on_a_persons_topic() -> None:
    """Else the answer to a scenario would be held against somebody else's baseline."""
    source = kept.source(manifest.load("hugagent-core"))
    assert source is not None
    sheets = defaultdict[tuple[str, ...], dict[str, set[str]]](lambda: defaultdict(set))
    for own in constructed.read(source).readings.values():
        for one in own:
            item = one["item"].partition(":")[2]
            place = (*item.split("-")[:2], str(one["round"]))
            sheets[place][item].add(one["reader"])
    assert len(sheets) == 2 * 72
    for items in sheets.values():
        assert len(set(map(frozenset, items.values()))) == 1


def test_without_a_release_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert blind_readers.of_release(manifest.load("hugagent-synthetic")) is None
    monkeypatch.setattr(kept, "source", lambda _: None)
    assert blind_readers.of_release(manifest.load("hugagent-core")) is None


@pytest.mark.parametrize("dataset", READ)
def test_no_person_is_claimed(dataset: str) -> None:
    said = manifest.load(dataset).references[blind_readers.NAME].description
    assert said.startswith("Language models that read blind")


def test_the_last_round_in_which_an_item_was_read_counts() -> None:
    def said(item: str, turn: int, reader: str, answer: str) -> dict[str, object]:
        return {"item": f"task:{item}", "round": turn, "reader": reader, "answer": answer}

    facts = {"reading": {"by_item": {"task:gone": {"right": 0.0, "dropped": True}}}}
    readings = {
        "C1": [
            said("kept", 1, "ann", "A"),
            said("kept", 2, "dot", "C"),
            said("kept", 2, "cas", "B"),
            said("gone", 1, "ann", "A"),
            said("once", 1, "bo", "D"),
            said("after", 2, "cas", "E"),
            said("after", 2, "dot", "F"),
            {"item": "task:words", "round": 1, "reader": "bo", "beliefs": ["one", "two"]},
        ]
    }
    found = Constructed((), facts, readings).answered
    # A reader has the same place in all items, in whatever order the answers came.
    assert found == {"kept": ("B", "C"), "once": ("D",), "after": ("E", "F")}
