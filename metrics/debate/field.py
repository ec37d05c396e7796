"""Reading the prediction field: True or False, agree or disagree, yes or no.

The field is the one place where a prompt asks for the answer, so a bare word is enough there. A
sentence is read only when every word before its stance is known to leave the stance as it is: a list of
words that turn a stance round could never be complete, and a reply must never be read as its opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from otherminds.metrics.marks import CLOSING, REASON, retracted

_STANCE = r"(?P<not>dis-?)?agree(?:s|d|ing|ment)?"
_STANCES = re.compile(rf"(?<![\w-]){_STANCE}(?!\w)", re.IGNORECASE)
_BOOLS = re.compile(r"(?<![\w-])(?:true|false)(?!\w)", re.IGNORECASE)
# In running text, "no" and "yes" are words like any others: they answer at an end of a statement only.
# "No direct information is given" answers nothing, wherever it stands.
_UNKNOWN = (
    r"\s+(?:(?:direct|specific|explicit|clear|further|additional|other|relevant|such|known|strong|personal"
    r"|particular|prior|stated|more|demographic|background|religious|political)\s+){0,4}"
    r"(?:information|evidence|indications?|data|details?|clues?|hints?|demographics?|background|beliefs?"
    r"|knowledge|context|mention)\b"
)
_YES_NO = re.compile(rf"^\W*(?:yes|no)(?!\w|{_UNKNOWN})|(?<![\w-])(?:yes|no)\W*$", re.IGNORECASE)

_DEGREE = (
    r"strongly|somewhat|mostly|likely|probably|definitely|most|more|very|generally|certainly|clearly"
    r"|slightly|partly|moderately|highly|completely|fully|absolutely|firmly"
)
# All words that may stand before a stance.
_PLAIN = (
    rf"{_DEGREE}|the|this|that|a|an|my|person|person's|user|user's|individual|individual's|they|he|she"
    r"|i|i'd|they'd|he'd|she'd|they'll|he'll|she'll|would|will|does|do|be|is|are|to|in|with|prediction"
    r"|answer|final|predict|predicts|predicted|expect|conclude|believe|think|say|thus|therefore|so"
    r"|hence|overall|inclined|tend|tends|lean|leans|leaning|toward|towards|bool|boolean|str|python|value|stance"
)
_BEFORE = rf"(?:[\W_]|(?:{_PLAIN})(?![\w']))*?"
_NEGATION = (
    rf"(?:would|will|do|does|did|is|are)(?:n't|\s+(?:(?:{_DEGREE})\s+)*not)\s+(?:be\s+)?(?:in\s+)?"
)
_TRUE, _FALSE = r"true|yes", r"false|no"

_READ = re.compile(
    rf"{_BEFORE}(?<![\w-])(?:(?P<true>{_TRUE})|(?P<false>{_FALSE})|(?P<stance>{_STANCE}))(?![\w-])"
    r"(?P<after>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NEGATED = re.compile(rf"{_BEFORE}{_NEGATION}(?P<stance>{_STANCE})(?P<after>.*)", re.IGNORECASE)
# "Based on what is known, …": what comes before the comma cannot turn round what comes after it.
_LEAD_IN = re.compile(
    r"\W*(?:based\s+on|given|considering|since|because|as|from|in\s+view\s+of)\b[^,]*,",
    re.IGNORECASE,
)

_END = re.compile(
    rf"(?<=[.!?;])(?=\s|$)|\s(?={REASON})|\s[\u2013\u2014-]\s|\s?\(|\n", re.IGNORECASE
)
_PROPOSITION = (
    r"(?:the|this|that)\s+(?:given\s+|above\s+|following\s+)?"
    r"(?:proposition|statement|claim|belief|assertion|idea)|it"
)
_ABOUT = re.compile(rf"\s+(?:with|to)\s+(?:{_PROPOSITION})(?![\w'-])", re.IGNORECASE)
# "The proposition that …" goes on with its content; "the statement that it is a lie" is another one.
_CONTENT = re.compile(
    rf"\s+(?:that\s|[\"'])(?!.*\b(?:{_PROPOSITION}|its|critic\w*|opponent\w*)\b)", re.IGNORECASE
)
_WHOLE = re.compile(rf"(?:\s+(?:with|to)\s+(?:{_PROPOSITION}))?\W*", re.IGNORECASE)

# What may turn round, limit or doubt an answer that it follows.
_TURN = re.compile(
    r"\b(?:not|never|neither|nor|none|nothing|cannot|without|hardly|barely|rarely|seldom|unlikely"
    r"|opposite|contrary|reverse|inverse|negation|denial|against|reject\w*|oppos\w*|den(?:y|ies)|wrong"
    r"|incorrect|untrue|but|however|though|although|while|except|unless|if|whether|either|only|depend\w*"
    r"|provided|assuming|might|may|could|maybe|perhaps|possibly|unsure|uncertain|unclear|less|or|and"
    r"|yes|no|true|false)\b|n't\b|[?/|]",
    re.IGNORECASE,
)
_LIMITS = (
    r"not|or|never|unless|if|only|maybe|perhaps|possibly|might|may|could|depend\w*|provided|assuming"
    r"|unsure|uncertain|unclear"
)
_CONTRASTS = r"and|but|yet|however|though|although"
_FAR_FROM = (
    r"far\s+from|anything\s+but|(?:quite\s+|just\s+)?(?:on\s+)?the\s+(?:opposite|contrary|reverse)"
    r"|(?:in|by|at|under)\s+(?:yes|no)\s|hardly|barely|scarcely|rarely|seldom|nowhere|wrong|incorrect"
    r"|untrue|nonsense|except"
)
_HOW_FAR = rf"\W*(?!not\s+only\b)(?:(?:{_DEGREE}|really|always|necessarily)\s+)*"
_LIMITED = re.compile(rf"{_HOW_FAR}(?:{_LIMITS}|{_FAR_FROM})\b", re.IGNORECASE)
_TURNED = re.compile(rf"{_HOW_FAR}(?:{_LIMITS}|{_FAR_FROM}|{_CONTRASTS})\b", re.IGNORECASE)

# "Would they agree with it" is a question, with its mark or without.
_ASKED = re.compile(
    rf"(?:^\W*(?:(?:so|thus|therefore|hence)\W+)?(?:is|are)|\b(?:would|will|do|does|did))"
    rf"\W+(?:(?:{_DEGREE})\W+)*(?:the|this|that|an?|my|they|he|she|i|it|person|user|individual)\b",
    re.IGNORECASE,
)

# What a later statement claims, and what turns the claim round. Only words between that are known to
# change nothing make it plain that a denial concerns the claim.
_CLAIM = re.compile(
    rf"(?<![\w-])(?:(?P<true>true)|(?P<false>false)"
    rf"|(?P<stance>{_STANCE})(?=(?:\s+(?:with|to)\s+(?:{_PROPOSITION})(?![\w'-]))?\s*(?:[^\w\s-]|-(?!\w)|$)))(?!\w)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    rf"(?:\b(?:not|never|cannot|unlikely)|n't)\s+(?:(?:{_DEGREE}|be|to|in|as|is|that|think|believe"
    rf"|consider|find|hold|see|{_PROPOSITION})\s+)*$",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"\b(?:not|never|cannot|neither|nor|unlikely|hardly|barely|rarely|seldom|doubt\w*|opposite|contrary"
    r"|wrong|less|nobody|fail\w*|refus\w*|lack\w*|far\s+from|anything\s+but|without)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.,;:!?]|\b(?:and|so|thus|therefore|hence|but|because)\b", re.IGNORECASE)
_CORRECTED = re.compile(
    r"\b(?:i\s+mean(?:t)?|oops|my\s+(?:mistake|error|bad)|scrap\s+that|strike\s+that|never\s?mind"
    r"|i(?:'m|\s+am)\s+sorry|i\s+apologi[sz]e|my\s+apologies|i\s+(?:was|am)\s+(?:wrong|mistaken)"
    rf"|(?:should|must|ought\s+to)\s+(?:be|have\s+been|say|read)\W+(?:yes|no|{_STANCE})"
    r"|(?:(?:answer|prediction)\s+(?:is|was)|that\s+was|which\s+(?:is|was))"
    r"\s+(?:wrong|incorrect|mistaken|a\s+mistake|an\s+error)"
    r"|that(?:\s+is|'s)\s+(?:incorrect|a\s+mistake|an\s+error)"
    r"|on\s+(?:second|closer|further)\s+(?:look|reading|reflection|consideration|inspection))\b"
    r"|(?<!\bor)\s+not\W*$|^\W*(?:sorry|apologies)\b|\bsorry[,.;:!]",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSED = re.compile(rf"{_BEFORE}|.*[.!?;:][\"')\]}}>\s]*", re.IGNORECASE | re.DOTALL)
_EXPLAINED = re.compile(r"[\"')\]}>]*\s*[,:.!;]\s*")


def names_answer(text: str) -> bool:
    """Whether `text` holds a word that may be an answer, in any meaning."""
    return any(_may_answer(statement) for statement in _statements(text))


def read_field(text: str) -> bool | None:
    """The answer in the text of a prediction field: True for agree, False for disagree; else None.

    text  as `reply.read_reply` leaves it, from behind the marker to the next one

    The answer is that of the first statement that holds True, False, agree, disagree (also agrees,
    agreement …), or that begins or ends with yes or no; capitals and marks around it do not matter.
    Such a statement may be the word alone, with a reason behind it ("False, as they are religious"), or
    a sentence of plain words up to the stance ("The person would likely agree with the statement").

    None for whatever else stands before the word ("not agree", "unlikely to agree", "hard to say that
    they agree"), for a question, for what limits or doubts the word after it ("agree, but …", "True or
    False", "agree with the opposite", "agree that it is a lie"), for a word that goes on ("False
    positive"), and where a later statement takes the answer back ("I meant …") or holds the other one:
    the other of True and False anywhere, the other of agree and disagree without an object or about
    the proposition, the other of yes and no at its beginning or end. There, "not true" counts as false,
    and so on.

    Exchanging True with False, agree with disagree and yes with no exchanges the results.
    """
    statements = _statements(text)
    places = [place for place, statement in enumerate(statements) if _may_answer(statement)]
    if not places:
        return None
    before, first, rest = (
        "".join(statements[: places[0]]),
        statements[places[0]],
        statements[places[0] + 1 :],
    )
    # A line may be broken, or a remark stand, in the middle of a sentence: "would not ⏎ agree".
    value = _answer(first) if _CLOSED.fullmatch(before) else None
    if value is None or _limited(rest):
        return None
    if retracted("\n".join(rest)) or _CORRECTED.search("\n".join([first, *rest])):
        return None
    return _sole([value, *(claim for one in rest for claim in _claims(one))])


def _statements(text: str) -> list[str]:
    begins = [0, *(found.start() for found in _END.finditer(text) if found.start())]
    ends = [*begins[1:], len(text)]
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _may_answer(statement: str) -> bool:
    return any(one.search(statement.strip()) for one in (_STANCES, _BOOLS, _YES_NO))


def _answer(statement: str, *, may_repeat: bool = True) -> bool | None:
    """The answer of one statement, which `may_repeat` it once: "Yes, they would agree"."""
    found = _READ.match(text) if (text := _main_clause(statement)) is not None else None
    if found is None:
        return None
    value, after = _value(found), found["after"]
    if _ASKED.search(found.string, 0, found.start("after")):
        return None
    about = _ABOUT.match(after) if found["stance"] else None
    if about is not None:
        after = after[about.end() :]
    if not after.strip(CLOSING):
        return value
    explained = _EXPLAINED.match(after)
    if explained is None:
        return value if about is not None and _is_content(after) else None
    explanation = after[explained.end() :]
    if _TURNED.match(explanation):
        return None
    names_stance = _STANCES.search(explanation) is not None
    # "agrees: False" may mean either.
    if found["stance"] and ":" in explained[0] and not names_stance:
        return None if _may_answer(explanation) else value
    if not names_stance and not _BOOLS.search(explanation):
        return _sole([value, *_yes_or_no(explanation)])
    return value if may_repeat and _repeated(explanation) is value else None


def _main_clause(statement: str) -> str | None:
    """The statement without the clause that leads in; None for a question, or where that one answers."""
    lead = _LEAD_IN.match(statement)
    if "?" in statement or (lead and _may_answer(lead[0])):
        return None
    return statement[lead.end() :] if lead else statement


def _repeated(clause: str) -> bool | None:
    """The answer of a clause that repeats one: there, a negation before the stance is plain enough."""
    negated = _NEGATED.fullmatch(clause)
    if negated is None:
        return _answer(clause, may_repeat=False)
    after = negated["after"]
    about = _ABOUT.match(after)
    is_plain = _WHOLE.fullmatch(after) or (about and _is_content(after[about.end() :]))
    return negated["not"] is not None if is_plain else None


def _is_content(after: str) -> bool:
    """Whether what follows "the proposition" is no more than its content.

    "They agree that it is a lie" may be disagreement with what was asked.
    """
    is_content = _CONTENT.match(after) is not None
    return is_content and not _may_answer(after) and not _TURN.search(after)


def _claims(statement: str) -> list[bool | None]:
    """What a later statement may say of the answer; None where it is unclear what it says."""
    if "?" in statement:
        # A question says nothing, yet it may doubt the answer: "Or rather False?"
        return [None] if _CLAIM.search(statement) or _YES_NO.search(statement) else []
    found = [_claim(one) for one in _CLAIM.finditer(statement)]
    return [*found, *_yes_or_no(statement)]


def _claim(found: re.Match[str]) -> bool | None:
    before, value = found.string[: found.start()], _value(found)
    if _DENIED.search(before):
        return not value
    return None if _DOUBTED.search(_CLAUSE.split(before)[-1]) else value


def _yes_or_no(text: str) -> list[bool | None]:
    """The answers yes and no at the beginning and the end of `text`."""
    return ["yes" in found[0].lower() for found in _YES_NO.finditer(text)]


def _limited(rest: list[str]) -> bool:
    """Whether what comes right after the answer limits it: "agree (not really)"."""
    following = next((one for one in rest if one.strip(CLOSING + "(-\u2013\u2014")), "")
    return _LIMITED.match(following) is not None


def _value(found: re.Match[str]) -> bool:
    if found["stance"]:
        return found["not"] is None
    return found["true"] is not None


def _sole(values: Iterable[bool | None]) -> bool | None:
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None
