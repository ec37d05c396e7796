"""What a reply says of a title where it says neither yes nor no: whether there is a claim in it.

"It names two animals and claims nothing" is a no, "it states an opinion" a yes. A sentence that leaves
it open and sentences of both kinds say nothing.
"""

from __future__ import annotations

import re

_CLAIM = (
    r"(?:claims?|statements?|assertions?|opinions?|propositions?|positions?|judge?ments?"
    r"|stances?|theses|thesis"
    r"|demands?|side|sentences?|views?|point\s+of\s+view|argument)"
)
_ADJECTIVES = r"(?:(?!not\b|no\b|or\b)[\w-]+[\s,]+){0,3}"
_ONE = (
    r"(?:one|you|we|people|someone|somebody|anyone|anybody|everyone|an?\s+(?:person|reader|user"
    r"|debater)|readers|users"
    r"|others|they|some(?:\s+people)?)"
)
_AGREE = r"(?:dis)?agree(?:d)?(?:\s+(?:or|and)\s+(?:dis)?agree(?:d)?)?(?:\s+with)?"
_SUBJECT = (
    r"(?:it|this|that|the\s+(?:title|heading|line|phrase|wording|words?|text|sentence)"
    r"|\"[^\"\n]{1,120}\")"
)
_HOLDS = (
    r"(?:is|are|makes?|states?|expresses?|takes?|contains?|puts?\s+forward|asserts?|gives?|has"
    r"|offers?|conveys?|presents?"
    r"|counts?\s+as|reads?\s+as|works?\s+as|amounts?\s+to|includes?|poses?|advances?|qualifies\s+as"
    r"|can\s+be\s+(?:read|taken|seen|understood|treated)\s+as)"
)
_SURE = (
    r"(?:(?!hardly|scarcely|barely|rarely|unlikely|only|possibly)\w+ly\s+|"
    r"already\s+|still\s+|does\s+|itself\s+|at\s+least\s+)?"
)
_YES = re.compile(
    rf"\b{_SUBJECT}\s+{_SURE}(?:qualif(?:y|ies)|counts?(?!\s+as)|works?(?!\s+as)|passes|does"
    rf"|fits\s+the\s+bill)\s*(?:[.,;]|$|because|since)"
    rf"|(?:^|\bis\s+)\W*(?:{_SURE}debatable|open\s+to\s+(?:debate|dispute|disagreement))\b"
    rf"|\bsomething\s+(?:\w+\s+)?to\s+(?:dis)?agree\b"
    rf"|\b{_ONE}\s+(?:can|could|may\s+well)\s+(?:\w+\s+)?(?:take\s+an?\s+(?:side|position|stand"
    rf"|view)|be\s+(?:for|against)|{_AGREE}|hold|reject|contest|dispute)\b"
    rf"|\b{_SUBJECT}\s+{_SURE}{_HOLDS}\s+{_SURE}an?\s+{_ADJECTIVES}{_CLAIM}\b"
    rf"|\bthere\s+is\s+{_SURE}an?\s+{_ADJECTIVES}{_CLAIM}\b|\b{_ONE}\s+(?:can"
    rf"|could)\s+{_SURE}(?:{_AGREE}|take\s+sides?)\b"
    r"|\bcan\s+(?:\w+ly\s+)?be\s+(?:agreed|disagreed)\b|\b(?:yields?|becomes?"
    r"|you\s+have)\s+a\s+claim\b",
    re.IGNORECASE,
)
_NO = re.compile(
    rf"\b(?:does|do|is|would)\s*(?:not|n't)\s+(?:really\s+)?(?:qualify|count|work|pass|fit"
    rf"|debatable|open\s+to\s+(?:debate|dispute))\b"
    r"|\bnot\s+(?:really\s+|at\s+all\s+)?debatable\b|\bfails?(?:\s+(?:to\s+qualify|the\s+test)\b"
    r"|\s*(?:[.,;]|$))"
    rf"|(?:n't|\bnot)\s+(?:think|see|believe)\s+(?:that\s+|how\s+)?{_ONE}\s+(?:can"
    rf"|could)\s+(?:\w+ly\s+)?{_AGREE}"
    rf"|\b(?:nobody|no\s+one|no\s+person)\s+(?:can|could)\s+(?:\w+ly\s+)?{_AGREE}"
    rf"|\b(?:there\s+is\s+)?(?:nothing|no\s+(?:\w+\s+)?(?:claim|statement|assertion|opinion"
    rf"|proposition|position|judge?ment|stance|side|view|verb))\b"
    rf"|\b(?:not|never|hardly|scarcely|barely|isn't|is\s+not|without|rather\s+than"
    rf"|neither)\s+(?:\w+ly\s+|really\s+|even\s+)?(?:an?\s+|any\s+"
    rf"|one\s+)?{_ADJECTIVES}{_CLAIM}\b"
    rf"|\b(?:does|do|is|can)\s*(?:not|n't)\s+(?:\w+ly\s+)?(?:claim|state|assert|say|express|put"
    rf"|take|make|tell|contain|be\s+(?:agreed|disagreed|read))\b"
    rf"|\b(?:cannot|can't|can\s+not|could\s+not|couldn't|impossible\s+to"
    rf"|neither)\s+(?:\w+ly\s+)?(?:{_AGREE}|be\s+(?:agreed|read|said))"
    rf"|\b(?:is|are|just|only|merely|simply|remains)\s+(?:just\s+|only\s+|merely\s+"
    rf"|simply\s+)?an?\s+{_ADJECTIVES}(?:question|topic|noun|name|fragment|label|challenge"
    rf"|invitation|"
    r"subject|event|word|comparison|contest|game|heading)\b"
    r"|\b(?:announces|names|asks)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:if|whether|unless|may(?!\s+well)|might|maybe|perhaps|depends?|could\s+be|would\s+be"
    r"|either|some\s+would|but|although|though"
    r"|however|yet|while|would|such\s+as|for\s+example|should|to\s+agree)\b|\?",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|nobody|no\s+one|hardly|scarcely|cannot|doubt)\b|n't\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;]?")
