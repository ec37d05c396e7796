"""A language model that words follow-up questions in the person's terms (the requests `word`).

Which question is asked is decided before, by code. What the model writes is shown only if it passes the
checks that templates pass; otherwise the template is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from otherminds.interview import guards, loop, wording
from otherminds.interview.calls import Caller
from otherminds.interview.prompts import prompt
from otherminds.interview.reading import data_message
from otherminds.interview.session import Question, Session
from otherminds.strict import Strict


class _Worded(Strict):
    text: Annotated[str, Field(min_length=5, max_length=500)]


@dataclass
class ModelWording:
    """Words follow-ups with a language model."""

    caller: Caller

    def word(self, session: Session) -> str | None:
        """Another wording of the next question; None to ask it as it is."""
        question = loop.next_question(session)
        if question is None or question.kind != "follow_up":
            return None
        closing = f" {wording.closing()}" if question.form == "polarity" else ""
        parameters = session.config.parameters

        def fault(found: _Worded) -> str | None:
            return guards.question_fault(
                parameters,
                session.state,
                found.text + closing,
                target=question.target,
                form=question.form,
            )

        most = parameters.max_question_words - len(closing.split())
        system = prompt("word", policy=session.config.topic.policy, most=most)
        messages = [
            {"role": "system", "content": system},
            data_message(_about(session, question)),
        ]
        found = self.caller.ask("word", messages, _Worded, fault)
        return None if found is None else found.text + closing


def _about(session: Session, question: Question) -> dict[str, object]:
    last = next((qa for qa in reversed(session.qas) if qa.answer is not None), None)
    ends = (question.target.source, question.target.node)
    return {
        "question": wording.sentence(question.text),
        "concepts": [session.state.nodes[one].label for one in ends if one is not None],
        "last_question": last.question if last else None,
        "last_answer": last.answer if last else None,
    }
