"""The configuration `issues`: where people stand on the 48 big issues of their Debate.org profiles.

Real stances without dates: which of a person's are known is drawn by lot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

from otherminds.dataset_builders.builder import checked
from otherminds.dataset_builders.debate.audits import Audit, audit_built
from otherminds.dataset_builders.debate.issues_source import Respondent, read
from otherminds.dataset_builders.debate.rows import item_id, rows_of
from otherminds.dataset_builders.debate.schema import BELIEF, Built, Private, category_of
from otherminds.dataset_builders.debate.split import check_sizes, split
from otherminds.dataset_builders.draws import rank
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.sources import SourceError, Step, Stretch
from otherminds.types import Progress

__all__ = [
    "Audit",
    "Built",
    "Issue",
    "IssuesSpec",
    "audit",
    "build",
    "content_hash",
    "issues",
    "spec",
]

_FILE = Path(__file__).resolve().with_name("issues.yaml")


@dataclass(frozen=True)
class IssuesSpec:
    """Parameters of the build.

    seed          of the draw that splits each person's stances
    salt          of the user ids, where the source has names
    min_beliefs   people with fewer stances are left out
    known_share   the share of stances that are known
    paper         the counts of the published table: "people", "stances"
    """

    seed: int
    salt: str
    min_beliefs: int = 5
    known_share: float = 0.8
    paper: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_sizes(self.min_beliefs, self.known_share)


@dataclass(frozen=True, slots=True)
class Issue:
    """A big issue as a proposition that "Pro" agrees with."""

    name: str
    proposition: str
    category: str


@dataclass(frozen=True, slots=True)
class _Stance:
    proposition: str
    category: str
    agrees: bool


def spec(generator: Mapping[str, Any]) -> IssuesSpec:
    """The checked parameters, from the `generator` part of a manifest.

    Raises ValueError for a missing, unknown or impossible one.
    """
    return checked(IssuesSpec, generator)


@cache
def issues() -> Mapping[str, Issue]:
    """The 48 issues by the name that Debate.org gives them, from `issues.yaml`.

    Raises ValueError for an entry without a known category.
    """
    listed = yaml.safe_load(_FILE.read_text(encoding="utf-8"))["issues"]
    found = {}
    for name, entry in listed.items():
        category, known = category_of(entry["category"])
        if not known:
            raise ValueError(
                f"{_FILE.name}: '{name}' has the unknown category '{entry['category']}'."
            )
        found[name] = Issue(name, entry["proposition"], category)
    return found


def build(source: Path, spec: IssuesSpec, *, progress: Progress | None = None) -> Built:
    """Build the dataset from the wide table (CSV or CSV.gz) or from users.json of the corpus.

    `source` is the file or a folder with one of them. The split of each person depends on
    `spec.seed` and that person only. Raises SourceError for a source that cannot be read or that
    has one person twice.
    """
    stretch = Stretch(progress)
    listed = issues()
    respondents, dropped, names = read(source, list(listed), spec.salt, stretch.part(0, 500))
    enough = [one for one in respondents if len(one.stances) >= spec.min_beliefs]
    if not enough:
        raise SourceError(
            f"{source} has nobody with {spec.min_beliefs} stances; is this the whole file?"
        )
    enough.sort(key=lambda one: one.user_id)
    batches: list[pa.RecordBatch] = []
    counts = Counter[str]()
    for one in stretch.part(500, 1000).through(enough, len(enough)):
        known, test = split(_drawn(one, listed, spec.seed), spec.known_share)
        first = counts["test"] + 1
        ids = [item_id("issues", first + place) for place in range(len(test))]
        batches += rows_of(one.user_id, ids, test, known, one.background)
        counts.update(known=len(known), test=len(test))
    table = pa.Table.from_batches(batches, BELIEF).combine_chunks()
    funnel = _funnel(respondents, enough, counts, dropped, spec)
    return Built(table, funnel, Private(names))


def audit(built: Built, spec: IssuesSpec) -> list[Audit]:
    """All audits of a build, passed and failed."""
    return audit_built(built, source="issues", min_beliefs=spec.min_beliefs)


def _drawn(one: Respondent, listed: Mapping[str, Issue], seed: int) -> list[_Stance]:
    order = sorted(one.stances, key=lambda name: rank(seed, one.user_id, name))
    return [
        _Stance(listed[name].proposition, listed[name].category, one.stances[name])
        for name in order
    ]


def _funnel(
    everyone: list[Respondent],
    enough: list[Respondent],
    counts: Counter[str],
    dropped: Counter[str],
    spec: IssuesSpec,
) -> list[Step]:
    people, stances = len(everyone), _stances(everyone)
    few = stances - _stances(enough)
    background = sum(1 for one in enough if one.background)
    return [
        Step("stances", {"people": people, "stances": stances}, dropped, spec.paper),
        Step(
            "enough",
            {"people": len(enough), "stances": stances - few, "people with background": background},
            {f"stances of people with fewer than {spec.min_beliefs}": few},
        ),
        Step("split", {"people": len(enough), "known": counts["known"], "test": counts["test"]}),
    ]


def _stances(respondents: Iterable[Respondent]) -> int:
    return sum(len(one.stances) for one in respondents)
