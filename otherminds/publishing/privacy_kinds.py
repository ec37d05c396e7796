"""Kinds of text that must not be published: they point at a person or open a door.

Each kind has a `trigger`, which a fast regular expression engine (RE2) can look for in a whole column
and which holds wherever the `pattern` does, and the `pattern` that decides, perhaps with a check of
digits.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple


def _anything(text: str) -> bool:
    return True


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _dialable(text: str) -> bool:
    return 7 <= len(_digits(text)) <= 15


def luhn(text: str) -> bool:
    """Whether the digits of `text` are 13 to 19 with the check digit of payment cards (Luhn)."""
    digits = [int(digit) for digit in reversed(_digits(text))]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return 13 <= len(digits) <= 19 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Whether `text` has the check digits of a bank account number (ISO 13616: remainder 1 of 97)."""
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


def _public_address(text: str) -> bool:
    """Private, local and documentation addresses belong to no person."""
    try:
        return ipaddress.ip_address(text).is_global
    except ValueError:
        return False


def _mixed(text: str) -> bool:
    """As keys are and words are not: capitals, small letters and several digits without an order."""
    return (
        sum(sign.isdigit() for sign in text) >= 3
        and any(sign.isupper() for sign in text)
        and any(sign.islower() for sign in text)
    )


def _hexadecimal(text: str) -> bool:
    return any(sign.isdigit() for sign in text) and any(sign.isalpha() for sign in text)


class Kind(NamedTuple):
    """One kind of text.

    name      as findings and exceptions name it
    trigger   in the syntax of RE2; found in every text in which the pattern is
    pattern   the pattern of such a text
    confirm   whether a match is really one
    """

    name: str
    trigger: str
    pattern: re.Pattern[str]
    confirm: Callable[[str], bool] = _anything


class Hit(NamedTuple):
    """Something found in a text, from `start` to `end`."""

    kind: str
    start: int
    end: int


_ROAD = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Terrace"
    r"|Circle|Cir|Highway|Hwy|Parkway|Pkwy|Square|Sq|Close|Crescent"
    r"|STREET|ST|AVENUE|AVE|ROAD|RD|BOULEVARD|BLVD|LANE|LN|DRIVE|DR|COURT|CT)"
)
_LOWER_ROAD = r"(?:street|avenue|road|boulevard|lane|drive|court|terrace)"
_HOUSE = rf"\d{{1,5}}[A-Za-z]?\s+(?:(?:[A-Z][\w'’.-]*|\d{{1,3}}(?:st|nd|rd|th))\s+){{1,4}}{_ROAD}"
_AT_HOME = (
    r"(?:[Ll]ives?|[Ll]iving|[Aa]ddress|[Rr]esid\w+|[Hh]ome)\b[^.\n]{0,20}?\b\d{1,5}\s+\w+(?:\s+\w+)?\s+"
    rf"{_LOWER_ROAD}"
)
_STATE = (
    "(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]"
    "|UT|V[AT]|W[AIVY])"
)
_POSTCODE = rf"{_STATE}\s+\d{{5}}(?:-\d{{4}})?|[A-Z]{{1,2}}\d[A-Z\d]?\s\d[A-Z]{{2}}"
_BOX = r"[Pp]\.?\s?[Oo]\.?\s?[Bb]ox\s+\d+"
_STRASSE = r"[A-ZÄÖÜ][a-zäöüß]+(?:straße|strasse|str\.)\s+\d{1,4}"

# The hosts of profiles, and the path of a profile on them.
_PROFILE = (
    r"(?:linkedin\.com/in/|reddit\.com/u(?:ser)?/|youtube\.com/(?:@|user/|channel/)|bsky\.app/profile/"
    r"|snapchat\.com/add/|steamcommunity\.com/(?:id|profiles)/|stackoverflow\.com/users/|orcid\.org/"
    r"|scholar\.google\.\w+/citations\?(?:\w+=\w+&)*user=|profiles\.google\.com/"
    r"|(?:twitter|x|facebook|instagram|pinterest|vk|myspace)\.com/|(?:t|telegram|wa)\.me/|debate\.org/"
    r"|keybase\.io/|[a-z0-9.-]+\.[a-z]{2,}/@)[\w.%=+-]{2,}"
)
_HOSTING = r"(?:github\.com|gitlab\.com|bitbucket\.org|huggingface\.co)/[\w.-]{2,}"

