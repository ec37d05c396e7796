"""Small datasets for students, with leaks that are planted or not."""

from __future__ import annotations

import numpy as np

from otherminds.students.view import Clue, Item

WORDS = ("plum", "pear", "fig", "lime", "quince", "grape", "melon", "peach")
GROUPS = 30
PER_GROUP = 10
OPTIONS = 4


def fruits(
    *,
    marked: bool = False,
    told: str = "",
    shared: bool = False,
    framed: bool = False,
    seed: int = 0,
) -> list[Item]:
    """Items on groups of people, who each want one of eight fruits; four are offered each time.

    marked  the right option begins with a word of its own
    told    "text": a line says what is wanted
    shared  wrong options are drawn anew for each item, around the same right one: siblings tell it
    framed  options have claims
    """
    rng = np.random.default_rng(seed)
    made = []
    for group in range(GROUPS):
        wanted = str(rng.choice(WORDS))
        wrong = [one for one in WORDS if one != wanted]
        for number in range(PER_GROUP):
            # Unless siblings are to tell, each item is about another wish.
            gold = wanted if shared else str(rng.choice(WORDS))
            others = wrong if shared else [one for one in WORDS if one != gold]
            offered = [gold, *(str(one) for one in rng.permutation(others)[: OPTIONS - 1])]
            order = rng.permutation(OPTIONS)
            place = int(np.flatnonzero(order == 0)[0])
            fruit = [offered[n] for n in order]
            slot = "wish" if shared else f"wish {number}"
            options = [
                f"{'surely' if marked and n == place else 'maybe'} a {one}"
                for n, one in enumerate(fruit)
            ]
            lines = [f"line {word}" for word in rng.permutation(["oak", "elm", "ash"])]
            if told:
                lines.insert(1, f"bought {gold} seeds")
            made.append(
                Item(
                    item_id=f"{group}-{number}",
                    group=f"G{group}",
                    question="What is wanted?",
                    options=tuple(options),
                    gold=place,
                    text=tuple(lines),
                    claims=tuple({slot: one} for one in fruit) if framed else (),
                )
            )
    return made


def clues(items: list[Item]) -> dict[str, list[Clue]]:
    """The lines of each item, which say something of its own slot where a fruit is in them."""
    found: dict[str, list[Clue]] = {}
    for item in items:
        slot = next(iter(item.claims[0]))
        for line in item.text:
            value = next((word for word in WORDS if word in line), "")
            found.setdefault(item.group, []).append(Clue("wish", slot, line, value))
    return found
