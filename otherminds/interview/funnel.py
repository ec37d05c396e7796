"""From everybody who began to those who are kept: reasons of the study, then of the interview."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from otherminds.interview import quality, questionnaire
from otherminds.interview.config import Topic
from otherminds.interview.making import answers
from otherminds.interview.participation import Participant, Participants
from otherminds.interview.quality import BEFORE, KEPT, REASONS, UNFINISHED, Measured, Thresholds
from otherminds.interview.store import Store

WITHOUT_INTERVIEW: Final = "questionnaire_only"

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
    measured, steps = quality.check(answers(store, store.summaries()), thresholds)
    verdicts = {one.participant_id: one.verdict for one in measured}
    left_out = participants.left_out()
    pages = questionnaire.pages(topic)
    for one in participants.all(1):
        if questionnaire.next_page(pages, one.progress.steps) is not None:
            verdicts[one.id] = left_out.get(one.id, "incomplete_questionnaire")
        else:
            verdicts.setdefault(one.id, left_out.get(one.id) or _without(one))
    return Funnel(verdicts, measured, steps)


def _without(one: Participant) -> str:
    return UNFINISHED if one.progress.is_chosen else WITHOUT_INTERVIEW
