"""Scoring a full HugAgent synthetic run with all intervals, against one pass of plain Python.

The reference is what a notebook would do without intervals: accuracy and error by topic in a loop
over the items. Run: python benchmarks/scoring.py
"""

from __future__ import annotations

import time
from collections import defaultdict

from otherminds.metrics.hugagent import Item, summarize

PEOPLE, PER_PERSON = 500, {"healthcare": 10, "surveillance": 8, "zoning": 10}


def main() -> None:
    items = make_items()
    start = time.perf_counter()
    loop(items)
    plain = time.perf_counter() - start
    start = time.perf_counter()
    summarize(items)
    ours = time.perf_counter() - start
    print(f"{len(items):,} items, {PEOPLE} people, 2,000 bootstrap draws")
    print(f"plain loop, no intervals: {plain:.3f} s; all metrics with intervals: {ours:.3f} s")
    print(f"ratio: {ours / plain:.0f} (bound: under 2 s; met: {ours < 2})")


def make_items() -> list[Item]:
    baselines = {"healthcare": "3.1", "surveillance": "2.1", "zoning": "1.1"}
    scenario = {"healthcare": "3.7", "surveillance": "2.7", "zoning": "1.3"}
    items = []
    for person in range(PEOPLE):
        for topic, count in PER_PERSON.items():
            for k in range(count):
                gold = str(1 + (person * 7 + k * 3) % 10)
                question = baselines[topic] if k == 0 else scenario[topic]
                answer = 1 + (person + k) % 10
                items.append(
                    Item(
                        item_id=f"{person}-{topic}-{k}",
                        participant_id=f"P{person}",
                        topic=topic,
                        task="bsi" if k > 1 and k % 4 == 0 else "bdu",
                        question_id="" if k > 1 and k % 4 == 0 else question,
                        question_type="" if k > 1 and k % 4 == 0 else "opinion",
                        low=1,
                        high=10,
                        gold="A" if k > 1 and k % 4 == 0 else gold,
                        answers=("A" if k > 1 and k % 4 == 0 else answer,),
                    )
                )
    return unique_questions(items)


def unique_questions(items: list[Item]) -> list[Item]:
    """Keep one opinion per person and question; the rest become reason evaluations."""
    seen = set()
    result = []
    for item in items:
        key = (item.participant_id, item.question_id)
        if item.task == "bdu" and key in seen:
            gold, answer = str(1 + int(item.gold) % 5), 1 + int(item.answers[0] or 0) % 5
            item = item._replace(
                question_type="reason_evaluation", high=5, gold=gold, answers=(answer,)
            )
        seen.add(key)
        result.append(item)
    return result


def loop(items: list[Item]) -> dict[str, float]:
    right: dict[str, list[bool]] = defaultdict(list)
    for item in items:
        tolerance = 2 if item.high == 10 else 1
        answer = item.answers[0]
        correct = (
            answer == item.gold
            if item.task == "bsi"
            else abs(int(answer or 0) - int(item.gold)) <= tolerance
        )
        right[f"{item.task} {item.topic}"].append(correct)
    return {key: sum(values) / len(values) for key, values in right.items()}


if __name__ == "__main__":
    main()
