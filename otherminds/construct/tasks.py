"""The stages of pipelines as lm-eval tasks: a document for each sheet that waits for a reply.

    task: construct_chess_game
    dataset_kwargs: {dataset: chess-made, pipeline: chess, stage: game}
    custom_dataset: !function otherminds.construct.tasks.documents
    doc_to_text: !function otherminds.construct.tasks.prompt
    process_results: !function otherminds.construct.tasks.text

`--metadata construct_dir=DIR` names the construction. The run changes nothing there: its samples are
read by `otherminds construct import DIR SAMPLES`, as replies of any author are.

accepted    share of the replies that an import would accept
parse_rate  share of the replies that are of the sheet's schema
n_sheets, n_units   how many sheets of how many units were asked; those of blind readers name no unit
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
from datasets import Dataset

from otherminds.construct import blind, folder, judging, ledger, pipelines
from otherminds.construct.pipeline import MARKING, READING, Plan, Role
from otherminds.construct.refusals import Refusal
from otherminds.construct.sheets import Sheet
from otherminds.construct.state import Open, State
from otherminds.construct.wanted import Wanted
from otherminds.data import loading
from otherminds.data.rows import dataset_of
from otherminds.dataset_builders.constructed import Unit
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.keys import CONSTRUCTION as KEY
from otherminds.keys import refuse_slips
from otherminds.metrics import thoughts
from otherminds.metrics.ranges import SHARE
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition
from otherminds.scoring.base import Record, Totals, plain
from otherminds.scoring.scorer import Scorer, Scores, Texts
from otherminds.types import Doc

_LAST = (READING, MARKING)
_TEXT = pa.string()
_SCHEMA = pa.schema(
    [
        ("item_id", _TEXT),
        ("sheet_id", _TEXT),
        ("pipeline", _TEXT),
        ("stage", _TEXT),
        ("folder", _TEXT),
        ("unit", _TEXT),
        ("system", _TEXT),
        ("prompt", _TEXT),
        ("schema", _TEXT),
        ("frame_hash", _TEXT),
    ]
)


def documents(
    *, pipeline: str, stage: str, construct_dir: str | None = None, **others: Any
) -> dict[str, Dataset]:
    """The documents of a stage: lm-eval's `custom_dataset`.

    pipeline, stage  from the YAML; `reading` is the stage of blind readers, `marking` of who marks them
    construct_dir    from `--metadata`: the folder of the construction

    Without a folder, the sheets are those of the pipeline's example, to be looked at. Raises
    OtherMindsError for a folder of another pipeline, and where no sheet of the stage waits.
    """
    refuse_slips(others, (KEY,))
    if construct_dir is None:
        return {loading.SPLIT: dataset_of(_examples(pipeline, stage), _SCHEMA)}
    path = Path(construct_dir).expanduser()
    found = folder.opened(path)
    if found.facts.pipeline != pipeline:
        raise OtherMindsError(
            f"{path} is a construction of '{found.facts.pipeline}', and this task is one of "
            f"'{pipeline}'."
        )
    now = found.state()
    docs = _of_last(found, now, stage) if stage in _LAST else _of_stage(now, stage, path)
    if not docs:
        raise OtherMindsError(
            f"No sheet of the stage '{stage}' waits for a reply in {path}. `otherminds construct status "
            f"{path}` says which do."
        )
    return {loading.SPLIT: dataset_of(docs, _SCHEMA)}


def prompt(doc: Doc) -> str:
    """What a model is shown: who it is, then the task."""
    return f"{doc['system']}\n\n{doc['prompt']}"


def _of_stage(now: State, stage: str, path: Path) -> list[dict[str, Any]]:
    return [
        _document(now, one, now.sheet(one), str(path)) for one in now.open() if one.stage == stage
    ]


def _of_last(found: folder.Folder, now: State, stage: str) -> list[dict[str, Any]]:
    wanted = [one for one in blind.asked(found, now).values() if one.stage == stage]
    sheets = sorted((one.sheet for one in wanted), key=lambda sheet: sheet.sheet_id)
    return [_row(found.facts.pipeline, sheet, "", str(found.path)) for sheet in sheets]


def _examples(name: str, stage: str) -> list[dict[str, Any]]:
    pipeline = pipelines.named(name)
    units = list(pipeline.example())
    if not units and stage == pipeline.stages[0].name:
        units = list(pipeline.frames(Plan(n=1)))
    if not units or stage in _LAST:
        raise AccessNeededError(
            f"construct_{name}_{stage} asks for what waits in a construction.",
            steps=[
                f"Begin one with `otherminds construct export {name} --out DIR`, and let the stages "
                "before be answered.",
                f"Name it where it is used: `--metadata {KEY}=DIR`.",
            ],
        )
    now = State(name, pipeline, units)
    wanted = pipeline.stage(stage)
    blind_ids = wanted.role is Role.RATER
    docs = []
    for place, unit in enumerate(units, start=1):
        sheet_id = f"{stage}-example-{place}" if blind_ids else f"{unit.unit_id}.{stage}.1"
        one = Open(sheet_id, unit.unit_id, stage, 1, 1)
        docs.append(_document(now, one, now.sheet(one), ""))
    return docs


def _document(now: State, one: Open, sheet: Sheet, path: str) -> dict[str, Any]:
    is_blind = now.pipeline.stage(one.stage).role is Role.RATER
    return _row(now.pipeline.name, sheet, "" if is_blind else one.unit_id, path)


def _row(pipeline: str, sheet: Sheet, unit: str, path: str) -> dict[str, Any]:
    return {
        "item_id": sheet.sheet_id,
        "sheet_id": sheet.sheet_id,
        "pipeline": pipeline,
        "stage": sheet.stage,
        "folder": path,
        "unit": unit,
        "system": sheet.system,
        "prompt": sheet.prompt,
        "schema": json.dumps(sheet.schema, ensure_ascii=False),
        "frame_hash": sheet.frame_hash,
    }


@dataclass(frozen=True, slots=True)
class Looked(Record):
    """What an import would say of the replies to one sheet, by run: nothing where it accepts one."""

    unit: str
    refusals: tuple[tuple[str, ...], ...]

    @property
    def parsed(self) -> tuple[bool, ...]:
        """By run, whether the reply is of the sheet's schema."""
        return tuple(not (_FORM & set(one)) for one in self.refusals)

    @property
    def accepted(self) -> tuple[bool, ...]:
        """By run, whether it would be accepted."""
        return tuple(not one for one in self.refusals)

    @staticmethod
    def totals(records: Sequence[Looked]) -> Totals:
        """The metrics above."""
        clusters = partition([one.unit for one in records])
        estimates: dict[str, Estimate] = {
            "accepted": SHARE.cut(clustered_mean([_mean(r.accepted) for r in records], clusters)),
            "parse_rate": SHARE.cut(clustered_mean([_mean(r.parsed) for r in records], clusters)),
        }
        return Totals(estimates, {"n_sheets": len(records), "n_units": clusters.count})

    @classmethod
    def details(cls, records: Sequence[Looked]) -> dict[str, Any]:
        """All numbers; by_reason has the share of sheets that each check refused."""
        found = cls.totals(records)
        clusters = partition([one.unit for one in records])
        reasons = sorted({name for one in records for run in one.refusals for name in run})
        return {
            "estimates": plain(found.estimates),
            "counts": dict(found.counts),
            "by_reason": {
                name: plain(
                    {
                        "refused": SHARE.cut(
                            clustered_mean(
                                [_mean([name in run for run in one.refusals]) for one in records],
                                clusters,
                            )
                        )
                    }
                )
                for name in reasons
            },
        }


