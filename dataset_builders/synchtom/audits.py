"""Checks of the built SynchToM data. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.synchtom.leaks import (
    SPAN,
    criterion_words,
    digest,
    names_true_state,
    phrases,
    quoted,
    runs,
    without_traces,
)
from otherminds.dataset_builders.synchtom.schema import (
    DIMENSIONS,
    GOLD,
    INSTANCE,
    SCENARIOS,
    TOLD,
    TURNS,
)
from otherminds.dataset_builders.synchtom.told import Truth, names, truth_of
from otherminds.dataset_builders.verdict import Audit, has_schema, none, verdict

__all__ = ["NO_OBSERVATION", "TRACE", "Audit", "Facts", "audit", "extra_key"]

NO_OBSERVATION: Final = "turn without an observation, which gets an empty one"
TRACE: Final = "text with a trace of its generator, which is cut out"

_KEY: Final = "key '"
_ID = re.compile(rf"synchtom-(?:{'|'.join(SCENARIOS)})-\d{{4}}")
_SHOWN = 3
_WORD = re.compile(r"\w+")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Facts:
    """What the source is known to hold (the manifest's `parameters`).

    sha256               of the files that are read; None to take any source
    instances            by scenario
    criteria             by dimension
    extra_keys           keys of turns that are dropped
    without_observation  turns that lack an observation
    empty_observation    further turns whose observation is empty
    traces               texts that a trace of the generator is cut out of
    asides               turns in which a narrator speaks of the "true state"; they are left as they are
    unused               trajectories that no instance names
    criteria_quoted      by dimension, instances with a criterion of which SPAN words in a row can be
                         read in the prompt, because the criterion quotes what the user saw or asked for
    masked               by gold column, instances whose text names the truth and is masked where a task
                         tells it
    told_phrases         by gold column, instances whose told text still has two words in a row of the
                         truth that nothing known has in a row (`hints.phrases`)
    told_criterion_words by gold column, instances whose told text still has a word of the truth that a
                         criterion on the solution names and nothing known has (`hints.criterion_words`)
    belief_repeats       instances whose belief has SPAN words in a row of the truth, because it says the
                         same of another thing; beliefs are told as they are
    short_truths_shown   instances with a truth of fewer than SPAN words that stands whole in a turn
    misdirected          by instance, digests of the criteria that reward the wrong request
    """

    sha256: str | None
    instances: Mapping[str, int]
    criteria: Mapping[str, int]
    extra_keys: int
    without_observation: int
    empty_observation: int
    traces: int
    asides: int
    unused: int
    criteria_quoted: Mapping[str, int]
    masked: Mapping[str, int]
    told_phrases: Mapping[str, int]
    told_criterion_words: Mapping[str, int]
    belief_repeats: int
    short_truths_shown: int
    misdirected: Mapping[str, Sequence[str]]


def extra_key(name: str) -> str:
    """The reason why a key of a turn is left out, by its name."""
    return f"{_KEY}{name}' of a turn"


def audit(
    table: pa.Table, facts: Facts, left: Mapping[str, int], unused: Sequence[str], sha256: str
) -> list[Audit]:
    """All audits of a build, passed and failed.

    left    what was left out or is missing, by reason
    unused  trajectories that no instance names
    sha256  of the files that were read
    """
    columns = has_schema(table, INSTANCE)
    if not columns.passed:
        return [columns]
    rows: list[Row] = table.to_pylist()
    return [
        columns,
        *_source(facts, unused, sha256),
        *_ids(rows),
        *_counts(rows, facts, left),
        *_texts(rows),
        *_leaks(rows, facts),
        *_told(rows, facts),
        _misdirected(rows, facts),
    ]


def _source(facts: Facts, unused: Sequence[str], sha256: str) -> Iterator[Audit]:
    yield verdict(
        "source",
        facts.sha256 in (None, sha256),
        sha256,
        f"SHA-256 of the files read, which in the release is {facts.sha256 or 'any'}: for the release, "
        "check out the revision that the manifest names, without changes",
        kind="release",
    )
    named = f": {', '.join(unused[:_SHOWN])}" if unused else ""
    yield _stated("unused", len(unused), facts.unused, f"trajectories no instance names{named}")


def _ids(rows: Sequence[Row]) -> Iterator[Audit]:
    for column in ("instance_id", "upstream_id"):
        repeated = [name for name, n in Counter(row[column] for row in rows).items() if n > 1]
        yield none(f"{column}_unique", repeated, "ids that occur more than once")
    wrong = [row["instance_id"] for row in rows if not _ID.fullmatch(row["instance_id"])]
    yield none("ids_form", wrong, "ids that are not of the form synchtom-education-0001")


def _counts(rows: Sequence[Row], facts: Facts, left: Mapping[str, int]) -> Iterator[Audit]:
    instances = Counter(row["scenario"] for row in rows)
    for scenario in sorted({*SCENARIOS, *instances}):
        wanted = facts.instances.get(scenario, 0)
        yield _stated(f"instances_{scenario}", instances[scenario], wanted, "instances")
    for dimension in DIMENSIONS:
        found = sum(len(row["rubrics"][dimension]) for row in rows)
        yield _stated(f"criteria_{dimension}", found, facts.criteria[dimension], "criteria")
    wrong = [row["instance_id"] for row in rows if len(row["turns"]) != TURNS]
    yield none("turns", wrong, f"instances without just {TURNS} turns")
    keys = sum(n for reason, n in left.items() if reason.startswith(_KEY))
    yield _stated("extra_keys", keys, facts.extra_keys, "keys of turns that were dropped")
    missing = left.get(NO_OBSERVATION, 0)
    yield _stated(
        "without_observation", missing, facts.without_observation, "turns that lack an observation"
    )
    silent = sum(not turn["observation"].strip() for row in rows for turn in row["turns"])
    yield _stated(
        "empty_observation",
        silent - missing,
        facts.empty_observation,
        "further turns whose observation is empty",
    )


def _texts(rows: Sequence[Row]) -> Iterator[Audit]:
    one = ("observation", "instruction", "misconception_type", *GOLD)
    empty = [
        row["instance_id"]
        for row in rows
        if not all(row[column].strip() for column in one)
        or not all(turn["action"].strip() for turn in row["turns"])
    ]
    yield none("texts", empty, "instances with an empty text")
    without = [
        row["instance_id"]
        for row in rows
        if any(not criteria or not all(map(str.strip, criteria)) for criteria in _rubrics(row))
    ]
    yield none("rubrics", without, "instances with an empty rubric or criterion")


def _leaks(rows: Sequence[Row], facts: Facts) -> Iterator[Audit]:
    """No gold text in what a prompt shows, and of criteria no more than the source is known to quote."""
    traced = [row["instance_id"] for row in rows if any(map(_traced, _shown(row)))]
    yield none("no_traces", traced, "instances whose texts show what their generator was told")
    asides = sum(any(map(names_true_state, turn.values())) for row in rows for turn in row["turns"])
    yield _stated(
        "asides", asides, facts.asides, 'turns in which a narrator speaks of the "true state"'
    )
    shown = [(row, runs(_shown(row))) for row in rows]
    for column in GOLD:
        found = [row["instance_id"] for row, read in shown if quoted(row[column], read)]
        yield none(
            f"no_{column}",
            found,
            f"instances that show {SPAN} words in a row of their {column}",
            kind="stated",
        )
    for dimension in DIMENSIONS:
        found = [
            row["instance_id"]
            for row, read in shown
            if any(quoted(text, read) for text in row["rubrics"][dimension])
        ]
        yield _stated(
            f"quoted_{dimension}",
            len(found),
            facts.criteria_quoted[dimension],
            f"instances that show {SPAN} words in a row of a criterion",
        )


def _told(rows: Sequence[Row], facts: Facts) -> Iterator[Audit]:
    """What a task tells of a user is masked, and names no more of the truth than the manifest says."""
    for told, column in TOLD.items():
        changed = sum(row[told] != row[column] for row in rows)
        yield _stated(
            f"masked_{column}", changed, facts.masked[column], f"instances with a masked {column}"
        )
        naming = [row["instance_id"] for row in rows if names(row[told], _truth(row))]
        yield none(
            f"{told}_names_no_truth", naming, f"instances whose {told} has words that are masked"
        )
        whole = [row["instance_id"] for row in rows if _holds(row["true_latent_state"], row[told])]
        yield none(f"no_truth_in_{told}", whole, f"instances whose {told} holds the truth")
        # By other rules than those of the masks.
        in_a_row = [bool(phrases(row[told], row["true_latent_state"], _known(row))) for row in rows]
        yield _stated(
            f"{told}_phrases",
            sum(in_a_row),
            facts.told_phrases[column],
            f"instances whose {told} has two words in a row of the truth",
        )
        asked = [_criterion_words(row, told) for row in rows]
        yield _stated(
            f"{told}_criterion_words",
            sum(map(bool, asked)),
            facts.told_criterion_words[column],
            f"instances whose {told} has a word of the truth that a criterion on the solution names",
        )
    repeating = sum(_holds(row["true_latent_state"], row["user_latent_belief"]) for row in rows)
    yield _stated(
        "belief_repeats",
        repeating,
        facts.belief_repeats,
        f"instances whose belief has {SPAN} words in a row of the truth",
    )
    short = sum(_is_short(row) and _named_whole(row) for row in rows)
    yield _stated(
        "short_truths_shown",
        short,
        facts.short_truths_shown,
        f"instances that show a truth of fewer than {SPAN} words",
    )


def _misdirected(rows: Sequence[Row], facts: Facts) -> Audit:
    found = {
        row["instance_id"]: [digest(row["rubrics"][DIMENSIONS[2]][n]) for n in row["misdirected"]]
        for row in rows
        if row["misdirected"]
    }
    stated = {name: list(digests) for name, digests in facts.misdirected.items()}
    apart = sorted(name for name in found | stated if found.get(name) != stated.get(name))
    shown = f"; they differ in {', '.join(apart[:_SHOWN])}" if apart else ""
    return verdict(
        "misdirected",
        not apart,
        sum(map(len, found.values())),
        f"criteria that reward the wrong request, which must be those that the manifest names{shown}",
        kind="release",
    )


def _truth(row: Row) -> Truth:
    return truth_of(row["true_latent_state"], _known(row))


def _known(row: Row) -> tuple[str, str, str]:
    return row["observation"], row["instruction"], row["user_latent_belief"]


def _criterion_words(row: Row, told: str) -> frozenset[str]:
    criteria = row["rubrics"][DIMENSIONS[2]]
    return criterion_words(row[told], row["true_latent_state"], _known(row), criteria)


def _holds(truth: str, text: str) -> bool:
    return quoted(truth, runs([text]))


def _is_short(row: Row) -> bool:
    return not runs([row["true_latent_state"]])


def _named_whole(row: Row) -> bool:
    words = [_words(text) for text in _shown(row)]
    return any(f" {_words(row['true_latent_state']).strip()} " in text for text in words)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _shown(row: Row) -> list[str]:
    """Every text that a prompt shows, with all turns."""
    turns = [text for turn in row["turns"] for text in turn.values()]
    return [row["observation"], row["instruction"], *turns]


def _traced(text: str) -> bool:
    return without_traces(text) != text


def _rubrics(row: Row) -> list[list[str]]:
    return [row["rubrics"][dimension] for dimension in DIMENSIONS]


def _stated(name: str, found: int, stated: int, what: str) -> Audit:
    says = f"{what}; the manifest says {stated}"
    return verdict(name, found == stated, found, says, kind="release")
