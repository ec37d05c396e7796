"""Whether a scene that was told anew still shows what the simulator put into it, and nothing else.

A reader of exact wordings cannot judge a paraphrase. So the lines that show something of a mind, of what
was done between scenes or at the end of one (the cues) have to stay to the letter, each once and in
order; around them a scene may be told otherwise. Who speaks freely is held to those who did before: the
person in focus, for one, says nothing that is no cue.

What is not seen: a hint at a state in free narration that is worded like no line of the content files
and uses none of the words that name states.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from otherminds.dataset_builders.socialmindchange.codes.content import (
    Content,
    retold_words,
    state_words,
)
from otherminds.dataset_builders.socialmindchange.codes.decoder import Decoder
from otherminds.dataset_builders.socialmindchange.codes.reader import Reader
from otherminds.dataset_builders.socialmindchange.codes.scenes import Turn
from otherminds.dataset_builders.socialmindchange.codes.trajectory import Trajectory

Row: TypeAlias = Mapping[str, Any]
"""A row of the table of stages, or the part of it that is shown: who, the background, the scenes."""

Reason: TypeAlias = Literal[
    "empty",
    "too_long",
    "characters",
    "cue_dropped",
    "cue_repeated",
    "cue_moved",
    "cue_added",
    "state_named",
    "stranger",
    "narrated_speech",
    "new_voice",
    "silent",
    "absent",
    "length",
    "reads_differently",
]
"""Why a scene is not taken:

