"""Reading "agree" or "disagree" out of a model's reply."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from otherminds.metrics.debate import brief, title_words, tongues
from otherminds.metrics.debate.attitudes import demands
from otherminds.metrics.debate.lexicon import expanded, tokens
from otherminds.metrics.debate.objects import masked
from otherminds.metrics.debate.polarity import Claim, claims, verdict
from otherminds.metrics.reply import Reply, objects_in, read_reply, without_reasoning

# What `read_reply` leaves of "[[ ## prediction ## ]]", with or without Markdown and closing.
_MARKER = re.compile(
    r"\[\s?\[?\s?(?P<name>background|known beliefs|proposition|reasoning|prediction|completed)\b"
    r"(?:\s?\]){0,2}\s?:?|^\W{0,4}(?P<heading>prediction)[\"']?\s?(?::|$)|\[\s?\["
    r"|</?(?P<tag>prediction|reasoning|stance|verdict|response|final_answer)>",
    re.IGNORECASE | re.MULTILINE,
)
_HOLDS = {"prediction", "stance", "verdict", "response", "final_answer"}

_KEYS = frozenset(
    [
        "prediction",
        "answer",
        "final_answer",
        "stance",
        "verdict",
        "response",
        "result",
        "choice",
        "label",
        "position",
        "conclusion",
        "decision",
        "output",
        "agreement",
        "final",
        "opinion",
        "vote",
    ]
)
_YES_OR_NO = {"affirmative": "y", "negative": "z"}
_OF_STANCES = "+-oOuvtfPNGHCD"
_SIDES = {"agree": True, "agrees": True, "disagree": False, "disagrees": False}

# What a model says for itself is not what the person says.
_OWN_VOICE = re.compile(
    r"\bas an? (?:\w+ )?(?:ai|language model|assistant|machine)\b|\bi(?:'m| am) (?:just |only )?an ai\b"
    r"|\bas a (?:large )?language model\b|\bspeaking for myself\b"
    r"|\bpersonally, i\b|\bmy own (?:view|opinion)\b",
    re.IGNORECASE,
)
_UP, _DOWN = "\U0001f44d\u2705\u2714", "\U0001f44e\u274c\u2716"
_PICTURES = re.compile(rf"\W*(?:(?P<up>[{_UP}])|(?P<down>[{_DOWN}]))\W*")
_TABLE = re.compile(r"^.*\|.*\|.*$", re.MULTILINE)


def parse_prediction(text: str | None, proposition: str = "") -> bool | None:
    """Whether `text` predicts "agree" (True) or "disagree" (False); None when it does not say.

    proposition  what was asked about: its words in the reply are no answer

    Where the answer is looked for, in this order; the first place that there is decides, even when no
    answer can be read there:

    1. Fields: what follows the marker `[[ ## prediction ## ]]`, up to the next marker. Capitals,
       Markdown, missing signs and a missing closing do not matter; "prediction" on a line of its own,
       "Prediction:" at the start of one and `<prediction>` will do. Several fields must agree, the
       last must not be empty (cut off), and what comes after `[[ ## completed ## ]]` does not
       count: it is a dialogue that the model went on with.
    2. The last JSON object with a key such as "prediction", "answer" or "stance", or with the keys
       "agree" and "disagree".
    3. The statements of the reply (`polarity`), of which the last conclusion counts.
    4. The first and the last sentence in another language (`tongues`).

    A statement is turned round by its negators ("would not agree", "unlikely to agree", "I doubt that
    they agree"), twice is once too few. None for what is left open ("might agree", "agree if …"), for
    questions and restated options, for other people's views, for what the model thinks for itself,
    for statements that contradict each other with no sign that one replaces the other, and where
    anything between the person and the stance is unknown. In a reply of more than 20,000 characters
    only the end is read, and only answers that are marked or stand alone count.

    Never raises on any text; time is linear in its length.
    """
    text = _own_turn(text)
    reply = read_reply(text)
    if reply is None or text is None:
        return None
    plain = masked(reply.text, proposition)
    demand = demands(proposition)
    fields = _prediction_fields(plain)
    if fields:
        return _of_fields(fields, demand=demand)
    objects = list(_of_objects(text, proposition))
    if objects:
        return objects[-1]
    return _of_prose(plain, reply, demand=demand)


def parse_yes_or_no(text: str | None) -> bool | None:
    """Whether `text` says yes (True) or no (False); None when it does not say.

    The words are read as `parse_prediction` reads True and False: alone, at the beginning of a
    sentence, behind "Answer:" or "I would say", in the last JSON object, in other languages. What the
    text says of agreeing is no answer. Never raises on any text; time is linear in its length.
    """
    text = _own_turn(text)
    reply = read_reply(text)
    if reply is None or text is None:
        return None
    objects = list(_of_objects(text, "", yes_or_no=True))
    if objects:
        return objects[-1]
    found = _claims(reply.text, words=True, cut=reply.cut, yes_or_no=True)
    if found or reply.cut:
        return verdict([claim for claim in found if claim.marked])
    said = brief.surely(reply.text)
    if said is None:
        said = tongues.yes_or_no(reply.text)
    return said if said is not None else title_words.verdict(reply.text)


_NEXT_TURN = re.compile(
    r"(?:<\|(?:eot_id|im_end|endoftext)\|>|<end_of_turn>|</s>)\s*"
    r"(?:<\|(?:start_header_id|im_start)\|>|<start_of_turn>|<s>)?\s*(?:user|human)\b",
    re.IGNORECASE,
)


def _own_turn(text: str | None) -> str | None:
    """A reply without the dialogue that the model went on with."""
    found = _NEXT_TURN.search(text) if text else None
    return text if found is None or text is None else text[: found.start()]


def _prediction_fields(text: str) -> list[str]:
    """The contents of the prediction fields that come before the end of the model's turn."""
    markers = list(_MARKER.finditer(text))
    ends = [*(marker.start() for marker in markers), len(text)][1:]
    found: list[str] = []
    for marker, end in zip(markers, ends, strict=True):
        tag = "" if marker[0].startswith("</") else marker["tag"]
        name = (marker["name"] or marker["heading"] or tag or "").lower()
        if name == "completed" and found:
            break
        if name in _HOLDS:
            found.append(text[marker.end() : end].strip())
    return found


def _of_fields(fields: list[str], *, demand: bool) -> bool | None:
    if not fields[-1].strip():
        return None
    # A field in which nothing is said is a mention of the marker in the reasoning.
    said = [(field, _of_field(field, demand=demand)) for field in fields]
    if said[-1][1] is None:
        return None
    return _sole(value for field, value in said if value is not None or _is_short(field))


def _of_field(field: str, *, demand: bool = False) -> bool | None:
    said = brief.stance(field)
    if said is not None:
        return said
    found = _claims(field, words=True, demand=demand)
    if not found:
        return _picture(field) if _picture(field) is not None else tongues.stance(field)
    return verdict(found)


def _is_short(field: str) -> bool:
    return any(claim.value is None for claim in _claims(field, words=True))


def _of_objects(text: str, proposition: str, *, yes_or_no: bool = False) -> Iterator[bool | None]:
    """What each JSON object says of the stance; nothing for one that has no such key."""
    visible = without_reasoning(text) or ""
    if "{" not in visible:
        return
    for one in objects_in(visible[-20_000:]):
        if one is None:
            continue
        said = [*(_of_verdict(one) if yes_or_no else _of_keys(one, proposition))]
        if said:
            yield _sole(said)


def _of_keys(found: dict[str, Any], proposition: str) -> Iterator[bool | None]:
    for key, value in found.items():
        name = _key(key)
        if name in _SIDES:
            yield (value is _SIDES[name]) if isinstance(value, bool) else None
        elif name in _KEYS and isinstance(value, bool):
            yield value
        elif name in _KEYS and isinstance(value, str):
            read = read_reply(value)
            yield None if read is None else _of_field(masked(read.text, proposition))
    if not any(_key(key) in _KEYS or _key(key) in _SIDES for key in found):
        yield from _lone(found, _PLAIN_STANCES)


def _of_verdict(found: dict[str, Any]) -> Iterator[bool | None]:
    for key, value in found.items():
        if str(key).strip().lower() in _KEYS and isinstance(value, bool):
            yield value
        elif str(key).strip().lower() in _KEYS and isinstance(value, str):
            yield parse_yes_or_no(value)
    if not any(_key(key) in _KEYS for key in found):
        yield from _lone(found, _PLAIN_WORDS)


_PLAIN_STANCES = {"agree": True, "agrees": True, "disagree": False, "disagrees": False}
_PLAIN_WORDS = {"yes": True, "no": False}


def _key(key: object) -> str:
    return str(key).strip().lower().replace(" ", "_")


def _lone(found: dict[str, Any], words: dict[str, bool]) -> Iterator[bool]:
    """The one value that is an answer, whatever its key is called."""
    said = [
        value if isinstance(value, bool) else words[str(value).strip(" .").lower()]
        for value in found.values()
        if isinstance(value, bool) or str(value).strip(" .").lower() in words
    ]
    if len(said) == 1:
        yield said[0]


def _of_prose(text: str, reply: Reply, *, demand: bool) -> bool | None:
    found = _claims(_MARKER.sub("\n", text), words=False, cut=reply.cut, demand=demand)
    if _OWN_VOICE.search(text):
        found = [claim for claim in found if not claim.own]
    if reply.cut:
        found = [claim for claim in found if claim.marked]
    if found:
        return verdict(found)
    picture = _picture(text)
    if picture is not None or reply.cut:
        return picture
    opening = _opening(text, demand=demand)
    return opening if opening is not None else tongues.stance(text)


_FIRST = re.compile(r"[^.!?\n]*[.!?\n]?")


_OF_IT = re.compile(r"\b(?:it|this|that|for|against)\b", re.IGNORECASE)


def _opening(text: str, *, demand: bool) -> bool | None:
    """What a reply says at once, before it goes on in other words: "No way. She …"."""
    first = _FIRST.match(text)
    opening = first[0] if first else ""
    if _OF_IT.search(opening) and not demand:
        return None
    if opening.rstrip() != text.rstrip() and brief.polite(opening):
        return None
    return brief.stance(opening)


def _claims(
    text: str,
    *,
    words: bool,
    cut: bool = False,
    yes_or_no: bool = False,
    demand: bool = False,
) -> list[Claim]:
    cells = _TABLE.sub(lambda row: row[0].replace("|", "\n"), text)
    found = tokens(expanded(cells))
    if yes_or_no:
        found = [
            replace(one, kind=_YES_OR_NO.get(one.text.lower(), "w"))
            if one.kind in _OF_STANCES
            else one
            for one in found
        ]
    return claims(found, words=words, begins=not cut, demand=demand)


def _picture(text: str) -> bool | None:
    found = _PICTURES.fullmatch(text)
    return None if found is None else found["up"] is not None


def _sole(values: Iterable[bool | None]) -> bool | None:
    """The one value that all share; an unclear one (None) spoils them all."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None
