"""The rule-based extractor: reads plain causal statements without a model.

It knows verbs ("lowers", "eats into", "comes from"), hedges, negations and words for strength and
importance, nothing about any topic. It reads sentences one by one; what fits no rule is left out. The
same answer to the same question always gives the same result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from otherminds.interview.extraction import (
    Extraction,
    FoundLink,
    FoundNode,
    Quality,
    Sign,
    StanceHint,
    Wording,
)
from otherminds.interview.extractors import Request
from otherminds.interview.labels import bare, normal_form

_FILE: Final = Path(__file__).with_name("reader.yaml")
_SENTENCE: Final = re.compile(r"[^.!?;\n]+")
_CLAUSE_BREAK: Final = re.compile(r",\s+(?:and|but|while|whereas|yet|though)\s+")
_LONGEST_CLAUSE: Final = 300
"""Characters: the rules are for plain sentences, and must not take long over others."""
_ASIDE: Final = re.compile(r"^[^,]{1,40},\s+")
_AFTERTHOUGHT: Final = re.compile(r",\s+(?:i|that|though|too|as well)\b[^,]{0,20}$", re.IGNORECASE)
_SURE, _HEDGED = 0.9, 0.6
_UNSAID: Final = 0.5
_LESS: Final = re.compile(
    r"^(?:less|fewer|lower|falling|declining|weaker|a lack of|too little)\s+", re.IGNORECASE
)
_MORE: Final = re.compile(
    r"^(?:(?:a )?(?:change|rise|growth|increase) in|more|higher|greater|rising|growing|any|some|having)"
    r"\s+",
    re.IGNORECASE,
)
_PRONOUNS: Final = frozenset({"it", "that", "this", "they", "these", "those", "them"})
_TOO_SHORT: Final = 3


class _Rule(NamedTuple):
    """A form of causal statement."""

    pattern: re.Pattern[str]
    sign: Sign | None
    is_reversed: bool = False
    is_stance: bool = False


class _Said(NamedTuple):
    """A causal statement, before its ends are known."""

    source: str
    target: str
    sign: Sign | None
    strength: float | None
    wording: Wording
    quote: str


@dataclass(frozen=True)
class _Lexicon:
    rules: tuple[_Rule, ...]
    openings: re.Pattern[str]
    hedges: re.Pattern[str]
    strengths: tuple[tuple[float, re.Pattern[str]], ...]
    importance: tuple[tuple[float, re.Pattern[str]], ...]
    care: tuple[tuple[float, re.Pattern[str]], ...]
    meta: re.Pattern[str]
    refusal: re.Pattern[str]
    bare_up: re.Pattern[str]
    bare_down: re.Pattern[str]


@dataclass
class _Reading:
    """What was found in an answer so far, concepts by normal form."""

    nodes: dict[str, FoundNode] = field(default_factory=dict)
    links: list[FoundLink] = field(default_factory=list)


def read_answer(request: Request) -> Extraction:
    """What the rules find in an answer; an `Extractor`."""
    lexicon = _lexicon()
    answer = request.answer
    quality = Quality(
        meta_question=bool(lexicon.meta.search(answer)),
        refusal=not answer.strip() or bool(lexicon.refusal.fullmatch(answer.strip(" .!"))),
        too_short=len(answer.split()) < _TOO_SHORT,
    )
    if quality.meta_question or quality.refusal:
        return Extraction(quality=quality)
    reading = _Reading()
    for clause in _clauses(answer):
        _read_clause(request, lexicon, clause, reading)
    if not reading.links and len(request.asked_about) == 2:
        _read_bare(request, lexicon, reading)
    into_stance = [one for one in reading.links if one.target == request.stance_label]
    return Extraction(
        nodes=tuple(reading.nodes.values()),
        links=tuple(reading.links),
        quality=quality,
        stance_hint=_hint(into_stance),
    )


def _clauses(answer: str) -> Iterator[str]:
    for sentence in _SENTENCE.findall(answer):
        for part in _CLAUSE_BREAK.split(sentence):
            clause = part.strip(" ,")
            if 0 < len(clause) <= _LONGEST_CLAUSE:
                yield clause


def _read_clause(request: Request, lexicon: _Lexicon, clause: str, reading: _Reading) -> None:
    body, is_hedged = _opened(lexicon, clause)
    for level, pattern in (*lexicon.importance, *lexicon.care):
        if found := pattern.fullmatch(body):
            _add_node(request, reading, found["x"], clause, importance=level, is_hedged=is_hedged)
            return
    statements = (
        _statement(request, lexicon, one, clause, is_hedged=is_hedged)
        for one in (body, _ASIDE.sub("", body))
    )
    said = next((one for one in statements if one is not None), None)
    if said is None:
        return
    ends = [_end(request, reading, one, said) for one in (said.source, said.target)]
    source, target = ends
    if source is None or target is None or normal_form(source) == normal_form(target):
        return
    reading.links.append(
        FoundLink(
            source=source,
            target=target,
            polarity=said.sign,
            strength=said.strength,
            wording=said.wording,
            confidence=_HEDGED if said.wording == "hedged" else _SURE,
            quote=said.quote,
        )
    )


def _opened(lexicon: _Lexicon, clause: str) -> tuple[str, bool]:
    """A clause without what stands before its first concept, and whether it is hedged."""
    body = _AFTERTHOUGHT.sub("", " ".join(clause.split()))
    while (found := lexicon.openings.match(body)) and found.end() < len(body):
        body = body[found.end() :]
    return body, bool(lexicon.hedges.search(clause))


def _statement(
    request: Request, lexicon: _Lexicon, body: str, quote: str, *, is_hedged: bool
) -> _Said | None:
    plain = " ".join(lexicon.hedges.sub(" ", body).split())
    plain, strength = _without_strength(lexicon, plain)
    for rule in lexicon.rules:
        found = rule.pattern.fullmatch(plain)
        if found is None:
            continue
        groups = found.groupdict()
        sign = rule.sign
        if groups.get("neg"):
            # "Does not raise" denies the link; it does not say that it lowers.
            sign = 0
        source, target = _flipped(groups["x"]), _flipped(groups["y"])
        if rule.is_stance:
            if normal_form(groups["y"]) != normal_form(request.policy):
                continue
            target = (request.stance_label, 1)
        if sign is not None:
            sign = _times(sign, source[1] * target[1])
        ends = (source[0], target[0])
        if rule.is_reversed:
            ends = (ends[1], ends[0])
        return _Said(*ends, sign, strength, "hedged" if is_hedged else "explicit", quote)
    return None


def _without_strength(lexicon: _Lexicon, text: str) -> tuple[str, float | None]:
    for level, pattern in lexicon.strengths:
        if found := pattern.search(text):
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            return " ".join(rest.split()).rstrip(" ,"), level
    return text, None


def _flipped(words: str) -> tuple[str, int]:
    """A concept without "more" or "less" in front, and −1 for less."""
    text = bare(words.strip(" ,"))
    if found := _LESS.match(text):
        return bare(text[found.end() :]), -1
    if found := _MORE.match(text):
        return bare(text[found.end() :]), 1
    return text, 1


def _times(sign: Sign, factor: int) -> Sign:
    return sign if factor > 0 else -sign


def _end(request: Request, reading: _Reading, words: str, said: _Said) -> str | None:
    """The label of an end of a statement; the concept is noted."""
    label = words
    if label.casefold() in _PRONOUNS:
        place = 0 if words == said.source else -1
        if not request.asked_about:
            return None
        label = request.asked_about[place]
    is_hedged = said.wording == "hedged"
    return _add_node(request, reading, label, said.quote, is_hedged=is_hedged)


def _add_node(
    request: Request,
    reading: _Reading,
    words: str,
    quote: str,
    *,
    importance: float | None = None,
    is_hedged: bool,
) -> str | None:
    label, _ = _flipped(words)
    form = normal_form(label)
    if not form:
        return None
    stances = {normal_form(one) for one in (request.stance_label, *request.stance_aliases)}
    if form in stances:
        return request.stance_label
    earlier = reading.nodes.get(form)
    label = _cased(label) if earlier is None else earlier.label
    # What was said before, and more surely, is not taken back.
    confidence = max(_HEDGED if is_hedged else _SURE, earlier.confidence if earlier else 0.0)
    said_importance = earlier.importance if earlier is not None else _UNSAID
    reading.nodes[form] = FoundNode(
        label=label,
        confidence=confidence,
        importance=said_importance if importance is None else importance,
        quote=quote if earlier is None else earlier.quote,
    )
    return label


def _cased(label: str) -> str:
    """A label without the capital of a sentence's beginning."""
    first = label.split(maxsplit=1)[0]
    is_name = first.isupper() and len(first) > 1
    return label if is_name else label[0].lower() + label[1:]


