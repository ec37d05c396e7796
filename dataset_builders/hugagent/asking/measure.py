"""How far readers and students of claims get on the items of edition 2, each seeing less than the
one before.

reader    all claims of the interview
off       the same, but every scenario is taken for one that moves nothing
none      demographics and the question alone: nothing predicts better from these
other     the claims of the next person's interview on the topic, taken for this person's
lookup    of BSI items that take two pieces or more, a student that looks at one claim alone: which one
          tells most is learned from one half of the people, by form, and tried on the other
compose   one that multiplies the signs of all claims on the way, and takes no one's word back
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent.answerability import TOLERANCE, within
from otherminds.dataset_builders.hugagent.asking.reader import Portrait, Reader
from otherminds.dataset_builders.hugagent.features import PROMPT_FIELDS
from otherminds.dataset_builders.hugagent.population import STANCE
from otherminds.dataset_builders.hugagent.world.claims import Claim, claim_of

KINDS: Final = ("bsi", "baseline", "scenario", "reason")
_SHOWN: Final = tuple(name for name in PROMPT_FIELDS if name != "context")
_READ: Final = (
    *_SHOWN,
    *("item_id", "task", "question_type", "participant_id", "question_id"),
    *("evidence", "answer", "steps", "form"),
)


@dataclass(frozen=True)
class Measured:
    """One item, and who answered it right; `changed` where the scenario changes the person's answer."""

    person: str
    topic: str
    kind: str
    form: str
    grade: str
    steps: int
    changed: bool
    answer: str
    right: Mapping[str, bool]
    looks: Mapping[str, int] = field(default_factory=dict)
    """Of a BSI item: the sign that each single claim has, by where it stands."""


def measure(tables: Mapping[str, pa.Table]) -> list[Measured]:
    """All items of `bsi` and `bdu`, read by everybody but the students."""
    before = _before(tables["agents"])
    found = []
    for task in ("bsi", "bdu"):
        table = tables[task]
        claims = dict(_claims(table))
        others = _next_person(claims)
        for item in table.select(list(_READ)).to_pylist():
            key = (item["participant_id"], item["topic"])
            found.append(_measured(item, claims[key], claims[others[key]], before))
    return found


def _claims(table: pa.Table) -> Iterator[tuple[tuple[str, str], tuple[Claim, ...]]]:
    people, topics = table["participant_id"].to_pylist(), table["topic"].to_pylist()
    seen = None
    for place, key in enumerate(zip(people, topics, strict=True)):
        # Items that share an interview are adjacent.
        if key != seen:
            seen = key
            yield key, tuple(claim_of(row) for row in table["claims"][place].as_py())


