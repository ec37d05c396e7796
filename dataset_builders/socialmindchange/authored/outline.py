"""Proofs of the trajectory: just the frame's events happen, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from otherminds.dataset_builders.proofs import Fault
from otherminds.dataset_builders.socialmindchange.authored import events, texts
from otherminds.dataset_builders.socialmindchange.authored.stage import Given

Reply = Mapping[str, Any]


def exact(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """Every scene has the frame's events, each once and in order, and no other."""
    if len(written["outlines"]) != len(given.frame.scenes):
        yield Fault("outlines", f"Write {len(given.frame.scenes)} scenes.")
        return
    for number, one in enumerate(written["outlines"]):
        wanted = [event.name for event in events.of_scene(given, number, topics)]
        found = [event["event"] for event in one["events"]]
        if said := differences(wanted, found):
            yield Fault(f"outlines.{number}.events", f"Scene {number + 1}: {said}")


def told(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """The sentence of each event stands in the outline, after the one before, and tells all of it."""
    for number, one in enumerate(written["outlines"][: len(given.frame.scenes)]):
        known = {event.name: event for event in events.of_scene(given, number, topics)}
        end = 0
        for place, told in enumerate(one["events"]):
            where, sentence = f"outlines.{number}.events.{place}", told["sentence"]
            event = known.get(told["event"])
            if event is None:
                continue
            start = one["outline"].find(sentence, end)
            if start < 0:
                yield Fault(
                    where,
                    f"“{sentence}” does not stand in the outline of scene {number + 1}, or stands "
                    "before the event that comes before it.",
                )
            else:
                end = start + len(sentence)
            lacking = [
                *texts.without(sentence, given.names, event.people),
                *(part for part in event.wording if part.casefold() not in sentence.casefold()),
            ]
            if lacking:
                yield Fault(
                    where,
                    f"“{sentence}” does not say {', '.join(f'“{part}”' for part in lacking)}; it is to "
                    f"tell: {event.line}",
                )


def names(given: Given, written: Reply, capitals: Sequence[str]) -> Iterator[Fault]:
    """Nobody from outside is named."""
    outlines = (
        (f"outlines.{number}.outline", one["outline"])
        for number, one in enumerate(written["outlines"])
    )
    yield from texts.strangers(outlines, given.names, capitals)


def differences(wanted: Sequence[str], found: Sequence[str]) -> str:
    """In words, how a list of events differs from the one that is wanted; empty where it does not."""
    if list(found) == list(wanted):
        return ""
    said = [f"“{one}” is told {found.count(one)} times" for one in wanted if found.count(one) != 1]
    said += [f"“{one}” is no event of it" for one in dict.fromkeys(found) if one not in wanted]
    return f"{'; '.join(said) or 'the order is another'}. Tell {', '.join(wanted)}, in this order."
