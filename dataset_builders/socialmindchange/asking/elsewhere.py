"""Where else in a stage an offered value is the truth.

A wrong value of a distractor must be the truth somewhere: after another word, about another person or
matter, in another scene. So it is possible in this stage, and wrong for a reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias, get_args

from otherminds.dataset_builders.socialmindchange.asking.question import Exchanged, exchanged
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE
from otherminds.dataset_builders.socialmindchange.world.roll import Roll, Words
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
    Thing,
    Variable,
    View,
    value,
)

Where: TypeAlias = Literal["other_word", "other_person", "other_matter", "other_scene"]

WHERE: Final[tuple[Where, ...]] = get_args(Where)

@dataclass(frozen=True)
class Elsewhere:
    """Looks for the truth of values in one stage; what was found is kept."""

    roll: Roll
    _found: dict[tuple[Claim, int, tuple[object, ...]], Where | None] = field(default_factory=dict)

    def of(self, claim: Claim, first: int, words: Exchanged) -> Where | None:
        """Where the value is the truth, if anywhere; `words` is the world where it is not."""
        key = (claim, first, tuple(sorted(words.items())))
        if key not in self._found:
            self._found[key] = self._look(claim, first, words)
        return self._found[key]

    def _look(self, claim: Claim, first: int, words: Exchanged) -> Where | None:
        if isinstance(claim.of.what, ReceptionOf):
            return self._taken(claim.of.what, claim.value, first, words)
        places: tuple[tuple[Where, Iterator[str]], ...] = (
            ("other_word", self._other_words(claim.of, first, words)),
            ("other_person", self._alike(claim.of, words)),
            ("other_matter", self._of_matters(claim.of, words)),
            ("other_scene", self._in_scenes(claim.of)),
            ("other_word", self._earlier_words(claim.of, first)),
        )
        for where, others in places:
            if any(found == claim.value for found in others):
                return where
        return None

    def _taken(
        self, what: ReceptionOf, wanted: str, first: int, words: Exchanged
    ) -> Where | None:
        """How other words would be taken: by the same person then, by others, at other times."""
        then: list[Where] = []
        for scene in range(len(self.roll.frame.scenes)):
            for word in draw.words(self.roll.frame, scene):
                now = exchanged(self.roll, {scene: word})
                if value(self.roll, now, Variable(ReceptionOf(word.to), scene)) != wanted:
                    continue
                if scene != first:
                    then.append("other_scene")
                elif word.to != what.person:
                    then.append("other_person")
                elif word != words[first]:
                    then.append("other_word")
        return min(then, key=WHERE.index, default=None)

    def _other_words(self, asked: Asked, first: int, words: Exchanged) -> Iterator[str]:
        if not isinstance(asked.what, StakeIn | Present | Manner):
            for word in (None, *draw.words(self.roll.frame, first)):
                if word != words[first]:
                    yield from self._values(asked, exchanged(self.roll, {**words, first: word}))

    def _earlier_words(self, asked: Asked, first: int) -> Iterator[str]:
        """After another word in an earlier scene."""
        if isinstance(asked.what, StakeIn | Present | Manner):
            return
        for scene in range(first):
            for word in (None, *draw.words(self.roll.frame, scene)):
                yield from self._values(asked, exchanged(self.roll, {scene: word}))

    def _alike(self, asked: Asked, words: Exchanged) -> Iterator[str]:
        """The same of other people."""
        now = exchanged(self.roll, words)
        what = asked.what
        for other in range(self.roll.frame.size):
            if isinstance(what, View):
                if other not in what.chain[-2:] and other != GUIDE:
                    changed = View((*what.chain[:-1], other), what.matter)
                    yield from self._values(_with(asked, changed), now)
            elif other not in (what.person, GUIDE):
                yield from self._values(_with(asked, replace(what, person=other)), now)

    def _of_matters(self, asked: Asked, words: Exchanged) -> Iterator[str]:
        """The same about other matters."""
        what = asked.what
        if isinstance(what, Present | ReceptionOf):
            return
        for other in range(len(self.roll.frame.matters)):
            if other != what.matter:
                changed = _with(asked, replace(what, matter=other))
                yield from self._values(changed, exchanged(self.roll, words))

    def _in_scenes(self, asked: Asked) -> Iterator[str]:
        """The same in other scenes of the story as it is told."""
        if isinstance(asked.what, StakeIn):
            return
        for scene in range(len(self.roll.frame.scenes)):
            if scene != asked.scene and (not isinstance(asked, Changed) or scene > asked.since):
                yield from self._values(replace(asked, scene=scene), self.roll.told)

    def _values(self, asked: Asked, words: Words) -> Iterator[str]:
        try:
            yield value(self.roll, words, asked)
        except ValueError:
            # Nobody feels so about their own deed, or acts where they are not.
            return


def _with(asked: Asked, what: Thing) -> Asked:
    if isinstance(asked, Changed):
        assert isinstance(what, View | Emotion | Intention)
        return replace(asked, what=what)
    return replace(asked, what=what)
