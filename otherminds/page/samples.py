"""The samples of a page as an index for its list, and the long texts behind it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from otherminds.page.blocks import Block, Store, codes, pack, store
from otherminds.page.text import cut, short_names

_NAMES = ("item_id", "person", "part", "category")
_TEXTS = ("gold", "answers")
IN_LIST = 200
"""Characters of a text that the list searches; the details have the whole of it."""
IN_ROW = 44
"""Characters of a run's name that a row of the list has room for."""


@dataclass(frozen=True)
class Samples:
    """`index` is read when the page opens, `texts` when a sample is looked at."""

    index: Block
    stores: Sequence[Store]

    @property
    def texts(self) -> Iterator[Block]:
        """The blocks of long texts, one by one."""
        return (block for one in self.stores for block in one.blocks)


def embed(
    samples: pd.DataFrame, evidence: Mapping[str, str], right: Mapping[str, str] | None = None
) -> Samples:
    """All samples in their order. Questions and evidence that several rows share are stored once.

    right  by task, when an answer counts as correct
    """
    whole = {name: list(_column(samples, name)) for name in _TEXTS}
    answers = store(
        "answer",
        (
            ([texts, gold, parsed], sum(map(len, texts)) + len(gold) + len(parsed))
            for texts, gold, parsed in zip(
                map(_texts, samples["raw"]), whole["gold"], whole["answers"], strict=True
            )
        ),
    )
    asked = _Distinct(_column(samples, "question"))
    questions = store("question", _sized(asked))
    used = [name for name in samples["evidence_id"].dropna().unique() if name in evidence]
    place = {name: number for number, name in enumerate(used)}
    evidences = store("evidence", _sized(str(evidence[name]) for name in used))
    runs = codes(_column(samples, "run"))
    labels = list(short_names(runs["values"], IN_ROW).values())
    # Two names that are only cut alike stay two runs.
    runs["values"] = list(short_names(runs["values"], IN_LIST).values())
    tasks = codes(_column(samples, "task"))
    index = {
        "size": len(samples),
        "columns": {
            **{"run": runs, "task": {**tasks, "values": list(_shortened(tasks["values"]))}},
            **{name: codes(_shortened(_column(samples, name))) for name in _NAMES},
            **{name: codes(_shortened(texts)) for name, texts in whole.items()},
        },
        "labels": labels,
        "right": [(right or {}).get(task, "") for task in tasks["values"]],
        "correct": [_judgement(value) for value in samples["correct"]],
        "parsed": [int(bool(value)) for value in samples["parsed"]],
        "score": [_number(value) for value in samples["score"]],
        "question": asked.codes,
        "evidence": [place.get(name, -1) for name in samples["evidence_id"]],
        "starts": {
            "answer": answers.starts,
            "question": questions.starts,
            "evidence": evidences.starts,
        },
    }
    return Samples(pack("samples-index", index), [answers, questions, evidences])


class _Distinct:
    """The distinct ones of long texts, in order; `codes` then holds which of them each text is.

    In memory are their hashes alone.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts
        self.codes: list[int] = []

    def __iter__(self) -> Iterator[str]:
        known: dict[bytes, int] = {}
        for text in self._texts:
            mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
            if mark not in known:
                known[mark] = len(known)
                yield text
            self.codes.append(known[mark])


def _sized(texts: Iterable[str]) -> Iterable[tuple[str, int]]:
    return ((text, len(text)) for text in texts)


def _shortened(texts: Iterable[str]) -> Iterator[str]:
    return (cut(text, IN_LIST) for text in texts)


def _column(samples: pd.DataFrame, name: str) -> Iterator[str]:
    return ("" if _missing(value) else str(value) for value in samples[name])


def _texts(answers: Any) -> list[str]:
    """The raw answers of one sample: a list by contract, but one text is understood too."""
    if isinstance(answers, str):
        return [answers]
    if isinstance(answers, Iterable):
        return ["" if _missing(answer) else str(answer) for answer in answers]
    return []


def _judgement(correct: Any) -> int | None:
    return None if _missing(correct) else int(bool(correct))


def _number(value: Any) -> float | None:
    return float(value) if not _missing(value) and math.isfinite(value) else None


def _missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))
