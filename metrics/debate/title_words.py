"""What a reply says of a title where it says neither yes nor no: whether there is a claim in it.

"It names two animals and claims nothing" is a no, "it states an opinion" a yes. A sentence that leaves
it open and sentences of both kinds say nothing.
"""

from __future__ import annotations

import re

_CLAIM = (
    r"(?:claims?|statements?|assertions?|opinions?|propositions?|positions?|judge?ments?|stances?|theses|thesis"
    r"|demands?|side|sentences?|views?|point\s+of\s+view|argument)"
)
_ADJECTIVES = r"(?:(?!not\b|no\b|or\b)[\w-]+[\s,]+){0,3}"
_ONE = (
    r"(?:one|you|we|people|someone|somebody|anyone|anybody|everyone|an?\s+(?:person|reader|user|debater)|readers|users"
    r"|others|they|some(?:\s+people)?)"
)
_AGREE = r"(?:dis)?agree(?:d)?(?:\s+(?:or|and)\s+(?:dis)?agree(?:d)?)?(?:\s+with)?"
_SUBJECT = (
    r"(?:it|this|that|the\s+(?:title|heading|line|phrase|wording|words?|text|sentence)"
    r"|\"[^\"\n]{1,120}\")"
)
_HOLDS = (
    r"(?:is|are|makes?|states?|expresses?|takes?|contains?|puts?\s+forward|asserts?|gives?|has|offers?|conveys?|presents?"
    r"|counts?\s+as|reads?\s+as|works?\s+as|amounts?\s+to|includes?|poses?|advances?|qualifies\s+as"
    r"|can\s+be\s+(?:read|taken|seen|understood|treated)\s+as)"
)
_SURE = (
    r"(?:(?!hardly|scarcely|barely|rarely|unlikely|only|possibly)\w+ly\s+|"
    r"already\s+|still\s+|does\s+|itself\s+|at\s+least\s+)?"
)
_YES = re.compile(
    rf"\b{_SUBJECT}\s+{_SURE}{_HOLDS}\s+{_SURE}an?\s+{_ADJECTIVES}{_CLAIM}\b"
    rf"|\bthere\s+is\s+{_SURE}an?\s+{_ADJECTIVES}{_CLAIM}\b|\b{_ONE}\s+(?:can|could)\s+{_SURE}(?:{_AGREE}|take\s+sides?)\b"
    r"|\bcan\s+(?:\w+ly\s+)?be\s+(?:agreed|disagreed)\b|\b(?:yields?|becomes?|you\s+have)\s+a\s+claim\b",
    re.IGNORECASE,
)
_NO = re.compile(
    rf"\b(?:there\s+is\s+)?(?:nothing|no\s+(?:\w+\s+)?(?:claim|statement|assertion|opinion|proposition|position|judge?ment|stance|side|view|verb))\b"
    rf"|\b(?:not|never|hardly|scarcely|barely|isn't|is\s+not|without|rather\s+than|neither)\s+(?:\w+ly\s+|really\s+|even\s+)?(?:an?\s+|any\s+|one\s+)?{_ADJECTIVES}{_CLAIM}\b"
    rf"|\b(?:does|do|is|can)\s*(?:not|n't)\s+(?:\w+ly\s+)?(?:claim|state|assert|say|express|put|take|make|tell|contain|be\s+(?:agreed|disagreed|read))\b"
    rf"|\b(?:cannot|can't|can\s+not|could\s+not|couldn't|impossible\s+to|neither)\s+(?:\w+ly\s+)?(?:{_AGREE}|be\s+(?:agreed|read|said))"
    rf"|\b(?:is|are|just|only|merely|simply|remains)\s+(?:just\s+|only\s+|merely\s+|simply\s+)?an?\s+{_ADJECTIVES}(?:question|topic|noun|name|fragment|label|challenge|invitation|"
    r"subject|event|word|comparison|contest|game|heading)\b"
    r"|\b(?:announces|names|asks)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:if|whether|unless|may|might|maybe|perhaps|depends?|could\s+be|would\s+be|either|some\s+would|but|although|though"
    r"|however|yet|while|would|such\s+as|for\s+example|should|to\s+agree)\b|\?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;]?")
_LONGEST = 400
_MOST = 12
"""Sentences of a reply that answers plainly."""


def verdict(text: str) -> bool | None:
    """True where the title has a claim in it, False where it has none; None where that is not plain."""
    sentences = _SENTENCE.findall(text)
    if len(sentences) > _MOST or text.rstrip()[-1:] not in tuple('.!)"'):
        return None
    said = {value for one in sentences for value in _said(one)}
    return said.pop() if len(said) == 1 else None


def _said(sentence: str) -> list[bool | None]:
    if len(sentence) > _LONGEST:
        return [None]
    no, yes = _NO.search(sentence) is not None, _YES.search(sentence) is not None
    if not no and not yes:
        return []
    return [None] if _OPEN.search(sentence) or (no and yes) else [yes]
