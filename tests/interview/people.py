"""Small studies: simulated people with known graphs, and a server in the process that reads by rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from otherminds.interview import casting, simulating
from otherminds.interview.config import Config, topic_named
from otherminds.interview.conversation import Conversation
from otherminds.interview.extractors import Exchange, Known, Request
from otherminds.interview.participant import known_graph
from otherminds.interview.reader import read_answer
from otherminds.interview.readers import SessionReader
from otherminds.interview.session import Session
from otherminds.interview.store import Store, Survey
from otherminds.interview.studies import Agent
from otherminds.running.finish import Reply

WORDS = ("street noise", "sleep", "shift work", "ticket prices", "city budget", "car trips")
TOPIC = topic_named("night_buses")


def config(**parameters: Any) -> Config:
    """Night buses with some parameters."""
    given = Config(topic=TOPIC)
    return given.model_copy(update={"parameters": given.parameters.model_copy(update=parameters)})


SHORT = {"min_qas": 4, "max_qas": 7}


def agent(person: str = "P01", seed: int = 1) -> Agent:
    """Somebody with a graph of six concepts, and two answers to the questionnaire."""
    graph = known_graph(seed, nodes=7, edges=9, labels=WORDS, stance_label=TOPIC.stance_label)
    opinion = {
        "question": "How do you feel about night buses?",
        "question_type": "opinion",
        "scale": [1, 10],
        "answer": 7,
        "reason_code": None,
        "reason_text": None,
    }
    reason = {
        "question": "How much does this weigh?",
        "question_type": "reason_evaluation",
        "scale": [1, 5],
        "answer": 4,
        "reason_code": "B",
        "reason_text": "It gets louder.",
    }
    survey = (
        Survey(person, TOPIC.name, "4.1", 1, opinion),
        Survey(person, TOPIC.name, "4.1r_B", 2, reason),
    )
    return Agent(person, TOPIC.name, graph, {"age": "41", "zip code": "12345"}, survey)


def simulated(store: Store, agents: Sequence[Agent], given: Config | None = None) -> list[Session]:
    """Interview people by rules, and return their sessions."""
    used = given or config()
    simulating.simulate(store, {TOPIC.name: used}, agents, casting.scripted)
    return [session(store, simulating.session_id_of(one)) for one in agents]


def session(store: Store, name: str) -> Session:
    """A stored session."""
    from otherminds.interview import records

    record = store.load(name)
    return records.session_of(record, store.config(record.summary.config_hash))


def talk(store: Store, reader: Any, texts: Sequence[str], **parameters: Any) -> Conversation:
    """A conversation of these answers, with any reader."""
    if isinstance(reader, SessionReader):
        parameters["model"] = "m"
    conversation = Conversation.begin(
        store,
        config(**parameters),
        reader,
        session_id="s1",
        participant_id="P01",
        clock=simulating.steady_clock,
    )
    for text in texts:
        assert conversation.question() is not None
        conversation.answer(text)
    return conversation


def reader(store: Store, server: Any, name: str = "s1", **parameters: Any) -> SessionReader:
    """A reader that asks a server in the process."""
    given = config(model="m", **parameters).parameters
    return SessionReader(given, store, name, server=server)


class RulesBehindAServer:
    """Answers `extract` as a model could, by the rules, from what the request says alone."""

    def __init__(self) -> None:
        self.asked = 0

    def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
        """The reply to a request."""
        self.asked += 1
        data = json.loads(messages[1]["content"])
        if "answer" not in data:
            return Reply('{"same": false, "confidence": 0.5}', "stop")
        found = read_answer(
            Request(
                topic=TOPIC.name,
                policy=TOPIC.policy,
                stance_label=data["stance"],
                stance_aliases=TOPIC.stance_aliases,
                known=tuple(Known(**one) for one in data["concepts"]),
                earlier=tuple(Exchange(**one) for one in data["earlier"]),
                asked_about=(),
                question=data["question"],
                answer=data["answer"],
            )
        )
        return Reply(found.model_dump_json(include=set(schema["properties"])), "stop")


class Scripted:
    """Gives replies in order; the last one again and again."""

    def __init__(self, *replies: str | Reply) -> None:
        self.replies = [one if isinstance(one, Reply) else Reply(one, "stop") for one in replies]
        self.requests: list[Sequence[dict[str, str]]] = []

    def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
        """The next reply."""
        self.requests.append(messages)
        return self.replies[min(len(self.requests), len(self.replies)) - 1]


def files_with(folder: Path, text: str) -> list[str]:
    """The files below a folder that hold a text anywhere in their bytes, as UTF-8 or escaped."""
    forms = {text.encode(), json.dumps(text)[1:-1].encode()}
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]
