"""The layout of the debate tables: the main one, and categories by conditions (Tables 5 and 6)."""

from __future__ import annotations

from otherminds.analysis.layouts import PERCENT, Column, Conditions, Layout

_MACRO_F1 = Column("macro_f1", "Macro-F1", PERCENT, 1)
_COLUMNS = (
    _MACRO_F1,
    Column("acc", "Accuracy", PERCENT, 1),
    Column("agree_rate", "Agrees", PERCENT, 1),
    Column("agree_rate_people", "People agree", PERCENT, 1),
    Column("parse_rate", "Read", PERCENT, 1),
)

LAYOUT = Layout(
    columns=dict.fromkeys(
        ("debate-beliefs", "debate-beliefs-issues", "debate-beliefs-synthetic"), _COLUMNS
    ),
    conditions=Conditions(
        _MACRO_F1, "Category", ("blind", "demographics", "beliefs", "both"), grouped=True
    ),
)
