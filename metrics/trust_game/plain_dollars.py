"""One spelling of the numbers in a text that states dollars by level."""

from __future__ import annotations

import re

from otherminds.metrics.trust_game.levels import Levels, canonical_lines

MEAN_WORDS = (
    r"means?|averages?|avg\.?|expected|expectation|m(?=\s?[=:(])|\u03bc|mu|mittelwerte?|moyennes?"
    r"|medias?|\u5747\u503c|\u5e73\u5747"
)
SD_WORDS = (
    r"std\.?\s?dev(?:iations?|s)?\.?|standard\s?-?deviations?|st\.?\s?devs?\.?|stdevs?|stds?\.?|sds?"
    r"|s\.d\.|\u03c3|sigma|spreads?|standardabweichung(?:en)?|deviations?|\u00e9cart-?\s?types?"
    r"|variability|dispersion|scatter|desviaci[o\u00f3]n(?:es)?(?:\sest[a\u00e1]ndar)?|\u6807\u51c6\u5dee|\u6a19\u6e96\u504f\u5dee"
)
_TABLE_OF_COMMAS = re.compile(
    rf"^[^\n\d]*,\s?(?:{MEAN_WORDS})(?!\w)|^(?:[^,\n]*[a-z+\d],\d+(?:\.\d+)?,\d+(?:\.\d+)?\s?$)",
    re.MULTILINE,
)
# "4 to 6, and I choose 4.5", "6.5 out of 5-7": one number was chosen.
_SPAN = r"\$?\s?\d{1,9}(?:\.\d{1,9})?\s?(?:-|to|and|or)\s?\$?\d{1,9}(?:\.\d{1,9})?"
_CHOSEN = re.compile(
    rf"(?P<span>(?<![\w.]){_SPAN}(?![\w%]|\.\d))(?=[^\d\n.]{{0,60}}?\b(?:go|going|settle|settling|land|landing)"
    r"\s(?:for|with|on|at)\s(?:the\s\w{1,12}\s)?\$?\s?\d"
    rf"|[^\d\n.]{{0,60}}?\b(?:choose|choosing|pick|picking|take|taking|say|saying|choice\sis|call\sit|so)\s"
    r"(?:the\s\w{1,12}\s)?\$?\s?\d)"
    rf"|(?<=\d)\s(?:out\sof|from|within|in)\s(?:the\srange\s(?:of\s)?)?(?P<within>{_SPAN})(?![\w%]|\.\d)"
)
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_IN_WORDS = re.compile(
    rf"\b(?P<whole>{'|'.join(_WORDS)})(?P<half>\sand\sa\shalf)?(?=\s(?:dollars?|bucks?|usd)\b)"
    rf"|(?<=\bgive\sor\stake\s)(?P<spread>{'|'.join(_WORDS)})(?P<more>\sand\sa\shalf)?\b"
)
_ROW_END = re.compile(r"</tr\s?>", re.IGNORECASE)
_CELL = re.compile(r"</?t[dhr](?:\s[^<>]{0,60})?>", re.IGNORECASE)


def plain_dollars(text: str, endowment: float) -> str:
    """`text` in canonical spelling, with digits for words, without the scale and markup of tables."""
    text = _CELL.sub(" | ", _ROW_END.sub("\n", text))
    plain = canonical_lines(text).replace("(", " ( ").replace("\u00b1", " \u00b1 ")
    plain = re.sub(r"\+\s?/\s?-", " \u00b1 ", _IN_WORDS.sub(_digits, plain))
    plain = re.sub(r"\bgive\sor\stake\b|\bplus\sor\sminus\b|\bplus-minus\b", " \u00b1 ", plain)
    # "4.2 out of 10" and "on a scale from 0 to 10" have the scale in them.
    whole = re.escape(f"{endowment:g}")
    plain = re.sub(rf"\s?(?:/|\b(?:out\s)?of)\s?(?:the\s)?\$?{whole}(?![\d.]*\d)", " ", plain)
    if re.search(r"\w,\d", plain) and _TABLE_OF_COMMAS.search(plain):
        return plain.replace(",", " , ")
    # "4,20" is a number as other languages write it, where no point says that commas separate.
    return (
        plain if re.search(r"\d\.\d", plain) else re.sub(r"(?<=\d),(?=\d{1,2}(?!\d))", ".", plain)
    )


def without_spans(text: str, levels: Levels) -> str:
    """`text` without the ranges of which it goes on to choose one number."""

    def kept(found: re.Match[str]) -> str:
        span = found["span"] or found["within"]
        return found[0] if levels.code(span) is not None else " "

    return _CHOSEN.sub(kept, text)


def _digits(found: re.Match[str]) -> str:
    word, half = found["whole"] or found["spread"], found["half"] or found["more"]
    return f"{_WORDS.index(word)}{'.5' if half else ''}"
