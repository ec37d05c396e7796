"""Reading the dollars that a persona sends out of a model's reply."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from otherminds.metrics.errors import MetricError
from otherminds.metrics.marks import negated
from otherminds.metrics.reply import TAIL, objects_in, read_reply, without_reasoning
from otherminds.metrics.trust_game.amounts import ANY, Amount, Masked, masked
from otherminds.metrics.trust_game.giving import (
    ALONE,
    BEGINS,
    GIVE,
    KEPT,
    TO,
    Said,
    is_in_table,
    said_in,
    said_in_table,
)
from otherminds.metrics.trust_game.giving_abroad import said_abroad

SEND_FORMAT = (
    'the closing sentence "Finally, I will give ___ dollars" (the last one counts), else what the '
    "reply says that the player gives; from 0 to the endowment, in whole dollars unless fractions are "
    "allowed"
)
"""Where a send is read, in words, for tables and documentation."""

# What `read_reply` takes for decoration: a dollar sign is a currency here, and a line a blank.
_DOLLAR = re.compile(r"\\?\$[ \t]?(?=\.?\d)")
_BLANK = re.compile(r"(?<!\w)_{3,}(?!\w)")
# A table of two columns is a list of labels.
_TWO_CELLS = re.compile(r"^\|\s?([^|\n]{1,40}?)\s?\|\s?([^|\n]*?)\s?\|?$", re.MULTILINE)
_BARE_ROW = re.compile(r"^((?!\|)[^|\n]{1,60}(?:\|[^|\n]{1,60}){2,8})$", re.MULTILINE)
_NUMBERED = re.compile(r"^1[.)]\s\S", re.MULTILINE)
_LIST_NUMBER = re.compile(r"^\d{1,2}[.)]\s", re.MULTILINE)

# Anything in between makes this the closing sentence, but only a decision makes it one that names a
# send: "will not give", "might give", "if they are kind, I will give" do not.
_CLOSING = re.compile(
    rf"\bfinally\b(?P<aside>[^.!?]{{0,120}}?)\bI\b(?P<will>(?:(?!\bI\b)[^.!?]){{0,60}}?)\s{GIVE}",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"(?:'ll|'d|\s(?:will|would|shall|am\sgoing\sto|plan\sto|intend\sto|want\sto"
    r"|(?:have\s)?(?:decided?|choose|chosen)\sto))?(?:\s(?:now|therefore|thus|only|just|gladly))?",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"{TO}(?P<amount>{ANY})", re.IGNORECASE)
_OPEN_CLOSING = re.compile(r"\b(?:if|unless|whether|might|may|could)\b", re.IGNORECASE)
_MOST_AMOUNTS = 2
"""More different amounts that are all announced as the decision are a list, as of all possible ones."""
_TAKEN_BACK = re.compile(
    r"(?:^|[.!?\n\u2014-]\s*)(?:oh|hmm|ah|no|but)?,?\s?(?:no,|wait|actually|correction|scratch\sthat"
    r"|on\ssecond\sthought|on\sreflection|let\sme\s(?:reconsider|correct|change|revise|rethink)"
    r"|i(?:'ve)?\schanged?\smy\smind|rather:)",
    re.IGNORECASE,
)

# "7 + 2 = 9" is 9.
_SUM = re.compile(
    r"(?<![\w.,$/*x\u00d7+-])(?:USD\s)?\d{1,4}\s?[+\u2212-]\s?(?:USD\s)?\d{1,4}\s?=\s?"
    r"(?=(?:USD\s)?\d)"
)

# What makes a sentence, or a clause of it, something else than what is given now.
_SUPPOSED = re.compile(
    r"\b(?:if(?!\s(?:(?:i|you)\s(?:have|had|must|am\sforced|need)\b|anything|pressed|forced))|unless"
    r"|suppos(?:e|ing)|imagin(?:e|ing)|assum(?:e|ing)|were\sto|example|instance|e\.g|in\scase|provided"
    r"|as\slong\sas|hypothetically)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:whether|might|may|could|when(?:ever)?|until|before|after|once|should\s(?:i|they)|what\show"
    r"|instead\sof|rather\sthan|tempted|last\s(?:time|round)|previous(?:ly)?|earlier|so\sfar"
    r"|(?:first|second|third|past|other|next|later|future|every|each|both|all)\s(?:rounds?|times?)"
    r"|usually|normally|typically|not|never|neither|nor|cannot|hesitate|reluctant|doubt|unlikely"
    r"|refuse|regret|unsure)\b|n't\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?\n\u3002\uff01\uff1f]")
_CLAUSE = re.compile(
    r"[.,;:!?\n(\u2014\u3002\uff0c]|\b(?:but|so|and|then|therefore)\b", re.IGNORECASE
)
_BACK = re.compile(r"\s?(?:dollars?\s)?back\b", re.IGNORECASE)
_OTHERS_VIEW = re.compile(
    r"\b(?:thinks|says|said|believes|suggests|expects?|wants|insists|tells|told|advises"
    r"|recommends|would\ssay|hopes)\s(?:that\s|me\s(?:that\s)?)?$",
    re.IGNORECASE,
)
_BUT = re.compile(r",?\s(?:but|however|though|except|only)\b", re.IGNORECASE)
_WOULD = re.compile(r"'d\b|\b(?:would|can)\b", re.IGNORECASE)
_OTHERWISE = re.compile(
    rf"[^.!?\n]{{0,80}}?\b(?:otherwise|depending|alternatively)\b|[,\s(\u2014-]{{0,3}}(?:or"
    rf"|maybe|perhaps|possibly)\s(?:\w+\s){{0,2}}{ANY}",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"\b(?:wait|actually|rather|instead|correction|no,|on\sreflection|on\ssecond\sthought|scratch\sthat"
    r"|so|therefore|thus|hence|in\sthe\send|ultimately|finally|overall|in\sconclusion|decided?|final"
    r"|settle|intention|action|decision|conclusion|all\sin\sall|then|in\ssum|in\sshort|better)\b",
    re.IGNORECASE,
)

_SHORT = 60
_FEW_WORDS = re.compile(
    r"(?>(?:\s|[.,;:!\u2026'\"-]|\b(?:ok|okay|so|like|i|guess|think|maybe|probably|prob|perhaps"
    r"|well|hmm|um|about"
    r"|around|somewhere|roughly|approximately|just|only|say|let|me|it|is|would|be|answer|sure|yes|then|lol|please"
    r"|done|fine|again|same|as|before|still|for|this|round|now|ll|d|s|m|a|the|here|goes|and"
    r"|that|feel|go|with|us)\b"
    rf"|{ANY}|[^\w\s.,;:!\u2026'\"-])*)",
    re.IGNORECASE,
)

_GIFT = re.compile(
    r"give|gives|gift|giving|send|sends|sending|transfer|action|decision|amount|answer|dollar"
    r"|dollars|contribution|contribute|offer|investment|invest|choice|final|value|response"
    r"|result|bet|move|donation|payment|output|prediction|forecast|conclusion"
)
_NO_GIFT = re.compile(
    r"previous|earlier|past|prior|last|receive|receives|received|return|returns|returned|back"
    r"|other|others|their|them|they|keep|keeps|kept|remaining|left|expected|expect|expectation"
    r"|endowment|total|min|max|maximum|tripled|earned|earnings|history|thought|thoughts|belief"
    r"|desire|reason|reasons|reasoning|why|explanation|round|rounds|persona|initial|before|if"
    r"|balance|confidence|partner|second"
)
# Of an object that was cut off, the numbers that are whole.
_PAIR = re.compile(
    r"\"(?P<key>\w{1,40})\"\s{0,3}:\s{0,3}(?P<quote>\"?)(?:USD\s)?(?P<value>\d{1,9}(?:\.\d{1,9})?)"
    r"(?P=quote)\s{0,9}[,}]"
)
_KEY_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_LONGEST_VALUE = 2_000


class _Candidate(NamedTuple):
    """A place that says what is given: the sign that it rests on, the words, dollars, and "
    "`Said.weight`."""

    at: int
    start: int
    end: int
    value: float | None
    weight: int


