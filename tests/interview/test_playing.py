"""A model that plays a simulated person, and a model that reads, in the process and behind a server."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from otherminds.interview import casting, simulating
from otherminds.interview.config import Config
from otherminds.interview.conversation import Conversation
from otherminds.interview.readers import RuleReader
from otherminds.interview.session import Session
from otherminds.interview.simulating import REPLACED
from otherminds.interview.store import Store
from otherminds.interview.studies import Agent
from otherminds.metrics.graphs import BeliefGraph
from otherminds.running.finish import Reply
from tests.conftest import Command
from tests.helpers import openai_server
from tests.interview import people
from tests.interview.test_kills import die_at

STANCE = people.TOPIC.stance_label
GRAPH = BeliefGraph.model_validate(
    {
        "stance_node": "s",
        "nodes": {
            "a": {"label": "street noise"},
            "b": {"label": "sleep"},
            "s": {"label": STANCE, "status": "stance"},
        },
        "edges": {
            "ab": {"source": "a", "target": "b", "aggregate_confidence": 1, "modifier": -0.8},
            "bs": {"source": "b", "target": "s", "aggregate_confidence": 1, "modifier": 0.8},
        },
    }
)
RIGHT = f"Street noise will lower sleep, and sleep can raise my {STANCE}."
OPPOSITE = "Street noise will raise sleep."
NEW_LINK = f"Street noise will lower my {STANCE}."
UNKNOWN = f"Ticket prices will lower my {STANCE}."
FOREIGN = f"Bakery smells will lower my {STANCE}."
BETWEEN = "Ticket prices will lower street noise."


class Played(people.RulesBehindAServer):
    """Plays with these texts, in turn and the last again and again, and reads by the rules."""

    def __init__(self, *texts: str | Reply) -> None:
        super().__init__()
        self.texts = texts
        self.played: list[Sequence[dict[str, str]]] = []

    def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
        """The reply to a request."""
        if schema is not None:
            return super().reply(messages, schema)
        self.played.append([*messages])
        text = self.texts[min(len(self.played), len(self.texts)) - 1]
        return text if isinstance(text, Reply) else Reply(text, "stop")


def one_answer(tmp_path: Path, server: Any) -> tuple[Session, dict[str, int]]:
    """The session after the first answer of the person of `GRAPH`, and the player's counts."""
    given = people.config(model="m")
    agent = Agent("P01", people.TOPIC.name, GRAPH, {"age": "41"}, (), {"phrase": "well"}, "for")
    with Store(tmp_path, create=True) as store:
        talk = Conversation.begin(store, given, RuleReader(), session_id="s1", participant_id="P01")
        talk.question()
        player = casting.by_model(store, server=server)(agent, given, 1, "s1")
        said = player.answer(talk.session)
        talk.answer(said.text, replaced=said.replaced)
        return talk.session, dict(player.counts)


def replaced(session: Session) -> list[str]:
    return [one.what for one in session.events if one.kind == "replaced"]


@pytest.mark.parametrize("text", [RIGHT, BETWEEN, "I have not thought about that."])
def test_what_the_graph_says_or_nothing_against_it_is_taken(tmp_path: Path, text: str) -> None:
    server = Played(text)
    session, counts = one_answer(tmp_path, server)
    assert session.qas[0].answer == text
    assert replaced(session) == []
    assert counts == {"play_agent": 1, "check_answer": 1}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (OPPOSITE, "more street noise raises sleep"),
        (NEW_LINK, "more street noise lowers your support"),
        (UNKNOWN, "lowers your support"),
    ],
)
def test_contradictions_are_redone_three_times_and_then_rules_answer(
    tmp_path: Path, text: str, says: str
) -> None:
    server = Played(text)
    session, counts = one_answer(tmp_path, server)
    assert counts == {"play_agent": 4, "check_answer": 4}
    # Each time it is told what was wrong.
    assert [len(messages) for messages in server.played] == [2, 4, 6, 8]
    assert says in server.played[1][-1]["content"]
    assert session.qas[0].answer != text
    assert "sleep" in session.qas[0].answer.lower()
    [why] = replaced(session)
    assert says in why


