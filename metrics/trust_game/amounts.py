"""The amounts of dollars in a text: each becomes one sign, so that sentences around them can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

CLEAR, UNCLEAR = "\ue000", "\ue001"
"""Stand for an amount, and for what has a number but is not one: a range, a share, a sum."""
ANY = f"[{CLEAR}{UNCLEAR}]"

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
)
_ONES += " sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ENGLISH = {
    **{word: number for number, word in enumerate(_ONES.split())},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), 2)},
    "fiver": 5,
    "tenner": 10,
}
_ABROAD: Mapping[str, str] = {
    "de": "null ein/einen zwei drei vier fünf sechs sieben acht neun zehn",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix",
    "es": "cero un/uno dos tres cuatro cinco seis siete ocho nueve diez",
    "pt": "zero um dois três quatro cinco seis sete oito nove dez",
    "it": "zero un/uno due tre quattro cinque sei sette otto nove dieci",
    "nl": "nul een/één twee drie vier vijf zes zeven acht negen tien",
    "ru": "ноль один два три четыре пять шесть семь восемь девять десять",
    "pl": "zero jeden/jednego dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć",
    "tr": "sıfır bir iki üç dört beş altı yedi sekiz dokuz on",
    "sv": "noll en två tre fyra fem sex sju åtta nio tio",
    "zh": "零 一 二/两/兩 三 四 五 六 七 八 九 十",
    "ko": "영 일 이 삼 사 오 육 칠 팔 구 십",
}
"""The numbers from 0 to 10. Many are words of other meanings too: they count with a currency only."""
_WITH_CURRENCY = {
    word: number
    for words in _ABROAD.values()
    for number, forms in enumerate(words.split())
    for word in forms.split("/")
}

# Grouped thousands before plain digits, so that "1,000" is not read as 1.
# Possessive, so that thousands of digits are not read again from each of them.
_DIGITS = r"(?:\d{1,3}(?>(?:,\d{3})+)(?:\.\d++)?|\d++(?:\.\d++)?|\.\d++)"
_TEN = "|".join(_TENS.split())
_ONE = "|".join(sorted(_ONES.split(), key=len, reverse=True))
_WORD = (
    rf"(?:(?:a|one)\shundred|(?:{_TEN})(?>(?:[\s-](?:{_ONE}))?)|{_ONE}|(?:a\s)?(?:fiver|tenner))"
)
_CJK = "".join(word for word in _WITH_CURRENCY if len(word) == 1 and word > "\u3000")
_FOREIGN = "|".join(sorted(_WITH_CURRENCY.keys() - set(_CJK), key=len, reverse=True))
_BEFORE = r"(?:(?:us\s?)?usd\s?|us\s(?=\d)|[€£]\s?)"
_CURRENCY = (
    r"(?:(?:us|u\.s\.)[\s-])?(?:dollars?|dolls|bucks?|usd|d[oó]lar(?:es)?|dollari|dollaro"
    r"|dolar\w{0,4}|dollár\w{0,4}|dollaria"
    r"|доллар\w{0,3}|долар\w{0,3}|euros?|€|đô(?:\sla)?|δολάρι\w{0,2}|दॉलर|डॉलर|דולר(?:ים)?"
    r"|دولار\w{0,3}|دولارات)"
    r"(?![^\W\d_])"
    r"|美元|美金|美刀|块钱|块|元|ドル|달러"
)
_NUMBER = rf"(?:{_DIGITS}|{_WORD})"
_SIZED = rf"{_BEFORE}?{_NUMBER}(?![^\W\d_]{0, 20}[a-z])(?:[\s-]?(?:{_CURRENCY}))?"
_BETWEEN = (
    r"(?:[ ]?(?:-|\u2013|\u2014|/|&|~|\uff5e|\u301c|,\s?or\b|,?\sor\b|\bor\b|\band\b|\bto\b"
    r"|\bthrough\b|à|到|至|bis|sau|から)[ ]?)"
    r"(?:(?:maybe|perhaps|even|possibly|about|probably)\s)?"
)
_PART = r"(?:halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)"
_MINE = (
    r"(?:it|that|this|these|(?:my|the|that|this|what|our)(?:\s(?:\w+\s){0,2}?(?:money"
    r"|endowment|amount|sum|total|stake|pot|dollars?|bucks|allocation|funds|cash|budget|share"
    r"|i\shave(?:\sgot)?|i\sgot))?)"
)
_HALF = (
    rf"(?:(?:exactly|precisely|a\sfull)\s)?(?:(?:one|a)[\s-])?half(?!\s(?:a|an|or|way)\b|-)"
    rf"(?:\s(?:of\s)?(?:(?:my|the)\s)?{_BEFORE}?{_NUMBER}(?:\s(?:{_CURRENCY}))?|\sof\s{_MINE}"
    rf"|\s(?:my|the)\s(?:money|endowment|amount|sum|total|stake|pot|cash))?"
    r"|la\smoitié|la\smitad|(?:a\s)?metade|(?:la\s)?metà|die\shälfte|половину|половина|一半|半分|半额|절반"
)
_ALL = (
    r"everything(?:\s(?:i\s(?:have|own|got)|away))?|every\s(?:last\s)?(?:dollar|cent|penny)"
    r"|all\sof\s(?:it|this|my\s(?:money|dollars|endowment|funds|cash)|the\s(?:money|endowment"
    r"|cash|sum|funds)"
    r"|what\si\shave)|all\s(?:my|the|of\smy|this)\s(?:money|dollars|cash|funds|endowment)"
    r"|it\sall|\ball-?in\b|all\sin(?!\sall)"
    r"|(?:my|the)\s(?:whole|full|entire|total|complete)\s(?:amount|sum|lot|endowment|thing|pot"
    r"|stake|budget"
    r"|balance|allocation|allotment)"
    r"|(?:the|my)\smax(?:imum)?(?:\s(?:amount|possible))?(?!\s(?:is|of|i\b))"
    r"|the\slot(?!\sof)|all\s(?:that\s)?i\s(?:have|own|got)|(?<!at\s)all(?=\s?[.!]?\s*(?:$|\n))"
    r"|tout(?=\s?[.!]?\s*(?:$|\n))"
    r"|alles|todo|tudo|tutto|всё|全部|全額|全额|전부|모두"
)
_NONE_KEPT = (
    r"(?:not\s(?:a|one)(?:\ssingle)?\s(?:cent|penny|dollar|dime|buck)|nothing|none)"
    r"(?:\sof\s(?:it|this|(?:the|my)\s\w{1,12}))?\s(?:(?:will|would)\s)?(?:remains?|stays?|(?:is|be)"
    r"\s(?:left|kept))\s(?:with\sme|in\smy\s\w{1,12}|for\smyself)"
)
_ALL_BUT = (
    rf"(?:all|{_ALL})\s(?:but|except(?:\sfor)?|minus|save(?:\sfor)?)\s(?:just\s)?(?:{_BEFORE})?"
    rf"(?P<kept>a(?:\ssingle)?(?=\s(?:{_CURRENCY}))|{_NUMBER})(?![^\W_]|[.,]\d)(?:\s(?:{_CURRENCY}))?"
)
_NOTHING = (
    rf"not\s(?:a\ssingle|even\s(?:a|one)(?:\ssingle)?|one(?:\ssingle)?|a)\s(?:of\s)?(?:(?:my"
    rf"|the|these|those)\s)?(?:\w{{1,12}}\s)?(?:{_CURRENCY}|cents?|penny|pennies|dime)(?!\smore)"
    r"|nothing(?:\s(?:at\sall|whatsoever))?|none(?:\sof\s(?:it|my\smoney|the\smoney))?|nada|nil|zilch"
    r"|no\s(?:dollars?|money|amount)\b|zero\s(?:dollars?|money)"
    r"|nichts|rien|niente|ничего"
)
_REST = (
    r"(?:all\s)?(?:the\s(?:rest|remainder|remaining\s(?:amount|money|dollars|sum)|other\spart|balance)"
    r"|what(?:ever)?(?:'s|\sis)\s(?:left|over|remaining)|what(?:ever)?\sremains)"
)
_FRACTION = (
    rf"(?:a|one|two|three|four|\d)[\s-]{_PART}(?![\w])(?:\sof\s{_MINE})?|{_PART}\sof\s{_MINE}"
    rf"|\d+\s?/\s?\d+(?:\sof\s{_MINE})?|half\sa\s(?:dollar|buck)|half(?:\sor\sso)"
    rf"|(?:a\s)?couple(?:\sof)?|a\s(?:few|handful)(?:\sof)?|several|some\s(?:of\s)?(?:my"
    rf"|the)?\s?money"
)
# What makes a number count something else than dollars.
_COUNTED = (
    r"(?:rounds?|times|people|persons?|players?|years?|months?|weeks?|days|minutes?|hours?|seconds"
    r"|sentences?|steps?|reasons?|things?|ways?|options?|points?|adults|paragraphs|words|parts?"
    r"|(?:of|out\sof)\s(?:six|6|five|5|three|3)\b(?=\s(?:rounds|games))|st|nd|rd|th|x|kids"
    r"|children|others|games|outcomes|scenarios|possibilities)\b"
)
_ORDINAL = (
    r"\b(?:(?<!\ba\s)round|rounds|player|players|(?<!other\s)(?<!second\s)(?<!this\s)person|step|option"
    r"|part|turn|game|age|aged|rule|point|no\.|number"
    r"|stage|level|trial|session|week|day|year|version|turns|vuelta|ronda|runde|rodada|manche|раунд\w*)"
    r"(?:\s(?:no\.?|number))?[\s:#]*(?:\d{1,2}\s(?:out\s)?of\s)?$"
)
_TOKEN = re.compile(
    rf"(?P<rest>\b(?:{_REST})(?!\w))"
    rf"|(?P<nonekept>(?<![^\W\d_])(?:{_NONE_KEPT})\b)"
    rf"|(?P<nothing>(?<![^\W\d_])(?:{_NOTHING}))(?![a-z])"
    rf"|(?P<allbut>(?<![^\W\d_])(?:{_ALL_BUT}))"
    rf"|(?P<all>(?<![^\W\d_])(?:{_ALL})(?![a-zа-я]))"
    rf"|(?P<fraction>(?<![\w.])(?:{_FRACTION})(?!\w))"
    rf"|(?P<half>(?<![^\W\d_])(?:{_HALF})(?![a-z]))"
    rf"|(?P<range>(?<![\w.,]){_SIZED}(?:{_BETWEEN}{_SIZED}(?!\s?cents))+)"
    rf"|(?P<foreign>(?:(?<![^\W_])(?:{_FOREIGN})\s?|(?<![{_CJK}])[{_CJK}])(?:{_CURRENCY})(?!\s?\.?\d))"
    rf"|(?P<one>\b(?:a|one|1)\s(?:single|lone|lousy|measly|mere)\s(?:{_CURRENCY})"
    rf"|\ba\s(?:dollar|buck)\b)"
    rf"|(?P<number>(?<![A-Za-z\d_.])(?P<before>{_BEFORE})?(?P<digits>{_NUMBER})(?P<after>[\s-]?(?:{_CURRENCY}))?)",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"(?:[-\u2013+]\s?|[<>\u2264\u2265\u00b1]\s?|\d[.,]|[A-Za-z]-|minus\s)$", re.IGNORECASE
)
# A dash after a number or a word is punctuation; before one it is a sign.
_SUFFIX = re.compile(
    r"[^\W_]{0,20}[A-Za-z]|[.,/:]\d|\s?[%\u00a2\u00b0\u00b1\u00bd^*~+=](?!=)"
    rf"|[\s-]?(?:half|{_PART})\b|\s?(?:cents?|per\s?cent|percent|hundred|thousand|million|billion"
    r"|and\s(?:a|one)\shalf|(?:and\s)?\w{1,10}\scents)\b"
    rf"|\s(?:or|and)\s(?:so|more|less|up|fewer)\b|[-+]?[ ]{_DIGITS}(?!\s?\))|-\d|\s?(?:%"
    rf"|процент|prozent|por\sciento)",
    re.IGNORECASE,
)
_AGAIN = re.compile(rf"\s?\((?P<same>{_SIZED})\)", re.IGNORECASE)
# A dash that is a bullet, or stands after the letter of a part.
_BULLET = re.compile(r"(?:^|\n)(?:[A-Z]\s[\u2013-]|-)\s$")
_NUMERAL = re.compile(rf"(?<![^\W_]){_NUMBER}(?![^\W\d_])", re.IGNORECASE)
_ADDS_NOTHING = re.compile(
    r"(?:^|[^\w])(?:one\smore|another|one\sother|no|the|other|that|this|every|any|which|each"
    r"|first|last|safe|next|good|bad|only)\s$",
    re.IGNORECASE,
)

# "The other seven go across" is an amount, "the other two players" is none.
_OTHER_PART = re.compile(r"\bthe\s(?:other|remaining)\s$", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\s(?:is|are|will|would|go(?:es)?|stays?|remains?|to|across|over|for)\b|[.,;!]", re.IGNORECASE
)
# "Three dollars and fifty cents", "two and a half dollars".
_CENTS = re.compile(
    rf"(?:\sdollars?|\sbucks?)?,?\s(?:and\s)?(?P<cents>{_NUMBER})\scents?\b|\sand\sa\shalf"
    r"(?:\sdollars?|\sbucks?|(?=\s?(?:[.,;!]|$)))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Amount:
    """An amount in a text.

    value     dollars; None where it is unclear
    kind      "number", or "all", "nothing", "half", "rest" in words
    is_money  whether a currency or such words make it certain that it is no other number
    start     where it begins in the text that was read
    ends      the two numbers of a range; None for others
    """

    value: float | None
    kind: str
    is_money: bool
    start: int
    ends: tuple[float, float] | None = None


@dataclass(frozen=True)
class Masked:
    """A text with its amounts as signs.

    text     with CLEAR or UNCLEAR in place of each amount
    amounts  by the place of their signs in `text`
    """

    text: str
    amounts: Mapping[int, Amount]


def masked(text: str, endowment: float) -> Masked:
    """`text` with a sign for each amount of dollars in it; `endowment` is what "everything" means.

    Amounts are digits, also with commas, currency signs and cents, the numbers from zero to a hundred
    in words, and "nothing", "half of it", "everything", "the rest". Ranges, sums, fractions,
    percentages and negative numbers are unclear amounts. What counts rounds, years or people, names a
    round or player, or is a part of a word, is no amount and stays as it is. Time is linear.
    """
    text = text.replace(CLEAR, " ").replace(UNCLEAR, " ")
    pieces: list[str] = []
    amounts: dict[int, Amount] = {}
    length = end = 0
    for found, amount, stop in _amounts(text, endowment):
        pieces.append(text[end:found])
        length += found - end
        amounts[length] = amount
        pieces.append(UNCLEAR if amount.value is None else CLEAR)
        length, end = length + 1, stop
    pieces.append(text[end:])
    return Masked("".join(pieces), amounts)


def _amounts(text: str, endowment: float) -> Iterator[tuple[int, Amount, int]]:
    """Start, amount and end of each; none begins within another."""
    position = 0
    while found := _TOKEN.search(text, position):
        start, position = found.start(), max(found.end(), found.start() + 1)
        kind = str(found.lastgroup)
        if kind in ("after", "before", "digits"):
            kind = "number"
        if kind == "range":
            yield start, Amount(None, "number", True, start, _ends(found[0])), position
        elif kind == "fraction":
            yield start, Amount(None, "number", True, start), position
        elif kind in ("all", "nothing", "half", "rest"):
            value = {"all": endowment, "nothing": 0.0, "half": endowment / 2, "rest": None}[kind]
            if kind == "half" and not _is_half_of_all(found[0], endowment):
                value = None
            yield start, Amount(value, kind, True, start), position
        elif kind in ("allbut", "kept"):
            kept = found["kept"].lower()
            value = endowment - (1.0 if kept.startswith("a") else _value(kept))
            yield start, Amount(value, "number", True, start), position
        elif kind == "nonekept":
            yield start, Amount(endowment, "all", True, start), position
        elif kind == "one":
            yield start, Amount(1.0, "number", True, start), position
        elif kind == "foreign":
            word = found[0].lower().split()[0]
            number = _WITH_CURRENCY.get(word, _WITH_CURRENCY.get(word[0]))
            yield (
                start,
                Amount(None if number is None else float(number), "number", True, start),
                position,
            )
        else:
            read = _number(text, found)
            if read is not None:
                amount, position = read
                yield start, amount, position


def _ends(phrase: str) -> tuple[float, float] | None:
    """The numbers of a range of two, the lower one first."""
    numbers = [_value(one[0]) for one in _NUMERAL.finditer(phrase)]
    return (numbers[0], numbers[1]) if len(numbers) == 2 and numbers[0] < numbers[1] else None


def _number(text: str, found: re.Match[str]) -> tuple[Amount, int] | None:
    """The amount of a single number and where it ends; None where it counts no dollars."""
    start, end = found.start(), found.end()
    before, digits = text[max(0, start - 24) : start], found["digits"]
    is_money = bool(found["before"] or found["after"])
    if re.search(_ORDINAL, before, re.IGNORECASE) and not is_money:
        return None
    if not is_money and re.match(
        rf"\s?{_COUNTED}|-(?:{_COUNTED})", text[end : end + 24], re.IGNORECASE
    ):
        return None
    is_word = digits[0].isalpha()
    if is_word:
        if end < len(text) and text[end].isalnum() and text[end].isascii():
            return None
        is_rest = _OTHER_PART.search(before) and _GOES_ON.match(text, end)
        if not is_money and not is_rest and _ADDS_NOTHING.search(before):
            return None
        if digits.lower() == "one" and not is_money and not _stands_alone(text, start, end):
            return None
    value: float | None = _value(digits)
    if again := _AGAIN.match(text, end):
        same = _NUMERAL.search(again["same"])
        if same and _value(same[0]) == value:
            end, is_money = again.end(), True
    prefix = None if text[end : end + 1] == ">" else _PREFIX.search(before)
    if (prefix and not _BULLET.search(before)) or (prefix and not is_money and not is_word):
        value = None
    if part := _CENTS.match(text, end):
        value = value and value + (_value(part["cents"]) / 100 if part["cents"] else 0.5)
        end, is_money = part.end(), True
    if _SUFFIX.match(text, end):
        value = None
    return Amount(value, "number", is_money, start), end


_ALONE = re.compile(
    r"(?:\b(?:give|send|offer|invest|with|just|only|exactly|about|is|say|be|pick|choose)\s"
    r"|[:=]\s?|^|\n)[\"'(\[]*$"
)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether "one" is a number here, and not a person or a thing."""
    return bool(
        _ALONE.search(text[max(0, start - 12) : start])
        and re.match(r"[\"')\]]*\s*(?:$|[.,;!])", text[end : end + 4])
    )


def _is_half_of_all(phrase: str, endowment: float) -> bool:
    """Whether "half of my 10 dollars" is half of the endowment, as "half of it" is."""
    rest = re.split(r"\bhalf\b", phrase, maxsplit=1, flags=re.IGNORECASE)[-1]
    number = _NUMERAL.search(rest)
    return number is None or _value(number[0]) == endowment


def _value(digits: str) -> float:
    word = digits.lower()
    if word[0].isalpha():
        if word.endswith("hundred"):
            return 100.0
        return float(sum(_ENGLISH[part] for part in re.split(r"[\s-]", word.removeprefix("a "))))
    # Never int(): it refuses long strings of digits, where float() gives inf.
    return float(word.replace(",", ""))
