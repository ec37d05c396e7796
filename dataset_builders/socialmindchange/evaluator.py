"""Answers every question of SocialMindChange 2 again, from the page of its world alone.

Shares nothing with the simulator that makes the questions, and works otherwise: a story is a log of
what was said and shown, and what a chain of people holds is worked out when somebody asks for it, by
going through what of the log reached this chain. R0 to R9 are the rules of the page,
`docs/explanation/socialmindchange_world.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

Chain: TypeAlias = tuple[int, ...]
Telling: TypeAlias = tuple[int, int, str]
"""Speaker, matter, value."""

_TARGET: Final = 0
_GUIDE: Final = 1
_RIVAL: Final = 2
_FRIEND: Final = 3
_ROLES: Final = ("target", "guide", "rival", "friend")

_EARS: Final = ("gentle", "plain")
_FACES: Final = ("aside", "open")
_TIES: Final = ("warm", "plain", "cold")
_VIEWS: Final = ("good", "ill")
_STAKES: Final = ("with", "against")
_YES_NO: Final = ("yes", "no")
_MANNERS: Final = ("held", "before_lead", "face", "to_lead", "behind")
_RECEPTIONS: Final = ("credits", "distrusts", "closes_up", "knows")

_FEELINGS: Final = {
    ("ill", "with", True): "hurt",
    ("ill", "with", False): "anger",
    ("ill", "against", True): "embarrassment",
    ("ill", "against", False): "glee",
    ("good", "with", True): "gratitude",
    ("good", "with", False): "relief",
    ("good", "against", True): "envy",
    ("good", "against", False): "annoyance",
}
"""R5: by view, stake, and whether the tie to the doer is warm."""

_INTENTIONS: Final = {
    "hurt": ("ask", "withdraw"),
    "anger": ("accuse", "gather"),
    "embarrassment": ("make_up", "cover"),
    "glee": ("press", "feed"),
    "gratitude": ("thank", "plead"),
    "relief": ("carry_on", "set_right"),
    "envy": ("ask_same", "play_down"),
    "annoyance": ("give_way", "stir"),
}
"""R6: by feeling, backed and alone."""

_SAYS: Final = {
    **dict.fromkeys(("accuse", "press", "feed", "stir"), "ill"),
    **dict.fromkeys(("thank", "plead", "set_right", "cover"), "good"),
}
"""R8: what an intention says of the topic."""

_VALUES: Final[Mapping[str, Iterable[str]]] = {
    "view": _VIEWS,
    "emotion": tuple(_INTENTIONS),
    "intention": tuple(name for names in _INTENTIONS.values() for name in names),
    "manner": _MANNERS,
    "stake": _STAKES,
    "backed": _YES_NO,
    "present": _YES_NO,
    "reception": _RECEPTIONS,
    "changed": _YES_NO,
}


class EvaluationError(ValueError):
    """A frame or a question contradicts the page."""


def _need(holds: bool, otherwise: str) -> None:
    if not holds:
        raise EvaluationError(otherwise)


def _field(of: Any, name: str) -> Any:
    if not isinstance(of, Mapping) or name not in of:
        raise EvaluationError(f"{name!r} is missing from {of!r}.")
    return of[name]


def _one_of(of: Any, name: str, allowed: Iterable[str]) -> str:
    value = _field(of, name)
    if not isinstance(value, str) or value not in allowed:
        raise EvaluationError(f"{name!r} cannot be {value!r} in {of!r}.")
    return value


def _place(value: Any, end: int, what: str, start: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not start <= value < end:
        raise EvaluationError(f"There is no {what} {value!r}.")
    return value


class _Matter(NamedTuple):
    doer: int
    bearer: int
    meant: str


class _Word(NamedTuple):
    matter: int
    to: int
    setting: str
    tone: str


Words: TypeAlias = tuple[_Word | None, ...]
"""The guide's words at the first scenes, one for each."""


class _Event(NamedTuple):
    """A telling or, where it is proof, a showing, and whom it reaches (R1)."""

    speaker: int
    matter: int
    value: str
    proof: bool
    to: int | None
    setting: str
    tone: str
    hearers: frozenset[int]
    aware: frozenset[int]  # the hearers, and who overhears it


class _Round(NamedTuple):
    """What several people say to nobody in particular, without an order (R8)."""

    said: tuple[_Event, ...]
    hearers: frozenset[int]


