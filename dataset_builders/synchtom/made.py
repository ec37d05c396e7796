"""Users with a wrong belief that were written through `otherminds construct`: from units to rows.

Profile and truth of a row come from the unit's frame, that is from its raw item. Belief, observation,
instruction, cause, turns and criteria are what its authors wrote, and its checks accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.constructed import Built, Facts, Unit, spec
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.sources import SourceError, Step
from otherminds.dataset_builders.synchtom import criteria, proofs
from otherminds.dataset_builders.synchtom.leaks import misdirected
from otherminds.dataset_builders.synchtom.raw import order_of
from otherminds.dataset_builders.synchtom.schema import DIMENSIONS, INSTANCE, TOLD, TURNS
from otherminds.dataset_builders.synchtom.told import masked, names, truth_of
from otherminds.dataset_builders.synchtom.written import CRITERIA, LEAST_SCORE
from otherminds.dataset_builders.verdict import Audit, has_schema, none, verdict
from otherminds.types import Progress

__all__ = ["MADE", "Audit", "Built", "Facts", "audit", "build", "content_hash", "spec"]

TEST: Final = "instances"
TRAINING: Final = "training"
"""The configurations: users to score models on, and users to train models on."""

STAGES: Final = ("scenario", "trajectory", "validation", "rubrics", "rubric_audit")
"""The stages of the pipeline, in order."""

MADE: Final = pa.schema(
    [
        *INSTANCE,
        pa.field("part", pa.string(), nullable=False),
        pa.field("source_item", pa.string(), nullable=False),
        pa.field("fiction", pa.bool_(), nullable=False),
        pa.field("sources", pa.list_(pa.string()), nullable=False),
        pa.field("authors", pa.list_(pa.string()), nullable=False),
        pa.field("validators", pa.list_(pa.string()), nullable=False),
        pa.field(
            "validation", pa.struct([(name, pa.int32()) for name in CRITERIA]), nullable=False
        ),
        pa.field("read_right", pa.float64()),
    ]
)
"""One user with a wrong belief, in the columns of INSTANCE and these:

    part         "test" or "train"
    source_item  the raw item that profile and truth come from; no item has users in both parts
    fiction      whether that item is invented
    sources      where its facts can be looked up
    authors      who wrote the texts and criteria
    validators   who judged them; none of the authors
    validation   the scores that the unit stayed with, from 0 to 5, by criterion
    read_right   the share of the criteria that answers of blind readers met, who saw all turns: a mean
                 over readers; null where nobody has read

`upstream_id` is the unit's name. Rows are ordered by scenario, then by name.
"""


def build(source: Path, spec: Facts, *, progress: Progress | None = None) -> Built:
    """The test rows and the training rows.

    Raises SourceError for a folder that is none, and for a unit without its texts.
    """
    found = constructed.read(source)
    rows = []
    for done, unit in enumerate(found.units, start=1):
        rows.append(_row(unit, found.right))
        if progress is not None:
            progress(done, len(found.units))
    rows.sort(key=lambda row: (order_of(row["scenario"]), row["instance_id"]))
    parts = {part: [row for row in rows if row["part"] == part] for part in ("test", "train")}
    table, training = (pa.Table.from_pylist(own, schema=MADE) for own in parts.values())
    counts = {"units": len(rows), "test": table.num_rows, "training": training.num_rows}
    return Built(
        table,
        [Step("accepted and read", counts)],
        also={TRAINING: training},
        construction=found.facts,
        units=found.units,
    )


def audit(built: Built, spec: Facts) -> list[Audit]:
    """All audits of a build, passed and failed: those of its authors' texts once more, on the whole."""
    tables = [built.table, *built.also.values()]
    schemas = [has_schema(table, MADE) for table in tables]
    if not all(one.passed for one in schemas):
        return [one for one in schemas if not one.passed][:1]
    rows = [row for table in tables for row in table.to_pylist()]
    return [schemas[0], *_rows(rows), *_units(built.units), *_told(rows), *_people(rows)]


def _rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[Audit]:
    for part in ("test", "train"):
        counts = Counter(row["scenario"] for row in rows if row["part"] == part)
        for scenario, n in sorted(counts.items()):
            yield verdict(f"{part}_{scenario}", True, n, "users", kind="stated")
    repeated = [name for name, n in Counter(row["instance_id"] for row in rows).items() if n > 1]
    yield none("instance_id_unique", repeated, "ids that occur more than once")
    parts: dict[str, set[str]] = {}
    for row in rows:
        parts.setdefault(row["source_item"], set()).add(row["part"])
    both = [item for item, found in parts.items() if len(found) > 1]
    yield none("split_by_item", both, "raw items with users in both parts")
    wrong = [row["instance_id"] for row in rows if len(row["turns"]) != TURNS]
    yield none("turns", wrong, f"users without just {TURNS} turns")
    low = [row["instance_id"] for row in rows if min(row["validation"].values()) < LEAST_SCORE]
    yield none("validation", low, f"users with a validation score below {LEAST_SCORE}")
    for name in CRITERIA:
        scores = [row["validation"][name] for row in rows]
        mean = round(sum(scores) / len(scores), 4) if scores else 0.0
        yield verdict(
            f"mean_{name}", True, mean, "mean score; no scale is shared with others", kind="stated"
        )
    rewarded = [row["instance_id"] for row in rows if row["misdirected"]]
    yield none("misdirected", rewarded, "users with a criterion that rewards the wrong request")


