"""Sample files of debate beliefs made by hand: few documents, whose scores can be derived on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds import analysis
from tests.engine.analysis.made import Line, run_of

DATASET = "debate-beliefs-synthetic"
PEOPLE = 12
ALL_RIGHT = [True] * PEOPLE
HALF = [n % 4 < 2 for n in range(PEOPLE)]
"""Of two who agree and two who do not, one each is answered right."""


def task(condition: str, form: str = "_direct") -> str:
    """A task's name."""
    return f"debate_{condition}_synthetic{form}"


def stance(
    item: str,
    user: str,
    *replies: Any,
    agrees: bool = True,
    category: str = "Religion",
    n_known: int = 3,
) -> Line:
    """A sample of one belief."""
    doc = {
        "item_id": item,
        "user_id": user,
        "category": category,
        "proposition": f"Proposition {item}",
        "agrees": agrees,
        "background": [],
        "known_beliefs": [],
        "n_known": n_known,
    }
    return {
        "doc": doc,
        "arguments": {"gen_args_0": {"arg_0": f"About {user}.\nProposition {item}"}},
        "filtered_resps": [list(replies)],
        "prompt_hash": f"hash-{item}",
    }


def chosen(item: str, user: str, *log_likelihoods: str, **changes: Any) -> Line:
    """The same, answered by the log-likelihoods of A (agree) and B."""
    pairs = [[one, "False"] for one in log_likelihoods]
    return stance(item, user, **changes) | {"filtered_resps": pairs}


def beliefs(right: Mapping[str, Sequence[bool]], n_known: int = 3) -> list[Line]:
    """By category, whether the answer about each person's one belief is right. Every second agrees."""
    lines = []
    for category, hits in right.items():
        for n, hit in enumerate(hits):
            agrees = n % 2 == 0
            said = "agree" if agrees == hit else "disagree"
            name = f"{category}-{n:02}"
            made = stance(name, f"U{n:02}", said, agrees=agrees, category=category, n_known=n_known)
            lines.append(made)
    return lines


def runs_of(
    folder: Path, model: str, by_condition: Mapping[str, Mapping[str, Sequence[bool]]], **ours: Any
) -> None:
    """A model's runs under several conditions."""
    for condition, right in by_condition.items():
        place = folder / model / condition
        run_of(place, beliefs(right), model=model, task=task(condition), **ours)


def values(one: analysis.Scored, breakdown: str = "all", part: str = "all") -> dict[str, float]:
    """The scores of one part, by metric."""
    table = analysis.Scores([one], ()).table()
    rows = table[(table["breakdown"] == breakdown) & (table["part"] == part)]
    return dict(zip(rows["metric"], rows["value"], strict=True))


def scored(*paths: Path) -> analysis.Scores:
    """The scores of all runs in some folders."""
    return analysis.score(analysis.read_runs(paths), check=False)
