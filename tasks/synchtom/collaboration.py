"""The paper's training-free collaboration: the best of several models' conclusions for one generator.

Candidates answer, a judge scores them with the gold rubrics, and per instance the best belief and
profile are given to the generator, which writes the answer that is judged in the end. Because gold
rubrics choose, scores of this method measure the worth of good conclusions, and not the ability of
a model without the answers; results are stamped so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pyarrow as pa
from datasets import Dataset

from otherminds import harness
from otherminds.data import loading as data
from otherminds.data.rows import dataset_of
from otherminds.errors import OtherMindsError
from otherminds.keys import LIMIT, SAMPLES
from otherminds.metrics.synchtom import DIMENSIONS, Unscored, read_answer
from otherminds.running.stages import Samples, answers
from otherminds.tasks.synchtom import scoring
from otherminds.tasks.synchtom.answers import SCHEMA

_BELIEF, _PROFILE = list(DIMENSIONS)[:2]

_SCHEMA = pa.schema(
    [
        *((field.name, field.type) for field in SCHEMA),
        ("chosen_belief", pa.string()),
        ("chosen_profile", pa.string()),
        ("chosen_from", pa.string()),
        ("chosen_points", pa.float64()),
    ]
)

Doc = dict[str, Any]
Choice = Literal["joint", "belief", "profile"]


def documents(
    *,
    stages: Sequence[str],
    samples: Samples = None,
    choice: Choice = "joint",
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of the generator's task: lm-eval's `custom_dataset`.

    stages   the candidates' tasks, then in the same order those that judge them, from the YAML
    samples  their sample files, from `--metadata`
    choice   the part taken from the best candidate, and the score that decides: belief and profile
             together, or one of them alone

    Of equally good candidates the first is taken, and one without a judgement is never. An instance on
    which no candidate has any is given nothing. Raises OtherMindsError for samples of other data.
    """
    if len(stages) % 2 or not stages:
        raise OtherMindsError("A collaboration needs candidates and as many tasks that judge them.")
    settings = {**wanted, SAMPLES: samples, LIMIT: stage_limit}
    half = len(stages) // 2
    docs: list[Doc] = []
    best: dict[str, Doc] = {}
    for candidate, judge in zip(stages[:half], stages[half:], strict=True):
        asked = _documents(candidate, settings)
        docs = docs or asked
        points = _points(judge, settings, samples, choice)
        for doc, text in zip(asked, answers(asked, stage=candidate, samples=samples), strict=True):
            found = _chosen(candidate, text, points.get(doc["instance_id"]), choice)
            if found["chosen_points"] > best.get(doc["item_id"], _NOTHING)["chosen_points"]:
                best[doc["item_id"]] = found
    chosen = [{**doc, **best.get(doc["item_id"], _NOTHING)} for doc in docs]
    return {data.SPLIT: dataset_of(chosen, _SCHEMA)}


_NOTHING: Doc = {
    "chosen_belief": None,
    "chosen_profile": None,
    "chosen_from": None,
    "chosen_points": -1.0,
}


def _documents(task: str, settings: Mapping[str, Any]) -> list[Doc]:
    return [dict(doc) for doc in harness.documents(task, settings)[data.SPLIT]]


def _points(
    judge: str, settings: Mapping[str, Any], samples: Samples, choice: Choice
) -> dict[str, float]:
    """By instance, the points of 100 of a candidate's answer in the dimensions of the choice."""
    asked = _documents(judge, settings)
    replies = answers(asked, stage=judge, samples=samples)
    points = {}
    for doc, reply in zip(asked, replies, strict=True):
        [item] = scoring.judged([scoring.VERDICTS.read(doc, [reply])])
        [mark] = item.marks
        if isinstance(mark, Unscored):
            continue
        shares = [100.0 * n / most for n, most in zip(mark, item.criteria, strict=True)][:2]
        points[item.instance_id] = {
            "joint": sum(shares) / 2,
            "belief": shares[0],
            "profile": shares[1],
        }[choice]
    return points


def _chosen(candidate: str, text: str | None, points: float | None, choice: Choice) -> Doc:
    answer = read_answer(text)
    if answer is None or points is None:
        return _NOTHING
    return {
        "chosen_belief": None if choice == "profile" else answer.parts[_BELIEF],
        "chosen_profile": None if choice == "belief" else answer.parts[_PROFILE],
        "chosen_from": candidate,
        "chosen_points": points,
    }
