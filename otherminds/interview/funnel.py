"""From everybody who began to those who are kept: reasons of the study, then of the interview."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from otherminds.interview import quality, questionnaire
from otherminds.interview.config import Topic
from otherminds.interview.making import answers_of
from otherminds.interview.participation import Participant, Participants
from otherminds.interview.quality import KEPT, REASONS, UNFINISHED, Measured, Thresholds
from otherminds.interview.store import Store

WITHOUT_INTERVIEW: Final = "questionnaire_only"

BEFORE: Final = (
    *("repeated_id", "consent_missing", "attention_check", "incomplete_questionnaire"),
    "id_mismatch",
)
"""Reasons that are asked before those of quality control, in this order."""

ALL: Final = (*BEFORE, WITHOUT_INTERVIEW, UNFINISHED, *REASONS, KEPT)


class Funnel(NamedTuple):
    """How many people there are at each stage.

    verdicts  of each person, by pseudonym
    measured  the values of each interview
    steps     how the count of kept interviews changes at one step of each threshold
    """

    verdicts: dict[str, str]
    measured: Sequence[Measured]
    steps: Sequence[dict[str, object]]

    @property
    def counts(self) -> list[tuple[str, int]]:
        """Those who began, those left out for each reason, those kept."""
        found = Counter(self.verdicts.values())
        return [("begun", len(self.verdicts)), *((name, found[name]) for name in ALL)]


def funnel(
    store: Store,
    participants: Participants,
    topic: Topic,
    thresholds: Thresholds | None = None,
) -> Funnel:
    """The funnel of the first wave; interviews without pages (`chat`, `simulate`) are in it too."""
    sessions = [one.id for one in store.summaries()]
    measured, steps = quality.check(
        map(answers_of, store.records(sessions)), thresholds or Thresholds()
    )
    verdicts = {one.participant_id: one.verdict for one in measured}
    for one in participants.all(1):
        verdicts[one.id] = _before(one, topic) or verdicts.get(one.id) or _without(one)
    return Funnel(verdicts, measured, steps)


def _before(one: Participant, topic: Topic) -> str | None:
    progress = one.progress
    if progress.is_repeated:
        return "repeated_id"
    if progress.consented_at is None:
        return "consent_missing"
    if progress.attention is False:
        return "attention_check"
    if questionnaire.next_page(questionnaire.pages(topic), progress.steps) is not None:
        return "incomplete_questionnaire"
    return "id_mismatch" if progress.mismatches and progress.submitted_at is None else None


def _without(one: Participant) -> str:
    return UNFINISHED if one.progress.is_chosen else WITHOUT_INTERVIEW
