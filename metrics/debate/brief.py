"""Answers that are nothing but a word of a stance, with who takes it and how surely: "Probably not".

In a field that asks for an answer any plain word will do, as nothing else can be meant. The two sides
have the same words. What is only possible ("maybe") says nothing.
"""

from __future__ import annotations

import re

_ADVERB = (
    r"(?:(?:very|most|more|quite|rather|pretty|highly|strongly|firmly|mostly|largely|broadly|somewhat"
    r"|slightly|generally|likely|probably|presumably|definitely|certainly|clearly|surely|almost|simply"
    r"|just|also|fully|completely|totally|absolutely|still|overall|yes|no|so|therefore|thus|i\s+(?:think"
    r"|guess|believe|(?:would|'d)\s+say)|in\s+the\s+end|on\s+(?:the\s+whole|balance)|most\s+likely"
    r"|leans?|leaning|lean(?:ing)?\s+towards?|tends?\s+to|inclined\s+to)\b[\s,:]*)"
)
_WHO = (
    r"(?:(?:(?:the|this|that)\s+(?:person|individual|user|respondent|participant|man|woman|debater)"
    r"|they|he|she|person|user|it|he/she)(?:'d|'ll|'s|'re)?\s+)"
)
_WILL = r"(?:(?:would|will|is|are|does|do|be|to|going\s+to|must|should|comes?\s+(?:down|out))\s+)"
_NOT = r"(?:(?:not|never|hardly|scarcely|n't|by\s+no\s+means|far\s+from)\s+)"
_PRO = (
    r"agree(?:s|d|ment|ing)?|support(?:s|ed|ive|ing)?|accept(?:s|ed|ing|ance)?|endorse[sd]?|endorsement|approve[sd]?"
    r"|approval|affirm(?:s|ed|ative)?|favou?r(?:s|ed|able|s it)?|in\s+favou?r|for|pro|true|correct|right"
    r"|valid|yes|yep|yeah"
    r"|positive|concur(?:s|red)?|on\s+board|convinced|for\s+it|in\s+support|back(?:s|ed)?|embrace[sd]?"
)
_CON = (
    r"disagree(?:s|d|ment|ing)?|oppose[sd]?|opposing|opposition|reject(?:s|ed|ing|ion)?|disapprove[sd]?|disapproval"
    r"|den(?:y|ies|ied|ial)|dispute[sd]?|refuse[sd]?|decline[sd]?|against|con|contra|anti|false|incorrect|wrong|invalid|untrue"
    r"|no|nope|nah|negative|dissent(?:s|ed)?|unconvinced|skeptical|sceptical|unfavou?rable|unsupportive|opposed\s+to|against\s+it"
    r"|object(?:s|ed)?|refute[sd]?|contest(?:s|ed)?|dismiss(?:es|ed)?|contradict(?:s|ed)?|resist(?:s|ed)?"
)
_OBJECT = (
    r"(?:\s+(?:with\s+|to\s+|of\s+|by\s+|about\s+)?(?:it|this|that|(?:the|this|that)\s+(?:proposition"
    r"|statement|claim|idea|proposal|notion|view|motion)|\u241f))?"
)
_SURE = (
    r"(?:[\s,;]*\(?\s*(?:(?:with\s+)?(?:an?\s+)?(?:very\s+|fairly\s+|quite\s+)?(?:low|high|moderate|medium|modest"
    r"|some|good|weak|strong|reasonable)\s+(?:degree\s+of\s+)?(?:confidence|certainty|probability)"
    r"|(?:confidence|probability|p)?\s*[:=~]?\s*(?:about\s+)?[01]?[.]?\d{1,3}\s*%?(?:\s+(?:confidence|confident|sure|likely))?"
    r"|i\s+(?:think|guess|believe)|probably|most\s+likely|likely|mostly|strongly|somewhat|overall)\s*\)?)?"
)
_STANCE = re.compile(
    rf"\W*(?:(?:stance|bool|answer|prediction)\s*[:=]\s*)?{_ADVERB}{{0,2}}{_WHO}?(?:{_WILL}|{_ADVERB}|(?P<not>{_NOT})){{0,4}}"
    rf"(?:(?P<con>{_CON})|(?P<pro>{_PRO}))(?!\w){_OBJECT}{_SURE}\W*",
    re.IGNORECASE,
)
_YES = (
    r"(?:very\s+|most\s+|quite\s+|highly\s+|more\s+than\s+)?(?:likely|probably|probable)(?:\s+(?:so|yes))?"
    r"|(?:oh\W+)?(?:absolutely|certainly|definitely|undoubtedly|indeed|exactly|surely|sure|of\s+course"
    r"|(?:very|pretty)\s+much(?:\s+so)?|without\s+(?:a\s+|any\s+)?(?:doubt|question|hesitation)|no\s+doubt|i\s+(?:think|believe|guess|expect)"
    r"\s+so|in\s+all\s+likelihood|almost\s+certainly|unquestionably|wholeheartedly|by\s+all\s+means|100\s*%)"
    r"(?:\s+(?:so|yes))?"
)
_NO = (
    r"(?:very\s+|most\s+|quite\s+|highly\s+|rather\s+)?(?:unlikely|improbable|doubtful|dubious)|(?:oh\W+)?"
    r"(?:not\s+(?:very\s+|at\s+all\s+)?(?:likely|probable)|(?:absolutely|certainly|definitely|probably"
    r"|surely|of\s+course|most\s+likely|likely|almost\s+certainly|i\s+(?:think|believe|guess|expect)|simply|just)\s+not"
    r"|hardly(?:\s+(?:so|likely))?|scarcely|never|no\s+way|not\s+a\s+chance|no\s+chance|fat\s+chance|not\s+at\s+all|by\s+no\s+means"
    r"|i\s+(?:(?:very\s+much\s+|highly\s+|really\s+)?doubt\s+(?:it|that|so)|do(?:n't|\s+not)\s+(?:think|believe)\s+so|think\s+not)"
    r"|not\s+(?:really|in\s+the\s+least|so|for\s+a\s+(?:second|moment|minute))|next\s+to\s+none|slim|absolutely\s+no)"
)
_SURELY = re.compile(rf"\W*(?:(?P<con>{_NO})|(?P<pro>{_YES}))(?!\w){_SURE}\W*", re.IGNORECASE)
# An assistant opens so whatever it goes on to say: "Certainly! Let me …"
_POLITE = re.compile(
    r"\W*(?:sure|certainly|of course|absolutely|definitely|indeed|exactly)\W*", re.IGNORECASE
)
_LONGEST = 120
"""Characters of an answer that is nothing else."""


def stance(text: str) -> bool | None:
    """True for agree, False for disagree, where `text` is nothing else; None for all other texts."""
    if len(text) > _LONGEST or "?" in text:
        return None
    found = _STANCE.fullmatch(text)
    if found is None:
        return surely(text)
    turned = found["not"] is not None
    return (found["pro"] is not None) is not turned


def surely(text: str) -> bool | None:
    """True for a sure or likely yes, False for such a no ("Hardly", "I doubt it"); None for the rest."""
    found = _SURELY.fullmatch(text) if len(text) <= _LONGEST else None
    return None if found is None else found["pro"] is not None


def polite(text: str) -> bool:
    """Whether `text` may be an assistant's opening rather than an answer."""
    return _POLITE.fullmatch(text) is not None
