"""kill -9 at the transitions of a session: nothing is lost, and nothing is asked twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from otherminds.interview import casting, simulating
from otherminds.interview.conversation import Conversation
from otherminds.interview.readers import RuleReader
from otherminds.interview.session import Session
from otherminds.interview.store import Store
from tests.interview import people

AGENT = people.agent("P01", 3)
LENGTH = dict(people.SHORT)
ACKNOWLEDGED = "acknowledged"
Reading = Callable[[Store], object]


def rules(_: Store) -> object:
    return RuleReader()


def model(store: Store) -> object:
    return people.reader(store, people.RulesBehindAServer(), **LENGTH)


def interview(place: Path, reading: Reading) -> Session:
    """Begin or go on with an interview to its end; note each answer that was taken."""
    given = people.config(model="m" if reading is model else None, **LENGTH)
    place.mkdir(exist_ok=True)
    with Store(place, create=True) as store:
        reader = reading(store)
        more = {"clock": simulating.steady_clock}
        if store.summaries():
            talk = Conversation.resume(store, "s1", reader, **more)
        else:
            talk = Conversation.begin(
                store, given, reader, session_id="s1", participant_id="P01", **more
            )
        who = casting.scripted(AGENT, given, 1, "s1")
        while (qa := talk.question()) is not None:
            text = who.answer(talk.session).text
            talk.answer(text)
            with (place / ACKNOWLEDGED).open("a") as file:
                file.write(f"{qa.id} {text}\n")
        if talk.session.status != "submitted":
            talk.submit()
        return talk.session


def killed_at(count: int, place: Path, reading: Reading) -> bool:
    """Run the interview in a process that is killed at its n-th transition; whether it was.

    Transitions are all statements of the database and its commits; it dies before each.
    """
    child = os.fork()
    if child == 0:
        try:
            die_at(count)
            interview(place, reading)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def die_at(count: int) -> None:
    from sqlalchemy import Engine, event

    left = [count]

    def step(*_: object) -> None:
        left[0] -= 1
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("before_cursor_execute", "commit"):
        event.listen(Engine, name, step)


def check(place: Path, reading: Reading, whole: Session) -> None:
    """Go on to the end, and compare with an interview that nobody killed, to the bit."""
    found = interview(place, reading)
    assert found == whole
    with Store(place) as store:
        assert people.session(store, "s1") == whole
    taken = (place / ACKNOWLEDGED).read_text().splitlines()
    said = [f"{qa.id} {qa.answer}" for qa in found.qas]
    # One that was killed between its write and its note is in the session alone.
    assert set(taken) <= set(said)
    assert len(taken) == len(set(taken))
    questions = [qa.question for qa in found.qas]
    assert len(questions) == len(set(questions))


@pytest.mark.parametrize("reading", [rules, model])
def test_an_interview_that_is_killed_again_and_again_is_the_same(
    reading: Reading, tmp_path: Path
) -> None:
    whole = interview(tmp_path / "whole", reading)
    place = tmp_path / "killed"
    place.mkdir()
    deaths = 0
    # Each process comes a little further than the one before it could.
    while killed_at(20 + 5 * deaths, place, reading):
        deaths += 1
    assert deaths >= 3
    check(place, reading, whole)


@pytest.mark.slow
@pytest.mark.parametrize("reading", [rules, model])
def test_a_kill_at_any_transition_loses_nothing(
    reading: Reading, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Three answers have every kind of transition.
    monkeypatch.setitem(LENGTH, "min_qas", 2)
    monkeypatch.setitem(LENGTH, "max_qas", 3)
    whole = interview(tmp_path / "whole", reading)
    count = 0
    while True:
        count += 1
        place = tmp_path / str(count)
        place.mkdir()
        if not killed_at(count, place, reading):
            break
        check(place, reading, whole)
    assert count > 60


def test_a_simulation_that_is_killed_goes_on(tmp_path: Path) -> None:
    agents = [people.agent("P01", 1), people.agent("P02", 2)]
    given = people.config(**people.SHORT)

    def run(place: Path) -> list[Session]:
        with Store(place, create=True) as store:
            return people.simulated(store, agents, given)

    whole = run(tmp_path / "whole")
    place = tmp_path / "killed"
    for count in (25, 70, 50):
        child = os.fork()
        if child == 0:
            try:
                die_at(count)
                run(place)
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), count
    assert run(place) == whole


def test_a_simulation_goes_on_under_the_configuration_that_it_began_with(tmp_path: Path) -> None:
    before, after = people.config(**people.SHORT), people.config(model="elsewhere", max_qas=20)
    with Store(tmp_path / "whole", create=True) as store:
        [whole] = people.simulated(store, [AGENT], before)
    child = os.fork()
    if child == 0:
        try:
            die_at(100)
            with Store(tmp_path / "killed", create=True) as store:
                people.simulated(store, [AGENT], before)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    with Store(tmp_path / "killed") as store:
        assert [one.status for one in store.summaries()] == ["running"]
        # The model of the new one is not asked.
        assert people.simulated(store, [AGENT], after) == [whole]
