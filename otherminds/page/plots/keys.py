"""The signs of a page's legend, as pictures: a run's shape in its colour, or a reference's dashes."""

from __future__ import annotations

from otherminds.page.plots.style import Key

_WIDTH, _HEIGHT = 26, 14
# Outlines around the middle of the picture, as the plots draw their points.
_SHAPES = {
    "square": "M8 2h10v10h-10z",
    "triangle-up": "M13 1.5l6 10.5h-12z",
    "triangle-down": "M13 12.5l6 -10.5h-12z",
    "triangle-right": "M18.5 7l-10.5 6v-12z",
    "diamond": "M13 .5l5 6.5l-5 6.5l-5 -6.5z",
    "cross": "M11 1h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
}


def sign(key: Key) -> str:
    """One entry of the legend as SVG, without its name."""
    if key.shape == "circle":
        drawn = f'<circle cx="13" cy="7" r="5" fill="{key.colour}"/>'
    elif key.shape:
        drawn = f'<path d="{_SHAPES[key.shape]}" fill="{key.colour}"/>'
    else:
        pattern = " ".join(map(str, key.dash))
        drawn = (
            f'<path d="M0 7h{_WIDTH}" stroke="{key.colour}" stroke-width="2" '
            f'stroke-dasharray="{pattern}"/>'
        )
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawn}</svg>'