def test_an_answer_that_is_right_at_the_second_try_is_taken(tmp_path: Path) -> None:
    session, counts = one_answer(tmp_path, Played(OPPOSITE, RIGHT))
    assert session.qas[0].answer == RIGHT
    assert (replaced(session), counts["play_agent"]) == ([], 2)


@pytest.mark.parametrize(
    ("server", "why"),
    [
        (Played(Reply("", "timeout")), "no answer"),
        (Played("", " "), "no answer"),
        (Played(Reply("Well, I think that street", "length")), "no answer"),
        (Played('{"beliefs": []}'), "nothing that a person says"),
        (Played("so " * 5_000), "nothing that a person says"),
        (people.Scripted("Well, I do not know."), "could not be checked"),
    ],
)
def test_without_an_answer_or_a_check_rules_answer_at_once(
    tmp_path: Path, server: Any, why: str
) -> None:
    session, counts = one_answer(tmp_path, server)
    assert why in replaced(session)[0]
    assert counts["play_agent"] == 1
    assert session.qas[0].answer


def test_the_player_is_told_who_it_is_and_no_answer_to_the_questionnaire(tmp_path: Path) -> None:
    agent = people.agent()
    server = Played(RIGHT)
    with Store(tmp_path, create=True) as store:
        given = people.config(model="m")
        talk = people.talk(store, RuleReader(), [])
        talk.question()
        casting.by_model(store, server=server)(agent, given, 1, "s1").answer(talk.session)
    data = json.loads(server.played[0][1]["content"])
    assert data["person"] == dict(agent.demographics)
    assert len(data["beliefs"]) == len(agent.graph.effects)
    told = json.dumps(server.played[0])
    for one in agent.survey:
        assert one.content["question"] not in told
    assert "It gets louder." not in told


@pytest.mark.parametrize("seed", range(3))
def test_whoever_speaks_from_the_graph_never_contradicts_it(tmp_path: Path, seed: int) -> None:
    """The check raises no false alarm at the rules' own words."""
    agent = people.agent("P01", seed)
    given = people.config(model="m", **people.SHORT)

    class Honest(people.RulesBehindAServer):
        def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
            if schema is not None:
                return super().reply(messages, schema)
            return Reply(self.script.answer(self.session()).text, "stop")

        script = casting.scripted(agent, given, seed, "x")
        session: Callable[[], Session]

    server = Honest()
    with Store(tmp_path, create=True) as store:
        talk = Conversation.begin(
            store, given, RuleReader(), session_id="s1", participant_id="P01", seed=seed
        )
        server.session = lambda: talk.session
        player = casting.by_model(store, server=server)(agent, given, seed, "s1")
        while talk.question() is not None:
            said = player.answer(talk.session)
            assert said.replaced == ""
            talk.answer(said.text)
        assert talk.session.answered >= 4


class Model:
    """A model behind a real server that reads by the rules, and plays whom it is told to.

    It says the first belief that it has not said; every third time it says the opposite first.
    """

    def __init__(self) -> None:
        self._rules = people.RulesBehindAServer()

    def generate(self, prompt: Any, body: dict[str, Any]) -> str:
        form = body.get("response_format")
        if form is not None:
            return str(self._rules.reply(prompt, form["json_schema"]["schema"]))
        data = json.loads(prompt[1]["content"])
        before = " ".join(one["answer"] for one in data["conversation"])
        for one in data["beliefs"]:
            text = _spoken(one)
            if text not in before:
                is_first_try = len(prompt) == 2
                return _opposite(text) if is_first_try and len(before) % 3 == 0 else text
        return "I have not thought about that."

    def echoed(self, prompt: Any) -> dict[str, Any]:
        raise ValueError("no log-probabilities here")


def _spoken(belief: str) -> str:
    words = belief.removeprefix("More ").replace("my own support", f"my {STANCE}")
    for adverb in ("slightly", "somewhat", "strongly"):
        words = words.replace(f" {adverb} raises", " will raise")
        words = words.replace(f" {adverb} lowers", " will lower")
    return words[0].upper() + words[1:]


