"""What the text of an option claims, found again from the patterns and phrases of the generator.

For audits only, as `decoder` is: a student that has the generator's code can do this. Nothing here looks
at the truth of a stage.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

from otherminds.dataset_builders.socialmindchange.codes.cast import Person
from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.reader import person
from otherminds.dataset_builders.socialmindchange.codes.states import AGENCIES, LEVELS, MATTERS
from otherminds.dataset_builders.socialmindchange.codes.text import fill
from otherminds.dataset_builders.socialmindchange.codes.trajectory import TARGET

Claims: TypeAlias = dict[str, str]
"""Values by slot: "matter@2" is the matter of the focus person's belief in the second scene, and
"1:matter@2" that of the belief of the person in place 1."""

_SLOT: Final = re.compile(r"\{(\w+)\}")
_STATIC: Final = ("setting", "goal", "norm", "way", "circumstance", "bridge", "agency")
_KINDS: Final = ("emotion", "intention", "act", "redirect", "ask")


class OptionReader:
    """Reads the options of one stage."""

    def __init__(self, content: Content, row: Mapping[str, Any]) -> None:
        self._content = content
        self._people = [person(one) for one in row["characters"]]
        self._names = [one.given for one in self._people]
        self._known: dict[int, dict[str, dict[str, Claims]]] = {}

    def claims(self, question: Mapping[str, Any]) -> list[Claims]:
        """What each option of a question claims; raises ValueError for an option of no known pattern."""
        kind = "guess" if question["third_order"] else question["mental_state"]
        line = _pattern(self._content.questions[question["type"]][kind].options)
        scenes = {"I": question["first_scene"], "J": question["second_scene"]}
        return [self._read(line, option, scenes) for option in question["options"]]

    def _read(self, line: re.Pattern[str], option: str, scenes: Mapping[str, int]) -> Claims:
        found = line.fullmatch(option)
        if found is None:
            raise ValueError(f"No pattern of the generator makes the option {option!r}.")
        claims: Claims = {}
        groups = found.groupdict()
        other = self._place(groups.get("p"))
        for name, text in groups.items():
            base, _, suffix = name.partition("_")
            if not base.isupper():
                continue
            scene = scenes.get(suffix, scenes["J"] if suffix or base == "GUESS" else scenes["I"])
            if base in ("AGENCY", "CIRCUMSTANCE"):
                scene = scenes["J"]
            if base == "BRIDGE":
                scene = scenes["I"] + 1
            holder = other if suffix == "P" and other is not None else TARGET
            claims |= self._value(base, text.lower(), scene, holder)
        return claims

    def _value(self, base: str, text: str, scene: int, holder: int) -> Claims:
        if base == "ABOUT":
            place = self._place(text)
            return {} if place is None else {f"about@{scene}": str(place)}
        values = self._phrases(holder).get(base, {}).get(text)
        if values is None:
            raise ValueError(f"No phrase of the generator makes {text!r}, for {base}.")
        if base in ("SETTING", "GOAL", "NORM"):
            return dict(values)
        mark = f"{holder}:" if holder != TARGET else "guess_" if base == "GUESS" else ""
        return {f"{mark}{name}@{scene}": value for name, value in values.items()}

    def _place(self, name: str | None) -> int | None:
        if name is None:
            return None
        known = [one.lower() for one in self._names]
        return known.index(name.lower()) if name.lower() in known else None

    def _phrases(self, holder: int) -> dict[str, dict[str, Claims]]:
        """By slot of a pattern, the values of each phrase as it reads about this person."""
        if holder not in self._known:
            self._known[holder] = self._worded(holder)
        return self._known[holder]

    def _worded(self, holder: int) -> dict[str, dict[str, Claims]]:
        phrases = self._content.phrases
        focus = self._people[holder]
        found: dict[str, dict[str, Claims]] = {}

        def note(base: str, texts: tuple[str, ...], claims: Claims) -> None:
            for text in texts:
                for about, other in enumerate(self._people):
                    if about == holder:
                        continue
                    whom = {"about": str(about)} if "{x" in text else {}
                    worded = fill(text, _slots(focus, other)).lower()
                    found.setdefault(base, {})[worded] = claims | whom

        for level in LEVELS:
            for matter in MATTERS:
                note("BELIEF", phrases.belief[level][matter], _of_matter(level, matter))
                for agency in AGENCIES:
                    kind = f"{level} {matter} {agency}"
                    values = {"kind": kind, "agency": agency, **_of_matter(level, matter)}
                    for name in _KINDS:
                        note(name.upper(), getattr(phrases, name)[level][matter][agency], values)
        for matter in MATTERS:
            note("INFORM", phrases.inform[matter], {"topic": matter})
        for name in _STATIC:
            for value, texts in getattr(phrases, name).items():
                slot = "circumstance" if name == "way" else name
                note(name.upper(), texts, {slot: str(value)})
        found["GUESS"] = found["BELIEF"]
        return found


def _of_matter(level: str, matter: str) -> Claims:
    return {"matter": f"{level} {matter}", "topic": matter}


@lru_cache(maxsize=64)
def _pattern(text: str) -> re.Pattern[str]:
    """The pattern of an option: names, pronouns and scenes are whatever they are."""
    pieces = _SLOT.split(text)
    seen: set[str] = set()
    built = []
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            built.append(re.escape(piece))
        elif piece in seen or not (piece.isupper() or piece == "p"):
            built.append(r"\w+")
        else:
            seen.add(piece)
            built.append(f"(?P<{piece}>.+?)" if piece.isupper() else rf"(?P<{piece}>\w+)")
    return re.compile("".join(built), re.IGNORECASE | re.DOTALL)


def _slots(focus: Person, other: Person) -> dict[str, str]:
    return {
        "t": focus.given,
        **focus.pronouns(),
        "x": other.given,
        **other.pronouns("x"),
    }
