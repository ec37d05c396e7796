"""What a persona has: the attributes that prompts show, those that are evaluated, and their levels.

The evaluated attributes are those of the paper's Table 3. Their levels come in two sets: `PAPER`, the
test levels of the paper's Table 5, and `BANK`, those of the public GENAGENTS bank, which has not all
that the paper names (it knows no foster care) and has levels with five people. No level is invented;
those of too few people are merged into another (`LevelSet.merged`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
    """An attribute of people: its name, what prompts call it, and its levels in natural order."""

    name: str
    label: str
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """Something that a prompt shows: its key in the bank, and what prompts call it."""

    key: str
    label: str


@dataclass(frozen=True)
class LevelSet:
    """The levels by which the people of a population are told apart.

    name       "paper" or "bank"
    ages       each level of age, in order, with its first year
    traits     the levels of each of the Big Five, from low to high
    evaluated  the evaluated attributes, in alphabetical order of their names, as in the paper's Table 3
    religion   is asked about and given in a prior, but not evaluated
    merged     by attribute: values that stand for a level of another name
    """

    name: str
    ages: tuple[tuple[str, int], ...]
    traits: tuple[str, ...]
    evaluated: tuple[Attribute, ...]
    religion: Attribute
    merged: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def ranked(self) -> tuple[Attribute, ...]:
        """The attributes whose levels a model is asked to rank: the evaluated ones, then religion."""
        return (*self.evaluated, self.religion)

    def attribute(self, name: str) -> Attribute:
        """The ranked attribute of this name; raises ValueError for another, with those there are."""
        for attribute in self.ranked:
            if attribute.name == name:
                return attribute
        names = ", ".join(attribute.name for attribute in self.ranked)
        raise ValueError(f"'{name}' is not an attribute that is asked about; there are: {names}.")

    def age_level(self, age: int) -> str:
        """The level of an age in years; raises ValueError below YOUNGEST and above OLDEST."""
        if not YOUNGEST <= age <= OLDEST:
            raise ValueError(f"an age of {age} is not between {YOUNGEST} and {OLDEST}")
        return next(level for level, first in reversed(self.ages) if age >= first)

    def level_of(self, attribute: Attribute, value: str) -> str:
        """The level that a shown value stands for: the age's bin, a merged level, or the value itself.

        Raises ValueError for a value that stands for no level of the attribute.
        """
        if attribute.name == "age":
            if not (value.isascii() and value.isdigit() and len(value) <= len(str(OLDEST))):
                raise ValueError(f"'{value}' is not an age in years")
            return self.age_level(int(value))
        level = self.merged.get(attribute.name, {}).get(value, value)
        if level not in attribute.levels:
            raise ValueError(
                f"'{value}' is not a level of {attribute.name}; levels are: "
                f"{'; '.join(attribute.levels)}"
            )
        return level


BIG_FIVE: Final = tuple(
    Field(name.casefold(), name)
    for name in ("Openness", "Conscientiousness", "Extraversion", "Agreeableness", "Neuroticism")
)
"""The traits that personas get in addition to what the bank says of them."""

_LABELS: Final = {
    "age": "Age",
    "conscientiousness": "Conscientiousness",
    "family_structure_at_16": "Family structure at age 16",
    "highest_degree": "Highest degree received",
    "openness": "Openness",
    "political_views": "Political views",
    "same_residence_since_16": "Same residence since age 16",
    "us_citizenship": "U.S. citizenship status",
    "work_status": "Work status",
}

EVALUATED_NAMES: Final = tuple(_LABELS)
"""The names of the evaluated attributes, in order; they are the same in every level set."""

_DEGREES = (
    "Less than high school",
    "High school",
    "Associate/junior college",
    "Bachelor's",
    "Graduate",
)


def _level_set(
    name: str,
    ages: tuple[tuple[str, int], ...],
    traits: tuple[str, ...],
    religion: tuple[str, ...],
    merged: Mapping[str, Mapping[str, str]],
    **levels: tuple[str, ...],
) -> LevelSet:
    known = {
        "age": tuple(level for level, _ in ages),
        "conscientiousness": traits,
        "openness": traits,
        "highest_degree": _DEGREES,
        **levels,
    }
    return LevelSet(
        name=name,
        ages=ages,
        traits=traits,
        evaluated=tuple(Attribute(one, label, known[one]) for one, label in _LABELS.items()),
        religion=Attribute("religion", "Religion", religion),
        merged=merged,
    )


PAPER: Final = _level_set(
    "paper",
    ages=(("18-29", 18), ("30-44", 30), ("45-64", 45), ("65+", 65)),
    traits=("Low", "Moderate", "High"),
    religion=("Protestant", "Orthodox Christian", "Jewish", "Muslim", "None"),
    merged={},
    family_structure_at_16=(
        "Both parents",
        "Single mother",
        "Single father",
        "Grandparents",
        "Other guardian",
        "Foster care",
    ),
    political_views=(
        "Extremely liberal",
        "Slightly liberal",
        "Slightly conservative",
        "Extremely conservative",
    ),
    same_residence_since_16=("Same city", "Same state but different city", "Different state"),
    us_citizenship=("Yes", "No"),
    work_status=("In school", "Keeping house", "Retired", "Other"),
)
"""The test levels of the paper's Table 5; the orders are ours."""

