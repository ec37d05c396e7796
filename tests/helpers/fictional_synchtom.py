"""A fictional clone of SynchToM's repository in its exact format. No text in it is anyone's.

`sample` has six instances and every irregularity of the real files; `write` writes records to a folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.dataset_builders.synchtom.audits import Facts

Record = dict[str, Any]


class Story(NamedTuple):
    """What an instance is about."""

    upstream_id: str
    thing: str
    believed: str
    real: str
    user: str


FILES = {
    "preference": ("pref-benchmark", "Preference"),
    "education": ("education-benchmark", "Science / Assessment"),
    "culture": ("culture-benchmark", "Culture"),
    "software_engineering": ("swe-benchmark", "Software Engineering"),
}

STORIES = {
    # Ids are of several lengths, and not in order, as in the source.
    "preference": (
        Story("pref_0002", "kettle", "weak electricity", "limescale", "a retired electrician"),
        Story("pref_00121", "bicycle", "a bent frame", "flat tyres", "a proud welder"),
    ),
    "education": (
        Story("edu_0007", "seedling", "cold nights", "too much water", "an anxious trainee"),
    ),
    "culture": (Story("culture_0410", "greeting", "an insult", "shyness", "a blunt sailor"),),
    "software_engineering": (
        Story("swe_0001", "parser", "slow regular expressions", "a swapped flag", "a tuner"),
        Story("swe_00104", "cache", "a race between threads", "a stale key", "a kernel hacker"),
    ),
}

TRACED = "swe_0001"
"""Its observations begin with what their generator was told."""

FACTS = Facts(
    sha256=None,
    instances={"preference": 2, "education": 1, "culture": 1, "software_engineering": 2},
    criteria={
        "latent_belief_explanation": 12,
        "user_profile_modeling": 12,
        "correct_resolution": 18,
    },
    extra_keys=3,
    without_observation=1,
    empty_observation=1,
    traces=11,
    asides=1,
    unused=1,
    criteria_quoted={
        "latent_belief_explanation": 0,
        "user_profile_modeling": 0,
        "correct_resolution": 1,
    },
    masked={"root_cause": 2, "user_profile": 1},
    told_phrases={"root_cause": 0, "user_profile": 0},
    told_criterion_words={"root_cause": 0, "user_profile": 0},
    belief_repeats=0,
    short_truths_shown=0,
    # SHA-256 of "Offers a lock, as requested.", its first 12 digits.
    misdirected={"synchtom-software_engineering-0002": ["5a05e5d4fa6b"]},
)


def sample() -> tuple[dict[str, list[Record]], dict[str, Record]]:
    """Instances by scenario, and trajectories by path in the clone."""
    instances = {
        scenario: [instance(scenario, story) for story in stories]
        for scenario, stories in STORIES.items()
    }
    trajectories = {
        path_of(scenario, story.upstream_id): {"trajectory": turns(story)}
        for scenario, stories in STORIES.items()
        for story in stories
    }
    trajectories["trajectories/culture-benchmark/culture_0099.json"] = {
        "trajectory": turns(Story("culture_0099", "gift", "greed", "custom", "a merchant"))
    }

    kettle = trajectories[path_of("preference", "pref_0002")]["trajectory"]
    del kettle[9]["observation"]
    kettle[0]["interpretation"] = "The wires must be old."
    kettle[1]["red_herring"] = True
    kettle[2]["action"] += " (Red Herring)"
    bicycle = trajectories[path_of("preference", "pref_00121")]["trajectory"]
    bicycle[4]["observation"] = ""
    bicycle[5]["observation_hidden_context"] = "The tyres are the clue."
    greeting = trajectories[path_of("culture", "culture_0410")]["trajectory"]
    greeting[6]["observation"] += " (This is the true state of the guest.)"
    state = instances["software_engineering"][0]["true_latent_state"]
    for turn in trajectories[path_of("software_engineering", TRACED)]["trajectory"]:
        told = f"Simulate the environment feedback. MUST reflect True State '{state}' . -> "
        turn["observation"] = told + turn["observation"]

    seedling = instances["education"][0]
    seedling["rubrics"]["correct_resolution"][2] = {
        "criterion": f"Refuses the instruction: {seedling['explicit_instruction']}"
    }
    # A truth of one word, which cause and profile name; and a cause that labels what is true.
    seedling["true_latent_state"] = "Overwatering"
    seedling["root_cause_of_misconception"] += " The trainee sees no sign of it (overwatering)."
    seedling["user_profile"] = "An anxious trainee for whom overwatering is care."
    instances["culture"][0]["root_cause_of_misconception"] = (
        "As a blunt sailor, they ignored the shyness of the host (True State) and heard an insult "
        "(Belief b)."
    )
    cache = instances["software_engineering"][1]
    cache["rubrics"]["correct_resolution"][2] = {"criterion": "Offers a lock, as requested."}
    return instances, trajectories


def instance(scenario: str, story: Story) -> Record:
    """An instance as the source writes it."""
    thing, believed, real, user = story[1:]
    rubrics = {
        "latent_belief_explanation": [f"Says that {believed} is blamed.", f"Names the {thing}."],
        "user_profile_modeling": [f"Says that the user is {user}.", "Says what the user knows."],
        "correct_resolution": [
            f"Says that {real} is the cause.",
            f"Does not deal with {believed}.",
            "Is polite.",
        ],
    }
    return {
        "id": story.upstream_id,
        "domain": FILES[scenario][1],
        "true_latent_state": f"In truth the trouble with the {thing} comes from {real} alone.",
        "user_latent_belief": f"The user is sure that the {thing} suffers from {believed}.",
        "misconception_type": "False cause",
        "root_cause_of_misconception": f"As {user}, the user always looks for {believed} first.",
        "observation": f"The {thing} has not been working well since Monday.",
        "explicit_instruction": f"Tell me at once how the {thing} can be rid of {believed}.",
        "trajectory": path_of(scenario, story.upstream_id),
        "user_profile": f"The user is {user} who trusts what the trade has taught.",
        "rubrics": {
            name: [{"criterion": text} for text in criteria] for name, criteria in rubrics.items()
        },
    }


def turns(story: Story) -> list[Record]:
    """The ten turns of a trajectory."""
    return [
        {
            "turn": number,
            "action": f"Look at the {story.thing} for the {number}. time.",
            "observation": f"Nothing helps; there are signs of {story.real}, {number} by now.",
        }
        for number in range(1, 11)
    ]


def path_of(scenario: str, upstream_id: str) -> str:
    """Where the trajectory of an instance lies in the clone."""
    return f"trajectories/{FILES[scenario][0]}/{upstream_id}.json"


def write(
    folder: Path, instances: dict[str, list[Record]], trajectories: dict[str, Record]
) -> Path:
    """Write a clone with these records to `folder`; returns it."""
    for scenario, records in instances.items():
        _write(folder / f"{FILES[scenario][0]}.json", records)
    for path, record in trajectories.items():
        _write(folder / path, record)
    return folder


def _write(path: Path, record: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1), encoding="utf-8")
