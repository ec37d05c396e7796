"""What the content files may hold of wording that serves every topic: voices and values."""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypeVar

from pydantic import AfterValidator, Field

from otherminds.strict import Strict

Texts: TypeAlias = Annotated[tuple[str, ...], Field(min_length=1)]

VALUES = ("autonomy", "security", "care", "thrift")
REGISTERS = ("plain", "casual", "formal")


class ByRegister(Strict):
    """The same thing said plainly, casually, formally."""

    plain: Texts
    casual: Texts
    formal: Texts

    def of(self, register: str) -> tuple[str, ...]:
        """The wordings of one register."""
        return {"plain": self.plain, "casual": self.casual, "formal": self.formal}[register]

    @property
    def all(self) -> tuple[str, ...]:
        """The wordings of all registers."""
        return self.plain + self.casual + self.formal


def _exactly(*keys: int | str) -> AfterValidator:
    """Require a mapping to have these keys and no others."""

    def check(found: dict[_Key, _Said]) -> dict[_Key, _Said]:
        if set(found) != set(keys):
            raise ValueError(f"the keys must be {', '.join(map(str, keys))}")
        return found

    return AfterValidator(check)


_Key = TypeVar("_Key", int, str)
_Said = TypeVar("_Said")

FiveClasses: TypeAlias = Annotated[dict[int, ByRegister], _exactly(1, 2, 3, 4, 5)]
FourBuckets: TypeAlias = Annotated[dict[int, ByRegister], _exactly(1, 2, 3, 4)]
CoarseClasses: TypeAlias = Annotated[dict[str, ByRegister], _exactly("low", "mid", "high")]


class Effects(Strict):
    """Clauses that say that something pushes the person toward or away from the policy."""

    positive: ByRegister
    negative: ByRegister


class Habits(Strict):
    """Sentences on what a person likes to bring up, whatever the subject."""

    family: Texts
    job: Texts
    numbers: Texts
    place: Texts

    def of(self, kind: str) -> tuple[str, ...]:
        """The sentences of one kind."""
        return {
            "family": self.family,
            "job": self.job,
            "numbers": self.numbers,
            "place": self.place,
        }[kind]


class HabitsByRegister(Strict):
    """Habits put plainly, casually, formally."""

    plain: Habits
    casual: Habits
    formal: Habits

    def of(self, register: str) -> Habits:
        """The habits of one register."""
        return {"plain": self.plain, "casual": self.casual, "formal": self.formal}[register]


class Magnitudes(Strict):
    """How a scenario says how far a factor moves."""

    slight: Texts
    clear: Texts
    sharp: Texts

    def of(self, magnitude: int) -> tuple[str, ...]:
        """The wordings of magnitude 1, 2 or 3."""
        return (self.slight, self.clear, self.sharp)[magnitude - 1]


class Voices(Strict):
    """How people talk, how scenarios put magnitudes, and how the interviewer asks for more.

    `fillers`, `closers` and `habits` are sentences. `openers` are sentences or, without a final
    mark, prefixes of one, as are `hedges`, `assertions`, `connectors` and `phrases`. The rest, from
    `importance` on, are clauses without capital and full stop. `importance_top` is for the one
    thing that matters most to a person, and is read as the highest rating.
    """

    openers: ByRegister
    hedges: ByRegister
    assertions: ByRegister
    connectors: ByRegister
    phrases: ByRegister
    fillers: ByRegister
    closers: ByRegister
    habits: HabitsByRegister
    importance: FiveClasses
    importance_top: ByRegister
    importance_hint: CoarseClasses
    stance: FiveClasses
    stance_hint: FourBuckets
    stance_evasive: ByRegister
    effect_stance: Effects
    effect_factor: ByRegister
    effect_factor_hint: ByRegister
    no_effect: ByRegister
    no_effect_factor: ByRegister
    no_opinion: ByRegister
    magnitudes: Magnitudes
    followups: Texts
    probes: Texts


class Poles(Strict):
    """Statements of people high and low on a value."""

    high: ByRegister
    low: ByRegister


class PoleAnecdotes(Strict):
    """Small stories of people high and low on a value."""

    high: Texts
    low: Texts


class ValueTalk(Strict):
    """How people talk about what they value, whatever the topic."""

    values: Annotated[dict[str, Poles], _exactly(*VALUES)]
    questions: Annotated[dict[str, Texts], _exactly(*VALUES)]
    anecdotes: Annotated[dict[str, PoleAnecdotes], _exactly(*VALUES)]
