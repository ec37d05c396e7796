"""What each task and group of SynchToM asks, in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from otherminds import index

_ALL_TURNS = 10  # of a collaboration, unless it is asked before the first

_GROUPS = {
    "synchtom": "what does this user wrongly believe, who are they, and what would really help?",
    "synchtom_made": "the same questions on users of a release of your own",
    "synchtom_ablations": "given belief, profile, both or another user's; after 10 turns",
    "synchtom_ablations_0turn": "given belief, profile, both or another user's; before the first turn",
    "synchtom_ablations_5turn": "given belief, profile, both or another user's; after 5 turns",
}
_WRITING = {
    "scenario": "a situation in which a user's bias hides the truth",
    "trajectory": "ten turns of a user who acts by a wrong belief",
    "validation": "five scores of a user that another wrote",
    "rubrics": "the criteria of an answer",
    "rubric_audit": "a look at each criterion that another wrote",
    "reading": "an answer from what a model is shown, as a blind reader",
    "marking": "marks of what a blind reader answered",
}
_TASK = "an answer"


def line(content: Mapping[str, Any]) -> str:
    """What the task or group with this YAML asks."""
    if "group" in content:
        return _GROUPS[content["group"]]
    metadata, wanted = content["metadata"], content["dataset_kwargs"]
    if "pipeline" in wanted:
        return f"construction: {_WRITING[wanted['stage']]}"
    if metadata.get("role") == "judge":
        return _judged(metadata["stages"], apart=wanted.get("form") == "each")
    if (choice := wanted.get("choice")) is not None:
        best = {"joint": "conclusions"}.get(choice, choice)
        when = _when(0 if "0turn" in content["task"] else _ALL_TURNS)
        return f"stage: {_TASK} {when}; given the best {best} of three candidates"
    is_candidate = "candidate" in content["task"]
    whose = "stage: a candidate's answer" if is_candidate else _TASK
    said = [f"{whose} {_when(wanted['n_turns'])}"]
    if given := wanted.get("given"):
        whose = "another user's" if wanted.get("shuffled") else "the user's"
        said.append(f"given {whose} {' and '.join(given)}")
    if scenario := wanted.get("scenario"):
        said.append(f"scenario {scenario.replace('_', ' ')}")
    return "; ".join(said)


def _judged(stages: Sequence[str], *, apart: bool) -> str:
    """What a judge of these tasks' answers is asked."""
    first, *others = (index.entries()[stage].content for stage in stages)
    said = line(first).removeprefix("stage: ")
    said += "".join(f", {_when(other['dataset_kwargs']['n_turns'])}" for other in others)
    return f"judge of {said}{'; each part apart' if apart else ''}"


def _when(turns: int | Sequence[int]) -> str:
    if not isinstance(turns, int):
        return "after each number of turns"
    return f"after {turns} turns" if turns else "before the first turn"
