"""The parts of an interview that are not about factors: background, values, news, closing."""

from __future__ import annotations

from dataclasses import dataclass

from otherminds.dataset_builders.draws import chance, pick, shuffled
from otherminds.dataset_builders.hugagent.people import Person
from otherminds.dataset_builders.hugagent.schema import Content, Topic
from otherminds.dataset_builders.hugagent.speech import Sentence, Speaker
from otherminds.dataset_builders.hugagent.wording import ByRegister

_ANECDOTE_SHARE = {"terse": 0.1, "plain": 0.35, "talkative": 0.75}


_FACTS = {"terse": 1, "plain": 2, "talkative": 3}


@dataclass(frozen=True)
class Turn:
    """One question and its answer; a masked one is never shown with an item."""

    kind: str
    question: str
    answer: str
    masked: bool = False


class SmallTalk:
    """Conducts these parts with one person."""

    def __init__(self, speaker: Speaker, content: Content, topic: Topic, person: Person) -> None:
        self._speaker = speaker
        self._content = content
        self._topic = topic
        self._person = person
        first, *others = content.demographics.background_questions
        self._questions = [*shuffled(speaker.rng, others), first]
        self._sayings = _sayings(content, person)

    def background(self) -> list[Turn]:
        """A question about what the person has not told yet; none when all is told.

        The first question of the content file opens the interview.
        """
        while self._questions:
            question = self._questions.pop()
            facts: list[Sentence] = []
            for name in question.attributes:
                if len(facts) < _FACTS[self._person.voice.verbosity] and name in self._sayings:
                    pool = self._sayings.pop(name).of(self._person.voice.register)
                    slots = {"value": (self._person.demographics[name],)}
                    facts += self._speaker.say(pool, slots)
            if facts:
                answer = self._speaker.answer(facts, to_the_point=True)
                return [Turn("background", question.text, answer)]
        return []

    def value(self, name: str, high: bool) -> Turn:
        """A question about one of the person's values."""
        talk = self._content.values
        question = self._speaker.ask(talk.questions[name])
        poles, stories = talk.values[name], talk.anecdotes[name]
        pool = (poles.high if high else poles.low).of(self._person.voice.register)
        said = self._speaker.say(pool)
        if chance(self._speaker.rng, _ANECDOTE_SHARE[self._person.voice.verbosity]):
            said += self._speaker.say(stories.high if high else stories.low)
        return Turn("value", question, self._speaker.answer(said))

    def news(self) -> list[Turn]:
        """Whether the person follows the subject."""
        said = self._speaker.say(self._topic.chatter.news)
        question = self._speaker.ask(self._topic.questions.news)
        return [Turn("news", question, self._speaker.answer(said))] if said else []

    def closing(self, recap: list[Sentence]) -> list[Turn]:
        """The last word, with `recap` in it."""
        exchange = pick(self._speaker.rng, self._topic.chatter.closing)
        said = recap + self._speaker.say(exchange.answers)
        question = self._speaker.ask(exchange.questions)
        return [Turn("closing", question, self._speaker.answer(said, to_the_point=True))]


def _sayings(content: Content, person: Person) -> dict[str, ByRegister]:
    """What this person may say about each attribute of theirs; some are never talked about."""
    sayings = {}
    for attribute in content.demographics.attributes:
        shown = person.demographics[attribute.name]
        own = [value.say for value in attribute.values if value.value == shown and value.say]
        if found := (own[0] if own else attribute.say):
            sayings[attribute.name] = found
    return sayings