def parse_send(text: str | None, endowment: float, *, whole: bool = False) -> float | None:
    """The dollars that `text` sends, or None when it does not say so clearly.

    1. The closing sentence "Finally, I will give ___ dollars". The last one decides, also when no
       amount can be read in it (an unfilled blank, "give -3 dollars", "3 to 5 dollars", "up to 3
       dollars", 1e3, 50 %, "will not give"); only where it is taken back, and another amount follows,
       what is said then. Decimals, thousands with commas, Markdown, boxes, the dollar sign, numbers in
       words, "nothing", "half of it", "everything", other verbs of giving, and a named recipient do not
       matter. Closing sentences with three amounts or more are a list and no answer.
    2. Where no sentence says "Finally, … I … give", the last place where the reply says what the player
       gives in this round: an amount that begins the reply, is a line, follows a label ("Action: 5") or
       is the value of such a key in JSON; or a sentence that gives it ("I'm going to send 4", "keep 7
       and give the rest"), in other languages too. Of different amounts the last counts where a label
       or words like "so" and "instead" say that it concludes or replaces; else there is none.

    What the rules say ("the first person has $10"), what the other receives or gives back, what was
    given in earlier rounds, what would be if, and what is negated is none. Nor is a number of which
    nothing says that it is given. An amount outside 0..`endowment` is None, never clipped; so is a
    fraction where only `whole` dollars can be sent, never rounded; and everything in reasoning that was
    cut off (`reply.read_reply`). Of a reply of more than 20,000 characters only the end is read. Never
    raises on any text; MetricError unless the endowment is a finite number above 0.
    """
    check_endowment(endowment)
    endowment = float(endowment)
    marked = _BLANK.sub(" \u2026 ", _DOLLAR.sub("USD ", text or ""))
    reply = read_reply(marked)
    if reply is None:
        return None
    plain = _LIST_NUMBER.sub("", reply.text) if _NUMBERED.search(reply.text) else reply.text
    plain = _BARE_ROW.sub(r"| \1 |", plain)
    plain = _TWO_CELLS.sub(r"\1: \2", plain)
    plain = _SUM.sub("", plain)
    plain = re.sub(rf"(?<![\d./])(\d+)\s?/\s?{endowment:g}(?![\d/]|\.\d|\s?of\b)", r"\1", plain)
    found = masked(plain, endowment)
    closings = list(_CLOSING.finditer(found.text))
    if closings:
        amount = _of_closings(found, closings, endowment)
    elif (values := _gifts_in_json(marked)) is not None:
        amount = _of_values(values, endowment)
    else:
        amount = _of_text(found, endowment, is_whole=not reply.cut)
    if amount is None or not 0 <= amount <= endowment or (whole and not amount.is_integer()):
        return None
    return amount


