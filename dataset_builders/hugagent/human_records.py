"""The upstream records of the human track: what is read of them, and the ITEM row each becomes.

`source_qa` and `reasoning` give answers away. They have no place in these models, so they cannot
survive conversion. No message repeats what a record says of its person.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.human_files import TASKS
from otherminds.dataset_builders.hugagent.human_people import is_private, unnested
from otherminds.files import not_json

TRACK = "human"

BASELINES = MappingProxyType({"healthcare": "3.1", "surveillance": "2.1", "zoning": "1.1"})
"""The opinion asked before any scenario, by topic."""

SCENARIOS = MappingProxyType(
    {
        "healthcare": ("3.6", "3.7", "3.8", "3.9"),
        "surveillance": ("2.6", "2.7", "2.8"),
        "zoning": ("1.2", "1.3", "1.4"),
    }
)
"""The opinions asked after a scenario, by topic."""

_LEVEL_LABELS = ("Strongly oppose", "Strongly support")
_CHANGE_LABELS = ("Much less supportive", "Much more supportive")
_REASON_LABELS = ("Not at all", "Very strongly")
# The questions about experience name their own scale; these words claim nothing about it.
_OTHER_LABELS = ("lowest", "highest")

_UNNAMED = "background"

_FARTHEST = 1_000
"""An answer may lie outside of its scale; a larger number is none, and would alone make every mean."""

_TASKS = tuple(TASKS.values())


def nested(value: Any) -> Any:
    """A nested field as plain objects: the Hub's Parquet has them as JSON text.

    Raises ValueError for text that is not JSON.
    """
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is text, but not valid JSON ({not_json(error)})") from None


def _listed(value: Any) -> Any:
    found = nested(value)
    return [] if found is None else found


def _demographics(value: Any) -> list[tuple[str, str]]:
    """(attribute, value) pairs of either form in which demographics come.

    An object gives its keys, with spaces for underscores. A text is split at its first colon; one
    without a colon, or with nothing before it, is a value of the attribute "background". Attributes
    without a value are left out, and so are those that say where somebody lives or who they are.
    """
    found = unnested(_listed(value))
    if isinstance(found, Mapping):
        pairs = [(str(key).replace("_", " "), entry) for key, entry in found.items()]
    elif isinstance(found, list):
        pairs = [_split(entry) for entry in found]
    else:
        raise ValueError("is neither an object nor a list of texts")
    for attribute, entry in pairs:
        if isinstance(entry, Mapping | list):
            raise ValueError(f"the value of '{attribute}' is nested, not a text or number")
    stripped = [
        (attribute.strip() or _UNNAMED, "" if entry is None else str(entry).strip())
        for attribute, entry in pairs
    ]
    return [
        (attribute, entry) for attribute, entry in stripped if entry and not is_private(attribute)
    ]


def _split(entry: Any) -> tuple[str, str]:
    if not isinstance(entry, str):
        kind = type(entry).__name__
        raise ValueError(f"holds a value of the kind {kind} where a text such as 'age: 34' belongs")
    attribute, colon, value = entry.partition(":")
    return (attribute, value) if colon else (_UNNAMED, entry)


def _letters(value: Any) -> Any:
    """The gold letter or letters of a BSI item: "A", "B" or, where either is right, "A/B"."""
    if not isinstance(value, str):
        return value
    return "/".join(sorted(part.strip().upper() for part in value.split("/")))


def _not_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"is {value}, not a number")
    return value


def _known_scale(value: Any) -> Any:
    found = nested(value)
    if found not in ([1, 5], [1, 10]):
        raise ValueError("is neither [1, 5] nor [1, 10], which are HugAgent's scales")
    return found


def _blank(value: Any) -> Any:
    return "" if value is None else value


_Name: TypeAlias = Annotated[str, Field(min_length=1)]


class _Upstream(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)


class _Turn(_Upstream):
    question: Annotated[str, BeforeValidator(_blank)] = ""
    answer: Annotated[str, BeforeValidator(_blank)] = ""


class _Options(_Upstream):
    model_config = ConfigDict(extra="forbid", frozen=True)

    A: _Name
    B: _Name


class _Item(_Upstream):
    item_id: _Name
    participant_id: _Name
    topic: Literal["healthcare", "surveillance", "zoning"]
    demographics: Annotated[list[tuple[str, str]], BeforeValidator(_demographics)] = []
    context_qas: Annotated[list[_Turn], BeforeValidator(_listed)] = []
    task_question: _Name

    def common(self) -> dict[str, Any]:
        """The columns that items of both tasks fill alike."""
        return {
            "item_id": self.item_id,
            "participant_id": self.participant_id,
            "track": TRACK,
            "topic": self.topic,
            "demographics": [
                {"attribute": attribute, "value": value} for attribute, value in self.demographics
            ],
            "context": [
                {"question": turn.question, "answer": turn.answer} for turn in self.context_qas
            ],
            "question": self.task_question,
            # Real interviews have no grade of evidence, and a fixed subset of 54 people would be
            # no smaller task, only a noisier one.
            "evidence": None,
            "in_subset_50": False,
        }


class StateInference(_Item):
    """A question about the sign of one causal belief (BSI)."""

    answer_options: Annotated[_Options, BeforeValidator(nested)]
    answer: Annotated[Literal["A", "B", "A/B"], BeforeValidator(_letters)]

    def row(self) -> dict[str, Any]:
        """The item as a row of ITEM."""
        return {
            **self.common(),
            "task": "bsi",
            "options": [self.answer_options.A, self.answer_options.B],
            "scale": [],
            "scale_labels": [],
            "reason_code": None,
            "reason_text": None,
            "question_id": None,
            "question_type": None,
            "answer": self.answer,
        }


class Update(_Item):
    """An opinion, before or after a scenario (BDU)."""

    question_id: _Name
    question_type: Literal["opinion", "reason_evaluation"]
    scale: Annotated[list[int], BeforeValidator(_known_scale)]
    # A gold may lie outside the scale: all of 1.4r_G do, and they count.
    user_answer: Annotated[int, BeforeValidator(_not_boolean), Field(ge=-_FARTHEST, le=_FARTHEST)]

    def row(self) -> dict[str, Any]:
        """The item as a row of ITEM."""
        return {
            **self.common(),
            "task": "bdu",
            "options": [],
            "scale": self.scale,
            "scale_labels": list(self.labels()),
            "reason_code": None,
            "reason_text": None,
            "question_id": self.question_id,
            "question_type": self.question_type,
            "answer": str(self.user_answer),
        }

    def labels(self) -> tuple[str, str]:
        """What the ends of the scale mean."""
        if self.question_id == BASELINES[self.topic]:
            return _LEVEL_LABELS
        return _CHANGE_LABELS if self.question_id in SCENARIOS[self.topic] else _OTHER_LABELS


class _Reason(Update):
    """The weight of a reason (BDU)."""

    reason_code: _Name
    reason_text: Annotated[str, BeforeValidator(_blank)] = ""

    def row(self) -> dict[str, Any]:
        """The item as a row of ITEM."""
        return {**super().row(), "reason_code": self.reason_code, "reason_text": self.reason_text}

    def labels(self) -> tuple[str, str]:
        """What the ends of the scale mean."""
        return _REASON_LABELS


ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "domain": "topic",
        "task": "task_type",
        "question": "task_question",
        "context": "context_qas",
        "options": "answer_options",
    }
)
"""Other names of keys, with the release's; read only where the latter is missing."""


