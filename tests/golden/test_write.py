"""Writing golden files where numbers are rounded otherwise."""

from __future__ import annotations

import copy
import json
from typing import Any

from tests.golden import board, scores, texts, write


def made(found: dict[str, Any]) -> dict[str, str]:
    return {name: texts.as_json(one) for name, one in found.items()} | {board.SAID: "other text"}


def committed() -> dict[str, Any]:
    return {name: texts.committed(name) for name in (scores.NAME, board.NAME)}


def test_last_bits_of_another_processor_replace_nothing() -> None:
    now = committed()
    found = now[scores.NAME]["majority"]["hugagent_bsi"]
    found["scores"]["bsi_acc"] *= 1 + 1e-12
    found["behind"] = dict.fromkeys(found["behind"], "other")
    now[board.NAME]["page"]["index.html"] = "other"
    assert write._but_for_rounding(made(now), committed()) == {}


def test_another_score_replaces_all_of_them() -> None:
    now = copy.deepcopy(committed())
    now[scores.NAME]["majority"]["hugagent_bsi"]["scores"]["bsi_acc"] += 1e-6
    files = made(now)
    assert write._but_for_rounding(files, committed()) == files
    assert json.loads(files[board.NAME]) == committed()[board.NAME]
