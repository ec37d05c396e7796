"""Checks of a table of personas. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import pyarrow as pa

from otherminds.dataset_builders.trust_game.attributes import (
    BIG_FIVE,
    LEAST_SHARE,
    SHOWN_FIELDS,
    LevelSet,
)
from otherminds.dataset_builders.trust_game.people import persona_ids
from otherminds.dataset_builders.trust_game.sample import LEAST
from otherminds.dataset_builders.trust_game.schema import PERSONA, SAMPLE, SAMPLE_COLUMN, SPLITS
from otherminds.dataset_builders.verdict import Audit, none, verdict

MARGIN: Final = 0.07
"""How far the sample's share of a level may be from the split's, beyond what rare levels force.

It is the largest standard error that a share can have in a simple draw of 50.
"""

_ERRORS_ALLOWED = 5.0

Row: TypeAlias = Mapping[str, Any]


def audit_table(
    table: pa.Table, *, source: str, levels: LevelSet, secrets: frozenset[str] = frozenset()
) -> list[Audit]:
    """All audits of a table, passed and failed.

    source    the beginning of its persona ids
    levels    the levels that its people are told apart by
    secrets   ids, names and addresses of the source, which must not stand anywhere in the table
    """
    right = table.schema.equals(PERSONA) and table.num_rows > 0
    first = verdict(
        "schema",
        right,
        len(table.schema),
        f"columns, which must be {', '.join(PERSONA.names)}, of their types, with rows",
    )
    if not right:
        return [first]
    rows = table.to_pylist()
    found = [first, verdict("personas", True, len(rows), "personas"), _ids(rows, source)]
    if secrets:
        found.append(_no_secrets(rows, secrets))
    wrong = _shown(rows, levels)
    found += wrong
    if all(audit.passed for audit in wrong):
        found += [
            _merged(rows, levels),
            *_levels(rows, levels),
            *_splits(rows),
            *_sample(rows, levels),
            *_traits(rows, levels),
        ]
    return found


def _no_secrets(rows: Sequence[Row], secrets: frozenset[str]) -> Audit:
    everything = "\n".join(sorted(set(_texts(rows)))).casefold()
    count = sum(secret.casefold() in everything for secret in secrets)
    # By number only: an audit's text is published.
    return verdict(
        "no_secrets",
        not count,
        count,
        f"of {len(secrets)} agent ids, full names and street addresses that occur in the rows",
    )


def _ids(rows: Sequence[Row], source: str) -> Audit:
    expected = persona_ids(source, len(rows))
    wrong = [
        row["persona_id"]
        for row, persona_id in zip(rows, expected, strict=True)
        if row["persona_id"] != persona_id
    ]
    return none("ids", wrong, f"persona ids that are not {expected[0]} to {expected[-1]}, in order")


def _shown(rows: Sequence[Row], known: LevelSet) -> list[Audit]:
    """Every persona shows all fields and no others, and has the levels that these stand for."""
    labels = [field.label for field in SHOWN_FIELDS]
    names = [attribute.name for attribute in known.evaluated]
    fields, levels = [], []
    for row in rows:
        said = {one["attribute"]: one["value"] for one in row["attributes"]}
        if [one["attribute"] for one in row["attributes"]] != labels or not all(said.values()):
            fields.append(row["persona_id"])
        elif [one["attribute"] for one in row["levels"]] != names or not _agree(said, row, known):
            levels.append(row["persona_id"])
    return [
        none("attributes_shown", fields, f"personas that do not show the {len(labels)} attributes"),
        none("levels_shown", levels, "personas whose levels are not those of what they show"),
    ]


def _agree(said: Mapping[str, str], row: Row, known: LevelSet) -> bool:
    try:
        levels = [known.level_of(one, said[one.label]) for one in known.evaluated]
    except ValueError:
        return False
    return levels == [one["level"] for one in row["levels"]]


def _merged(rows: Sequence[Row], known: LevelSet) -> Audit:
    """How many people are counted under another level than the one the source gives them."""
    labels = {attribute.label: attribute.name for attribute in known.evaluated}
    found = Counter(
        one["value"]
        for row in rows
        for one in row["attributes"]
        if one["value"] in known.merged.get(labels.get(one["attribute"], ""), {})
    )
    said = ", ".join(f"{count} of '{level}'" for level, count in sorted(found.items()))
    return verdict(
        "levels_merged",
        True,
        sum(found.values()),
        "personas counted under another level than the source's" + (f": {said}" if said else ""),
    )


def _levels(rows: Sequence[Row], known: LevelSet) -> Iterator[Audit]:
    counts = _counts(rows, known)
    single = [
        attribute.name
        for attribute in known.evaluated
        if sum(counts[attribute.name, level] > 0 for level in attribute.levels) < 2
    ]
    yield none(
        "several_levels", single, "attributes of which everybody has the same level", kind="stated"
    )
    rare = min(counts, key=lambda key: counts[key])
    share = counts[rare] / len(rows)
    yield verdict(
        "level_minimum",
        share >= LEAST_SHARE,
        round(share, 4),
        f"of the personas have the rarest level, '{rare[1]}' of {rare[0]}; below {LEAST_SHARE} it "
        "should be merged into another",
        kind="stated",
    )


def _splits(rows: Sequence[Row]) -> Iterator[Audit]:
    found = Counter(row["split"] for row in rows)
    total = len(rows)
    wanted = {"train": 3 * total // 5, "validation": total // 5}
    wanted["test"] = total - sum(wanted.values())
    yield verdict(
        "splits",
        dict(found) == wanted,
        "/".join(str(found[name]) for name in SPLITS),
        f"personas in {'/'.join(SPLITS)}, wanted {'/'.join(str(wanted[name]) for name in SPLITS)}",
    )


def _sample(rows: Sequence[Row], known: LevelSet) -> Iterator[Audit]:
    sample = [row for row in rows if row[SAMPLE_COLUMN]]
    yield verdict("sample_size", len(sample) == SAMPLE, len(sample), f"personas, of {SAMPLE}")
    outside = [row["persona_id"] for row in sample if row["split"] != "test"]
    yield none("sample_of_test", outside, "personas of the sample from another split than test")
    split = [row for row in rows if row["split"] == "test"]
    if not sample or not split:
        return
    counts, all_counts = _counts(sample, known), _counts(split, known)
    missing = [f"{name} '{level}'" for (name, level), count in counts.items() if not count]
    yield none("sample_levels", missing, "levels that nobody in the sample has", kind="stated")
    few = [
        f"{name} '{level}'"
        for (name, level), count in counts.items()
        if count < min(LEAST, all_counts[name, level])
    ]
    yield none(
        "sample_levels_twice",
        few,
        f"levels that fewer than {LEAST} in the sample have",
        kind="stated",
    )
    yield _margins(counts, len(sample), all_counts, len(split), known)


def _margins(
    counts: Mapping[tuple[str, str], int],
    size: int,
    all_counts: Mapping[tuple[str, str], int],
    total: int,
    known: LevelSet,
) -> Audit:
    largest, where, passed = 0.0, "none", True
    for attribute in known.evaluated:
        keys = [(attribute.name, level) for level in attribute.levels]
        shares = {key: all_counts[key] / total for key in keys}
        forced = sum(max(0.0, LEAST / size - share) for share in shares.values())
        for key in keys:
            difference = abs(counts[key] / size - shares[key])
            passed &= difference <= MARGIN + forced
            if difference > largest:
                largest, where = difference, f"'{key[1]}' of {key[0]}"
    return verdict(
        "sample_margins",
        passed,
        round(largest, 4),
        f"largest difference between the shares of a level in the sample and in its split, {where}; "
        f"at most {MARGIN} is wanted, and more where rare levels take their place",
        kind="stated",
    )


def _traits(rows: Sequence[Row], known: LevelSet) -> Iterator[Audit]:
    """Each level of each trait is as frequent as chance makes it."""
    share = 1 / len(known.traits)
    error = math.sqrt(share * (1 - share) / len(rows))
    worst = 0.0
    for trait in BIG_FIVE:
        values = [
            one["value"]
            for row in rows
            for one in row["attributes"]
            if one["attribute"] == trait.label
        ]
        for level in known.traits:
            worst = max(worst, abs(values.count(level) / len(rows) - share) / error)
    yield verdict(
        "big_five_uniform",
        worst <= _ERRORS_ALLOWED,
        round(worst, 4),
        f"largest difference between the share of a level and {share:g}, in standard errors; at most "
        f"{_ERRORS_ALLOWED:g} is wanted",
        kind="stated",
    )


def _counts(rows: Sequence[Row], known: LevelSet) -> dict[tuple[str, str], int]:
    found = Counter((one["attribute"], one["level"]) for row in rows for one in row["levels"])
    return {
        (attribute.name, level): found[attribute.name, level]
        for attribute in known.evaluated
        for level in attribute.levels
    }


def _texts(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield row["persona_id"]
        yield row["split"]
        for pairs in (row["attributes"], row["levels"]):
            for pair in pairs:
                yield from filter(None, pair.values())
