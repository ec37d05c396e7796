"""What a stance is taken to: the proposition as replies repeat it, in its own words or in part.

The words of the proposition are masked, so that "agree" within them is no answer. What a person says,
supports or prefers is read as the proposition where all its words are that one's, in its order; a
demand also where its predicate is named ("she backs the ban"), a comparison where one side is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from otherminds.metrics.debate.attitudes import MASK, demands


def masked(text: str, proposition: str) -> str:
    """`text` with one sign for the proposition, also where it is given in few of its own words."""
    about = _about(proposition)
    if about is None:
        return text
    text = _AGREES_THAT.sub(rf"\1 with {MASK}", about.verbatim.sub(f" {MASK} ", text))
    text = _HOLDS_THAT.sub(about.held, _OBJECT.sub(about.object, text))
    text = _WANTS.sub(about.wanted, _BACKS.sub(about.demanded, text))
    return _RANKS.sub(about.preferred, _PREFERS.sub(about.preferred, text))


class _About:
    """A proposition as replies repeat it."""

    def __init__(self, proposition: str) -> None:
        words = re.findall(r"\w+", proposition)
        self.verbatim = re.compile(
            r"[\"'\u201c]?(?<!\w)"
            + r"\W{1,4}".join(map(re.escape, words))
            + r"(?!\w)[.!]?[\"'\u201d]?",
            re.IGNORECASE,
        )
        self._stems, self._negated = _stems(words)
        self._key = _key_of_demand(proposition)
        self._better, self._worse = _compared(proposition)

    def object(self, found: re.Match[str]) -> str:
        """What is agreed with, as the proposition if all its words are that one's, in its order."""
        content = found["content"]
        if self._repeats(content, least=1) or self._names_demand(content):
            return f"{found['stance']} with {MASK}"
        return found[0]

    def held(self, found: re.Match[str]) -> str:
        """What is said or thought, as the proposition if it has most of its words and no others."""
        ranked = _IS_BETTER.fullmatch(found["content"])
        if ranked is not None and self._better and not self._negated:
            named = set(_stems(re.findall(r"\w+", ranked["left"]))[0])
            if named and named <= self._better:
                return f"{found['verb']} that {MASK}"
        if self._repeats(found["content"], least=max(2, (len(self._stems) + 1) // 2)):
            return f"{found['verb']} that {MASK}"
        return found[0]

    def demanded(self, found: re.Match[str]) -> str:
        """What is supported or opposed, as the proposition if that demands it."""
        return f"{found['verb']} {MASK}" if self._names_demand(found["content"]) else found[0]

    def wanted(self, found: re.Match[str]) -> str:
        """What somebody would like or hate to see, as a stance to the proposition if that demands it."""
        if not self._names_demand(found["content"]):
            return found[0]
        return f"{'reject' if found['hates'] else 'endorse'} {MASK}"

    def preferred(self, found: re.Match[str]) -> str:
        """What is preferred, as a stance to the proposition if that compares it with something."""
        named = set(_stems(re.findall(r"\w+", found["content"]))[0])
        better, worse = named & self._better, named & self._worse
        if bool(better) is bool(worse):
            return found[0]
        return f"{'endorse' if better else 'reject'} {MASK}"

    def _repeats(self, content: str, *, least: int) -> bool:
        stems, negated = _stems(re.findall(r"\w+", content))
        left = iter(self._stems)
        return (
            len(stems) >= least
            and negated is self._negated
            and all(any(_same(stem, one) for one in left) for stem in stems)
        )

    def _names_demand(self, content: str) -> bool:
        words = re.findall(r"\w+", content)
        stems, negated = _stems(words)
        named = bool(self._key) and any(_same(stem, self._key) for stem in stems)
        others = [word for word in words if _NEUTRAL.fullmatch(word) is None and _stem(word)]
        known = all(any(_same(_stem(word), one) for one in self._stems) for word in others)
        return named and known and not negated


_STOP = (
    r"(?=[.;:!?,()\n]|\s(?:because|since|given|as|but|despite|even|so|if|unless|when|provided"
    r"|only|while|where|who|which|for\s+(?:him|her|them)|considering|although|though)\b|$)"
)
_OBJECT = re.compile(
    r"(?P<stance>\b(?:dis)?agree(?:s|d|ing|ment)?)\s+(?:with"
    r"|that)\s+(?P<content>[^.;:!?,\n()]{3,160}?)" + _STOP,
    re.IGNORECASE,
)
_AGREES_THAT = re.compile(rf"\b((?:dis)?agree(?:s|d|ing|ment)?)\s+that\s+{MASK}", re.IGNORECASE)
_HOLDS_THAT = re.compile(
    r"\b(?P<verb>(?:say|claim|think|believ|hold|feel|maintain|argu|insist|accept|admit|conced"
    r"|concur|affirm|deny|denie|doubt|disput)"
    r"(?:e|es|s|ing)?)\s+(?:that\s+)?(?P<content>[^.;:!?,\n()]{3,160}?)" + _STOP,
    re.IGNORECASE,
)
_BACKS = re.compile(
    r"\b(?P<verb>(?:support|back|favou?r|endors|welcom|oppos|reject|resist|approve?\s+of"
    r"|disapprove?\s+of|approves\s+of"
    r"|disapproves\s+of)(?:e|es|s|ing)?|in\s+favou?r\s+of|against|opposed\s+to"
    r"|on\s+the\s+side\s+of|vote\s+(?:for|against)|(?:(?<=\bbe\s)|(?<=\bis\s)|(?<=\bare\s)"
    r"|(?<=\ball\s))for|fight)"
    r"\s+(?P<content>[^.;:!?,\n()]{3,100}?)" + _STOP,
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"\b(?:(?P<hates>(?:hate|dread|loathe)s?\s+to\s+see)|(?:like|love|want|wish|glad|happy"
    r"|pleased|delighted)s?\s+to\s+see|gladly\s+see"
    r"|wants?|would\s+have)\s+(?P<content>[^.;:!?,\n()]{3,100}?)" + _STOP,
    re.IGNORECASE,
)
_RANKS = re.compile(
    r"\b(?:takes?|puts?|ranks?|rates?|places?|values?|picks?|has"
    r"|have)\s+(?P<content>[^.;:!?,\n()]{3,60}?)"
    r"\s(?:over|above|before|ahead\s+of|higher\s+than)\s[^.;:!?,\n()]{3,60}?" + _STOP,
    re.IGNORECASE,
)
_PREFERS = re.compile(
    r"\b(?:prefers?|sid(?:e|es|ing)\s+with|picks?|chooses?"
    r"|favou?rs?)\s+(?P<content>[^.;:!?,\n()]{3,60}?)"
    r"(?P<rest>\s(?:to|over|rather\s+than|instead\s+of)\s[^.;:!?,\n()]{3,60}?)?" + _STOP,
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:should|must|ought\s+to|needs?(?:\s+to)?|has\s+to|have\s+to)\s+(?P<rest>[^.]+)", re.I
)
_LIGHT = frozenset(
    [
        "receive",
        "get",
        "be",
        "have",
        "pay",
        "give",
        "given",
        "made",
        "make",
        "become",
        "take",
        "introduce",
        "need",
    ]
)
# Words that may be added to a demand without a change of it.
_NEUTRAL = re.compile(
    r"everyone|everybody|all|such|idea|universal|total|complete|outright|full|blanket"
    r"|strict|new|policy|law|measure|measures|rule|national|kind|sort|making|make|them|it"
    r"|these|those|proposal|notion|call|calls|move|plan|plans|proposed|general|having",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"^(?P<left>.+?)\s+(?:is|are|was|were|tastes?|looks?|sounds?|works?|matters?|makes?|beats?"
    r"|feels?)\s*(?:an?\s+)?(?P<how>\w+)?(?:\s+\w+){0,2}?"
    r"\s+than\s+(?P<right>.+)$",
    re.IGNORECASE,
)
_BETTER = frozenset(
    [
        "better",
        "smarter",
        "nicer",
        "superior",
        "more",
        "healthier",
        "tastier",
        "greater",
        "finer",
        "wiser",
        "cooler",
        "funnier",
    ]
)
_IS_BETTER = re.compile(r"(?P<left>[\w\s'-]{2,50}?)\s+(?:is|are|was|were)\s+better", re.IGNORECASE)
_BEATS = re.compile(r"^(?P<left>.+?)\s+(?:beats?|trumps?)\s+(?P<right>.+)$", re.IGNORECASE)


def _key_of_demand(proposition: str) -> str:
    """The stem of the first word with a meaning in what a proposition demands; "" for none."""
    found = _MODAL.search(proposition) if demands(proposition) else None
    words = [] if found is None else re.findall(r"\w+", found["rest"])
    stems = _stems([word for word in words if word.lower() not in _LIGHT])[0]
    return stems[0] if stems else ""


def _compared(proposition: str) -> tuple[set[str], set[str]]:
    """The stems of what is said to be better and of what it is better than, without those of both."""
    plain = proposition.strip(" .!")
    found = _BEATS.match(plain)
    if found is None:
        found = _COMPARISON.match(plain)
        if found is None or (found["how"] or "").lower() not in _BETTER - {"more"}:
            return set(), set()
    left, right = (set(_stems(re.findall(r"\w+", found[side]))[0]) for side in ("left", "right"))
    return left - right, right - left


def _stem(word: str) -> str:
    return "".join(_stems([word])[0])


def _same(one: str, other: str) -> bool:
    """Whether two stems are of the same word: "ban" and "banned", "dubbed" and "dubbing"."""
    short, long = sorted((one, other), key=len)
    return (
        short == long
        or (len(short) >= 4 and long.startswith(short))
        or (len(short) >= 3 and long == short + short[-1])
    )


_NEGATIVE = frozenset(
    [
        "not",
        "no",
        "never",
        "without",
        "nobody",
        "none",
        "nothing",
        "neither",
        "nor",
        "hardly",
        "cannot",
        "t",
    ]
)
_FUNCTIONAL = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "with",
        "and",
        "or",
        "is",
        "are",
        "was",
        "be",
        "been",
        "being",
        "by",
        "that",
        "this",
        "these",
        "those",
        "it",
        "its",
        "their",
        "his",
        "her",
        "they",
        "should",
        "would",
        "will",
        "can",
        "do",
        "does",
        "did",
        "has",
        "have",
        "as",
        "from",
        "than",
        "more",
        "most",
        "any",
        "got",
        "gotten",
        "become",
        "all",
    ]
)


def _stems(words: list[str]) -> tuple[list[str], bool]:
    """The first letters of the words with a meaning of their own, and whether they are negated."""
    lower = [word.lower() for word in words]
    kept = [
        _BENT.sub("", word)[:5]
        for word in lower
        if word not in _FUNCTIONAL and word not in _NEGATIVE
    ]
    return kept, sum(word in _NEGATIVE for word in lower) % 2 == 1


_BENT = re.compile(r"(?<=\w{3})(?:ings?|ed|es|e|s)$")


@lru_cache(maxsize=256)
def _about(proposition: str) -> _About | None:
    return _About(proposition) if len(re.findall(r"\w+", proposition)) > 1 else None
