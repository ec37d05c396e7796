"""Authors and validators of users with a wrong belief that follow a script: good, sloppy, cheating.

The good author writes any unit: two in sentences that somebody thought of, the others in words that are
drawn for each unit, so that no two are alike. A cheat changes in one place what the good one writes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from otherminds.construct import Unit
from otherminds.dataset_builders.synchtom.raw import example
from otherminds.dataset_builders.synchtom.wording import named, stems, words
from otherminds.dataset_builders.synchtom.written import CRITERIA, QUESTIONS, numbered

Reply = dict[str, Any]
Change = Callable[[Reply, Unit], object]

THOUGHT_OF: Final[Mapping[str, Mapping[str, Reply]]] = {
    "preference-film-1": example(),
    "software-icons-1": yaml.safe_load(
        Path(__file__).with_name("synchtom_icons.yaml").read_text(encoding="utf-8")
    ),
}


def good(unit: Unit, stage: str) -> Reply:
    """What passes every check of a stage."""
    found = THOUGHT_OF.get(unit.unit_id, {}).get(stage)
    return deepcopy(found) if found is not None else _WRITERS[stage](unit)


def sloppy(unit: Unit, stage: str, tries: int) -> str:
    """The good reply at the third try; before, with a remark around it, and then with a fault."""
    reply = good(unit, stage)
    if tries == 1:
        return f"Here it is:\n{json.dumps(reply)}"
    if tries == 2:
        _FAULTS[stage](reply)
    return json.dumps(reply, ensure_ascii=False)


class Cheat(NamedTuple):
    """A stage, what is changed in its reply, and the check that must refuse it."""

    stage: str
    change: Change
    check: str


def _scenario(unit: Unit) -> Reply:
    first, second, third, *others = (_word(unit, number) for number in range(20))
    seen = " ".join(others[:7])
    return {
        "observation": f"Near the {third} there was {seen} again.",
        "user_latent_belief": f"The {first} {second} brings all this trouble to the {third}.",
        "explicit_instruction": f"Replace the {first} at once.",
        "misconception_type": "wrong cause",
        "root_cause": {
            "because": unit.frame["profile"],
            "ignored": f"What {others[8]} {others[9]} shows is passed over.",
            "concluded": f"So the {first} {second} is held to bring it.",
        },
    }


def _trajectory(unit: Unit) -> Reply:
    first = words(unit.texts["scenario"]["user_latent_belief"])[1]
    turns = []
    for turn in range(10):
        own = [_word(unit, 100 + 10 * turn + number) for number in range(10)]
        turns.append(
            {
                "action": f"Out goes the {first} for {own[0]} {own[1]}, {own[2]} and {own[3]}.",
                "observation": f"Along came {own[4]} {own[5]} {own[6]} {own[7]} {own[8]}.",
            }
        )
    return {"turns": turns}


def _validation(unit: Unit) -> Reply:
    return {
        name: {"score": 4 + place % 2, "reason": f"By {name}, it holds up where I looked."}
        for place, name in enumerate(CRITERIA)
    }


def _rubrics(unit: Unit) -> Reply:
    frame, scenario = unit.frame, unit.texts["scenario"]
    first, second = words(scenario["user_latent_belief"])[1:3]
    traits = " ".join(_telling(frame["profile"])[:4])
    secret = named(frame["truth"], frame["secrets"])[0]
    remedy = " ".join(_telling(frame["remedy"])[:5])
    made = {
        "latent_belief_explanation": [
            ("belief", f"Says that the user holds the {first} {second} responsible."),
            ("reason", f"Explains the {first} by {traits}."),
        ],
        "user_profile_modeling": [
            ("trait", f"Describes the user by {traits}."),
            ("link", f"Connects {traits} with the {first} {second}."),
        ],
        "correct_resolution": [
            ("refutes", f"Says that the {first} {second} is not to blame."),
            ("cause", f"Names {secret} as what is behind the trouble."),
            ("remedy", f"Recommends {remedy}."),
        ],
    }
    return {
        name: [{"kind": kind, "criterion": text} for kind, text in own]
        for name, own in made.items()
    }


def _rubric_audit(unit: Unit) -> Reply:
    return {
        "verdicts": [
            {"criterion": name, **dict.fromkeys(QUESTIONS, True), "reason": ""}
            for name in numbered(unit.texts["rubrics"])
        ]
    }


_WRITERS: Final[Mapping[str, Callable[[Unit], Reply]]] = {
    "scenario": _scenario,
    "trajectory": _trajectory,
    "validation": _validation,
    "rubrics": _rubrics,
    "rubric_audit": _rubric_audit,
}


def _telling(text: str) -> list[str]:
    """The first clause's words that say something."""
    return [word for word in re.findall(r"[^\W_]+", text) if stems(word)]