empty              there is no text
too_long           the text is so long that it is not looked at
characters         it has markup, control characters or letters of another script
cue_dropped        a line that has to stay is gone, or another by so much as a word
cue_repeated       such a line stands there more than once
cue_moved          such lines are in another order
cue_added          something else shows what a line of the content files would
state_named        a state is called by its name
stranger           somebody speaks or is named who is not in the stage
narrated_speech    somebody speaks outside a line of speech, where the speaker cannot be told
new_voice          somebody speaks freely who only showed cues before
silent             somebody says nothing any more
absent             somebody who was there between two cues is not named there any more
length             what is told freely is less than half, or more than two and a half times as long
reads_differently  the reader, of the whole stage, comes to other minds
"""

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)

MARK: Final = ">>"
"""Marks, in a prompt, a line that has to stay. Left in front of it in a reply, it does no harm."""

_MOST_RAW: Final = 4
_LEAST_FREE, _MOST_FREE = 0.5, 2.5
_SEED: Final = 0

_STRAIGHT: Final = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " "})
_FIRST_OTHER: Final = 0x250
_PUNCTUATION: Final = frozenset(" .,;:!?'\"()&%/0123456789-–—…")
_SAID: Final = re.compile(r"([A-Z][\w'.-]*(?: [A-Z][\w'.-]*){0,2}):\s*(.+)")
_QUOTED: Final = re.compile(r"[\":]|(?:^|[\s(])'\w")
_WORD: Final = re.compile(r"[^\W\d_]+")
_ENDS: Final = ".!?:;-–—…"
_CALENDAR: Final = frozenset(
    _WORD.findall(
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June "
        "July August September October November December Christmas English"
    )
)


@dataclass(frozen=True)
class Verdict:
    """What became of a scene.

    scene      as told anew where that was accepted, else as it was: number and turns
    reasons    why it was not accepted; none where it was
    changed    whether it is another scene than the original
    new_words  share of the words of an accepted scene that the original does not have (0 for a copy,
               a word that is said twice as often counts as new once); None where it was not accepted
    """

    scene: Row
    reasons: tuple[Reason, ...]
    changed: bool
    new_words: float | None

    @property
    def accepted(self) -> bool:
        """Whether the scene shows what it has to, and no more."""
        return not self.reasons


@dataclass(frozen=True)
class _Told:
    """A scene in lines; `cues` says which show something."""

    turns: tuple[Turn, ...]
    cues: tuple[bool, ...]

    @cached_property
    def shown(self) -> list[Turn]:
        """The cues, in order."""
        return [turn for turn, cue in zip(self.turns, self.cues, strict=True) if cue]

    @cached_property
    def free(self) -> list[Turn]:
        """All other lines."""
        return [turn for gap in self.gaps for turn in gap]

    @cached_property
    def gaps(self) -> list[list[Turn]]:
        """What stands before, between and after the cues: one more than there are cues."""
        gaps: list[list[Turn]] = [[]]
        for turn, cue in zip(self.turns, self.cues, strict=True):
            if cue:
                gaps.append([])
            else:
                gaps[-1].append(turn)
        return gaps


class Checker:
    """Checks scenes that were told anew; reads no scene without the others of its stage."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._decoder = Decoder(content)
        words = "|".join(map(_forms, (*state_words(), *retold_words())))
        self._named = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
        # The lines of a stage are looked at for each of its scenes.
        self._shows = lru_cache(maxsize=2**15)(lambda line: bool(self._decoder.anywhere(line)))

    def cues(self, turns: Sequence[Mapping[str, str]]) -> list[bool]:
        """Which lines of a scene show something, and so have to stay."""
        return [self._shows(turn["text"]) for turn in turns]

    def check(self, row: Row, number: int, text: str) -> Verdict:
        """Whether `text` can stand for scene `number` (from 1) of a stage.

        `text` has one line for each thing narrated or said, the latter as "Name: words". Curly quotes
        count as straight ones, and blank lines do not count. Raises ValueError for a scene that the
        stage does not have.
        """
        scene = _scene(row, number)
        turns = tuple(Turn(turn["speaker"], turn["text"]) for turn in scene["turns"])
        if len(text) > _MOST_RAW * sum(len(_line(turn)) for turn in turns):
            return _refused(scene, "too_long")
        lines = _lines(text)
        if not lines:
            return _refused(scene, "empty")
        if not all(_readable(character) for line in lines for character in line):
            return _refused(scene, "characters")
        old = _Told(turns, tuple(self.cues(scene["turns"])))
        new = _told(lines, old)
        changed = {
            "number": number,
            "turns": [{"speaker": turn.speaker, "text": turn.text} for turn in new.turns],
        }
        reasons = tuple(dict.fromkeys(self._reasons(row, old, new, changed)))
        if reasons:
            return _refused(scene, *reasons)
        return Verdict(changed, (), old.turns != new.turns, _new_words(old, new))

    def _reasons(self, row: Row, old: _Told, new: _Told, changed: Row) -> Iterator[Reason]:
        yield from _cues_kept(old, new)
        for gap in new.gaps:
            if self._decoder.anywhere(" ".join(turn.text for turn in gap)):
                yield "cue_added"
        if self._states(new) - self._states(old):
            yield "state_named"
        names = [one["given"] for one in row["characters"]]
        yield from _voices(old, new, names)
        if old.shown == new.shown and not _nobody_lost(old, new, names):
            yield "absent"
        known = _known_words(row)
        if any(_strangers(turn.text, known) for turn in new.free):
            yield "stranger"
        before = _n_words(old.free)
        if not _LEAST_FREE * before <= _n_words(new.free) <= _MOST_FREE * before:
            yield "length"
        scenes = [changed if one["number"] == changed["number"] else one for one in row["scenes"]]
        if self._minds(row) != self._minds({**row, "scenes": scenes}):
            yield "reads_differently"

    def _states(self, told: _Told) -> Counter[str]:
        """Words that may name a state: what is written freely has some that do not ("the contents")."""
        words = (self._named.findall(turn.text) for turn in told.free)
        return Counter(word.lower() for found in words for word in found)

    def _minds(self, row: Row) -> Trajectory:
        """The minds that the reader finds in a stage; what it has to guess, it guesses alike."""
        reader = Reader(self._content, self._decoder, np.random.default_rng(_SEED))
        return reader.read(row).trajectory


def _refused(scene: Row, *reasons: Reason) -> Verdict:
    return Verdict(scene, reasons, changed=False, new_words=None)


def _forms(word: str) -> str:
    """A pattern for a word and what is formed of it: angry, angrily; bitter, bitterly."""
    stem = word.removesuffix("y")
    endings = "y|ily|iness|ied|ies|ying" if stem != word else "ly|ness|s|d|ed|ing|ful|fully|"
    return f"{re.escape(stem)}(?:{endings})"


