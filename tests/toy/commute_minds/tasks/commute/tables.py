"""The columns of commute's table for papers."""

from __future__ import annotations

from otherminds.analysis.layouts import PERCENT, Column, Layout

LAYOUT = Layout(
    columns={
        "commute-synthetic": (
            Column("acc", "Accuracy", PERCENT, 1),
            Column("parse_rate", "Read", PERCENT, 1),
        )
    }
)
