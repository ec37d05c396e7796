"""From a debate's title to a proposition that one can agree or disagree with, or to why there is none.

The paper had a language model judge titles. These rules stand in for it: each is plain, and each
rejection names its rule. They err towards rejecting, since a title that is not a statement makes an
item without an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from otherminds.dataset_builders.debate.text import plain
from otherminds.dataset_builders.debate.title_words import (
    ACRONYMS,
    ANNOUNCEMENTS,
    AUXILIARIES,
    CONTRACTIONS,
    ENGLISH,
    FOREIGN,
    INTERROGATIVES,
    META,
    PERSONAL,
    VERBS,
)

Judge = Callable[[str], str | None]
"""Tells why a title cannot be read as a belief, or None where it can."""

_LEAD = re.compile(rf"^(?:{'|'.join(ANNOUNCEMENTS)})", re.IGNORECASE)
_TAIL = re.compile(
    r"""\s* (?:
        [(\[] \s* (?:pro|con|pt\.?|part|round|rd|re-?do|re-?match|\#)? \s* [ivx\d]* \s* [)\]]
      | [–-]? \s* (?:part|round) \s [ivx\d]+
    ) $""",
    re.IGNORECASE | re.VERBOSE,
)
_META = re.compile(rf"\b(?:{'|'.join(META)})\b", re.IGNORECASE)
_VERSUS = re.compile(r"(?<!\w)(?:vs?\.?|versus)(?!\w)", re.IGNORECASE)
_ROE = re.compile(r"\bv\.? (?:wade|board)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w'’.-]*\w", re.UNICODE)
_FEWEST_WORDS, _FEWEST_LETTERS = 2, 8
_LONGEST_NAME = 4
_LEAST_ASCII = 0.8
_LETTERS_OF_A_NAME = 4

_QUOTES = "\"“”„«»'‘’`*_~ "


def proposition_of(title: str) -> str:
    """The statement in a title, as plain text without what surrounds it. It may be empty.

    Entities, control characters and repeated spaces go; so do quotation marks around the whole,
    phrases that announce a statement ("Resolved:", "This house believes that", "I think that"), marks of
    repetition ("(part 2)", "[Pro]"), and punctuation at the end. A statement in capitals throughout
    is put into lower case but for common acronyms; the first letter is a capital.
    """
    found = plain(title)
    while True:
        shorter = _unquoted(_TAIL.sub("", _LEAD.sub("", found)).rstrip(" .!?;:,…-–—")).strip()
        if shorter == found:
            break
        found = shorter
    found = found[:1].upper() + found[1:]
    if found.isupper() and len(found.split()) > 1:
        found = " ".join(w if w.strip(",.'") in ACRONYMS else w.lower() for w in found.split())
    return found[:1].upper() + found[1:]


def rejection(title: str) -> str | None:
    """Why `title` is not a statement to agree or disagree with, or None where it is one.

    The first rule that applies, in this order:

    empty          nothing is left of the title
    non-English    more than a fifth of its letters are not ASCII, or it has at least two words of
                   other languages and more of them than of English
    meta           it is about debating, the site, or a game ("rap battle", "debate me", "my first
                   debate")
    comparison     "X vs Y"; or "X or Y" as a question or without a verb
    question       it begins with an interrogative, or with an auxiliary, or contains a question
    too short      fewer than two words or eight letters
    personal       it speaks of the debater ("I", "me", "my")
    name           at most four words, all capitalised, and no verb
    fragment       no verb
    """
    statement = proposition_of(title)
    if not any(c.isalnum() for c in statement):
        return "empty"
    words = [word.casefold() for word in _WORD.findall(statement)]
    bare = [word.replace("'", "").replace("’", "") for word in words]
    asks = plain(title).rstrip(_QUOTES).endswith("?")
    verb = _has_verb(words, bare)
    for reason, applies in (
        ("non-English", _is_foreign(statement, words)),
        ("meta", bool(_META.search(plain(title)))),
        ("comparison", _compares(statement, words, verb, asks)),
        ("question", _is_question(statement, words, bare, asks)),
        (
            "too short",
            len(words) < _FEWEST_WORDS or sum(map(str.isalpha, statement)) < _FEWEST_LETTERS,
        ),
        ("personal", not PERSONAL.isdisjoint(bare) and not _roman_one(statement)),
        ("name", not verb and len(words) <= _LONGEST_NAME and _all_capitalised(statement)),
        ("fragment", not verb),
    ):
        if applies:
            return reason
    return None


def names_someone(statement: str, debaters: Iterable[str], unmistakable: frozenset[str]) -> bool:
    """Whether a statement mentions a user by name.

    That is: one of the debate's `debaters`, whose names of fewer than four letters are ignored, or
    one of the names that can be nothing else (see `unmistakable`). Case does not matter.
    """
    words = {word.casefold() for word in _WORD.findall(statement)}
    if not unmistakable.isdisjoint(words):
        return True
    folded = f" {' '.join(_WORD.findall(statement)).casefold()} "
    return any(
        len(name) >= _LETTERS_OF_A_NAME and f" {name.casefold()} " in folded for name in debaters
    )


def unmistakable(names: Iterable[str]) -> frozenset[str]:
    """Those of the user names that are not words: with a letter, and with a digit or underscore inside.

    They are returned without case. Names that are words ("Freedom", "Thinker") occur in titles without
    meaning anyone.
    """
    return frozenset(
        name.casefold()
        for name in names
        if len(name) > _LETTERS_OF_A_NAME
        and any(c.isalpha() for c in name)
        and any(c.isdigit() or c == "_" for c in name)
        and _WORD.fullmatch(name)
    )


def _unquoted(text: str) -> str:
    return text.strip(_QUOTES) if text[:1] in _QUOTES and text[-1:] in _QUOTES else text


def _has_verb(words: list[str], bare: list[str]) -> bool:
    return any(
        w in VERBS or w in AUXILIARIES or w in CONTRACTIONS or b in CONTRACTIONS
        for w, b in zip(words, bare, strict=True)
    )


def _is_foreign(statement: str, words: list[str]) -> bool:
    letters = [c for c in statement if c.isalpha()]
    if sum(c.isascii() for c in letters) < _LEAST_ASCII * len(letters):
        return True
    foreign = sum(word in FOREIGN for word in words)
    return foreign >= 2 and foreign > sum(word in ENGLISH for word in words)


def _compares(statement: str, words: list[str], verb: bool, asks: bool) -> bool:
    if _VERSUS.search(_ROE.sub("", statement)):
        return True
    return "or" in words and (asks or not verb)


def _is_question(statement: str, words: list[str], bare: list[str], asks: bool) -> bool:
    if bare[0] in INTERROGATIVES or words[0] in AUXILIARIES:
        return True
    return "?" in statement or (asks and bare[0] in CONTRACTIONS)


def _roman_one(statement: str) -> bool:
    """Whether the only "I" is a number, as in "World War I"."""
    found = [w for w in _WORD.findall(statement) if w.replace("'", "").casefold() in PERSONAL]
    return found == ["I"] and bool(re.search(r"\b(?:War|Part|Act|Book|Rocky) I\b", statement))


def _all_capitalised(statement: str) -> bool:
    return all(word[:1].isupper() or not word[:1].isalpha() for word in statement.split())


REASONS: Final = (
    "empty",
    "non-English",
    "meta",
    "comparison",
    "question",
    "too short",
    "personal",
    "name",
    "fragment",
)
"""Every reason that `rejection` gives, in the order of its rules."""
