"""Pictures of belief graphs: a person's own beside a model's, with what is wrong or missing marked.

Both pictures have the same rows, so that matched nodes lie level. A row is a node: its label, its direct
effect on the stance, and arcs to the nodes that it acts on. Each picture is narrow enough for a phone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, TypeAlias

from otherminds.metrics.graphs.matching import Matching
from otherminds.metrics.graphs.schema import BeliefGraph, Edge
from otherminds.page.text import label as shortened

Status: TypeAlias = Literal["right", "sign", "extra", "missing"]

WIDTH = 358
_ROW, _TOP, _LINE = 32, 34, 12
_TEXT, _CHIP, _ARCS = 12, 214, 230
_LETTERS, _LONGEST = 30, 60
_RAISES, _LOWERS, _WRONG, _SOFT, _INK = "#1b66b0", "#b4540a", "#b3141d", "#767676", "#1c1c1c"

_LEGEND = ("solid, +: raises", "dashed, −: lowers", "from the dot to the arrow")
_MARKS = ("× not in the person's graph", "≠ the other sign there", "dotted, grey: missing here")


@dataclass(frozen=True)
class Drawn:
    """An edge between rows, None for the stance, with its sign and whether it is right."""

    source: int | None
    target: int | None
    sign: int
    status: Status


@dataclass(frozen=True)
class _Row:
    label: str
    status: Status


def gold_picture(matching: Matching) -> str:
    """The gold graph of a matching, as SVG, with rows for what the other graph has besides."""
    row_of = _rows(matching)
    rows = [_Row("", "right")] * (len(row_of[0]) + len(row_of[1]))
    for key, place in row_of[0].items():
        rows[place] = _Row(matching.gold.nodes[key].label, "right")
    edges = [_drawn(edge, matching.gold, row_of[0], "right") for edge in matching.gold.effects]
    return _picture(matching.gold.stance.label, rows, edges, marks=False)


def other_picture(matching: Matching) -> str:
    """The other graph of a matching, as SVG, with its faults and what it lacks of the gold graph."""
    gold, other = matching.gold, matching.predicted
    of_gold, of_extra = _rows(matching)
    named = {pair.gold: other.nodes[pair.predicted].label for pair in matching.pairs}
    rows = [_Row("", "right")] * (len(of_gold) + len(of_extra))
    for key, place in of_gold.items():
        rows[place] = _Row(
            named.get(key, gold.nodes[key].label), "right" if key in named else "missing"
        )
    for key, place in of_extra.items():
        rows[place] = _Row(other.nodes[key].label, "extra")
    places = of_extra | {pair.predicted: of_gold[pair.gold] for pair in matching.pairs}
    edges = [_drawn(edge, other, places, _status(matching, edge)) for edge in other.effects]
    edges += [
        _drawn(edge, gold, of_gold, "missing")
        for ends, edge in matching.gold_edges.items()
        if ends not in matching.predicted_edges
    ]
    return _picture(gold.stance.label, rows, edges, marks=True)


def _rows(matching: Matching) -> tuple[dict[str, int], dict[str, int]]:
    """The rows of the gold nodes, and of the other graph's unmatched ones."""
    of_gold = {key: place for place, key in enumerate(matching.gold.factors)}
    matched = {pair.predicted for pair in matching.pairs}
    extra = [key for key in matching.predicted.factors if key not in matched]
    return of_gold, {key: len(of_gold) + place for place, key in enumerate(extra)}


def _status(matching: Matching, edge: Edge) -> Status:
    to_gold = matching.to_gold
    ends = (to_gold.get(edge.source, ""), to_gold.get(edge.target, ""))
    true = matching.gold_edges.get(ends)
    if true is None:
        return "extra"
    return "right" if true.polarity == edge.polarity else "sign"


def _drawn(edge: Edge, graph: BeliefGraph, rows: Mapping[str, int], status: Status) -> Drawn:
    def row(key: str) -> int | None:
        return None if key == graph.stance_node else rows[key]

    return Drawn(row(edge.source), row(edge.target), edge.polarity, status)


