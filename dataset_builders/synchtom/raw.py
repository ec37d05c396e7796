"""Raw material for users with a wrong belief: cases of which it is known what is really so.

An item gives the frame of one or several users: profile and truth are its own, and no author changes
them. `content/raw.yaml` holds 24 items; a file of the same form may stand in its place.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import yaml
from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator

from otherminds.dataset_builders.sources import SourceError
from otherminds.dataset_builders.synchtom.schema import SCENARIOS
from otherminds.dataset_builders.synchtom.wording import grams, named, overlap, runs_of
from otherminds.strict import Strict

OWN: Final = Path(__file__).with_name("content") / "raw.yaml"
"""The material that comes with the project."""

EXAMPLE: Final = "preference-film"
"""The item that the example of the pipeline is made of."""

PARTS: Final = ("test", "train")
"""What a release holds: users to score models on, and users to train models on."""

MOST_SHARED: Final = 0.1
"""Of an item's runs of five words, the share that an item of the other part may have too."""

_KINDS: Final = {
    "preference": "preference",
    "education": "question",
    "culture": "fact",
    "software_engineering": "bug report",
}
"""By scenario, the kind of its material [P]."""


def _said(text: str) -> str:
    folded = " ".join(text.split())
    if not folded:
        raise ValueError("is empty")
    return folded


Said = Annotated[str, AfterValidator(_said)]


class Preference(Strict):
    """What a user prefers, in the user's words, and what goes wrong for this user. Invented."""

    kind: Literal["preference"]
    stated: Said
    trouble: Said


class Question(Strict):
    """A question of a school subject, and its answer."""

    kind: Literal["question"]
    question: Said
    answer: Said


class Fact(Strict):
    """What is usual somewhere."""

    kind: Literal["fact"]
    where: Said
    fact: Said


class Report(Strict):
    """A bug report, and the cause that was found. Invented."""

    kind: Literal["bug report"]
    report: Said
    cause: Said


Material = Annotated[Preference | Question | Fact | Report, Field(discriminator="kind")]


class Item(Strict):
    """A case of which it is known what is really so.

    item_id   its name: small letters, digits and hyphens
    scenario  one of SCENARIOS, which says of what kind its material is
    part      "test" or "train": all users that are made of an item belong to it. By default half of all
              names fall into each, whatever other items there are
    material  what is given: a preference, a question with its answer, a fact, a bug report
    profile   who the user is
    truth     what is really the case (gold)
    remedy    what would really help (gold)
    secrets   words and phrases that name the truth, of which no text that a model is shown may have one.
              They are compared by the beginnings of their words
    fiction   whether the item is invented; preferences and bug reports are
    sources   where a fact or an answer can be looked up; needed unless the item is invented
    """

    item_id: Annotated[str, Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
    scenario: Literal["preference", "education", "culture", "software_engineering"]
    part: Literal["test", "train", ""] = ""
    material: Material
    profile: Said
    truth: Said
    remedy: Said
    secrets: Annotated[list[Said], Field(min_length=2)]
    fiction: bool
    sources: list[Said] = Field(default_factory=list)

    @model_validator(mode="after")
    def _is_whole(self) -> Item:
        wanted = _KINDS[self.scenario]
        if self.material.kind != wanted:
            raise ValueError(f"the scenario {self.scenario} needs a {wanted} as material")
        if self.fiction != (self.scenario in ("preference", "software_engineering")):
            raise ValueError(
                "preferences and bug reports are invented; questions and facts are not"
            )
        if self.fiction == bool(self.sources):
            raise ValueError("what is invented has no sources, and what is not needs one")
        if not named(self.truth, self.secrets):
            raise ValueError(
                "none of the secrets stands in the truth, so that nothing would find a leak"
            )
        if told := named(self.profile, self.secrets):
            raise ValueError(f"the profile names the truth: {', '.join(told)}")
        return self

    @property
    def belongs(self) -> str:
        """The part that it belongs to."""
        return self.part or PARTS[hashlib.sha256(self.item_id.encode()).digest()[0] % 2]

    @property
    def given(self) -> str:
        """The material as one text."""
        return as_text(self.material.model_dump())


class _File(BaseModel):
    items: list[Item]


@cache
def own() -> tuple[Item, ...]:
    """The material that comes with the project."""
    return read(OWN)


@cache
def example() -> Mapping[str, Any]:
    """By stage, the texts of one unit of the item EXAMPLE."""
    path = Path(__file__).with_name("content") / "example.yaml"
    found: Mapping[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def read(path: Path) -> tuple[Item, ...]:
    """The items of a file, YAML or JSON: a list, in its order.

    Raises SourceError for what is no such list, a name that occurs twice, and two items of different
    parts that tell the same.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if any(
            isinstance(one, yaml.AliasEvent) for one in yaml.parse(text, Loader=yaml.SafeLoader)
        ):
            raise SourceError(
                f"{path} has an alias (*name): a few lines of them can stand for billions. Write it out."
            )
        content = yaml.safe_load(text)
    except (OSError, yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError(f"Cannot read the raw material {path}: {error}") from error
    try:
        items = _File.model_validate({"items": content}).items
    except ValidationError as error:
        first = error.errors()[0]
        place = [str(part) for part in first["loc"][1:]]
        number = f"item {int(place[0]) + 1}" if place and place[0].isdigit() else "the whole"
        field = ".".join(place[1:])
        problem = first["msg"].removeprefix("Value error, ")
        raise SourceError(f"{path}, {number}{f', {field}' if field else ''}: {problem}.") from error
    if not items:
        raise SourceError(f"{path} has no items.")
    repeated = [name for name, n in Counter(one.item_id for one in items).items() if n > 1]
    if repeated:
        raise SourceError(f"{path}: the name '{repeated[0]}' is given twice; names must be unique.")
    for one, other in alike(items):
        raise SourceError(
            f"{path}: '{one}' and '{other}' tell nearly the same, but one is for training and one for "
            "the test. Give both the same part, or leave one out."
        )
    return tuple(items)


def as_text(material: Mapping[str, str]) -> str:
    """Material as one text, with a heading for each of its fields."""
    found = ((name.capitalize(), text) for name, text in material.items() if name != "kind")
    return "\n\n".join(f"{heading}:\n{text}" for heading, text in found)


def alike(items: Sequence[Item]) -> list[tuple[str, str]]:
    """Pairs of items of different parts that share more than MOST_SHARED of their runs of five words."""
    texts = [grams(runs_of([one.given, one.truth, one.profile])) for one in items]
    return [
        (items[i].item_id, items[j].item_id)
        for i, j in combinations(range(len(items)), 2)
        if items[i].belongs != items[j].belongs and overlap(texts[i], texts[j]) > MOST_SHARED
    ]


def order_of(scenario: str) -> int:
    """The place of a scenario in a dataset."""
    return SCENARIOS.index(scenario)
