"""Writing a study: a folder for every person, and the key for its leader."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from otherminds import files
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.tasks.socialmindchange.benchmark import STUDIED
from otherminds.tasks.socialmindchange.study import key as keys
from otherminds.tasks.socialmindchange.study import page, sheets
from otherminds.tasks.socialmindchange.study.key import (
    Key,
    KeyPages,
    KeyPlan,
    KeyQuestion,
    KeyStage,
)
from otherminds.tasks.socialmindchange.study.sampling import Drawn, Plan, Question, Stage, draw
from otherminds.tasks.socialmindchange.study.sheets import AskedQuestion, Scene, Sheet, ShownStage

RETURNED = "returned"
"""The folder that filled tables are put into."""

SENT = "for_"
"""The prefix of the folders that are sent; the annotator's name follows."""

_CONFIGS = {"": ("stages", "questions"), "_variants": ("stages_variants", "questions_variants")}
_SUFFIXES = {"lite": ("",), "base": ("",), "variants": ("_variants",), "all": ("", "_variants")}
_FACTS = ("stage_id", "variant", "place_kind", "in_lite")


@dataclass(frozen=True)
class Exported:
    """The written study: its folder, and how many stages and questions each person got."""

    folder: Path
    study: str
    stages: Mapping[str, int]
    questions: Mapping[str, int]


def export(
    out: Path,
    plan: Plan,
    *,
    dataset: str = STUDIED,
    source: str | None = None,
    revision: str | None = None,
) -> Exported:
    """Draw a study and write it to the folder `out`, all or nothing.

    for_A01/annotate_A01.html, .csv   the first person's sheet: a page, and the same as a table
    key.json                          the meaning of all rows; for the study's leader alone
    returned/                         where the leader puts returned sheets
    README.txt                        what to do

    The same plan and the same data give the same bytes. `source` and `revision` as in
    `otherminds.data.loading.load`.

    Raises OtherMindsError for a folder that is not empty, because answers may be in it, for a dataset of
    another benchmark, for data that cannot be had, and for a plan that they cannot meet.
    """
    _check_target(out)
    try:
        keys.known(dataset)
    except ValueError as error:
        raise OtherMindsError(f"There are no studies of '{dataset}': {error}.") from error
    stages, questions = (_table(dataset, plan, place, source, revision) for place in (0, 1))
    drawn = draw(plan, _drawable(stages), _questions_of(questions))
    facts = _facts(dataset, plan, source, revision)
    study = f"study-{keys.digest([vars(plan), facts])[:10]}"
    chosen = pa.array(list(drawn.questions))
    shown = {
        row["stage_id"]: row
        for row in stages.filter(pc.is_in(stages["stage_id"], chosen)).to_pylist()
    }
    asked = {
        row["item_id"]: row
        for row in questions.filter(
            pc.is_in(questions["item_id"], pa.array(_flat(drawn.questions.values()), pa.string()))
        ).to_pylist()
    }
    key = _key(study, dataset, plan, facts, drawn, shown, asked)
    with files.atomic_folder(out) as folder:
        for name in drawn.sheets:
            own = folder / f"{SENT}{name}"
            own.mkdir()
            sheet = _sheet(key, name, shown, asked)
            sheets.write_table(sheet, own / f"annotate_{name}.csv")
            page.write_page(sheet, own / f"annotate_{name}.html")
        (folder / RETURNED).mkdir()
        (folder / "README.txt").write_text(sheets.asset("leader.txt"), encoding="utf-8")
        keys.write(key, folder)
    return Exported(
        out,
        study,
        {name: len(pages) for name, pages in drawn.sheets.items()},
        {name: sum(len(one.item_ids) for one in pages) for name, pages in drawn.sheets.items()},
    )