class _Mind(NamedTuple):
    """What a chain holds."""

    views: tuple[str, ...]
    firm: frozenset[int] = frozenset()
    credited: frozenset[Telling] = frozenset()
    found_out: frozenset[int] = frozenset()


class _Scene(NamedTuple):
    gathered: frozenset[int]  # at its beginning
    happened: tuple[_Event, ...]
    present: frozenset[int]  # from the state on: nobody comes or leaves after the happenings
    topic: int


class _World:
    """What people know of each other throughout, and how a chain's mind begins and is changed."""

    def __init__(self, frame: Mapping[str, Any]) -> None:
        people = _field(frame, "people")
        self.size: Final = len(people)
        _need(self.size >= len(_ROLES), "There are a target, a guide, a rival and a friend.")
        for role, person in zip(_ROLES, people, strict=False):
            _need(
                _field(person, "role") == role, f"The {role} is not at place {_ROLES.index(role)}."
            )
        self.ears: Final = [_one_of(person, "ear", _EARS) for person in people]
        self.faces: Final = [_one_of(person, "face", _FACES) for person in people]
        self.lead: Final = self._person(_field(frame, "lead"))
        _need(self.lead not in (_TARGET, _RIVAL), "Target and rival are not the lead.")
        self.ties: Final = self._read_ties(_field(frame, "ties"))
        self.matters: Final = self._read_matters(_field(frame, "matters"))
        self.stakes: Final = self._read_stakes(_field(frame, "stakes"))
        self.promises: Final = self._read_promises(_field(frame, "promises"))
        scenes = _field(frame, "scenes")
        self.scenes: Final = [self._read_scene(scene) for scene in scenes]
        self.words: Final[Words] = tuple(
            self.read_word(_field(scene, "word"), number) for number, scene in enumerate(scenes, 1)
        )

    # What the file says, if it can be.

    def _person(self, value: Any) -> int:
        return _place(value, self.size, "person")

    def read_matter(self, of: Any, name: str = "matter") -> int:
        """A matter's number."""
        return _place(_field(of, name), len(self.matters), "matter")

    def read_person(self, of: Any, name: str = "person") -> int:
        """A person's place."""
        return self._person(_field(of, name))

    def _read_ties(self, rows: Any) -> list[list[str]]:
        _need(
            len(rows) == self.size and all(len(row) == self.size for row in rows),
            "A tie joins every two people.",
        )
        for a in range(self.size):
            for b in range(a):
                _need(rows[a][b] in _TIES, f"{rows[a][b]!r} is no tie.")
                _need(rows[a][b] == rows[b][a], f"The ties of {b} and {a} differ.")
        _need(rows[_TARGET][_FRIEND] == "warm", "Target and friend are warm.")
        return [list(row) for row in rows]

    def _read_matters(self, rows: Any) -> list[_Matter]:
        matters = [
            _Matter(
                self.read_person(row, "doer"),
                self.read_person(row, "bearer"),
                _one_of(row, "meant", _VIEWS),
            )
            for row in rows
        ]
        _need(
            [matter.doer == _RIVAL for matter in matters]
            == [True, True] + [False] * (len(matters) - 2),
            "Matters 0 and 1 are the rival's, and later ones are not.",
        )
        _need(matters[0].meant != matters[1].meant, "Matters 0 and 1 are meant alike.")
        for matter in matters:
            _need(matter.doer != matter.bearer, "A doer is not the bearer.")
            _need(
                {self.lead, _GUIDE}.isdisjoint((matter.doer, matter.bearer)),
                "Lead and guide are neither doers nor bearers.",
            )
        return matters

    def _read_stakes(self, rows: Any) -> list[list[str]]:
        _need(
            len(rows) == self.size
            and all(len(row) == len(self.matters) and set(row) <= set(_STAKES) for row in rows),
            "Each person is with or against the bearer of each matter.",
        )
        for number, matter in enumerate(self.matters):
            _need(rows[matter.bearer][number] == "with", "Bearers are with themselves.")
        return [list(row) for row in rows]

    def _read_promises(self, rows: Any) -> dict[tuple[int, int], frozenset[int]]:
        """To whom somebody has promised not to speak of a matter."""
        promises: dict[tuple[int, int], frozenset[int]] = {}
        for row in rows:
            by, to = self.read_person(row, "by"), self.read_person(row, "to")
            matter = self.read_matter(row)
            promises[by, matter] = promises.get((by, matter), frozenset()) | {to}
        for (by, matter), direct in promises.items():
            bound, before = direct, frozenset[int]()
            while bound != before:
                before = bound
                bound = bound.union(*(promises.get((to, matter), frozenset()) for to in bound))
            _need(by not in bound, f"Promises about matter {matter} lead back to {by}.")
        return promises

    def _read_scene(self, row: Any) -> _Scene:
        gathered = frozenset(self._person(who) for who in _field(row, "present"))
        _need(_GUIDE in gathered, "The guide is always there.")
        present, events = gathered, []
        for happening in _field(row, "happenings"):
            kind = _one_of(happening, "kind", ("enter", "leave", "tell", "show"))
            if kind in ("tell", "show"):
                events.append(self._read_event(happening, kind == "show", present))
                continue
            who = self.read_person(happening, "who")
            _need((who in present) == (kind == "leave"), f"{who} cannot {kind} there.")
            present = present - {who} if kind == "leave" else present | {who}
            _need(_GUIDE in present, "The guide is always there.")
        return _Scene(gathered, tuple(events), present, self.read_matter(row, "topic"))

    def _read_event(self, row: Any, proof: bool, present: frozenset[int]) -> _Event:
        speaker, matter = self.read_person(row, "speaker"), self.read_matter(row)
        setting = _one_of(row, "setting", _FACES)
        to = _field(row, "to")
        if to is None:
            _need(setting == "open" and not proof, f"It is not said to whom in {row!r}.")
        else:
            _need(self._person(to) in present and to != speaker, f"{to} cannot be told it there.")
        _need(speaker in present, f"{speaker} is not there to speak.")
        value = self.matters[matter].meant if proof else _one_of(row, "value", _VIEWS)
        tone = "" if proof else _one_of(row, "tone", _EARS)
        event = self.event(speaker, matter, value, to, setting, tone, present, proof)
        chance = row.get("chance")
        if chance is None:
            return event
        _need(self._person(chance) not in event.hearers, f"{chance} hears it anyway.")
        return event._replace(aware=event.aware | {chance})

    def read_word(self, row: Any, number: int) -> _Word | None:
        """The guide's word at the end of a scene."""
        if row is None:
            return None
        word = _Word(
            self.read_matter(row),
            self.read_person(row, "to"),
            _one_of(row, "setting", _FACES),
            _one_of(row, "tone", _EARS),
        )
        _need(word.to != _GUIDE, "The guide does not speak to themselves.")
        _need(
            word.to in self.scenes[number - 1].present,
            f"{word.to} is not there at the end of scene {number}.",
        )
        return word

    # The rules about words.

    @staticmethod
    def event(
        speaker: int,
        matter: int,
        value: str,
        to: int | None,
        setting: str,
        tone: str,
        present: frozenset[int],
        proof: bool = False,
    ) -> _Event:
        """Something said or shown before those who are present, and who hears it (R1)."""
        hearers = present
        if setting == "aside":
            assert to is not None
            hearers = frozenset((speaker, to))
        return _Event(speaker, matter, value, proof, to, setting, tone, hearers, hearers)

    def first(self, chain: Chain) -> _Mind:
        """R0: what a chain holds before anything is said."""
        holder = chain[-1]
        own = len(chain) == 1
        knows = [own and holder in (matter.doer, _GUIDE) for matter in self.matters]
        views = (
            matter.meant
            if known
            else "good"
            if holder == matter.doer or self.ties[holder][matter.doer] == "warm"
            else "ill"
            for known, matter in zip(knows, self.matters, strict=True)
        )
        return _Mind(tuple(views), frozenset(n for n, known in enumerate(knows) if known))

    def believes(self, mind: _Mind, holder: int, speaker: int, matter: int, value: str) -> bool:
        """Whether a word that is said to the holder can be believed, however it is said (R2)."""
        tie = self.ties[holder][speaker]
        if speaker in mind.found_out or tie == "cold":
            return False
        doer = self.matters[matter].doer
        to_doer = "warm" if speaker == doer else self.ties[speaker][doer]
        grinds = to_doer == ("warm" if value == "good" else "cold")
        return tie == "warm" or not grinds

    def after(self, mind: _Mind, chain: Chain, event: _Event) -> _Mind:
        """What a chain holds after something that reached it (R2, R3)."""
        matter, holder, speaker = event.matter, chain[-1], event.speaker
        views = (*mind.views[:matter], event.value, *mind.views[matter + 1 :])
        _, firm, credited, found_out = mind
        if event.proof:
            liars = {who for who, what, said in credited if what == matter and said != event.value}
            return _Mind(views, firm | {matter}, credited, found_out | liars)
        if holder == speaker:
            knows = len(chain) == 1 or matter in firm
            return mind if knows else _Mind(views, firm, credited, found_out)
        if not self.counts(mind, chain, event):
            return mind
        return _Mind(views, firm, credited | {(speaker, matter, event.value)}, found_out)

    def counts(self, mind: _Mind, chain: Chain, event: _Event) -> bool:
        """Whether a chain's holder, who is not the speaker, is moved by a telling (R2)."""
        matter, holder, speaker = event.matter, chain[-1], event.speaker
        if matter in mind.firm:
            return False
        if event.to == holder:
            return (
                event.tone == self.ears[holder]
                and event.setting == self.faces[holder]
                and self.believes(mind, holder, speaker, matter, event.value)
            )
        to_all_or_by_chance = event.to is None or holder not in event.hearers
        return (
            to_all_or_by_chance
            and self.ties[holder][speaker] == "warm"
            and speaker not in mind.found_out
        )

    def after_round(self, mind: _Mind, chain: Chain, said: Sequence[_Event]) -> _Mind:
        """What a chain holds after a round of tellings in which it hears all (R8)."""
        for own in said:
            if own.speaker == chain[-1]:
                return self.after(mind, chain, own)
        moving = [one for one in said if self.counts(mind, chain, one)]
        if len({one.value for one in moving}) != 1:
            return mind
        _, matter, value, *_ = moving[0]
        return mind._replace(
            views=(*mind.views[:matter], value, *mind.views[matter + 1 :]),
            credited=mind.credited | {(one.speaker, matter, value) for one in moving},
        )


