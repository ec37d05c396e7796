"""Blind readers: they see what a model sees of a release, answer, and nothing is told to them.

When all units are kept or dropped, or somebody asks for it before, a draft of the release is built, and
the prompts of its tasks become sheets, in an order that nothing follows from: no gold, no frame, no
author, no other reader's answer. In the first round every item is read. Items that too few read as
meant are dropped; whether the others hold is then for fresh readers to say, in a second round, in which
nothing is dropped any more.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from otherminds import files
from otherminds.construct import marking, together
from otherminds.construct.folder import Folder
from otherminds.construct.ledger import Entry
from otherminds.construct.pipeline import MARKING, READING, Marking, Reading, Role
from otherminds.construct.replies import Who
from otherminds.construct.sheets import Sheet
from otherminds.construct.state import State
from otherminds.construct.wanted import Wanted, is_among, plain
from otherminds.dataset_builders.constructed import TEST, digest
from otherminds.errors import OtherMindsError
from otherminds.strict import Strict

FOLDER: Final = "reading"
KEY: Final = "key.json"

_SYSTEM = (
    "You read texts and answer a question about each. Nobody tells you what the right answer is. Answer "
    "from the text alone, and say in the note if two answers could be defended or if something is odd."
)


class Item(Strict):
    """An item that is read.

    unit_id  the unit that it is about
    task     the task whose prompt it is
    prompt   what a model sees
    answers  what can be answered; empty for an answer in words
    gold     the right answer; None where nothing is right or wrong
    right    the answers that count as right besides
    sheet    items with the same are read on one sheet; empty for a sheet of its own
    """

    item_id: str
    unit_id: str
    task: str
    prompt: str
    answers: list[str]
    gold: str | None
    right: list[str] = Field(default_factory=list)
    sheet: str = ""

    @property
    def read_as(self) -> str:
        """What the ledger calls what this item is read on."""
        return f"{together.PREFIX}{self.sheet}" if self.sheet else self.item_id


class Key(Strict):
    """What readers must not see: all items of the first round."""

    name: str
    items: list[Item]

    def units(self) -> frozenset[str]:
        """The units that are read."""
        return frozenset(item.unit_id for item in self.items)

    def only(self, units: Container[str]) -> Key:
        """The key of some units."""
        own = [item for item in self.items if item.unit_id in units]
        return self.model_copy(update={"items": own})

    def numbered(self) -> Mapping[str, Mapping[int, Item]]:
        """By what they are read on, the items by number, from 1: the same in every round."""
        found: dict[str, dict[int, Item]] = {}
        for item in self.items:
            own = found.setdefault(item.read_as, {})
            own[len(own) + 1] = item
        return found


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    note: str = Field(default="", max_length=2_000, description="Empty, or what is odd here.")


@dataclass(frozen=True)
class Asked(Wanted):
    """A reader's sheet that waits for a reply, on one item or, by their numbers, on several."""

    sheet_id: str
    items: Mapping[int, Item]
    round: int
    slot: int
    number: int
    asks: type[BaseModel]
    now: State
    stage: str = READING

    @property
    def item(self) -> Item:
        """The first of its items; all are of one unit."""
        return next(iter(self.items.values()))

    @property
    def system(self) -> str:
        """Who is asked to do what."""
        return _SYSTEM

    @property
    def task(self) -> str:
        """What is shown: the prompt of a task, or of several items what they share and then each."""
        if not self.item.sheet:
            return self.item.prompt
        return together.prompt([one.prompt for one in self.items.values()], list(self.items))

    @property
    def form(self) -> type[BaseModel]:
        """The model of a reply."""
        return self.asks

    @property
    def place(self) -> dict[str, Any]:
        """Where its reply stands."""
        # Rounds and slots in one number: 11 is the first reader of the first round.
        slot = 10 * self.round + self.slot
        own = {"unit_id": self.item.unit_id, "item": self.item.read_as}
        return {**own, "slot": slot, "number": self.number}

    def barred(self, who: Who) -> tuple[str, str] | None:
        """Why somebody must not read this; None where nothing is against it."""
        name = plain(who.name)
        unit = self.now.unit(self.item.unit_id)
        if is_among(who.name, unit.authors):
            return "own_unit", (
                f"'{who.name}' wrote the unit of '{self.sheet_id}' and must not read it: let somebody "
                "else answer."
            )
        validators = [one.author for one in unit.written if one.role == Role.VALIDATOR.value]
        marked = [one.author for one in self.now.markings if one.item == self.item.read_as]
        if is_among(who.name, [*validators, *marked]):
            return "knows_truth", (
                f"'{who.name}' has validated the unit of '{self.sheet_id}' or marked answers about it, "
                "and knows its truth: let somebody else answer."
            )
        for one in self.now.readings:
            if one.content is None or plain(one.author) != name:
                continue
            if self.round > 1 and round_number(one) < self.round:
                return "not_fresh", (
                    f"'{who.name}' has read before, and this round is for fresh readers: let somebody "
                    f"else answer '{self.sheet_id}'."
                )
            if one.item == self.item.read_as and round_number(one) == self.round:
                return "twice", (
                    f"'{who.name}' has read the item of '{self.sheet_id}' already: let somebody else "
                    "answer."
                )
        return None


