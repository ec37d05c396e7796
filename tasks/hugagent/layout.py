"""The layout of HugAgent's table: Table 2 of the paper."""

from __future__ import annotations

from otherminds.analysis.layouts import PERCENT, Column, Layout

_SCORES = (
    Column("bsi_acc", "BSI acc.", PERCENT),
    Column("bdu_acc", "BDU acc.", PERCENT),
    Column("bdu_mae", "BDU MAE"),
    Column("bdu_dir", "BDU dir.", PERCENT),
)

LAYOUT = Layout(
    columns={
        "hugagent": (*_SCORES, Column("ati", "ATI")),
        # The parts of ATI: 100u.
        "hugagent-synthetic": (*_SCORES, Column("composite", "100u")),
        "hugagent-core": (*_SCORES, Column("composite", "100u")),
        "hugagent-stated": (*_SCORES, Column("composite", "100u")),
    },
)
