"""From people, wherever they come from, to the rows of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from otherminds.dataset_builders.draws import rank
from otherminds.dataset_builders.trust_game.attributes import (
    BIG_FIVE,
    SHOWN_FIELDS,
    LevelSet,
    key_of,
)
from otherminds.dataset_builders.trust_game.sample import draw_sample
from otherminds.dataset_builders.trust_game.schema import PERSONA, SAMPLE, SAMPLE_COLUMN, SPLITS

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the source.

    key      what the person's draws depend on: unique in the source
    values   what the source says of the person, by the keys of `attributes.PERSONA_FIELDS`
    """

    key: str
    values: Mapping[str, str]


def persona_ids(source: str, count: int) -> list[str]:
    """The ids of `count` people of a source: "genagents-0001" and on."""
    digits = max(_DIGITS, len(str(count)))
    return [f"{source}-{number:0{digits}d}" for number in range(1, count + 1)]


def big_five(seed: int, key: str, traits: Sequence[str]) -> dict[str, str]:
    """The Big Five of a person, by trait: each level of `traits` equally likely, and independent.

    Each depends on the seed, the person and the trait alone, so neither the order of the source nor
    who else is in it matters.
    """
    return {trait.key: _drawn(seed, key, trait.key, traits) for trait in BIG_FIVE}


def splits(keys: Sequence[str], seed: int) -> dict[str, str]:
    """The split of each person: 60 % train, 20 % validation (both rounded down), the rest test.

    A seeded order of the keys is cut in three, so the counts are exact and the order in which the
    keys come does not matter.
    """
    order = sorted(keys, key=lambda key: rank(seed, "split", key))
    train, validation = 3 * len(order) // 5, len(order) // 5
    sizes = (train, validation, len(order) - train - validation)
    names = [name for name, size in zip(SPLITS, sizes, strict=True) for _ in range(size)]
    return dict(zip(order, names, strict=True))


def personas(people: Sequence[Person], source: str, seed: int, levels: LevelSet) -> pa.Table:
    """The table of `schema.PERSONA` of these people, who are numbered in the order of their keys.

    Raises ValueError for a value that stands for no level, and where the sample cannot be drawn
    (see `sample.draw_sample`).
    """
    ordered = sorted(people, key=lambda one: one.key)
    values = {one.key: {**one.values, **big_five(seed, one.key, levels.traits)} for one in ordered}
    own = {
        key: tuple(levels.level_of(one, said[key_of(one)]) for one in levels.evaluated)
        for key, said in values.items()
    }
    split_of = splits(list(values), seed)
    test = {key: own[key] for key in values if split_of[key] == "test"}
    sample = draw_sample(test, levels.evaluated, size=SAMPLE, seed=seed)
    rows = [
        {
            "persona_id": persona_id,
            "split": split_of[key],
            "attributes": [
                {"attribute": field.label, "value": said[field.key]} for field in SHOWN_FIELDS
            ],
            "levels": [
                {"attribute": attribute.name, "level": level}
                for attribute, level in zip(levels.evaluated, own[key], strict=True)
            ],
            SAMPLE_COLUMN: key in sample,
        }
        for persona_id, (key, said) in zip(
            persona_ids(source, len(ordered)), values.items(), strict=True
        )
    ]
    return pa.Table.from_pylist(rows, schema=PERSONA)


def _drawn(seed: int, key: str, trait: str, levels: Sequence[str]) -> str:
    # 2^256 is so large that the remainder is as good as uniform.
    return levels[int.from_bytes(rank(seed, "trait", trait, key)) % len(levels)]
