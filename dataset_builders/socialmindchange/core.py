"""SocialMindChange, core: stages that were written through `otherminds construct`, from units to rows.

Golds come from a unit's frame alone, and an evaluator that was written apart from the simulator proves
each again. Profile, background, scenes and lexicon are what authors wrote; options are composed from the
lexicon as those of the scale edition are, whose columns these rows have.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders import constructed, draws
from otherminds.dataset_builders.constructed import Built, Constructed, Facts, Unit, spec
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.socialmindchange.authored import checks, context, texts
from otherminds.dataset_builders.socialmindchange.authored.stage import Given
from otherminds.dataset_builders.socialmindchange.cells import LETTERS
from otherminds.dataset_builders.socialmindchange.columns import scenes
from otherminds.dataset_builders.socialmindchange.evaluator import Evaluator
from otherminds.dataset_builders.socialmindchange.scale.rows import QUESTIONS as SCALE_QUESTIONS
from otherminds.dataset_builders.socialmindchange.scale.rows import STAGES, as_text, rows_of_items
from otherminds.dataset_builders.sources import Step
from otherminds.dataset_builders.verdict import Audit, has_schema, none, verdict
from otherminds.types import Progress

__all__ = [
    "QUESTIONS",
    "STAGES",
    "Audit",
    "Built",
    "Facts",
    "audit",
    "build",
    "content_hash",
    "spec",
]

QUESTIONS: Final = pa.schema([*SCALE_QUESTIONS, pa.field("read_right", pa.float64())])
"""The columns of the scale edition, and `read_right`: the share of blind readers who were right, null
where nobody has read. `in_lite` marks the third of a stage's questions that readers are asked."""

WRITTEN: Final = ("context", "trajectory", "scenes", "lexicon")
"""The stages of authors."""

READ_CELLS: Final = 11
"""Of a stage's sixteen cells of type and mental state, those in which two of five questions are read; in
the others it is one. That makes 27 of 80, a third [O]."""


def build(source: Path, spec: Facts, *, progress: Progress | None = None) -> Built:
    """The questions and their stages, without what blind readers read otherwise.

    Raises SourceError for a folder that is none, and for a unit without its texts.
    """
    found = constructed.read(source)
    stages: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    for done, unit in enumerate(found.finished(WRITTEN), start=1):
        given = Given.of(unit)
        stages.append(_stage_row(unit, given))
        questions += _question_rows(unit, given, found)
        if progress is not None:
            progress(done, len(found.units))
    return Built(
        pa.Table.from_pylist(questions, schema=QUESTIONS),
        [Step("accepted and read", {"stages": len(stages), "questions": len(questions)})],
        also={"stages": pa.Table.from_pylist(stages, schema=STAGES)},
        construction=found.facts,
        units=found.units,
    )


def audit(built: Built, spec: Facts) -> list[Audit]:
    """All audits of a build, passed and failed: golds, and the proofs of the texts once more."""
    schemas = [has_schema(built.table, QUESTIONS), has_schema(built.also["stages"], STAGES)]
    if not all(one.passed for one in schemas):
        return [one for one in schemas if not one.passed][:1]
    questions, stages = built.table.to_pylist(), built.also["stages"].to_pylist()
    return [schemas[0], *_rows(questions, stages), *_units(built.units)]


def _rows(
    questions: Sequence[Mapping[str, Any]], stages: Sequence[Mapping[str, Any]]
) -> Iterator[Audit]:
    counts = Counter(row["item_id"] for row in questions)
    repeated = [name for name, n in counts.items() if n > 1]
    yield none("item_id_unique", repeated, "ids that occur more than once")
    evaluators = {row["stage_id"]: Evaluator(json.loads(row["frame"])) for row in stages}
    wrong = []
    for row in questions:
        claims = [json.loads(one) for one in row["claims"]]
        right = evaluators[row["stage_id"]].right(json.loads(row["asked"]), claims)
        if right != [letter == row["answer"] for letter in LETTERS[: len(claims)]]:
            wrong.append(row["item_id"])
    yield none("evaluator", wrong, "questions that the second evaluator answers otherwise")
    same = [row["item_id"] for row in questions if len({*row["options"]}) < len(row["options"])]
    yield none("options_differ", same, "questions with two options that read the same")
    read = [row["read_right"] for row in questions if row["read_right"] is not None]
    yield verdict("questions_read", True, len(read), "questions with blind readers", kind="stated")


