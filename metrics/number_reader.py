"""Reading whole numbers on a scale."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from otherminds.metrics.claims import MANY, PRAISED, TRAILER, Claim, Mention, claims_of, speaks
from otherminds.metrics.errors import MetricError
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
    rf"\s*(?:/|(?:out\s+of|of|from|sur|von|sobre|из)\b)\s*(?P<top>{_NUMBER})(?!{LETTERLIKE})",
    re.IGNORECASE,
)
# What follows a number and makes it something else than one whole number.
_SPOILING = re.compile(
    rf"[.,/]\d|\s*[%\u00b0\u00b1+\u00bd^*~]|\s*(?:per\s*cent|point|and\s+a\s+half|hundred"
    rf"|thousand)\b"
    rf"|\s*\(?\s*(?:-|\u2013|\u2014|/|,|;|&|\||->|\u2192|(?:to|or|and|through|oder|ou|o|u|bis"
    rf"|или)\b|vs\b\.?|versus\b)"
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
    rf"\s*(?:$|[.,;:!?()\]\"'|*=/\u2026\u2014\u2013\u300d-]"
    rf"|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|{REASON}|{TRAILER}"
    r"|->|\u2192|~|\u301c|[^\W\d_a-zA-Z\u00c0-\u024f\u0400-\u04ff]"
    r"|[\u0964\u2190-\u2bff\U0001f300-\U0001faff]|(?:again|too|sure|only|max|tops|from|to|or"
    r"|through|bis|oder|à|ou|o|a|или|rating|score|points?|here|overall|maybe|probably|perhaps|at"
    r"|in|on|for|if|when|then|though|but|and|which|who|would|seems|there|down|anyway|regardless"
    r"|either|since|while|whereas|although|until|because|so|unless|not|no|yet"
    r"|fits|feels|is|as|rather|instead|now|after|despite|with|given|it|sagen|geben|nehmen|wählen"
    r"|setzen|ansetzen|vergeben|schätzen|liegen|punkte?n?|weil|da|car|parce"
    r"|puisque|porque|pois|perché|потому|бал\w*)\b)",
    re.IGNORECASE,
)
_COUNTER = re.compile(
    r"\s?(?:[%\u00b0]|per\s*cent|prozent|[回人年月日歳岁枚個个次倍名位週周家件条つ番時时명년월일세번](?!数))"
)
_STANDS_OUT = re.compile(
    rf"\s*(?:$|[.,;:!?)\]\"'*\u2026\u2014\u300d]|\s[\u2013-]\s|\("
    rf"|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[\u0964\u2190-\u2bff\U0001f300-\U0001faff]"
    rf"|(?:again|here|now|overall|too|vergeben|geben|sagen|wählen|nehmen|setzen)\b|{REASON}|{TRAILER})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"[\s)\]\"'*]*(?:(?:[,/&|+\u2013\u2014~-]|->|\u2192|\b(?:and|or|nor|to|through|und|oder|bis"
    r"|et|ou|à|y|o|u|e|a|и|или|до|vs\.?|versus)\b"
    r"|和|或|到|から?|と|\u301c)\s*){1,2}"
    r"(?:(?:but|it|could|might|be|maybe|perhaps|possibly|even|also|about|around|an?|un|ein\w*|une"
    r"|um)\s+){0,5}[\s(\[\"'*]*",
    re.IGNORECASE,
)
# What comes before a number that counts, names or bounds something.
_OTHER = re.compile(
    r"(?:\b(?:age|aged|question|item|step|part|section|chapter|page|year|years|participant|person"
    r"|scene|scenario|reason|has|have|had|had|was|were"
    r"|than|least|most|over|under|above|below|minus|negative|between|except|every|each|since"
    r"|until|by|within|about\s+age|another|first|last"
    r"|other|of\s+the|the\s+other|these|those|only\s+has|no|no\.|nr\.?|raised|with\s+(?:her|his"
    r"|their))(?:\s+an?)?|[<>\u2264\u2265\u00b1+$\u20ac\u00a3#]"
    r"|\b(?:confidence|certainty|probability|likelihood|previous\w*|earlier|prior|initial\w*"
    r"|original\w*|baseline|before)\s*[:=]?)\s*$",
    re.IGNORECASE,
)
_MOVES = (
    r"(?:drop|fall|move|go|shift|slip|rise|climb|sink|slide|decline|increase|decrease|come|change"
    r"|jump|dip|tumble|nudge|bump|push|pull|lift|tick|edge|creep|drag)(?:e?s)?"
)
_MOVES_ON = re.compile(
    rf"\b{_MOVES}\b(?:(?!rang|where)[^.;:?!\n]){{0,40}}\bfrom\s+(?:an?\s+)?$",
    re.IGNORECASE,
)
_TO_NUMBER = re.compile(r"\s+(?:(?:down|up)\s+)?to\s+(?:an?\s+)?\d")
_RANGE_BEGINS = re.compile(r"\bbetween\s+(?:an?\s+)?[\"'(]*$", re.IGNORECASE)
_RANGE_ENDS = re.compile(
    rf"[\"')]*\s+(?:and|or|to)\s+(?:an?\s+)?[\"'(]*(?:\d|{_WORD}\b)", re.IGNORECASE
)
_SAYS_ONE = re.compile(r"\b(?:say|answer|rate|give|score|it|a|an)\s*$", re.IGNORECASE)
_DEGREE = (
    r"(?:most|more|just|only|probably|likely|clearly|definitely|therefore|thus|indeed|really"
    r"|still|maybe|perhaps|surely|something|somewhere|like"
    r"|certainly|presumably|rather|actually|again|simply|the|a|an|my|about|around|roughly"
    r"|approximately|exactly|full|solid|firm|at|as|that|que|dass|che|number|low|high|weak|strong"
    r"|flat|near|nearly|close\s+to|mere|bare|modest|clear|good|safe|middling|eher|wohl|etwa|rund|ungefähr|bei|auf|eine?[nrm]?|die|une?"
    r"|plutôt|environ|le|la|un|una|unos|alrededor\s+de|uma?|cerca\s+de"
    r"|em|circa|intorno\s+a|su|на|около|ongeveer|op)"
)
_CUE = re.compile(
    r"(?:\b(?:(?:say|choose|pick|select|predict|estimate|guess|answer|rated?|score|give|assign|put"
    r"|set|mark|call|place|judge|expect|weigh)s?"
    r"(?:\s+(?:it|this|that|him|her|them|for|this\s+(?:one|reason|person)|reason\s+\w"
    r"|\w\s+a\s+value|me\s+down|him\s+down|her\s+down|them\s+down|it\s+down"
    r"|(?:\w+\s+){1,5}(?:at|to|as|a|an|down)))?"
    r"|(?:number|answer|response|reply|reaction|estimate|rating|score|value|level|support"
    r"|prediction|guess|choice|pick|weight|importance)\b[^.,;:?!\n]{0,60}\b(?:is|would\s+be|at)"
    rf"|{_MOVES}\b(?:(?!rang|where)[^.;:?!\n]){{0,40}}\bfrom\s+(?:an?\s+)?\d+\s+"
    r"(?:(?:down|up)\s+)?to|closer\s+to|nearer(?:\s+to)?"
    r"|(?:keep|rais|lower|bring|tak|carr|put|leav|push|pull|nudg|bump|mov|peg"
    r"|round)\w*\s+(?:(?:it|them|him|her|this|that|support|(?:their|his|her)\s+\w+)\s+)?(?:(?:up"
    r"|down|back)\s+)?(?:at|to)"
    r"|leav\w+(?:\s+(?:me|us|him|her|them|it|that|this)\s+(?:at|with|on))?|vermutlich|wahrscheinlich|disons|probablement|probablemente|provavelmente"
    r"|probabilmente|вероятно|наверное|think|believe|suspect|schätze|denke|glaube|vermute"
    r"|antworte\w*|répond\w*|respond(?:s|o|e|emos)?|acho|creo|pense|penso|думаю|هو|هي"
    r"|(?:go|goes|going|went)(?:\s+(?:with|for))?|(?:say|answer|respond|reply|go)\s+with"
    r"|settl\w+\s+(?:on|for|at)|arriv\w+\s+at|land\w*\s+(?:on|at)"
    r"|(?:chang|switch|revis|updat|correct|amend|adjust|downgrad|upgrad|translat|amount|boil|add|work|convert)\w*"
    r"\s+(?:(?:it|that|this|(?:my|the)\s+\w+|down|up|out)\s+){0,2}(?:to|at)|which\s+(?:means|gives|makes|leaves)|which\s+is"
    r"|sid(?:e|es|ed|ing)\s+with|opt\w*\s+for|vot\w+\s+for|default\w*\s+to|worth|in\s+the\s+(?:region|area|vicinity)\s+of"
    r"|lean\w*\s+(?:to|towards?)|stick\w*\s+(?:with|to)|end\w*\s+up\s+(?:with|at|on)"
    r"|end\w*\s+(?:at|on|with)|stay\w*\s+(?:at|with|on)|j'arrive\s+(?:donc\s+)?à|lleg\w+\s+a|qued\w+\s+(?:con|en)"
    r"|arriv\w+\s+a|cheg\w+\s+a|fic\w+\s+(?:com|em)|komme\s+(?:also\s+|daher\s+)?auf|lande\s+bei|com\w+\s+(?:out\s+)?(?:to|at|down\s+to|in\s+at)"
    r"|(?:drop|fall|mov|ris|slip|slid|go|shift|sink|climb)\w*\s+(?:down\s+|up\s+)?to"
    r"|makes?\s+(?:it|that|this|him|her|them)|(?:circle|tick|write|jot|note|enter|mark|pencil)(?:\s+(?:down|in))?|report|deserves|gets|sits?\s+at"
    r"|stand\w*\s+(?:at|on)|(?:am|is|are|be|'m|'s|'re)\s+at|(?:value|score|rating|weight"
    r"|importance|level|support|answer|number|estimate|prediction)\s+(?:of|is|at|would\s+be|as)"
    r"|(?:it|this|that|view|reason\s+\w+|above)\s+(?:is|would\s+be|must\s+be|should\s+be)|it's"
    r"|its|that's|so|therefore|thus|hence|probably|likely|hier"
    r"|sage|sagen|würde|wähle|gebe|tippe|also|daher|dirais|mets|mettrais|donne|donnerais|choisis"
    r"|donc|c'est|serait|diría|daría|doy|pongo|elijo|sería"
    r"|diria|daria|dou|escolho|seria|direi|direbbe|darei|scelgo|sarebbe|quindi|logo|portanto"
    r"|поставил\w*|сказал\w*|выбираю|это|будет|дал\w*)"
    r"|[选選择擇是为给打]|=>|=)"
    rf"\s*[:,]?\s*(?:{_DEGREE}\s+){{0,4}}[\s(\[\"'*\u300c]*$",
    re.IGNORECASE,
)
# 5にします, 3です, 4を選び, 7이다
_CUE_AFTER = re.compile(
    r"[\"'\u300d\s]*(?:にし|とし|です|だと|を選|と考え|でしょう|点で|点と|입니다|이다|을?\s*선택|점)"
)
# Without a verb of choice a number has to be set off: ": 5", ", 5", "a 5".
_SET_OFF = re.compile(
    r"(?:^|^then|\b(?:a|an)\s+[a-z]{1,12}|,\s*(?:(?:down|up|back)\s+)?to"
    r"|[\u0600-\u06ff\u0900-\u0dff\u0e00-\u0eff]|[,:=(~\u2248\u2014\u2192\u300c*]|\s-|\b(?:a|an"
    r"|the\s+full|full|ein\w?|eine\w?|une?|una?|um|uma|bei|auf|mit|est|ist|è|é|es))"
    rf"\s*(?:{_DEGREE}\s+){{0,3}}[\s\"'(\[*]*$",
    re.IGNORECASE,
)
_MENTIONED = re.compile(
    rf"(?<!{LETTERLIKE})(?<!\d[.,])(?<![.'\u2212])(?<!(?<!\w)-)(?P<number>\d+(?:[.,]\d+)?"
    rf"|{_WORD})(?!{LETTERLIKE}|'\w|[\u00bd\u00b2\u00b3])",
    re.IGNORECASE,
)
_OTHER_SCALE = re.compile(
    rf"\s*(?:/|(?:out\s+of|of|from|sur|von|auf|de|su|sobre"
    rf"|из)\b)\s*(?:a\s+(?:possible\s+)?)?(?P<top>\d+|{_WORD})(?!{LETTERLIKE})",
    re.IGNORECASE,
)


_LIST_NUMBER = re.compile(r"^\s*1[.)]\s+\S", re.MULTILINE)
_BEFORE_LABEL = re.compile(r"[\s\"'(\[:=\u2014\u2013-]*")


_GRADE = (
    r"(?:\s+of\s+(?:the|this)\s+scale|\s+(?:possible\s+|available\s+)?(?:score|value|rating|mark|number"
    r"|answer|level)\b(?:\s+(?:on|of)\s+(?:the|this)\s+scale)?)"
)
_BARE = r"(?=\W*$)"
_EXTREME = re.compile(
    rf"\bthe\s+(?:very\s+|absolute\s+)?(?:(?P<low>(?:bottom|lowest|minimum){_GRADE}|minimum{_BARE})"
    rf"|(?P<high>(?:top|highest|maximum){_GRADE}|maximum{_BARE})"
    r"|(?P<middle>(?:middle|mid-?point|center|centre)(?:\s+(?:one|value|number|score|rating|of\s+(?:the|this)\s+scale))(?!\s+(?:point|way)\b)))",
    re.IGNORECASE,
)
_NEARLY = re.compile(
    r"\b(?:near\w*|towards?|close\s+to|around|almost|above|below|from|between|to|second|next|just|of"
    r"|off|under|half\w*)\s*$",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(r"^\W*(?:so|therefore|thus|hence|overall|in\s+sum)\b", re.IGNORECASE)
_FEW = 5


class NumberReader:
    """Reads numbers on the scale `low`..`high`, and the texts of its ends where they are given.

    Raises MetricError unless 0 ≤ low < high.
    """

    def __init__(self, low: int, high: int, labels: tuple[str, str] | None = None) -> None:
        if not 0 <= low < high:
            raise MetricError(f"Scale {low} to {high}: give 0 ≤ low < high.")
        self._low, self._high = low, high
        self._middle = (low + high) // 2 if (low + high) % 2 == 0 else None
        top = rf"(?:{high}|{WORDS[high - 1]})" if high <= len(WORDS) else str(high)
        bottom = rf"(?:{low}|{WORDS[low - 1]})" if 1 <= low <= len(WORDS) else str(low)
        note = r"(?:\s*\([^()\n]{0,40}\))?"
        span = rf"{bottom}{note}\s*(?:-|\u2013|\u2014|to|through)\s*{top}(?!\w){note}"
        kind = r"(?:\w{1,20}\s+)?"
        self._scale = re.compile(
            rf"(?:(?:on|from|using)\s+)?(?:(?:a|the|this)\s+)?{kind}scale\s*(?:of|from|is|:)?\s*"
            rf"\(?(?:from\s+)?{span}\)?|\b{span}\s+{kind}scale\b|\({span}\)"
            rf"|(?:\bon\s+(?:the|a|this)\s+)?\b{top}-point(?:\s+scale\b|(?!\w))",
            re.IGNORECASE,
        )
        # "1 means that it plays no role, and 5 that it decides": both ends are explained.
        meaning = (
            r"\s*(?:means|stands?\s+for|=|for|is|being|as|meaning|represents"
            r"|bedeutet|signifie|significa)\b"
        )
        self._ends = re.compile(rf"(?<!\w)(?P<end>{bottom}|{top}){meaning}", re.IGNORECASE)
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
                scale = _OTHER_SCALE.match(extra[0].lstrip(" ("))
                if scale is not None and _number(scale["top"]) != self._high:
                    return Reading(None, end)
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

    def inferred(self, text: str, *, cut: bool) -> int | None:
        """None: no number follows from what is said of others."""
        return None

    def _without_scale(self, text: str) -> str:
        """`text` without what it says of the scale itself; positions stay."""
        text = self._scale.sub(_blank, text)
        ends = list(self._ends.finditer(text))
        if len({_number(one["end"]) for one in ends}) == 2:
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
        if _RANGE_BEGINS.search(before) and _RANGE_ENDS.match(text, end):
            return Mention(start, end, None, True, False)
        if _MOVES_ON.search(before) and _TO_NUMBER.match(text, end):
            return None
        if (
            _COUNTER.match(text, end)
            or not (_FOLLOWS.match(text, end) or PRAISED.match(text, end))
            or _OTHER.search(before)
        ):
            return None
        bare = not before.strip() and not text[end:].strip(CLOSING)
        if number.lower() == "one" and not bare and not _SAYS_ONE.search(before):
            return None
        label = self._leading_label(text[end : end + 90])
        if label is not None and label.value != value:
            value = None
        after = _CUE_AFTER.match(text, end) is not None or PRAISED.match(text, end) is not None
        set_off = cued or after or _SET_OFF.search(before) is not None
        alone = set_off and _STANDS_OUT.match(text, end) is not None
        return Mention(start, end, value, alone, cued or after)

    def _named(self, text: str) -> Iterator[Mention[int]]:
        """Ends of the scale that are named by their labels, or as its top or bottom."""
        if speaks(text) or len(text.split()) <= _FEW or _CONCLUDES.search(text):
            for end in _EXTREME.finditer(text):
                if not _NEARLY.search(text[max(0, end.start() - 40) : end.start()]):
                    ends = {"low": self._low, "high": self._high, "middle": self._middle}
                    value = ends[end.lastgroup or ""]
                    yield Mention(end.start(), end.end(), value, True, False, True)
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
    # Patterns take the long s and the dotless i for "s" and "i": "ſix" matches, and is no number.
    return int(digits) if digits.isdecimal() and len(digits) <= 6 else None


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
