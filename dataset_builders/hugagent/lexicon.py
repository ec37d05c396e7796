"""Finding in a text the names of the policy and of factors, and clauses that say how a factor moves.

A sentence is normalized to lower case with each finding replaced by a mark, so that the templates
it may come from can be found in it as plain strings.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal, TypeAlias

from otherminds.dataset_builders.hugagent.schema import Topic

Kind: TypeAlias = Literal["clause", "factor", "policy"]

MARKS: dict[Kind, str] = {"clause": "\x01", "factor": "\x02", "policy": "\x03"}
ANY_MARK = re.compile("[\x01\x02\x03]")

_SLOTS: dict[str, Kind] = {
    "{up}": "clause",
    "{u_up}": "clause",
    "{v_move}": "clause",
    "{clause}": "clause",
    "{factor}": "factor",
    "{noun}": "factor",
    "{target}": "factor",
    "{v}": "factor",
    "{policy}": "policy",
}
_WORD = re.compile(r"[\w'’-]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Found:
    """One finding: a clause has a factor and a direction (±1), a name of a factor has a factor."""

    kind: Kind
    factor: str = ""
    direction: int = 0


@dataclass(frozen=True)
class Normalized:
    """A text with its findings replaced by marks, and the findings in order."""

    text: str
    found: tuple[Found, ...]

    @property
    def marks(self) -> str:
        """The marks alone, in order."""
        return "".join(MARKS[found.kind] for found in self.found)

    def within(self, template: str) -> tuple[Found, ...]:
        """The findings inside the (normalized) template, which must occur in the text."""
        before = len(ANY_MARK.findall(self.text[: self.text.index(template)]))
        return self.found[before : before + len(ANY_MARK.findall(template))]


class Lexicon:
    """The names and clauses of one topic; where several fit at one place, the longest counts."""

    def __init__(self, topic: Topic) -> None:
        by_first_word: dict[str, list[str]] = defaultdict(list)
        self._entries: dict[str, Found] = {}
        for text, found in entries(topic):
            match = _WORD.match(text)
            if match is not None:
                by_first_word[match.group()].append(text)
                self._entries.setdefault(text, found)
        self._candidates = {word: _any_of(texts) for word, texts in by_first_word.items()}

    def normalize(self, text: str) -> Normalized:
        """The text in lower case, its findings replaced by marks."""
        lower = text.lower()
        pieces: list[str] = []
        found: list[Found] = []
        done = 0
        for word in _WORD.finditer(lower):
            if word.start() < done:
                continue
            hit = self._longest(lower, word)
            if hit is None:
                continue
            length, entry = hit
            pieces += [lower[done : word.start()], MARKS[entry.kind]]
            found.append(entry)
            done = word.start() + length
        pieces.append(lower[done:])
        return Normalized("".join(pieces), tuple(found))

    def _longest(self, text: str, word: re.Match[str]) -> tuple[int, Found] | None:
        candidates = self._candidates.get(word.group())
        hit = candidates.match(text, word.start()) if candidates is not None else None
        return None if hit is None else (len(hit.group()), self._entries[hit.group()])


def _any_of(texts: list[str]) -> re.Pattern[str]:
    """Any of the texts, the longest first, where neither a letter nor a digit follows."""
    longest_first = sorted(texts, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, longest_first))})(?![^\W_])")


def entries(topic: Topic) -> list[tuple[str, Found]]:
    """Every name and clause of a topic, in lower case, with what it says."""
    listed = [
        (name.lower(), Found("policy"))
        for name in dict.fromkeys((topic.policy, *topic.policy_short))
    ]
    for factor in topic.factors:
        named = Found("factor", factor.name)
        listed += [(name.lower(), named) for name in dict.fromkeys((factor.noun, *factor.phrases))]
        for direction in (1, -1):
            clause = Found("clause", factor.name, direction)
            listed += [(text.lower(), clause) for text in factor.clauses(direction).all]
    return listed


def template_text(template: str) -> str:
    """A template as it looks in a normalized text: lower case, marks for its slots."""
    text = template.lower()
    for slot, kind in _SLOTS.items():
        text = text.replace(slot, MARKS[kind])
    return text


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return _SENTENCE_END.split(text)
