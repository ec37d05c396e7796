"""`otherminds construct import`: each reply is accepted or refused, and new sheets follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from otherminds.construct import blind, judging, ledger, replies
from otherminds.construct.characters import is_name
from otherminds.construct.folder import REPLIES, Folder
from otherminds.construct.ledger import Entry, Said
from otherminds.construct.pipeline import Return, Role, Stage
from otherminds.construct.refusals import Refusal
from otherminds.construct.replies import Reply, Who
from otherminds.construct.state import Open, State
from otherminds.construct.wanted import Wanted, is_among
from otherminds.dataset_builders.constructed import Content, Unit
from otherminds.errors import OtherMindsError


@dataclass
class Imported:
    """What became of the replies of an import.

    accepted  sheets whose replies were accepted
    refused   sheets whose replies were not, with the reasons
    turned    replies that were turned away unread: where they stand, and why. They cost no try
    known     replies that an earlier import has looked at already
    returned  units that validators or raters sent back or out, with the reasons
    dropped   units that were given up, with the reason
    """

    accepted: list[str] = field(default_factory=list)
    refused: list[tuple[str, tuple[Refusal, ...]]] = field(default_factory=list)
    turned: list[tuple[str, str]] = field(default_factory=list)
    known: int = 0
    returned: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[tuple[str, str]] = field(default_factory=list)


def import_(folder: Folder, paths: Sequence[Path] = (), who: Who | None = None) -> Imported:
    """Look at all replies in some files, `replies/` in the folder by default, and write what follows.

    Each reply is judged and written to the ledger before the next is read: where the process is killed,
    the same command goes on where it was. Raises OtherMindsError where another import is at work, and
    for files that cannot be read.
    """
    with folder.locked():
        now = folder.state()
        asked = blind.asked(folder, now)
        is_open = {one.sheet_id: one for one in now.open()}

        def schema(name: str) -> Mapping[str, Any]:
            if name in asked:
                return judging.schema_of(asked[name].form)
            return now.sheet(is_open[name]).schema if name in is_open else {}

        sources = paths or [folder.path / REPLIES]
        found = [one for path in sources for one in replies.read(path, who, schema)]
        if not found:
            named = ", ".join(map(str, sources))
            raise OtherMindsError(f"There is no reply in {named}: nothing was imported.")
        result = _Import(folder, now, asked).run(found)
        blind.follow(folder, now)
    return result


class _Import:
    def __init__(self, folder: Folder, now: State, asked: Mapping[str, Wanted]) -> None:
        self._folder = folder
        self._now = now
        self._reading = dict(asked)
        self._open = {one.sheet_id: one for one in now.open()}
        self._result = Imported()
        self._at = datetime.now(UTC).isoformat(timespec="seconds")

    def run(self, found: Iterable[Reply]) -> Imported:
        found = list(found)
        several = _differing(found)
        done: set[tuple[str, str]] = set()
        drops = set(self._now.drops())
        with ledger.writing(self._folder.path) as writer:
            for reply in found:
                said = self._at_the_door(reply, several, done)
                if said is None:
                    entry = self._judged(reply)
                elif said == _KNOWN:
                    self._result.known += 1
                    continue
                else:
                    reason, message = said
                    self._result.turned.append((reply.place, f"{reason}: {message}"))
                    if (reply.sheet_id, reply.sha256, reason) in self._now.turned:
                        continue
                    entry = self._turned(reply, reason)
                writer.add(entry)
                self._now.apply(entry)
                if entry.kind == "reply":
                    done.add((reply.sheet_id, reply.sha256))
                    # One file may hold the replies to what follows, too.
                    self._open |= {one.sheet_id: one for one in self._now.open_of(entry.unit_id)}
                    self._follow(entry)
        self._result.dropped = [
            (name, why) for name, why in self._now.drops().items() if name not in drops
        ]
        return self._result

    def _follow(self, entry: Entry) -> None:
        if entry.content is not None:
            self._result.accepted.append(entry.sheet_id)
        else:
            said = tuple(one.refusal() for one in entry.refusals)
            self._result.refused.append((entry.sheet_id, said))
        self._result.returned += [(entry.unit_id, str(one.refusal())) for one in entry.returns]

    def _at_the_door(
        self, reply: Reply, several: Mapping[str, str], done: set[tuple[str, str]]
    ) -> tuple[str, str] | None:
        """Why a reply is not looked at; None where it is."""
        if reply.fault is not None:
            return reply.fault
        name, proof = reply.sheet_id, reply.sha256
        if reply.text is not None and self._now.seen.get(name) == proof:
            if (name, proof) in done:
                return "duplicate", f"'{name}' stands here twice with the same reply; one counts."
            return _KNOWN
        if name in several:
            return "duplicate", (
                f"there are different replies to '{name}' ({several[name]}): none was taken. Give one."
            )
        if name in self._now.seen:
            return "answered", f"'{name}' was answered already; what was imported stays."
        asked, reading = self._open.get(name), self._reading.get(name)
        if asked is None and reading is None:
            return "unknown", (
                f"there is no sheet '{name}' that waits for a reply here. `otherminds construct status` "
                "says which do."
            )
        if reply.text is None:
            return "empty", f"'{name}' has no reply yet: it stays open."
        expected = (
            reading.proof if reading is not None else self._now.sheet(_some(asked)).frame_hash
        )
        if reply.frame_hash is not None and reply.frame_hash != expected:
            return "frame", (
                f"the reply to '{name}' names another frame_hash than its sheet: it answers a sheet of "
                "another frame. Answer the sheet that lies here."
            )
        if reply.who is None or not reply.who.name:
            return "author", f"nobody says who answered '{name}': give --author NAME."
        if not all(map(is_name, (reply.who.name, reply.who.family or "-"))):
            return "author", (
                f"the name or family of who answered '{name}' is none that a card can show: give "
                "letters, digits and plain signs, 120 at most, of one alphabet."
            )
        return self._barred(reply.who, asked, reading)

    def _barred(
        self, who: Who, asked: Open | None, reading: Wanted | None
    ) -> tuple[str, str] | None:
        if reading is not None:
            return reading.barred(who)
        one = _some(asked)
        stage = self._folder.pipeline.stage(one.stage)
        if stage.role is Role.AUTHOR:
            return None
        unit = self._now.unit(one.unit_id)
        if is_among(who.name, unit.authors):
            verb = "validate" if stage.role is Role.VALIDATOR else "rate"
            return "own_unit", (
                f"'{who.name}' wrote the unit of '{one.sheet_id}' and must not {verb} it: let somebody "
                "else answer."
            )
        if is_among(who.name, self._now.answered_by(one)):
            return "twice", (
                f"'{who.name}' has answered another sheet of the same unit and stage: let somebody else "
                f"answer '{one.sheet_id}'."
            )
        return None

    def _judged(self, reply: Reply) -> Entry:
        name = reply.sheet_id
        if name in self._reading:
            return self._reading.pop(name).entry(self._base(reply), reply.text or "")
        asked = self._open.pop(name)
        unit, stage = self._now.unit(asked.unit_id), self._folder.pipeline.stage(asked.stage)
        base = self._base(reply).model_copy(
            update={
                "stage": asked.stage,
                "unit_id": asked.unit_id,
                "slot": asked.slot,
                "number": asked.number,
            }
        )
        text = reply.text or ""
        try:
            found = judging.content(text, stage.ask(unit).reply)
            others = [one for one in self._now.units() if one.unit_id != unit.unit_id]
            said = judging.refusals(stage, unit, found, others)
        except judging.FaultyError as error:
            said = list(error.refusals)
        if said:
            refused = tuple(map(Said.of, said))
            return base.model_copy(update={"refusals": refused, "text": ledger.shortened(text)})
        returns = self._returns(stage, unit, asked, found)
        return base.model_copy(update={"content": found, "returns": returns})

    def _returns(self, stage: Stage, unit: Unit, asked: Open, found: Content) -> tuple[Said, ...]:
        if stage.role is Role.AUTHOR:
            return ()
        answers = self._now.answers_with(asked, found)
        if answers is None:
            return ()
        said = tuple(stage.decide(unit, answers))
        for one in said:
            self._check_return(stage, one)
        return tuple(map(Said.of, said))

    def _check_return(self, stage: Stage, one: Return) -> None:
        before = self._folder.pipeline.stages[: self._folder.pipeline.place(stage.name)]
        authors = {other.name for other in before if other.role is Role.AUTHOR}
        if one.stage is not None and one.stage not in authors:
            raise ValueError(
                f"'{stage.name}' sends units back to '{one.stage}', which is no author's stage before it"
            )

    def _base(self, reply: Reply) -> Entry:
        who = reply.who or Who("")
        return Entry(
            kind="reply",
            sheet_id=reply.sheet_id,
            author=who.name,
            author_kind=who.kind,
            family=who.family,
            at=self._at,
            sha256=reply.sha256,
        )

    def _turned(self, reply: Reply, reason: str) -> Entry:
        text = ledger.shortened(reply.text or "")
        return self._base(reply).model_copy(update={"kind": "door", "reason": reason, "text": text})


_KNOWN = ("known", "")


def _some(asked: Open | None) -> Open:
    if asked is None:
        raise KeyError("no sheet")
    return asked


def _differing(found: Iterable[Reply]) -> dict[str, str]:
    """Sheets to which several different replies came at once, with their places."""
    texts: dict[str, dict[str, str]] = {}
    for one in found:
        if one.text is not None and one.fault is None:
            texts.setdefault(one.sheet_id, {}).setdefault(one.sha256, one.place)
    return {name: "; ".join(own.values()) for name, own in texts.items() if len(own) > 1}


def counted(turned: Iterable[tuple[str, str]]) -> Counter[str]:
    """How many replies were turned away, by reason."""
    return Counter(said.partition(":")[0] for _, said in turned)
