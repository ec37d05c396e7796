"""Interviews for HugAgent: its simulated people, and items in the form of the authors' release.

The folder is read by `data_source` like a clone of the authors' repository, so that a study of one's own
goes through the same reading, the same audits and the same tasks as the human track.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from otherminds import files, manifest
from otherminds.data import loading
from otherminds.dataset_builders.hugagent import human
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.human_files import TASKS
from otherminds.dataset_builders.hugagent.human_people import is_private
from otherminds.errors import OtherMindsError
from otherminds.interview.items import NEGATIVE, POSITIVE, BeliefItem, Items, SurveyItem
from otherminds.interview.session import QA
from otherminds.interview.store import Survey
from otherminds.interview.studies import Agent, Written
from otherminds.metrics import graphs

_SUBSET: Final = 50
_BSI, _BDU = TASKS
_LEANINGS: Final = (
    *((8.5, "strongly for"), (6.5, "rather for"), (4.5, "undecided")),
    *((2.5, "rather against"), (-math.inf, "strongly against")),
)
_OPTIONS: Final = {"A": POSITIVE, "B": NEGATIVE}


class HugAgentInterviews:
    """`otherminds.interview.studies.Interviews` of HugAgent."""

    topics: Sequence[str] = TOPICS
    command = """otherminds run hugagent --metadata '{{"data_source": "{folder}"}}'"""

    def agents(self, dataset: str, *, n: int, topics: Sequence[str]) -> list[Agent]:
        """The first people of the synthetic track, with its questionnaire; of 50, its subset of 50."""
        if dataset != "hugagent-synthetic":
            raise OtherMindsError(
                f"'{dataset}' has no simulated people: use --agents hugagent-synthetic."
            )
        if unknown := sorted(set(topics) - set(TOPICS)):
            raise OtherMindsError(
                f"Nobody in '{dataset}' has a belief graph on {', '.join(unknown)}; its topics are "
                f"{', '.join(TOPICS)}."
            )
        rows = loading.load(dataset, "agents")[loading.SPLIT]
        marks = zip(rows["participant_id"], rows["in_subset_50"], rows["topic"], strict=True)
        people: list[str] = []
        for person, is_chosen, _ in marks:
            if person not in people and (is_chosen or n != _SUBSET) and len(people) < n:
                people.append(person)
        if len(people) < n:
            raise OtherMindsError(f"'{dataset}' has {len(people)} people: --n can be no more.")
        wanted = [
            place
            for place, (person, topic) in enumerate(
                zip(rows["participant_id"], rows["topic"], strict=True)
            )
            if person in set(people) and topic in topics
        ]
        surveys = _surveys(dataset, set(people))
        found = [_agent(row, surveys) for row in rows.select(wanted)]
        return sorted(
            found, key=lambda one: (people.index(one.participant_id), topics.index(one.topic))
        )

    def write(self, items: Items, folder: Path) -> Written:
        """Write the release's six files, and the same items as our rows (bsi.parquet, bdu.parquet)."""
        records = [*_records(items)]
        paths = [_write_lines(folder, stem, topic, records) for stem in TASKS for topic in TOPICS]
        others = sorted({one["topic"] for one in records} - set(TOPICS))
        paths += [_write_lines(folder, stem, topic, records) for stem in TASKS for topic in others]
        known = [one for one in records if one["topic"] in TOPICS]
        remarks = human.Remarks()
        tables = human.convert(known, remarks)
        for name, converted in tables.items():
            table = _under_own_names(converted, known)
            with files.atomic_file(folder / f"{name}.parquet") as partial:
                pq.write_table(table, partial)
            paths.append(folder / f"{name}.parquet")
        said, failed = _audited(tables, len(known)) if known else ([], False)
        if others:
            said.append(
                f"not for the tasks of HugAgent, which do not know the topic: {', '.join(others)}"
            )
        return Written(tuple(paths), (*said, *remarks.lines()), failed)


INTERVIEWS: Final = HugAgentInterviews()


def _agent(row: Mapping[str, Any], surveys: Mapping[tuple[str, str], list[Survey]]) -> Agent:
    key = row["participant_id"], row["topic"]
    facts = {one["attribute"]: one["value"] for one in row["demographics"]}
    return Agent(
        *key,
        graphs.from_agent({**row, "transcript": ()}),
        facts,
        tuple(surveys[key]),
        voice={name: said for name, said in row["voice"].items() if isinstance(said, str) and said},
        leaning=_leaning(row["initial_stance"]),
    )


