"""The text-free answers of people (`golds.csv`), and what they say of a population, by topic."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import rank
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.items import OPINION

BASELINES: Final = {"healthcare": "3.1", "surveillance": "2.1", "zoning": "1.1"}
SCENARIOS: Final = {
    "healthcare": ("3.6", "3.7", "3.8", "3.9"),
    "surveillance": ("2.6", "2.7", "2.8"),
    "zoning": ("1.2", "1.3", "1.4"),
}
EXPERIENCES: Final = {
    "healthcare": ("3.2", "3.3", "3.4"),
    "surveillance": ("2.2", "2.3", "2.4"),
    "zoning": (),
}
"""Questions on what people have lived through: no scenario, and not fitted."""

OFF_SCALE: Final = ("1.4r_G",)
"""Reasons that all people answered with 0, below the scale: known of the release, and not fitted."""

_COLUMNS: Final = {"participant_id", "topic", "task", "question_id", "question_type", "gold"}
HELD_OUT: Final = 3
"""One person in so many is held out of a fit."""


class AnswersError(ValueError):
    """Answers that no population can be fitted to."""


@dataclass(frozen=True)
class Answer:
    """One answer of one person."""

    person: str
    topic: str
    question: str
    value: int


@dataclass(frozen=True)
class Answers:
    """Answers of people: opinions, ratings of reasons, and letters of BSI items."""

    opinions: tuple[Answer, ...]
    ratings: tuple[Answer, ...]
    letters: tuple[tuple[str, str, str], ...]
    """Person, topic and letter."""

    def of(self, people: Iterable[str]) -> Answers:
        """Those of some people."""
        kept = set(people)
        return Answers(
            tuple(one for one in self.opinions if one.person in kept),
            tuple(one for one in self.ratings if one.person in kept),
            tuple(one for one in self.letters if one[0] in kept),
        )

    @property
    def people(self) -> list[str]:
        """Everybody, by name."""
        named = {one.person for one in (*self.opinions, *self.ratings)}
        return sorted(named | {one[0] for one in self.letters})


def read_answers(path: Path) -> Answers:
    """Read a table of answers.

    Raises AnswersError, which names the line, for a missing column, a question id that is none of the
    questionnaire's, or an answer off its scale (1–10, 1–5, A or B).
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if missing := sorted(_COLUMNS - set(rows.fieldnames or ())):
            raise AnswersError(f"{path} lacks the columns {', '.join(missing)}.")
        opinions, ratings, letters = [], [], []
        for number, row in enumerate(rows, start=2):
            where = f"{path}, line {number}"
            if row["topic"] not in TOPICS:
                raise AnswersError(
                    f"{where}: the topic '{row['topic']}' is none of {', '.join(TOPICS)}."
                )
            if row["task"] == "bsi":
                letters.append((row["participant_id"], row["topic"], _letter(where, row["gold"])))
            elif row["question_type"] == OPINION:
                opinions.append(_opinion(where, row))
            elif row["question_id"] not in OFF_SCALE:
                ratings.append(_rating(where, row))
    return Answers(tuple(opinions), tuple(ratings), tuple(letters))


def _letter(where: str, gold: str) -> str:
    if gold not in ("A", "B", "A/B"):
        raise AnswersError(f"{where}: the answer '{gold}' of a BSI item is none of A, B, A/B.")
    return gold


def _opinion(where: str, row: Mapping[str, str]) -> Answer:
    topic, question = row["topic"], row["question_id"]
    if question not in (BASELINES[topic], *SCENARIOS[topic], *EXPERIENCES[topic]):
        raise AnswersError(f"{where}: '{question}' is no opinion question on {topic}.")
    return Answer(row["participant_id"], topic, question, _whole(where, row["gold"], 10))


def _rating(where: str, row: Mapping[str, str]) -> Answer:
    topic, question = row["topic"], row["question_id"]
    asked, _, reason = question.partition("r_")
    if asked not in (BASELINES[topic], *SCENARIOS[topic], *EXPERIENCES[topic]) or not reason:
        raise AnswersError(f"{where}: '{question}' is no reason's question on {topic}.")
    return Answer(row["participant_id"], topic, question, _whole(where, row["gold"], 5))