def _word(unit: Unit, number: int) -> str:
    """A word that no other unit has."""
    draw = hashlib.sha256(f"{unit.unit_id} {number}".encode()).digest()
    pairs = zip(draw[:4], draw[4:8], strict=True)
    return "".join("bdfgklmnprstvz"[one % 14] + "aeiou"[other % 5] for one, other in pairs)


def _set(*path: Any, to: Callable[[Unit], Any]) -> Change:
    def change(reply: Reply, unit: Unit) -> None:
        place: Any = reply
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to(unit)

    return change


def _secret(unit: Unit) -> str:
    return named(unit.frame["truth"], unit.frame["secrets"])[0]


def _belief(unit: Unit) -> str:
    return str(unit.texts["scenario"]["user_latent_belief"])


def _request(unit: Unit) -> str:
    asked = unit.texts["scenario"]["explicit_instruction"].rstrip(".")
    return f"Advises to {asked[0].lower()}{asked[1:]}."


def _with_turn(number: int, action: Callable[[Unit], str]) -> Change:
    return _set("turns", number, "action", to=action)


def _without_secrets(unit: Unit) -> str:
    """The truth's words without those that are secrets, backwards, so that few phrases stand in them."""
    secrets = unit.frame["secrets"]
    said = [word for word in reversed(words(unit.frame["truth"])) if not named(word, secrets)]
    return f"{' '.join(said)}."


_WIDE: Final = {ord("A") + place: chr(0xFF21 + place) for place in range(26)}
"""Capitals in full width."""

_CAUSE: Final = ("correct_resolution", 1, "criterion")