def asked(folder: Folder, now: State) -> dict[str, Wanted]:
    """The sheets of readers and of who marks them that wait for a reply; none before a draft."""
    key = read_key(folder.path)
    reading = folder.pipeline.reading
    if key is None or reading is None:
        return {}
    found: dict[str, Wanted] = {}
    turn = round_of(key, reading, now)
    came: dict[tuple[str, int], list[Entry]] = {}
    for entry in now.readings:
        came.setdefault((entry.item, entry.slot), []).append(entry)
    stays = {item.item_id for item in items_of(key, reading, now, turn)}
    for name, every in key.numbered().items():
        items = {number: item for number, item in every.items() if item.item_id in stays}
        if not items:
            continue
        wanted = form_of(reading, items)
        for slot in range(1, readers(reading, turn) + 1):
            own = came.get((name, 10 * turn + slot), [])
            if any(one.content is not None for one in own):
                continue
            number = len(own) + 1
            parts = [now.name, READING, name, turn, slot, number]
            sheet_id = f"read-{digest(parts)[:12]}"
            found[sheet_id] = Asked(sheet_id, items, turn, slot, number, wanted, now)
    if reading.marking is not None:
        found.update(marking.asked(reading.marking, now))
    return found


def readers(reading: Reading, turn: int) -> int:
    """How many read an item in a round."""
    return reading.readers if turn == 1 else reading.fresh_readers


def follow(folder: Folder, now: State, *, early: bool = False) -> dict[str, int]:
    """Write the sheets that wait after an import, and how many there are, by file.

    early  readers are asked about the units that are kept so far, though others wait

    Once no unit waits, or early, there are sheets of readers, and the draft is built that they are made
    from. The caller holds the folder's lock. Raises OtherMindsError where nobody can be asked early: no
    unit is kept, or which items are read is drawn over all units.
    """
    counts = now.funnel
    reading = folder.pipeline.reading
    if early:
        _check_early(folder, now, reading)
    if reading is not None and counts.kept and (early or not counts.open):
        key = read_key(folder.path)
        if key is None or now.kept_units() - key.units():
            _prepare(folder, now, reading, key)
    found: dict[str, list[Sheet]] = {}
    for one in asked(folder, now).values():
        name = MARKING
        if isinstance(one, Asked):
            name = f"{READING}_{one.round}_{one.slot}"
        found.setdefault(name, []).append(one.sheet)
    for sheets in found.values():
        # By their ids, which nothing follows from: the items of a unit lie apart.
        sheets.sort(key=lambda sheet: sheet.sheet_id)
    return folder.put_sheets({**folder.open_sheets(now), **found})