def aliased(record: Mapping[str, Any]) -> list[str]:
    """The keys of a record that are read under another name."""
    return [key for key, name in ALIASES.items() if key in record and name not in record]


def completed(record: Mapping[str, Any], *, task: str = "", topic: str = "") -> dict[str, Any]:
    """The record with what follows from its file, its item id or its question where it is missing.

    `task_type` and `topic` follow from the file, and the topic from the item id too; the type of a
    question, its scale and the code of a reason follow from the question id ("1.2" is an opinion on
    the scale 1 to 10, "1.2r_A" the weight of reason A on the scale 1 to 5).
    """
    other = set(aliased(record))
    found = {
        (ALIASES[key] if key in other else key): value
        for key, value in record.items()
        if value is not None
    }
    found.setdefault("task_type", task)
    # A record may name its task as the release's files do.
    found["task_type"] = TASKS.get(str(found["task_type"]), found["task_type"])
    if isinstance(found.get("topic"), str):
        found["topic"] = found["topic"].strip().casefold()
    named = [name for name in TOPICS if f"-{name}-" in str(found.get("item_id", ""))]
    if topic or named:
        found.setdefault("topic", topic or named[0])
    if found["task_type"] == _TASKS[1] and "question_id" in found:
        _, _, code = str(found["question_id"]).partition("r_")
        found.setdefault("question_type", "reason_evaluation" if code else "opinion")
        found.setdefault("scale", [1, 10] if found["question_type"] == "opinion" else [1, 5])
        if code:
            found.setdefault("reason_code", code)
    return found


def model_of(record: Mapping[str, Any]) -> type[StateInference] | type[Update]:
    """The model of a record's kind. Raises ValueError for an unknown task."""
    task = record.get("task_type")
    if task not in _TASKS:
        raise ValueError(f"field 'task_type' is none of {', '.join(_TASKS)}")
    if task == _TASKS[0]:
        return StateInference
    return _Reason if record.get("question_type") == "reason_evaluation" else Update
