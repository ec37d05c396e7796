"""The core's release, as the package holds it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds.data import loading
from otherminds.metrics.socialmindchange.items import LETTERS


@pytest.mark.slow
def test_what_a_stages_other_questions_offer_most_is_no_answer(cache: Path) -> None:
    """Tried: the questions on guidance of a stage have one gold in common, or two."""
    questions = loading.load("socialmindchange-core", "questions")["test"]
    of_stage: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in questions:
        of_stage[row["stage_id"], row["type"]].append(row)
    found, chance = [], []
    for rows in of_stage.values():
        offered = Counter(option for row in rows for option in row["options"])
        for row in rows:
            most = max(offered[option] for option in row["options"])
            best = [option for option in row["options"] if offered[option] == most]
            gold = row["options"][LETTERS.index(row["answer"])]
            found.append((gold in best) / len(best))
            chance.append(1 / len(row["options"]))
    assert sum(found) / len(found) <= sum(chance) / len(chance) + 0.03
