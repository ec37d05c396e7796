"""The configuration `ddo`: beliefs stated on Debate.org, the known ones older than those asked for.

    debates -> stances -> readable titles -> unique -> people with enough -> split -> similarity filter

What takes long is kept in a work folder: the source, read once (`stances-*.sqlite`), and the embeddings
(`embeddings.sqlite`). A build that is interrupted and started again with the same folder continues
from there.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from filelock import FileLock

from otherminds.dataset_builders.builder import checked
from otherminds.dataset_builders.debate.audits import Audit, audit_built
from otherminds.dataset_builders.debate.beliefs import (
    Choice,
    Person,
    Propositions,
    Tally,
    propositions,
)
from otherminds.dataset_builders.debate.ddo_source import Source, find, stage
from otherminds.dataset_builders.debate.demographics import background
from otherminds.dataset_builders.debate.duplicates import Belief
from otherminds.dataset_builders.debate.embedding import (
    PACKAGED,
    Embed,
    Store,
    dissimilar,
    sentence_bert,
)
from otherminds.dataset_builders.debate.rows import item_id, rows_of, user_ids
from otherminds.dataset_builders.debate.schema import BELIEF, Built, Private
from otherminds.dataset_builders.debate.split import check_sizes
from otherminds.dataset_builders.debate.staging import Staged, Writer, fingerprint, staged
from otherminds.dataset_builders.debate.titles import Judge, rejection
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.sources import SourceError, Step, Stretch
from otherminds.types import Progress

__all__ = ["Audit", "Built", "DdoSpec", "audit", "build", "content_hash", "spec"]

_EPOCH = date(1970, 1, 1).toordinal()
_DATES = pa.schema(
    [("item_id", pa.string()), ("day", pa.int32()), ("newest_known_day", pa.int32())]
)


@dataclass(frozen=True)
class DdoSpec:
    """Parameters of the build.

    seed          of the order among beliefs of one day
    salt          of the user ids
    min_beliefs   people with fewer beliefs are left out (paper: 5)
    known_share   the oldest share of beliefs that are known (paper: 0.8)
    max_cosine    known beliefs closer than this to a test belief are left out (paper: 0.8)
    model         the embedding model: a name on the Hub, a folder, or the packaged one
    paper         the paper's counts: "users", "beliefs", "known", "test"
    """

    seed: int
    salt: str
    min_beliefs: int = 5
    known_share: float = 0.8
    max_cosine: float = 0.8
    model: str = PACKAGED
    paper: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_sizes(self.min_beliefs, self.known_share)
        if not -1 <= self.max_cosine <= 1:
            raise ValueError(
                f"max_cosine is {self.max_cosine}, but a cosine lies between -1 and 1."
            )


def spec(generator: Mapping[str, Any]) -> DdoSpec:
    """The checked parameters, from the `generator` part of a manifest.

    Raises ValueError for a missing, unknown or impossible one.
    """
    return checked(DdoSpec, generator)


def build(
    source: Path,
    spec: DdoSpec,
    *,
    progress: Progress | None = None,
    work: Path | None = None,
    embed: Embed | None = None,
    judge: Judge = rejection,
    judged: Callable[[], Mapping[str, int]] = dict,
) -> Built:
    """Build the dataset from the Debate.org corpus or a processed table (see `ddo_source.find`).

    work    keeps what took long; a build with the same folder continues. Without it a temporary
            folder is used, and the table is held in memory; with it the table is a view of a file
            there.
    embed   computes embeddings instead of the model that `spec.model` names; it must be that model,
            since stored vectors are found by its name
    judge   tells which titles are not statements; by default the rules of `titles`
    judged  called once when `judge` has seen all titles: what it counted, for the funnel. What it
            raises ends the build

    The result depends on the source, `spec`, `judge` and the embeddings only. Memory does not grow
    with the source. Raises SourceError for a source that cannot be read, and where no person has
    enough beliefs.
    """
    files, stretch = find(source), Stretch(progress)
    with _folder(work) as folder:
        read = _read(files, folder, stretch)
        store = Store(folder / "embeddings.sqlite", spec.model)
        asked, tally = propositions(read, judge), Tally.empty()
        told_by_judge = judged()
        choice = Choice(read, asked, spec.seed, spec.min_beliefs, spec.known_share)
        names: list[str] = []
        texts: set[str] = set()
        for person in choice.people(tally):
            names.append(person.name)
            texts.update(belief.proposition for belief in (*person.known, *person.test))
        if not names:
            raise SourceError(
                f"{files.beliefs} holds {read.size('stances'):,} stances, but nobody has "
                f"{spec.min_beliefs} beliefs on readable titles; is this the whole corpus?"
            )
        store.add(texts, lambda: embed or sentence_bert(spec.model), stretch.part(700, 950))
        table, dates, left = _write(
            names, choice, spec, store, folder, stretch.part(950, 1000), in_memory=work is None
        )
        funnel = _funnel(read, asked, told_by_judge, tally, left, spec)
        return Built(table, funnel, Private(read.names(), dates))


def audit(built: Built, spec: DdoSpec, *, embed: Embed | None = None) -> list[Audit]:
    """All audits of a build, passed and failed; that of cosines where an embedder is passed."""
    return audit_built(built, source="ddo", embed=embed, max_cosine=spec.max_cosine)


@contextmanager
def _folder(work: Path | None) -> Iterator[Path]:
    if work is not None:
        work.mkdir(parents=True, exist_ok=True)
        # One build at a time, so whatever is unfinished there was left by one that was killed.
        with FileLock(work / "lock"):
            for unfinished in work.glob("*.partial"):
                unfinished.unlink()
            yield work
        return
    with TemporaryDirectory(prefix="otherminds-debate-") as folder:
        yield Path(folder)


def _read(files: Source, folder: Path, stretch: Stretch) -> Staged:
    def fill(writer: Writer) -> None:
        stage(files, writer, stretch.part(0, 650), stretch.part(650, 700))

    return staged(folder / f"stances-{fingerprint(files.paths)}.sqlite", fill)


def _write(
    names: list[str],
    choice: Choice,
    spec: DdoSpec,
    store: Store,
    folder: Path,
    stretch: Stretch,
    *,
    in_memory: bool,
) -> tuple[pa.Table, pa.Table, Counter[str]]:
    """The rows, written person by person so that they need not fit into memory, and their dates."""
    ids = user_ids(names, spec.salt)
    dates, left = [], Counter[str]()
    path = folder / "beliefs.arrow"
    partial = path.with_name(f"{path.name}.partial")
    done = 0
    with pa.OSFile(str(partial), "wb") as file, pa.ipc.new_file(file, BELIEF) as out:
        for name in stretch.through(sorted(names, key=ids.__getitem__), len(names)):
            person = choice.person(name)
            places = dissimilar(
                [belief.proposition for belief in person.known],
                [belief.proposition for belief in person.test],
                store.vectors,
                spec.max_cosine,
            )
            known = [person.known[place] for place in places]
            says = background(choice.staged.profile(name), name, person.known[-1].day)
            items = [item_id("ddo", done + place) for place in range(1, len(person.test) + 1)]
            done += len(items)
            for batch in rows_of(ids[name], items, person.test, known, says):
                out.write_batch(batch)
            dates.append(_dates(items, person, known))
            left.update(users=1, known=len(known), test=len(items))
            left["users without known beliefs"] += not known
            left["users without background"] += not says
    os.replace(partial, path)
    opened = pa.OSFile(str(path)) if in_memory else pa.memory_map(str(path))
    table = pa.ipc.open_file(opened).read_all()
    return table, pa.Table.from_batches(dates, _DATES), left


def _dates(items: list[str], person: Person, known: list[Belief]) -> pa.RecordBatch:
    newest = known[-1].day.toordinal() - _EPOCH if known else None
    days = [belief.day.toordinal() - _EPOCH for belief in person.test]
    return pa.RecordBatch.from_pydict(
        {"item_id": items, "day": days, "newest_known_day": [newest] * len(items)}, _DATES
    )


def _funnel(
    read: Staged,
    asked: Propositions,
    told_by_judge: Mapping[str, int],
    tally: Tally,
    left: Counter[str],
    spec: DdoSpec,
) -> list[Step]:
    def paper(*units: str) -> dict[str, int]:
        return {unit: spec.paper[unit] for unit in units if unit in spec.paper}

    halves = {unit: tally.halves[unit] for unit in ("known", "test")}
    return [
        Step("debates", {"debates": read.size("debates")}, paper=paper("debates")),
        Step(
            "stances",
            {"beliefs": read.size("stances"), "users": len(read.users())},
            read.counts(),
        ),
        Step(
            "readable titles",
            {
                "debates": len(asked.by_debate),
                "debates of an unknown category": asked.unknown_categories,
                **told_by_judge,
                **_of_people(tally.readable),
            },
            asked.rejected,
        ),
        Step("unique", _of_people(tally.unique), tally.duplicates),
        Step("enough", _of_people(tally.enough), tally.few, paper("users", "beliefs")),
        Step("split", {"users": tally.enough["users"], **halves}, paper=paper("known", "test")),
        Step(
            "similarity filter",
            {
                unit: left[unit]
                for unit in (
                    "users",
                    "known",
                    "test",
                    "users without known beliefs",
                    "users without background",
                )
            },
            {"known beliefs too close to a test belief": halves["known"] - left["known"]},
        ),
    ]


def _of_people(counts: Counter[str]) -> dict[str, int]:
    return {"beliefs": counts["beliefs"], "users": counts["users"]}