def _opposite(text: str) -> str:
    if " will raise " in text:
        return text.replace(" will raise ", " will lower ")
    return text.replace(" will lower ", " will raise ")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server of OpenAI's interface with `Model` behind it."""
    with openai_server.serving(Model(), lambda _: None) as server:
        yield server.address


def behind(address: str, **parameters: Any) -> Config:
    given_args = {"base_url": address, "retries": 0, "timeout": 30}
    return people.config(model="m", model_args=given_args, **people.SHORT, **parameters)


@pytest.mark.slow
def test_models_on_both_sides_of_a_server_hold_an_interview(tmp_path: Path, address: str) -> None:
    agents = [people.agent("P01", 1), people.agent("P02", 2)]
    given = behind(address)

    def run(place: Path, **more: Any) -> tuple[list[Session], simulating.Simulated]:
        with Store(place, create=True) as store:
            configs = {people.TOPIC.name: given}
            cast = casting.by_model(store)
            done = simulating.simulate(store, configs, agents, cast, **more)
            return [people.session(store, one.id) for one in store.summaries()], done

    found, done = run(tmp_path / "a")
    assert done.counts["play_agent"] > done.counts["extract"] >= 8
    assert done.counts.get(REPLACED, 0) == 0
    assert all(one.status == "submitted" and one.state.edges for one in found)
    # Those who run beside each other say the same.
    assert sorted(run(tmp_path / "b", parallel=2)[0], key=lambda one: one.session_id) == found


def test_the_commands_with_a_model_behind_a_server(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str
) -> None:
    settings = {
        "topic": "night_buses",
        "max_qas": 8,
        "model": "m",
        "model_args": {"base_url": address, "retries": 0},
    }
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(settings))
    lines = iter(
        [
            f"Street noise will lower my {STANCE}.",
            "/edit 1",
            RIGHT,
            "Buses are late.",
            "/end",
            "submit",
        ]
    )

    def typed(_: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)
    words = ("otherminds", "interview")
    done = command(*words, "chat", "study.yaml", "--person", "P01", cwd=tmp_path)
    assert "Handed in" in done.stdout
    again = command(*words, "replay", cwd=tmp_path)
    assert "1 of 1 sessions came out the same" in again.stdout
    with Store(tmp_path / "interviews") as store:
        [one] = store.summaries()
        session = people.session(store, one.id)
        assert session.qas[0].answer == RIGHT
        assert {edge.polarity for edge in session.state.edges.values()} == {-1, 1}


class Contrary(people.RulesBehindAServer):
    """Says what contradicts every graph, at one question in two; else nothing."""

    def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
        if schema is not None:
            return super().reply(messages, schema)
        question = json.loads(messages[1]["content"])["question"]
        return Reply(FOREIGN if len(question) % 2 else "I have not thought about that.", "stop")


def test_an_interview_of_models_that_is_killed_again_and_again_is_the_same(tmp_path: Path) -> None:
    given = people.config(model="m", **people.SHORT)
    agent = people.agent("P01", 2)

    def run(place: Path) -> Session:
        server = Contrary()
        with Store(place, create=True) as store:
            reader = people.reader(store, server, **people.SHORT)
            more: dict[str, Any] = {"clock": simulating.steady_clock}
            if store.summaries():
                talk = Conversation.resume(store, "s1", reader, **more)
            else:
                talk = Conversation.begin(
                    store, given, reader, session_id="s1", participant_id="P01", **more
                )
            player = casting.by_model(store, server=server)(agent, given, 1, "s1")
            while talk.question() is not None:
                said = player.answer(talk.session)
                talk.answer(said.text, replaced=said.replaced)
            return talk.session

    whole = run(tmp_path / "whole")
    assert 0 < len(replaced(whole)) < whole.answered
    for count in (30, 60, 90, 120):
        child = os.fork()
        if child == 0:
            try:
                die_at(count)
                run(tmp_path / "killed")
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), count
    assert run(tmp_path / "killed") == whole
