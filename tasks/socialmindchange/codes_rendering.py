"""SocialMindChange with scenes that a language model has told anew, checked line by line.

Two stages (see `otherminds.running.stages`). `scenes` and `questions` are their datasets: a document for
each scene, and the questions, each with its stage as it stands after the first stage. What
`dataset_builders.socialmindchange.codes.rerender` does not accept stays as it was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import pyarrow as pa
from datasets import Dataset

from otherminds import harness, prompts
from otherminds.data import loading as data
from otherminds.data.rows import dataset_of
from otherminds.dataset_builders.socialmindchange.cells import PER_STAGE
from otherminds.dataset_builders.socialmindchange.codes import content
from otherminds.dataset_builders.socialmindchange.codes.rerender import Checker, Verdict
from otherminds.dataset_builders.socialmindchange.codes.rows import STAGES
from otherminds.keys import LIMIT
from otherminds.metrics.socialmindchange.scene import read_scene
from otherminds.running.stages import Samples, answers, reached, unreached
from otherminds.tasks.socialmindchange import documents as socialmindchange

RENDERED: Final = "rendered"
"""The column that says which scenes of a question's stage were told anew, by their numbers; null past
the limit of the first stage."""

_TEXT: Final = pa.string()
_PROMPT: Final = "socialmindchange__answer"
_OF_STAGE: Final = ("stage_id", "profile", "background", "scenes", "characters")

_SCHEMA: Final = pa.schema(
    [
        ("item_id", _TEXT),
        ("scene", pa.int32()),
        *(STAGES.field(name) for name in _OF_STAGE),
        ("states", pa.list_(_TEXT)),
        (
            "lines",
            pa.list_(pa.struct([("speaker", _TEXT), ("text", _TEXT), ("kept", pa.bool_())])),
        ),
    ]
)


def scenes(
    *, configs: Sequence[str], stage_limit: float | None = None, **wanted: Any
) -> dict[str, Dataset]:
    """The first stage's documents: lm-eval's `custom_dataset`. One for each scene, stage by stage.

    configs      the configuration of the stages
    stage_limit  make only the documents that the first so many questions on these stages need
    wanted       as in `otherminds.tasks.socialmindchange.documents.stage_rows`

    A document has its whole stage, which all its scenes share as the beginning of their prompts, and
    under `lines` the scene itself, with the lines that have to stay (`kept`).
    """
    [config] = configs
    rows = socialmindchange.stage_rows(config, **wanted)
    count = math.ceil(reached(stage_limit, len(rows) * PER_STAGE) / PER_STAGE)
    docs = [_document(row, scene) for row in rows[:count] for scene in row["scenes"]]
    return {data.SPLIT: dataset_of(docs, _SCHEMA)}


def questions(
    *,
    stages: Sequence[str],
    samples: Samples = None,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The second stage's documents: the questions on scenes as the first stage's samples tell them.

    stages       the tasks before this one, from the metadata of its YAML
    samples      the sample file of the first stage, from `--metadata`
    stage_limit  the one that the first stage was run with
    wanted       as in `otherminds.tasks.socialmindchange.documents.documents`

    Raises OtherMindsError when there are no samples, and when they are not of just the documents that
    the first stage has with these arguments.
    """
    asked = harness.documents(stages[-1], {**wanted, LIMIT: stage_limit})[data.SPLIT].to_list()
    replies = answers(asked, stage=stages[-1], samples=samples)
    anew: dict[str, dict[int, Mapping[str, Any]]] = {}
    for doc, reply in zip(asked, replies, strict=True):
        found = anew.setdefault(doc["stage_id"], {})
        judged = verdict(doc, reply)
        if judged is not None and judged.changed:
            found[doc["scene"]] = judged.scene

    def shown(stage_id: str, stage: socialmindchange.Stage) -> socialmindchange.Stage:
        known = anew.get(stage_id)
        if known is None:
            return {**stage, RENDERED: None}
        scenes = [known.get(scene["number"], scene) for scene in stage["scenes"]]
        numbers = [scene["number"] for scene in stage["scenes"] if scene["number"] in known]
        return {**stage, "scenes": scenes, RENDERED: numbers}

    return socialmindchange.documents(**wanted, changed=shown)


def prompt(doc: Mapping[str, Any]) -> str:
    """The prompt of a question on its stage as it stands after the first stage.

    Raises OtherMindsError for a question that the first stage was not run for.
    """
    if doc[RENDERED] is None:
        raise unreached(doc["item_id"])
    return prompts.renderer(_PROMPT)(doc)


def verdict(doc: Mapping[str, Any], reply: str | None) -> Verdict | None:
    """The scene after a reply to its document; None where the reply has no scene."""
    text = read_scene(reply)
    return None if text is None else _checker().check(doc, doc["scene"], text)


@cache
def _checker() -> Checker:
    return Checker(content.load())


def _document(row: Mapping[str, Any], scene: Mapping[str, Any]) -> dict[str, Any]:
    kept = _checker().cues(scene["turns"])
    return {
        "item_id": f"{row['stage_id']}-scene-{scene['number']}",
        "scene": scene["number"],
        **{name: row[name] for name in _OF_STAGE},
        "states": [],
        "lines": [
            {**turn, "kept": stays} for turn, stays in zip(scene["turns"], kept, strict=True)
        ],
    }