def _check_target(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OtherMindsError(
            f"{out} exists and is not an empty folder; answers may be in it. Choose another name."
        )


def _table(
    dataset: str, plan: Plan, place: int, source: str | None, revision: str | None
) -> pa.Table:
    """The stages (0) or the questions (1) that the plan draws from."""
    configs = [_CONFIGS[suffix][place] for suffix in _SUFFIXES[plan.part]]
    rows = data.for_task(
        dataset=dataset, configs=configs, data_source=source, data_revision=revision
    )[data.SPLIT]
    table: pa.Table = rows.data.table
    return table.filter(pc.field("in_lite")) if plan.part == "lite" else table


def _facts(dataset: str, plan: Plan, source: str | None, revision: str | None) -> dict[str, Any]:
    """Which data they are, wherever they were taken from."""
    configs = [name for suffix in _SUFFIXES[plan.part] for name in _CONFIGS[suffix]]
    origin = data.provenance(dataset, configs, data_source=source, data_revision=revision)
    return {name: origin[name] for name in ("dataset", "version", "content_hash")}


def _drawable(stages: pa.Table) -> list[Stage]:
    names = ("stage_id", "variant", "place_kind")
    return [Stage(*row) for row in zip(*(stages[name].to_pylist() for name in names), strict=True)]


def _questions_of(questions: pa.Table) -> dict[str, list[Question]]:
    names = ("stage_id", "item_id", "type", "mental_state")
    found: dict[str, list[Question]] = defaultdict(list)
    for stage_id, *row in zip(*(questions[name].to_pylist() for name in names), strict=True):
        found[stage_id].append(Question(*row))
    return found


def _key(
    study: str,
    dataset: str,
    plan: Plan,
    facts: dict[str, Any],
    drawn: Drawn,
    shown: Mapping[str, Mapping[str, Any]],
    asked: Mapping[str, Mapping[str, Any]],
) -> Key:
    return Key(
        study=study,
        dataset=dataset,
        plan=KeyPlan(**vars(plan)),
        data=facts,
        stages=[
            KeyStage(
                row=keys.row(study, "s", stage_id),
                **{name: shown[stage_id][name] for name in _FACTS},
                told=keys.told(shown[stage_id]),
                questions=[_key_question(study, asked[item_id]) for item_id in item_ids],
            )
            for stage_id, item_ids in drawn.questions.items()
        ],
        sheets={
            name: [
                KeyPages(
                    stage=keys.row(study, "s", one.stage_id),
                    questions=[keys.row(study, "q", item_id) for item_id in one.item_ids],
                )
                for one in pages
            ]
            for name, pages in drawn.sheets.items()
        },
    ).sealed()


def _key_question(study: str, question: Mapping[str, Any]) -> KeyQuestion:
    names = ("item_id", "type", "mental_state", "answer")
    return KeyQuestion(
        row=keys.row(study, "q", question["item_id"]),
        **{name: question[name] for name in names},
        options=len(question["options"]),
        asked=keys.asked(question),
    )


def _sheet(
    key: Key,
    annotator: str,
    shown: Mapping[str, Mapping[str, Any]],
    asked: Mapping[str, Mapping[str, Any]],
) -> Sheet:
    """A person's sheet, with the shown fields alone: nothing else of a row can slip in."""
    stages = {stage.row: shown[stage.stage_id] for stage in key.stages}
    questions = {one.row: asked[one.item_id] for stage in key.stages for one in stage.questions}
    return Sheet(
        key.study,
        annotator,
        tuple(
            ShownStage(
                row=pages.stage,
                profile=tuple(stages[pages.stage]["profile"]),
                background=stages[pages.stage]["background"],
                scenes=tuple(_scene(scene) for scene in stages[pages.stage]["scenes"]),
                questions=tuple(
                    AskedQuestion(row, questions[row]["question"], tuple(questions[row]["options"]))
                    for row in pages.questions
                ),
            )
            for pages in key.sheets[annotator]
        ),
    )


def _scene(scene: Mapping[str, Any]) -> Scene:
    turns = tuple((turn["speaker"] or "", turn["text"]) for turn in scene["turns"])
    return Scene(scene["number"], turns)


def _flat(groups: Sequence[tuple[str, ...]] | Any) -> list[str]:
    return [one for group in groups for one in group]
