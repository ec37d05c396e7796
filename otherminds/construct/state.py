"""Where each unit of a construction stands: a function of its frames and its ledger alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from otherminds import control_tokens
from otherminds.construct import judging
from otherminds.construct.funnel import Funnel, StageFunnel
from otherminds.construct.ledger import Entry, Said
from otherminds.construct.pipeline import MARKING, READING, Pipeline, Role, Stage
from otherminds.construct.refusals import Refusal
from otherminds.construct.sheets import Sheet
from otherminds.dataset_builders.constructed import Content, Unit, Written, digest

Place = tuple[str, int]
"""A stage, and which of those who answer it, from 1."""


class Open(NamedTuple):
    """A sheet that waits for a reply: `number` counts the sheets of its unit, stage and slot, from 1."""

    sheet_id: str
    unit_id: str
    stage: str
    slot: int
    number: int


@dataclass
class _Standing:
    """A unit on its way.

    place    the stage that it waits at; past the last one, it is kept
    numbers  replies that were looked at, by stage and slot
    tries    how often it was asked for again
    why      the reasons that the next sheet gives
    before   the reply that the next sheet shows
    answers  of a stage of validators or raters, the accepted replies so far, by slot
    raters   by stage, who rated the unit or an earlier form of it
    dropped  why it was given up
    """

    unit: Unit
    place: int = 0
    numbers: Counter[Place] = field(default_factory=Counter)
    tries: Counter[Place] = field(default_factory=Counter)
    why: dict[Place, tuple[Refusal, ...]] = field(default_factory=dict)
    before: dict[Place, str] = field(default_factory=dict)
    answers: dict[int, Entry] = field(default_factory=dict)
    raters: dict[str, set[str]] = field(default_factory=dict)
    dropped: str | None = None


class State:
    """The units of a construction after some entries of its ledger.

    name      of the construction: sheets of readers are named with it
    readings  the entries of blind readers
    markings  those of who marked their answers
    seen      by sheet, the hash of the reply that was looked at
    """

    def __init__(self, name: str, pipeline: Pipeline, units: Iterable[Unit]) -> None:
        self.name = name
        self.pipeline = pipeline
        self._funnel = Funnel(stages={stage.name: StageFunnel() for stage in pipeline.stages})
        self.readings: list[Entry] = []
        self.markings: list[Entry] = []
        self.seen: dict[str, str] = {}
        self.turned: set[tuple[str, str, str]] = set()
        self._aside: set[str] = set()
        self._standings = {unit.unit_id: _Standing(unit) for unit in units}

    @property
    def funnel(self) -> Funnel:
        """The counts so far."""
        counts = self._funnel
        counts.made = len(self._standings)
        counts.kept = sum(1 for _ in self.kept())
        counts.open = counts.made - counts.kept - counts.dropped
        return counts

    def apply(self, entry: Entry) -> None:
        """Let an entry change what it changes."""
        if entry.kind == "door":
            self._funnel.door[entry.reason] += 1
            self.turned.add((entry.sheet_id, entry.sha256, entry.reason))
            return
        self.seen[entry.sheet_id] = entry.sha256
        if entry.stage in (READING, MARKING):
            (self.readings if entry.stage == READING else self.markings).append(entry)
            return
        standing = self._standings[entry.unit_id]
        stage = self.pipeline.stage(entry.stage)
        counts = self._funnel.stages[entry.stage]
        counts.replies += 1
        place = (entry.stage, entry.slot)
        standing.numbers[place] += 1
        if entry.content is None:
            counts.refused.update({one.check for one in entry.refusals})
            too_long = any(one.check == "length" for one in entry.refusals)
            standing.before[place] = "" if too_long else control_tokens.neutral(entry.text)
            self._again(standing, place, entry.refusals, counts)
        else:
            counts.accepted += 1
            standing.why.pop(place, None)
            standing.before.pop(place, None)
            if stage.role is Role.AUTHOR:
                self._write(standing, entry, entry.content)
            else:
                self._judge(standing, stage, entry)

    def units(self) -> list[Unit]:
        """All units that are not dropped, with what was accepted so far."""
        return [one.unit for one in self._standings.values() if one.dropped is None]

    def unit(self, unit_id: str) -> Unit:
        """One unit."""
        return self._standings[unit_id].unit

    def kept(self) -> Iterator[Unit]:
        """The units of which all stages are accepted."""
        last = len(self.pipeline.stages)
        for name, one in self._standings.items():
            if one.dropped is None and one.place == last and name not in self._aside:
                yield one.unit

    def kept_units(self) -> frozenset[str]:
        """Their names."""
        return frozenset(unit.unit_id for unit in self.kept())

    def set_aside(self, names: Iterable[str]) -> None:
        """Count units as open, though all their stages are accepted: a release leaves them out."""
        self._aside |= set(names)

    def drops(self) -> dict[str, str]:
        """The units that were given up, and why."""
        return {name: one.dropped for name, one in self._standings.items() if one.dropped}

    def open(self) -> Iterator[Open]:
        """The sheets that wait for a reply, in the order of units."""
        for name in self._standings:
            yield from self.open_of(name)

    def open_of(self, unit_id: str) -> Iterator[Open]:
        """Those of one unit."""
        one = self._standings[unit_id]
        if one.dropped is not None or one.place == len(self.pipeline.stages):
            return
        stage = self.pipeline.stages[one.place]
        for slot in range(1, stage.replies + 1):
            if slot not in one.answers:
                number = one.numbers[stage.name, slot] + 1
                sheet_id = self._sheet_id(stage, unit_id, slot, number)
                yield Open(sheet_id, unit_id, stage.name, slot, number)

    def sheet(self, asked: Open) -> Sheet:
        """The sheet itself."""
        standing = self._standings[asked.unit_id]
        stage = self.pipeline.stage(asked.stage)
        place = (asked.stage, asked.slot)
        said = stage.ask(standing.unit)
        schema = judging.schema_of(said.reply)
        parts = [
            said.prompt,
            _reasons(standing.why.get(place, ()), standing.before.get(place, "")),
            _how_to_reply(schema),
        ]
        shown = "\n\n".join(part for part in parts if part)
        blind = stage.role is Role.RATER
        proof = digest([said.system, shown]) if blind else standing.unit.frame_hash
        return Sheet(asked.sheet_id, asked.stage, schema, said.system, shown, proof)

    def answered_by(self, asked: Open) -> frozenset[str]:
        """Who answered other sheets of a unit's stage; of raters, of its earlier forms, too."""
        standing = self._standings[asked.unit_id]
        now = {one.author for one in standing.answers.values()}
        return frozenset(now | standing.raters.get(asked.stage, set()))

    def answers_with(self, asked: Open, content: Content) -> list[Content] | None:
        """All replies to a stage of validators or raters once this is one; None while some lack."""
        answers = self._standings[asked.unit_id].answers
        found = {slot: entry.content or {} for slot, entry in answers.items()}
        found[asked.slot] = dict(content)
        complete = len(found) == self.pipeline.stage(asked.stage).replies
        return [found[slot] for slot in sorted(found)] if complete else None

    def _sheet_id(self, stage: Stage, unit_id: str, slot: int, number: int) -> str:
        if stage.role is Role.RATER:
            # A rater must not see which unit it is, nor which try.
            return f"{stage.name}-{digest([self.name, unit_id, stage.name, slot, number])[:12]}"
        several = f".{slot}" if stage.replies > 1 else ""
        return f"{unit_id}.{stage.name}{several}.{number}"

    def _write(self, standing: _Standing, entry: Entry, content: Content) -> None:
        unit = standing.unit
        standing.unit = replace(
            unit,
            texts={**unit.texts, entry.stage: content},
            written=(*unit.written, self._written(standing, entry)),
        )
        standing.place += 1

    def _judge(self, standing: _Standing, stage: Stage, entry: Entry) -> None:
        standing.answers[entry.slot] = entry
        if stage.role is Role.RATER:
            standing.raters.setdefault(stage.name, set()).add(entry.author)
        if len(standing.answers) < stage.replies:
            return
        answers = [standing.answers[slot] for slot in sorted(standing.answers)]
        standing.answers = {}
        unit = standing.unit
        standing.unit = replace(
            unit,
            judged={**unit.judged, stage.name: [one.content or {} for one in answers]},
            written=(*unit.written, *(self._written(standing, one) for one in answers)),
        )
        standing.place += 1
        if entry.returns:
            self._send_back(standing, stage, entry.returns)

    def _send_back(self, standing: _Standing, stage: Stage, returns: Sequence[Said]) -> None:
        counts = self._funnel.stages[stage.name]
        counts.returned.update({one.check for one in returns})
        if lost := [one for one in returns if one.stage is None]:
            self._drop(standing, lost[0].check, counts)
            return
        by_stage: dict[str, list[Said]] = {}
        for one in returns:
            by_stage.setdefault(one.stage or "", []).append(one)
        target = min(by_stage, key=self.pipeline.place)
        first = self.pipeline.place(target)
        later = {one.name for one in self.pipeline.stages[first:]}
        unit = standing.unit
        for name, said in by_stage.items():
            standing.why[name, 1] = tuple(one.refusal() for one in said)
            if name in unit.texts:
                standing.before[name, 1] = json.dumps(unit.texts[name], ensure_ascii=False)
        standing.unit = replace(
            unit,
            texts={name: text for name, text in unit.texts.items() if name not in later},
            judged={name: said for name, said in unit.judged.items() if name not in later},
            written=tuple(one for one in unit.written if one.stage not in later),
        )
        standing.place = first
        self._again(standing, (target, 1), by_stage[target], counts)

    def _again(
        self, standing: _Standing, place: Place, said: Sequence[Said], counts: StageFunnel
    ) -> None:
        standing.tries[place] += 1
        if standing.tries[place] > self.pipeline.again:
            self._drop(standing, said[0].check, counts)
            return
        counts.again += 1
        standing.why[place] = tuple(one.refusal() for one in said)

    def _drop(self, standing: _Standing, reason: str, counts: StageFunnel) -> None:
        standing.dropped = reason
        counts.dropped[reason] += 1

    def _written(self, standing: _Standing, entry: Entry) -> Written:
        stage = self.pipeline.stage(entry.stage)
        return Written(
            stage=entry.stage,
            role=stage.role.value,
            author=entry.author,
            kind=entry.author_kind,
            family=entry.family,
            at=entry.at,
            tries=standing.numbers[entry.stage, entry.slot],
            checks=["json", "schema", *(check.name for check in stage.checks)],
            sha256=entry.sha256,
        )


def replayed(
    name: str, pipeline: Pipeline, units: Iterable[Unit], entries: Iterable[Entry]
) -> State:
    """The state after all entries."""
    state = State(name, pipeline, units)
    for entry in entries:
        state.apply(entry)
    return state


def _reasons(why: Sequence[Refusal], before: str) -> str:
    if not why:
        return ""
    lines = [
        "An earlier reply was not accepted. Mend all of this, and keep what was not criticised:"
    ]
    lines += [f"- {one}" for one in why]
    if before:
        lines += ["", "The earlier reply:", before]
    return "\n".join(lines)


def _how_to_reply(schema: Mapping[str, object]) -> str:
    return (
        "Reply with one JSON object and nothing else: no introduction, no code fence, no remark. Its "
        f"JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )
