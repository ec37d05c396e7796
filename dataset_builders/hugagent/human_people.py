"""Who the people of the human track are here: P-numbers, and nothing by which one could be found.

Upstream's release has P-numbers and no locations. The files before it have the ids of a recruitment
platform (`prolific_id`), postcodes, and what people wrote about where they live. None of these may
reach a row or a message, so records lose them before anything else is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from otherminds.dataset_builders.hugagent.human_files import Located
from otherminds.files import too_deep

PERSON_KEYS = ("participant_id", "prolific_id")
"""The keys under which a record may say whose it is; the first that is there counts."""

NESTED = ("demographics", "context_qas", "answer_options", "source_qa", "scale")
"""The fields that are objects or lists; the Hub's Parquet has them as JSON text."""

_RELEASED = re.compile(r"P\d+")
_RECRUITMENT = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{24}(?![0-9A-Za-z])", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
# Words in the names of attributes.
_PLACES = frozenset(
    {
        *("address", "birthplace", "borough", "cities", "city", "coordinates", "county"),
        *("district", "fips", "geo", "geocode", "geolocation", "gps", "hometown", "lat"),
        *("latitude", "lng", "location", "locations", "lon", "longitude", "metro"),
        *("municipality", "place", "postal", "postcode", "postcodes", "province", "residence"),
        *("residential", "street", "suburb", "town", "tract", "tracts", "village", "zcta", "zip"),
        *("zipcode", "zipcodes"),
    }
)
# A place alone, but not in "neighborhood safety" or "area of study".
_PLACES_ALONE = frozenset({"area", "neighborhood", "neighbourhood", "post", "region", "state"})
# They ask for a place together with one of the above or with "where".
_DWELLING = frozenset(
    {
        *("born", "grew", "grow", "growing", "grown", "live", "lived", "lives", "living"),
        *("located", "raised", "reside", "resided", "resides", "residing"),
    }
)
# "Where are you from?", but not "Where do you get news from?".
_ORIGIN = frozenset({"are", "come", "do", "from", "what", "where", "which", "you"})
_IDENTITIES = frozenset({"email", "ipaddress", "mail", "prolific", "surname", "username", "uuid"})
# They tell who somebody is together with each other, but not in "party id" or "name of plan".
_IDENTITIES_ALONE = frozenset(
    {
        *("contact", "first", "full", "handle", "id", "ids", "last", "mobile", "name", "names"),
        *("nick", "nickname", "number", "participant", "person", "phone", "respondent", "subject"),
        *("telephone", "user", "worker"),
    }
)
_FILLING = frozenset(
    {"code", "country", "current", "free", "home", "of", "text", "the", "us", "your"}
)


class Pseudonymous(NamedTuple):
    """Records without what tells who their people are, and how many people got other ids."""

    records: list[Located]
    renamed: int


def pseudonymous(records: Iterable[Mapping[str, Any]]) -> Pseudonymous:
    """The records with P-numbers for people, and without ids and locations of theirs.

    An id such as P07 stays. All others are replaced by P-numbers in the order of the ids as text,
    after the largest that is there: the same people get the same numbers, in whatever order their
    records come. An id that stands in a text is replaced there too. The numbers have nothing to do
    with those of the release.
    """
    found = [_located(record, number) for number, record in enumerate(records, start=1)]
    numbers = _numbers({_person(record) for record in found} - {""})
    renamed = {name: number for name, number in numbers.items() if name != number}
    redact = _Redaction(renamed)
    return Pseudonymous([_cleared(record, numbers, redact) for record in found], len(renamed))


def is_private(attribute: str) -> bool:
    """Whether a demographic attribute says where somebody lives or comes from, or who they are."""
    read = [word.casefold() for word in _WORD.findall(attribute)]
    words = set(read) - _FILLING
    # "post_code" and "Post Code" are a postcode.
    compounds = {first + second for first, second in pairwise(read)}
    if not (words | compounds).isdisjoint(_PLACES | _IDENTITIES):
        return True
    if not words:
        return False
    if words <= _PLACES_ALONE | {"name"} or words <= _IDENTITIES_ALONE:
        return True
    if words.isdisjoint(_PLACES_ALONE | {"where"}):
        return False
    return not words.isdisjoint(_DWELLING) or "from" in words <= _ORIGIN | _PLACES_ALONE


def unnested(demographics: Any) -> Any:
    """Demographics that stand under the id of their person, without it."""
    if not isinstance(demographics, Mapping):
        return demographics
    inner = list(demographics.values())
    if not inner or not all(isinstance(value, Mapping) for value in inner):
        return demographics
    return {key: value for one in inner for key, value in one.items()}


def _located(record: Mapping[str, Any], number: int) -> Located:
    return record if isinstance(record, Located) else Located(record, f"record {number}")


def _person(record: Mapping[str, Any]) -> str:
    for key in PERSON_KEYS:
        said = record.get(key)
        if isinstance(said, str | int) and str(said).strip():
            return str(said).strip()
    return ""


def _numbers(people: set[str]) -> dict[str, str]:
    kept = {name for name in people if _RELEASED.fullmatch(name)}
    last = max((int(name[1:]) for name in kept), default=0)
    others: Sequence[str] = sorted(people - kept)
    given = {name: f"P{place:02d}" for place, name in enumerate(others, start=last + 1)}
    return {**{name: name for name in kept}, **given}


class _Redaction:
    """Replaces the ids of people in all texts of a value."""

    def __init__(self, numbers: Mapping[str, str]) -> None:
        # Shorter ids would be found in texts that mean something else.
        self._numbers = {name.casefold(): to for name, to in numbers.items() if len(name) >= 6}
        ids = "|".join(map(re.escape, sorted(self._numbers, key=len, reverse=True)))
        self._known = re.compile(rf"(?<![0-9A-Za-z])(?:{ids})(?![0-9A-Za-z])", re.IGNORECASE)
        # Items of one person repeat their interview.
        self._seen: dict[str, str] = {}

    def __call__(self, value: Any) -> Any:
        if isinstance(value, str):
            if value not in self._seen:
                self._seen[value] = self._text(value)
            return self._seen[value]
        if isinstance(value, Mapping):
            return {self(key): self(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self(inner) for inner in value]
        return value

    def _text(self, text: str) -> str:
        # A lone half of a surrogate pair is valid JSON, but no text that could be written.
        found = text.encode("utf-8", "replace").decode("utf-8")
        if self._numbers:
            found = self._known.sub(lambda match: self._numbers[match[0].casefold()], found)
        return _RECRUITMENT.sub(self._whole, found)

    def _whole(self, match: re.Match[str]) -> str:
        """A whole id of the platform: files cut it to its beginning."""
        whole = match[0].casefold()
        for name, number in self._numbers.items():
            if whole.startswith(name):
                return number
        return "[id]"


def _cleared(record: Located, numbers: Mapping[str, str], redact: _Redaction) -> Located:
    person = _person(record)
    kept = {
        key: redact(as_json(value) if key in NESTED else value)
        for key, value in record.items()
        if key not in PERSON_KEYS
    }
    if person:
        kept["participant_id"] = numbers[person]
    return Located(kept, redact(record.where), task=record.task, topic=record.topic)


def as_json(value: Any) -> Any:
    """JSON text as what it says; all else as it is."""
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return value if too_deep(found) else found
