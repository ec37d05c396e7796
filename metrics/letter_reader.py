"""Reading option letters and option texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from otherminds.metrics.claims import MANY, PRAISED, TRAILER, Claim, Mention, claims_of, speaks
from otherminds.metrics.described import Descriptions
from otherminds.metrics.directions import direction, lone
from otherminds.metrics.elimination import left_over
from otherminds.metrics.errors import MetricError
from otherminds.metrics.marks import CLOSING, REASON, SECOND_THOUGHT, Reading
from otherminds.metrics.sentences import LETTERLIKE, Sentence, doubtful, sentences

_NOUN = (
    r"(?:option|choice|letter|answer|plan|candidate|alternative|proposal|statement|description"
    r"|buchstabe"
    r"|antwort|möglichkeit|lettre|réponse|choix|opción|letra|respuesta|opção|alternativa|resposta"
    r"|opzione|lettera|version"
    r"|risposta|вариант|буква|ответ|optie|keuze|antwoord|opcja|svar)"
)
_LETTER = re.compile(
    r"(?:[-\u2022]\s)?[\s\"'(\[{<]*+(?:(?:option|choice|letter)\s+)?[\"'(\[]*"
    r"(?P<letter>[A-Za-z])(?!\w|'\w)",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?:option|choice|answer)\s+(?:no\.?\s*|number\s+|#\s*)?(?P<place>\d{1,2})(?!\w)",
    re.IGNORECASE,
)
_ORDINALS = (
    "first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth,"
    " thirteenth, fourteenth, fifteenth, sixteenth"
)
_PLACES = {place: number for number, place in enumerate(re.findall(r"\w+", _ORDINALS))}
_PLACES |= {"former": 0, "latter": 1}
_NO_NOUN = (
    r"(?!\s+(?!(?:fits?|is|was|match\w*|wins?|seems?|has|holds?|agrees?|remains?|works?|it|here|then"
    r"|because|since|as|for|in|with)\b)\w)"
)
_PLACED = re.compile(
    rf"\bthe\s+(?:(?P<place>{'|'.join(_PLACES)})\s+(?:(?:of\s+(?:the|these|those)\s+)?"
    r"(?:two\s+|listed\s+)?(?:options?|letters?|choices?|answers?|alternatives?|directions?)"
    rf"|one{_NO_NOUN}|of\s+the\s+two)|(?P<side>former|latter){_NO_NOUN})(?!\s+\(?[A-Z]\b)",
    re.IGNORECASE,
)
_OF_OPTIONS = re.compile(
    r"\b(?:options?|letters?|choices?|answers?|alternatives?|directions?)$", re.IGNORECASE
)
# "A or B", "A/B", "A, B": two letters where one was asked for. A comma or dash before a word does
# not join letters ("B, a person …").
_JOINED = re.compile(
    rf"[\s)\]\"']*(?:(?:/|&|\+|\||\bor\b|\band\b|\bto\b|\bvs\b\.?"
    rf"|\bversus\b)\s*(?:option\s+)?[(\"']?"
    r"(?P<second>[A-Za-z])(?!\w|'\w)|[,;\u2013\u2014-]\s*[(\"']?(?P<listed>[A-Za-z])(?!\w|'\w)"
    rf"(?!\s+[a-z])|{SECOND_THOUGHT}(?:option\s+)?[(\"']?(?P<thought>[A-Za-z])(?!\w"
    rf"|'\w)(?!\s+[a-z]))"
)
_BETWEEN = re.compile(
    r"[\s)\]\"'*]*(?:(?:[,/&|+]|\b(?:and|or|nor|und|oder|et|ou|y|o|e|и|или|to|through|vs\.?"
    r"|versus)\b|和|或|か|と)\s*){1,2}"
    rf"(?:(?:maybe|perhaps|possibly|even|also|with|{_NOUN})\s+){{0,2}}[\s(\[\"'*]*",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[\s)\]}\"'.:,;=>\u2013\u2014-]*")
_PUNCTUATED = re.compile(rf"\s*(?:$|[).:\]\u2014]|[,;!]|[\u2013=-]\s|\s\(|{REASON})", re.IGNORECASE)
_GOES_ON = re.compile(rf"\s+(?!{REASON}|is\b)\w", re.IGNORECASE)
_BEFORE_TEXT = re.compile(r"[\s\"'(\[]*(?:(?:option|choice)\s+)?", re.IGNORECASE)
_ENGLISH_WORDS = "AI"
# Letters that are words in one of the common languages ("e" and "o" are "and" and "or").
_WORDS = "AEIOUYaeiouy"
# "A is NEGATIVE here, B is POSITIVE" explains the letters.
_DEFINES = re.compile(
    r"[)\]\"'*]*\s*(?:=|is|means|stands\s+for|being|for|represents|denotes|refers\s+to|indicates"
    r"|corresponds\s+to|->|\u2192|\u2013)\s*(?:(?:the|a)\s+)?",
    re.IGNORECASE,
)
_ACCENTED = {
    "A": "[AÁÀÄ]",
    "E": "[EÉÈ]",
    "I": "[IÍ]",
    "O": "[OÓÖ]",
}
_SHORTEST_KEYWORD = 5

_MENTIONED = re.compile(
    rf"(?<!{LETTERLIKE})(?<!['.\-$&])(?:(?P<noun>{_NOUN})\s+"
    rf"|(?P<open>[(\[\"'\u300c]))?(?P<letter>[A-Za-z])"
    rf"(?P<close>[)\]\"'\u300d])?(?!{LETTERLIKE}|'\w|-\w|\.\w|[&])",
    re.IGNORECASE,
)
# What may follow a letter, and cannot follow the article "a" or the pronoun "I".
_FOLLOWS = re.compile(
    rf"\s*(?:$|[.,;:!?()\]\"'|*=/&+\u2026\u2014\u2013\u300d-]"
    rf"|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[^\W\d_a-zA-Z\u00c0-\u024f]"
    rf"|[\u0964\u2190-\u2bff\U0001f300-\U0001faff]|{REASON}|{TRAILER}"
    r"|(?:because|cause|cos|for|here|then|though|but|is|it|fits?|seems|would|with|over|rather"
    r"|instead|not|and|or"
    r"|wins|remains|matches|follows|looks|appears|the|this|that|in|on|at|to|by|which|who|gets"
    r"|holds|stands|falls|weighs?|edges|as|since|whereas)\b)",
    re.IGNORECASE,
)
_STANDS_OUT = re.compile(
    rf"\s*(?:$|[.,;:!?)\]\"'*\u2026\u2014>\u300d\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0964\u2190-\u2bff\U0001f300-\U0001faff]|[^\W\d_a-zA-Z\u00c0-\u024f]|\s[\u2013-]\s|\(|{REASON}|{TRAILER})",
    re.IGNORECASE,
)
_DEGREE = (
    r"(?:most|more|quite|just|only|probably|likely|clearly|definitely|therefore|thus|indeed"
    r"|really|still"
    r"|surely|certainly|presumably|rather|actually|then|also|again|plainly|simply|necessarily"
    r"|much|the|a|an|my"
    r"|eher|wohl|wahrscheinlich|die|der|das|la|le|el|o|a|um|plutôt|más\s+bien|mais|provavelmente"
    r"|probablemente)"
)
_CUE = re.compile(
    r"(?:\b(?:(?:choose|chose|choosing|pick|picking|select|predict|guess|answer|say|vote|opt|take"
    r"|want|favou?r|conclude|propose|think|believe|suspect|reckon|agree|side)s?"
    r"(?:\s+(?:for|with|on))?|(?:go|goes|going|went)\s+(?:with|for|to)|settl\w+\s+(?:on|for)"
    r"|arriv\w+\s+at|land\w*\s+(?:on|at)"
    r"|lean\w*(?:\s+(?:to|towards?|on|more|heavily|strongly|slightly)){0,2}|stick\w*\s+(?:with|to)|end\w*\s+up\s+(?:with|at|on)"
    r"|tips?\s+(?:(?:it|the\s+\w+|things|me)\s+)?(?:to|towards?)|com\w+\s+down\s+(?:to|on|as)|favou?r(?:s|ing)?"
    r"|in\s+favou?r\s+of|(?:belongs?|correspond\w*|equals?|translat\w+|map\w*)\s+(?:to|into)"
    r"|(?:chang|switch|mov|revis|flip|updat|correct|amend)\w*\s+(?:(?:it|that|this|my\s+(?:answer|choice|pick)|over)\s+)?to"
    r"|put\s+(?:\w+\s+){0,3}(?:down\s+for|down\s+as|on)|makes?\s+(?:it|that|this|him|her|them)?"
    r"|left\s+with|fall\w*\s+(?:on|to)|hold\w*\s+for|default\w*\s+to|no\s+way\s+(?:a)?round|(?:money|vote|bet|finger)\s+(?:is\s+|goes\s+)?on"
    r"|leav\w+(?:\s+(?:me|us|him|her))?(?:\s+(?:only|just|with))*|remain\w*(?:\s+only)?"
    r"|(?:is|'s)\s+(?:(?:just|exactly|precisely)\s+)?what|mark|circle|tick|write(?:\s+down)?|enter|points?\s+to\w*|amounts?\s+to|speaks?\s+for"
    r"|is|it's|its|it\u2019s|that's|be|must\s+be|so|therefore|thus|hence|then|but|probably|likely"
    r"|presumably|definitely|only|except|passt|eher|plutôt|rather"
    r"|wähle|nehme|denke|glaube|pense|creo|penso|acho|думаю|ist|wäre|daher|deshalb|also|somit"
    r"|bleibt|c'est|est|serait|donc|choisis|es|sería|elijo|será|escolho"
    r"|seria|logo|portanto|scelgo|sarebbe|quindi|это|выбираю|значит|поэтому|kies|dus|väljer|هو|هي"
    r"|أختار)"
    r"|[选選是为は]|答案|=>|->|\u2192|\u21d2|=)"
    rf"\s*[:,]?\s*(?:{_DEGREE}\s+){{0,3}}(?:{_NOUN}\s+)?[\s(\[\"'*\u300c]*$",
    re.IGNORECASE,
)
_FITS = re.compile(
    r"[)\]\"'*]*\s+(?:(?:alone|best|also|really|therefore|thus|hence|then|still|just|only|\w+ly)\s+)?(?:fits?|match\w*|works?|covers?"
    r"|agrees?|describes?|captures?|reflects?"
    r"|suits?|remains?|combines?|edges|outweighs?|carr(?:y|ies)|takes\s+it|has|have|includes?|contains?|names|mentions|meets|survives|says"
    r"|holds?|stands?|wins?|prevails?|dominates?|passt|correspond\w*|encaixa|convient|подходит)\b",
    re.IGNORECASE,
)
# One of a list: "e, i and k".
_AFTER_LETTER = re.compile(r"(?<![\w'])\(?[A-Za-z]\)?(?:,| and| or|, and|, or|/)\s*$")
_BEFORE_LETTER = re.compile(
    r"(?:,|\s+and|\s+or|,\s+and|,\s+or|/)\s*\(?[A-Za-z](?![\w'])\)?(?=\s*(?:[,.;:)!?]|$|and\b"
    r"|or\b))"
)
# "A: 70%" is a share, not an answer.
_SHARE = re.compile(r"[)\]\"']*\s*[:=(]?\s*(?:\d+(?:\.\d+)?\s*%|0?\.\d+)")
_CAPITAL = re.compile(r"\s+[^\W\d_a-z]")
_OWN_REASON = re.compile(
    rf",\s*(?:{REASON}|i\s+(?:think|guess|believe|would|'d)|i'd|probably)", re.IGNORECASE
)
_WORD = re.compile(r"\w+")
# Fewer words than these are too few to be the text of another option.
_FEW = 4
# In a sentence with more words, "the second one" may be one of anything.
_SHORT = 10


class LetterReader:
    """Reads letters of `options`, given as texts or only as their number.

    Raises MetricError unless there are 1 to 26 options.
    """

    def __init__(self, options: tuple[str, ...] | int) -> None:
        count = options if isinstance(options, int) else len(options)
        if not 1 <= count <= 26:
            raise MetricError(f"{count} options: give 1 to 26, so that each has a letter.")
        self._letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count]
        letters_of: dict[tuple[str, ...], str] = {}
        for text, letter in zip(
            () if isinstance(options, int) else options, self._letters, strict=False
        ):
            folded = _words(text)
            if folded:
                letters_of[folded] = letters_of.get(folded, "") + letter
        # Longest first, so that "agree strongly" is not read as "agree".
        self._texts = sorted(letters_of.items(), key=lambda pair: -len(pair[0]))
        self._bags = [(Counter(words), letters) for words, letters in self._texts]
        self._longest = max((len(words) for words, _ in self._texts), default=0)
        # "POSITIVE" alone answers for "POSITIVE effect", where no other option begins so.
        first = {words[0]: letters for words, letters in letters_of.items()}
        self._first_words = first if len(first) == len(letters_of) else {}
        self._keywords = _keywords(letters_of if self._first_words else {}, options)
        self._described = Descriptions(() if isinstance(options, int) else options)

    def leading(self, text: str, *, marked: bool) -> Reading[str] | None:
        """The option with which `text` begins.

        An unmarked letter must be followed by punctuation or a reason; after a marked one the text
        may go on, unless the letter is an English word ("A person …").
        """
        place = _PLACE.match(text) if marked else None
        if place is not None and 1 <= int(place["place"]) <= len(self._letters):
            return Reading(self._letters[int(place["place"]) - 1], place.end())
        found = _LETTER.match(text)
        letter = found["letter"] if found else ""
        by_text = self._option_text(text, 0) if marked else None
        if found is None or (by_text is not None and by_text.end > found.end()):
            return by_text
        end = found.end("letter")
        if not self._is_answer(letter, text, end, marked=marked):
            return by_text
        value = letter.upper() if letter.upper() in self._letters else None
        if self._joins_another(text, end, letter):
            return Reading(None, end)
        separator = _SEPARATOR.match(text, end)
        if separator is not None:
            described = self._option_text(text, separator.end())
            if described is not None:
                return Reading(value if described.value == value else None, described.end)
            rest = text[separator.end() :]
            if value is not None and self._is_text_of_another(rest, value):
                return Reading(None, end)
            other = self._described.named(rest.split("\n", 1)[0], whole=True)
            if value is not None and other is not None and self._letters[other] != value:
                return Reading(None, end)
        if by_text is not None and by_text.value != value:
            return Reading(None, end)
        return Reading(value, end)

    def claims(self, sentence: Sentence) -> Iterator[Claim[str]]:
        """The option that a sentence asserts, if any."""
        return claims_of(sentence, self._sorted_mentions(sentence), _BETWEEN)

    def highlighted(self, text: str) -> str | None:
        """The option that a text in bold is, and nothing else."""
        found = self.leading(text, marked=True)
        if found is None or text[found.end :].strip(CLOSING):
            return None
        return found.value

    def inferred(self, text: str, *, cut: bool) -> str | None:
        """The option that is left of all, whose direction is told, or whose own words end `text`."""
        found = sentences(text)
        if not found or found[-1].asks:
            return None
        told = self._first_words.get(lone(text) or "", "") if len(found) == 1 else ""
        if len(told) == 1:
            return told
        if not cut:
            rest = left_over(found, self._sorted_mentions, self._letters, _BETWEEN)
            letters = self._first_words.get(direction(found) or "", "")
            if rest is not None or len(letters) == 1:
                return rest if rest is not None else letters
        lines = text.split("\n")
        for ending in (lines[-1], " ".join(lines[-2:])):
            place = None if doubtful(ending) else self._described.named(ending, whole=cut)
            named = {one.value for one in self._mentions(replace(found[-1], text=ending))}
            if place is not None and named <= {self._letters[place]}:
                return self._letters[place]
        return None

    def _sorted_mentions(self, sentence: Sentence) -> list[Mention[str]]:
        return sorted(self._mentions(sentence), key=lambda one: one.start)

    def _mentions(self, sentence: Sentence) -> Iterator[Mention[str]]:
        text = sentence.text
        words = self._in_words(text)
        if len(list(islice(_MENTIONED.finditer(text), MANY))) == MANY:
            return
        for found in _PLACED.finditer(text):
            mention = self._placed(sentence, found)
            if mention is not None:
                yield mention
        for found in _MENTIONED.finditer(text):
            meaning = _DEFINES.match(text, found.end())
            if meaning is not None and words.pop(meaning.end(), None) is not None:
                continue
            mention = self._mention(text, found, closes=sentence.closes)
            if mention is not None:
                yield mention
        yield from words.values()

    def _placed(self, sentence: Sentence, found: re.Match[str]) -> Mention[str] | None:
        """An option named by its place, where the sentence says that it is the answer."""
        text, word = sentence.text, (found["place"] or found["side"]).lower()
        place = _PLACES.get(word, len(self._letters))
        loose = found["place"] is None or _OF_OPTIONS.search(found[0]) is None
        if place >= len(self._letters) or (loose and len(self._letters) != 2):
            return None
        cued = _CUE.search(text[max(0, found.start() - 90) : found.start()]) is not None
        sole = sentence.opens and sentence.closes and len(text.split()) <= _FEW
        after = text[found.end() : found.end() + 90]
        praised = PRAISED.match(after) is not None or _FITS.match(after) is not None
        last = sentence.closes and (cued or praised)
        if loose and not (sole or ((cued or praised) and len(text.split()) <= _SHORT)):
            return None
        if not (sole or last or sentence.concludes or speaks(text)):
            return None
        alone = praised or _STANDS_OUT.match(after) is not None
        return Mention(*found.span(), self._letters[place], alone, cued, True)

    def _mention(self, text: str, found: re.Match[str], *, closes: bool) -> Mention[str] | None:
        letter, start, end = found["letter"], found.start("letter"), found.end()
        before, after = text[max(0, start - 90) : start], text[end : end + 90]
        cued = _CUE.search(before) is not None
        praised = PRAISED.match(after) is not None
        enclosed = found["close"] == ")" or bool(found["open"] and found["close"])
        named = enclosed or found["noun"] is not None
        if (found["open"] == "(" and not enclosed) or _SHARE.match(after):
            return None
        after_letter = _AFTER_LETTER.search(before) and _FOLLOWS.match(after)
        in_list = after_letter is not None or _BEFORE_LETTER.match(after) is not None
        if not enclosed and not in_list and not _is_letter(letter, after, cued=cued, named=named):
            return None
        value = letter.upper() if letter.upper() in self._letters else None
        if value is not None and self._is_text_of_another(text[end:], value):
            value = None
        fits = closes and (named or letter not in _WORDS) and _FITS.match(after) is not None
        described = enclosed and not before.strip(" (") and _CAPITAL.match(after) is not None
        alone = fits or praised or described or _STANDS_OUT.match(after) is not None
        return Mention(start, end, value, alone, cued or praised)

    def _in_words(self, text: str) -> dict[int, Mention[str]]:
        """Options named by their keyword, by position."""
        found = {}
        for word in self._keywords.finditer(text) if self._keywords else ():
            cued = _CUE.search(text[max(0, word.start() - 90) : word.start()]) is not None
            after = text[word.end() : word.end() + 90]
            alone = _FOLLOWS.match(after) is not None or _FITS.match(after) is not None
            value = (word.lastgroup or "")[-1:]
            found[word.start()] = Mention(word.start(), word.end(), value, alone, cued, True)
        return found

    def _is_answer(self, letter: str, text: str, end: int, *, marked: bool) -> bool:
        word = letter.upper() in _ENGLISH_WORDS
        if not marked:
            after = text[end:]
            if _SHARE.match(after):
                return False
            if re.match(rf"[)\]]?(?:\s*\?|\s+(?!{REASON})[a-z])", after):
                return False
            if letter in _WORDS and after.startswith(",") and not _OWN_REASON.match(after):
                return False
            if letter.islower() and not re.match(rf"[).:,]|\s*{REASON}", after):
                return False
            return _PUNCTUATED.match(text, end) is not None
        if re.match(r"[-\u2013]\w", text[end:]):
            return False
        if _GOES_ON.match(text, end) is None or self._option_text(text, end) is not None:
            return True
        joined = self._joins_another(text, end, letter)
        named = text[:end].lower().lstrip(" \"'([{<").startswith(("option", "choice", "letter"))
        return joined or named or (letter.isupper() and not word)

    def _joins_another(self, text: str, end: int, letter: str) -> bool:
        joined = _JOINED.match(text, end)
        if joined is None:
            return False
        other = joined["second"] or joined["listed"] or joined["thought"]
        same_case = other.isupper() or letter.islower()
        return same_case and other.upper() in self._letters and other.upper() != letter.upper()

    def _option_text(self, text: str, start: int) -> Reading[str] | None:
        """The option whose text stands at `start`; unclear when two options have that text."""
        skipped = _BEFORE_TEXT.match(text, start)
        begin = skipped.end() if skipped else start
        found = list(islice(_WORD.finditer(text, begin), self._longest))
        if not found or found[0].start() != begin:
            return None
        words = tuple(one[0].lower() for one in found)
        for option, letters in self._texts:
            if words[: len(option)] == option:
                end = found[len(option) - 1].end()
                return Reading(letters if len(letters) == 1 else None, end)
        letters = self._first_words.get(words[0], "")
        if len(letters) == 1 and not text[found[0].end() :].strip(CLOSING):
            return Reading(letters, found[0].end())
        return None

    def _is_text_of_another(self, text: str, letter: str) -> bool:
        """Whether the text after a letter is that of other options: whole, in part or reordered."""
        line = text.split("\n", 1)[0]
        words = tuple(one[0].lower() for one in islice(_WORD.finditer(line), 3 * self._longest))
        if len(words) < _FEW:
            return False
        begun = "".join(
            letters
            for option, letters in self._texts
            if _agree(words, option) and len(option) >= _FEW
        )
        if begun:
            return letter not in begun
        said = Counter(words)
        within = "".join(letters for bag, letters in self._bags if len(bag) >= _FEW and bag <= said)
        return within != "" and letter not in within


def _is_letter(letter: str, after: str, *, cued: bool, named: bool) -> bool:
    """Whether a letter without parentheses is one, and no word such as "a", "I" or "e"."""
    ends = not after.strip(" .!*\"')")
    if letter in "Aa" and ends and not after.strip():
        return letter == "A"
    if letter not in _WORDS:
        followed = _FOLLOWS.match(after) or _FITS.match(after) or PRAISED.match(after)
        return letter.isupper() or named or cued or followed is not None
    if letter in "Ii" and not named:
        return ends or (cued and letter == "i" and _FOLLOWS.match(after) is not None)
    if _FOLLOWS.match(after) is None and PRAISED.match(after) is None:
        return named and _FITS.match(after) is not None
    return ends or named or cued or letter.isupper()


def _agree(words: tuple[str, ...], option: tuple[str, ...]) -> bool:
    """Whether one is the beginning of the other."""
    shared = min(len(words), len(option))
    return words[:shared] == option[:shared]


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(text))


def _keywords(
    letters_of: dict[tuple[str, ...], str], options: tuple[str, ...] | int
) -> re.Pattern[str] | None:
    """The first words of options, where they are in capitals: "POSITIVE", "POSITIF"."""
    parts = []
    for option in () if isinstance(options, int) else options:
        letters = letters_of.get(_words(option), "")
        word = option.split(" ")[0]
        if len(letters) != 1 or len(word) < _SHORTEST_KEYWORD or not word.isupper():
            return None
        stem = "".join(_ACCENTED.get(character, re.escape(character)) for character in word[:-2])
        first, *others = map(re.escape, option.split())
        whole = r"\s+".join([first, *others])
        if others:
            whole += rf"|(?<=the\s){first}\s+(?:one|option|answer|choice|letter|direction|label)"
            plainly = r"(?:(?!not\b|never\b|hardly\b|barely\b|less\b)\w+\s+)?"
            link = rf"\s+(?:is|would\s+be|was|seems|looks)\s+{plainly}"
            whole = rf"{whole}|{others[-1]}{link}{first}"
        parts.append(rf"(?P<word{letters}>(?i:{whole})|{stem}[A-Z\u00c0-\u00dc]{{0,3}})")
    if not parts:
        return None
    return re.compile(rf"(?<!{LETTERLIKE})(?:{'|'.join(parts)})(?!{LETTERLIKE})")