def _next_person(keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
    by_topic: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for key in keys:
        by_topic[key[1]].append(key)
    return {
        key: listed[(place + 1) % len(listed)]
        for listed in by_topic.values()
        for place, key in enumerate(listed)
    }


def _before(agents: pa.Table) -> dict[tuple[str, str, str], str]:
    """The opinion ("") and each rating before any scenario, by person, topic and reason."""
    found = {}
    columns = ["participant_id", "topic", "initial_stance", "weights"]
    for row in agents.select(columns).to_pylist():
        names = {one.name: one.code for one in vocabulary.load().topics[row["topic"]].factors}
        found[row["participant_id"], row["topic"], ""] = str(int(row["initial_stance"]))
        for one in row["weights"]:
            rating = 1 + round(4.0 * one["weight"])
            found[row["participant_id"], row["topic"], names[one["factor"]]] = str(rating)
    return found


def _measured(
    item: Mapping[str, Any],
    claims: Sequence[Claim],
    others: Sequence[Claim],
    before: Mapping[tuple[str, str, str], str],
) -> Measured:
    topic, kind = item["topic"], "bsi" if item["task"] == "bsi" else item["form"]
    reader, shown = reader_of(topic), {name: item[name] for name in _SHOWN}
    key = (item["participant_id"], topic, item["reason_code"] or "")
    demographics = tuple((one["attribute"], one["value"]) for one in item["demographics"])
    portrait = _portrait(topic, tuple(claims), demographics)
    answers = {
        "reader": reader.answer(shown, portrait),
        "off": reader.answer(shown, portrait, scenario=False),
        "none": reader.answer(shown, _portrait(topic, (), demographics)),
        "other": reader.answer(shown, _portrait(topic, tuple(others), demographics)),
    }
    looks: dict[str, int] = {}
    if kind == "bsi":
        looks = _looks(claims, *reader.edge(item["question"]))
        answers["compose"] = "A" if looks.get("all", 1) > 0 else "B"
    gold = item["answer"]
    return Measured(
        item["participant_id"],
        topic,
        kind,
        item["form"],
        item["evidence"],
        item["steps"],
        kind in ("scenario", "reason") and before[key] != gold,
        gold,
        {name: within(guess, gold, TOLERANCE[kind]) for name, guess in answers.items()},
        looks,
    )


@cache
def reader_of(topic: str) -> Reader:
    """The reader of a topic."""
    content = vocabulary.load()
    return Reader(content, content.topics[topic])


@cache
def _portrait_of(
    topic: str, claims: tuple[Claim, ...], demographics: tuple[tuple[str, str], ...]
) -> Portrait:
    shown = [{"attribute": name, "value": value} for name, value in demographics]
    return reader_of(topic).portrait(claims, shown)


def _portrait(
    topic: str, claims: tuple[Claim, ...], demographics: tuple[tuple[str, str], ...]
) -> Portrait:
    if _portrait_of.cache_info().currsize > 64:
        _portrait_of.cache_clear()
    return _portrait_of(topic, claims, demographics)


def _looks(claims: Sequence[Claim], source: str, target: str) -> dict[str, int]:
    """What single claims say of a question's ends, and the product along all that is told.

    A claim on both ends comes first ("edge", "again"); else the first that leaves the source ("out") and
    the last that reaches the target ("in").
    """
    voiced = ("effect", "first_view", "others_effect")
    found: dict[str, int] = {}
    signs: dict[tuple[str, str], int] = {}
    for claim in claims:
        ends = (claim.source, claim.target)
        if claim.kind in ("accord", "revision") and ends == (source, target):
            found["again"] = claim.sign
        if claim.kind not in voiced or not claim.sign:
            continue
        signs.setdefault(ends, claim.sign)
        if ends == (source, target):
            found.setdefault("edge", claim.sign)
        elif claim.source == source:
            found.setdefault("out", claim.sign)
        elif claim.target == target:
            found["in"] = claim.sign
    products = _products(signs, source, target, 1, 3)
    if total := sum(products):
        found["all"] = 1 if total > 0 else -1
    return found


def _products(
    signs: Mapping[tuple[str, str], int], at: str, target: str, sign: int, left: int
) -> Iterator[int]:
    for (start, end), own in signs.items():
        if start == at and end == target:
            yield sign * own
        elif start == at and left > 1 and end != STANCE:
            yield from _products(signs, end, target, sign * own, left - 1)


def lookup(measured: Sequence[Measured]) -> tuple[float, int]:
    """The accuracy of the student that looks at one claim, and on how many items."""
    asked = [one for one in measured if one.kind == "bsi" and one.steps > 1]
    halves = [[one for one in asked if int(one.person[1:]) % 2 == half] for half in (0, 1)]
    right = sum(
        _guess(_learned(halves[1 - half]), one) == one.answer
        for half in (0, 1)
        for one in halves[half]
    )
    return (right / len(asked) if asked else float("nan")), len(asked)


def _learned(items: Sequence[Measured]) -> dict[tuple[str, str, int], str]:
    """By form, the place whose claim tells most, and the answer for each of its signs."""
    by_form: dict[str, list[Measured]] = defaultdict(list)
    for one in items:
        by_form[one.form].append(one)
    learned: dict[tuple[str, str, int], str] = {}
    for form, listed in by_form.items():
        tables = {place: _table(listed, place) for place in ("", "edge", "again", "out", "in")}
        best = max(tables, key=lambda place: sum(max(c.values()) for c in tables[place].values()))
        for sign, counts in tables[best].items():
            learned[form, best, sign] = counts.most_common(1)[0][0]
    return learned


def _table(items: Sequence[Measured], place: str) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for one in items:
        found[one.looks.get(place, 0)][one.answer] += 1
    return found


def _guess(learned: Mapping[tuple[str, str, int], str], one: Measured) -> str:
    for (form, place, sign), answer in learned.items():
        if form == one.form and one.looks.get(place, 0) == sign:
            return answer
    return "A"
