"""What each task and group of debate beliefs asks, in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CONDITIONS = {
    "blind": "given nothing of the person",
    "demographics": "given who the person is",
    "beliefs": "given what else the person believes",
    "both": "given who the person is and what else they believe",
    "cross_category": "given the person's beliefs on another category alone",
}
_FORMS = {"answer_cot": "reasoning first", "answer": "in one word", "choose": ""}


def line(content: Mapping[str, Any]) -> str:
    """What the task or group with this YAML asks."""
    if "group" in content:
        return "does this person agree with a proposition? Four conditions, from blind to both"
    template = str(content["doc_to_text"]).partition("__")[2]
    if template == "judge_title":
        return "which debate titles are statements? Its verdicts are for building the data"
    said = _CONDITIONS[content["dataset_kwargs"]["evidence"]]
    return ", ".join(filter(None, ["agree or not", said, _FORMS[template]]))
