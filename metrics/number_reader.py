"""Reading whole numbers on a scale."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from otherminds.metrics.errors import MetricError
from otherminds.metrics.claims import MANY, PRAISED, TRAILER, Claim, Mention, claims_of
from otherminds.metrics.marks import CLOSING, REASON, SECOND_THOUGHT, Reading
from otherminds.metrics.sentences import LETTERLIKE, Sentence

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

_WORD = rf"(?:{'|'.join(WORDS)})"
_NUMBER = rf"(?:\d+(?:\.0+)?|{_WORD})"
_HEDGE = (
    r"(?:(?:a|an|about|around|approximately|roughly|probably|likely|exactly|option|number)\s+)*"
)
_LEADING = re.compile(
    rf"(?:[-\u2022]\s)?[\s\"'(\[{{:=]*+{_HEDGE}[\"'(\[]*(?P<number>{_NUMBER})(?![\w\u00bd])",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    rf"\s*(?:/|(?:out\s+of|of|from|sur|von|sobre|\u0438\u0437)\b)\s*(?P<top>{_NUMBER})(?!{LETTERLIKE})",
    re.IGNORECASE,
)
# What follows a number and makes it something else than one whole number.
_SPOILING = re.compile(
    rf"[.,/]\d|\s*[%\u00b0\u00b1+\u00bd^*~]|\s*(?:per\s*cent|point|and\s+a\s+half|hundred|thousand)\b"
    rf"|\s*\(?\s*(?:-|\u2013|\u2014|/|,|;|&|\||->|\u2192|(?:to|or|and|through|oder|ou|o|u|bis|\u0438\u043b\u0438)\b|vs\b\.?|versus\b)"
    rf"\s*(?:(?:maybe|perhaps|even|possibly|an?|un|ein\w*|une|um)\s+){{0,2}}{_NUMBER}(?!\w)"
    rf"|\s+{_NUMBER}(?!\w)|{SECOND_THOUGHT}{_NUMBER}(?!\w)"
    r"|\s+(?:or|and)\s+(?:so|more|less|higher|lower|above|below|up|over|under)\b|[-\u2013]\w",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"\s*\([^()\n]{0,60}\)")
_LABEL = re.compile(r"\s*(?:[:=\u2014]|[\u2013-]\s)\s*[^\d\n.]{1,60}\.?$")
_STARTS = re.compile(rf"\s*(?:$|[:,;!\u2014]|[\u2013-]\s|\.\s|\.$|\(|{REASON})", re.IGNORECASE)

# What may follow a number that is an answer; a noun makes it count something else.
_FOLLOWS = re.compile(
    rf"\s*(?:$|[.,;:!?()\]\"'|*=/\u2026\u2014\u2013\u300d-]|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|{REASON}|{TRAILER}"
    r"|->|\u2192|~|\u301c|[^\W\d_a-zA-Z\u00c0-\u024f\u0400-\u04ff]|[\u0964\u2190-\u2bff\U0001f300-\U0001faff]|(?:again|too|sure|only|max|tops|from|to|or|through|bis|oder|\u00e0|ou|o|a|\u0438\u043b\u0438|rating|score|points?|here|overall|maybe|probably|perhaps|at|in|on|for|if|when|then|though|but|and|which|who|would|seems"
    r"|fits|feels|is|as|rather|instead|now|after|despite|with|given|it|sagen|geben|nehmen|w\u00e4hlen|setzen|ansetzen|sch\u00e4tzen|liegen|punkte?n?|weil|da|car|parce"
    r"|puisque|porque|pois|perch\u00e9|\u043f\u043e\u0442\u043e\u043c\u0443|\u0431\u0430\u043b\w*)\b)",
    re.IGNORECASE,
)
_COUNTER = re.compile(
    r"\s?(?:[%\u00b0]|per\s*cent|prozent|[\u56de\u4eba\u5e74\u6708\u65e5\u6b73\u5c81\u679a\u500b\u4e2a\u6b21\u500d\u540d\u4f4d\u9031\u5468\u5bb6\u4ef6\u6761\u3064\u756a\u6642\u65f6\uba85\ub144\uc6d4\uc77c\uc138\ubc88](?!\u6570))"
)
_STANDS_OUT = re.compile(
    rf"\s*(?:$|[.,;:!?)\]\"'*\u2026\u2014\u300d]|\s[\u2013-]\s|\(|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[\u0964\u2190-\u2bff\U0001f300-\U0001faff]|(?:again|here|now|overall|too)\b|{REASON}|{TRAILER})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"[\s)\]\"'*]*(?:(?:[,/&|+\u2013\u2014~-]|->|\u2192|\b(?:and|or|nor|to|through|und|oder|bis|et|ou|\u00e0|y|o|u|e|a|\u0438|\u0438\u043b\u0438|\u0434\u043e|vs\.?|versus)\b"
    r"|\u548c|\u6216|\u5230|\u304b\u3089?|\u3068|\u301c)\s*){1,2}"
    r"(?:(?:but|it|could|might|be|maybe|perhaps|possibly|even|also|about|around|an?|un|ein\w*|une|um)\s+){0,5}[\s(\[\"'*]*",
    re.IGNORECASE,
)
# What comes before a number that counts, names or bounds something.
_OTHER = re.compile(
    r"(?:\b(?:age|aged|question|item|step|part|section|chapter|page|year|years|participant|person|scene|scenario|reason|has|have|had|had|was|were"
    r"|than|least|most|over|under|above|below|minus|negative|between|except|every|each|since|until|by|within|about\s+age|another|first|last"
    r"|other|of\s+the|the\s+other|these|those|only\s+has|no|no\.|nr\.?|raised|with\s+(?:her|his|their))(?:\s+an?)?|[<>\u2264\u2265\u00b1+$\u20ac\u00a3#]"
    r"|\b(?:confidence|certainty|probability|likelihood|previous\w*|earlier|prior|initial\w*|original\w*|baseline|before)\s*[:=]?)\s*$",
    re.IGNORECASE,
)
_MOVES_ON = re.compile(
    r"\b(?:would|'d|will|(?:drop|fall|move|go|shift|slip|rise|climb|sink|slide)e?s)\b(?:(?!rang)[^.,;:?!\n]){0,40}\bfrom\s+(?:an?\s+)?$",
    re.IGNORECASE,
)
_TO_NUMBER = re.compile(r"\s+(?:(?:down|up)\s+)?to\s+(?:an?\s+)?\d")
_SAYS_ONE = re.compile(r"\b(?:say|answer|rate|give|score|it|a|an)\s*$", re.IGNORECASE)
_DEGREE = (
    r"(?:most|more|just|only|probably|likely|clearly|definitely|therefore|thus|indeed|really|still|maybe|perhaps|surely|something|somewhere|like"
    r"|certainly|presumably|rather|actually|again|simply|the|a|an|my|about|around|roughly|approximately|exactly|full|solid|firm|at|as|that|que|dass|che|number|low|high|weak|strong"
    r"|flat|near|nearly|close\s+to|of|eher|wohl|etwa|rund|ungef\u00e4hr|bei|auf|eine?[nrm]?|die|une?|plut\u00f4t|environ|le|la|un|una|unos|alrededor\s+de|uma?|cerca\s+de"
    r"|em|circa|intorno\s+a|su|\u043d\u0430|\u043e\u043a\u043e\u043b\u043e|ongeveer|op)"
)
_CUE = re.compile(
    r"(?:\b(?:(?:say|choose|pick|select|predict|estimate|guess|answer|rate|score|give|assign|put|set|mark|call|place|judge|expect|weigh)s?"
    r"(?:\s+(?:it|this|that|him|her|them|for|this\s+(?:one|reason|person)|reason\s+\w|\w\s+a\s+value|me\s+down|him\s+down|her\s+down|them\s+down|it\s+down"
    r"|(?:\w+\s+){1,3}(?:at|to|a|an|down)))?"
    r"|(?:number|answer|response|reply|reaction|estimate|rating|score|value|level|support|prediction|guess|choice|pick|weight|importance)\b[^.,;:?!\n]{0,60}\b(?:is|would\s+be|at)"
    r"|(?:would|'d|will|(?:drop|fall|move|go|shift|slip|rise|climb|sink|slide)e?s)\b(?:(?!rang)[^.,;:?!\n]){0,40}\bfrom\s+(?:an?\s+)?\d+\s+(?:(?:down|up)\s+)?to"
    r"|(?:keep|rais|lower|bring|tak|carr|put|leav|push|pull|nudg|bump|mov|peg|round)\w*\s+(?:(?:it|them|him|her|this|that|support|(?:their|his|her)\s+\w+)\s+)?(?:(?:up|down|back)\s+)?(?:at|to)"
    r"|leav\w+|vermutlich|wahrscheinlich|disons|probablement|probablemente|provavelmente|probabilmente|\u0432\u0435\u0440\u043e\u044f\u0442\u043d\u043e|\u043d\u0430\u0432\u0435\u0440\u043d\u043e\u0435|think|believe|suspect|sch\u00e4tze|denke|glaube|vermute|antworte\w*|r\u00e9pond\w*|respond\w*|acho|creo|pense|penso|\u0434\u0443\u043c\u0430\u044e|\u0647\u0648|\u0647\u064a"
    r"|(?:go|goes|going|went)(?:\s+(?:with|for))?|(?:say|answer|respond|reply|go)\s+with|settl\w+\s+(?:on|for|at)|arriv\w+\s+at|land\w*\s+(?:on|at)"
    r"|lean\w*\s+(?:to|towards?)|stick\w*\s+(?:with|to)|end\w*\s+up\s+(?:with|at|on)|stay\w*\s+(?:at|with|on)|com\w+\s+(?:out\s+)?(?:to|at|down\s+to|in\s+at)"
    r"|(?:drop|fall|mov|ris|slip|slid|go|shift|sink|climb)\w*\s+(?:down\s+|up\s+)?to|makes?\s+(?:it|that|this|him|her|them)|circle|tick|write|report|deserves|gets|sits?\s+at"
    r"|stand\w*\s+(?:at|on)|(?:am|is|are|be|'m|'s|'re)\s+at|(?:value|score|rating|weight|importance|level|support|answer|number|estimate|prediction)\s+(?:of|is|at|would\s+be|as)"
    r"|(?:it|this|that|view|reason\s+\w+|above)\s+(?:is|would\s+be|must\s+be|should\s+be)|it's|its|that's|so|therefore|thus|hence|probably|likely|hier"
    r"|sage|sagen|w\u00fcrde|w\u00e4hle|gebe|tippe|also|daher|dirais|mets|mettrais|donne|donnerais|choisis|donc|c'est|serait|dir\u00eda|dar\u00eda|doy|pongo|elijo|ser\u00eda"
    r"|diria|daria|dou|escolho|seria|direi|direbbe|darei|scelgo|sarebbe|quindi|logo|portanto|\u043f\u043e\u0441\u0442\u0430\u0432\u0438\u043b\w*|\u0441\u043a\u0430\u0437\u0430\u043b\w*|\u0432\u044b\u0431\u0438\u0440\u0430\u044e|\u044d\u0442\u043e|\u0431\u0443\u0434\u0435\u0442|\u0434\u0430\u043b\w*)"
    r"|[\u9009\u9078\u62e9\u64c7\u662f\u4e3a\u7ed9\u6253]|=>|=)"
    rf"\s*[:,]?\s*(?:{_DEGREE}\s+){{0,4}}[\s(\[\"'*\u300c]*$",
    re.IGNORECASE,
)
# 5にします, 3です, 4を選び, 7이다
_CUE_AFTER = re.compile(
    r"[\"'\u300d\s]*(?:\u306b\u3057|\u3068\u3057|\u3067\u3059|\u3060\u3068|\u3092\u9078|\u3068\u8003\u3048|\u3067\u3057\u3087\u3046|\u70b9\u3067|\u70b9\u3068|\uc785\ub2c8\ub2e4|\uc774\ub2e4|\uc744?\s*\uc120\ud0dd|\uc810)"
)
# Without a verb of choice a number has to be set off: ": 5", ", 5", "a 5".
_SET_OFF = re.compile(
    r"(?:^|^then|\b(?:a|an)\s+[a-z]{1,12}|,\s*(?:(?:down|up|back)\s+)?to|[\u0600-\u06ff\u0900-\u0dff\u0e00-\u0eff]|[,:=(~\u2248\u2014\u2192\u300c*]|\s-|\b(?:a|an|the\s+full|full|ein\w?|eine\w?|une?|una?|um|uma|bei|auf|mit|est|ist|\u00e8|\u00e9|es))"
    rf"\s*(?:{_DEGREE}\s+){{0,3}}[\s\"'(\[*]*$",
    re.IGNORECASE,
)
_MENTIONED = re.compile(
    rf"(?<!{LETTERLIKE})(?<!\d[.,])(?<![.'\u2212])(?<!(?<!\w)-)(?P<number>\d+(?:[.,]\d+)?|{_WORD})(?!{LETTERLIKE}|'\w|[\u00bd\u00b2\u00b3])",
    re.IGNORECASE,
)
_OTHER_SCALE = re.compile(
    rf"\s*(?:/|(?:out\s+of|of|from|sur|von|auf|de|su|sobre|\u0438\u0437)\b)\s*(?:a\s+(?:possible\s+)?)?(?P<top>\d+|{_WORD})(?!{LETTERLIKE})",
    re.IGNORECASE,
)


_LIST_NUMBER = re.compile(r"^\s*1[.)]\s+\S", re.MULTILINE)
_BEFORE_LABEL = re.compile(r"[\s\"'(\[:=\u2014\u2013-]*")


class NumberReader:
    """Reads numbers on the scale `low`..`high`, and the texts of its ends where they are given.

    Raises MetricError unless 0 ≤ low < high.
    """

    def __init__(self, low: int, high: int, labels: tuple[str, str] | None = None) -> None:
        if not 0 <= low < high:
            raise MetricError(f"Scale {low} to {high}: give 0 ≤ low < high.")
        self._low, self._high = low, high
        top = rf"(?:{high}|{WORDS[high - 1]})" if high <= len(WORDS) else str(high)
        bottom = rf"(?:{low}|{WORDS[low - 1]})" if 1 <= low <= len(WORDS) else str(low)
        note = r"(?:\s*\([^()\n]{0,40}\))?"
        span = rf"{bottom}{note}\s*(?:-|\u2013|\u2014|to|through)\s*{top}(?!\w){note}"
        kind = r"(?:\w{1,20}\s+)?"
        self._scale = re.compile(
            rf"(?:(?:on|from|using)\s+)?(?:(?:a|the|this)\s+)?{kind}scale\s*(?:of|from|is|:)?\s*"
            rf"\(?(?:from\s+)?{span}\)?|\b{span}\s+{kind}scale\b|\({span}\)|\b{high}-point(?!\w)",
            re.IGNORECASE,
        )
        # "1 means that it plays no role, and 5 that it decides": both ends are explained.
        meaning = r"\s*(?:means|stands?\s+for|=|for|is|being|as|meaning|represents|bedeutet|signifie|significa)\b"
        self._ends = re.compile(rf"(?<!\w)(?:{bottom}|{top}){meaning}", re.IGNORECASE)
        self._labels = _label_pattern(labels)

    def leading(self, text: str, *, marked: bool) -> Reading[int] | None:
        """The number with which `text` begins, with what belongs to it ("/10", a label).

        An unmarked one must be followed by punctuation or a reason, and not be a list number.
        """
        found = _LEADING.match(text)
        if found is None:
            return self._leading_label(text) if marked else None
        if not marked and (_is_listed(text) or not self._starts_reply(text, found.end())):
            return None
        end = found.end()
        out_of = _OUT_OF.match(text, end)
        if out_of is not None:
            if _number(out_of["top"]) != self._high:
                return Reading(None, end)
            end = out_of.end()
        if _SPOILING.match(text, end):
            return Reading(None, end)
        value = self._on_scale(found["number"])
        label = self._leading_label(text[end:])
        if label is not None and label.value != value:
            return Reading(None, end)
        for belonging in (_PARENTHESIS, _LABEL):
            extra = belonging.match(text, end)
            if extra is not None:
                end = extra.end()
        return Reading(value, end)

    def claims(self, sentence: Sentence) -> Iterator[Claim[int]]:
        """The number that a sentence asserts, or else the end of the scale that it names."""
        text = self._without_scale(sentence.text)
        stripped = replace(sentence, text=text)
        numbers = list(self._mentions(text))
        yield from claims_of(stripped, numbers, _BETWEEN)
        if not any(one.alone or one.cued for one in numbers):
            yield from claims_of(stripped, list(self._named(text)), _BETWEEN)

    def highlighted(self, text: str) -> int | None:
        """The number that a text in bold is, and nothing else."""
        found = self.leading(text, marked=True)
        if found is None or text[found.end :].strip(CLOSING):
            return None
        return found.value

    def _without_scale(self, text: str) -> str:
        """`text` without what it says of the scale itself; positions stay."""
        text = self._scale.sub(_blank, text)
        ends = list(self._ends.finditer(text))
        if len({_number(re.split(r"[\s=]", one[0].lower())[0]) for one in ends}) == 2:
            text = self._ends.sub(_blank, text)
            if self._labels is not None:
                text = self._labels.sub(_blank, text)
        return text

    def _mentions(self, text: str) -> Iterator[Mention[int]]:
        if len(list(islice(_MENTIONED.finditer(text), MANY))) == MANY:
            return
        end = 0
        for found in _MENTIONED.finditer(text):
            mention = self._mention(text, found) if found.start() >= end else None
            if mention is not None:
                end = mention.end
                yield mention

    def _mention(self, text: str, found: re.Match[str]) -> Mention[int] | None:
        number, (start, end) = found["number"], found.span("number")
        before = text[max(0, start - 90) : start]
        cued = _CUE.search(before) is not None
        whole = re.fullmatch(_NUMBER, number, re.IGNORECASE) is not None
        value = self._on_scale(number) if whole else None
        scale = _OTHER_SCALE.match(text, end)
        if scale is not None:
            end = scale.end()
            if _number(scale["top"]) != self._high:
                value = None
        if (
            _COUNTER.match(text, end)
            or not (_FOLLOWS.match(text, end) or PRAISED.match(text, end))
            or _OTHER.search(before)
        ):
            return None
        if number.lower() == "one" and not _SAYS_ONE.search(before):
            if before.strip() or text[end:].strip(CLOSING):
                return None
        label = self._leading_label(text[end : end + 90])
        if label is not None and label.value != value:
            value = None
        after = _CUE_AFTER.match(text, end) is not None or PRAISED.match(text, end) is not None
        set_off = cued or after or _SET_OFF.search(before) is not None
        alone = set_off and _STANDS_OUT.match(text, end) is not None
        return Mention(start, end, value, alone, cued or after)

    def _named(self, text: str) -> Iterator[Mention[int]]:
        """Ends of the scale that are named by their labels."""
        if self._labels is None:
            return
        for found in self._labels.finditer(text):
            value = self._low if found.lastgroup == "low" else self._high
            yield Mention(found.start(), found.end(), value, True, False, True)

    def _leading_label(self, text: str) -> Reading[int] | None:
        if self._labels is None:
            return None
        begun = _BEFORE_LABEL.match(text)
        found = self._labels.match(text, begun.end() if begun else 0)
        if found is None:
            return None
        return Reading(self._low if found.lastgroup == "low" else self._high, found.end())

    def _starts_reply(self, text: str, end: int) -> bool:
        out_of = _OUT_OF.match(text, end)
        return _STARTS.match(text, out_of.end() if out_of else end) is not None

    def _on_scale(self, text: str) -> int | None:
        value = _number(text)
        return value if value is not None and self._low <= value <= self._high else None


def _number(text: str) -> int | None:
    """The value of a number as matched by _NUMBER; None for more digits than any scale has."""
    word = text.lower()
    if word in WORDS:
        return WORDS.index(word) + 1
    digits = word.partition(".")[0]
    return int(digits) if len(digits) <= 6 else None


def _label_pattern(labels: tuple[str, str] | None) -> re.Pattern[str] | None:
    """The two labels of a scale, the last word also as "opposed" or "opposes"."""
    if labels is None or not all(label.strip() for label in labels):
        return None
    low, high = (_inflected(label.split()) for label in labels)
    return re.compile(rf"(?<!\w)(?:(?P<low>{low})|(?P<high>{high}))(?!\w)", re.IGNORECASE)


def _inflected(words: list[str]) -> str:
    last = re.escape(words[-1].removesuffix("e"))
    first = [
        r"(?:not|\w{1,8}n't)" if word.lower() == "not" else re.escape(word) for word in words[:-1]
    ]
    return r"\s+".join([*first, rf"{last}(?:e|es|ed|s|ing)?"])


def _is_listed(text: str) -> bool:
    """Whether a text begins with the first number of a list; an answer of 1 may look the same."""
    return _LIST_NUMBER.match(text) is not None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
