"""All proofs by stage, as the pipeline names them, and the texts that must be a unit's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.proofs import Fault, Find, Proof
from otherminds.dataset_builders.socialmindchange.authored import context, outline, phrases, story
from otherminds.dataset_builders.socialmindchange.authored.stage import Given

Reply: TypeAlias = Mapping[str, Any]


def _plain(find: Callable[[Given, Reply], Iterable[Fault]]) -> Find:
    return lambda unit, reply: find(Given.of(unit), reply)


def _topics(find: Callable[[Given, Reply, list[str]], Iterable[Fault]]) -> Find:
    return lambda unit, reply: find(Given.of(unit), reply, context.topics(unit.texts["context"]))


def _capitals(find: Callable[[Given, Reply, list[str]], Iterable[Fault]]) -> Find:
    return lambda unit, reply: find(Given.of(unit), reply, unit.texts["context"]["capitals"])


def _unlike_story(unit: Unit, reply: Reply) -> Iterable[Fault]:
    told = unit.texts["context"]
    before, scenes = _told("context", told), _told("scenes", unit.texts["scenes"])
    return phrases.unlike_story(Given.of(unit), reply, before, scenes, context.topics(told))


PROOFS: Final[Mapping[str, tuple[Proof, ...]]] = {
    "context": (
        Proof("people", _plain(context.people)),
        Proof("ties", _plain(context.ties)),
        Proof("lead", _plain(context.lead)),
        Proof("matters", _plain(context.matters)),
        Proof("promises", _plain(context.promises)),
        Proof("strangers", _plain(context.names)),
    ),
    "trajectory": (
        Proof("exact_events", _topics(outline.exact)),
        Proof("events_told", _topics(outline.told)),
        Proof("strangers", _capitals(outline.names)),
    ),
    "scenes": (
        Proof("events_told", _topics(story.told)),
        Proof("named", _topics(story.named)),
        Proof("presence", _topics(story.present)),
        Proof("lines", _topics(story.lines)),
        Proof("length", _plain(story.length)),
        Proof("strangers", _capitals(story.names)),
        Proof("mind_stated", _plain(story.masked), "audit"),
    ),
    "lexicon": (
        Proof("keys", _plain(phrases.keys)),
        Proof("form", _plain(phrases.form)),
        Proof("topics", _topics(phrases.same_topics)),
        Proof("utterances", _topics(phrases.utterances)),
        Proof("alike", _topics(phrases.distinct)),
        Proof("bearer_named", _plain(phrases.of_anybody)),
        Proof("options_differ", _plain(phrases.readable)),
        Proof("strangers", _capitals(phrases.names)),
        Proof("lengths", _plain(phrases.lengths), "audit"),
        Proof("story_copied", _unlike_story, "audit"),
    ),
}
"""By stage of authors."""


def of_stage(stage: str, unit: Unit, reply: Reply) -> Iterator[Fault]:
    """What the proofs of a stage say against a reply."""
    for proof in PROOFS[stage]:
        yield from proof.find(unit, reply)


def texts_of(stage: str, reply: Reply) -> list[str]:
    """The texts of a reply that must be the unit's own; an outline is a plan that nobody reads."""
    return [] if stage == "trajectory" else _told(stage, reply)


def _told(stage: str, reply: Reply) -> list[str]:
    if stage == "lexicon":
        return list(reply["phrases"].values())
    parts = context.parts if stage == "context" else story.parts
    return [text for _, text in parts(reply)]
