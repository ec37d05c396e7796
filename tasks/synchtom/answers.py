"""The documents that ask for an answer: a user's situation, the first N turns, perhaps a profile.

One document is one instance after one number of turns. Its gold fields and rubrics are there for the
judge (see `otherminds.tasks.synchtom.judgements`); no prompt shows them, except those that a task
gives away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from datasets import Dataset

from otherminds.data import loading as data
from otherminds.data.rows import dataset_of
from otherminds.dataset_builders.synchtom.schema import INSTANCE, TURNS
from otherminds.errors import OtherMindsError
from otherminds.running.stages import reached

GIVEN: Mapping[str, Mapping[str, Sequence[str]]] = {
    "masked": {"belief": ("user_latent_belief", "told_cause"), "profile": ("told_profile",)},
    "published": {"belief": ("user_latent_belief", "root_cause"), "profile": ("user_profile",)},
    "bare": {"belief": ("user_latent_belief",), "profile": ("told_profile",)},
}
"""By form, the facts that a task can give away, and the columns that they are read from.

masked     words that name the truth are masked, as far as rules find them (the builder's `told`)
published  as the source has it, where some causes and profiles name the truth
bare       the belief without its cause: causes hint at the truth by contrast, in other words too
"""

SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("n_turns", pa.int32()),
        ("given_belief", pa.string()),
        ("given_profile", pa.string()),
        ("given_from", pa.string()),
        *((field.name, field.type) for field in INSTANCE),
    ]
)

Row = dict[str, Any]


def documents(
    *,
    n_turns: int | Sequence[int],
    given: Sequence[str] = (),
    shuffled: bool = False,
    scenario: str | None = None,
    given_form: str = "masked",
    derangement_seed: int = 0,
    stage_limit: float | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of an answering task: lm-eval's `custom_dataset`.

    n_turns           how many turns are shown, from 0 to 10, or several such numbers
    given             facts given away: "belief", "profile" or both
    shuffled          give those of another instance of the same scenario, by a derangement
    scenario          keep one scenario
    given_form        one of GIVEN, from `--metadata`: with or without words that name the truth
    derangement_seed  of the derangement, from `--metadata`
    stage_limit       make only so many, for a judge of the first ones

    Raises OtherMindsError for a number of turns or a form that there is not.
    """
    if given_form not in GIVEN:
        raise OtherMindsError(f"given_form is {given_form!r}: give one of {', '.join(GIVEN)}.")
    numbers = [n_turns] if isinstance(n_turns, int) else list(n_turns)
    if not all(0 <= number <= TURNS for number in numbers):
        raise OtherMindsError(f"n_turns is {n_turns}: instances have from 0 to {TURNS} turns.")
    rows: list[Row] = data.for_task(**wanted)[data.SPLIT].to_list()
    sources = _deranged(rows, derangement_seed) if shuffled else rows
    docs = [
        _document(row, number, _given_away(source, given, GIVEN[given_form]))
        for row, source in zip(rows, sources, strict=True)
        for number in numbers
        if scenario is None or row["scenario"] == scenario
    ]
    return {data.SPLIT: dataset_of(docs[: reached(stage_limit, len(docs))], SCHEMA)}


def _document(row: Row, n_turns: int, given_away: Mapping[str, Any]) -> Row:
    return {
        "item_id": f"{row['instance_id']}-turns{n_turns}",
        "n_turns": n_turns,
        **given_away,
        **row,
        "turns": row["turns"][:n_turns],
    }


def _given_away(source: Row, given: Sequence[str], form: Mapping[str, Sequence[str]]) -> Row:
    """The facts that a document gives away, from the instance `source`."""
    texts = {
        name: "\n".join(source[column] for column in columns) if name in given else None
        for name, columns in form.items()
    }
    return {
        "given_belief": texts["belief"],
        "given_profile": texts["profile"],
        "given_from": source["instance_id"] if given else None,
    }


def _deranged(rows: Sequence[Row], seed: int) -> list[Row]:
    """For each row another one of its scenario, each once: a seeded derangement.

    Rows go by their ids, so that the order in which they are stored does not matter.
    """
    found: dict[str, Row] = {}
    for scenario in sorted({row["scenario"] for row in rows}):
        own = sorted((r for r in rows if r["scenario"] == scenario), key=lambda r: r["instance_id"])
        if len(own) < 2:
            raise OtherMindsError(
                f"The scenario '{scenario}' has one instance: there is no other to take from."
            )
        # A cyclic shift of a random order has no fixed point.
        order = np.random.default_rng([seed, len(own)]).permutation(len(own))
        for place, number in enumerate(order):
            found[own[number]["instance_id"]] = own[order[(place + 1) % len(order)]]
    return [found[row["instance_id"]] for row in rows]