BANK: Final = _level_set(
    "bank",
    ages=(("18 to 29", 18), ("30 to 44", 30), ("45 to 59", 45), ("60 or older", 60)),
    traits=("Very low", "Low", "Average", "High", "Very high"),
    religion=(
        "Protestant",
        "Catholic",
        "Christian",
        "Orthodox-Christian",
        "Jewish",
        "Muslim/Islam",
        "Buddhism",
        "Hinduism",
        "Other",
        "None",
    ),
    # Of 3,505 people, 6 grew up in an institution and 5 in the armed forces, under LEAST_SHARE; they
    # join the 66 who left home early.
    merged={
        "family_structure_at_16": {
            "Other (left home before 16, e.g., for school)": "Other",
            "Institution": "Other",
            "Armed forces": "Other",
        }
    },
    family_structure_at_16=("Lived with parents", "Parent died", "Divorce, separated", "Other"),
    political_views=(
        "Extremely liberal",
        "Liberal",
        "Slightly liberal",
        "Moderate, middle of the road",
        "Slightly conservative",
        "Conservative",
        "Extremely conservative",
    ),
    same_residence_since_16=("Same city", "Same state, different city", "Different state"),
    us_citizenship=("A U.S. citizen", "Not a U.S. citizen"),
    work_status=(
        "Working full time",
        "Working part time",
        "With a job, but not at work because of temporary illness, vacation, strike",
        "Unemployed, laid off, looking for work",
        "Retired",
        "In school",
        "Keeping house",
        "Other",
    ),
)
"""The levels of the GENAGENTS bank."""

LEVEL_SETS: Final[Mapping[str, LevelSet]] = {one.name: one for one in (PAPER, BANK)}
"""The level sets by name."""

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


def level_set(name: str) -> LevelSet:
    """The level set of this name; raises ValueError for another, with those there are."""
    if name not in LEVEL_SETS:
        raise ValueError(f"levels is {name!r}, but must be one of: {', '.join(LEVEL_SETS)}.")
    return LEVEL_SETS[name]


def level_set_of(people: Iterable[Iterable[tuple[str, str]]]) -> LevelSet:
    """The level set that people's levels are of.

    people  of each person, (attribute, level) of the evaluated attributes

    No level of age is in two sets, so at most one set fits. Raises ValueError where none does.
    """
    found = {pair for person in people for pair in person}
    for one in LEVEL_SETS.values():
        known = {(each.name, level) for each in one.evaluated for level in each.levels}
        if found <= known:
            return one
    strangers = min(
        (
            sorted(found - {(each.name, level) for each in one.evaluated for level in each.levels})
            for one in LEVEL_SETS.values()
        ),
        key=len,
    )
    attribute, level = strangers[0]
    raise ValueError(
        f"The personas' levels are of none of the sets {', '.join(LEVEL_SETS)}: there is no level "
        f"'{level}' of {attribute} beside the others."
    )


def key_of(attribute: Attribute) -> str:
    """The key under which the bank, or the drawn traits, say what level a person has."""
    return _KEYS.get(attribute.name, attribute.name)
