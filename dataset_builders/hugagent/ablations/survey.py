"""Answers of people who took the survey alone, as examples: the paper's auxiliary condition (Table 7).

The target's interview is not shown. Whose answers are shown is decided by a seed, and no gold of the
target takes part in it: not in the draw, and not in a prompt.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders import people_table
from otherminds.dataset_builders.hugagent.ablations.own_turns import (
    check_count,
    check_seed,
    no_context,
)
from otherminds.dataset_builders.hugagent.human_people import is_private

EXAMPLES = "examples"
"""The column of examples: [{background, question, answer}]; `question` is null where the item itself has
the same wording."""

_TYPE = pa.list_(pa.struct(dict.fromkeys(("background", "question", "answer"), pa.string())))
_COLUMNS = [
    *("participant_id", "demographics", "question", "reason_code", "reason_text"),
    *("scale", "question_id", "answer"),
]
_WHOLE = re.compile(r"(-?\d+)(?:\.0+)?")

# So many answers in common, all alike, are one person's under two ids.
_SAME_PERSON = 10


@dataclass
class _Respondent:
    """Somebody whose answers may be shown: by question id, what was asked, if known, and answered."""

    background: str
    asked: dict[str, str | None] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)


def survey_examples(
    table: pa.Table,
    pool: pa.Table,
    *,
    survey_k: int,
    survey_seed: int,
    survey_table: str | None = None,
) -> pa.Table:
    """Show demographics, and what `survey_k` other people answered to the same question of the survey.

    The same question is that of the same id. Everybody has a rank, a hash of the seed and the id, and an
    item shows the k lowest of the people who answered its question, but for the person it is about: one
    panel for all items, as far as it goes. An item whose question fewer people answered shows fewer.
    Items without a question id (BSI) show none: the survey does not ask them.

    Without a table, the other people are those of `pool`, with their golds. Answers outside the scale
    are not shown (in the human release, all 54 to 1.4r_G).

    survey_table  a CSV file of people who took the survey: `participant_id`, a column for each question,
                  named by its id ("1.1", "1.2r_A"), with whole numbers, and any other columns as their
                  background. A person of the dataset must have the id of the dataset there

    Raises ValueError unless k ≥ 1 and seed ≥ 0 are whole numbers, where golds are sealed, and for a
    table that has no question, an answer that is not a whole number, a column that identifies people,
    or a person of the dataset under another id, be it that of somebody else in the dataset.
    """
    check_count(survey_k)
    check_seed(survey_seed)
    scales = _scales(pool)
    if survey_table is None:
        panel = dict(_of_pool(pool))
    else:
        panel = _of_table(Path(survey_table).expanduser(), scales)
        _refuse_disguised(panel, dict(_of_pool(pool)))
    order = sorted(panel, key=lambda person: _rank(survey_seed, person))
    by_question: dict[str, list[str]] = defaultdict(list)
    for person in order:
        for question_id, answer in panel[person].answers.items():
            if _on_scale(answer, scales[question_id]):
                by_question[question_id].append(person)
    column = [
        [
            _example(panel[person], item)
            for person in _others(by_question[item["question_id"]], item, survey_k)
        ]
        if item["question_id"] in by_question
        else []
        for item in table.select(_COLUMNS).to_pylist()
    ]
    return no_context(table).append_column(EXAMPLES, pa.array(column, type=_TYPE))


def _others(answered: list[str], item: Mapping[str, Any], k: int) -> list[str]:
    # One more than k, because the person the item is about may be among them.
    return [p for p in answered[: k + 1] if p != item["participant_id"]][:k]


def _example(person: _Respondent, item: Mapping[str, Any]) -> dict[str, str | None]:
    question_id = item["question_id"]
    asked = person.asked.get(question_id)
    return {
        "background": person.background,
        "question": None if asked == _asked(item) else asked,
        "answer": person.answers[question_id],
    }


def _asked(item: Mapping[str, Any]) -> str:
    """The question as one text, with the reason whose weight is asked."""
    if item["reason_code"] is None:
        return str(item["question"])
    return f"{item['question']} Reason {item['reason_code']}: {item['reason_text']}"


def _scales(pool: pa.Table) -> dict[str, tuple[int, int]]:
    """The scale of each question of the survey, by its id."""
    columns = (pool[name].to_pylist() for name in ("question_id", "scale"))
    return {
        question_id: (scale[0], scale[1])
        for question_id, scale in zip(*columns, strict=True)
        if question_id
    }


def _of_pool(pool: pa.Table) -> Iterator[tuple[str, _Respondent]]:
    """The people of the dataset, with their answers to the survey's questions."""
    found: dict[str, _Respondent] = {}
    for item in pool.select(_COLUMNS).to_pylist():
        if not item["question_id"]:
            continue
        if item["answer"] is None:
            raise ValueError(
                "the golds of other people are sealed, so there are no answers to show; give a table "
                'of people who took the survey, --metadata \'{"survey_table": "survey.csv"}\'.'
            )
        person = item["participant_id"]
        if person not in found:
            facts = item["demographics"]
            found[person] = _Respondent(
                _background([(fact["attribute"], fact["value"]) for fact in facts])
            )
        found[person].asked[item["question_id"]] = _asked(item)
        found[person].answers[item["question_id"]] = item["answer"]
    yield from found.items()


