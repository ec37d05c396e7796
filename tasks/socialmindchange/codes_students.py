"""SocialMindChange's codes as students see them.

Options, closing acts, scenes, and the simulator's variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from otherminds.dataset_builders.socialmindchange.cells import LETTERS
from otherminds.dataset_builders.socialmindchange.codes.claimed import OptionReader
from otherminds.dataset_builders.socialmindchange.codes.content import load
from otherminds.dataset_builders.socialmindchange.codes.decoder import Decoder
from otherminds.manifest import Manifest
from otherminds.students.view import Clue, Clues, Item, Place, Tables, View

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_FOCUS, _OTHER, _CANDIDATE = "FOCUS", "OTHER", "CANDIDATE"


def items(tables: Tables) -> Iterator[Item]:
    """The questions, each with its stage."""
    content = load()
    stages = {row["stage_id"]: row for row in tables["stages"].to_pylist()}
    readers: dict[str, OptionReader] = {}
    texts: dict[str, tuple[str, ...]] = {}
    for row in tables["questions"].to_pylist():
        name = row["stage_id"]
        stage = stages[name]
        if name not in readers:
            readers[name] = OptionReader(content, stage)
            texts[name] = tuple(_told(turn) for scene in stage["scenes"] for turn in scene["turns"])
        yield Item(
            item_id=row["item_id"],
            group=name,
            kind=f"{row['type']} {row['mental_state']}",
            question=row["question"],
            options=tuple(row["options"]),
            gold=LETTERS.index(row["answer"]),
            background=" ".join([*stage["profile"], stage["background"]]),
            text=texts[name],
            line=_closing(stage, row),
            claims=tuple(readers[name].claims(row)),
        )


def written(tables: Tables) -> dict[str, list[str]]:
    """The story of each stage, and the options as its lexicon."""
    found = {
        row["stage_id"]: [
            *row["profile"],
            row["background"],
            *(turn["text"] for scene in row["scenes"] for turn in scene["turns"]),
        ]
        for row in tables["stages"].to_pylist()
    }
    for row in tables["questions"].to_pylist():
        found[row["stage_id"]] += row["options"]
    return found


def clues(tables: Tables) -> Clues:
    """Every line of background and scenes, beside what the generator's grammar finds in it."""
    decoder = Decoder(load())
    return {row["stage_id"]: list(_of_stage(row, decoder)) for row in tables["stages"].to_pylist()}


def _of_stage(row: Mapping[str, Any], decoder: Decoder) -> Iterator[Clue]:
    names = [one["given"] for one in row["characters"]]
    masked = _Masks(names)
    focus = row["characters"][0]
    for sentence in _SENTENCE.split(row["background"]):
        yield Clue("norm", "norm", sentence, _in_bank(decoder, "norm", sentence), "background")
        if names[0] in sentence:
            told = masked.about(sentence, 0)
            goal = focus["goal"] if decoder.within("goal", sentence) else ""
            yield Clue("goal", "goal", told, goal, "background")
            face = _in_bank(decoder, "face", sentence)
            yield Clue("setting", "setting", told, face, "background")
    for scene in row["scenes"]:
        turns = scene["turns"]
        for place, turn in enumerate(turns):
            where: Place = "line" if place == len(turns) - 1 else "text"
            yield from _of_line(turn, scene["number"], where, names, masked, decoder)


def _of_line(
    turn: Mapping[str, str],
    scene: int,
    where: Place,
    names: Sequence[str],
    masked: _Masks,
    decoder: Decoder,
) -> Iterator[Clue]:
    """A line as it bears on each variable of its scene."""
    text = _told(turn)
    shown = _Shown.of(turn, names, decoder)
    for place in range(len(names)):
        own = shown if shown.whose == place else _Shown()
        told, mark = masked.about(text, place), f"{place}:" if place else ""
        role = "other " if place else ""
        yield Clue(f"{role}kind", f"{mark}kind@{scene}", told, own.kind, where)
        yield Clue(f"{role}topic", f"{mark}topic@{scene}", told, own.topic, where)
        if place:
            told = masked.about(text, 0, candidate=place)
            about = shown.about if shown.whose == 0 else ""
            yield Clue("about", f"about@{scene}", told, about, where, str(place))
            yield Clue("guessed", f"guess_about@{scene}", told, shown.guessed, where, str(place))
        else:
            yield Clue("agency", f"agency@{scene}", told, own.agency, where)
    told = masked.about(text, 0)
    yield Clue("circumstance", f"circumstance@{scene}", told, shown.circumstance, where)
    yield Clue("bridge", f"bridge@{scene}", told, shown.bridge, where)
    yield Clue("guess", f"guess_topic@{scene}", told, shown.guess, where)


@dataclass(frozen=True)
class _Shown:
    """What one line shows, and of whose mind; the empty text for what it does not."""

    whose: int | None = None
    kind: str = ""
    topic: str = ""
    agency: str = ""
    about: str = ""
    circumstance: str = ""
    bridge: str = ""
    guess: str = ""
    guessed: str = ""

    @classmethod
    def of(cls, turn: Mapping[str, str], names: Sequence[str], decoder: Decoder) -> _Shown:
        """What the grammar finds in a line."""
        speaker, text = turn["speaker"], turn["text"]
        if speaker and (found := decoder.guessed(text)):
            return cls(guess=found[0].meaning[1], guessed=_place(names, found[0].about))
        found = decoder.spoken(text) if speaker else decoder.narrated(text)
        found = found or ([] if speaker else decoder.within("act", text))
        if not found:
            return cls()
        name, *values = found[0].meaning
        if name in ("circumstance", "bridge"):
            return cls(**{name: values[0]})
        first = speaker or min(
            (one for one in names if one in text), key=text.find, default=names[0]
        )
        kind, agency = (" ".join(values), values[2]) if len(values) == 3 else ("", "")
        about = _place(names, found[0].about)
        return cls(names.index(first), kind, values[1], agency, about)


def _place(names: Sequence[str], name: str | None) -> str:
    return str(names.index(name)) if name in names else ""


def _in_bank(decoder: Decoder, bank: str, text: str) -> str:
    found = decoder.within(bank, text)
    return str(found[0].meaning[1]) if found else ""


class _Masks:
    """Lines with names replaced by what their bearers are to the mind that is asked about."""

    def __init__(self, names: Sequence[str]) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._names = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")

    def about(self, text: str, focus: int, *, candidate: int | None = None) -> str:
        """The line as it reads about the person in place `focus`, and whom it may be about."""
        marks = {focus: _FOCUS, candidate: _CANDIDATE}
        return self._names.sub(lambda found: marks.get(self._places[found[1]], _OTHER), text)


def _told(turn: Mapping[str, str]) -> str:
    return f"{turn['speaker']}: {turn['text']}" if turn["speaker"] else turn["text"]


def _closing(stage: Mapping[str, Any], question: Mapping[str, Any]) -> str:
    """The closing acts of the scenes that a question speaks of."""
    scenes = sorted({question["first_scene"], question["second_scene"]})
    return " ".join(_told(stage["scenes"][scene - 1]["turns"][-1]) for scene in scenes)


def reader(known: Manifest) -> Mapping[str, float]:
    """The accuracy of the rule-based reader, which the audits of the build measure."""
    found = known.measured.get("reader")
    return {"all": float(found)} if found is not None else {}


VIEWS: Final[Mapping[str, View]] = {
    "socialmindchange-codes": View(
        configs=("questions", "stages"),
        items=items,
        clues=clues,
        written=written,
        reader=reader,
        called="stages",
        part="lite",
    )
}
"""The view of each dataset."""