def _whole(where: str, text: str, top: int) -> int:
    if not text.isdigit() or not 1 <= int(text) <= top:
        raise AnswersError(f"{where}: the answer '{text}' is off the scale of 1 to {top}.")
    return int(text)


def split(answers: Answers, seed: int) -> tuple[Answers, Answers]:
    """Those to fit and those held out: one person in three, drawn by the seed."""
    ordered = sorted(answers.people, key=lambda name: rank(seed, "held out", name))
    held_out = ordered[::HELD_OUT]
    return answers.of(set(ordered) - set(held_out)), answers.of(held_out)


Shares = dict[str, float]
"""What is fitted and compared, by name; NaN where nobody answered."""

MEASURES: Final = (
    *("baseline_ends", "scenario_ends", "unchanged", "up", "down", "large_changes"),
    *("lowest_ratings", "high_ratings", "bsi_positive", "within_person"),
)


def shares(answers: Answers, topic: str) -> Shares:
    """The shares that a population should have, over the answers on one topic.

    baseline_ends   opinions at 1 or 10 before any scenario; scenario_ends: after one
    unchanged       of pairs of an opinion after a scenario and the same person's before it, those
                    alike; up, down and large_changes (or more) are other shares of the pairs
    lowest_ratings        ratings of reasons that are 1; high_ratings: 4 or 5
    bsi_positive    BSI answers that are A
    within_person   of the variance of ratings about their reason's mean, the part between people
    """
    before = {
        one.person: one.value
        for one in answers.opinions
        if one.topic == topic and one.question == BASELINES[topic]
    }
    after = [
        one for one in answers.opinions if one.topic == topic and one.question in SCENARIOS[topic]
    ]
    changes = [one.value - before[one.person] for one in after if one.person in before]
    ratings = [one for one in answers.ratings if one.topic == topic]
    letters = [letter for _, of, letter in answers.letters if of == topic and letter != "A/B"]
    return {
        "baseline_ends": share(value in (1, 10) for value in before.values()),
        "scenario_ends": share(one.value in (1, 10) for one in after),
        "unchanged": share(by == 0 for by in changes),
        "up": share(by > 0 for by in changes),
        "down": share(by < 0 for by in changes),
        "large_changes": share(abs(by) >= 5 for by in changes),
        "lowest_ratings": share(one.value == 1 for one in ratings),
        "high_ratings": share(one.value >= 4 for one in ratings),
        "bsi_positive": share(letter == "A" for letter in letters),
        "within_person": within_person(ratings),
    }


def share(found: Iterable[bool]) -> float:
    """The share that is true; NaN of nothing."""
    values = list(found)
    return sum(values) / len(values) if values else float("nan")


def within_person(ratings: Sequence[Answer]) -> float:
    """1 − the mean squared distance from the person's own mean, as a share of that from the overall
    mean.

    Both after the mean of each question is taken off; over people with two ratings or more.
    """
    by_question: dict[str, list[int]] = defaultdict(list)
    for one in ratings:
        by_question[one.question].append(one.value)
    means = {question: float(np.mean(values)) for question, values in by_question.items()}
    by_person: dict[str, list[float]] = defaultdict(list)
    for one in ratings:
        by_person[one.person].append(one.value - means[one.question])
    groups = [np.array(values) for values in by_person.values() if len(values) > 1]
    if len(groups) < 2:
        return float("nan")
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    freedom = sum(len(group) - 1 for group in groups)
    everything = np.concatenate(groups)
    total = float(((everything - everything.mean()) ** 2).sum()) / (len(everything) - 1)
    return 1.0 - within / freedom / total if total > 0 else float("nan")


def counted(values: Iterable[int], top: int) -> list[int]:
    """How many values there are of 1 to `top`."""
    found = Counter(values)
    return [found[value] for value in range(1, top + 1)]