class _Log:
    """What was said and shown in a story, up to some moment: what was before, and a few events."""

    def __init__(
        self, world: _World, before: _Log | None, events: Sequence[_Event | _Round]
    ) -> None:
        self.world: Final = world
        self._before: Final = before
        self._events: Final = events
        self._minds: Final[dict[Chain, _Mind]] = {}

    def then(self, events: Sequence[_Event | _Round]) -> _Log:
        """The log that goes on with these."""
        return _Log(self.world, self, events) if events else self

    def mind(self, chain: Chain) -> _Mind:
        """What a chain holds after all of it."""
        mind = self._minds.get(chain)
        if mind is None:
            mind = self._before.mind(chain) if self._before else self.world.first(chain)
            for event in self._events:
                if isinstance(event, _Round):
                    if event.hearers.issuperset(chain):
                        mind = self.world.after_round(mind, chain, event.said)
                elif chain[0] in event.aware and event.hearers.issuperset(chain[1:]):
                    mind = self.world.after(mind, chain, event)
            self._minds[chain] = mind
        return mind


class _Moment(NamedTuple):
    """Where one looks: after what was said so far, with these people present."""

    log: _Log
    present: frozenset[int]

    def view(self, chain: Chain, matter: int) -> str:
        return self.log.mind(chain).views[matter]

    def feeling(self, person: int, matter: int) -> str:
        """R5."""
        world = self.log.world
        doer = world.matters[matter].doer
        _need(person != doer, "The doer has no feeling about their own matter.")
        warm = world.ties[person][doer] == "warm"
        return _FEELINGS[self.view((person,), matter), world.stakes[person][matter], warm]

    def backed(self, person: int, matter: int) -> bool:
        """R6: whether they think that the lead (the lead: the bearer) takes it as they do."""
        world = self.log.world
        other = world.matters[matter].bearer if person == world.lead else world.lead
        return self.view((person, other), matter) == self.view((person,), matter)

    def intention(self, person: int, matter: int) -> str:
        """R6."""
        backed, alone = _INTENTIONS[self.feeling(person, matter)]
        return backed if self.backed(person, matter) else alone

    def held(self, person: int, matter: int) -> bool:
        """Whether they have promised somebody who is present not to speak of it."""
        promised = self.log.world.promises.get((person, matter), frozenset())
        return not self.present.isdisjoint(promised)

    def manner(self, person: int, matter: int) -> str:
        """R7."""
        world = self.log.world
        doer = world.matters[matter].doer
        _need(person in self.present, f"{person} is not present, and does nothing there.")
        _need(person != doer, "The doer does nothing about their own matter.")
        if self.held(person, matter):
            return "held"
        lead = person != world.lead and world.lead in self.present
        if doer in self.present:
            return "before_lead" if lead else "face"
        return "to_lead" if lead else "behind"