def _scene(row: Row, number: int) -> Row:
    for scene in row["scenes"]:
        if scene["number"] == number:
            return dict(scene)
    raise ValueError(f"The stage has no scene {number}, but {len(row['scenes'])} scenes.")


def _lines(text: str) -> list[str]:
    """The lines of a text in one way of writing, without marks and blank lines."""
    straight = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).translate(_STRAIGHT)
    lines = (line.strip(" ").removeprefix(MARK).strip(" ") for line in straight.split("\n"))
    return [re.sub(" +", " ", line) for line in lines if line]


def _readable(character: str) -> bool:
    """Whether a character is a plain sign or a letter of Europe's languages in its plain form."""
    return character in _PUNCTUATION or (character.isalpha() and ord(character) < _FIRST_OTHER)


def _told(lines: Sequence[str], old: _Told) -> _Told:
    """A text as a scene: what is a cue of the old scene to the letter, and all else."""
    known = {" ".join(_lines(_line(turn))): turn for turn in old.shown}
    turns = tuple(known.get(line) or _turn(line) for line in lines)
    return _Told(turns, tuple(line in known for line in lines))


def _line(turn: Turn) -> str:
    """A turn as prompts show it."""
    return f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text


def _turn(line: str) -> Turn:
    said = _SAID.fullmatch(line)
    return Turn(said[1], said[2]) if said else Turn("", line)


def _cues_kept(old: _Told, new: _Told) -> Iterator[Reason]:
    wanted, found = Counter(old.shown), Counter(new.shown)
    if wanted - found:
        yield "cue_dropped"
    if found - wanted:
        yield "cue_repeated"
    if wanted == found and old.shown != new.shown:
        yield "cue_moved"


def _voices(old: _Told, new: _Told, names: Sequence[str]) -> Iterator[Reason]:
    """Who speaks, and how: as many people as before, and nobody of whom nothing but cues was heard."""
    before, now = ({turn.speaker for turn in told.turns} - {""} for told in (old, new))
    free = {turn.speaker for turn in new.free} - {""}
    if now - set(names):
        yield "stranger"
    if (free & set(names)) - {turn.speaker for turn in old.free}:
        yield "new_voice"
    if before - now:
        yield "silent"
    if any(not turn.speaker and _QUOTED.search(turn.text) for turn in new.free):
        yield "narrated_speech"


def _nobody_lost(old: _Told, new: _Told, names: Sequence[str]) -> bool:
    """Whether all who were there between two cues still are."""
    return all(
        _present(gap, names) <= _present(now, names)
        for gap, now in zip(old.gaps, new.gaps, strict=True)
    )


def _present(turns: Sequence[Turn], names: Sequence[str]) -> set[str]:
    words = {word for turn in turns for word in _WORD.findall(_line(turn))}
    return words & set(names)


def _known_words(row: Row) -> frozenset[str]:
    """The words with a capital that a stage has; those at the start of a sentence among them."""
    texts = [*row["profile"], row["background"]]
    texts += [_line(Turn(**turn)) for scene in row["scenes"] for turn in scene["turns"]]
    return _CALENDAR.union(word for text in texts for word in _WORD.findall(text))


def _strangers(text: str, known: frozenset[str]) -> list[str]:
    """Words with a capital within a sentence that the stage does not have: names of others."""
    found = []
    for match in _WORD.finditer(text):
        word, before = match[0], text[: match.start()].rstrip(" '\"(")
        starts = not before or before[-1] in _ENDS
        if word[0].isupper() and len(word) > 1 and not starts and word not in known:
            found.append(word)
    return found


def _n_words(turns: Sequence[Turn]) -> int:
    return sum(len(_WORD.findall(turn.text)) for turn in turns)


def _new_words(old: _Told, new: _Told) -> float:
    before, now = (
        Counter(word.lower() for turn in told.turns for word in _WORD.findall(_line(turn)))
        for told in (old, new)
    )
    return (now - before).total() / now.total()
