"""HugAgent's items from saved samples, over several runs of one model."""

from __future__ import annotations

from collections.abc import Iterable

from otherminds.errors import OtherMindsError
from otherminds.metrics.hugagent import Item
from otherminds.samples.read import Note, Sample
from otherminds.scoring.base import Answer
from otherminds.tasks.hugagent.scoring import Scored
from otherminds.tasks.hugagent.scoring_order import Asked


def item_of(sample: Sample) -> Item | None:
    """A sample's item, with the parsed answer of each repeat; None for samples of others."""
    return sample.record.item if isinstance(sample.record, Scored | Asked) else None


def combine(samples: Iterable[Sample], *, note: Note) -> list[Item]:
    """The items of one model's runs, each with the answers of all runs, in order of their ids.

    Files may hold other items (a BSI and a BDU task) or the same items again (further runs). Items
    that fewer runs answered than others are left out, and `note` says how many: a number over runs
    needs all of them. Raises OtherMindsError where there is no item, for a sample of anything else,
    and where an item was asked in another way or with another gold: those are runs of different tasks
    or data versions.
    """
    first: dict[str, tuple[Item, Sample]] = {}
    answers: dict[str, tuple[Answer, ...]] = {}
    for sample in samples:
        item = item_of(sample)
        if item is None:
            raise OtherMindsError(f"{sample.place} is not an answer to one of HugAgent's items.")
        # Documents hold whole interviews, and nothing here needs them.
        known, before = first.setdefault(item.item_id, (item, sample._replace(doc={}, prompt="")))
        if item._replace(answers=()) != known._replace(answers=()):
            raise _conflict(known, before, sample, "has another gold answer or question")
        if sample.hashes.prompt != before.hashes.prompt:
            raise _conflict(known, before, sample, "was asked with another prompt")
        answers[item.item_id] = (*answers.get(item.item_id, ()), *item.answers)
    if not answers:
        raise OtherMindsError("There is no complete sample to read; run the task again.")
    runs = max(map(len, answers.values()))
    complete = [name for name in sorted(answers) if len(answers[name]) == runs]
    if len(complete) < len(answers):
        note(
            f"{len(answers) - len(complete):,} of {len(answers):,} items do not have an answer from "
            f"each of the {runs} runs and were left out."
        )
    return [first[name][0]._replace(answers=answers[name]) for name in complete]


def _conflict(item: Item, known: Sample, other: Sample, how: str) -> OtherMindsError:
    return OtherMindsError(
        f"Item '{item.item_id}' {how} in {other.place} than in {known.place}: give runs of one "
        "model on one task and data version, and no task that asks an item twice."
    )
