"""A conversation in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from otherminds.interview.conversation import Conversation
from otherminds.interview.errors import InterviewError
from otherminds.interview.session import Session

Say = Callable[[str], None]
Hear = Callable[[], str | None]
"""The next line that the person types; None at the end of the input."""

HELP: Final = """\
Type an answer and press Enter. Commands:
  /review        all questions and answers so far
  /edit NUMBER   give another answer to a question
  /end           end the questions
  /stop          leave for now; the same command goes on
  /help          this text"""

_DOUBLED: Final = "//"
"""Begins an answer that itself begins with a slash."""


def chat(conversation: Conversation, hear: Hear, say: Say) -> Session:
    """Ask until the questions are over, then let the person review and hand in.

    Returns the session as it is at the end; it is submitted, or goes on with the same command.
    """
    if conversation.session.answered:
        say("Welcome back. Your answers so far are kept.")
    else:
        say(HELP)
    while (qa := conversation.question()) is not None:
        say("")
        say(f"[{round(100 * conversation.session.progress)} %] {qa.number}. {qa.question}")
        line = hear()
        if line is None or line.strip() == "/stop":
            say("Kept. The same command goes on from here.")
            return conversation.session
        _take(conversation, line, hear, say)
    return _hand_in(conversation, hear, say)


def _take(conversation: Conversation, line: str, hear: Hear, say: Say) -> None:
    """An answer or a command, in place of the answer to the open question."""
    word, _, rest = line.strip().partition(" ")
    try:
        if word == "/help":
            say(HELP)
        elif word == "/review":
            _review(conversation.session, say)
        elif word == "/edit":
            _edit(conversation, rest, hear, say)
        elif word == "/end":
            conversation.end()
        elif line.startswith("/") and not line.startswith(_DOUBLED):
            say(
                f"There is no command {word}. An answer that begins with / is typed with two of them."
            )
        elif not line.strip():
            say("Type an answer, or /help.")
        else:
            conversation.answer(line[1:] if line.startswith(_DOUBLED) else line)
    except InterviewError as error:
        say(str(error))


def _hand_in(conversation: Conversation, hear: Hear, say: Say) -> Session:
    if conversation.session.status == "submitted":
        say("These answers were handed in already. Thank you.")
        return conversation.session
    say("")
    say("These were all questions. Your answers:")
    _review(conversation.session, say)
    while True:
        say("Type `submit` to hand them in, /edit NUMBER to change one, or /stop to leave for now.")
        line = hear()
        if line is None or line.strip() == "/stop":
            say("Kept. The same command goes on from here.")
            return conversation.session
        word, _, rest = line.strip().partition(" ")
        if word == "submit":
            conversation.submit()
            say("Handed in. Thank you.")
            return conversation.session
        if word == "/edit":
            _edit(conversation, rest, hear, say)
        elif word == "/review":
            _review(conversation.session, say)


def _edit(conversation: Conversation, rest: str, hear: Hear, say: Say) -> None:
    found = next(
        (qa for qa in conversation.session.qas if str(qa.number) == rest.strip() and qa.answer),
        None,
    )
    if found is None:
        say("Give the number of a question that you have answered: /edit 3")
        return
    say(found.question)
    say(f"So far: {found.answer}")
    line = hear()
    if line is None or not line.strip():
        say("Left as it was.")
        return
    try:
        conversation.edit(found.id, line)
    except InterviewError as error:
        say(str(error))
        return
    say("Changed.")


def _review(session: Session, say: Say) -> None:
    for qa in session.qas:
        if qa.answer is not None:
            say(f"{qa.number}. {qa.question}")
            say(f"   {qa.answer}")
