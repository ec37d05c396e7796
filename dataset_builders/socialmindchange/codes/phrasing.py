"""Putting a question and its options into words; all options of an item in the same style."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from otherminds.dataset_builders.socialmindchange.codes.claims import Asked, Values
from otherminds.dataset_builders.socialmindchange.codes.content import Content, Question
from otherminds.dataset_builders.socialmindchange.codes.scenes import Stage
from otherminds.dataset_builders.socialmindchange.codes.states import Belief, Level
from otherminds.dataset_builders.socialmindchange.codes.text import fill
from otherminds.dataset_builders.socialmindchange.codes.trajectory import GUIDE, TARGET

_STYLES: Final = 3


def styles() -> range:
    """The styles of options, and the wordings of questions."""
    return range(_STYLES)


class Phrasing:
    """The words of one item, in a style of options and a wording of the question."""

    def __init__(
        self, content: Content, stage: Stage, asked: Asked, style: int, wording: int
    ) -> None:
        self._phrases = content.phrases
        self._stage = stage
        self._asked = asked
        self._first = stage.trajectory.moments[asked.first]
        self._second = stage.trajectory.moments[asked.second]
        self._style = style
        self._wording = wording
        known = content.questions[asked.type]
        self._texts: Question = known["guess" if asked.guess else asked.state]

    def question(self) -> str:
        """The question."""
        people, guess = self._stage.people, self._second.guess
        slots = {
            **self._focus(),
            "g": people[GUIDE].given,
            "i": str(self._asked.first + 1),
            "j": str(self._asked.second + 1),
            "p": people[self._second.counterpart].given,
            "w": people[guess.by].given if guess else "",
        }
        return fill(self._texts.ask[self._wording], slots)

    def option(self, values: Values) -> str:
        """An option that claims these values."""
        people, guess = self._stage.people, self._second.guess
        slots = {
            **self._focus(),
            "i": str(self._asked.first + 1),
            "j": str(self._asked.second + 1),
            "p": people[self._second.counterpart].given,
            "w": people[guess.by].given if guess else "",
        }
        for name, value in values.items():
            slots |= self._filled(name, value, values)
        return fill(self._texts.options, slots)

    def _filled(self, name: str, value: Any, values: Values) -> dict[str, str]:
        """What a value fills in a pattern: under its own name, and that with the scene's suffix."""
        base, _, suffix = name.partition("_")
        if name in ("guess_matter", "guess_about"):
            if name == "guess_about":
                return {}
            text = self._phrases.belief["troubled"][value][self._style]
            return {"GUESS": self._worded(text, values["guess_about"])}
        if base == "about":
            return {f"ABOUT_{suffix.upper()}": self._stage.people[value].given}
        if base == "matter":
            return self._matters(value, suffix, values)
        if base == "kind":
            return self._kinds(value, suffix)
        text = self._static[base](value)[self._style]
        slots = {base.upper(): self._worded(text)}
        return slots | {f"{base.upper()}_{suffix.upper()}": self._worded(text)}

    def _matters(self, value: Any, suffix: str, values: Values) -> dict[str, str]:
        belief = self._belief(suffix)
        about = values.get(f"about_{suffix}", belief.about)
        believed = self._phrases.belief[belief.level][value][self._style]
        told = self._phrases.inform[value][self._style]
        slots = {"BELIEF": self._worded(believed, about), "INFORM": self._worded(told, about)}
        return slots | {f"{name}_{suffix.upper()}": text for name, text in slots.items()}

    def _kinds(self, value: Any, suffix: str) -> dict[str, str]:
        matter, agency = value
        level: Level = self._belief(suffix).level
        slots = {}
        for name in ("emotion", "intention", "act", "redirect", "ask"):
            text = getattr(self._phrases, name)[level][matter][agency][self._style]
            worded = self._worded(text, self._belief(suffix).about, whose=suffix)
            slots[name.upper()] = slots[f"{name.upper()}_{suffix.upper()}"] = worded
        return slots

    @property
    def _static(self) -> dict[str, Callable[[Any], tuple[str, ...]]]:
        phrases = self._phrases
        return {
            "setting": phrases.setting.__getitem__,
            "goal": phrases.goal.__getitem__,
            "norm": phrases.norm.__getitem__,
            "way": phrases.way.__getitem__,
            "circumstance": phrases.circumstance.__getitem__,
            "bridge": phrases.bridge.__getitem__,
            "agency": phrases.agency.__getitem__,
        }

    def _belief(self, suffix: str) -> Belief:
        if suffix == "p":
            return self._second.other
        return self._first.belief if suffix == "i" else self._second.belief

    def _focus(self) -> dict[str, str]:
        person = self._stage.people[TARGET]
        return {"t": person.given, **person.pronouns()}

    def _worded(self, text: str, about: int | None = None, *, whose: str = "") -> str:
        """A phrase with its people: about the person in focus, or the other one seen closely."""
        person = self._stage.people[self._second.counterpart if whose == "p" else TARGET]
        slots = {"t": person.given, **person.pronouns()}
        if about is not None:
            other = self._stage.people[about]
            slots |= {"x": other.given, **other.pronouns("x")}
        return fill(text, slots)
