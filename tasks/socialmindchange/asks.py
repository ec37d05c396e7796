"""What each task and group of SocialMindChange asks, in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_GROUPS = {
    "ablations": "{part}: whole, with states, cut, reasoning first",
    "truncation": "stages of five, six and seven scenes, whole and cut to four",
    "variants": "larger groups, and longer sequences of scenes",
}
_WRITING = {
    "context": "who the people of a stage are, and what has been done",
    "trajectory": "an outline of each scene of a stage",
    "scenes": "the scenes of a stage",
    "lexicon": "the phrases of a stage's questions and options",
    "rating": "ratings of a stage that another wrote",
    "reading": "an answer from what a model is shown, as a blind reader",
}
_LITE = {
    "socialmindchange-codes": "a fifth of the stages",
    "socialmindchange-core": "a third of each stage's questions",
    "socialmindchange-scale": "a tenth of the stages",
}
_EDITIONS = {
    "socialmindchange-codes": ", code book",
    "socialmindchange-core": ", authored",
    "socialmindchange-scale": "",
}
_QUESTION = "which words move a person's state of mind?"


def line(content: Mapping[str, Any]) -> str:
    """What the task or group with this YAML asks."""
    if "group" in content:
        # The last word of a name is what the group is, on whichever dataset.
        edition, _, name = content["group"].rpartition("_")
        dataset = (
            "socialmindchange-codes" if edition.endswith("_codes") else "socialmindchange-scale"
        )
        return _GROUPS[name].format(part=_LITE[dataset])
    wanted = content["dataset_kwargs"]
    if "pipeline" in wanted:
        return f"construction: {_WRITING[wanted['stage']]}"
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
    stages = _LITE[wanted["dataset"]] if wanted.get("lite") else ""
    edition = _EDITIONS[wanted["dataset"]]
    if changes:
        return ", ".join(filter(None, [stages, *changes])) + edition
    return f"{_QUESTION} {(stages or 'all stages').capitalize()}{edition}"
