"""What each task and group of SocialMindChange asks, in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_GROUPS = {
    "ablations": "a fifth of the stages: whole, with states, cut, reasoning first",
    "variants": "larger groups, and longer sequences of scenes",
}
_QUESTION = "which words move a person's state of mind?"


def line(content: Mapping[str, Any]) -> str:
    """What the task or group with this YAML asks."""
    if "group" in content:
        # The last word of a name is what the group is, on whichever dataset.
        return _GROUPS[content["group"].rpartition("_")[2]]
    wanted = content["dataset_kwargs"]
    made = content["custom_dataset"].rpartition("socialmindchange.")[2]
    if made == "codes_rendering.scenes":
        return "stage: tell a scene in other words and keep the lines that show a mind"
    changes = []
    kind, _, size = str(wanted.get("variant") or "").partition("_")
    if kind:
        changes.append(f"groups of {size}" if kind == "group" else f"{size} scenes")
    if wanted.get("states"):
        changes.append("all states shown")
    if "scenes" in wanted:
        changes.append(f"the first {wanted['scenes']} scenes shown")
    if made == "codes_rendering.questions":
        changes.append("scenes told anew by a model")
    if str(content["doc_to_text"]).endswith("__answer_cot"):
        changes.append("reasoning first")
    stages = "a fifth of the stages" if wanted.get("lite") else ""
    if changes:
        return ", ".join(filter(None, [stages, *changes]))
    return f"{_QUESTION} {stages.capitalize()}".strip()