def check_endowment(endowment: float) -> None:
    """Raise MetricError unless `endowment` is a finite number of dollars above 0."""
    if not (math.isfinite(endowment) and endowment > 0):
        raise MetricError(f"Endowment {endowment}: give a finite number of dollars above 0.")


def _of_closings(
    found: Masked, closings: Sequence[re.Match[str]], endowment: float
) -> float | None:
    candidates = _candidates(found, endowment, is_whole=False)
    said = [_of_closing(found, closing, candidates) for closing in closings]
    if len({amount for amount in said if amount is not None}) > _MOST_AMOUNTS:
        return None
    first = re.compile(ANY).search(found.text, closings[-1].end())
    taken_back = _TAKEN_BACK.search(found.text, first.end()) if first else None
    if taken_back and re.compile(ANY).search(found.text, taken_back.end()):
        return _decided(found.text, [one for one in candidates if one.at >= taken_back.end()])
    return said[-1]


def _of_closing(
    found: Masked, closing: re.Match[str], candidates: Sequence[_Candidate]
) -> float | None:
    if _OPEN_CLOSING.search(closing["aside"]):
        return None
    is_denied = negated(found.text, closing.start("will"))
    if is_denied or not _DECISION.fullmatch(closing["will"]):
        end = _sentence_end(found.text, closing.end())
        return _decided(found.text, [one for one in candidates if closing.start() < one.at <= end])
    named = _NAMED.match(found.text, closing.end())
    if named is None or _OTHERWISE.match(found.text, named.end()):
        return None
    # "Everything but 2 dollars" is another amount.
    within = [one for one in candidates if one.at == named.start("amount")]
    return within[0].value if within else found.amounts[named.start("amount")].value


