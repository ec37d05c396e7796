"""What `run --dry-run` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otherminds.console import OUT, print_notes
from otherminds.running.cost import Asked, Cost
from otherminds.running.prices import Price
from otherminds.running.report_tables import counts_table


def print_cost(cost: Cost, *, price: Price | None, block: int) -> None:
    """A line per task, their sum, and what the numbers assume."""
    models = {model for model, _ in cost.asked}
    rows = {
        task if len(models) == 1 else f"{task} ({model})": one
        for (model, task), one in cost.asked.items()
    }
    if len(rows) > 1:
        rows["All"] = cost.total
    if rows:
        columns = _columns(list(rows.values()), price, "~" if cost.guessed else "")
        OUT.print(counts_table("Task", list(rows), columns, "What this run would ask"))
        OUT.print()
    print_notes(dict.fromkeys(_notes(cost, price, block)))


def _columns(rows: Sequence[Asked], price: Price | None, about: str) -> dict[str, list[str]]:
    found = {
        "requests": [one.requests for one in rows],
        "journaled": [one.known for one in rows],
        f"{about}prompt tokens": [one.prompt for one in rows],
        f"{about}unique": [one.unique for one in rows],
        "generated ≤": [one.generated for one in rows],
    }
    if not any(found["journaled"]):
        del found["journaled"]
    columns = {name: [f"{number:,}" for number in numbers] for name, numbers in found.items()}
    if price is not None:
        amounts = [one.amounts(price) for one in rows]
        columns["amount ≥"] = [f"{least:,.2f}" for least, _ in amounts]
        columns["amount ≤"] = [f"{most:,.2f}" for _, most in amounts]
    return columns


def _notes(cost: Cost, price: Price | None, block: int) -> Iterator[str]:
    total = cost.total
    if not total.requests and total.known:
        yield "The journal answers all of it: the run will ask nothing."
    elif total.known:
        yield f"The journal answers {total.known:,} more requests, which are not asked again."
    for model, how in cost.counted.items():
        yield f"Tokens of {model}: {how}."
    if cost.guessed and any("estimated" in how for how in cost.counted.values()):
        yield "~ marks an estimate. It suits English; other scripts take more tokens."
    for model in cost.unread:
        yield f"{model} reads no prompts: it is counted as if a model did; --model names one."
    blocks = "token by token" if block == 1 else f"in whole blocks of {block} tokens"
    yield (
        "Unique: prompt tokens where a prefix that prompts share is read once, "
        f"{blocks}, by a cache that forgets nothing within some 8,000 documents."
    )
    if total.longest:
        yield f"The longest request has {total.longest:,} tokens, with all of its answer."
    if price is not None:
        yield (
            f"Amounts are at {price}. At least (≥): shared prefixes are read from the cache, and each "
            "answer is one token. At most (≤): nothing is cached, and answers are as long as allowed."
        )
    if cost.later:
        yield (
            f"Not counted: {', '.join(cost.later)}. Their prompts hold the answers to earlier stages: "
            "run these, and count again with --metadata samples=FOLDER."
        )
    yield "Nothing was asked and nothing was written."