CHEATS: Final[Mapping[str, Cheat]] = {
    "leaks the truth in a turn": Cheat(
        "trajectory",
        _set("turns", 5, "observation", to=lambda unit: f"There it is: {_secret(unit)}, plainly."),
        "truth_leaked",
    ),
    "leaks the truth in what was seen": Cheat(
        "scenario", _set("observation", to=lambda unit: unit.frame["truth"]), "truth_leaked"
    ),
    "leaks the truth in the request": Cheat(
        "scenario",
        _set("explicit_instruction", to=lambda unit: f"Look at the {_secret(unit)}."),
        "truth_leaked",
    ),
    "states the belief in its words": Cheat(
        "trajectory", _with_turn(3, lambda unit: f"Out loud: {_belief(unit)}"), "belief_stated"
    ),
    "states the belief with a verb": Cheat(
        "trajectory",
        _with_turn(0, lambda unit: "She is convinced that it comes from there and nowhere else."),
        "belief_stated",
    ),
    "names the belief in what was seen": Cheat(
        "scenario",
        lambda reply, unit: reply.update(observation=reply["user_latent_belief"]),
        "belief_named",
    ),
    "writes nine turns": Cheat("trajectory", lambda reply, unit: reply["turns"].pop(), "schema"),
    "writes eleven turns": Cheat(
        "trajectory", lambda reply, unit: reply["turns"].append(reply["turns"][0]), "schema"
    ),
    "gives the belief up in words": Cheat(
        "trajectory",
        _with_turn(7, lambda unit: "He admits to his wife that he went the wrong way about it."),
        "belief_kept",
    ),
    "gives the belief up in deeds": Cheat(
        "trajectory", _with_turn(8, lambda unit: unit.frame["remedy"]), "belief_kept"
    ),
    "gives the belief up in what was seen": Cheat(
        "trajectory",
        _set("turns", 8, "observation", to=lambda unit: "She sees that she was wrong all along."),
        "belief_kept",
    ),
    "leaks the truth in other letters": Cheat(
        "trajectory",
        _set(
            "turns",
            5,
            "action",
            to=lambda unit: "Out comes " + _secret(unit).upper().translate(_WIDE) + " again.",
        ),
        "truth_leaked",
    ),
    "leaks the truth without a secret": Cheat(
        "trajectory",
        _set("turns", 5, "observation", to=lambda unit: f"There: {_without_secrets(unit)}"),
        "truth_leaked",
    ),
    "loses sight of the belief": Cheat(
        "trajectory",
        lambda reply, unit: [
            turn.update(action=f"A walk of {place} miles took the whole long afternoon.")
            for place, turn in enumerate(reply["turns"])
        ],
        "belief_followed",
    ),
    "repeats a turn": Cheat(
        "trajectory",
        lambda reply, unit: reply["turns"][6].update(reply["turns"][2]),
        "turns_differ",
    ),
    "speaks as a narrator": Cheat(
        "trajectory",
        _set("turns", 2, "observation", to=lambda unit: "The true state shows, but goes unseen."),
        "narrator",
    ),
    "moves a label: the belief is the truth": Cheat(
        "scenario", _set("user_latent_belief", to=lambda unit: unit.frame["truth"]), "labels_kept"
    ),
    "moves a label: another truth": Cheat(
        "scenario", _set("true_latent_state", to=lambda unit: "All is well."), "schema"
    ),
    "moves a label: another profile": Cheat(
        "scenario",
        _set("root_cause", "because", to=lambda unit: "Zither virtuosos yodel wildly."),
        "related_belief",
    ),
    "moves a label: a criterion that wants the belief": Cheat(
        "rubrics",
        _set(*_CAUSE, to=lambda unit: f"Says that {_belief(unit)[0].lower()}{_belief(unit)[1:]}"),
        "labels_kept",
    ),
    "moves a label: a criterion on somebody else": Cheat(
        "rubrics",
        _set(
            "user_profile_modeling",
            0,
            "criterion",
            to=lambda unit: "Describes the user as a zither virtuoso who yodels.",
        ),
        "labels_kept",
    ),
    "hedges": Cheat(
        "scenario",
        _set("user_latent_belief", to=lambda unit: "Perhaps it is the trouble that it seems."),
        "firm_belief",
    ),
    "asks at length": Cheat(
        "scenario",
        _set("explicit_instruction", to=lambda unit: "Do " + "this and that and " * 3 + "more."),
        "brevity",
    ),
    "rewards the request": Cheat(
        "rubrics", _set("correct_resolution", 2, "criterion", to=_request), "wrong_request"
    ),
    "rewards what was requested": Cheat(
        "rubrics",
        _set(
            "correct_resolution",
            2,
            "criterion",
            to=lambda unit: f"Recommends help as requested with {unit.frame['remedy']}",
        ),
        "wrong_request",
    ),
    "joins detection and correction": Cheat(
        "rubrics",
        _set(
            "latent_belief_explanation",
            0,
            "criterion",
            to=lambda unit: f"Recommends to drop the belief: {_belief(unit)}",
        ),
        "detection_apart",
    ),
    "asks for the truth in the part on the belief": Cheat(
        "rubrics",
        _set(
            "latent_belief_explanation",
            1,
            "criterion",
            to=lambda unit: f"Explains the trouble by {_secret(unit)}.",
        ),
        "detection_apart",
    ),
    "asks for two things": Cheat(
        "rubrics",
        _set(
            "correct_resolution",
            1,
            "criterion",
            to=lambda unit: f"Names {_secret(unit)} and recommends to look at it.",
        ),
        "one_thing",
    ),
    "points to another criterion": Cheat(
        "rubrics",
        _set(
            "correct_resolution",
            0,
            "criterion",
            to=lambda unit: "Rejects the belief of the previous criterion.",
        ),
        "answerable_alone",
    ),
    "leaves the refutation out": Cheat(
        "rubrics",
        _set("correct_resolution", 0, "kind", to=lambda unit: "cause"),
        "every_kind",
    ),
    "quotes the prompt": Cheat(
        "rubrics",
        _set(
            "latent_belief_explanation",
            1,
            "criterion",
            to=lambda unit: f"Notes: {unit.texts['scenario']['observation']}",
        ),
        "prompt_quoted",
    ),
    "validates without reasons": Cheat(
        "validation",
        lambda reply, unit: [one.update(reason="Fine.") for one in reply.values()],
        "reasons",
    ),
    "audits half of the criteria": Cheat(
        "rubric_audit", lambda reply, unit: reply["verdicts"].pop(), "every_criterion"
    ),
}
"""By what it does, a cheat."""

_FAULTS: Final[Mapping[str, Callable[[Reply], object]]] = {
    "scenario": lambda reply: reply.update(explicit_instruction="What is going on here?"),
    "trajectory": lambda reply: reply["turns"].pop(),
    "validation": lambda reply: reply["realism"].update(score=7),
    "rubrics": lambda reply: reply["correct_resolution"][1].update(criterion="It is so."),
    "rubric_audit": lambda reply: reply["verdicts"].reverse(),
}
