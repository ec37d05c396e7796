"""A replay comes to the same session, whatever was edited, and whenever."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.interview import loop, replaying
from otherminds.interview.calls import Caller, CallsInMemory, ModelSettings
from otherminds.interview.conversation import Conversation, Reader
from otherminds.interview.readers import RuleReader
from otherminds.interview.reading import ModelReader
from otherminds.interview.session import Session
from otherminds.interview.store import Store
from tests.interview import people

_STANCE = people.TOPIC.stance_label
TEXTS = (
    f"Street noise will lower my {_STANCE} a lot.",
    f"Sleep raises my {_STANCE} strongly.",
    "Street noise lowers sleep. City budget can raise ticket prices.",
    f"Ticket prices lower my {_STANCE}, and shift work raises sleep a little.",
    "Sleep raises street noise.",
    "That question makes no sense.",
    "Nothing.",
    "",
)
_STEP = st.tuples(
    st.sampled_from(["answer", "answer", "answer", "edit", "end"]),
    st.sampled_from(TEXTS),
    st.integers(0, 8),
)


def went(steps: list[tuple[str, str, int]], reader: Reader) -> Session:
    """A session of answers, edits and perhaps an early end; handed in where it is over."""
    given_config = people.config(**people.SHORT)
    session = loop.begin(given_config, session_id="s", participant_id="p", model={"name": "m"})
    for what, text, number in steps:
        if loop.next_question(session) is not None:
            session = loop.ask(session)
        if what == "answer" and session.current is not None:
            session = read(loop.record(session, text), reader)
        elif what == "edit" and session.answered:
            session = loop.edit(session, session.qas[number % session.answered].id, text)
            session = read(session, reader)
        elif what == "end" and number == 0:
            session = loop.end(session)
    return loop.submit(session, "p") if session.stopped is not None else session


def read(session: Session, reader: Reader) -> Session:
    while session.unread:
        qa = session.unread[0]
        session = loop.read(session, qa.id, reader.read(session, qa))
    return session


@pytest.mark.parametrize("kind", ["rules", "model"])
@settings(max_examples=25, deadline=None)
@given(steps=st.lists(_STEP, max_size=14))
def test_whatever_is_edited_and_when_the_replay_is_the_same(
    kind: str, steps: list[tuple[str, str, int]]
) -> None:
    journal = CallsInMemory()

    def reader(server: people.RulesBehindAServer | None) -> Reader:
        if kind == "rules":
            return RuleReader()
        return ModelReader(Caller(ModelSettings("m"), journal, server))

    session = went(steps, reader(people.RulesBehindAServer()))
    # From the journal alone; the question that nobody answered is asked by whoever goes on.
    again = replaying.replayed(session, reader(None))
    assert again == session


def test_an_edit_in_the_middle_changes_what_comes_next_and_replays(tmp_path: Path) -> None:
    texts = [TEXTS[0], TEXTS[2], "Nothing.", "Nothing.", "Nothing."]
    with Store(tmp_path, create=True) as store:
        plain = people.talk(store, RuleReader(), texts[:4]).session
    with Store(tmp_path / "edited", create=True) as store:
        talk = people.talk(store, RuleReader(), texts[:2])
        talk.question()
        talk.edit("q1", TEXTS[3])
        for text in texts[2:]:
            talk.question()
            talk.answer(text)
        # Questions after the edit follow from it: they name what only the later version says.
        asked = " ".join(qa.question for qa in talk.session.qas)
        assert "shift work" in asked
        assert "shift work" not in " ".join(qa.question for qa in plain.qas)
        assert replaying.replay(store, "s1").differences == ()
        back = Conversation.resume(store, "s1", RuleReader())
        assert back.session == talk.session
