"""How the statement of a stance begins: what may stand before it without a bearing on it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from otherminds.metrics.debate.lexicon import Token
from otherminds.metrics.debate.sentences import kinds_of


def begins_anew(body: Sequence[Token], start: int, place: int) -> bool:
    """Whether "she would" begins at `start`, behind words that change nothing: "Given her age"."""
    if body[start].text.lower() in _OBLIQUE or "a" not in kinds_of(body[start:place]):
        return False
    led = re.split("[,;:—b&\n(]", kinds_of(body[:start]))[-1]
    words = {token.text.lower() for token in body[start - len(led) : start]}
    people = {token.text.lower() for token in body[start - len(led) : start] if token.kind == "p"}
    known = not led.strip("wpracdoO") and people <= _OBLIQUE
    subordinate = any(_SUBORDINATING.fullmatch(word) for word in words)
    return known and not led.endswith("r") and not subordinate


_OBLIQUE = frozenset(["him", "her", "them", "i"])
# "What she would agree with", "the claim she would agree", "more than she would agree".
_SUBORDINATING = re.compile(
    r"who|which|whom|whose|what|where|why|how|than|claim|claims|myth|idea|assumption"
    r"|possibility|chance|chances|case|things|something|anything|everything|pretend"
    r"|pretends|imagine|suppose|wonder|wonders|argument|ask|asks|asked|predict|determine"
    r"|decide|evidence|reason|reasons|doubt|false|wrong|wish|wishes|hope|fear|before|until"
    r"|after|once|while|although|though|so|as|lest|statement|proposition|statements|views"
    r"|view|opinion|opinions|belief|beliefs|feared|hopes|hoped|like",
    re.IGNORECASE,
)


def aside(body: Sequence[Token], comma: int) -> int | None:
    """Where the aside begins that the comma at `comma` closes: "they would, I think, agree".

    The place of its first comma, or -1 for the beginning of the sentence; None where what stands
    between them is no aside.
    """
    opening = next((at for at in range(comma - 1, -1, -1) if body[at].kind == ","), -1)
    inner = kinds_of(body[opening + 1 : comma])
    is_aside = bool(inner) and not inner.strip("mac") and (opening >= 0 or inner != "a")
    return opening if is_aside else None


def hanging_before(before: Sequence[Token], *, subject: bool) -> bool:
    """Whether a part before the clause may go on in it: "It is unlikely, given this, that …"."""
    # "Hard to say, but …": what is said behind "but" goes on with nothing.
    latest = max((at for at, token in enumerate(before) if token.kind == "b"), default=-1)
    segment, opening = "", ""
    for token in [*before[latest + 1 :], None]:
        kind = "," if token is None else token.kind
        if token is not None and kind not in ",—(":
            opening = opening if segment else token.text.lower()
            segment += kind
            continue
        if token is None and not segment:
            break
        if segment[-1:] == "S" and opening in _AS_SAID:
            segment = ""
            continue
        if segment[-1:] in ("n", "?", "S") and segment not in ("n", "nw"):
            return True
        if segment[-1:] in ("a", "p", "m") and not subject and segment.strip("cad"):
            return True
        segment = ""
    return False


_AS_SAID = frozenset(["contrary", "as", "despite", "unlike", "whatever"])


def may_be_bare(body: Sequence[Token], start: int, place: int) -> bool:
    """Whether a stance without a subject may stand at `start`, behind a lead-in or a dash."""
    before = body[start - 1].kind
    earlier = kinds_of(body[:start])
    if before == "&":
        return "p" in earlier and "x" not in earlier
    if before == ":":
        return not set(re.split("[,;—b]", earlier[:-1])[-1]) & set("+-?xn")
    return before in "—,bkK#/\n" or "c" in kinds_of(body[start:place])
