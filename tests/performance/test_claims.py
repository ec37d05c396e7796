"""One verdict for all rows of a claim."""

from __future__ import annotations

import pytest

from performance.claims import claims
from performance.ratio import Ratio

WITHIN = Ratio.alone("a", 0.5, "s", target="<= 1", claim="fast")
OVER = Ratio.alone("b", 2.0, "s", target="<= 1", claim="fast")
UNKNOWN = Ratio.left_out("c", "not here", target="<= 1", claim="fast")
FREE = Ratio.alone("d", 9.0, "s", claim="fast")


@pytest.mark.parametrize(
    ("rows", "is_met", "within", "worst"),
    [
        ([WITHIN, WITHIN], True, "2 of 2", "0.5 at worst"),
        ([WITHIN, OVER], False, "1 of 2", "2 at worst"),
        # What was not measured is not shown to hold: neither is the whole claim.
        ([WITHIN, UNKNOWN], None, "1 of 2, 1 not measured", "0.5 at worst"),
        ([OVER, UNKNOWN], False, "0 of 2, 1 not measured", "2 at worst"),
        ([UNKNOWN], None, "0 of 1, 1 not measured", "–"),
        # A row without a target is none of the claim's verdict.
        ([WITHIN, FREE], True, "1 of 1", "0.5 at worst"),
        ([FREE], None, "0 of 0", "–"),
    ],
)
def test_a_claim_holds_where_all_its_rows_do(
    rows: list[Ratio], is_met: bool | None, within: str, worst: str
) -> None:
    [claim] = claims(rows)
    assert (claim.is_met, claim.within, claim.worst) == (is_met, within, worst)


def test_the_worst_is_the_least_where_the_target_is_a_factor_to_gain() -> None:
    # 10 / 5 and 10 / 2 times as fast.
    rows = [
        Ratio.of(name, ours, 10.0, "s", target=">= 2", inverse=True, claim="faster")
        for name, ours in (("a", 5.0), ("b", 2.0))
    ]
    [claim] = claims(rows)
    assert claim.worst == "2 at worst"
    assert claim.has_reference


def test_rows_without_a_claim_stand_for_themselves_also_with_one_name() -> None:
    alone = Ratio.alone("alone", 1.0, "s", target="<= 1")
    found = claims([WITHIN, alone, OVER, alone])
    assert [(one.name, len(one.rows)) for one in found] == [("fast", 2), ("alone", 1), ("alone", 1)]