_FORM = frozenset(
    (
        "length",
        "control_characters",
        "lookalikes",
        "template_tokens",
        "json",
        "text_around",
        "schema",
        "empty",
    )
)
"""Refusals of a reply that is not of its sheet's schema."""


def _read(doc: Doc, replies: Texts) -> Looked:
    said = tuple(tuple(sorted({one.check for one in _refused(doc, text)})) for text in replies)
    return Looked(doc["unit"] or doc["sheet_id"], said)


def _refused(doc: Doc, text: str | None) -> Sequence[Refusal]:
    shown = None if text is None else thoughts.without_reasoning(text)
    if shown is None or not shown.strip():
        return [Refusal("empty", "there is no reply")]
    if doc["stage"] in _LAST:
        try:
            _wanted(doc["folder"], _size(doc["folder"]))[doc["sheet_id"]].read(shown)
        except judging.FaultyError as error:
            return error.refusals
        return []
    now = _standing(doc["pipeline"], doc["folder"])
    one = _unit_of(now, doc)
    stage = now.pipeline.stage(doc["stage"])
    try:
        content = judging.content(shown, stage.ask(one).reply)
    except judging.FaultyError as error:
        return error.refusals
    others = [other for other in now.units() if other.unit_id != one.unit_id]
    return judging.refusals(stage, one, content, others)


def _unit_of(now: State, doc: Doc) -> Unit:
    if doc["unit"]:
        return now.unit(doc["unit"])
    for one in now.open():
        if one.sheet_id == doc["sheet_id"]:
            return now.unit(one.unit_id)
    return now.units()[0]


def _standing(pipeline: str, path: str) -> State:
    if not path:
        return _of_example(pipeline)
    return _opened(path, _size(path))


def _size(path: str) -> int:
    return (Path(path) / ledger.NAME).stat().st_size


@lru_cache(maxsize=2)
def _wanted(path: str, size: int) -> Mapping[str, Wanted]:
    found = folder.opened(Path(path))
    return blind.asked(found, found.state())


@lru_cache(maxsize=2)
def _opened(path: str, size: int) -> State:
    return folder.opened(Path(path)).state()


@lru_cache(maxsize=8)
def _of_example(name: str) -> State:
    pipeline = pipelines.named(name)
    units = list(pipeline.example()) or list(pipeline.frames(Plan(n=1)))
    return State(name, pipeline, units)


def _scores(looked: Looked) -> Scores:
    return {
        "accepted": [float(one) for one in looked.accepted],
        "parse_rate": [float(one) for one in looked.parsed],
    }


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values)


SCORER = Scorer(
    metrics={"accepted": True, "parse_rate": True},
    counts=("n_sheets", "n_units"),
    read=_read,
    scores=_scores,
    called="a stage of a construction",
)
text = SCORER.text