# Keys and tokens by the marks that their issuers put into them; `test_tokens` says which are left out.
_TOKENS = (
    *(r"hf_[A-Za-z0-9]{16,}", r"sk-(?:\w*-)*[A-Za-z0-9_]{16,}", r"sk-ant-[\w-]{20,}"),
    *(
        r"gh[pousr]_[A-Za-z0-9_]{20,}",
        r"github_pat_\w{20,}",
        r"gl(?:pat|dt|ft|rt|cbt|ptt|imt|soat|agent|oas|ffct|wt)-[\w-]{16,}",
    ),
    *(r"GR1348941[\w-]{16,}", r"A(?:[KS]IA|BIA|CCA|3T[0-9A-Z])[0-9A-Z]{16}"),
    *(r"AIza[\w-]{30,}", r"ya29\.[\w-]{20,}", r"AccountKey=[A-Za-z0-9+/=]{40,}"),
    *(r"(?i:xox[abeprs])-[A-Za-z0-9-]{10,}", r"(?i:xox[abeoprs]-\d+-[a-z0-9])[\w-]*"),
    *(r"(?i:hooks\.slack\.com/services/\w+/\w+)/\w+", r"\d{8,10}:[\w-]{35}"),
    *(r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27}", r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    *(
        r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
        r"sq0[a-z]{3}-[\w\\-]{22,}",
        r"(?:AC|SK)[a-z0-9]{32}",
    ),
    *(r"[0-9a-z]{32}-us\d{1,2}", r"npm_[A-Za-z0-9]{20,}", r"_authToken=\s*\S+", r"pypi-[\w-]{50,}"),
    *(
        r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}",
        r"(?:-----)?BEGIN [A-Z0-9 ]*PRIVATE KEY",
        "PuTTY-User-Key-File",
    ),
)
_TOKEN = f"(?:{'|'.join(_TOKENS)})"
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_TOP_LEVEL = r"(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]+)"
_CALL = r"(?:[Tt]el|[Pp]hone|[Cc]all|[Ff]ax|[Mm]obile|[Cc]ell|[Ww]hats[Aa]pp)"
_MANY_DIGITS = r"(?:\d[\s()./-]{0,3}){7}"

