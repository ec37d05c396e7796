"""What a persona has: the attributes that prompts show, and those that are evaluated.

The evaluated attributes are those of the paper's Table 3. Their levels are those of the public bank,
which has not all that the paper names: it knows no foster care, and it has levels with five people.
No level is invented here; those of too few people are merged into another (`MERGED`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

LEAST_SHARE: Final = 0.01
"""A level that fewer than this share of the people have is merged into another.

A split holds some hundreds of people and the default sample 50. A rarer level would be missing from
many a draw, and the mean of what two or three people send says nothing of a level.
"""

YOUNGEST: Final = 18
OLDEST: Final = 120
"""The ages, in years, that a persona may have."""


@dataclass(frozen=True)
class Attribute:
    """An evaluated attribute: its name, what prompts call it, and its levels in natural order."""

    name: str
    label: str
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """Something that a prompt shows: its key in the bank, and what prompts call it."""

    key: str
    label: str


TRAIT_LEVELS: Final = ("Very low", "Low", "Average", "High", "Very high")
"""The levels of each of the Big Five, from low to high."""

BIG_FIVE: Final = tuple(
    Field(name.casefold(), name)
    for name in ("Openness", "Conscientiousness", "Extraversion", "Agreeableness", "Neuroticism")
)
"""The traits that personas get in addition to what the bank says of them."""

_AGES: Final = (("18 to 29", 18), ("30 to 44", 30), ("45 to 59", 45), ("60 or older", 60))

EVALUATED: Final = (
    Attribute("age", "Age", tuple(level for level, _ in _AGES)),
    Attribute("conscientiousness", "Conscientiousness", TRAIT_LEVELS),
    Attribute(
        "family_structure_at_16",
        "Family structure at age 16",
        ("Lived with parents", "Parent died", "Divorce, separated", "Other"),
    ),
    Attribute(
        "highest_degree",
        "Highest degree received",
        (
            "Less than high school",
            "High school",
            "Associate/junior college",
            "Bachelor's",
            "Graduate",
        ),
    ),
    Attribute("openness", "Openness", TRAIT_LEVELS),
    Attribute(
        "political_views",
        "Political views",
        (
            "Extremely liberal",
            "Liberal",
            "Slightly liberal",
            "Moderate, middle of the road",
            "Slightly conservative",
            "Conservative",
            "Extremely conservative",
        ),
    ),
    Attribute(
        "same_residence_since_16",
        "Same residence since age 16",
        ("Same city", "Same state, different city", "Different state"),
    ),
    Attribute(
        "us_citizenship", "U.S. citizenship status", ("A U.S. citizen", "Not a U.S. citizen")
    ),
    Attribute(
        "work_status",
        "Work status",
        (
            "Working full time",
            "Working part time",
            "With a job, but not at work because of temporary illness, vacation, strike",
            "Unemployed, laid off, looking for work",
            "Retired",
            "In school",
            "Keeping house",
            "Other",
        ),
    ),
)
"""The evaluated attributes, in alphabetical order of their names, as in the paper's Table 3."""

MERGED: Final[Mapping[str, Mapping[str, str]]] = {
    "family_structure_at_16": {
        "Other (left home before 16, e.g., for school)": "Other",
        "Institution": "Other",
        "Armed forces": "Other",
    }
}
"""By attribute: levels of the bank that go by another name here.

Of 3,505 people, 6 grew up in an institution and 5 in the armed forces, under LEAST_SHARE; they join
the 66 who left home early.
"""

_KEYS: Final = {
    "highest_degree": "highest_degree_received",
    "us_citizenship": "us_citizenship_status",
}

PERSONA_FIELDS: Final = (
    Field("age", "Age"),
    Field("sex", "Sex"),
    Field("detailed_race", "Race"),
    Field("ethnicity", "Family origin"),
    Field("state", "State of residence"),
    Field("born_in_us", "Born in the United States"),
    Field("us_citizenship_status", "U.S. citizenship status"),
    Field("speak_other_language", "Speaks a language other than English"),
    Field("residence_at_16", "Region of residence at age 16"),
    Field("same_residence_since_16", "Same residence since age 16"),
    Field("family_structure_at_16", "Family structure at age 16"),
    Field("family_income_at_16", "Family income at age 16"),
    Field("fathers_highest_degree", "Father's highest degree"),
    Field("mothers_highest_degree", "Mother's highest degree"),
    Field("mothers_work_history", "Mother worked while the person was growing up"),
    Field("highest_degree_received", "Highest degree received"),
    Field("work_status", "Work status"),
    Field("total_wealth", "Total wealth"),
    Field("marital_status", "Marital status"),
    Field("military_service_duration", "Military service"),
    Field("religion", "Religion"),
    Field("religion_at_16", "Religion at age 16"),
    Field("political_views", "Political views"),
    Field("party_identification", "Party identification"),
)
"""What prompts show of the bank, in this order: its values, and the exact age.

Left out: names, street address, city and agent id, because they point at somebody; `race`, which
`detailed_race` says more exactly; and `hispanic_origin`, which is "Not Hispanic" for everybody, also
for the hundreds whose detailed race is "Hispanic or Latino".
"""

SHOWN_FIELDS: Final = (*PERSONA_FIELDS, *BIG_FIVE)
"""All that a prompt shows of a persona, in this order."""


def evaluated(name: str) -> Attribute:
    """The evaluated attribute of this name; raises ValueError for another, with those there are."""
    for attribute in EVALUATED:
        if attribute.name == name:
            return attribute
    names = ", ".join(attribute.name for attribute in EVALUATED)
    raise ValueError(f"'{name}' is no evaluated attribute; there are: {names}.")


def key_of(attribute: Attribute) -> str:
    """The key under which the bank, or the drawn traits, say what level a person has."""
    return _KEYS.get(attribute.name, attribute.name)


def age_level(age: int) -> str:
    """The level of an age in years; raises ValueError below YOUNGEST and above OLDEST."""
    if not YOUNGEST <= age <= OLDEST:
        raise ValueError(f"an age of {age} is not between {YOUNGEST} and {OLDEST}")
    return next(level for level, first in reversed(_AGES) if age >= first)


def level_of(attribute: Attribute, value: str) -> str:
    """The level that a shown value stands for: the age's bin, a merged level, or the value itself.

    Raises ValueError for a value that stands for no level of the attribute.
    """
    if attribute.name == "age":
        if not (value.isascii() and value.isdigit() and len(value) <= len(str(OLDEST))):
            raise ValueError(f"'{value}' is no age in years")
        return age_level(int(value))
    level = MERGED.get(attribute.name, {}).get(value, value)
    if level not in attribute.levels:
        raise ValueError(
            f"'{value}' is no level of {attribute.name}; levels are: {'; '.join(attribute.levels)}"
        )
    return level