def _leaning(stance: float) -> str:
    """A stance from 1 to 10 in words."""
    return next(words for least, words in _LEANINGS if stance >= least)


def _surveys(dataset: str, people: set[str]) -> dict[tuple[str, str], list[Survey]]:
    """The questionnaire of each person on each topic: the items of the synthetic track."""
    rows = loading.load(dataset, "bdu")[loading.SPLIT].remove_columns(["context", "demographics"])
    found: dict[tuple[str, str], list[Survey]] = {
        (person, topic): [] for person in people for topic in TOPICS
    }
    for row in rows:
        if row["participant_id"] not in people:
            continue
        key = row["participant_id"], row["topic"]
        content = {
            "question": row["question"],
            "question_type": row["question_type"],
            "scale": row["scale"],
            "answer": int(row["answer"]),
            "reason_code": row["reason_code"],
            "reason_text": row["reason_text"],
        }
        number = len(found[key]) + 1
        found[key].append(Survey(*key, row["question_id"], number, content))
    return found


def _records(items: Items) -> Iterator[dict[str, Any]]:
    counts: dict[tuple[str, str], int] = {}
    for stem, each in ((_BSI, items.beliefs), (_BDU, items.survey)):
        for item in each:
            key = stem, item.topic
            counts[key] = counts.get(key, 0) + 1
            common = {
                "item_id": f"{stem}-{item.topic}-{counts[key]:05d}",
                "participant_id": item.participant_id,
                "demographics": {
                    name: said for name, said in item.demographics.items() if not is_private(name)
                },
                "context_qas": [_turn(qa) for qa in item.context],
                "topic": item.topic,
                "task_type": TASKS[stem],
            }
            yield {**common, **(_belief(item) if isinstance(item, BeliefItem) else _update(item))}


def _belief(item: BeliefItem) -> dict[str, Any]:
    return {
        "task_question": item.belief.question,
        "answer_options": _OPTIONS,
        "answer": "A" if item.belief.sign > 0 else "B",
        "source_qa": _turn(item.source),
        "reasoning": item.belief.reasoning,
        "factor_from": item.belief.source,
        "factor_to": item.belief.target,
        "dependency_level": item.belief.dependency_level,
        "n_masked": len(item.masked),
    }


def _update(item: SurveyItem) -> dict[str, Any]:
    said = item.answer.content
    found = {
        "task_question": said["question"],
        "question_id": item.answer.question_id,
        "question_type": said["question_type"],
        "user_answer": said["answer"],
        "scale": list(said["scale"]),
    }
    if said.get("reason_code"):
        found |= {"reason_code": said["reason_code"], "reason_text": said.get("reason_text") or ""}
    return found


def _turn(qa: QA) -> dict[str, Any]:
    return {"question_number": qa.number, "question": qa.question, "answer": qa.answer}


def _write_lines(folder: Path, stem: str, topic: str, records: Sequence[Mapping[str, Any]]) -> Path:
    path = folder / f"{stem}_{topic}.jsonl"
    of_file = [one for one in records if (one["task_type"], one["topic"]) == (TASKS[stem], topic)]
    with files.atomic_file(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(one, ensure_ascii=False)}\n" for one in of_file)
    return path


def _under_own_names(table: pa.Table, records: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Our rows with the study's pseudonyms, by which a deletion finds them."""
    names = {one["item_id"]: one["participant_id"] for one in records}
    place = table.schema.get_field_index("participant_id")
    field = table.schema.field(place)
    own = [names[item] for item in table["item_id"].to_pylist()]
    return table.set_column(place, field, pa.array(own, type=field.type))


def _audited(tables: Mapping[str, Any], given: int) -> tuple[list[str], bool]:
    """The audits of the human track, but for those that compare with the authors' release."""
    expected = human.facts(manifest.load("hugagent").facts or {})
    # Those on the release's own facts say nothing of a study.
    found = [one for one in human.audit(tables, expected) if one.kind == "fatal"]
    said = [f"{one.name}: {'passed' if one.passed else 'FAILED'} ({one.value})" for one in found]
    read = sum(table.num_rows for table in tables.values())
    shown = sum(bool(one) for one in tables["bsi"]["source_shown"].to_pylist())
    said.append(f"items read back: {read} of {given}")
    said.append(f"items that show their source: {shown}")
    return said, any(one.refused for one in found) or shown > 0 or read != given
