"""One stage of SocialMindChange's codes with all its questions, as a page of the documentation.

`python -m otherminds.publishing.release` writes it, and a test fails when it is stale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from otherminds.data.build import dataset as build
from otherminds.dataset_builders.socialmindchange.codes import synthetic
from otherminds.manifest import Manifest
from otherminds.metrics.socialmindchange import LETTERS

NAME: Final = "benchmarks/stages/socialmindchange_codes_stage.md"


def page(known: Manifest) -> str:
    """The first stage of the release: people, scenes, the minds behind them, questions with answers."""
    generator = {**(known.generator or {}), "stages": 1, "lite": 0, "variants": {}}
    tables = build.builder_of(known).build(synthetic.spec(generator), num_proc=1, progress=None)
    [stage] = tables["stages"].to_pylist()
    parts = [*_head(known, stage), *scenes(stage), *_states(stage)]
    return "\n".join([*parts, *_questions(tables["questions"].to_pylist())]) + "\n"


def _head(known: Manifest, stage: Mapping[str, Any]) -> Iterator[str]:
    yield f"# One whole stage: {stage['stage_id']}"
    yield ""
    yield (
        f"The first of the release, version {known.version}: taken as it came, not chosen. A prompt "
        "shows the people, the background and the scenes; states, answers and reasons are for the "
        "reader here."
    )
    yield from people(stage)


def people(stage: Mapping[str, Any]) -> Iterator[str]:
    """Who the people are, and what is told beforehand."""
    yield ""
    yield "## The people"
    yield ""
    yield from (f"- {line}" for line in stage["profile"])
    yield ""
    yield stage["background"]


def scenes(stage: Mapping[str, Any]) -> Iterator[str]:
    """All scenes, turn by turn."""
    for scene in stage["scenes"]:
        yield ""
        yield f"## Scene {scene['number']}"
        for turn in scene["turns"]:
            said = f"**{turn['speaker']}:** {turn['text']}" if turn["speaker"] else turn["text"]
            yield from ("", said)


def _states(stage: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "## What is behind it", "")
    yield from states(stage)


def states(stage: Mapping[str, Any]) -> Iterator[str]:
    """The annotated states of mind, as a table."""
    yield "| scene | person | belief | emotion | intention | action |"
    yield "| ---: | --- | --- | --- | --- | --- |"
    for one in stage["states"]:
        cells = (one[name] for name in ("person", "belief", "emotion", "intention", "action"))
        yield f"| {one['scene']} | {' | '.join(cells)} |"


def _questions(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("", "## The questions", "")
    yield "The right option is bold; after every other one stands what speaks against it."
    for (kind, state), cell in groupby(rows, key=lambda row: (row["type"], row["mental_state"])):
        yield ""
        yield f"<details><summary>{kind}, {state}</summary>"
        for row in cell:
            yield ""
            yield f"{row['question']}"
            yield ""
            yield from _options(row)
        yield from ("", "</details>")


def _options(row: Mapping[str, Any]) -> Iterator[str]:
    for number, (option, against) in enumerate(zip(row["options"], row["reasons"], strict=True)):
        letter = LETTERS[number]
        reasons = ", ".join(against).replace("_", " ")
        text = f"**({letter}) {option}**" if letter == row["answer"] else f"({letter}) {option}"
        yield f"- {text}" + (f" — *{reasons}*" if reasons else "")


PAGES: Final = {"socialmindchange-codes": {NAME: page}}
"""By dataset, the pages of the documentation that are written from its manifest."""
