"""Audits that pipelines share: whether a text is a unit's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from otherminds.construct.pipeline import Check, Draft
from otherminds.dataset_builders.constructed import Content
from otherminds.students.repeats import SENTENCE_WORDS, sentences
from otherminds.students.repeats import words as said_words

GRAMS = 5
MOST_SHARED = 0.10
"""The share of a unit's 5-grams that may stand in any other unit [O]."""


def own_sentences(
    texts: Callable[[Content], Iterable[str]], *, words: int = SENTENCE_WORDS
) -> Check:
    """An audit that no sentence of so many words stands in another unit, at the same stage.

    texts  the parts of a reply that must be its own
    """

    def find(draft: Draft) -> Iterator[str]:
        own = {one for text in texts(draft.content) for one in sentences(text, words)}
        others = (text for content in _of_others(draft) for text in texts(content))
        theirs = {one for text in others for one in sentences(text, words)}
        for one in sorted(own & theirs):
            yield f"the sentence '{one}' stands in another text too: write this unit's own."

    return Check("own_sentences", find, "audit")


def own_words(
    texts: Callable[[Content], Iterable[str]], *, most: float = MOST_SHARED, n: int = GRAMS
) -> Check:
    """An audit that at most a share of a text's n-grams stands in any other unit, at the same stage.

    Of a text with fewer than twenty n-grams nothing is said.
    """

    def find(draft: Draft) -> Iterator[str]:
        own = {one for text in texts(draft.content) for one in _grams(text, n)}
        if len(own) < 20:
            return
        for content in _of_others(draft):
            theirs = {one for text in texts(content) for one in _grams(text, n)}
            share = len(own & theirs) / len(own)
            if share > most:
                example = min(own & theirs)
                yield (
                    f"{share:.0%} of the runs of {n} words stand in one other text ('{example}'), and "
                    f"{most:.0%} may: write it in other words."
                )
                return

    return Check("own_words", find, "audit")


def _of_others(draft: Draft) -> Iterator[Content]:
    """What others wrote in the same form."""
    for other in draft.others:
        for content in other.texts.values():
            if content.keys() == draft.content.keys():
                yield content


@lru_cache(maxsize=100_000)
def _grams(text: str, n: int) -> frozenset[str]:
    found = said_words(text)
    return frozenset(" ".join(found[i : i + n]) for i in range(len(found) - n + 1))
