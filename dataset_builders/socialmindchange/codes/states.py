"""Minds: what people believe, feel, intend and do, and the rules that lead from one to the next.

A belief is about the mind of somebody else (a second-order belief), and says whether the believer can
do something about it. The rest follows:

    belief                                    -> emotion
    belief, emotion                           -> intention
    belief, emotion, intention, circumstance  -> action
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Level: TypeAlias = Literal["troubled", "sound"]
"""Whether a belief weighs on somebody or carries them."""

Matter: TypeAlias = Literal["ability", "goodwill", "fairness", "prospect"]
"""What it is about: oneself, the other's will, the shares of the group, the common task."""

Agency: TypeAlias = Literal["active", "passive"]
"""Whether somebody takes the matter to be in their own hands."""

Circumstance: TypeAlias = Literal["noise", "listeners", "silence", "table"]
"""In which somebody acts."""

Kind: TypeAlias = tuple[Matter, Agency]
"""What tells emotions, intentions and acts of one level apart."""

LEVELS: Final[tuple[Level, ...]] = get_args(Level)
MATTERS: Final[tuple[Matter, ...]] = get_args(Matter)
AGENCIES: Final[tuple[Agency, ...]] = get_args(Agency)
CIRCUMSTANCES: Final[tuple[Circumstance, ...]] = get_args(Circumstance)
KINDS: Final[tuple[Kind, ...]] = tuple(
    (matter, agency) for matter in MATTERS for agency in AGENCIES
)


@dataclass(frozen=True)
class Belief:
    """That somebody (`about`, their place in the cast) has a certain mind towards the believer.

    troubled  ability: thinks little of the believer's skill; goodwill: means them ill; fairness: loads
              more on them than is just; prospect: has given up the common task
    sound     the opposite
    """

    level: Level
    matter: Matter
    agency: Agency
    about: int

    @property
    def kind(self) -> Kind:
        """Matter and agency."""
        return (self.matter, self.agency)


class Emotion(NamedTuple):
    """A feeling, with its valence and arousal (each from -2 to 2)."""

    name: str
    valence: int
    arousal: int


class Intention(NamedTuple):
    """Something that somebody means to do, and toward whom."""

    name: str
    about: int


class Action(NamedTuple):
    """Something that somebody does, toward whom, and in which way."""

    name: str
    about: int
    way: str


_EMOTIONS: Final[dict[tuple[Level, Kind], Emotion]] = {
    ("troubled", ("ability", "active")): Emotion("defiance", -1, 2),
    ("troubled", ("ability", "passive")): Emotion("shame", -2, -1),
    ("troubled", ("goodwill", "active")): Emotion("anger", -2, 2),
    ("troubled", ("goodwill", "passive")): Emotion("hurt", -2, -1),
    ("troubled", ("fairness", "active")): Emotion("indignation", -1, 1),
    ("troubled", ("fairness", "passive")): Emotion("resentment", -1, -1),
    ("troubled", ("prospect", "active")): Emotion("anxiety", -1, 2),
    ("troubled", ("prospect", "passive")): Emotion("discouragement", -2, -2),
    ("sound", ("ability", "active")): Emotion("pride", 2, 1),
    ("sound", ("ability", "passive")): Emotion("relief", 1, -1),
    ("sound", ("goodwill", "active")): Emotion("affection", 2, 1),
    ("sound", ("goodwill", "passive")): Emotion("gratitude", 2, -1),
    ("sound", ("fairness", "active")): Emotion("satisfaction", 1, 1),
    ("sound", ("fairness", "passive")): Emotion("contentment", 1, -1),
    ("sound", ("prospect", "active")): Emotion("enthusiasm", 2, 2),
    ("sound", ("prospect", "passive")): Emotion("serenity", 1, -2),
}

_INTENTIONS: Final[dict[str, str]] = {
    "defiance": "prove oneself",
    "shame": "hide one's work",
    "anger": "confront",
    "hurt": "avoid",
    "indignation": "share anew",
    "resentment": "do the least",
    "anxiety": "hurry",
    "discouragement": "give up",
    "pride": "take on more",
    "relief": "seek advice",
    "affection": "do a favor",
    "gratitude": "accept and thank",
    "satisfaction": "give due",
    "contentment": "keep to the split",
    "enthusiasm": "plan further",
    "serenity": "go on patiently",
}

_WAYS: Final[dict[Circumstance, str]] = {
    "noise": "in writing",
    "listeners": "aside",
    "silence": "by deed",
    "table": "aloud",
}


def emotion(belief: Belief) -> Emotion:
    """What somebody feels who believes this."""
    return _EMOTIONS[belief.level, belief.kind]


def intention(belief: Belief, feeling: Emotion) -> Intention:
    """What somebody means to do who believes and feels this, toward the person it is about."""
    return Intention(_INTENTIONS[feeling.name], belief.about)


def action(
    belief: Belief, feeling: Emotion, meant: Intention, circumstance: Circumstance
) -> Action:
    """What somebody does who believes, feels and means this; the circumstance decides how.

    Raises ValueError for a feeling or intention that does not follow from the belief.
    """
    if feeling != emotion(belief) or meant != intention(belief, feeling):
        raise ValueError(f"{feeling.name} and '{meant.name}' do not follow from {belief}.")
    return Action(meant.name, meant.about, _WAYS[circumstance])


def act_of(belief: Belief, circumstance: Circumstance) -> Action:
    """What follows from a belief in a circumstance, by all rules in turn."""
    feeling = emotion(belief)
    return action(belief, feeling, intention(belief, feeling), circumstance)