def _of_table(path: Path, scales: Mapping[str, tuple[int, int]]) -> dict[str, _Respondent]:
    """The people of a table."""
    rows = people_table.read(path)
    names = [name for name, _ in next(iter(rows.values()), [])]
    if not set(names) & set(scales):
        raise ValueError(
            f"The table {path} has no row with a column named by a question, such as "
            f"'{min(scales, default='1.1')}'; it has: {', '.join(names) or 'no rows'}."
        )
    if identifying := [name for name in names if is_private(name)]:
        raise ValueError(
            f"The table {path} has the column '{identifying[0]}', which identifies people, and other "
            "columns are shown to the model: remove it."
        )
    found = {}
    for person, cells in rows.items():
        facts = [(name, value) for name, value in cells if name not in scales]
        found[person] = _Respondent(_background(facts))
        for name, value in cells:
            if name in scales and value:
                found[person].answers[name] = _whole(value, f"{path}, '{person}', column '{name}'")
    return found


def _whole(value: str, place: str) -> str:
    read = _WHOLE.fullmatch(value)
    if read is None:
        raise ValueError(
            f"{place}: '{value}' is not a whole number; leave the cell empty if unanswered."
        )
    return str(int(read[1]))


def _refuse_disguised(panel: Mapping[str, _Respondent], people: Mapping[str, _Respondent]) -> None:
    """Refuse a table in which somebody of the dataset seems to stand under another id.

    Leaving such a row out for its target alone would let the golds decide what is shown.
    """
    for person, respondent in panel.items():
        # Two people of the dataset may answer alike; then the row is what its own id says.
        said = people[person].answers if person in people else {}
        for known, own in people.items():
            common = respondent.answers.keys() & own.answers.keys()
            if known == person or len(common) < _SAME_PERSON:
                continue
            answers = {name: respondent.answers[name] for name in common}
            if answers.items() <= own.answers.items() and not answers.items() <= said.items():
                raise ValueError(
                    f"In the table, '{person}' has the same answers as {known} of the dataset to all "
                    f"{len(common)} questions that both answered, so it seems to be the same person. "
                    "The ids must be those of this dataset; those of another copy may name other "
                    f"people. Give the row the id {known}, or leave it out."
                )


def _background(facts: list[tuple[str, str]]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in facts if value)


def _on_scale(answer: str, scale: tuple[int, int]) -> bool:
    return scale[0] <= int(answer) <= scale[1]


def _rank(seed: int, person: str) -> bytes:
    return hashlib.sha256(json.dumps([seed, person]).encode("ascii")).digest()
