"""The first stages of SocialMindChange's scale edition with all their questions, as pages of `docs/`.

`python -m otherminds.publishing.release` writes them, and a test fails when one is stale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final

from otherminds.data.build import dataset as build
from otherminds.dataset_builders.socialmindchange.scale import synthetic
from otherminds.manifest import Manifest
from otherminds.metrics.socialmindchange import LETTERS
from otherminds.tasks.socialmindchange import codes_stage_page

DATASET: Final = "socialmindchange-scale"
NUMBERS: Final = (1, 2, 3)


def name(number: int) -> str:
    """The page with this stage, counted from 1, below `docs/`."""
    return f"benchmarks/stages/{_file(number)}"


def _file(number: int) -> str:
    return f"socialmindchange_stage_{number}.md"


def page(known: Manifest, number: int) -> str:
    """A stage of the release by its number from 1: people, scenes, questions, answers folded away."""
    generator = {**(known.generator or {}), "stages": number, "lite": 0, "variants": {}}
    tables = build.builder_of(known).build(synthetic.spec(generator), num_proc=1, progress=None)
    stage = tables["stages"].to_pylist()[-1]
    rows = [row for row in tables["questions"].to_pylist() if row["stage_id"] == stage["stage_id"]]
    parts = [*_head(known, stage, number), *codes_stage_page.scenes(stage), *_states(stage)]
    return "\n".join([*parts, *_questions(rows)]) + "\n"


def _head(known: Manifest, stage: Mapping[str, Any], number: int) -> Iterator[str]:
    others = " and ".join(f"[{one}]({_file(one)})" for one in NUMBERS if one != number)
    yield f"# One whole stage: {stage['stage_id']}"
    yield ""
    yield (
        f"One of the first {len(NUMBERS)} of the release, version {known.version}: taken as they came, "
        f"not chosen. Stages {others} have pages, too. A prompt shows the people, the background, the "
        "scenes and one question. States of mind and answers are folded away here. The world in "
        "symbols, which they follow from, is in the data."
    )
    yield from codes_stage_page.people(stage)


def _states(stage: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", "<details><summary>What is behind it</summary>", "")
    yield "How those whose minds are open stand to what each scene turns on, before the guide's word."
    yield ""
    yield from codes_stage_page.states(stage)
    yield from ("", "</details>")


def _questions(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("", "## The questions")
    for (kind, state), cell in groupby(rows, key=lambda row: (row["type"], row["mental_state"])):
        yield from ("", f"### {kind}, {state}")
        for number, row in enumerate(cell, start=1):
            yield from ("", f"**{number}.** {row['question']}", "")
            for letter, option in zip(LETTERS, row["options"], strict=False):
                yield f"- ({letter}) {option}"
            right = (
                f"({row['answer']}). Order of belief {row['order']}, conclusions {row['steps']}."
            )
            yield from ("", f"<details><summary>Answer</summary>{right}</details>")


PAGES: Final = {DATASET: {name(one): partial(page, number=one) for one in NUMBERS}}
"""By dataset, the pages of the documentation that are written from its manifest."""
