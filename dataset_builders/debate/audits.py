"""Checks of a built debate dataset. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.debate.demographics import ATTRIBUTES
from otherminds.dataset_builders.debate.duplicates import key_of
from otherminds.dataset_builders.debate.embedding import Embed
from otherminds.dataset_builders.debate.leakage import chronology, cosines
from otherminds.dataset_builders.debate.rows import persons
from otherminds.dataset_builders.debate.schema import BELIEF, CATEGORIES, Built
from otherminds.dataset_builders.debate.text import plain
from otherminds.dataset_builders.debate.titles import unmistakable
from otherminds.dataset_builders.verdict import Audit, has_schema, none, verdict

__all__ = ["Audit", "audit_built"]

_USER = re.compile(r"U(?:\d{1,15}|[0-9a-f]{16})")
_WORD = re.compile(r"\w[\w.-]*\w")
_BACKGROUND = frozenset((*ATTRIBUTES, "political party"))


def audit_built(
    built: Built,
    *,
    source: str,
    min_beliefs: int | None = None,
    embed: Embed | None = None,
    max_cosine: float = 1.0,
) -> list[Audit]:
    """All audits of a build, passed and failed.

    source        the beginning of its item ids
    min_beliefs   how many beliefs each person must have in the table; None where a filter may have
                  left fewer
    embed         given, the cosine of every known with every test belief of a person is computed anew
    """
    table = built.table
    found = [
        verdict("rows", table.num_rows > 0, table.num_rows, "test beliefs"),
        has_schema(table, BELIEF),
    ]
    found += _ids(table, source)
    found += _people(table, min_beliefs)
    found += _texts(table)
    found += _funnel(built)
    found += _names(built)
    found += chronology(built)
    if embed is not None:
        found.append(cosines(table, embed, max_cosine))
    return found


def _ids(table: pa.Table, source: str) -> Iterator[Audit]:
    items, users = table["item_id"].to_pylist(), table["user_id"].to_pylist()
    repeated = [name for name, count in Counter(items).items() if count > 1]
    yield none("ids_unique", repeated, "item ids that occur more than once")
    form = re.compile(rf"{re.escape(source)}-\d{{6,}}")
    wrong = [name for name in items if not form.fullmatch(name)]
    wrong += [name for name in set(users) if not _USER.fullmatch(name)]
    yield none("ids_form", wrong, f"ids that are not of the form {source}-000001 or U and digits")
    keys = list(zip(users, items, strict=True))
    misplaced = [after[1] for before, after in pairwise(keys) if not before < after]
    yield none("order", misplaced, "rows not in the order of user and item")


def _people(table: pa.Table, min_beliefs: int | None) -> Iterator[Audit]:
    """Rows of one person show the same of them, and nothing known repeats itself or a test belief."""
    inconsistent, leaked, twice, wrong_n, few = [], [], [], [], []
    for person in persons(table):
        known = [key_of(belief["proposition"]) for belief in person.known]
        test = [key_of(text) for text in person.propositions]
        if not person.consistent:
            inconsistent.append(person.user)
        if not set(known).isdisjoint(test):
            leaked.append(person.user)
        if len(set(known)) < len(known) or len(set(test)) < len(test):
            twice.append(person.user)
        if any(count != len(known) for count in person.counts):
            wrong_n.append(person.user)
        if min_beliefs is not None and len(known) + len(test) < min_beliefs:
            few.append(person.user)
    yield none("people_consistent", inconsistent, "people whose rows show different things of them")
    yield none("known_and_test_apart", leaked, "people with a proposition both known and asked for")
    yield none(
        "propositions_once", twice, "people with a proposition twice among known or test beliefs"
    )
    yield none("n_known", wrong_n, "people whose n_known is not the number of known beliefs")
    if min_beliefs is not None:
        yield none("enough_beliefs", few, f"people with fewer than {min_beliefs} beliefs")


def _texts(table: pa.Table) -> Iterator[Audit]:
    categories = set(_distinct(table, "category"))
    strange = sorted(categories - set(CATEGORIES))
    yield none("categories", strange, f"categories that are none of the {len(CATEGORIES)}")
    texts = _distinct(table, "proposition")
    unclean = [text for text in texts if text != plain(text) or not text or text.endswith(".")]
    yield none(
        "propositions_plain",
        unclean,
        f"of {len(texts)} propositions that are no plain text",
        kind="stated",
    )
    said = _struct_values(table, "background", "attribute")
    yield none("attributes", sorted(said - _BACKGROUND), "attributes that no prompt should show")


def _funnel(built: Built) -> Iterator[Audit]:
    if not built.funnel:
        return
    last = built.funnel[-1].counts
    people = pc.count_distinct(built.table["user_id"]).as_py()
    wanted = (last.get("test"), last.get("users", last.get("people")))
    yield verdict(
        "counts",
        (built.table.num_rows, people) == wanted,
        f"{built.table.num_rows} rows of {people} people",
        f"the funnel ends with {wanted[0]} of {wanted[1]}",
    )
    rising = [
        f"{after.name} ({unit})"
        for before, after in pairwise(built.funnel)
        for unit in before.counts.keys() & after.counts.keys()
        if after.counts[unit] > before.counts[unit]
    ]
    yield none(
        "funnel_falls", sorted(rising), "steps after which there is more than before", kind="stated"
    )


def _names(built: Built) -> Iterator[Audit]:
    """No user name as an id or a value, and no name that can only be one in any text."""
    names = built.private.names
    if not names:
        return
    users = set(built.table["user_id"].to_pylist())
    values = _struct_values(built.table, "background", "value")
    telling = unmistakable(names)
    texts = set(_distinct(built.table, "proposition")) | values
    found = sorted(names & users)
    for text in texts:
        found += [word for word in _WORD.findall(text.casefold()) if word in telling]
    # Named by number only: an audit's text is published.
    yield verdict(
        "no_names", not found, len(found), f"places where one of {len(names)} names occurs"
    )


def _distinct(table: pa.Table, column: str) -> list[str]:
    """The values of `column`, also inside `known_beliefs`, each once."""
    return sorted(set(table[column].to_pylist()) | _struct_values(table, "known_beliefs", column))


def _struct_values(table: pa.Table, column: str, name: str) -> set[str]:
    found: set[str] = set()
    for chunk in table[column].chunks:
        found.update(pc.unique(chunk.flatten().field(name)).to_pylist())
    return found
