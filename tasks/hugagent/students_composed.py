"""HugAgent's edition 2 as students see it: items with their steps, and what lines say of both ends.

A frame-aware student knows which answers bear on a question: those with a claim on one of its ends,
on the reason, or on what the scenario moves. What such an answer is worth is learned from its words
and the part that it plays, and summed up; nothing is multiplied along a chain, and nothing is taken
back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from otherminds.dataset_builders.hugagent.world.claims import digest
from otherminds.metrics.hugagent.items import BSI
from otherminds.students.view import Clue, Clues, Item, Tables
from otherminds.tasks.hugagent import students
from otherminds.tasks.hugagent.weightless import claims_reader_of

_AGAIN: Final = ("accord", "revision")

Row = Mapping[str, Any]


def items(tables: Tables) -> Iterator[Item]:
    """The items of both tasks, with the number of their steps."""
    steps = {
        row["item_id"]: row["steps"]
        for config in students.CONFIGS
        for row in tables[config].select(["item_id", "steps"]).to_pylist()
    }
    for item in students.items(tables):
        yield replace(item, scales={"steps": steps[item.item_id]})


def clues(tables: Tables) -> Clues:
    """For each question, the answers that bear on it."""
    found: dict[str, list[Clue]] = {}
    for config in students.CONFIGS:
        for row in tables[config].to_pylist():
            of_task = _of_bsi if row["task"] == BSI else students.of_bdu
            found.setdefault(row["participant_id"], []).extend(of_task(row))
    return found


def _of_bsi(row: Row) -> Iterator[Clue]:
    """The answers with a claim on one of the two ends, by the part that they play."""
    slot, gold, topic = row["item_id"], row["answer"], students.Topic.of(row["topic"])
    source, target = claims_reader_of(row["topic"]).edge(row["question"])
    yield Clue("edge", slot, f"{source} {target}", gold, "background")
    texts = {digest(turn["answer"]): turn for turn in row["context"]}
    for claim in row["claims"]:
        part = _part(claim, source, target)
        if part and (turn := texts.get(claim["answer"])):
            wanted = {source: "SOURCE", target: "TARGET"}
            yield Clue(part, slot, topic.masked(turn, wanted), gold)


def _part(claim: Row, source: str, target: str) -> str:
    """What a claim is to the question; empty for nothing."""
    ends = (claim["source"], claim["target"])
    if claim["kind"] == "weighing":
        return "weighing" if claim["on"] == target else ""
    if claim["kind"] in _AGAIN:
        return claim["kind"] if ends == (source, target) else ""
    if claim["kind"] not in ("effect", "others_effect", "first_view"):
        return ""
    if ends == (source, target):
        return f"{claim['kind']} both"
    return "out" if claim["source"] == source else "in" if claim["target"] == target else ""
