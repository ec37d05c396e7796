"""The documents for a judge: an answer, and the criteria of its instance.

One document is one answer (or one part of it), from the samples of one or several answering tasks. A
judge sees the criteria and the answer, and neither the true state nor the turns, as in the paper.

The answer stands between marker lines with a word that is drawn from the whole document and that the
answer does not contain, so that no text can claim to end it. Text that speaks to the judge inside
is part of the judged answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from datasets import Dataset

from otherminds import harness
from otherminds.data import loading as data
from otherminds.data.rows import dataset_of
from otherminds.errors import OtherMindsError
from otherminds.keys import LIMIT, SAMPLES
from otherminds.metrics.synchtom import DIMENSIONS, is_cut_off, read_answer
from otherminds.running.stages import Samples, answers

_DIMENSION = pa.struct(
    [
        ("name", pa.string()),
        ("text", pa.string()),
        ("criteria", pa.list_(pa.string())),
        ("order", pa.list_(pa.int32())),
    ]
)
_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("compared_as", pa.string()),
        ("condition", pa.string()),
        ("instance_id", pa.string()),
        ("scenario", pa.string()),
        ("n_turns", pa.int32()),
        ("is_answered", pa.bool_()),
        ("was_cut_off", pa.bool_()),
        ("was_cut", pa.bool_()),
        ("marker", pa.string()),
        ("rules", pa.string()),
        ("flagged", pa.list_(pa.int32())),
        ("n_criteria", pa.list_(pa.int32())),
        ("dimensions", pa.list_(_DIMENSION)),
    ]
)

RULES = ("paper", "strict")
"""The instruction to the judge: "paper", to analyse first and to look for the core concept of a
criterion, or "strict", to give a reason with each verdict and to want all that the criterion asks."""

Doc = dict[str, Any]


def documents(
    *,
    stages: Sequence[str],
    samples: Samples = None,
    stage_limit: float | None = None,
    form: Literal["whole", "each"] = "whole",
    criteria_seed: int | None = None,
    judge_rules: str = "paper",
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of a judging task: lm-eval's `custom_dataset`.

    stages         the answering tasks, from the metadata of the YAML
    samples        their sample files, from `--metadata`
    form           all three parts of an answer in one document, or each in one of its own
    criteria_seed  from `--metadata`: show criteria in a random order, to measure the effect of order
    judge_rules    from `--metadata`: one of RULES

    An answer that could not be read is shown as saying nothing: the judge has the same documents for
    every model, and its verdicts on these do not count (`otherminds.tasks.synchtom.scoring`).
    Raises OtherMindsError for samples of other data or instances, for missing ones, and for other rules.
    """
    if judge_rules not in RULES:
        raise OtherMindsError(f"judge_rules is {judge_rules!r}: give one of {', '.join(RULES)}.")
    settings = {**wanted, SAMPLES: samples, LIMIT: stage_limit}
    docs = []
    for stage in stages:
        # As the task makes them itself.
        asked = [dict(doc) for doc in harness.documents(stage, settings)[data.SPLIT]]
        texts = answers(asked, stage=stage, samples=samples)
        for answered, text in zip(asked, texts, strict=True):
            docs += _of_answer(stage, answered, text, form, criteria_seed, judge_rules)
    _name_for_comparison(docs)
    # By instance: the criteria come first in a prompt, and a limit covers all conditions.
    docs.sort(key=lambda doc: doc["instance_id"])
    return {data.SPLIT: dataset_of(docs, _SCHEMA)}


def _name_for_comparison(docs: Sequence[Doc]) -> None:
    """Name documents by their instance and whatever else distinguishes them here, and by nothing else.

    So that judgements of the same instance under two conditions, or of two models, can be paired.
    """
    several = len({doc["n_turns"] for doc in docs}) > 1
    for doc in docs:
        parts = [doc["instance_id"]]
        parts += [f"turns{doc['n_turns']}"] if several else []
        parts += [doc["dimensions"][0]["name"]] if len(doc["dimensions"]) == 1 else []
        doc["compared_as"] = "-".join(parts)


def _of_answer(
    stage: str,
    answered: Doc,
    text: str | None,
    form: str,
    criteria_seed: int | None,
    rules: str,
) -> list[Doc]:
    item_id = f"{stage}-{answered['item_id']}"
    answer = read_answer(text)
    parts = [
        {
            "name": name,
            "text": answer.parts[name] if answer else "",
            **_criteria(answered["rubrics"][name], item_id, name, criteria_seed),
        }
        for name in DIMENSIONS
    ]
    shown = [parts] if form == "whole" else [[part] for part in parts]
    return [
        {
            "item_id": item_id if form == "whole" else f"{item_id}-{part[0]['name']}",
            "condition": stage,
            "instance_id": answered["instance_id"],
            "scenario": answered["scenario"],
            "n_turns": answered["n_turns"],
            "is_answered": answer is not None,
            "was_cut_off": is_cut_off(text),
            "was_cut": answer is not None and answer.was_cut,
            "marker": _marker(part),
            "rules": rules,
            "flagged": list(answered["misdirected"]),
            "n_criteria": [len(answered["rubrics"][name]) for name in DIMENSIONS],
            "dimensions": part,
        }
        for part in shown
    ]


def _criteria(criteria: Sequence[str], item_id: str, name: str, seed: int | None) -> Doc:
    """The criteria as they are shown, and for each its place in the rubric."""
    order = list(range(len(criteria)))
    if seed is not None:
        digest = hashlib.sha256(f"{seed}-{item_id}-{name}".encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
        order = [int(place) for place in rng.permutation(len(criteria))]
    return {"criteria": [criteria[place] for place in order], "order": order}


def _marker(parts: Sequence[Doc]) -> str:
    """A word that no part of the answer contains."""
    content = json.dumps(parts, ensure_ascii=False)
    number = 0
    while True:
        word = hashlib.sha256(f"{number}-{content}".encode()).hexdigest()[:12].upper()
        if word.casefold() not in content.casefold():
            return f"ANSWER-{word}"
        number += 1