def _read_bare(request: Request, lexicon: _Lexicon, reading: _Reading) -> None:
    """ "Downward, strongly": an answer that gives the direction of the link alone."""
    answer = request.answer
    found = {
        1: lexicon.bare_up.search(answer),
        -1: lexicon.bare_down.search(answer),
    }
    signs: list[Sign] = [1] if found[1] and not found[-1] else []
    signs += [-1] if found[-1] and not found[1] else []
    if not signs:
        return
    is_hedged = bool(lexicon.hedges.search(answer))
    strength = _without_strength(lexicon, answer)[1]
    quote = answer.strip()
    labels = [
        _add_node(request, reading, one, quote, is_hedged=is_hedged) for one in request.asked_about
    ]
    if labels[0] is None or labels[1] is None:
        return
    reading.links.append(
        FoundLink(
            source=labels[0],
            target=labels[1],
            polarity=signs[0],
            strength=strength,
            wording="hedged" if is_hedged else "explicit",
            confidence=_HEDGED if is_hedged else _SURE,
            quote=quote,
        )
    )


def _hint(into_stance: list[FoundLink]) -> StanceHint | None:
    total = sum((one.polarity or 0) * (one.strength or _UNSAID) for one in into_stance)
    if not into_stance:
        return None
    direction: Sign = 1 if total > 0 else -1 if total < 0 else 0
    return StanceHint(direction=direction, strength=min(1.0, abs(total) / len(into_stance)))


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    data: Mapping[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))

    def words(name: str) -> str:
        return "|".join(data[name])

    helpers = rf"(?:(?:{words('helpers')})\s+){{0,2}}"
    negation = rf"(?P<neg>(?:(?:do|does|did|would|will|can|could)n't|{words('negations')})\s+)?"
    before = rf"(?P<x>[^,]+?)\s+{helpers}{negation}{helpers}"

    def plain(name: str, sign: Sign | None, *, is_reversed: bool = False) -> _Rule:
        return _Rule(_regex(rf"{before}(?:{words(name)})\s+(?P<y>[^,]+)"), sign, is_reversed)

    def split(name: str, sign: Sign) -> Iterator[_Rule]:
        for verb, particle in data[name]:
            yield _Rule(_regex(rf"{before}{verb}\s+(?P<y>[^,]+?)\s+{particle}"), sign)

    def stance(name: str, sign: Sign) -> _Rule:
        return _Rule(_regex(rf"{before}(?:{words(name)})\s+(?P<y>[^,]+)"), sign, is_stance=True)

    rules = (
        plain("none", 0),
        stance("toward", 1),
        stance("against", -1),
        *split("split_none", 0),
        *split("split_up", 1),
        *split("split_down", -1),
        plain("reversed_down", -1, is_reversed=True),
        plain("reversed_up", 1, is_reversed=True),
        plain("reversed_unknown", None, is_reversed=True),
        plain("down", -1),
        plain("up", 1),
        plain("unknown", None),
    )
    return _Lexicon(
        rules=rules,
        openings=_regex(rf"(?:{words('openings')})\b[\s,:]+"),
        hedges=_regex(rf"\b(?:{words('hedges')})\b"),
        strengths=_levels(data["strengths"], r"\b(?:WORDS)\b"),
        importance=_levels(data["importance"], rf"(?P<x>.+?)\s+{helpers}(?:WORDS)"),
        care=_levels(data["care"], r"(?:WORDS)\s+(?P<x>.+)"),
        meta=_regex(words("meta")),
        refusal=_regex(rf"(?:i(?:'d| would) )?(?:{words('refusal')}).*"),
        bare_up=_regex(rf"\b(?:{words('bare_up')})\b"),
        bare_down=_regex(rf"\b(?:{words('bare_down')})\b"),
    )


def _levels(
    given: Mapping[float, list[str]], form: str
) -> tuple[tuple[float, re.Pattern[str]], ...]:
    """Patterns by level, the longest first; WORDS in the form stands for the words."""
    pairs = [(float(level), text) for level, texts in given.items() for text in texts]
    pairs.sort(key=lambda pair: -len(pair[1]))
    return tuple((level, _regex(form.replace("WORDS", text))) for level, text in pairs)


def _regex(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.DOTALL)
