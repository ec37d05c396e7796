"""Questions as JSON, as a frame has them, and the symbols that they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from otherminds.dataset_builders.socialmindchange.asking.question import (
    Exchanged,
    Option,
    Question,
)
from otherminds.dataset_builders.socialmindchange.world.frame import Word
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Backed,
    Changed,
    Claim,
    Emotion,
    Intention,
    Manner,
    Present,
    ReceptionOf,
    StakeIn,
    Thing,
    Variable,
    View,
)

Json = Mapping[str, Any]

_OF_TWO: Final[Mapping[str, type[Emotion | Intention | Manner | Backed | StakeIn]]] = {
    "emotion": Emotion,
    "intention": Intention,
    "manner": Manner,
    "backed": Backed,
    "stake": StakeIn,
}


def question_json(one: Question) -> dict[str, Any]:
    """A question with its options, the right one first."""
    return {
        "type": one.type,
        "state": one.state,
        "first": one.first + 1,
        "second": one.second + 1,
        "focus": one.focus,
        "matter": one.matter,
        "asked": one.asked_json(),
        "options": [
            {"claims": one.claims_json(option), "against": list(option.against)}
            for option in one.options
        ],
    }


def question(found: Json) -> Question:
    """The question of a frame."""
    asked = found["asked"]
    return Question(
        type=found["type"],
        state=found["state"],
        first=found["first"] - 1,
        second=found["second"] - 1,
        focus=found["focus"],
        matter=found["matter"],
        words=_words(asked.get("words", {})),
        aim=tuple(map(_claim, asked.get("aim", ()))),
        guard=tuple(map(_asked, asked.get("guard", ()))),
        options=tuple(_option(found["type"], one) for one in found["options"]),
    )


def _option(kind: str, found: Json) -> Option:
    claims, against = found["claims"], tuple(found["against"])
    if kind == "guidance_action":
        return Option(word=_word(claims["word"]), against=against)
    if kind == "transition_plan":
        course = tuple(word for _, word in sorted(_words(claims["words"]).items()))
        return Option(course=course, against=against)
    return Option(claims=tuple(map(_claim, claims)), against=against)


def _words(found: Json) -> Exchanged:
    return {int(scene) - 1: _word(word) for scene, word in found.items()}


def _word(found: Json | None) -> Word | None:
    return None if found is None else Word(**found)


def _claim(found: Json) -> Claim:
    is_so = "is" in found
    return Claim(_asked(found["of"]), found["is" if is_so else "is_not"], is_so)


def _asked(found: Json) -> Asked:
    if found["kind"] == "changed":
        what = found["what"]
        state = _thing(what)
        assert isinstance(state, View | Emotion | Intention)
        return Changed(state, what["scene"] - 1, found["since"] - 1, what.get("close", False))
    # What somebody has at stake is so all along, and names no scene.
    return Variable(_thing(found), found.get("scene", 1) - 1, found.get("close", False))


def _thing(found: Json) -> Thing:
    kind = found["kind"]
    if kind == "view":
        return View(tuple(found["chain"]), found["matter"])
    if kind == "present":
        return Present(found["person"])
    if kind == "reception":
        return ReceptionOf(found["person"])
    return _OF_TWO[kind](found["person"], found["matter"])
