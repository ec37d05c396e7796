"""Interviews with simulated people: begun, gone on with after a kill, and finished ones left alone."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Final, NamedTuple, Protocol

from otherminds.errors import StoppedError
from otherminds.interview import deletion
from otherminds.interview.config import Config
from otherminds.interview.conversation import Conversation, Wording
from otherminds.interview.readers import SessionReader, description
from otherminds.interview.session import Session
from otherminds.interview.store import Store
from otherminds.interview.studies import Agent
from otherminds.types import Progress

_BEGINNING: Final = datetime(2000, 1, 1, tzinfo=UTC)
_STEP: Final = timedelta(seconds=30)


REPLACED: Final = "answers by rules in place of the model's"
"""What `Simulated.counts` calls them."""


class Answer(NamedTuple):
    """What a simulated person says.

    replaced  why rules said it in place of the model; empty where nothing was replaced
    """

    text: str
    replaced: str = ""


class Participant(Protocol):
    """Who answers: a function of the session alone, so that it can go on after a kill."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Requests to models by name, and those without a result by reason."""

    def answer(self, session: Session) -> Answer:
        """The answer to the open question."""


Casting = Callable[[Agent, Config, int, str], Participant]
"""From an agent, the configuration, a seed and the id of the session to who answers for it."""

Worded = Callable[[SessionReader], Wording | None]


@dataclass(frozen=True)
class Simulated:
    """What a simulation did.

    begun     sessions that were begun
    resumed   sessions that were gone on with
    finished  sessions that were over before
    counts    requests to models, those without a result, and `REPLACED`
    """

    begun: int
    resumed: int
    finished: int
    counts: Mapping[str, int]


def steady_clock(session: Session) -> datetime:
    """A time that follows from the session: half a minute for each question and each answer."""
    return _BEGINNING + _STEP * (len(session.qas) + session.answered)


def session_id_of(agent: Agent) -> str:
    """The id of an agent's session."""
    return f"{agent.participant_id}-{agent.topic}"


def seed_of(seed: int, agent: Agent) -> int:
    """The seed of an agent's session."""
    name = f"{seed}/{agent.participant_id}/{agent.topic}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")


def simulate(
    store: Store,
    configs: Mapping[str, Config],
    agents: Sequence[Agent],
    cast: Casting,
    *,
    seed: int = 0,
    wording: Worded = lambda _: None,
    parallel: int = 1,
    fixed_order: bool = False,
    progress: Progress = lambda done, total: None,
) -> Simulated:
    """Interview agents, each under the configuration of its topic, and keep their questionnaires.

    parallel     sessions at once; for participants and readers behind a server
    fixed_order  ask in a fixed order, as the baseline does
    """
    gone = deletion.tombstones(store)
    agents = [agent for agent in agents if agent.participant_id not in gone]
    store.add_survey(
        [one for agent in agents for one in agent.survey],
        {agent.participant_id: agent.demographics for agent in agents},
    )
    known = {one.id: one for one in store.summaries()}
    stopping = Event()

    def interview(agent: Agent) -> tuple[str, Counter[str]]:
        config, name = configs[agent.topic], session_id_of(agent)
        if (before := known.get(name)) is not None:
            if before.status == "submitted":
                return "finished", Counter()
            # It goes on under what it began with.
            config = Config.model_validate_json(store.config(before.config_hash))
        reader = SessionReader(config.parameters, store, name)
        own = seed_of(seed, agent)
        if before is not None:
            conversation = Conversation.resume(
                store, name, reader, clock=steady_clock, wording=wording(reader)
            )
        else:
            conversation = Conversation.begin(
                store,
                config,
                reader,
                session_id=name,
                participant_id=agent.participant_id,
                seed=own,
                interviewer="fixed" if fixed_order else "adaptive",
                model=description(config.parameters),
                clock=steady_clock,
                wording=wording(reader),
            )
        participant = cast(agent, conversation.session.config, own, name)
        replaced = 0
        while conversation.question() is not None:
            if stopping.is_set():
                raise StoppedError("This interview goes on with the same command.")
            said = participant.answer(conversation.session)
            replaced += bool(said.replaced)
            conversation.answer(said.text, replaced=said.replaced)
        conversation.submit()
        counts = reader.counts + Counter(participant.counts) + Counter({REPLACED: replaced})
        return "begun" if before is None else "resumed", counts

    def all_of_them(run: Callable[..., Iterable[tuple[str, Counter[str]]]]) -> Simulated:
        how: Counter[str] = Counter()
        counts: Counter[str] = Counter()
        for number, (one, more) in enumerate(run(interview, agents), start=1):
            how[one] += 1
            counts.update(more)
            progress(number, len(agents))
        return Simulated(how["begun"], how["resumed"], how["finished"], dict(counts))

    if parallel == 1:
        return all_of_them(map)
    causes: list[BaseException] = []

    def beside(agent: Agent) -> tuple[str, Counter[str]]:
        try:
            return interview(agent)
        except BaseException as error:
            if not stopping.is_set():
                causes.append(error)
            stopping.set()
            raise

    with ThreadPoolExecutor(max_workers=parallel) as pool:
        try:
            return all_of_them(lambda _, each: pool.map(beside, each))
        except BaseException as error:
            # Those that go on end at their next question; what is told is what ended them all.
            stopping.set()
            raise (causes or [error])[0] from None