def _units(units: Sequence[Unit]) -> Iterator[Audit]:
    """The proofs of import once more, as a folder can be edited by hand."""
    for name in WRITTEN:
        faulty = [
            unit.unit_id for unit in units if any(checks.of_stage(name, unit, unit.texts[name]))
        ]
        yield none(f"proofs_{name}", faulty, f"stages whose {name} is refused by a proof")
    told: dict[str, set[str]] = {}
    for unit in units:
        for name in WRITTEN:
            for text in checks.texts_of(name, unit.texts[name]):
                for sentence in texts.long_sentences(text):
                    told.setdefault(sentence, set()).add(unit.unit_id)
    shared = sorted(sentence for sentence, found in told.items() if len(found) > 1)
    yield none("own_sentences", shared, "sentences of six words or more that several stages have")


def _stage_row(unit: Unit, given: Given) -> dict[str, Any]:
    told = unit.texts["context"]
    return {
        **_shared(unit, given, in_lite=True),
        "place_kind": unit.frame["place_kind"],
        "place": told["place"],
        "project": told["occasion"],
        "due": "",
        "things": [],
        "corners": [],
        "characters": [
            {
                "name": person.name,
                "given": person.name,
                "role": person.role,
                "gender": named.gender,
                "age": said["age"],
                "occupation": said["work"],
                "relation": "",
                "ear": person.ear,
                "face": person.face,
            }
            for person, named, said in zip(
                given.frame.people, given.people, told["people"], strict=True
            )
        ],
        "profile": context.profile(told),
        "background": context.background(told),
        "scenes": scenes(
            ((turn["speaker"], turn["text"]) for turn in scene["turns"])
            for scene in unit.texts["scenes"]["scenes"]
        ),
        "states": [],
        "frame": as_text(unit.frame["world"]),
        "lexicon": as_text(unit.texts["lexicon"]["phrases"]),
        "redrawn": 0,
    }


def _question_rows(unit: Unit, given: Given, found: Constructed) -> Iterator[dict[str, Any]]:
    items = given.items(unit.texts["lexicon"]["phrases"])
    rows = rows_of_items(unit.unit_id, items)
    cells: dict[tuple[str, str], list[str]] = {}
    for item_id, row in rows.items():
        cells.setdefault((row["type"], row["mental_state"]), []).append(item_id)
    read = _read(unit.unit_id, cells)
    for item_id, row in rows.items():
        if item_id not in found.dropped:
            needed = [one for one in row["prerequisites"] if one not in found.dropped]
            yield {
                "item_id": item_id,
                **_shared(unit, given, in_lite=item_id in read),
                **row,
                "prerequisites": needed,
                "read_right": found.right.get(item_id),
            }


def _read(unit_id: str, cells: Mapping[tuple[str, str], Sequence[str]]) -> frozenset[str]:
    """The third of a stage's questions that blind readers are asked: one or two of each cell."""
    chosen = []
    order = sorted(cells, key=lambda cell: draws.rank(0, unit_id, *cell))
    for place, cell in enumerate(order):
        own = sorted(cells[cell], key=lambda item_id: draws.rank(0, item_id))
        chosen += own[: 2 if place < READ_CELLS else 1]
    return frozenset(chosen)


def _shared(unit: Unit, given: Given, *, in_lite: bool) -> dict[str, Any]:
    return {
        "stage_id": unit.unit_id,
        "variant": unit.frame["variant"],
        "group_size": given.frame.size,
        "n_scenarios": len(given.frame.scenes),
        "in_lite": in_lite,
    }
