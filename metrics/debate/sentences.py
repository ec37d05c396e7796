"""Sentences as classes of words: their ends, questions, short answers and what takes them back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from otherminds.metrics.debate import brief
from otherminds.metrics.debate.lexicon import Token

_SENTENCE_ENDS = ".¿;\n"
_LONGEST = 300
"""Tokens of a sentence."""
_SHORT = 10
"""Tokens of a sentence that is no more than yes or no."""


def sentences(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The sentences and lines of a text, each with the mark that ends it."""
    sentence: list[Token] = []
    for token in tokens:
        sentence.append(token)
        if token.kind in _SENTENCE_ENDS:
            yield _bounded(sentence)
            sentence = []
    if sentence:
        yield _bounded(sentence)


def _bounded(sentence: list[Token]) -> list[Token]:
    """A sentence that is too long to be one states nothing: reading takes a bounded time for each."""
    if len(sentence) <= _LONGEST:
        return sentence
    return [Token("#", "", sentence[0].start, sentence[-1].end)]


def split(sentence: list[Token]) -> tuple[list[Token], str]:
    """A sentence without the mark that ends it, and the class of that mark."""
    if sentence[-1].kind in _SENTENCE_ENDS:
        return sentence[:-1], sentence[-1].kind
    return sentence, ""


def kinds_of(tokens: Sequence[Token]) -> str:
    """The classes of words as one string."""
    return "".join(token.kind for token in tokens)


def hangs(body: Sequence[Token]) -> bool:
    """Whether a line breaks off in the middle of a statement: "They would not ⏎ agree"."""
    kinds = kinds_of(body).rstrip('"():')
    if kinds[-1:] == "m":
        return bool(kinds.strip("pamcl,"))
    return kinds[-1:] == "n" or (kinds[-1:] in {"a", "p", "?", "S"} and len(kinds) > 1)


def taken_back_at(body: Sequence[Token]) -> int | None:
    """The place of the last words that take back what came before them; None where there are none."""
    kinds = kinds_of(body)
    opening = re.match('["(—#c]*z?[,—]?K', kinds)
    latest = max(kinds.rfind("k"), opening.end() - 1 if opening else -1)
    return None if latest < 0 else latest


def inverted(body: Sequence[Token]) -> bool:
    """Whether a sentence has the order of a question: "Would they agree with it"."""
    kinds = kinds_of(body).lstrip('"(—#c,')
    opening = body[len(body) - len(kinds) :]
    return kinds[:2] == "ap" and opening[0].text.lower() in _AUXILIARIES


_AUXILIARIES = frozenset(["would", "will", "do", "does", "did", "is", "are", "has", "have", "am"])


def short_answer(body: Sequence[Token]) -> bool | None:
    """Whether a sentence is no more than yes (True) or no, hardly, not at all (False)."""
    kinds = kinds_of(body).strip('"()—,')
    if kinds and kinds not in ("y", "z"):
        said = brief.surely(" ".join(token.text for token in body[:_SHORT]))
        if said is not None and len(body) < _SHORT:
            return said
    if kinds in ("y", "z"):
        return kinds == "y"
    if kinds == "nw" and body[-1].text.lower() not in ("it", "ever", "so"):
        return None
    return False if kinds in ("n", "na", "nw") else None


def elliptic(body: Sequence[Token]) -> bool | None:
    """The answer of "She is", "Yes, she does", "No, he would not" to a question."""
    found = re.fullmatch("([yz]?),?pa(n?)", kinds_of(body).strip('"()—,'))
    if found is None or body[-1 - len(found[2])].text.lower() not in _AUXILIARIES:
        return None
    value = not found[2]
    return None if found[1] and (found[1] == "y") is not value else value


def asked_stance(body: Sequence[Token]) -> bool | None:
    """The stance that a question asks about: "Disagree?", "Would they disagree with it?"."""
    kinds = kinds_of(body).strip('"()').rsplit(":", 1)[-1].lstrip("c,k—")
    # "Isn't she likely to agree?" asks about the same as "Is she …".
    kinds = re.sub("^a*n(?=p)", "", kinds).lstrip("c,ak—")
    places = [place for place, kind in enumerate(kinds) if kind in "+-PNuv"]
    if len(places) != 1 or kinds[: places[0]].strip("pa") or kinds[places[0] + 1 :].strip("oa"):
        return None
    return kinds[places[0]] in "+Pu"
