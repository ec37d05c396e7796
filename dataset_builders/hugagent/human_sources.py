"""Whether an item's interview shows the exchange that its answer was derived from.

Upstream leaves the source turn (`source_qa`) of a belief-state-inference item out of the interview by
its question. Where the interview words the question otherwise, adds a closing phrase that asks for sign
and strength, or has the answer a second time, the answer stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from otherminds.dataset_builders.hugagent.features import ITEM, PROMPT_FIELDS
from otherminds.dataset_builders.hugagent.human_people import as_json

HUMAN_ITEM = ITEM.append(pa.field("source_shown", pa.bool_())).append(
    pa.field("source_turns", pa.list_(pa.int32()))
)
"""A row of the human track: ITEM, and what an item shows of its source.

source_shown  whether the prompt shows the answer of the source turn; null where upstream names none
source_turns  the turns of `context` that show it, counted from 0
"""

_TELLING = 25
"""From this length on, a text found elsewhere is a quotation; "Yes, I do." is found everywhere."""

_SAME_QUESTION = 3
"""Words that two questions must share at their beginning to be one with and without a closing phrase."""


class Shown(NamedTuple):
    """What a row shows of its source.

    turns      the turns of the interview that show the answer
    elsewhere  whether another field that a prompt shows quotes it
    reasoning  whether any field quotes the reasoning behind the gold
    """

    turns: tuple[int, ...]
    elsewhere: bool
    reasoning: bool


def shown(row: Mapping[str, Any], record: Mapping[str, Any]) -> Shown | None:
    """What `row` shows of the source in `record`, from which it was made; None without a source.

    A turn shows the source answer when it gives it in reply to the same question, with or without
    words after that question; and when its question or answer quotes it, if it is at least 25
    characters long. Case and spaces do not matter.
    """
    source = as_json(record.get("source_qa"))
    source = source if isinstance(source, Mapping) else {"answer": source}
    asked, answered = _plain(source.get("question")), _plain(source.get("answer"))
    reason = _plain(record.get("reasoning"))
    if not answered and not reason:
        return None
    turns = [(_plain(turn["question"]), _plain(turn["answer"])) for turn in row["context"]]
    others = _others(row)
    return Shown(
        turns=tuple(
            place for place, turn in enumerate(turns) if answered and _gives(turn, asked, answered)
        ),
        elsewhere=_quoted(answered, others),
        reasoning=_quoted(reason, [*others, *(text for turn in turns for text in turn)]),
    )


def masked(rows: pa.Table) -> pa.Table:
    """The rows without the turns that show an item's source.

    `source_shown` still says which items show it when nothing is masked. Raises ValueError for rows
    that do not say where their sources are shown.
    """
    if "source_turns" not in rows.column_names:
        raise ValueError("these items have no source exchange that could be masked")
    turns = rows["source_turns"].to_pylist()
    contexts = [
        [turn for place, turn in enumerate(context) if place not in (hidden or ())]
        for context, hidden in zip(rows["context"].to_pylist(), turns, strict=True)
    ]
    none_left: list[list[int] | None] = [None if hidden is None else [] for hidden in turns]
    return _with(rows, context=contexts, source_turns=none_left)


def shown_after(before: pa.Table, after: pa.Table) -> pa.Table:
    """The rows of an ablation, `after`, with `source_shown` and `source_turns` of what they show.

    before  the same rows in the same order, as they were before the ablation

    A turn shows the source where it is, word for word, one that showed it before. An item that shows it
    in no turn any more still shows it where another field of the prompt quotes one of these answers
    in full. An item that showed it outside of its interview alone, or whose interview is masked, is left
    as it is. Rows without these columns come back unchanged.
    """
    if "source_turns" not in after.column_names:
        return after
    turns, flags = after["source_turns"].to_pylist(), after["source_shown"].to_pylist()
    for place, hidden in enumerate(before["source_turns"].to_pylist()):
        if not hidden:
            continue
        [whole] = before.slice(place, 1).to_pylist()
        [row] = after.slice(place, 1).to_pylist()
        telling = [whole["context"][turn] for turn in hidden]
        turns[place] = [turn for turn, said in enumerate(row["context"]) if said in telling]
        others = _others(row)
        flags[place] = bool(turns[place]) or any(
            _quoted(_plain(said["answer"]), others) for said in telling
        )
    return _with(after, source_shown=flags, source_turns=turns)


def _with(rows: pa.Table, **columns: list[Any]) -> pa.Table:
    for name, values in columns.items():
        place = rows.schema.get_field_index(name)
        field = rows.schema.field(place)
        rows = rows.set_column(place, field, pa.array(values, type=field.type))
    return rows


def _others(row: Mapping[str, Any]) -> list[str]:
    """The texts that a prompt shows beside the interview."""
    return [
        _plain(text) for name in PROMPT_FIELDS if name != "context" for text in _texts(row[name])
    ]


def _gives(turn: tuple[str, str], asked: str, answered: str) -> bool:
    question, answer = turn
    return (answer == answered and _same(question, asked)) or _quoted(answered, turn)


def _same(question: str, other: str) -> bool:
    """Whether two questions are one, with a closing phrase or without."""
    if question == other:
        return bool(question)
    short, long = sorted((question, other), key=len)
    short = short.rstrip(" ?.!")
    return len(short.split()) >= _SAME_QUESTION and long.startswith(short)


def _quoted(text: str, places: Sequence[str]) -> bool:
    return len(text) >= _TELLING and any(text in place for place in places)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _plain(text: Any) -> str:
    """Text without what a copy may change: case, and the kind and number of spaces."""
    return " ".join(str(text or "").split()).casefold()