class Evaluator:
    """Rolls the story of a frame forward, with any words of the guide, and answers questions."""

    def __init__(self, frame: Mapping[str, Any]) -> None:
        self._world: Final = _World(frame)
        self._start: Final = _Log(self._world, None, ())
        self._states: Final[dict[Words, _Moment]] = {}
        self._acts: Final[dict[Words, _Moment]] = {}
        self._closes: Final[dict[Words, _Moment]] = {}

    def value(
        self, variable: Mapping[str, Any], words: Mapping[int, Mapping[str, Any] | None] = {}
    ) -> str:
        """The value of a variable, where the guide's words at these scenes are exchanged."""
        return self._value(variable, self._exchanged(words))

    def right(self, asked: Mapping[str, Any], claims: Sequence[Any]) -> list[bool]:
        """Of each option of a question, from what it claims, whether it is right."""
        kind = _field(asked, "type")
        if kind in ("transition_state", "transition_reason"):
            words = self._exchanged(_field(asked, "words"))
            return [self._hold(option, words, ("is",)) for option in claims]
        if kind == "transition_plan":
            every = {str(number) for number in range(1, len(self._world.scenes) + 1)}
            plans = [_field(option, "words") for option in claims]
            _need(
                all(set(map(str, plan)) == every for plan in plans),
                "A plan has one word for each scene.",
            )
            return [self._aims(asked, self._exchanged(plan)) for plan in plans]
        _need(kind == "guidance_action", f"There is no type {kind!r}.")
        scene = self._number(asked, "scene")
        rest = asked.get("words", {})
        unsaid = self._exchanged({**rest, scene: None})
        right = []
        for option in claims:
            said = self._exchanged({**rest, scene: _field(option, "word")})
            guarded = [
                self._value(variable, said) == self._value(variable, unsaid)
                for variable in asked.get("guard") or ()
            ]
            right.append(self._aims(asked, said) and all(guarded))
        return right

    def _aims(self, asked: Mapping[str, Any], words: Words) -> bool:
        return self._hold(_field(asked, "aim"), words, ("is", "is_not"))

    def _hold(self, conditions: Any, words: Words, signs: tuple[str, ...]) -> bool:
        """Whether all conditions hold; each is looked at, so that none can be without meaning."""
        _need(bool(conditions) and not isinstance(conditions, Mapping), "There is no condition.")
        held = []
        for condition in conditions:
            variable = _field(condition, "of")
            given = [sign for sign in signs if sign in condition]
            _need(len(given) == 1, f"It is not clear what must hold in {condition!r}.")
            wanted = _one_of(condition, given[0], _VALUES[_one_of(variable, "kind", _VALUES)])
            held.append((self._value(variable, words) == wanted) == (given[0] == "is"))
        return all(held)

    def _number(self, of: Any, name: str) -> int:
        return _place(_field(of, name), len(self._world.scenes) + 1, "scene", start=1)

    def _exchanged(self, words: Mapping[Any, Any]) -> Words:
        """All words of a story in which some are exchanged; scenes may be numbers or digits."""
        exchanged = list(self._world.words)
        for scene, word in words.items():
            number = int(scene) if isinstance(scene, str) and scene.isdecimal() else scene
            _place(number, len(exchanged) + 1, "scene", start=1)
            exchanged[number - 1] = self._world.read_word(word, number)
        return tuple(exchanged)

    # The story, scene by scene. Stories with the same words up to a scene share all logs up to it.

    def _state(self, words: Words) -> _Moment:
        """The state of the scene after these words."""
        state = self._states.get(words)
        if state is None:
            scene = self._world.scenes[len(words)]
            log = self._close(words).log if words else self._start
            log = self._set_right(_Moment(log, scene.gathered)).then(scene.happened)
            state = self._states[words] = _Moment(log, scene.present)
        return state

    def _acted(self, words: Words) -> _Moment:
        """Later in it, just before the guide's word."""
        acted = self._acts.get(words)
        if acted is None:
            state = self._state(words)
            acted = self._acts[words] = self._act(state, self._world.scenes[len(words)].topic)
        return acted

    def _close(self, words: Words) -> _Moment:
        """The close of the scene at whose end the last of these words is said."""
        close = self._closes.get(words)
        if close is None:
            close, word = self._acted(words[:-1]), words[-1]
            if word is not None:
                meant = self._world.matters[word.matter].meant
                said = self._world.event(
                    _GUIDE, word.matter, meant, word.to, word.setting, word.tone, close.present
                )
                close = _Moment(close.log.then((said,)), close.present)
            self._closes[words] = close
        return close

    def _set_right(self, moment: _Moment) -> _Log:
        """R4: friends set each other right."""
        world, (log, present) = self._world, moment
        if not present.issuperset((_TARGET, _FRIEND)):
            return log
        for one, other in ((_FRIEND, _TARGET), (_TARGET, _FRIEND)):
            for number, matter in enumerate(world.matters):
                own, theirs = log.mind((one,)), log.mind((one, other))
                value = own.views[number]
                learned = number in own.firm or any(
                    (what, said) == (number, value) for _, what, said in own.credited
                )
                if (
                    matter.doer not in (one, other)
                    and learned
                    and theirs.views[number] != value
                    and number not in theirs.firm
                    and not moment.held(one, number)
                ):
                    face, ear = world.faces[other], world.ears[other]
                    log = log.then((world.event(one, number, value, other, face, ear, present),))
        return log

    def _act(self, state: _Moment, topic: int) -> _Moment:
        """R8: all decide at the state, then those speak who do, in one round."""
        said = []
        for person in sorted(state.present - {_GUIDE, self._world.matters[topic].doer}):
            value = _SAYS.get(state.intention(person, topic))
            if value is not None and not state.held(person, topic):
                said.append(
                    self._world.event(person, topic, value, None, "open", "plain", state.present)
                )
        rounds = [_Round(tuple(said), state.present)] if said else []
        return _Moment(state.log.then(rounds), state.present)

    # What is asked.

    def _moment(self, scene: int, close: bool, words: Words) -> _Moment:
        return self._close(words[:scene]) if close else self._state(words[: scene - 1])

    def _value(self, variable: Mapping[str, Any], words: Words) -> str:
        kind = _one_of(variable, "kind", _VALUES)
        if kind == "changed":
            return self._changed(variable, words)
        if kind == "stake":
            person, matter = self._world.read_person(variable), self._world.read_matter(variable)
            _need(person != self._world.matters[matter].doer, "A doer's stake means nothing.")
            return self._world.stakes[person][matter]
        scene = self._number(variable, "scene")
        if kind == "reception":
            _need(not variable.get("close"), "A word is received before they part.")
            return self._reception(self._world.read_person(variable), scene, words)
        return self._seen(variable, self._moment(scene, bool(variable.get("close")), words))

    def _seen(self, variable: Mapping[str, Any], moment: _Moment) -> str:
        """The value of a variable at a moment."""
        world, kind = self._world, variable["kind"]
        if kind == "present":
            return "yes" if world.read_person(variable) in moment.present else "no"
        matter = world.read_matter(variable)
        if kind == "view":
            people = _field(variable, "chain")
            chain = tuple(_place(person, world.size, "person") for person in people)
            _need(1 <= len(chain) <= 3, "A chain has one, two or three people.")
            _need(
                all(a != b for a, b in pairwise(chain)),
                f"Neighbours in the chain {chain} are the same.",
            )
            return moment.view(chain, matter)
        person = world.read_person(variable)
        if kind == "emotion":
            return moment.feeling(person, matter)
        if kind == "intention":
            return moment.intention(person, matter)
        if kind == "manner":
            return moment.manner(person, matter)
        return "yes" if moment.backed(person, matter) else "no"

    def _changed(self, variable: Mapping[str, Any], words: Words) -> str:
        what, since = _field(variable, "what"), self._number(variable, "since")
        _one_of(what, "kind", ("view", "emotion", "intention"))
        scene, close = self._number(what, "scene"), bool(what.get("close"))
        _need((scene, close) >= (since, True), f"Scene {scene} is not after the word of {since}.")
        then = self._acted(words[: since - 1])
        return "no" if self._seen(what, then) == self._value(what, words) else "yes"

    def _reception(self, person: int, scene: int, words: Words) -> str:
        word = words[scene - 1]
        if word is None or word.to != person:
            raise EvaluationError(f"The guide's word of scene {scene} is not said to {person}.")
        world, mind = self._world, self._acted(words[: scene - 1]).log.mind((person,))
        if word.matter in mind.firm:
            return "knows"
        meant = world.matters[word.matter].meant
        if not world.believes(mind, person, _GUIDE, word.matter, meant):
            return "distrusts"
        if (word.tone, word.setting) != (world.ears[person], world.faces[person]):
            return "closes_up"
        return "credits"
