"""SocialMindChange's scale edition as students see it: options, words, scenes, and a look-up.

A frame-aware student reads the text of a stage with the generator's grammar (`scale_lines`). For each
thing that the options of a question claim something about, it is given what a look-up finds in the
lines that bear on it (`scale_lookup`): ties, stakes, who is told what by whom, in which tone and place,
who overhears, and what proof shows. Nothing is rolled forward. There is one clue for each thing, because
lines that a look-up has weighed must not count twice; it stands in the background or in one line where
these are enough for it.

What look-ups are worth is learned from the right options of the training half. No value comes
from the frame or from a state of mind.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from otherminds.dataset_builders.socialmindchange.world.frame import FRIEND, GUIDE, TARGET
from otherminds.metrics.socialmindchange import LETTERS
from otherminds.students.view import Claims, Clue, Clues, Item, Place, Tables, View
from otherminds.tasks.socialmindchange import scale_lines
from otherminds.tasks.socialmindchange import scale_lookup as lookup
from otherminds.tasks.socialmindchange.scale_lines import Reading, Told
from otherminds.tasks.socialmindchange.scale_lookup import SIDES, people_of

_TOLD: Final = ("view", "emotion", "intention", "backed", "reception")
"""Kinds of things that rest on what is told in the scenes."""

_FEW: Final[tuple[Place, ...]] = ("background", "line")
"""Where the clue on a thing stands on which no line bears, or just one."""

Row = Mapping[str, Any]


def items(tables: Tables) -> Iterator[Item]:
    """The questions, each with its stage."""
    for stage, rows in _stages(tables):
        reading = scale_lines.read(stage)
        text = scale_lines.lines(stage)
        for row in rows:
            asked = _Asked(row, reading)
            yield replace(
                plain(row, stage, text),
                line=_line(row, asked, stage, text),
                claims=tuple(asked.options),
            )


def plain(row: Row, stage: Row, text: tuple[str, ...]) -> Item:
    """A question as anybody sees it, beside the lines of its stage."""
    return Item(
        item_id=row["item_id"],
        group=row["stage_id"],
        kind=f"{row['type']} {row['mental_state']}",
        question=row["question"],
        options=tuple(row["options"]),
        gold=LETTERS.index(row["answer"]),
        background=" ".join([*stage["profile"], stage["background"]]),
        text=text,
        scales={
            "order of belief": row["order"],
            "scenes": row["n_scenarios"],
            "people": row["group_size"],
        },
    )


def clues(tables: Tables) -> Clues:
    """What the lines of a stage show of the things that its questions' options claim something about."""
    found = {}
    for stage, rows in _stages(tables):
        reading = scale_lines.read(stage)
        own = [_Asked(row, reading) for row in rows]
        found[stage["stage_id"]] = [
            *_of_people(stage, reading),
            *(clue for asked in own for clue in asked.clues()),
        ]
    return found


def written(tables: Tables) -> dict[str, list[str]]:
    """The story of each stage, and the options as its lexicon."""
    return {
        stage["stage_id"]: [
            *stage["profile"],
            stage["background"],
            *(turn["text"] for scene in stage["scenes"] for turn in scene["turns"]),
            *(option for row in rows for option in row["options"]),
        ]
        for stage, rows in _stages(tables)
    }


def _stages(tables: Tables) -> Iterator[tuple[Row, list[Row]]]:
    """The stages, each with its questions."""
    of_stage: defaultdict[str, list[Row]] = defaultdict(list)
    for config in ("questions", "questions_variants"):
        for row in tables[config].to_pylist() if config in tables else ():
            of_stage[row["stage_id"]].append(row)
    stages = [config for config in ("stages", "stages_variants") if config in tables]
    for stage in (row for config in stages for row in tables[config].to_pylist()):
        yield stage, of_stage[stage["stage_id"]]


def _line(row: Row, asked: _Asked, stage: Row, text: Sequence[str]) -> str:
    """What the guide does at the end of the first scene, and what is told last on what is asked."""
    first = row["first_scene"]
    ends = sum(len(scene["turns"]) for scene in stage["scenes"][:first])
    told = [
        one.line
        for one in asked.reading.events
        if one.matter in asked.matters and one.scene <= row["second_scene"] and not one.word
    ]
    # The last turn of a scene is the parting.
    return " ".join(text[place] for place in dict.fromkeys([ends - 2, *told[-1:]]))


