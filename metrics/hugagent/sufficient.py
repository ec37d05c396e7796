"""What each person contributes to HugAgent's numbers."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.metrics.hugagent.items import Item
from otherminds.metrics.hugagent.protocol import PAPER, Protocol
from otherminds.metrics.hugagent.scores import METRICS, rates_by_topic, scores
from otherminds.metrics.hugagent.table import RATES, Table, tabulate
from otherminds.metrics.sufficient import Sufficient
from otherminds.types import FloatArray

# The rate whose denominator says how many items and people each number rests on.
RESTS_ON = {name: name for name in RATES} | {
    "bdu_dir": "bdu_change",
    "composite": "parse_rate",
    "ati": "parse_rate",
}


def sufficient(items: Sequence[Item], protocol: Protocol = PAPER) -> Sufficient:
    """Per-person sums from which all of METRICS follow, on all topics together.

    The metrics are those of `summarize`, averaged over the topics; `rests_on` holds items (pairs for
    bdu_change, bdu_direction and bdu_dir), as means over the runs. Two models are comparable when
    they answered the same items in equally many runs, and are scored under the same protocol.

    Raises as `tabulate`.
    """
    table = tabulate(items, protocol)
    counts = table.sums[..., 1].sum(axis=1).mean(axis=1)
    return Sufficient(
        clusters=table.people.labels,
        sums=flat_sums(table),
        metrics=METRICS,
        statistic=lambda flat: scores_of_flat(flat, table)[:, -1],
        rests_on=counts[:, [RATES.index(RESTS_ON[name]) for name in METRICS]],
    )


def flat_sums(table: Table) -> FloatArray:
    """Each person's sums as a row, shape (P, T·K·6·2)."""
    return table.sums.reshape(len(table.sums), -1)


def sums_of_flat(flat: FloatArray, table: Table) -> FloatArray:
    """Rows of `flat_sums`, summed over people (shape (b, T·K·6·2)), as shape (b, T, K, 6, 2)."""
    return flat.reshape(len(flat), *table.sums.shape[1:])


def scores_of_flat(flat: FloatArray, table: Table) -> FloatArray:
    """METRICS for each topic and, last, averaged over topics, shape (b, T + 1, 9).

    flat  shape (b, T·K·6·2): rows of `flat_sums`, summed over people
    """
    return scores(rates_by_topic(sums_of_flat(flat, table)), table.present, mae_max=table.mae_max)