def _picture(stance: str, rows: Sequence[_Row], edges: Sequence[Drawn], *, marks: bool) -> str:
    legend = [*_LEGEND, *(_MARKS if marks else ())]
    bottom = _TOP + _ROW * len(rows)
    lines = textwrap.wrap(shortened(stance, 120), 44) or [""]
    below = bottom + 14 + 14 * len(lines)
    height = below + 12 + 14 * ((len(legend) + 1) // 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="system-ui, sans-serif" font-size="{_TEXT}">',
        f'<rect width="{WIDTH}" height="{height}" rx="6" fill="#ffffff"/>',
        _words("effect on …", 6, 18, colour=_SOFT, size=10.5),
        _words("support", _CHIP, 18, anchor="middle", colour=_SOFT, size=10.5),
        _words("other things", _ARCS + 14, 18, colour=_SOFT, size=10.5),
    ]
    for place, row in enumerate(rows):
        parts += _row(row, _y(place))
    parts += _arcs(edges, len(rows))
    parts += [_chip(edge) for edge in edges if edge.target is None and edge.source is not None]
    parts.append(
        f'<rect x="4" y="{bottom}" width="{WIDTH - 8}" height="{8 + 14 * len(lines)}" rx="5" '
        f'fill="#eef1f5" stroke="{_SOFT}"/>'
    )
    for number, line in enumerate(lines):
        parts.append(_words(line, 12, bottom + 15 + 14 * number, weight=600))
    for number, text in enumerate(legend):
        x, y = (8, 184)[number % 2], below + 10 + 14 * (number // 2)
        parts.append(_words(text, x, y, colour=_SOFT, size=10.5))
    return "\n".join([*parts, "</svg>"])


def _y(place: int) -> float:
    return _TOP + _ROW * (place + 0.5) - 4


def _row(row: _Row, y: float) -> Iterator[str]:
    if not row.label:
        return
    colour = {"missing": _SOFT, "extra": _WRONG}.get(row.status, _INK)
    mark = {"extra": "× ", "missing": "not named: "}.get(row.status, "")
    lines = textwrap.wrap(mark + shortened(row.label, _LONGEST), _LETTERS)[:2]
    for number, line in enumerate(lines):
        shift = _LINE * (number - (len(lines) - 1) / 2) + 4
        yield _words(line, 6, y + shift, colour=colour, size=11.5, italic=row.status == "missing")


def _chip(edge: Drawn) -> str:
    """The sign of a node's direct effect on the stance."""
    y, x = _y(edge.source or 0), _CHIP
    colour = _RAISES if edge.sign > 0 else _LOWERS
    sign = "+" if edge.sign > 0 else "−"
    if edge.status == "right":
        return _circle(x, y, colour, colour) + _words(
            sign, x, y + 4.5, anchor="middle", colour="#ffffff", weight=700, size=13
        )
    if edge.status == "missing":
        return _circle(x, y, "#ffffff", _SOFT, dots=True) + _words(
            sign, x, y + 4.5, anchor="middle", colour=_SOFT, size=13
        )
    mark = "×" if edge.status == "extra" else "≠"
    return (
        _circle(x, y, "#ffffff", colour)
        + _words(sign, x, y + 4.5, anchor="middle", colour=colour, weight=700, size=13)
        + _words(mark, x + 8, y - 4, colour=_WRONG, weight=700, size=13)
    )


def _arcs(edges: Sequence[Drawn], count: int) -> Iterator[str]:
    """The edges that do not act on the stance; those from the stance begin below the rows."""
    arcs = [edge for edge in edges if edge.target is not None]
    missing_first = sorted(arcs, key=lambda edge: edge.status != "missing")
    for edge in missing_first:
        source = count if edge.source is None else edge.source
        target = edge.target or 0
        # Edges leave a row above its middle and come in below it, so that none seems to go on.
        begin, end = _y(source) - 5, _y(target) + 5
        reach = _ARCS + 30 + min(122, 14 * abs(target - source))
        missing = edge.status == "missing"
        colour = _SOFT if missing else _RAISES if edge.sign > 0 else _LOWERS
        dash = "1 4" if missing else "" if edge.sign > 0 else "6 3"
        x = _ARCS + 4
        yield (
            f'<path d="M{x} {begin:g} C{reach} {begin:g} {reach} {end:g} {x + 6} {end:g}" fill="none" '
            f'stroke="{colour}" stroke-width="{1.4 if missing else 1.8}" stroke-linecap="round"'
            + (f' stroke-dasharray="{dash}"/>' if dash else "/>")
        )
        yield f'<circle cx="{x}" cy="{begin:g}" r="2.4" fill="{colour}"/>'
        yield f'<path d="M{x} {end:g} l8 -3.5 v7 z" fill="{colour}"/>'
        if not missing and edge.status != "right":
            # A quarter of each control point: the middle of the curve.
            middle = 0.25 * (x + 3) + 0.75 * reach
            mark = "×" if edge.status == "extra" else "≠"
            yield f'<circle cx="{middle:g}" cy="{(begin + end) / 2:g}" r="7" fill="#ffffff"/>'
            yield _words(
                mark,
                middle,
                (begin + end) / 2 + 5,
                anchor="middle",
                colour=_WRONG,
                weight=700,
                size=14,
            )


def _circle(x: float, y: float, fill: str, stroke: str, *, dots: bool = False) -> str:
    dash = ' stroke-dasharray="2 2"' if dots else ""
    look = f'fill="{fill}" stroke="{stroke}" stroke-width="1.6"{dash}'
    return f'<circle cx="{x:g}" cy="{y:g}" r="8" {look}/>'


def _words(
    text: str,
    x: float,
    y: float,
    *,
    anchor: str = "start",
    colour: str = _INK,
    weight: int = 400,
    size: float = _TEXT,
    italic: bool = False,
) -> str:
    style = ' font-style="italic"' if italic else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}" '
        f'font-size="{size:g}"{style}>{escape(text)}</text>'
    )
