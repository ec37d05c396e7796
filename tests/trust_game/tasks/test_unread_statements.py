"""What a run says when little of what a model stated on attributes could be read."""

from __future__ import annotations

from otherminds.metrics.trust_game import Stated
from otherminds.tasks.trust_game.summaries import Elicitation

SCORES = (0.0, 1.0)


def elicited(strategy: str, *read: bool) -> list[Elicitation]:
    return [
        Elicitation(
            strategy,
            Stated(f"attribute{number}", ("a", "b"), (SCORES if one else None,), (None,)),
        )
        for number, one in enumerate(read)
    ]


def test_a_low_parse_rate_of_statements_is_told_by_way_to_ask() -> None:
    records = elicited("ranking", True, False, False) + elicited("dollars", False)
    found = Elicitation.details(records)
    # One of four.
    assert found["estimates"]["parse_rate_elicited"]["value"] == 0.25
    assert found["notes"][0].startswith(
        "Of 4 statements on attributes, 1 could be read (ranking 1 of 3, dollars 0 of 1):"
    )


def test_a_high_one_is_not() -> None:
    # Nine of ten.
    found = Elicitation.details(elicited("ranking", *[True] * 9, False))
    assert not any("could be read" in note for note in found["notes"])
