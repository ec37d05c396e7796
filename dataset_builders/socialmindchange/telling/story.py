"""The story of a stage: who there is, what went before, and the scenes in which it plays.

Everything that answers follow from is told as it happens: who comes and goes, who says what to whom, in
whose hearing, in which tone. What is in people's minds is not told. What people do who say nothing of
the topic comes from one pool of small deeds, so that a deed tells nothing of who does it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np
from pydantic import TypeAdapter

from otherminds.dataset_builders.content_files import read
from otherminds.dataset_builders.draws import chance, pick, shuffled
from otherminds.dataset_builders.socialmindchange.codes.cast import Person, Setting
from otherminds.dataset_builders.socialmindchange.codes.content import Lines
from otherminds.dataset_builders.socialmindchange.codes.text import listed, write
from otherminds.dataset_builders.socialmindchange.telling.lexicon import Lexicon
from otherminds.dataset_builders.socialmindchange.world.frame import (
    GUIDE,
    STAKES,
    TARGET,
    Ear,
    Enter,
    Face,
    Frame,
    Happening,
    Leave,
    Show,
    Tell,
    Value,
    Word,
)
from otherminds.dataset_builders.socialmindchange.world.roll import Act, Played, Roll
from otherminds.strict import Strict

FILE: Final = Path(__file__).resolve().parent / "content" / "scenes.yaml"

Gap: TypeAlias = Literal["evening", "next", "two"]

FEWEST_TURNS: Final = 9
MOST_TURNS: Final = 16
_USUAL_TURNS: Final = (11, 15)
_MOST_TALK: Final = 4
_THINGS: Final = 4
_HEARD: Final = 0.3
_SAYS_WORK: Final = 0.4
_AFTER: Final = 0.6


class ProfileLines(Strict):
    """Who somebody is, and how a word reaches them."""

    main: Lines
    target: Lines
    ear: dict[Ear, Lines]
    face: dict[Face, Lines]


class BackgroundLines(Strict):
    """What went before."""

    group: Lines
    lead: Lines
    known: Lines
    warm: Lines
    cold: Lines
    plain: Lines
    deed: Lines
    secret: Lines
    meant: dict[Value, Lines]
    same: Lines
    promise: Lines


class OpeningLines(Strict):
    """How scenes begin, and how much later than the last."""

    first: Lines
    later: Lines
    last: Lines
    missing: Lines
    late: Lines
    gaps: dict[Gap, Lines]


class LeadLines(Strict):
    """In whose hearing somebody speaks."""

    passed: dict[Face, Lines]
    aside: Lines
    open: Lines
    room: Lines
    after: dict[Face, Lines]


class ChanceLines(Strict):
    """Somebody overhears who is there, or who is not."""

    there: Lines
    away: Lines


class ShowLines(Strict):
    """Proof is shown, and what it says."""

    open: Lines
    aside: Lines
    says: Lines


class AskedLines(Strict):
    """Questions, and answers that fit any of them."""

    ask: Lines
    answer: Lines


class TalkLines(Strict):
    """Talk about the work: questions by kind, and remarks."""

    asked: tuple[AskedLines, ...]
    say: Lines


class CallLines(Strict):
    """How somebody begins who speaks up first, after one of the same view, or of the other."""

    first: Lines
    same: Lines
    other: Lines


class PartingLines(Strict):
    """How scenes end."""

    more: Lines
    last: Lines


class SceneLines(Strict):
    """All lines of `scenes.yaml`."""

    profile: ProfileLines
    background: BackgroundLines
    opening: OpeningLines
    lead: LeadLines
    tone: dict[Ear, Lines]
    chance: ChanceLines
    enter: Lines
    again: Lines
    leave: Lines
    show: ShowLines
    topic: Lines
    call: CallLines
    speech: dict[Value, Lines]
    quiet: Lines
    talk: TalkLines
    silence: Lines
    parting: PartingLines


@cache
def load(file: Path = FILE) -> SceneLines:
    """The lines of a file. Raises ContentError, which names the key, for a malformed one."""
    return read(file, TypeAdapter(SceneLines))


@dataclass(frozen=True)
class Turn:
    """Something said by a speaker, or narrated (no speaker)."""

    speaker: str
    text: str


@dataclass(frozen=True)
class Story:
    """A stage in words.

    tells  by scene and turn, the events of the frame that the turn tells: `opening`, `passed:N`,
           `happening:N`, `topic`, `act:PLACE`, `neutral:PLACE`, `talk:PLACE`, `word`, `parting`
    """

    profile: tuple[str, ...]
    background: str
    scenes: tuple[tuple[Turn, ...], ...]
    tells: tuple[tuple[tuple[str, ...], ...], ...]


def tell(
    rng: np.random.Generator,
    frame: Frame,
    roll: Roll,
    cast: Sequence[Person],
    setting: Setting,
    lexicon: Lexicon,
) -> Story:
    """The story of a frame under the words that the guide says in it."""
    teller = _Teller(rng, frame, cast, setting, lexicon)
    profile = tuple(map(teller.profile, range(frame.size)))
    background = teller.background()
    scenes, tells = [], []
    for number in range(len(frame.scenes)):
        beats = teller.scene(number, roll.scene(number, roll.told))
        turns = [one for beat in beats for one in beat.turns()]
        scenes.append(tuple(turn for turn, _ in turns))
        tells.append(tuple(events for _, events in turns))
    return Story(profile, background, tuple(scenes), tuple(tells))


@dataclass(frozen=True)
class _Beat:
    """Something that happens: narrated, spoken, or both.

    there  who is there after it
    after  narrated after what is spoken
    apart  whether narration and speech are turns of their own
    """

    events: tuple[str, ...]
    there: frozenset[int]
    narrated: str = ""
    speaker: str = ""
    spoken: str = ""
    after: str = ""
    apart: bool = False

    @property
    def divisible(self) -> bool:
        """Whether it can become more than one turn."""
        return bool(self.narrated and self.spoken)

    @property
    def length(self) -> int:
        """How many turns it takes."""
        return 1 + bool(self.spoken) + bool(self.after) if self.apart else 1

    def turns(self) -> Iterator[tuple[Turn, tuple[str, ...]]]:
        """Its turns, each with the events that it tells."""
        if not self.narrated:
            yield Turn(self.speaker, self.spoken), self.events
        elif not self.spoken:
            yield Turn("", self.narrated), self.events
        elif self.apart:
            yield Turn("", self.narrated), ()
            yield Turn(self.speaker, self.spoken), self.events
            if self.after:
                yield Turn("", self.after), ()
        else:
            told = f'{self.narrated} "{self.spoken}" {self.after}'
            yield Turn("", told.rstrip()), self.events


class _Teller:
    """Tells one stage; takes no line twice in it while there are others."""

    def __init__(
        self,
        rng: np.random.Generator,
        frame: Frame,
        cast: Sequence[Person],
        setting: Setting,
        lexicon: Lexicon,
    ) -> None:
        self.rng = rng
        self.frame = frame
        self.cast = cast
        self.setting = setting
        self.lexicon = lexicon
        self.lines = load()
        self._names = [one.given for one in cast]
        self._used: dict[tuple[str, ...], set[str]] = {}
        self._heard: set[tuple[int, Value]] = set()
        self._evening = False
        self._corner = setting.corners[0]
        deeds = [
            lexicon.phrase("matter", one, key).lower()
            for one in range(len(frame.matters))
            for key in ("topic", "deed")
        ]
        # What the story is about is not worked on in passing.
        self._free = [
            one
            for one in setting.things
            if not any(one.removeprefix("the ").lower() in deed for deed in deeds)
        ]
        self._things = self._free

    # --- before the scenes

    def profile(self, place: int) -> str:
        """Who somebody is, and how a word reaches them."""
        texts, person, nature = self.lines.profile, self.cast[place], self.frame.people[place]
        tie = person.relation.text if person.relation else self._line(texts.target, lowered=True)
        facts = {"name": person.name, "age": str(person.age), "job": person.occupation, "tie": tie}
        ways = [
            self._line(texts.ear[nature.ear], self._of(place)),
            self._line(texts.face[nature.face], self._of(place)),
        ]
        return " ".join([self._line(texts.main, facts), *shuffled(self.rng, ways)])

    def background(self) -> str:
        """What went before, in paragraphs."""
        texts = self.lines.background
        group = [
            self._line(texts.group, {"names": listed(self._names), "when": self.setting.when}),
            self._line(texts.lead, self._of(self.frame.lead)),
            self._line(texts.known),
        ]
        matters = (self._matter(number) for number in range(len(self.frame.matters)))
        promises = [
            self._line(
                texts.promise,
                {
                    **self._of(one.by),
                    "by": self._names[one.by],
                    "to": self._names[one.to],
                    "topic": self.lexicon.phrase("matter", one.matter, "topic"),
                },
            )
            for one in self.frame.promises
        ]
        paragraphs = [group, self._ties(), *matters, promises]
        return "\n\n".join(" ".join(one) for one in paragraphs if one)

    def _ties(self) -> list[str]:
        """Every tie that is warm or cold, and that the others are neither."""
        texts, named, others = self.lines.background, [], False
        for one in range(self.frame.size):
            for other in range(one):
                tie = self.frame.ties[one][other]
                if tie == "plain":
                    others = True
                    continue
                first, second = shuffled(self.rng, [self._names[one], self._names[other]])
                lines = texts.warm if tie == "warm" else texts.cold
                named.append(self._line(lines, {"a": first, "b": second}))
        return [*shuffled(self.rng, named), *([self._line(texts.plain)] if others else [])]

    def _matter(self, number: int) -> list[str]:
        """A deed, who knows why, what was meant, and who gains or loses by it."""
        texts, matter = self.lines.background, self.frame.matters[number]
        slots = {
            "deed": self.lexicon.phrase("matter", number, "deed"),
            "why": self.lexicon.phrase("matter", number, matter.meant),
            "topic": self.lexicon.phrase("matter", number, "topic"),
            "doer": self._names[matter.doer],
            "bearer": self._names[matter.bearer],
            "guide": self._names[GUIDE],
        }
        told = [self._line(lines, slots) for lines in (texts.deed, texts.secret)]
        told.append(self._line(texts.meant[matter.meant], slots))
        for stake in shuffled(self.rng, STAKES):
            standing = [
                place
                for place in range(self.frame.size)
                if place not in (matter.doer, matter.bearer)
                and self.frame.stakes[place][number] == stake
            ]
            if not standing:
                continue
            first, *rest = shuffled(self.rng, standing)
            told.append(self.lexicon.phrase("matter", number, "stake", stake, of=first))
            if rest:
                names = listed([self._names[place] for place in rest])
                told.append(self._line(texts.same, {**slots, "names": names}))
        return told

    # --- scenes

    def scene(self, number: int, played: Played) -> list[_Beat]:
        """What happens in a scene, in order."""
        scene = self.frame.scenes[number]
        self._corner = self.setting.corners[number % len(self.setting.corners)]
        self._things = shuffled(self.rng, self._free)[:_THINGS]
        there = frozenset(scene.present)
        topic = {"topic": self.lexicon.phrase("matter", scene.topic, "topic")}
        beats = [self._opening(number, there)]
        first = self.lines.lead.passed
        for count, told in enumerate(played.passed):
            beats.append(self._told(f"passed:{count}", told, there, None if count else first))
        for count, one in enumerate(scene.happenings):
            beats.append(self._happening(number, count, one, there))
            there = beats[-1].there
        before_topic = len(beats)
        beats.append(_Beat(("topic",), there, self._line(self.lines.topic, topic)))
        beats += self._acts(scene.topic, played.acts, there)
        beats.append(self._word(scene.word, topic, there))
        beats.append(self._parting(number, there))
        return self._paced(beats, before_topic)

    def _opening(self, number: int, there: frozenset[int]) -> _Beat:
        texts = self.lines.opening
        order = shuffled(self.rng, sorted(there))
        slots = {
            "names": listed([self._names[one] for one in order]),
            "p": self._names[order[0]],
            "seen": self.setting.seen[number % len(self.setting.seen)],
            "topic": self.lexicon.phrase("matter", self.frame.scenes[0].topic, "topic"),
        }
        if not number:
            told = [self._line(texts.first, slots)]
        else:
            last = number == len(self.frame.scenes) - 1
            slots["gap"] = self._line(texts.gaps[self._gap()], lowered=True)
            told = [self._line(texts.last if last else texts.later, slots)]
        happenings = self.frame.scenes[number].happenings
        coming = {one.who for one in happenings if isinstance(one, Enter)} - there
        gone = set(range(self.frame.size)) - there - coming
        for lines, people in ((texts.missing, gone), (texts.late, coming)):
            if people:
                names = listed([self._names[one] for one in sorted(people)])
                told.append(self._line(lines, {"names": names}))
        return _Beat(("opening",), there, " ".join(told))

    def _gap(self) -> Gap:
        """How much later it is; no two evenings of one day."""
        gaps: list[Gap] = ["next", "two"] if self._evening else ["evening", "next", "two"]
        gap = pick(self.rng, gaps)
        self._evening = gap == "evening"
        return gap

    def _happening(self, scene: int, count: int, one: Happening, there: frozenset[int]) -> _Beat:
        event = f"happening:{count}"
        if isinstance(one, Tell):
            return self._told(event, one, there)
        if isinstance(one, Show):
            return self._shown(event, one, there)
        if isinstance(one, Leave):
            away = [thing for thing in self._free if thing not in self._things] or self._free
            slots = {**self._of(one.who), "away": pick(self.rng, away)}
            told = self._line(self.lines.leave, slots)
            return _Beat((event,), there - {one.who}, told)
        back = (
            one.who in self.frame.scenes[scene].present
            or Enter(one.who) in (self.frame.scenes[scene].happenings[:count])
        )
        told = self._line(self.lines.again if back else self.lines.enter, self._of(one.who))
        return _Beat((event,), there | {one.who}, told)

    def _told(
        self,
        event: str,
        told: Tell,
        there: frozenset[int],
        first: Mapping[Face, Lines] | None = None,
    ) -> _Beat:
        """Somebody says something to somebody: in whose hearing, in which tone, and what.

        `first` are lines for somebody who speaks before all else.
        """
        lead = self.lines.lead
        leads = first or {"aside": lead.aside, "open": lead.open}
        slots = {
            **self._of(told.speaker),
            "topic": self.lexicon.phrase("matter", told.matter, "topic"),
        }
        if told.to is None:
            narrated = [self._line(lead.room, slots)]
        else:
            slots |= self._of(told.to, "q") | self._away(told.setting)
            narrated = [self._line(leads[told.setting], slots)]
        narrated.append(self._line(self.lines.tone[told.tone], slots))
        if told.chance is not None:
            assert told.to is not None
            lines = self.lines.chance
            between = {"a": self._names[told.speaker], "b": self._names[told.to]}
            between["corner"] = slots["corner"]
            narrated.append(
                self._line(
                    lines.there if told.chance in there else lines.away,
                    {**self._of(told.chance), **between},
                )
            )
        after = ""
        if told.to is not None and chance(self.rng, _AFTER):
            after = self._line(lead.after[told.setting], slots)
        speaker, spoken = self._names[told.speaker], self._speech(told)
        return _Beat((event,), there, " ".join(narrated), speaker, spoken, after)

    def _speech(self, told: Tell) -> str:
        """What is said, with `heard` of the lexicon just where nobody it names is `I` or `you`."""
        matter = self.frame.matters[told.matter]
        slots = {
            "topic": self.lexicon.phrase("matter", told.matter, "topic"),
            **self._called(matter.doer, "d", told),
            **self._called(matter.bearer, "b", told),
        }
        said = self._line(self.lines.speech[told.value], slots)
        key = (told.matter, told.value)
        heard = self.lexicon.phrase("matter", told.matter, "heard", told.value)
        own = {matter.doer, matter.bearer} & {told.speaker, told.to}
        named = any(self._names[one] in heard for one in own)
        if not named and key not in self._heard and chance(self.rng, _HEARD):
            self._heard.add(key)
            said += f" {heard}"
        return said

    def _called(self, person: int, prefix: str, told: Tell) -> dict[str, str]:
        """How a speaker calls somebody, as subject, object and owner."""
        name = self._names[person]
        forms = (name, name, f"{name}'s")
        if person == told.speaker:
            forms = ("I", "me", "my")
        elif person == told.to:
            forms = ("you", "you", "your")
        return dict(zip((prefix, f"{prefix}m", f"{prefix}p"), forms, strict=True))

    def _shown(self, event: str, one: Show, there: frozenset[int]) -> _Beat:
        texts = self.lines.show
        slots = {
            **self._of(one.speaker),
            **self._of(one.to, "q"),
            **self._away(one.setting),
            **{
                key: self.lexicon.phrase("matter", one.matter, key)
                for key in ("topic", "proof", "shown")
            },
        }
        lines = texts.open if one.setting == "open" else texts.aside
        told = f"{self._line(lines, slots)} {self._line(texts.says, slots)}"
        return _Beat((event,), there, told)

    def _acts(self, topic: int, acts: Sequence[Act], there: frozenset[int]) -> list[_Beat]:
        """What everybody does: who acts on the topic in order, guide and doer anywhere between."""
        beats: list[_Beat] = []
        last: Tell | None = None
        for act in acts:
            beats.append(self._acted(act, there, last))
            last = act.says or last
        for place in sorted({GUIDE, self.frame.matters[topic].doer} & there):
            at = int(self.rng.integers(len(beats) + 1))
            beats.insert(at, self._neutral(place, there))
        return beats

    def _acted(self, act: Act, there: frozenset[int], last: Tell | None) -> _Beat:
        """What somebody does, after what was said last on the topic."""
        events = (f"act:{act.person}",)
        if act.says is None:
            return _Beat(events, there, self._line(self.lines.quiet, self._of(act.person)))
        calls = self.lines.call
        if last is None:
            call = self._line(calls.first)
        else:
            lines = calls.same if last.value == act.says.value else calls.other
            call = self._line(lines, {"last": self._names[last.speaker]})
        said = f"{call} {self._speech(act.says)}"
        return _Beat(events, there, "", self._names[act.person], said)

    def _neutral(self, place: int, there: frozenset[int]) -> _Beat:
        if not chance(self.rng, _SAYS_WORK):
            told = self._line(self.lines.quiet, self._of(place))
            return _Beat((f"neutral:{place}",), there, told)
        said = self._remark(place, there)
        return _Beat((f"neutral:{place}",), there, "", self._names[place], said)

    def _remark(self, place: int, there: frozenset[int]) -> str:
        """Something about the work, to one of the others."""
        other = pick(self.rng, sorted(there - {place}))
        return self._line(self.lines.talk.say, {"q": self._names[other]})

    def _word(self, word: Word | None, topic: Mapping[str, str], there: frozenset[int]) -> _Beat:
        if word is None:
            told = self._line(self.lines.silence, {**self._of(GUIDE), **topic})
        else:
            told = self.lexicon.phrase("word", word.matter, word.to, word.setting, word.tone)
        return _Beat(("word",), there, told)

    def _parting(self, number: int, there: frozenset[int]) -> _Beat:
        last = number == len(self.frame.scenes) - 1
        lines = self.lines.parting.last if last else self.lines.parting.more
        names = [self._names[one] for one in sorted(there)]
        slots = {**self._of(pick(self.rng, sorted(there))), "names": listed(names)}
        return _Beat(("parting",), there, self._line(lines, slots))

    # --- pace

    def _paced(self, beats: list[_Beat], before_topic: int) -> list[_Beat]:
        """The beats with talk between them, joined or divided so that a scene has a usual length."""
        length = int(self.rng.integers(_USUAL_TURNS[0], _USUAL_TURNS[1] + 1))
        beats = self._with_talk(beats, before_topic, min(_MOST_TALK, length - len(beats)))
        while len(beats) > MOST_TURNS and (places := _joinable(beats)):
            at = pick(self.rng, places)
            beats[at : at + 2] = [_joined(beats[at], beats[at + 1])]
        spare = length - len(beats)
        for place in shuffled(self.rng, [at for at, one in enumerate(beats) if one.divisible]):
            divided = replace(beats[place], apart=True)
            if divided.length - 1 <= spare:
                spare -= divided.length - 1
                beats[place] = divided
        return beats

    def _with_talk(self, beats: list[_Beat], before_topic: int, turns: int) -> list[_Beat]:
        """The beats with so many turns of talk about the work in between, before the topic comes up."""
        spoke: Counter[int] = Counter()
        after: dict[int, list[_Beat]] = {}
        while turns > 0:
            place = int(self.rng.integers(before_topic))
            there = beats[place].there
            order = sorted(shuffled(self.rng, sorted(there)), key=lambda one: spoke[one])
            if turns == 1 or len(order) == 1:
                talk = [self._talk(order[0], there, self._remark(order[0], there))]
            else:
                talk = self._asked(order[0], order[1], there)
            spoke.update(order[: len(talk)])
            after.setdefault(place, []).extend(talk)
            turns -= len(talk)
        return [one for place, beat in enumerate(beats) for one in (beat, *after.get(place, ()))]

    def _asked(self, first: int, second: int, there: frozenset[int]) -> list[_Beat]:
        """A question about a thing, and an answer."""
        things = self._work()
        kind = pick(self.rng, self.lines.talk.asked)
        return [
            self._talk(first, there, self._line(kind.ask, {**things, "q": self._names[second]})),
            self._talk(second, there, self._line(kind.answer, {**things, "q": self._names[first]})),
        ]

    def _talk(self, place: int, there: frozenset[int], said: str) -> _Beat:
        return _Beat((f"talk:{place}",), there, "", self._names[place], said)

    # --- lines

    def _line(
        self, lines: Lines, slots: Mapping[str, str] | None = None, *, lowered: bool = False
    ) -> str:
        """A wording of a line that was not used yet, if there is one."""
        used = self._used.setdefault(lines, set())
        free = [line for line in lines if line not in used]
        if not free:
            used.clear()
            free = list(lines)
        line = pick(self.rng, free)
        used.add(line)
        values = {
            **self._work(),
            "t": self._names[TARGET],
            "corner": self._corner,
            "far": self._far(),
            "place": self.setting.place,
            "project": self.setting.project,
            **(slots or {}),
        }
        told = write(self.rng, line, values)
        return told[0].lower() + told[1:] if lowered else told

    def _work(self) -> dict[str, str]:
        """Two things that are worked on."""
        item, other = shuffled(self.rng, self._things)[:2]
        return {"item": item, "other": other}

    def _far(self) -> str:
        """A corner where they are not."""
        return pick(self.rng, [one for one in self.setting.corners if one != self._corner])

    def _away(self, setting: Face) -> dict[str, str]:
        """Where two people are who are aside."""
        return {"corner": self._far()} if setting == "aside" else {}

    def _of(self, place: int, prefix: str = "") -> dict[str, str]:
        """The slots of a person: {p}, or the prefix, for the name; pronouns with the prefix."""
        forms = self.lexicon.people[place].slots()
        return {
            prefix or "p": self._names[place],
            **{f"{prefix}{form}": forms[form] for form in ("he", "him", "his", "himself")},
        }


def _joinable(beats: Sequence[_Beat]) -> list[int]:
    """Places of beats that can be told in one turn with the next; small deeds, if there are any.

    The word is a turn of its own: questions exchange it.
    """
    places = [
        place
        for place, (one, after) in enumerate(pairwise(beats))
        if not one.spoken and after.narrated and "word" not in (*one.events, *after.events)
    ]
    deeds = [place for place in places if beats[place].events[0].startswith(("act", "neutral"))]
    return deeds or places


def _joined(one: _Beat, after: _Beat) -> _Beat:
    narrated = f"{one.narrated} {after.narrated}"
    return replace(after, events=(*one.events, *after.events), narrated=narrated)
