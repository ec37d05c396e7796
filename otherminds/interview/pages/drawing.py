"""A belief graph as a drawing: concepts in columns by how far they are from the stance, links as arrows.

Places follow from the whole graph at the end, so that a graph that grows stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from otherminds.interview.session import STANCE, Edge, State
from otherminds.page.text import label

WIDTH, HEIGHT, COLUMN, ROW = 136, 50, 214, 68
_MARGIN: Final = 14
_BOW: Final = 52
"""How far a link within a column goes out to the left, at most."""
_LETTERS: Final = 18
_LINES: Final = 3
_MOST_COLUMNS: Final = 5


@dataclass(frozen=True)
class Box:
    """A concept: its place, and its label in lines."""

    x: int
    y: int
    lines: tuple[str, ...]
    status: str

    @property
    def first_line(self) -> float:
        """The height of its first line of text."""
        return self.y + HEIGHT / 2 - 8 * (len(self.lines) - 1) + 5


@dataclass(frozen=True)
class Arrow:
    """A link: its path and head, its sign, and how strong it is from 0 to 1."""

    path: str
    head: str
    sign: str
    kind: str
    width: float
    mark: tuple[float, float]


@dataclass(frozen=True)
class Drawing:
    """A graph after an answer; `told` says the same in words."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    told: tuple[str, ...]


Places = Mapping[str, tuple[int, int]]


def places(state: State) -> dict[str, tuple[int, int]]:
    """Column and row of every concept; the stance has the last column."""
    far = _distances(state)
    depth = max(far.values(), default=0)
    columns: dict[int, list[str]] = {}
    for key in sorted(state.nodes, key=lambda one: (state.nodes[one].order, one)):
        columns.setdefault(depth - far[key], []).append(key)
    most = max(map(len, columns.values()), default=1)
    found: dict[str, tuple[int, int]] = {}
    for column in sorted(columns, reverse=True):
        keys = sorted(columns[column], key=lambda one: _pull(state, one, found))
        gap = (most - len(keys)) * ROW // 2
        for row, key in enumerate(keys):
            found[key] = (_BOW + column * COLUMN, _MARGIN + gap + row * ROW)
    return found


def drawn(state: State, at: Places) -> Drawing:
    """The graph as it stands, in places that were given by the one at the end."""
    boxes = {
        key: Box(*at[key], _lines(node.label), node.status)
        for key, node in state.nodes.items()
        if key in at
    }
    edges = [one for one in state.edges.values() if one.source in boxes and one.target in boxes]
    pairs = {(one.source, one.target) for one in edges}
    return Drawing(
        width=max((x for x, _ in at.values()), default=0) + WIDTH + _MARGIN,
        height=max((y for _, y in at.values()), default=0) + HEIGHT + _MARGIN,
        boxes=tuple(boxes.values()),
        arrows=tuple(_arrow(one, at, (one.target, one.source) in pairs) for one in edges),
        told=tuple(_told(state, one) for one in edges),
    )


def _distances(state: State) -> dict[str, int]:
    """Links between a concept and the stance; those without a way stand one column beyond the last."""
    into: dict[str, list[str]] = {}
    for edge in state.edges.values():
        into.setdefault(edge.target, []).append(edge.source)
    far = {STANCE: 0}
    level: Sequence[str] = [STANCE]
    while level:
        level = [
            source
            for target in level
            for source in dict.fromkeys(into.get(target, ()))
            if far.setdefault(source, min(far[target] + 1, _MOST_COLUMNS)) == far[target] + 1
            and source not in level
        ]
    beyond = max(far.values()) + (1 if len(far) < len(state.nodes) and len(far) > 1 else 0)
    return {key: far.get(key, max(1, beyond)) for key in state.nodes}


def _pull(state: State, key: str, found: Places) -> tuple[float, int]:
    """Where a concept's links to columns that are placed already draw it."""
    near = [
        found[one.target][1]
        for one in state.edges.values()
        if one.source == key and one.target in found
    ]
    mean = sum(near) / len(near) if near else 0.0
    return (mean, state.nodes[key].order)


def _lines(text: str) -> tuple[str, ...]:
    lines: list[str] = []
    for word in label(text, _LETTERS * _LINES).split():
        if lines and len(lines[-1]) + 1 + len(word) <= _LETTERS:
            lines[-1] += f" {word}"
        else:
            lines.append(word if len(word) <= _LETTERS else f"{word[: _LETTERS - 1]}…")
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], f"{lines[_LINES - 1][: _LETTERS - 1]}…"]
    return tuple(lines)


def _arrow(edge: Edge, at: Places, is_mutual: bool) -> Arrow:
    (x1, y1), (x2, y2) = at[edge.source], at[edge.target]
    middle = HEIGHT / 2
    if x1 == x2:
        # Within a column the link goes round its left side.
        sx, ex = x1, x2
        sy, ey = y1 + middle, y2 + middle
        bow = min(_BOW, 26 + 0.12 * abs(y2 - y1))
        c1, c2 = (sx - bow, sy), (ex - bow, ey)
        tip, back = (ex, ey), -9
    else:
        forward = x2 > x1
        sx, ex = (x1 + WIDTH, x2) if forward else (x1, x2 + WIDTH)
        shift = 6 if is_mutual else 0
        sy, ey = y1 + middle + shift, y2 + middle + shift
        reach = abs(ex - sx) * 0.5
        way = 1 if forward else -1
        c1, c2 = (sx + way * reach, sy), (ex - way * reach, ey)
        tip, back = (ex, ey), -9 * way
    x, y = tip[0] + back, tip[1]
    head = f"{tip[0]:.0f},{y:.0f} {x:.0f},{y - 4.5:.1f} {x:.0f},{y + 4.5:.1f}"
    path = f"M{sx:.0f} {sy:.0f}C{c1[0]:.0f} {c1[1]:.0f} {c2[0]:.0f} {c2[1]:.0f} {x:.0f} {y:.0f}"
    # A third of the way: near the source, where links into one concept are still apart.
    mark = (_bezier(sx, c1[0], c2[0], ex, 0.35), _bezier(sy, c1[1], c2[1], ey, 0.35))
    sign, kind = {1: ("+", "raises"), -1: ("−", "lowers")}.get(edge.polarity or 0, ("?", "open"))
    return Arrow(path, head, sign, kind, 1.4 + 2.4 * abs(edge.modifier), mark)


def _bezier(a: float, b: float, c: float, d: float, t: float) -> float:
    u = 1 - t
    return u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * d


def _told(state: State, edge: Edge) -> str:
    verb = {1: "raises", -1: "lowers"}.get(edge.polarity or 0, "acts on")
    source, target = state.nodes[edge.source].label, state.nodes[edge.target].label
    return f"{label(source)} {verb} {label(target)} (confidence {edge.aggregate_confidence:.2f})"