def read_key(path: Path) -> Key | None:
    """The key of a construction; None before readers are asked."""
    place = path / FOLDER / KEY
    try:
        return Key.model_validate_json(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise OtherMindsError(
            f"{place} is damaged. Delete it, and give the `otherminds construct export …` again that "
            "the construction was begun with: it is made anew, and no reply is lost."
        ) from error


def round_of(key: Key, reading: Reading, now: State) -> int:
    """The round that is being read: the second where the first is over and has dropped something."""
    if reading.marking is None:
        first = len(answers(key, now, 1))
    else:
        first = sum(slot // 10 == 1 for _, slot in marks(key, reading.marking, now))
    is_over = first >= reading.readers * len(key.items)
    return 2 if is_over and dropped(key, reading, now) else 1


def items_of(key: Key, reading: Reading, now: State, turn: int) -> list[Item]:
    """The items of a round."""
    if turn == 1:
        return key.items
    gone = dropped(key, reading, now)
    return [item for item in key.items if item.item_id not in gone]


def dropped(key: Key, reading: Reading, now: State) -> frozenset[str]:
    """The items that too few readers of the first round read as meant."""
    right = shares_right(key, reading, now, 1)
    return frozenset(item for item, share in right.items() if share < reading.least_right)


def shares_right(key: Key, reading: Reading, now: State, turn: int) -> dict[str, float]:
    """By item, the share of its readers of a round that were right, or of points that answers meet."""
    found: dict[str, list[float]] = {}
    if reading.marking is not None:
        for (item_id, slot), met in marks(key, reading.marking, now).items():
            if slot // 10 == turn and met:
                found.setdefault(item_id, []).append(sum(met) / len(met))
    else:
        right = {
            item.item_id: {item.gold, *item.right} for item in key.items if item.gold is not None
        }
        for item_id, given in answers(key, now, turn):
            if item_id in right:
                found.setdefault(item_id, []).append(float(given in right[item_id]))
    return {item: sum(own) / len(own) for item, own in found.items()}


def marks(key: Key, how: Marking, now: State) -> Mapping[tuple[str, int], tuple[bool, ...]]:
    """By item of the key and slot of a reader's answer, which points it meets."""
    items = {item.item_id for item in key.items}
    return {place: met for place, met in marking.marks(how, now).items() if place[0] in items}


def read_units(key: Key, reading: Reading, now: State) -> frozenset[str]:
    """The units of a key whose every item was answered by all its first readers."""
    came = Counter(item_id for item_id, _ in answers(key, now, 1))
    lack = {item.unit_id for item in key.items if came[item.item_id] < reading.readers}
    return key.units() - lack


def answers(key: Key, now: State, turn: int) -> list[tuple[str, str]]:
    """The item and answer of each accepted reply of a round; as JSON where it has several parts."""
    numbered = key.numbered()
    return [
        (item_id, str(said.get("answer") or json.dumps(said, sort_keys=True)))
        for one in now.readings
        if round_number(one) == turn
        for item_id, said in given(numbered, one)
    ]


def given(
    numbered: Mapping[str, Mapping[int, Item]], entry: Entry
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The items that a reply answers, each with what it says of it; none of a refused one.

    numbered  the items as `Key.numbered` has them
    """
    content = entry.content
    if content is None:
        return
    if not entry.item.startswith(together.PREFIX):
        yield entry.item, content
        return
    for number, item in numbered.get(entry.item, {}).items():
        name = together.answer_name(number)
        if name in content:
            yield item.item_id, {"answer": content[name], "note": content.get("note", "")}


def round_number(entry: Entry) -> int:
    """The round that a reader's reply belongs to."""
    return entry.slot // 10


def form_of(reading: Reading, items: Mapping[int, Item]) -> type[BaseModel]:
    """The model of a reader's reply to the items of a sheet."""
    first = next(iter(items.values()))
    if first.sheet:
        return together.form({number: one.answers for number, one in items.items()}, _Answer)
    if reading.reply is not None and not first.answers:
        return reading.reply
    return form(tuple(first.answers))


@cache
def form(allowed: tuple[str, ...]) -> type[BaseModel]:
    """The model of a reader's reply."""
    kind: Any = Literal[allowed] if allowed else str
    limits = Field() if allowed else Field(min_length=1, max_length=20_000)
    return create_model("Reading", __base__=_Answer, answer=(kind, limits))


def _check_early(folder: Folder, now: State, reading: Reading | None) -> None:
    if reading is None:
        raise OtherMindsError(f"Nobody reads what the pipeline '{folder.pipeline.name}' makes.")
    if not now.funnel.kept:
        raise OtherMindsError(
            f"No unit of {folder.path} is kept yet, so that there is nothing to read: `otherminds "
            "construct status` says what waits."
        )
    if reading.most_items is not None and now.funnel.open:
        raise OtherMindsError(
            f"The pipeline '{folder.pipeline.name}' draws the items that are read over all units: let "
            "the other units be written first."
        )


def _prepare(folder: Folder, now: State, reading: Reading, known: Key | None) -> None:
    """Build the draft, and write the key: the items that are read, drawn evenly over units.

    known  the key so far, of units that were kept before the others: its items stay as they are
    """
    from otherminds.construct import release

    with files.work_folder(folder.path / FOLDER / "draft") as draft:
        # Training units are read as well: the draft has all where the tasks ask.
        release.build(folder, now, draft / "data", read=None, part=TEST)
        items = _items(reading, draft / "data")
    kept = now.kept_units()
    if strangers := [item.item_id for item in items if item.unit_id not in kept]:
        raise OtherMindsError(
            f"The task {reading.tasks[0]} asks about '{strangers[0]}', which is of no kept unit."
        )
    _check_sheets(items)
    items = _drawn(items, reading.most_items, folder.facts.name)
    if known is not None:
        items = _added(known, items)
    key = Key(name=folder.facts.name, items=items)
    files.write_json(folder.path / FOLDER / KEY, key.model_dump(mode="json"))


def _added(known: Key, items: Sequence[Item]) -> list[Item]:
    """The items of a key and, after them, those of units that are new. Raises OtherMindsError where an
    item is not the one that was read."""
    now = {item.item_id: item for item in items}
    if changed := [one.item_id for one in known.items if now.get(one.item_id) != one]:
        raise OtherMindsError(
            f"The item '{changed[0]}' is another one since other units were kept, though readers may "
            "have answered it: a builder must make the items of a unit from this unit alone."
        )
    before = known.units()
    return [*known.items, *(item for item in items if item.unit_id not in before)]


def _items(reading: Reading, data: Path) -> list[Item]:
    from otherminds import harness

    manager = harness.task_manager({"data_source": str(data)})
    found = []
    for name, task in harness.load_tasks(manager, list(reading.tasks)).items():
        head = str(task.config.description or "")
        for doc in task.eval_docs:
            allowed = [] if reading.answers is None else list(reading.answers(doc))
            found.append(
                Item(
                    item_id=f"{name}:{doc['item_id']}",
                    unit_id=reading.unit_of(doc),
                    task=name,
                    prompt=f"{head}{task.doc_to_text(doc)}",
                    answers=allowed,
                    gold=None if reading.gold is None else reading.gold(doc),
                    right=[] if reading.right is None else list(reading.right(doc)),
                    sheet="" if reading.sheet is None else reading.sheet(doc),
                )
            )
    return found


def _check_sheets(items: Sequence[Item]) -> None:
    """All items of a sheet are of one unit: else an author could be barred from one of them alone."""
    units: dict[str, str] = {}
    for item in items:
        if item.sheet and units.setdefault(item.sheet, item.unit_id) != item.unit_id:
            raise OtherMindsError(
                f"The sheet '{item.sheet}' of readers has items of {units[item.sheet]} and of "
                f"{item.unit_id}: `Reading.sheet` must keep units apart."
            )


def _drawn(items: Sequence[Item], most: int | None, name: str) -> list[Item]:
    """At most so many items, one unit after the other, by hashes."""
    if most is None or len(items) <= most:
        return list(items)
    by_unit: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: digest([name, item.item_id])):
        by_unit.setdefault(item.unit_id, []).append(item)
    turns = max(map(len, by_unit.values()))
    order = [own[turn] for turn in range(turns) for own in by_unit.values() if turn < len(own)]
    kept = {item.item_id for item in order[:most]}
    return [item for item in items if item.item_id in kept]
