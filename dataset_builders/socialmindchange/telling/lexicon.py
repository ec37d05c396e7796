"""The phrases of one stage: what its options and lines are composed from.

A grammar fills a lexicon for stages in numbers (`filled`), an author for a stage that is written. Names
of doers, bearers and things stand in the phrases. Slots in braces are for the person that a phrase is said
of: {who} (the name), {he}, {him}, {his}, {himself}.

| key | phrase | example |
| --- | --- | --- |
| `matter.M.topic` | noun phrase | the spring reading |
| `matter.M.deed` | past clause | Rita took Tom's reading off the program |
| `matter.M.good`, `matter.M.ill` | past clause: why | Rita wanted to spare Tom an empty room |
| `matter.M.took.good`, `.ill` | clause after "thinks that" | Rita meant well when she cut the reading |
| `matter.M.proof` | noun phrase | Rita's note to the printer |
| `matter.M.shown` | past clause: what the proof says | the note asked the printer to keep Tom's hour for a better day |
| `matter.M.stake.with`, `.against` | sentence with {who} | If the reading does well, {who} sells {his} prints there. |
| `matter.M.heard.good`, `.ill` | what others say of it, as speech without quotation marks | Rita only did it so that nobody would laugh at him. |
| `emotion.E.M` | present clause with {who} | {who} is furious with Rita about the reading |
| `intention.I.M` | infinitive | to have it out with Rita over the reading |
| `action.I.M` | third person present | has it out with Rita over the reading |
| `manner.W.M` | adverbial, for the manners of R7 | before Lena's eyes |
| `word.M.TO.SETTING.TONE` | present sentences of the guide telling person TO what was meant | Gina draws Tom aside. "Careful now, …" |
| `word.M.TO.fitting` | the same, put as TO takes it best, and not how that is | Gina tells Tom, as he best takes such things, … |

M and TO are numbers from 0; E, I and W are the names of `world.conduct`.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Gender: TypeAlias = Literal["woman", "man"]

_PRONOUNS: Final[Mapping[Gender, tuple[str, str, str, str]]] = {
    "woman": ("she", "her", "her", "herself"),
    "man": ("he", "him", "his", "himself"),
}


class LexiconError(ValueError):
    """A phrase that lacks, or that two keys have."""


@dataclass(frozen=True)
class Named:
    """Somebody as phrases speak of them."""

    name: str
    gender: Gender

    def slots(self) -> dict[str, str]:
        """What fills the slots of a phrase that is said of this person."""
        he, him, his, himself = _PRONOUNS[self.gender]
        return {"who": self.name, "he": he, "him": him, "his": his, "himself": himself}


@dataclass(frozen=True)
class Lexicon:
    """The phrases of a stage by key, and its people by place."""

    people: tuple[Named, ...]
    phrases: Mapping[str, str]

    def phrase(self, *key: object, of: int | None = None) -> str:
        """The phrase of a key, said of a person where `of` is given.

        Raises LexiconError where there is none.
        """
        name = ".".join(map(str, key))
        if name not in self.phrases:
            raise LexiconError(f"The lexicon has no phrase '{name}'.")
        phrase = self.phrases[name]
        return phrase if of is None else phrase.format_map(self.people[of].slots())

    def missing(self, keys: Iterable[str]) -> list[str]:
        """The keys that have no phrase."""
        return sorted(set(keys) - set(self.phrases))
