"""What trained students found in a dataset (`otherminds.students`), for cards, pages and commands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from otherminds import console
from otherminds.manifest import Blind, Slopes, Student, Students, Studied

_VERDICTS = {
    "beyond": "beyond",
    "within": "within",
    "undecided": "undecided",
    None: "",
}
_BASES = {
    "chance": "options at random",
    "majority": "commonest answer",
    "demographics": "who the person is",
}
READERS = ("rule-based reader", "blind readers")


class Line(NamedTuple):
    """A line of the table: who, in words; accuracy and interval; points above chance; the verdict."""

    who: str
    accuracy: str
    interval: str
    above: str
    verdict: str

    @property
    def fails(self) -> bool:
        """Whether a bound is broken."""
        return self.verdict.startswith(_VERDICTS["beyond"])


def lines(found: Students, part: str) -> Iterator[Line]:
    """Baselines, the students, the rule-based reader where there is one, and blind readers."""
    studied = found.parts[part]
    for name, told in _BASES.items():
        value = getattr(studied, name)
        if value is not None:
            mark = "basis" if studied.basis == name else ""
            yield Line(told, _share(value), "", "", mark)
    for student in studied.students.values():
        yield _line(student)
    if studied.reader is not None:
        yield Line(READERS[0], _share(studied.reader), "", "", "")
    yield from _blind(studied, found.harder)


def _blind(studied: Studied, harder: str | None) -> Iterator[Line]:
    """Blind readers on all items that were read, and on the harder ones where these are told apart."""
    if studied.blind is None:
        yield Line(READERS[1], "–", "", "", "none")
    for one, where in ((studied.blind, READERS[1]), (studied.harder, f"readers, {harder}")):
        if one is not None:
            yield Line(where, _share(one.accuracy), _interval(one.interval), "", "")
    one = studied.bounded
    if one is not None and one.gap is not None:
        yield Line(
            f"best there: {studied.students[one.student].sees}",
            _share(one.accuracy - one.below),
            "",
            "",
            f"{_VERDICTS[one.verdict]} ({_points(-one.gap)})",
        )


def _interval(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else "–".join(map(_share, ends))


def _line(student: Student) -> Line:
    bound = "" if student.bound is None else f" ({_points(student.bound)})"
    return Line(
        student.sees,
        _share(student.accuracy),
        _interval(student.interval),
        _points(student.above),
        _VERDICTS[student.verdict] + bound,
    )


NOTE = (
    "Above: percentage points above the basis, item by item. A bound is in such points, and broken "
    "(beyond) or kept (within) at 95 %, over {called}."
)


def heading(found: Students, part: str) -> str:
    """Which items these are, and who was trained on."""
    studied = found.parts[part]
    name = "" if part == "all" else f"{part}: "
    also = "" if found.also is None else f" and {found.also}"
    return (
        f"{name}{studied.items:,} items on {studied.groups:,} {found.called}, students trained on "
        f"{studied.trained:,} others{also} ({found.rows})"
    )


COLUMNS = ("answers from", "%", "95 % interval", "above", "bound")
"""The headings of the table."""


def printed(found: Students) -> RenderableType:
    """The tables of all parts, for a terminal."""
    tables: list[RenderableType] = []
    for part in found.parts:
        columns = [
            *console.texts(COLUMNS[0], fit="words"),
            *console.numbers(*COLUMNS[1:4]),
            *console.texts(COLUMNS[4]),
        ]
        title = Text(heading(found, part), "table.title")
        tables += [
            title,
            console.fitted(columns, list(lines(found, part)), look=console.Look.RULED),
        ]
    notes = [NOTE.format(called=found.called), *told_of(found)]
    return Group(*tables, *(Text(note) for note in notes))


def markdown(found: Students) -> str:
    """The tables of all parts, as Markdown; what breaks a bound in bold."""
    blocks = []
    for part in found.parts:
        rows = ["| " + " | ".join(COLUMNS) + " |", "| --- | ---: | ---: | ---: | --- |"]
        for line in lines(found, part):
            cells = [f"**{cell}**" if line.fails and cell else cell for cell in line]
            rows.append("| " + " | ".join(cells) + " |")
        blocks.append(f"{heading(found, part)}:\n\n" + "\n".join(rows))
    return "\n\n".join([*blocks, NOTE.format(called=found.called), *told_of(found)])


def told_of(found: Students) -> Iterator[str]:
    """What is known of slopes, and of sentences that several people or stages have, a line each."""
    for part, studied in found.parts.items():
        if studied.slopes is not None:
            yield _sloped(studied.slopes, studied.students[studied.slopes.student].sees, part)
    for part, studied in found.parts.items():
        if studied.bounded is not None and studied.bounded.gap is not None:
            yield _gap(found, part, studied.bounded, studied.bounded.gap)
    one = found.repeats
    if one is None:
        return
    where = f"in more than {one.allowed:.1%} of" if one.allowed else "in several of"
    yield (
        f"Of {one.sentences:,} different sentences of six words or more, {one.repeated:,} are {where} "
        f"{one.units:,} {found.called}, which none may be; {one.affected:.1%} of {found.called} have "
        f"one. The commonest, in {one.share:.1%}: “{one.commonest}”."
    )


def _sloped(slopes: Slopes, sees: str, part: str) -> str:
    """How the best student's accuracy changes with what makes items harder."""
    said = []
    for name, change in slopes.change.items():
        low, high = slopes.intervals.get(name, (math.nan, math.nan))
        said.append(f"{name} {_points(change)} ({_points(low)} to {_points(high)})")
    return (
        f"Slopes of the best student ({sees}{_of_part(part)}), in percentage points for one more of "
        f"each, in a fit on all of them, with 95 % intervals: {'; '.join(said)}."
    )


def _gap(found: Students, part: str, blind: Blind, gap: float) -> str:
    """How far the best student is below blind readers on what bounds it."""
    low, high = blind.below_interval or (math.nan, math.nan)
    which = "" if found.harder is None else f" ({found.harder})"
    return (
        f"On {blind.items:,} items{which} that blind readers read, the best student{_of_part(part)} is "
        f"{100 * blind.below:.1f} percentage points below them ({_points(low)} to {_points(high)} at "
        f"95 %), where {100 * gap:.1f} are wanted."
    )


def failures(found: Students) -> list[tuple[str, str]]:
    """Part and name of the students that break a bound."""
    return [
        (part, name)
        for part, studied in found.parts.items()
        for name, student in studied.students.items()
        if student.verdict == "beyond"
    ]


def failed(found: Students) -> list[str]:
    """The students that break a bound, in words."""
    named = [(part, found.parts[part].students[name]) for part, name in failures(found)]
    said = [
        f"{student.sees}: {_share(student.accuracy)} %" + _of_part(part) for part, student in named
    ]
    if found.repeats is not None and found.repeats.repeated:
        said.append(f"sentences that several {found.called} have: {found.repeats.repeated:,}")
    near = [
        part
        for part, studied in found.parts.items()
        if studied.bounded is not None and studied.bounded.verdict == "beyond"
    ]
    return said + [f"the best student, too near to blind readers{_of_part(part)}" for part in near]


def _of_part(part: str) -> str:
    return "" if part == "all" else f" ({part})"


def _share(value: float) -> str:
    return f"{100 * value:.1f}"


def _points(value: float) -> str:
    return f"{100 * value:+.1f}".replace("-", "−")