# --- what options claim


@dataclass
class _Asked:
    """A question as its options put it.

    row      of the table of questions
    reading  of its stage
    options  what each option claims, by slot
    things   by slot, the variable that it stands for
    """

    row: Row
    reading: Reading
    options: list[dict[str, str]] = field(default_factory=list)
    things: dict[str, Row] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.asked: Row = json.loads(self.row["asked"])
        self.claims: list[Any] = [json.loads(one) for one in self.row["claims"]]
        named = [*self._variables()]
        self.matters = {one["matter"] for one in named if "matter" in one}
        self.options = [dict(self._claimed(one)) for one in self.claims]

    def clues(self) -> Iterator[Clue]:
        """The clues on all that is claimed; values are those of the right option."""
        right: Claims = self.options[LETTERS.index(self.row["answer"])]
        for slot, thing in self.things.items():
            if slot in right:
                yield from _Looking(self, slot, thing, right[slot]).clues()

    @property
    def aim(self) -> Sequence[Row]:
        """What is wanted; nothing of questions that do not ask what to say."""
        found: Sequence[Row] = self.asked.get("aim", ())
        return found

    @property
    def said(self) -> Mapping[int, Row | None]:
        """The words that the question puts in place of the story's, by scene from 1."""
        return {int(scene): word for scene, word in self.asked.get("words", {}).items()}

    def _variables(self) -> Iterator[Row]:
        """All that aims, guards and options are about."""
        conditions = [*self.asked.get("aim", ())]
        conditions += [one for some in self.claims if isinstance(some, list) for one in some]
        for one in [one["of"] for one in conditions] + list(self.asked.get("guard", ())):
            yield one.get("what", one)

    def _claimed(self, claims: Any) -> Iterator[tuple[str, str]]:
        if isinstance(claims, list):
            for one in claims:
                yield from self._states(one)
        elif "word" in claims:
            yield from self._word(claims["word"])
        else:
            yield from self._course(claims["words"])

    def _states(self, claim: Row) -> Iterator[tuple[str, str]]:
        """A value of a variable: under its name, which siblings share, and for this question alone."""
        name = named(claim["of"])
        value = claim["is"] if "is" in claim else f"not {claim['is_not']}"
        yield name, value
        yield self._own(name, claim["of"]), value

    def _word(self, word: Row | None) -> Iterator[tuple[str, str]]:
        """What a look-up finds after the word; that somebody is still wrong about its matter, that the
        way to them leads through whom it is said to, and how these take a word."""
        scene, said = self.row["first_scene"], self.said
        silent, after = (
            lookup.exchanged(self.reading, {**said, scene: one}) for one in (None, word)
        )
        kept = lookup.kept(self.reading, after, silent, self.asked.get("guard", ()))
        found = f"{lookup.met(self.reading, after, self.aim)}_{'kept' if kept else 'noticed'}"
        yield self._own("met", {"kind": "met"}), found
        if word is not None:
            yield self._own("mistaken", {"kind": "mistaken"}), str(word["matter"])
            yield self._own("through", {"kind": "through"}), str(word["to"])
            yield f"ear:{word['to']}", word["tone"]
            yield f"face:{word['to']}", word["setting"]

    def _course(self, words: Mapping[str, Row | None]) -> Iterator[tuple[str, str]]:
        """What a look-up finds after these words."""
        told = lookup.exchanged(self.reading, {int(scene): word for scene, word in words.items()})
        yield self._own("met", {"kind": "met"}), lookup.met(self.reading, told, self.aim)

    def _own(self, name: str, thing: Row) -> str:
        slot = f"{self.row['item_id']} {name}"
        self.things.setdefault(slot, thing)
        return slot


def named(variable: Row) -> str:
    """The name of a variable as a slot, such as "view:0-3:m1@3" or "changed:emotion:0:m1@3-2"."""
    if variable["kind"] == "changed":
        return f"changed:{named(variable['what'])}-{variable['since']}"
    who = variable.get("chain") or [variable["person"]]
    matter = f":m{variable['matter']}" if "matter" in variable else ""
    when = f"@{variable['scene']}" if "scene" in variable else ""
    close = "close" if variable.get("close") else ""
    return f"{variable['kind']}:{'-'.join(map(str, who))}{matter}{when}{close}"


# --- what lines show