def _gifts_in_json(text: str) -> list[Any] | None:
    """The values of the last JSON object under the keys that name what is given; None without such."""
    visible = without_reasoning(text) or ""
    values = None
    for stated in objects_in(visible[-TAIL:]):
        own = [value for key, value in _flat(stated or {}) if _is_gift(key)]
        values = own or values
    if values is None and visible.count("{") == 1:
        own = [
            _figure(found) for found in _PAIR.finditer(visible[-TAIL:]) if _is_gift(found["key"])
        ]
        values = own or None
    return values


def _figure(found: re.Match[str]) -> float:
    return float(found["value"])


def _flat(stated: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The keys and values of an object and of those right in it."""
    for key, value in stated.items():
        if isinstance(value, dict):
            yield from value.items()
        else:
            yield key, value


def _is_gift(key: str) -> bool:
    words = [word.lower() for word in _KEY_WORD.findall(key)]
    return any(map(_GIFT.fullmatch, words)) and not any(map(_NO_GIFT.fullmatch, words))


def _of_values(values: Sequence[Any], endowment: float) -> float | None:
    amounts = {_of_value(value, endowment) for value in values if not _is_remark(value)}
    return amounts.pop() if len(amounts) == 1 else None


def _is_remark(value: Any) -> bool:
    return isinstance(value, str) and not masked(value[:_LONGEST_VALUE], 1.0).amounts


def _of_value(value: Any, endowment: float) -> float | None:
    if isinstance(value, str):
        text = " ".join(_DOLLAR.sub("USD ", value[:_LONGEST_VALUE]).split())
        return _of_text(masked(text, endowment), endowment, is_whole=True)
    return value if isinstance(value, float) else None


def _of_text(found: Masked, endowment: float, *, is_whole: bool) -> float | None:
    candidates = _candidates(found, endowment, is_whole=is_whole)
    if candidates:
        return _decided(found.text, candidates)
    # An amount, with a few words that say nothing else.
    is_short = is_whole and len(found.text) <= _SHORT and len(found.amounts) == 1
    if is_short and "?" not in found.text and _FEW_WORDS.fullmatch(found.text):
        return _only(found.amounts).value
    return None


def _only(amounts: Mapping[int, Amount]) -> Amount:
    return next(iter(amounts.values()))


def _candidates(found: Masked, endowment: float, *, is_whole: bool) -> list[_Candidate]:
    """All places that say what is given, in order, each sign once."""
    by_sign: dict[int, _Candidate] = {}
    for one in _placed(found, is_whole=is_whole):
        by_sign[one.at] = one
    text = found.text
    nothing = {at for at, amount in found.amounts.items() if amount.kind == "nothing"}
    sentences = itertools.chain(said_in(text), said_abroad(text, nothing))
    outside = (one for one in sentences if not is_in_table(text, one.start))
    held = (one for one in outside if _holds(text, one))
    for said in itertools.chain(held, said_in_table(text)):
        at = said.end if said.is_nothing else said.at
        value = _value(found, said, endowment)
        known = by_sign.get(at)
        if (said.is_nothing or said.is_shared) and value is None:
            continue
        if known is None or said.kept_at is not None or known.weight < said.weight:
            if known is not None and said.kept_at is None:
                value = known.value
            by_sign[at] = _Candidate(at, said.start, said.end, value, said.weight)
    return sorted(by_sign.values(), key=lambda one: one.at)


def _placed(found: Masked, *, is_whole: bool) -> Iterator[_Candidate]:
    """Amounts that begin the reply or are a line."""
    start = BEGINS.match(found.text) if is_whole else None
    if start is not None and not (_WOULD.search(start[0]) and _BUT.match(found.text, start.end())):
        at = start.start("amount")
        if _OTHERWISE.match(found.text, at + 1):
            return
        yield _Candidate(at, 0, start.end(), found.amounts[at].value, 2)
    position = 0
    for line in found.text.split("\n"):
        if len(line) <= _SHORT and (alone := ALONE.fullmatch(line)):
            at = position + alone.start("amount")
            yield _Candidate(at, position, at + 1, found.amounts[at].value, 2)
        position += len(line) + 1


def _value(found: Masked, said: Said, endowment: float) -> float | None:
    if said.is_nothing:
        hoarded = found.amounts.get(said.at)
        # "I keep everything", "I keep my 10 dollars".
        return 0.0 if hoarded is None or hoarded.value == endowment else None
    given = found.amounts[said.at]
    kept_at = said.kept_at
    if kept_at is None and given.kind == "rest":
        kept_at = _kept_before(found.text, said.at)
    kept = None if kept_at is None else found.amounts[kept_at].value
    if given.kind == "rest":
        return None if kept is None else endowment - kept
    if said.is_shared:
        is_whole = None not in (kept, given.value) and (kept or 0) + (given.value or 0) == endowment
        return given.value if is_whole else None
    return None if _OTHERWISE.match(found.text, said.at + 1) else given.value


def _kept_before(text: str, position: int) -> int | None:
    """Where the amount stands that is said to be kept, shortly before `position`."""
    kept = list(KEPT.finditer(text, max(0, position - 120), position))
    return kept[-1].start("kept") if kept else None


def _holds(text: str, said: Said) -> bool:
    """Whether what is said is said of now: no condition, question, denial, and no other round."""
    before = text[max(0, said.start - 200) : said.start]
    sentence = _SENTENCE.split(before)[-1]
    clause = _CLAUSE.split(sentence)[-1]
    if _SUPPOSED.search(sentence) or (not said.is_nothing and _OPEN.search(clause)):
        return False
    end = _sentence_end(text, said.end)
    if text[end : end + 1] in ("?", "\uff1f"):
        return False
    if _OTHERS_VIEW.search(before) and not re.search(r"\bI\s\w+\s(?:that\s)?$", before):
        return False
    if _BACK.match(text, said.end):
        return False
    return not (_WOULD.search(text[said.start : said.end]) and _BUT.match(text, said.end))


def _sentence_end(text: str, position: int) -> int:
    found = _SENTENCE.search(text, position)
    return found.start() if found else len(text)


def _decided(text: str, candidates: Sequence[_Candidate]) -> float | None:
    """The amount that candidates in order agree on, or that the last of them concludes with."""
    said = [one for one in candidates if one.weight] or list(candidates)
    if not said:
        return None
    last = said[-1]
    others = [one for one in said if one.value != last.value]
    if not others:
        return last.value
    if len({one.value for one in said if one.weight == 2}) > _MOST_AMOUNTS:
        return None
    between = text[others[-1].end : last.end]
    return last.value if last.weight == 2 or _REPLACES.search(between) else None
