"""What people feel, mean to do and do, from what they take to be so (R5 to R7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from otherminds.dataset_builders.socialmindchange.world.frame import Frame, Stake, Value
from otherminds.dataset_builders.socialmindchange.world.minds import Minds

Emotion: TypeAlias = Literal[
    "hurt", "anger", "embarrassment", "glee", "gratitude", "relief", "envy", "annoyance"
]
Intention: TypeAlias = Literal[
    "ask", "withdraw", "accuse", "gather", "make_up", "cover", "press", "feed",
    "thank", "plead", "carry_on", "set_right", "ask_same", "play_down", "give_way", "stir",
]  # fmt: skip
Manner: TypeAlias = Literal["held", "before_lead", "face", "to_lead", "behind"]

EMOTIONS: Final[tuple[Emotion, ...]] = get_args(Emotion)
INTENTIONS: Final[tuple[Intention, ...]] = get_args(Intention)
MANNERS: Final[tuple[Manner, ...]] = get_args(Manner)

FELT: Final[Mapping[tuple[Value, Stake, bool], Emotion]] = {
    ("ill", "with", True): "hurt",
    ("ill", "with", False): "anger",
    ("ill", "against", True): "embarrassment",
    ("ill", "against", False): "glee",
    ("good", "with", True): "gratitude",
    ("good", "with", False): "relief",
    ("good", "against", True): "envy",
    ("good", "against", False): "annoyance",
}
"""By view, stake, and whether the tie to the doer is warm."""

MEANT: Final[Mapping[Emotion, tuple[Intention, Intention]]] = {
    "hurt": ("ask", "withdraw"),
    "anger": ("accuse", "gather"),
    "embarrassment": ("make_up", "cover"),
    "glee": ("press", "feed"),
    "gratitude": ("thank", "plead"),
    "relief": ("carry_on", "set_right"),
    "envy": ("ask_same", "play_down"),
    "annoyance": ("give_way", "stir"),
}
"""What follows from a feeling: backed, and alone."""

SPOKEN: Final[Mapping[Intention, Value]] = {
    "accuse": "ill",
    "press": "ill",
    "feed": "ill",
    "stir": "ill",
    "thank": "good",
    "plead": "good",
    "set_right": "good",
    "cover": "good",
}
"""What intentions say that speak (R8)."""


def felt(frame: Frame, person: int, matter: int, view: Value) -> Emotion:
    """What somebody feels about another's deed who takes it so. Raises ValueError for the doer."""
    doer = frame.matters[matter].doer
    if person == doer:
        raise ValueError(f"{person} did matter {matter}, and feels nothing of this kind about it.")
    return FELT[view, frame.stakes[person][matter], frame.ties[person][doer] == "warm"]


def emotion(minds: Minds, person: int, matter: int) -> Emotion:
    """What somebody feels about another's deed. Raises ValueError for the doer."""
    return felt(minds.frame, person, matter, minds.view((person,), matter))


def backed(minds: Minds, person: int, matter: int) -> bool:
    """Whether somebody thinks that the one who counts takes it as they do."""
    lead = minds.frame.lead
    counts = minds.frame.matters[matter].bearer if person == lead else lead
    return minds.view((person, counts), matter) == minds.view((person,), matter)


def intention(minds: Minds, person: int, matter: int) -> Intention:
    """What somebody means to do about another's deed. Raises ValueError for the doer."""
    supported, alone = MEANT[emotion(minds, person, matter)]
    return supported if backed(minds, person, matter) else alone


def manner(frame: Frame, person: int, matter: int, there: frozenset[int]) -> Manner:
    """How somebody does it who is there with these people."""
    if bound(frame, person, matter, there):
        return "held"
    doer = frame.matters[matter].doer in there
    lead = frame.lead in there and person != frame.lead
    if doer:
        return "before_lead" if lead else "face"
    return "to_lead" if lead else "behind"


def bound(frame: Frame, person: int, matter: int, there: frozenset[int]) -> bool:
    """Whether somebody has promised one of these people not to speak of the matter."""
    return any(
        one.by == person and one.matter == matter and one.to in there for one in frame.promises
    )
