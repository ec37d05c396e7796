"""Questions and options of SocialMindChange 2 in words, composed from a stage's lexicon.

Everything here is a function of its arguments: which wording is taken follows from `style`, a number
from 0 that a question has and all its options share, so that options differ only in what they claim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from otherminds.dataset_builders.socialmindchange.codes.text import listed, parts, sentence_case
from otherminds.dataset_builders.socialmindchange.telling.filled import phrases
from otherminds.dataset_builders.socialmindchange.telling.lexicon import Lexicon
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE, Frame, Word
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Backed,
    Changed,
    Claim,
    Emotion,
    Intention,
    Manner,
    Present,
    ReceptionOf,
    StakeIn,
    State,
    Thing,
    Variable,
    View,
)

Time: TypeAlias = tuple[int, bool]
"""A scene from 0, and whether its close is meant and not its state."""

Changes: TypeAlias = Mapping[Changed, tuple[str, str]]
"""The value that a state has before the guide's word, and the one it has if it changes."""

_VERBS: Final = (
    ("takes it that", "believes that", "thinks that"),
    ("is convinced that", "thinks that", "supposes that"),
    ("believes that", "supposes that", "assumes that"),
    ("has come to think that", "assumes that", "imagines that"),
)
"""By style: how the last of a chain is said to hold a view, the one before, and the first of three."""

_PAIRS: Final = (
    "{0}, and {1}",
    "{0}; {1}",
    "{0}; and {1}",
    "{0}; besides, {1}",
)
_TRIPLES: Final = (
    "{0}; {1}; and {2}",
    "{0}; {1}; {2}",
    "{0}; besides, {1}; and {2}",
    "first, {0}; second, {1}; third, {2}",
)
_QUADRUPLES: Final = (
    "{0}; {1}; {2}; and {3}",
    "{0}; {1}; {2}; {3}",
    "{0}; {1}; besides, {2}; and {3}",
    "first, {0}; second, {1}; third, {2}; fourth, {3}",
)
_ELIDED: Final = 0
"""The style of pairs in which a common subject is said once."""


# --- claims


def claim(
    lex: Lexicon,
    frame: Frame,
    one: Claim,
    style: int = 0,
    now: Time | None = None,
    changes: Changes | None = None,
) -> str:
    """A claim as a clause. Where it is about another time than `now`, it says so.

    A change is told with the states themselves where `changes` has them.
    """
    asked = one.of
    if isinstance(asked, Changed) and changes is not None and asked in changes:
        before, after = changes[asked]
        changed = (one.value == "yes") == one.holds
        text = change(lex, frame, asked.what, before, after, changed, style)
    else:
        text = _clause(lex, frame, asked, one.value, style)
        text = text if one.holds else f"it is not so that {text}"
    when = _time(asked)
    return text if now is None or when in (None, now) else f"{_at(when)} {text}"


def change(
    lex: Lexicon, frame: Frame, what: State, before: str, after: str, changed: bool, style: int = 0
) -> str:
    """That a state still has the value `before`, or by then has the value `after`, as a clause."""
    text = state(lex, frame, what, after if changed else before, style)
    return f"by then {text}" if changed else f"as before {text}"


def state(lex: Lexicon, frame: Frame, what: State, value: str, style: int = 0) -> str:
    """That somebody takes, feels or means something, as a clause."""
    if isinstance(what, View):
        return _view(lex, frame, what, value, style)
    if isinstance(what, Emotion):
        return lex.phrase("emotion", value, what.matter, of=what.person)
    meant = lex.phrase("intention", value, what.matter, of=what.person)
    return f"{lex.people[what.person].name} means {meant}"


def action(lex: Lexicon, person: int, matter: int, intention: str, manner: str) -> str:
    """What somebody does, and how, as a clause."""
    does = lex.phrase("action", intention, matter, of=person)
    how = lex.phrase("manner", manner, matter, of=person)
    return f"{lex.people[person].name} {does}, {how}"


def clauses(
    lex: Lexicon,
    frame: Frame,
    claims: Sequence[Claim],
    style: int = 0,
    now: Time | None = None,
    changes: Changes | None = None,
) -> list[str]:
    """The claims as clauses; an intention and a manner of one person are one action."""
    found, rest = [], list(claims)
    while rest:
        one = rest.pop(0)
        how = next((other for other in rest if _acts(one, other)), None)
        if how is None:
            found.append(claim(lex, frame, one, style, now, changes))
            continue
        rest.remove(how)
        done = one.of.what
        assert isinstance(done, Intention)
        text = action(lex, done.person, done.matter, one.value, how.value)
        when = _time(one.of)
        found.append(text if now is None or when in (None, now) else f"{_at(when)} {text}")
    return found


def option(
    lex: Lexicon,
    frame: Frame,
    claims: Sequence[Claim],
    style: int = 0,
    now: Time | None = None,
    changes: Changes | None = None,
) -> str:
    """An option that makes these claims, as one sentence."""
    return joined(clauses(lex, frame, claims, style, now, changes), style)


def joined(said: Sequence[str], style: int = 0) -> str:
    """Clauses as one sentence; of two with `and` and the same subject, it is said once.

    Of more than four, all but the last three go before these.
    """
    *before, last = said
    if not before:
        return sentence(last)
    if len(before) == 1:
        kind = style % len(_PAIRS)
        if kind == _ELIDED:
            last = _without_subject(last, before[0])
        return sentence(_PAIRS[kind].format(before[0], last))
    if len(before) == 2:
        return sentence(_TRIPLES[style % len(_TRIPLES)].format(*said))
    *more, third = before[:-1]
    form = _QUADRUPLES[style % len(_QUADRUPLES)]
    return sentence(form.format("; ".join(more), third, before[-1], last))


def sentence(text: str) -> str:
    """A clause as a sentence."""
    return f"{text[0].upper()}{text[1:]}."


def _at(when: Time | None) -> str:
    """A time before a clause."""
    comma = "," if when is not None and when[1] else ""
    return f"{moment(when)}{comma}"


def moment(when: Time | None) -> str:
    """A time as a phrase; nothing where there is none."""
    if when is None:
        return ""
    scene, close = when
    return f"when they part after scene {scene + 1}" if close else f"in scene {scene + 1}"


# --- the guide's words


def word(lex: Lexicon, one: Word | None, *, fitting: bool = False) -> str:
    """What the guide does at the end of a scene, as sentences; with `fitting`, that the word is put as
    its hearer takes it best, and not how."""
    if one is None:
        return lex.phrase("word", "none")
    if fitting:
        return lex.phrase("word", one.matter, one.to, "fitting")
    return lex.phrase("word", one.matter, one.to, one.setting, one.tone)


def plan(
    lex: Lexicon, words: Sequence[Word | None], style: int = 0, fitting: Collection[int] = ()
) -> str:
    """What the guide does at the end of each scene, as one sentence of short clauses; `fitting` are the
    scenes whose word is told as in `word`."""
    guide = lex.people[GUIDE]
    forms = {f"g{name}": form for name, form in guide.slots().items()}
    found = []
    for scene, one in enumerate(words):
        if one is None:
            does = _styled(phrases().course.none, style, forms)
        else:
            slots = {**forms, "to": lex.people[one.to].name, "topic": _topic(lex, one.matter)}
            courses = phrases().course
            lines = courses.fitting if scene in fitting else courses.of(one.setting, one.tone)
            does = _styled(lines, style, slots)
        subject = forms["ghe"] if scene else guide.name
        found.append(f"after scene {scene + 1} {subject} {does}")
    return sentence("; ".join(found))


# --- questions


