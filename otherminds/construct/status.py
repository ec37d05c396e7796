"""`otherminds construct status`: the funnel, blind reading, and what waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from otherminds import console
from otherminds.construct import blind, results
from otherminds.construct.folder import Folder
from otherminds.construct.results import Found
from otherminds.construct.state import State


def as_json(folder: Folder) -> dict[str, Any]:
    """The status of a construction."""
    now = folder.state()
    read = _read(folder, now)
    return {
        **folder.facts.model_dump(mode="json"),
        "funnel": now.funnel.as_json(),
        "dropped": now.drops(),
        "waiting": dict(_counts(folder, now)),
        "reading": None if read is None else read.as_json(),
    }


def waiting(folder: Folder) -> Iterator[str]:
    """What waits for a reply, and where its sheets lie, as lines."""
    now = folder.state()
    counts = _counts(folder, now)
    if counts:
        lots = ", ".join(f"{number:,} of {name}" for name, number in counts.items())
        yield f"Sheets that wait: {lots}, in {folder.sheets}."
    else:
        yield f"Nothing waits: `otherminds construct release {folder.path} --out DATASET`."


def show(folder: Folder) -> None:
    """Print it."""
    now = folder.state()
    facts, counts = folder.facts, now.funnel
    console.say(f"{facts.name}: pipeline {facts.pipeline} {facts.version}, seed {facts.seed}")
    console.say(
        f"Units: {counts.made:,} made, {counts.kept:,} kept, {counts.dropped:,} given up, "
        f"{counts.open:,} open"
    )
    headings = ("replies", "accepted", "refused", "asked again", "sent back", "given up")
    columns = [*console.texts("stage"), *console.numbers(*headings)]
    rows: list[Sequence[str]] = [
        [
            name,
            f"{one.replies:,}",
            f"{one.accepted:,}",
            f"{one.replies - one.accepted:,}",
            f"{one.again:,}",
            f"{sum(one.returned.values()):,}",
            f"{sum(one.dropped.values()):,}",
        ]
        for name, one in counts.stages.items()
    ]
    console.OUT.print(console.fitted(columns, rows, look=console.Look.RULED))
    for name, one in counts.stages.items():
        for heading, reasons in (("refused by", one.refused), ("sent back by", one.returned)):
            if reasons:
                console.say(f"{name}, {heading}: {_listed(reasons)}")
    if counts.door:
        console.say(f"Turned away unread: {_listed(counts.door)}")
    for unit, why in now.drops().items():
        console.say(f"Given up: {unit} ({why})")
    read = _read(folder, now)
    if read is not None:
        for line in _lines(read):
            console.say(line)
    for line in waiting(folder):
        console.say(line)


def _read(folder: Folder, now: State) -> Found | None:
    reading = folder.pipeline.reading
    key = blind.read_key(folder.path) if reading is not None else None
    return None if key is None or reading is None else results.of(reading, key, now)


def _counts(folder: Folder, now: State) -> Counter[str]:
    counts = Counter(one.stage for one in now.open())
    counts.update(one.stage for one in blind.asked(folder, now).values())
    return counts


def _lines(read: Found) -> Iterator[str]:
    names = {name for own in read.readers.values() for name in own}
    yield f"Blind readers: {', '.join(sorted(names)) or 'none yet'}; {read.n_items:,} items."
    if read.before is not None:
        low, high = read.before.low, read.before.high
        what = "Points met" if read.markers else "Right"
        yield f"{what} before anything is dropped: {read.before.value:.1%} ({low:.1%} to {high:.1%})."
    if read.agreement is not None:
        yield f"Two readers of an item agree on {read.agreement:.1%}."
    if read.dropped:
        yield f"Dropped: {len(read.dropped):,} items; first {min(read.dropped)}."
    if read.after is not None and read.dropped:
        who = "fresh readers" if read.fresh else "the same readers"
        yield f"Right on the items that stay, by {who}: {read.after.value:.1%}."
    for item, said in read.notes.items():
        yield f"  {item}: {console.quoted(' / '.join(said), 200)}"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.most_common())
