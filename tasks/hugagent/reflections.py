"""HugAgent with reflections: experts first write down what they see in a person's interview, then a
model answers the person's items with these notes beside the interview.

Two stages (see `otherminds.running.stages`). `notes` and `items` are their datasets: a document for each
person, topic and expert, and the items, each with the three notes on its person and topic.

The notes of one person and topic serve all items about them. So the experts see those turns of the
interview that *every* such item shows. On the synthetic track these are all turns. On the human track
each item of the kind BSI hides the turn that would answer it: none of these reaches the notes, not
even those of another item. Items that show their source all the same (`source_shown`) show it to the
experts too, and no item's notes rest on more than the item itself shows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from datasets import Dataset
from datasets.table import InMemoryTable
from numpy.typing import NDArray

from otherminds import prompts
from otherminds.data import loading as data
from otherminds.dataset_builders.hugagent.ablations.contexts import Contexts, distinct, showing
from otherminds.metrics.reply import without_reasoning
from otherminds.running.stages import Samples, answers, reached, unreached

EXPERTS = ("psychologist", "political scientist", "sociologist")
"""Who writes notes. The aim of each is in templates/hugagent/reflect.jinja."""

REFLECTIONS = "reflections"
"""The column that holds an item's notes: [{expert, text}]; null past the limit of the first stage."""

_PROMPT = "hugagent__answer_reflected"
_TYPE = pa.list_(pa.struct([("expert", pa.string()), ("text", pa.string())]))


def notes(*, stage_limit: float | None = None, **wanted: Any) -> dict[str, Dataset]:
    """The first stage's documents: `custom_dataset` of a task with the items' own `dataset_kwargs`.

    stage_limit  make only the documents of the first so many items (a fraction below 1 is one of all):
                 the `--limit` of the stage that follows
    wanted       as in `otherminds.data.loading.for_task`
    """
    return {
        split: _expert_documents(docs, _subjects(docs), stage_limit)
        for split, docs in data.for_task(**wanted).items()
    }


def items(
    *,
    stages: Sequence[str],
    samples: Samples = None,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The second stage's documents: the items with their notes, read from the first stage's samples.

    stages       the tasks before this one, from the metadata of its YAML
    samples      the sample file of the first stage, from `--metadata`
    stage_limit  the one that the first stage was run with

    Raises OtherMindsError when there are no samples, and when they are not of just the documents that
    the first stage has with these arguments.
    """
    found = {}
    for split, docs in data.for_task(**wanted).items():
        subjects = _subjects(docs)
        asked = _expert_documents(docs, subjects, stage_limit)
        texts = answers(asked, stage=stages[-1], samples=samples)
        found[split] = _with_notes(docs, subjects, texts)
    return found


def visible(text: str | None) -> str:
    """An expert's reply as the next stage shows it: all but its reasoning; "" for no reply."""
    return (without_reasoning(text or "") or "").strip()


def prompt(doc: Mapping[str, Any]) -> str:
    """The prompt of an item with its notes.

    Raises OtherMindsError for an item that the first stage was not run for.
    """
    if doc[REFLECTIONS] is None:
        raise unreached(doc["item_id"])
    return prompts.renderer(_PROMPT)(doc)


@dataclass(frozen=True)
class _Subjects:
    """The pairs (person, topic) of a table of items, in the order in which they first appear.

    turns      of all interviews
    shared     for each subject, the places in `turns` that all its items show
    first_row  for each subject, its first item's row
    of_row     the subject of each row
    """

    turns: pa.StructArray
    shared: list[NDArray[np.int64]]
    first_row: NDArray[np.int64]
    of_row: NDArray[np.int64]


def _subjects(docs: Dataset) -> _Subjects:
    contexts = distinct(docs.data.table)
    members: dict[tuple[str, str], list[int]] = {}
    for context, owner in enumerate(zip(contexts.participants, contexts.topics, strict=True)):
        members.setdefault(owner, []).append(context)
    of_context = np.empty(len(contexts), dtype=np.int64)
    for subject, shown in enumerate(members.values()):
        of_context[shown] = subject
    of_row = of_context[contexts.of_row]
    return _Subjects(
        turns=contexts.turns,
        shared=[_shared(contexts, shown) for shown in members.values()],
        first_row=np.unique(of_row, return_index=True)[1].astype(np.int64),
        of_row=of_row,
    )


def _shared(contexts: Contexts, shown: Sequence[int]) -> NDArray[np.int64]:
    """The places of those turns of the first context that all others have too."""
    first, *others = (contexts.places(context) for context in shown)
    if not others:
        return first
    turns = contexts.turns
    common = set.intersection(*({_turn(turns, place) for place in places} for places in others))
    return np.array([p for p in first if _turn(turns, p) in common], dtype=np.int64)


def _turn(turns: pa.StructArray, place: int) -> tuple[str, str]:
    turn = turns[int(place)].as_py()
    return turn["question"], turn["answer"]


def _expert_documents(docs: Dataset, subjects: _Subjects, limit: float | None) -> Dataset:
    """One document per subject and expert; experts of one subject stand next to each other."""
    count = len(np.unique(subjects.of_row[: reached(limit, len(docs))]))
    of_row = np.repeat(np.arange(count), len(EXPERTS))
    rows = docs.data.table.take(pa.array(subjects.first_row[of_row]))
    rows = rows.select(["participant_id", "track", "topic", "demographics", "context"])
    rows = showing(rows, subjects.turns, subjects.shared, of_row)
    experts = list(EXPERTS) * count
    owners = (rows[name].to_pylist() for name in ("track", "topic", "participant_id"))
    ids = [
        "-".join((track, "notes", topic, participant, expert.replace(" ", "-")))
        for track, topic, participant, expert in zip(*owners, experts, strict=True)
    ]
    rows = rows.append_column("expert", pa.array(experts)).add_column(0, "item_id", pa.array(ids))
    return _dataset(rows, docs, EXPERTS, limit)


def _with_notes(docs: Dataset, subjects: _Subjects, texts: Sequence[str | None]) -> Dataset:
    shown = [visible(text) for text in texts]
    by_subject: list[list[dict[str, str]] | None] = [
        [
            {"expert": expert, "text": text}
            for expert, text in zip(EXPERTS, shown[start : start + len(EXPERTS)], strict=True)
        ]
        for start in range(0, len(shown), len(EXPERTS))
    ]
    beyond = len(by_subject)
    column = pa.array([*by_subject, None], type=_TYPE).take(
        pa.array(np.minimum(subjects.of_row, beyond))
    )
    return _dataset(docs.data.table.append_column(REFLECTIONS, column), docs, shown)


def _dataset(rows: pa.Table, origin: Dataset, *identity: object) -> Dataset:
    # Without a fingerprint of our own, `datasets` would pickle and hash the whole table.
    text = repr((origin._fingerprint, *identity))
    return Dataset(InMemoryTable(rows), fingerprint=hashlib.sha256(text.encode()).hexdigest()[:16])