def guidance_action(
    lex: Lexicon,
    frame: Frame,
    scene: int,
    aim: Sequence[Claim],
    guard: Sequence[Asked],
    style: int = 0,
) -> str:
    """What the guide should do at the end of a scene (from 0), so that aim and guard hold."""
    return _asked(
        lex,
        "guidance_action",
        style,
        {
            "scene": str(scene + 1),
            "aim": f"{_at(_time(aim[0].of))} {aims(lex, frame, aim, style)}".strip(),
            "guard": guards(lex, guard),
        },
    )


def transition_state(
    lex: Lexicon,
    words: Mapping[int, Word | None],
    people: Sequence[int],
    matters: Sequence[int],
    when: Time,
    style: int = 0,
    fitting: Collection[int] = (),
) -> str:
    """How things stand with these people if the guide had done otherwise at the ends of some scenes."""
    slots = {
        "people": listed([lex.people[one].name for one in people]),
        "topics": listed([_topic(lex, one) for one in matters]),
        "when": moment(when),
    }
    lines = phrases().questions["state_asked"]
    # Both texts go through their wordings at different speeds, so that all of them meet.
    what = _styled(lines, style // len(phrases().questions["transition_state"]) + style, slots)
    slots = {**_exchanged(lex, words, fitting), "asked": what}
    return _asked(lex, "transition_state", style, slots)


def transition_reason(
    lex: Lexicon,
    words: Mapping[int, Word | None],
    what: Thing,
    when: Time,
    style: int = 0,
    fitting: Collection[int] = (),
) -> str:
    """What accounts for a state or action if the guide had done otherwise at the ends of some scenes."""
    slots = {**_exchanged(lex, words, fitting), "what": named(lex, what), "when": moment(when)}
    return _asked(lex, "transition_reason", style, slots)


def transition_plan(lex: Lexicon, frame: Frame, aim: Sequence[Claim], style: int = 0) -> str:
    """Which course of words leads to the aim at the close of the last scene."""
    last = str(len(frame.scenes))
    # Views are told as they are: that somebody is right would tell, without the story, that the guide
    # spoke.
    wanted = _together(clauses(lex, frame, aim, style))
    return _asked(lex, "transition_plan", style, {"last": last, "aim": wanted})


def aims(lex: Lexicon, frame: Frame, aim: Sequence[Claim], style: int = 0) -> str:
    """What is wanted, as a clause without its time: of views that fit the facts, that they are right."""
    right: dict[int, list[int]] = {}
    others = []
    for one in aim:
        person = _right(frame, one)
        if person is None:
            others.append(one)
        else:
            assert isinstance(one.of.what, View)
            right.setdefault(person, []).append(one.of.what.matter)
    found = [
        f"{lex.people[person].name} is right about {_all_of(lex, matters)}"
        for person, matters in right.items()
    ]
    return _together([*found, *clauses(lex, frame, others, style)])


def _together(said: Sequence[str]) -> str:
    """Clauses one after the other; a subject is not said again where the clause before has it, too."""
    rest = (_without_subject(one, before) for before, one in pairwise(said))
    return "; and ".join([said[0], *rest])


def guards(lex: Lexicon, guard: Sequence[Asked]) -> str:
    """What must be as if the guide had said nothing, to follow an aim; empty where there is no guard."""
    by_chain: dict[tuple[int, ...], list[int]] = {}
    found = []
    for one in guard:
        if isinstance(one.what, View):
            by_chain.setdefault(one.what.chain, []).append(one.what.matter)
        else:
            found.append(f"any change in {named(lex, one.what)}")
    others: dict[tuple[int, str], list[int]] = {}
    for chain, matters in by_chain.items():
        topics = " or ".join(_topic(lex, one) for one in matters)
        if len(chain) == 2:
            others.setdefault((chain[0], topics), []).append(chain[1])
            continue
        thinks = _makes_of(lex, chain[1:], topics) if chain[1:] else topics
        found.append(f"{lex.people[chain[0]].name} coming to think otherwise of {thinks}")
    for (first, topics), seconds in others.items():
        names = " or ".join(lex.people[one].name for one in seconds)
        found.append(
            f"{lex.people[first].name} coming to think otherwise of what {names} makes of {topics}"
        )
    if not found:
        return ""
    when = " or ".join(dict.fromkeys(moment(_time(one)) for one in guard))
    silent = f"than if {lex.people[GUIDE].name} kept silent"
    return f", without {' or '.join(found)}, {when}, {silent}"


def named(lex: Lexicon, what: Thing) -> str:
    """What is asked about, as a noun clause."""
    if isinstance(what, View):
        return _makes_of(lex, what.chain, _topic(lex, what.matter))
    name = lex.people[what.person].name
    if isinstance(what, Present | ReceptionOf):
        return f"what {name} does"
    topic = _topic(lex, what.matter)
    if isinstance(what, Emotion):
        return f"the way {name} feels about {topic}"
    if isinstance(what, Manner):
        return f"the way {name} acts on {topic}"
    return f"the way {name} means to deal with {topic}"


def _makes_of(lex: Lexicon, chain: Sequence[int], topics: str) -> str:
    names = [lex.people[one].name for one in chain]
    return f"what {' thinks that '.join(names)} makes of {topics}"


def _all_of(lex: Lexicon, matters: Sequence[int]) -> str:
    both = "both " if len(matters) == 2 else ""
    return both + listed([f"what lay behind {_topic(lex, one)}" for one in matters])


def _right(frame: Frame, one: Claim) -> int | None:
    """Who is claimed to be right about a matter; None where the claim is another."""
    what = one.of.what
    if isinstance(one.of, Variable) and isinstance(what, View) and len(what.chain) == 1:
        meant = frame.matters[what.matter].meant
        return what.chain[0] if (one.value == meant) == one.holds else None
    return None


def _asked(lex: Lexicon, kind: str, style: int, slots: Mapping[str, str]) -> str:
    guide = {"g": lex.people[GUIDE].name}
    return sentence_case(_styled(phrases().questions[kind], style, {**guide, **slots}))


def _exchanged(
    lex: Lexicon, words: Mapping[int, Word | None], fitting: Collection[int]
) -> dict[str, str]:
    """The slots of exchanged words: the first in its place, the others after it."""
    (scene, first), *more = (
        (at, word(lex, one, fitting=at in fitting)) for at, one in sorted(words.items())
    )
    told = [first, *(f"And scene {later + 1} ends like this: {one}" for later, one in more)]
    return {"scene": str(scene + 1), "word": " ".join(told)}


# --- clauses


def _clause(lex: Lexicon, frame: Frame, asked: Asked, value: str, style: int) -> str:
    what = asked.what
    if isinstance(asked, Changed):
        same = "no longer" if value == "yes" else "still"
        before = f"it was before {lex.people[GUIDE].name} spoke in scene {asked.since + 1}"
        return f"{named(lex, what)} is {same} what {before}"
    if isinstance(what, View | Emotion | Intention):
        return state(lex, frame, what, value, style)
    name, slots = lex.people[what.person].name, lex.people[what.person].slots()
    if isinstance(what, Present):
        return f"{name} is {'there' if value == 'yes' else 'away'} in scene {asked.scene + 1}"
    if isinstance(what, ReceptionOf):
        slots["g"] = lex.people[GUIDE].name
        taken = _styled(phrases().reception[value], style, slots)
        return f"at the end of scene {asked.scene + 1} {taken}"
    if isinstance(what, StakeIn):
        return _stake(lex, frame, what, value)
    if isinstance(what, Manner):
        how = lex.phrase("manner", value, what.matter, of=what.person)
        return f"{name} acts on {_topic(lex, what.matter)}, {how}"
    slots |= {"topic": _topic(lex, what.matter), "other": _other(lex, frame, what)}
    return _styled(phrases().backed[value], style, slots)


def _other(lex: Lexicon, frame: Frame, what: Backed) -> str:
    """The one whose view counts for somebody: the lead, and for the lead the bearer."""
    bearer = frame.matters[what.matter].bearer
    return lex.people[bearer if what.person == frame.lead else frame.lead].name


def _stake(lex: Lexicon, frame: Frame, what: StakeIn, value: str) -> str:
    bearer = what.person == frame.matters[what.matter].bearer
    if bearer and value == "against":
        one = lex.people[what.person]
        gain = f"has more to lose than to gain by {one.slots()['his']} own success"
        return f"{one.name} {gain}, where {_topic(lex, what.matter)} is concerned"
    kind = "own" if bearer else value
    text = lex.phrase("matter", what.matter, "stake", kind, of=what.person).removesuffix(".")
    first = text.split(" ", 1)[0]
    if first in {one.name for one in lex.people}:
        return text
    return f"{text[0].lower()}{text[1:]}"


def _view(lex: Lexicon, frame: Frame, what: View, value: str, style: int) -> str:
    """A view of a chain: who thinks that who thinks that it was meant well or badly."""
    chain = what.chain
    last, before, first = _VERBS[style % len(_VERBS)]
    verbs = {1: (last,), 2: (first, last), 3: (first, before, last)}[len(chain)]
    names = [lex.people[one].name for one in chain]
    if len(chain) == 3 and chain[0] == chain[2]:
        one, between = lex.people[chain[0]], lex.people[chain[1]]
        forms = one.slots()
        same = one.gender == between.gender
        names[2] = f"{one.name} {forms['himself']}" if same else forms["he"]
    took = _of_themselves(
        lex,
        chain,
        frame.matters[what.matter].doer,
        lex.phrase("matter", what.matter, "took", value),
    )
    thought = " ".join(f"{name} {verb}" for name, verb in zip(names, verbs, strict=True))
    return f"{thought} {took}"


def _of_themselves(lex: Lexicon, chain: Sequence[int], doer: int, took: str) -> str:
    """A clause on the doer, who is called by a pronoun at its beginning where the chain has named them
    and nobody else whom it could mean."""
    one = lex.people[doer]
    alike = [place for place in chain if place != doer and lex.people[place].gender == one.gender]
    if doer not in chain or (alike and chain[-1] != doer):
        return took
    forms = one.slots()
    for named_as, pronoun in ((f"{one.name} ", forms["he"]), (f"{one.name}'s ", forms["his"])):
        if took.startswith(named_as):
            return f"{pronoun} {took.removeprefix(named_as)}"
    return took


def _acts(one: Claim, how: Claim) -> bool:
    """Whether the claims say what somebody means to do and how, at the same time."""
    meant, acts = one.of.what, how.of.what
    return (
        one.holds
        and how.holds
        and isinstance(one.of, Variable)
        and isinstance(meant, Intention)
        and isinstance(acts, Manner)
        and (meant.person, meant.matter, _time(one.of)) == (acts.person, acts.matter, _time(how.of))
    )


def _time(asked: Asked) -> Time | None:
    """When something is so; None where the claim says it itself, or it is so all along."""
    if isinstance(asked.what, Present | ReceptionOf | StakeIn):
        return None
    return (asked.scene, asked.close)


def _without_subject(clause: str, after: str) -> str:
    """The clause without the name that it begins with, if the other begins with the same."""
    name, _, rest = clause.partition(" ")
    return rest if name[0].isupper() and after.startswith(f"{name} ") else clause


def _topic(lex: Lexicon, matter: int) -> str:
    return lex.phrase("matter", matter, "topic")


def _styled(lines: Sequence[str], style: int, slots: Mapping[str, str]) -> str:
    """The wording of a style: the lines in turn, and the choices of each when all had theirs."""
    line = lines[style % len(lines)]
    turn = style // len(lines)
    return "".join(_chosen(line, turn)).format_map(slots)


def _chosen(line: str, turn: int) -> Iterator[str]:
    for part in parts(line):
        yield part[turn % len(part)]