def _of_people(stage: Row, reading: Reading) -> Iterator[Clue]:
    """How everybody is to be spoken to."""
    for place, person in enumerate(stage["characters"]):
        for kind in ("ear", "face"):
            told = _about(reading.told[kind, place], {place: "FOCUS"})
            yield Clue(kind, f"{kind}:{place}", told, person[kind], "background")


class _Looking:
    """The clues on one thing that a question's options claim something about."""

    def __init__(self, asked: _Asked, slot: str, thing: Row, value: str) -> None:
        self._asked = asked
        self._reading = asked.reading
        self._slot = slot
        self._thing = thing
        self._value = value
        self._kind = thing["kind"]
        self._events = lookup.exchanged(asked.reading, asked.said)

    def clues(self) -> Iterator[Clue]:
        """All of them."""
        own = {"met": self._met, "mistaken": self._mistaken, "through": self._through}
        yield from own.get(self._kind, self._found)()

    def _clue(
        self, what: str, text: str, place: Place = "text", candidate: str | None = None
    ) -> Clue:
        return Clue(f"{self._kind} {what}", self._slot, text, self._value, place, candidate)

    def _found(self) -> Iterator[Clue]:
        """What a look-up finds, where the last line stands that it needs."""
        variable = self._thing
        what = variable.get("what", variable)
        kind = f"{what['kind']}{len(people_of(what))}"
        found = lookup.value(self._reading, self._events, variable)
        lines = len(list(self._lines(what)))
        place: Place = "text"
        if self._kind not in ("present", "manner") and lines < len(_FEW):
            place = _FEW[lines]
        yield self._clue(kind, f"{kind}_{found} {found}", place)

    def _lines(self, what: Row) -> Iterator[Told]:
        """The lines of the scenes that bear on a thing."""
        kind = what["kind"]
        if kind not in _TOLD:
            return
        if kind == "reception":
            word = next(one for one in self._events if one.word and one.scene == what["scene"])
            told, matter = self._events[: self._events.index(word)], word.matter
        else:
            told, matter = lookup.until(self._events, what), what["matter"]
        people = people_of(what)
        chains = [people]
        if kind in ("intention", "backed"):
            chains.append([*people, lookup.counts(self._reading, people[0], matter)])
        for one in told:
            if one.line >= 0 and one.matter == matter and any(map(one.reaches, chains)):
                yield one

    def _met(self) -> Iterator[Clue]:
        """How much of an aim the words of options reach, by a look-up."""
        kind = self._asked.row["type"]
        for found in dict.fromkeys(one[self._slot] for one in self._asked.options):
            yield self._clue(kind, found, candidate=found)

    def _aim(self) -> list[Row]:
        return [
            one for one in self._asked.aim if one["of"]["kind"] in ("view", "emotion", "intention")
        ]

    def _mistaken(self) -> Iterator[Clue]:
        """Of each matter of the aim, whether by a look-up the one concerned is right about it."""
        for one in self._aim():
            variable = one["of"]
            first = {"scene": self._asked.row["first_scene"]}
            for what, when in (("now", first), ("then", variable)):
                told = lookup.until(self._events, when)
                found = lookup.view(self._reading, told, people_of(variable), variable["matter"])
                text = f"{what}_{'right' if found == SIDES[one['is']] else 'wrong'}"
                yield self._clue(what, text, candidate=str(variable["matter"]))

    def _through(self) -> Iterator[Clue]:
        """Of each of the two friends, how they stand to the guide and whether they are concerned."""
        person, reading = people_of(self._aim()[0]["of"])[0], self._reading
        for one in (TARGET, FRIEND):
            tie, part = reading.tie(one, GUIDE), "concerned" if one == person else "friend"
            other = reading.tie(FRIEND if one == TARGET else TARGET, GUIDE)
            text = f"{part}_{tie}_{other} {part}_{tie} {tie}"
            yield self._clue("tie", text, "background", candidate=str(one))


def _about(text: str, parts: Mapping[int, str]) -> str:
    """A masked line with people by their part in it."""
    for place in range(10):
        text = text.replace(f"P{place}", parts.get(place, "OTHER"))
    return text


VIEWS: Final[Mapping[str, View]] = {
    "socialmindchange-scale": View(
        configs=("questions", "stages"),
        items=items,
        clues=clues,
        written=written,
        called="stages",
        part="lite",
        beside=("questions_variants", "stages_variants"),
        metric="acc",
    )
}
"""The view of each dataset."""
