"""What is said of a person by way of a group: "Many liberals agree, but he is not one of them"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from otherminds.metrics.debate.lexicon import Token
from otherminds.metrics.debate.sentences import kinds_of

_GROUP = re.compile("x[aw]{0,6}(?P<stance>[-+PN])[oOad]*$")
_PERSON = re.compile('[ca,"]*pa*(?P<not>n?)a*E[ad]*$')
_BETWEEN = re.compile("[,;b&—]+")
_DIFFERS = re.compile(r"\b(?:exception|different|outlier)\b", re.IGNORECASE)
_TURNED = re.compile(r"\bno\b", re.IGNORECASE)
# Of few, and of people whose stance is only possible, nothing follows.
_FIRM = re.compile(r"(?:most|many|other|all|people|conservatives|liberals|some)\b", re.IGNORECASE)


def groups_stance(body: Sequence[Token]) -> bool | None:
    """The stance that a sentence says a group of people has; None for none, or no plain one."""
    kinds = kinds_of(body)
    found = _GROUP.search(kinds)
    if found is None or set(kinds) & set("n?k") or not _FIRM.match(body[found.start()].text):
        return None
    return found["stance"] in "+P"


def of_member(body: Sequence[Token], group: bool | None) -> bool | None:
    """The stance of a person who is said to be in a group or not to be; None where that is not said.

    group  the stance of the group in the sentence before
    """
    kinds = kinds_of(body)
    found = _PERSON.search(kinds)
    if found is None:
        return None
    before = body[: found.start()]
    if before:
        joined = kinds_of(before).rstrip(",;b&—")
        if not _BETWEEN.fullmatch(kinds_of(before)[len(joined) :]):
            return None
        group = groups_stance(before[: len(joined)])
    if group is None:
        return None
    said = body[found.start() + kinds[found.start() :].index("E")].text
    outside = bool(_DIFFERS.search(said)) is not bool(_TURNED.search(said))
    return group is (outside is bool(found["not"]))
