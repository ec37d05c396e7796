"""What a prompt shows of each person under each condition, as arrays for the probability model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherminds.dataset_builders.debate.synthetic_model import Model
from otherminds.types import BoolArray

CONDITIONS: Final = ("blind", "demographics", "beliefs", "both")
"""What a prompt shows beside the proposition: nothing, the background, the known beliefs, both."""


@dataclass(frozen=True, eq=False)
class Items:
    """The test beliefs of U people: n items, of P propositions.

    people       the people's ids, in the order of their first rows
    person       (n,): the place of each item's person in `people`
    proposition  (n,): the place of each item's proposition in the model
    agrees       (n,): the answers
    """

    people: tuple[str, ...]
    person: NDArray[np.int64]
    proposition: NDArray[np.int64]
    agrees: BoolArray


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is shown of U people.

    beliefs     (U, P): 1 agrees, −1 disagrees, 0 not shown
    age_group   (U,): place of the age group, −1 not shown
    attributes  one (U,) array for each attribute of the model: place of the value, −1 not shown
    """

    beliefs: NDArray[np.int8]
    age_group: NDArray[np.int64]
    attributes: tuple[NDArray[np.int64], ...]


def items_of(table: pa.Table, model: Model) -> Items:
    """The items of a table. Raises ValueError for a proposition that is not of this population."""
    ids = table.column("user_id").to_pylist()
    place = {user: number for number, user in enumerate(dict.fromkeys(ids))}
    return Items(
        people=tuple(place),
        person=np.array([place[user] for user in ids], dtype=np.int64),
        proposition=_places(table.column("proposition").to_pylist(), model),
        agrees=np.array(table.column("agrees").to_pylist(), dtype=np.bool_),
    )


def evidence_of(table: pa.Table, items: Items, model: Model) -> Evidence:
    """All that is shown of the people of a table, read from the first row of each.

    Raises ValueError for an age, value or proposition that is not of this population.
    """
    first_rows = np.unique(items.person, return_index=True)[1]
    people = table.select(["background", "known_beliefs"]).take(pa.array(first_rows)).to_pylist()
    beliefs = np.zeros((len(people), len(model.texts)), dtype=np.int8)
    ages = np.full(len(people), -1, dtype=np.int64)
    attributes = tuple(np.full(len(people), -1, dtype=np.int64) for _ in model.attributes)
    names = [attribute.name for attribute in model.attributes]
    for number, person in enumerate(people):
        known = person["known_beliefs"]
        held = _places([belief["proposition"] for belief in known], model)
        beliefs[number, held] = [1 if belief["agrees"] else -1 for belief in known]
        for fact in person["background"]:
            name, value = fact["attribute"], fact["value"]
            if name == "age":
                ages[number] = model.age_group(int(value))
            elif name in names and value in model.attributes[names.index(name)].values:
                which = names.index(name)
                attributes[which][number] = model.attributes[which].values.index(value)
            else:
                raise ValueError(f"Nobody in this population has the {name} '{value}'.")
    return Evidence(beliefs, ages, attributes)


def shown(evidence: Evidence, condition: str) -> Evidence:
    """The part of the evidence that a condition shows. Raises ValueError for an unknown condition."""
    if condition not in CONDITIONS:
        raise ValueError(f"'{condition}' is not a condition; there are {', '.join(CONDITIONS)}.")
    if condition in ("blind", "demographics"):
        evidence = replace(evidence, beliefs=np.zeros_like(evidence.beliefs))
    if condition in ("blind", "beliefs"):
        evidence = replace(
            evidence,
            age_group=np.full_like(evidence.age_group, -1),
            attributes=tuple(np.full_like(values, -1) for values in evidence.attributes),
        )
    return evidence


def _places(texts: list[str], model: Model) -> NDArray[np.int64]:
    number = model.number_of()
    if unknown := [text for text in texts if text not in number]:
        raise ValueError(f"'{unknown[0]}' is not a proposition of this population.")
    return np.array([number[text] for text in texts], dtype=np.int64)