_ASIDE = re.compile(r"(?<=\w) \([^()\n]{1,100}\)")
_CONCESSION = re.compile(
    r"^\s*(?:although|though|while|even\s+though|despite)\b[^,]{1,120},", re.IGNORECASE
)
_SO = re.compile(
    r"(?:^|[,;\u2014]|\band)\s*(?:so|hence|thus|therefore|which\s+means|as\s+it\s+stands|overall"
    r"|in\s+short)\b,?\s*",
    re.IGNORECASE,
)
_LONGEST = 400
_MOST = 12
"""Sentences of a reply that answers plainly."""


def verdict(text: str) -> bool | None:
    """True where the title has a claim in it, False where it has none; None where that is not plain."""
    sentences = [_CONCESSION.sub(" ", one) for one in _SENTENCE.findall(_ASIDE.sub(" ", text))]
    if len(sentences) > _MOST or text.rstrip()[-1:] not in tuple('.!)"'):
        return None
    said = [value for one in sentences for value in _said(one)]
    concluded = _concluded(sentences[-1]) if sentences else None
    if concluded is not None and (not concluded) not in said:
        return concluded
    return said[0] if len(set(said)) == 1 else None


def _concluded(sentence: str) -> bool | None:
    """What the last part of a sentence says that begins with "so" or the like; None without one."""
    found = list(_SO.finditer(sentence[:_LONGEST]))
    said = _said(sentence[found[-1].end() :]) if found else []
    return said[0] if said else None


def _said(sentence: str) -> list[bool | None]:
    if len(sentence) > _LONGEST:
        return [None]
    denied, claimed = _NO.search(sentence), _YES.search(sentence)
    no, yes = denied is not None, claimed is not None
    # "I don't think that anyone can agree with it" has the words of a yes in it.
    if denied and claimed and denied.start() < claimed.start() < claimed.end() <= denied.end():
        yes = False
    if not no and not yes:
        return []
    if yes and not no and _NEGATED.search(sentence):
        return [None]
    return [None] if _OPEN.search(sentence) or (no and yes) else [yes]
