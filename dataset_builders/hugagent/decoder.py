"""What the sentences of an interview and the text of a question say, by the vocabulary alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from otherminds.dataset_builders.hugagent.dynamics import HIGHEST_RATING
from otherminds.dataset_builders.hugagent.lexicon import (
    ANY_MARK,
    Lexicon,
    Normalized,
    sentences,
    template_text,
)
from otherminds.dataset_builders.hugagent.schema import Content, Topic
from otherminds.dataset_builders.hugagent.wording import VALUES, ByRegister

# Sentences whose meaning is kept: those of a few hundred interviews.
_REMEMBERED = 20_000


@dataclass(frozen=True)
class Meaning:
    """What a template says: of what kind, and its class or sign where it has one."""

    kind: str
    level: int | str = 0


@dataclass
class Findings:
    """What a whole context says about one person on one topic. Later mentions win."""

    band: int | None = None
    bucket: int | None = None
    effects: dict[str, int] = field(default_factory=dict)
    ratings: dict[str, int] = field(default_factory=dict)
    coarse: dict[str, str] = field(default_factory=dict)
    experiences: dict[str, int] = field(default_factory=dict)
    links: dict[tuple[str, str], int] = field(default_factory=dict)
    link_hints: dict[tuple[str, str], int] = field(default_factory=dict)
    indifferent: set[str] = field(default_factory=set)
    values: dict[str, bool] = field(default_factory=dict)


class Decoder:
    """Reads texts on one topic."""

    def __init__(self, content: Content, topic: Topic) -> None:
        self._lexicon = Lexicon(topic)
        self._known: dict[str, tuple[Meaning, Normalized, str] | None] = {}
        self._templates: dict[str, list[tuple[str, Meaning]]] = defaultdict(list)
        for template, meaning in meanings(content):
            text = template_text(template)
            self._templates["".join(ANY_MARK.findall(text))].append((text, meaning))
        self._value_talk = _value_talk(content)
        self._experiences = _experiences(topic)
        self._magnitudes = [
            (template_text(template), magnitude)
            for magnitude in (1, 2, 3)
            for template in content.voices.magnitudes.of(magnitude)
        ]

    def read(self, context: Iterable[Mapping[str, str]]) -> Findings:
        """What the answers say."""
        findings = Findings()
        for turn in context:
            for sentence in sentences(turn["answer"]):
                self._read_sentence(sentence, findings)
        return findings

    def meaning(self, sentence: str) -> tuple[Meaning, Normalized, str] | None:
        """The longest template that occurs in a sentence, with the sentence as normalized."""
        # Items of one person and topic show almost the same answers.
        if sentence not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[sentence] = self._meaning(sentence)
        return self._known[sentence]

    def _meaning(self, sentence: str) -> tuple[Meaning, Normalized, str] | None:
        normalized = self._lexicon.normalize(sentence)
        best: tuple[Meaning, Normalized, str] | None = None
        for template, meaning in self._templates.get(normalized.marks, ()):
            if template in normalized.text and (best is None or len(template) > len(best[2])):
                best = (meaning, normalized, template)
        return best

    def moves(self, question: str) -> dict[str, int]:
        """The factors that a scenario moves: −3 (sharply down) to 3 (sharply up)."""
        normalized = self._lexicon.normalize(question)
        clauses = [found for found in normalized.found if found.kind == "clause"]
        widths = [0] * len(clauses)
        moves: dict[str, int] = {}
        for template, magnitude in self._magnitudes:
            for place in _occurrences(normalized.text, template):
                index = normalized.text[: place + len(template)].count("\x01") - 1
                if len(template) > widths[index]:
                    widths[index] = len(template)
                    moves[clauses[index].factor] = clauses[index].direction * magnitude
        return moves

    def edge(self, question: str) -> tuple[str, str | None]:
        """The source of the edge that a BSI question asks about, and its target if a factor."""
        found = self._lexicon.normalize(question).found
        source = next(entry.factor for entry in found if entry.kind == "clause")
        targets = [entry.factor for entry in found if entry.kind == "factor"]
        return source, targets[0] if targets else None

    def _read_sentence(self, sentence: str, findings: Findings) -> None:
        lower = sentence.lower()
        if lower in self._value_talk:
            name, high = self._value_talk[lower]
            findings.values[name] = high
        elif lower in self._experiences:
            factor, valence = self._experiences[lower]
            findings.experiences[factor] = valence
        elif (read := self.meaning(sentence)) is not None:
            _note(read[0], read[1], read[2], findings)


def meanings(content: Content) -> list[tuple[str, Meaning]]:
    """Every template that carries evidence, with its meaning."""
    voices = content.voices
    pools: list[tuple[ByRegister, Meaning]] = []
    for kind, numbered in (
        ("importance", voices.importance),
        ("stance", voices.stance),
        ("stance_hint", voices.stance_hint),
    ):
        pools += [(wordings, Meaning(kind, level)) for level, wordings in numbered.items()]
    pools += [
        (wordings, Meaning("importance_hint", coarse))
        for coarse, wordings in voices.importance_hint.items()
    ]
    pools += [
        (voices.importance_top, Meaning("importance", HIGHEST_RATING)),
        (voices.effect_stance.positive, Meaning("effect", 1)),
        (voices.effect_stance.negative, Meaning("effect", -1)),
        (voices.effect_factor, Meaning("link")),
        (voices.effect_factor_hint, Meaning("link_hint")),
        (voices.no_effect, Meaning("indifferent")),
        (voices.no_effect_factor, Meaning("no_link")),
        (voices.no_opinion, Meaning("indifferent")),
        (voices.stance_evasive, Meaning("evasive")),
    ]
    return [(template, meaning) for wordings, meaning in pools for template in wordings.all]


def _note(meaning: Meaning, normalized: Normalized, template: str, findings: Findings) -> None:
    found = normalized.within(template)
    factors = [entry.factor for entry in found if entry.factor]
    level = meaning.level
    if meaning.kind == "stance" and isinstance(level, int):
        findings.band = level
    elif meaning.kind == "stance_hint" and isinstance(level, int):
        findings.bucket = level
    elif meaning.kind == "effect" and isinstance(level, int):
        findings.effects[factors[0]] = level * next(e.direction for e in found if e.direction)
    elif meaning.kind == "importance" and isinstance(level, int):
        findings.ratings[factors[0]] = level
    elif meaning.kind == "importance_hint":
        findings.coarse[factors[0]] = str(level)
    elif meaning.kind == "indifferent":
        findings.indifferent.add(factors[0])
    elif meaning.kind in ("link", "link_hint"):
        place = findings.links if meaning.kind == "link" else findings.link_hints
        place[factors[0], factors[1]] = found[0].direction * found[1].direction


def _value_talk(content: Content) -> dict[str, tuple[str, bool]]:
    """The first sentence of each value statement or anecdote, with its value and pole."""
    talk: dict[str, tuple[str, bool]] = {}
    for name in VALUES:
        poles, stories = content.values.values[name], content.values.anecdotes[name]
        for high, texts in (
            (True, poles.high.all + stories.high),
            (False, poles.low.all + stories.low),
        ):
            talk |= {sentences(text)[0].lower(): (name, high) for text in texts}
    return talk


def _experiences(topic: Topic) -> dict[str, tuple[str, int]]:
    told: dict[str, tuple[str, int]] = {}
    for factor in topic.factors:
        for valence, texts in ((1, factor.experience_good), (-1, factor.experience_bad)):
            told |= {sentences(text)[0].lower(): (factor.name, valence) for text in texts}
    return told


def _occurrences(text: str, part: str) -> list[int]:
    places = []
    place = text.find(part)
    while place >= 0:
        places.append(place)
        place = text.find(part, place + 1)
    return places
