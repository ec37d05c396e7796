"""What an interview has to get across, handed from the world to the text: claims, in blocks, in order.

A claim is one thing that the transcript conveys, and the only way in which it conveys anything of what
items ask about. The text supplies words; it adds no claim, drops none and turns none round.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from otherminds.dataset_builders.hugagent.population import STANCE
from otherminds.dataset_builders.hugagent.schema import Topic

ClaimKind: TypeAlias = Literal[
    "stance",
    "firmness",
    "effect",
    "weight",
    "weighing",
    "others_effect",
    "accord",
    "first_view",
    "revision",
    "value",
]
"""What a claim is about; `Claim` says which fields each kind uses."""

Told: TypeAlias = Literal["stated", "hinted"]
"""How firmly a claim is told. What an interview only implies has no claim."""

ABOUT_STANCE = STANCE
"""The target of an effect on the person's own support for the policy."""

STANCE_BANDS = 5
STANCE_BUCKETS = 4
SETTLED, PERSUADABLE, EASILY_MOVED = 0, 1, 2
"""Levels of firmness."""


@dataclass(frozen=True)
class Claim:
    """One thing to convey.

    kind           fields, and what the words must say
    stance         `level` of support for the policy: stated 1–5 (1 firmly against … 5 firmly for),
                   hinted 1–4 (a coarser level, shown by what the person would do or put up with)
    firmness       `level`: SETTLED (nothing would change their mind), PERSUADABLE (would shift a
                   little for good cause), EASILY_MOVED (would swing a long way); of views on this policy
    effect         more of `source` raises (`sign` 1) or lowers (−1) `target`, or has nothing to do
                   with it (0)
    weight         how much `source` counts for the person in this question: stated `level` 1–5, hinted
                   1 (little), 3 (some) or 5 (a lot). Says no direction
    weighing       in what happens to `on`, `source` counts for more than `target` (two factors that
                   both act on it). Names all three, and says neither what they do nor which way
    others_effect  somebody else (`holder`) believes that more of `source` raises/lowers `target`
    accord         of the claim `about` (an others_effect): the person agrees (`sign` 1) or thinks
                   the contrary (−1). Names holder and subject, and does not say the direction again
    first_view     like an effect, but given as a first thought or earlier view that may not last
    revision       of the claim `about` (a first_view), later: the person stands by it (`sign` 1) or
                   has come round to the contrary (−1). Names the subject, and does not say the
                   direction again
    value          `source` is a value of the person, held high (`level` 1) or low (−1)
    """

    claim_id: str
    kind: ClaimKind
    told: Told
    source: str = ""
    target: str = ""
    sign: int = 0
    level: int = 0
    holder: str = ""
    """Whose belief it is: empty for the person's own, else a key of HOLDERS."""

    on: str = ""
    """What a weighing is about: a factor, or ABOUT_STANCE for the person's own support."""

    about: str = ""
    """The id of the claim that this one takes up again."""


def digest(answer: str) -> str:
    """By which the claims of an answer are found again, wherever it is shown."""
    return hashlib.sha256(answer.encode()).hexdigest()[:12]


def claim_of(row: Mapping[str, Any]) -> Claim:
    """The claim of a row of the column `claims`."""
    return Claim(**{one.name: row[one.name] for one in fields(Claim)})


HOLDERS: tuple[str, ...] = (
    "brother",
    "sister",
    "neighbor",
    "coworker",
    "old friend",
    "landlord",
    "uncle",
    "aunt",
    "boss",
    "cousin",
)
"""People whose beliefs may be told beside the person's own; at most one claim each in an interview."""


@dataclass(frozen=True)
class Block:
    """What comes up under one subject: told within the turns of this block, and nowhere else.

    `factor` is the subject that the interviewer raises: a factor's name, STANCE, or "" for the person.
    """

    factor: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Manner:
    """How a person talks."""

    verbosity: Literal["terse", "plain", "talkative"]
    certainty: Literal["hedging", "even", "flat"]
    register: Literal["plain", "casual", "formal"]
    habit: Literal["family", "job", "numbers", "place"]
    examples: float
    """How readily the person tells an example, from 0 to 1."""

    digressions: float
    """How readily the person strays from the subject, from 0 to 1."""


@dataclass(frozen=True)
class InterviewPlan:
    """One interview to be worded: with whom, on what, and the blocks in their order."""

    person: int
    topic: Topic
    demographics: Mapping[str, str]
    manner: Manner
    blocks: tuple[Block, ...]
    familiar: set[str] = field(default_factory=set)
    """Sentences that this person has used in other interviews; the text adds its own."""


@dataclass(frozen=True)
class ToldTurn:
    """One exchange, and the ids of the claims that its answer conveys."""

    question: str
    answer: str
    kind: str
    """What it is for: background, stance, factor, follow-up, value, chatter, closing."""

    claims: tuple[str, ...] = ()
