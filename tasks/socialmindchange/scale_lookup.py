"""What a look-up finds in the text of a stage of SocialMindChange's scale edition.

A look-up goes through what is told in the order of the story and takes the last word that would be
believed by itself, or what people expect before anything is said. From that, feelings and what follows
from them are read off tables. Nothing is rolled forward: what others say and do is as the story tells,
also after another word of the guide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from otherminds.dataset_builders.socialmindchange.world.conduct import FELT, MEANT, Emotion
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE, Stake, Value
from otherminds.tasks.socialmindchange.scale_lines import Reading, Told, spoken

Variable = Mapping[str, Any]
"""A variable, as the columns `asked` and `claims` have it."""

_GOOD: Final = frozenset(feeling for key, feeling in FELT.items() if key[0] == "good")

SIDES: Final[Mapping[str, str]] = {
    **{value: value for value in ("good", "ill")},
    **{feeling: "good" if feeling in _GOOD else "ill" for feeling in MEANT},
    **{
        one: "good" if feeling in _GOOD else "ill"
        for feeling, both in MEANT.items()
        for one in both
    },
}
"""As what a deed is taken by whom feels or means something."""


def exchanged(reading: Reading, words: Mapping[int, Mapping[str, Any] | None]) -> list[Told]:
    """What is told in the story, with words of the guide exchanged at some scenes, counted from 1."""
    found: list[Told] = []
    for scene in sorted(reading.there):
        own = [one for one in reading.events if one.scene == scene]
        if scene in words:
            word = words[scene]
            own = [one for one in own if not one.word]
            own += [] if word is None else [spoken(reading, word, scene)]
        found += own
    return found


def until(events: Sequence[Told], when: Variable) -> list[Told]:
    """What is told until the state of a scene, or its close.

    Who speaks up on the topic does so between the two.
    """
    return [
        one
        for one in events
        if one.scene < when["scene"]
        or (one.scene == when["scene"] and (when.get("close") or not (one.word or one.acted)))
    ]


def people_of(variable: Variable) -> list[int]:
    """The chain of a view; whose state another variable is."""
    return list(variable.get("chain") or [variable["person"]])


def counts(reading: Reading, person: int, matter: int) -> int:
    """Whose view counts for somebody: the lead's, and for the lead the bearer's."""
    lead = reading.lead
    return reading.matters[matter][1] if lead is None or lead == person else lead


def marks(reading: Reading, one: Told, holder: int) -> list[str]:
    """A line as it bears on one person: what it says, to whom, a friend's or not, with an axe to grind,
    and how it is put."""
    tie, doer = reading.tie(holder, one.speaker), reading.matters[one.matter][0]
    if holder == one.speaker:
        part = "own"
    elif holder == one.to:
        part = "hearer"
    elif holder == one.chance:
        part = "chance"
    else:
        part = "room" if one.to is None else "other"
    liked = "warm" if one.speaker == doer else reading.tie(one.speaker, doer)
    axe = "axe" if liked == ("warm" if one.value == "good" else "cold") else "fair"
    tone = "tonefits" if one.tone == reading.ears.get(holder) else "toneoff"
    setting = "placefits" if one.setting == reading.faces.get(holder) else "placeoff"
    return [f"{'proof' if one.proof else ''}{one.value}", part, tie, axe, tone, setting]


def view(reading: Reading, events: Sequence[Told], people: Sequence[int], matter: int) -> str:
    """What a chain of people takes a matter to be, by what is told."""
    doer = reading.matters[matter][0]
    if list(people) in ([doer], [GUIDE]):
        return reading.meant.get(matter, "good")
    found = "good" if reading.tie(people[-1], doer) in ("own", "warm") else "ill"
    for one in events:
        if one.matter == matter and one.reaches(people):
            if one.proof:
                return one.value
            if _believed(marks(reading, one, people[-1]), people):
                found = one.value
    return found


def _believed(marked: Sequence[str], people: Sequence[int]) -> bool:
    _, part, tie, axe, *put = marked
    if part == "own":
        return len(people) > 1
    if part == "hearer":
        credible = tie == "warm" or (tie == "plain" and axe == "fair")
        return credible and put == ["tonefits", "placefits"]
    return part in ("room", "chance") and tie == "warm"


def value(reading: Reading, events: Sequence[Told], variable: Variable) -> str:
    """The value of a variable that a look-up finds, where this is all that is told in the story."""
    kind = variable["kind"]
    if kind == "changed":
        return _changed(reading, events, variable)
    if kind == "present":
        return "yes" if variable["person"] in reading.there[variable["scene"]] else "no"
    if kind == "reception":
        return _reception(reading, events, variable["person"], variable["scene"])
    if kind == "stake":
        return reading.stakes.get((variable["person"], variable["matter"]), "with")
    if kind == "manner":
        return _manner(reading, variable)
    return _state(reading, until(events, variable), variable)


def _state(reading: Reading, told: Sequence[Told], what: Variable) -> str:
    """A state, or whether somebody is backed, after what was told."""
    people, matter = people_of(what), what["matter"]
    own = view(reading, told, people, matter)
    if what["kind"] == "view":
        return own
    [person] = people
    feels = _felt(reading, own, person, matter)
    if what["kind"] == "emotion":
        return feels
    other = counts(reading, person, matter)
    backed = other == person or view(reading, told, [person, other], matter) == own
    if what["kind"] == "backed":
        return "yes" if backed else "no"
    return MEANT[feels][0 if backed else 1]


def _felt(reading: Reading, taken: str, person: int, matter: int) -> Emotion:
    stake = reading.stakes.get((person, matter), "with")
    warm = reading.tie(person, reading.matters[matter][0]) == "warm"
    return FELT[cast(Value, taken), cast(Stake, stake), warm]


def _changed(reading: Reading, events: Sequence[Told], variable: Variable) -> str:
    what, since = variable["what"], variable["since"]
    before = [one for one in events if (one.scene, one.word) < (since, True)]
    same = _state(reading, before, what) == _state(reading, until(events, what), what)
    return "no" if same else "yes"


def _reception(reading: Reading, events: Sequence[Told], person: int, scene: int) -> str:
    place, word = next(
        (place, one) for place, one in enumerate(events) if one.word and one.scene == scene
    )
    proven = any(
        one.proof and one.matter == word.matter and one.reaches([person]) for one in events[:place]
    )
    if proven or person == reading.matters[word.matter][0]:
        return "knows"
    _, _, tie, axe, *put = marks(reading, word, person)
    if tie == "cold" or (tie == "plain" and axe == "axe"):
        return "distrusts"
    return "credits" if put == ["tonefits", "placefits"] else "closes_up"


def _manner(reading: Reading, variable: Variable) -> str:
    person, matter = variable["person"], variable["matter"]
    there = reading.there[variable["scene"]]
    bound = {to for by, to, about in reading.promises if (by, about) == (person, matter)}
    if bound & there:
        return "held"
    lead = reading.lead in there - {person}
    if reading.matters[matter][0] in there:
        return "before_lead" if lead else "face"
    return "to_lead" if lead else "behind"


def met(reading: Reading, events: Sequence[Told], aim: Sequence[Mapping[str, Any]]) -> str:
    """Of how many conditions a look-up finds that they hold, such as "2of3"."""
    held = sum(_holds(reading, events, one) for one in aim)
    return f"{held}of{len(aim)}"


def _holds(reading: Reading, events: Sequence[Told], condition: Mapping[str, Any]) -> bool:
    found = value(reading, events, condition["of"])
    return bool(found == condition["is"] if "is" in condition else found != condition["is_not"])


def kept(
    reading: Reading,
    said: Sequence[Told],
    silent: Sequence[Told],
    guard: Sequence[Variable],
) -> bool:
    """Whether a look-up finds the same of all that must be as if nothing had been said."""
    return all(value(reading, said, one) == value(reading, silent, one) for one in guard)