def _units(units: Sequence[Unit]) -> Iterator[Audit]:
    """The checks of import once more, as a folder can be edited by hand."""
    leaks, stated, given_up, rubrics, copies = [], [], [], [], []
    texts = {unit.unit_id: proofs.story(unit.texts) for unit in units}
    for place, unit in enumerate(units):
        frame, scenario, turns, rubric = unit.frame, *(unit.texts[name] for name in _AUTHORED)
        leaks += [unit.unit_id] * any(
            [*proofs.no_truth(frame, scenario), *proofs.no_truth(frame, turns, scenario)]
        )
        stated += [unit.unit_id] * any(proofs.acts(frame, turns, scenario))
        given_up += [unit.unit_id] * any(proofs.keeps_on(frame, turns, scenario))
        rubrics += [unit.unit_id] * any(
            [
                *criteria.keeps_labels(frame, rubric, scenario),
                *criteria.fair(frame, rubric, scenario),
            ]
        )
        before = [(one.unit_id, texts[one.unit_id]) for one in units[:place]]
        copies += [unit.unit_id] * any(proofs.own_words(texts[unit.unit_id], before))
    yield none("no_truth_shown", leaks, "users whose prompt names the truth")
    yield none("no_belief_stated", stated, "users who state their belief")
    yield none("belief_kept", given_up, "users who give their belief up")
    yield none(
        "rubrics", rubrics, "users with a criterion on something else than their frame's labels"
    )
    # Import compares each text with those before it alone.
    yield none(
        "own_words", copies, "users with sentences or runs of words of another", kind="stated"
    )


def _told(rows: Sequence[Mapping[str, Any]]) -> Iterator[Audit]:
    for told, column in TOLD.items():
        naming = [
            row["instance_id"]
            for row in rows
            if names(
                row[told],
                truth_of(
                    row["true_latent_state"],
                    (row["observation"], row["instruction"], row["user_latent_belief"]),
                ),
            )
        ]
        yield none(
            f"{told}_names_no_truth", naming, f"users whose {told} has words that are masked"
        )
        changed = sum(row[told] != row[column] for row in rows)
        yield verdict(
            f"masked_{column}", True, changed, f"users with a masked {column}", kind="stated"
        )


def _people(rows: Sequence[Mapping[str, Any]]) -> Iterator[Audit]:
    own = [row["instance_id"] for row in rows if {*row["authors"]} & {*row["validators"]}]
    yield none("validated_by_others", own, "users whose validator is one of their authors")
    without = [row["instance_id"] for row in rows if not row["validators"]]
    yield none("validated", without, "users that nobody validated")


_AUTHORED: Final = ("scenario", "trajectory", "rubrics")


def _row(unit: Unit, right: Mapping[str, float]) -> dict[str, Any]:
    missing = [
        name
        for name in STAGES
        if name not in (unit.texts if name in _AUTHORED else unit.judged)
        or (name not in _AUTHORED and not unit.judged[name])
    ]
    if missing:
        raise SourceError(
            f"The unit {unit.unit_id} has no {', '.join(missing)}; it is not finished."
        )
    frame = unit.frame
    scenario, trajectory, rubric = (unit.texts[name] for name in _AUTHORED)
    known = [
        scenario[name] for name in ("observation", "explicit_instruction", "user_latent_belief")
    ]
    truth = truth_of(frame["truth"], known)
    cause = " ".join(scenario["root_cause"][name] for name in ("because", "ignored", "concluded"))
    rubrics = {name: [one["criterion"] for one in rubric[name]] for name in DIMENSIONS}
    scores = unit.judged["validation"][-1]
    by_role = {
        roles: sorted({one.author for one in unit.written if (one.role == "author") == is_author})
        for roles, is_author in (("authors", True), ("validators", False))
    }
    instance_id = f"synchtom-made-{unit.unit_id}"
    return {
        "instance_id": instance_id,
        "upstream_id": unit.unit_id,
        "scenario": frame["scenario"],
        "observation": scenario["observation"],
        "instruction": scenario["explicit_instruction"],
        "turns": [dict(turn) for turn in trajectory["turns"]],
        "true_latent_state": frame["truth"],
        "user_latent_belief": scenario["user_latent_belief"],
        "misconception_type": scenario["misconception_type"],
        "root_cause": cause,
        "user_profile": frame["profile"],
        "rubrics": rubrics,
        "told_cause": masked(cause, truth),
        "told_profile": masked(frame["profile"], truth),
        "misdirected": misdirected(rubrics[DIMENSIONS[2]]),
        "part": unit.part,
        "source_item": frame["item_id"],
        "fiction": frame["fiction"],
        "sources": list(frame["sources"]),
        **by_role,
        "validation": {name: scores[name]["score"] for name in CRITERIA},
        "read_right": right.get(f"{instance_id}-turns{TURNS}"),
    }
