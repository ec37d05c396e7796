"""Classes of effect size in what a model states of an attribute."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from otherminds.metrics.trust_game.effect_size import EFFECT_SIZE_CLASSES
from otherminds.metrics.trust_game.levels import Levels, canonical, canonical_lines, undressed
from otherminds.metrics.trust_game.sizes_near import (
    CONTRAST,
    DOUBT,
    EFFECT,
    OMNIBUS,
    alike,
    denies,
    is_of_other,
    sizes_near,
)

_CLASSES = "|".join(EFFECT_SIZE_CLASSES)
_CLASS = re.compile(rf"\b(?:{_CLASSES})\b")
# What may not stand before a class that is the value of a key: it would be another, or none.
_OTHERWISE = re.compile(
    r"\b(?:not|no|non|never|neither|nor|than|below|above|under|over|beyond|near|nearly|almost|between"
    r"|from|or|to|if|might|may|could|very|extremely|too|unclear|hardly|less|more|without|versus|vs"
    r"|unlikely|doubt)\b|n't\b|[<>\u2264\u2265]"
)
_MOST_BEFORE = 60
_ONE_LETTER: Final = {name[0]: name for name in EFFECT_SIZE_CLASSES}
_LETTER = re.compile(
    r"(?P<label>\b(?:omnibus|overall|contrast|effect|size)\b[^.;:=\n]{0,24}[:=]\s?)(?P<letter>[sml])"
    r"(?=\s{0,2}(?:[.,;)\n]|$))"
)
_CONCLUDES = re.compile(
    rf".*\b(?:so|but|say|settle\son|settling\son|choose|pick|call\sit|go\swith)\s(?:\w+\s)?(?P<named>{_CLASSES})\W*$",
    re.DOTALL,
)
_REMARKS = re.compile(r".*(?:expla|reason|why|justif|rational|note|comment|because).*")
_LABELS: Final = {
    OMNIBUS: re.compile(r".*(?:omnibus|overall|total|global|main|\ball\b|whole|general).*"),
    CONTRAST: re.compile(r".*(?:contrast|versus|\bvs\b|first|extreme|order).*"),
}

# Words that may stand between what an effect is of, and its class.
_ONLY = (
    r"(?:effects?|sizes?|class|category|comparison|difference|magnitude|is|are|it'?s|would|will|should|might"
    r"|be|remains?|stays?|looks?|seems?|comes?|out|as|i|i'd|i'll|we|say|expect|estimate|predict"
    r"|guess|call|put|rate|think|still|only|just|also|even|at|a|an|the|of|to|it|this|that|one|about"
    r"|around|rather|quite|fairly|probably|likely|too|both|in|for|same|here|then|again|moderately"
    r"|anova|eta|squared|\u03b7\u00b2|order|ranking|planned|linear|attribute|kind|variable|factor|test"
    r"|these|this|both|explains|explaining|which|variance|accounts|klein|gering|mittel|gro\u00df|ersten|letzten|bleibt|ist|w\u00e4re|gruppen?|der|die|das|zwischen|und|auch|level)"
)
_SIGNS = r"(?:\d[\d.]*\s?%|[\s:=|,'\"(\[\u2014>*~-])"
_LINK = (
    rf"(?>(?:\((?![^()\n]{{0,80}}\b(?:{_CLASSES})\b)[^()\n]{{0,80}}\)|{_SIGNS}|{_ONLY}\b){{0,24}})"
)
# What a class must be followed by to be no description of something else: "a large sample".
_AFTER = (
    r"(?=\s?(?:$|[.,;:!?\n|)\]'\"(/\u2014-]|(?:[-\s]?sized?\b|effects?\b|in\s(?:size|magnitude|both)"
    r"|as\b|since\b|because\b|too\b|again\b|and\b|but\b|while\b|for\b|with\b|at\b|overall\b"
    r"|although\b|though\b|given\b|by\b|here\b|omnibus\b|contrast\b|weil\b|aber\b|und\b)))"
)
_UNCLEAR = re.compile(
    rf"\b(?:{_CLASSES})(?:,\s(?:{_CLASSES}))*,?\s(?:or|and/or)\s(?:{_CLASSES})\b"
    rf"|\bsmall(?:,\s?|\s?/\s?|\s?\|\s?)medium(?:,\s?|\s?/\s?|\s?\|\s?)(?:and\s)?large\b|"
    rf"\b(?:{_CLASSES})(?:\s?(?:to|or|-|/|,\s?or)\s?|-to-|\sor\sperhaps\s|\sor\smaybe\s)"
    rf"(?:\w+\s)?(?:{_CLASSES}|moderate|negligible|none|mild)\b"
    rf"|\b(?:moderate|negligible|none|mild)(?:\s(?:to|or)\s|-to-|-|/)(?:{_CLASSES})\b"
    rf"|\b(?:between|from)\s(?:a\s)?(?:{_CLASSES})\sand\s(?:{_CLASSES})\b"
    rf"|\b(?:not|no|n't|neither|nor|isn't|hardly|never|at\s(?:least|most)|than|if|whether|very"
    rf"|without|extremely|nearly|almost)\s(?:(?:a|an|the|very|that|particularly|be|it|is|at|all|as|so|too)\s)*"
    rf"(?:{_CLASSES})\b"
    rf"|\b(?:{_CLASSES})(?:\s(?:effects?|sizes?))*\s(?:if|when|means|would\smean)\b"
)
_SAID: Final = {
    OMNIBUS: r"\b(?:omnibus|overall|all\sin\sall|as\sa\swhole|in\stotal|global|main\seffect"
    r"|total\seffect|gesamteffekt|insgesamt)\b",
    CONTRAST: r"\b(?:contrasts?|kontrast|first\s(?:and|with|to|against|vs\.?|versus)\s(?:the\s)?"
    r"(?:last|rest|others)|(?:top|highest)\s(?:\w+\s)?(?:and|with|to|against|vs\.?|versus|from)\s(?:the\s)?"
    r"(?:bottom|lowest|rest|others|remaining)|extremes)\b|\ue010",
    EFFECT: r"(?<![\w_])(?<!other\s)effect(?:s|\ssizes?|size)?\b",
}
_BOTH = r"\b(?:both|either|each)\b"
_MARKED = re.compile(
    rf"(?P<{OMNIBUS}>{_SAID[OMNIBUS]})|(?P<{CONTRAST}>{_SAID[CONTRAST]})|(?P<both>{_BOTH})"
)
_DOUBTED = re.compile(
    rf"\b(?:so|thus|overall|hence),?\sthe\seffects?(?:\ssizes?)?\s(?:is|are)\s+{DOUBT}"
)
_LINKED = re.compile(rf"{_LINK}(?:\b(?P<named>{_CLASSES})\b{_AFTER}|(?P<doubt>{DOUBT}))")
# "The effect size is 1% to 6%", in the words of the question.
_PERCENTS: Final = [
    (re.compile(rf"(?<=\bis\s){said}"), name)
    for said, name in (
        (r"(?:about\s)?1\s?%?\s?(?:to|-)\s?6\s?%", "small"),
        (r"(?:about\s)?6\s?%?\s?(?:to|-)\s?14\s?%", "medium"),
        (r"(?:above|over|more\sthan)\s14\s?%", "large"),
    )
]
# "No more than small" is small, and so is "between small and medium, so I say small".
_NO_MORE = re.compile(
    r"\bno(?:thing)?\s(?:more|larger|bigger|greater|stronger)\sthan\s"
    r"(?=(?:a\s)?(?:small|medium)\b)"
)
_SETTLED = re.compile(
    rf"{DOUBT}(?=(?:(?!\b(?:omnibus|overall|contrast)\b)[^.\n{DOUBT}]){{0,60}}?\b(?:so|settle|settling|say|saying"
    rf"|pick|picking|choose|choosing"
    rf"|go|going|lean|leaning|call|final|finally|but|pressed|forced|pushed)\b"
    rf"(?:(?!\b(?:omnibus|overall|contrast)\b)[^.\n{DOUBT}]){{0,40}}?\b(?:{_CLASSES})\b{_AFTER})"
)
_ADJECTIVE = re.compile(
    rf"\b(?P<named>{_CLASSES})\s(?:(?:effects?|sized?|in|for|on|of|the|size|cases|,)\s){{0,5}}$"
)
_AGAINST = re.compile(
    r"\ue011\s(?:against|vs\.?|versus|and|compared\s(?:to|with))\s(?:the\s)?\ue011"
)
_ALONE = re.compile(rf"(?:^|[\s\"'(,;.:])(?P<named>{_CLASSES})(?:\seffect(?:\ssize)?)?{_AFTER}")


def class_named(value: Any) -> str | None:
    """The class of effect size that `value` begins with, if it names no other; None else."""
    if isinstance(value, dict):
        named = {
            found
            for key, one in value.items()
            if not _REMARKS.fullmatch(_spelt(key)) and (found := class_named(one))
        }
        return named.pop() if len(named) == 1 else None
    if not isinstance(value, str):
        return None
    text = canonical(undressed(value)).strip(" .")
    if text in _ONE_LETTER:
        return _ONE_LETTER[text]
    concluded = _CONCLUDES.fullmatch(text[-_MOST_BEFORE:])
    if concluded and not _OTHERWISE.search(text[-_MOST_BEFORE:][: concluded.start("named")][-12:]):
        return concluded["named"]
    named_in = list(_CLASS.finditer(text))
    if not named_in or {one[0] for one in named_in} != {named_in[0][0]}:
        return None
    before = text[: named_in[0].start()]
    is_clear = len(before) <= _MOST_BEFORE and not _OTHERWISE.search(before)
    return named_in[0][0] if is_clear else None


def classes_of(stated: Mapping[str, Any], keys: Sequence[str]) -> list[str | None]:
    """The class under each of `keys` in an object, or under a key with the same word in it.

    "omnibus_effect_size" may be "omnibus", {"omnibus": {"size": …}} or {"effect_sizes": {"omnibus": …}}.
    """
    return [_class_of(stated, key, len(keys) == 1) for key in keys]


def _class_of(stated: Mapping[str, Any], key: str, is_only: bool) -> str | None:
    if key in stated:
        return class_named(stated[key])
    kind = EFFECT if is_only else key.split("_", maxsplit=1)[0]
    found = {class_named(value) for value in _under(stated, kind, depth=2)}
    return found.pop() if len(found) == 1 else None


def _under(stated: Mapping[str, Any], kind: str, depth: int) -> list[Any]:
    """The values whose key says that they are the class of an effect of `kind`."""
    named = {_spelt(key): value for key, value in stated.items()}
    keys = [key for key in named if not _REMARKS.fullmatch(key) and "confidence" not in key]
    if kind == EFFECT:
        own = [key for key in keys if "effect" in key or key in ("size", "magnitude")]
    else:
        own = [key for key in keys if _LABELS[kind].fullmatch(key)]
    if own or depth == 0:
        return [named[key] for key in own]
    inner = [one for one in named.values() if isinstance(one, dict)]
    return [value for one in inner for value in _under(one, kind, depth - 1)]


def _spelt(key: Any) -> str:
    return " ".join(str(key)[:200].replace("_", " ").casefold().split())


def classes_in(text: str, levels: Levels, kinds: Sequence[str]) -> list[str | None]:
    """The class that a text names for each of `kinds`; None where it names none, or two.

    A class counts beside the word for what it is of ("omnibus: small", "a small overall effect", "both
    are small"), with nothing between them but words like "effect", "is" and "I would say". "Small to
    medium", "not large" and "small if …" are none.
    """
    plain = _NO_MORE.sub("", _marked(text, levels))
    plain = _SETTLED.sub(" ", _UNCLEAR.sub(f" {DOUBT} ", plain))
    if list(kinds) == [EFFECT]:
        named = _named(plain, re.compile(rf"(?P<{EFFECT}>{_SAID[EFFECT]}|{_SAID[OMNIBUS]})"))
        found = named.get(EFFECT, set())
        if not found:
            alone = [one for one in _ALONE.finditer(plain) if not is_of_other(plain, one.start())]
            found = {one["named"] for one in alone}
            found = found if len(list(_CLASS.finditer(plain))) == 1 else set()
        return [_only(found or sizes_near(plain, kinds).get(EFFECT, set()))]
    named = _named(plain, _MARKED)
    if _DOUBTED.search(plain):
        named.setdefault(OMNIBUS, set()).add(DOUBT)
    near = sizes_near(plain, kinds)
    for kind in (OMNIBUS, CONTRAST):
        named[kind] = named.get(kind) or named.get("both") or near.get(kind, set())
    if len(said := [kind for kind in kinds if named[kind]]) == 1 and alike(plain):
        named = dict.fromkeys(kinds, named[said[0]])
    return [_only(named[kind]) for kind in kinds]


def _only(named: set[str]) -> str | None:
    return next(iter(named)) if len(named) == 1 and DOUBT not in named else None


def _marked(text: str, levels: Levels) -> str:
    """`text` in one spelling, with a sign for levels that are compared."""
    plain = canonical_lines(text).replace("_", " ")
    for percents, name in _PERCENTS:
        plain = percents.sub(name, plain)
    plain = _LETTER.sub(lambda found: f"{found['label']}{_ONE_LETTER[found['letter']]}", plain)
    pieces, end = [], 0
    for _, start, stop in levels.found_in(plain):
        pieces.append(plain[end:start])
        pieces.append("\ue011")
        end = stop
    pieces.append(plain[end:])
    return _AGAINST.sub("\ue010", "".join(pieces))


def _named(text: str, labels: re.Pattern[str]) -> dict[str, set[str]]:
    """The classes that stand beside each label."""
    found: dict[str, set[str]] = {}
    marks = list(labels.finditer(text))
    taken: set[int] = set()
    for place, mark in enumerate(marks):
        if denies(text, mark.start()):
            continue
        before = _ADJECTIVE.search(text, max(0, mark.start() - 60), mark.start())
        if before is not None and before.start("named") not in taken:
            taken.add(before.start("named"))
            found.setdefault(str(mark.lastgroup), set()).add(before["named"])
            continue
        others = (one.start() for one in marks[place + 1 :] if one.lastgroup != mark.lastgroup)
        stop = next(others, len(text))
        behind = _LINKED.match(text, mark.end())
        if behind is None or behind.end() > stop:
            continue
        if behind["doubt"]:
            found.setdefault(str(mark.lastgroup), set()).add(DOUBT)
            continue
        taken.add(behind.start("named"))
        found.setdefault(str(mark.lastgroup), set()).add(behind["named"])
    return found