KINDS: Final = (
    Kind("token", _TOKEN, re.compile(rf"(?<!\w){_TOKEN}")),
    Kind(
        "e-mail",
        "@",
        re.compile(
            r"[^\s@,;:<>()\[\]\"]{1,64}@[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)*"
            rf"\.{_TOP_LEVEL}"
        ),
    ),
    Kind(
        "profile",
        r"(?i)\.[a-z]{2,}/",
        re.compile(
            rf"(?<![\w.-])(?:https?://)?(?:(?:www|m|old|mobile|\w\w)\.)?(?:{_PROFILE}|{_HOSTING}(?![\w.-]*/\w))",
            re.IGNORECASE,
        ),
    ),
    Kind("handle", "@", re.compile(r"(?<![\w@./])@[A-Za-z_]\w{2,29}(?![\w{/])")),
    Kind("uuid", _UUID, re.compile(rf"(?<![0-9a-zA-Z]){_UUID}(?![0-9a-zA-Z])")),
    Kind(
        "hash",
        "[0-9a-fA-F]{20}",
        re.compile(r"(?<![\w.])[0-9a-fA-F]{20,}(?!\w)"),
        _hexadecimal,
    ),
    Kind("random id", "[0-9A-Za-z]{20}", re.compile(r"(?<!\w)[0-9A-Za-z]{20,}(?!\w)"), _mixed),
    Kind(
        "ip address",
        r"\d\.\d{1,3}\.\d{1,3}\.\d|[0-9A-Fa-f]:[0-9A-Fa-f:]+:[0-9A-Fa-f]",
        re.compile(
            r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)"
            r"|(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4}:?){1,6}(?![\w:])"
        ),
        _public_address,
    ),
    Kind(
        "social security number",
        r"\d{3}-\d{2}-\d{4}",
        re.compile(r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])"),
    ),
    Kind(
        "payment card",
        _MANY_DIGITS,
        re.compile(
            r"(?<![\w.-])[3-6]\d{3}[ -]?(?:\d{6}[ -]?\d{5}|\d{4}[ -]?\d{4}[ -]?\d{1,7})(?![\w-]|\.\d)"
        ),
        luhn,
    ),
    Kind(
        "bank account",
        r"[A-Z]{2}\d{2} ?[A-Z0-9]{4}",
        re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"),
        iban,
    ),
    Kind(
        "phone number",
        _MANY_DIGITS,
        re.compile(
            r"(?<![\w+.])\+\d{1,3}[\s().-]{0,2}(?:\d[\s().-]{0,2}){6,13}\d(?!\w)"
            r"|(?<![\w.-])(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,2}[2-9]\d{2}[ .-]\d{4}(?![\w-]|\.\d)"
            r"|(?<![\w.-])0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,5}(?![\w-])"
            r"|(?<![\w.-])0\d(?:[ .-]\d{2}){4}(?![\w-])"
            rf"|(?<!\w){_CALL}\b\W{{0,3}}(?:[A-Za-z]+\W+){{0,2}}?\d{{3}}[ .-]?\d{{4}}(?![\w-])"
        ),
        _dialable,
    ),
    Kind(
        "street address",
        rf"{_HOUSE}|{_AT_HOME}|{_BOX}|{_STRASSE}|{_POSTCODE}",
        re.compile(
            rf"(?<![\w.,$-])(?:{_HOUSE}|{_POSTCODE})(?!\w)|(?<!\w)(?:{_AT_HOME}|{_BOX}|{_STRASSE})(?!\w)"
        ),
    ),
    Kind("long number", _MANY_DIGITS, re.compile(r"(?<![\w.])\d{9,}(?!\w|\.\d)")),
)
"""All kinds; of two that are found in the same place, the first counts."""

USER_NAME: Final = "user name"
"""The kind of a known name (`names_pattern`)."""

TRIGGER: Final = "|".join(f"(?:{trigger})" for trigger in dict.fromkeys(k.trigger for k in KINDS))
"""Holds in every text in which some kind is found."""

_WORD = re.compile(r"[\w.-]*\w")


def find(text: str) -> Iterator[Hit]:
    """Everything of any kind in a text; no two hits overlap."""
    taken: list[tuple[int, int]] = []
    for kind in KINDS:
        for match in kind.pattern.finditer(text):
            start, end = match.span()
            free = all(end <= other[0] or other[1] <= start for other in taken)
            if free and kind.confirm(match.group()):
                taken.append((start, end))
                yield Hit(kind.name, start, end)


class Names:
    """Known user names, where they can be distinguished from words.

    A name with a digit, a mark or a capital inside ("mc_donald", "KingOfFools7") is found in any text.
    One that could be a word ("freedom", "Reason") is a user's only where it is all of a text: otherwise
    every text on freedom would name somebody.
    """

    def __init__(self, names: Iterable[str]) -> None:
        known = {name for name in names if len(name) > 2}
        self._alone = frozenset(name.casefold() for name in known)
        self._anywhere = frozenset(name for name in known if not _could_be_word(name))

    def __bool__(self) -> bool:
        return bool(self._alone)

    def find(self, text: str) -> Iterator[Hit]:
        """The names in a text."""
        stripped = text.strip()
        if stripped.casefold() in self._alone:
            start = text.index(stripped)
            yield Hit(USER_NAME, start, start + len(stripped))
            return
        for match in _WORD.finditer(text):
            if match.group() in self._anywhere:
                yield Hit(USER_NAME, *match.span())


def _could_be_word(name: str) -> bool:
    return name.isalpha() and (name[1:].islower() or name.isupper())
