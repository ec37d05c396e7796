"""Students that look for tells: can words alone say what only their sense should?

Half of the people train a bag of words with a logistic regression for each question and topic, the other
half test it, beside the commonest answer of the first half.

    python -m otherminds.dataset_builders.hugagent.telling.tells --people 500 --seed 1
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from otherminds.dataset_builders.hugagent.telling.interviews import Told, interviews
from otherminds.dataset_builders.hugagent.world.claims import ABOUT_STANCE, Claim, ToldTurn

_LEAST: Final = 20
"""Cases that a group needs in each half."""


class Case(NamedTuple):
    """A text, and what a student is to say of it; students are trained by question and group."""

    question: str
    group: str
    person: int
    text: str
    label: str


class Score(NamedTuple):
    """How many cases of a question were tried, and the shares that student and commonest had right."""

    cases: int
    student: float
    commonest: float


def cases(told: Iterable[Told]) -> Iterator[Case]:
    """What students are asked: of single answers, of questions put to people, of whole interviews."""
    for plan, turns in told:
        claims = {claim.claim_id: claim for block in plan.blocks for claim in block.claims}
        taken_up = {claim.about: claim for claim in claims.values() if claim.about}
        whole = " ".join(turn.answer for turn in turns)
        topic = plan.topic.topic
        for turn in turns:
            for name in turn.claims:
                claim, later = claims[name], taken_up.get(name)
                for question, text, label in _asked(claim, later, turn):
                    yield Case(question, topic, plan.person, text, label)
                if claim.kind == "weight":
                    group = f"{topic} {claim.source}"
                    yield Case(
                        "weight, from the whole", group, plan.person, whole, str(claim.level)
                    )
                if claim.kind == "effect" and claim.sign and claim.target == ABOUT_STANCE:
                    group = f"{topic} {claim.source}"
                    yield Case("effect, from the whole", group, plan.person, whole, str(claim.sign))


def _asked(claim: Claim, later: Claim | None, turn: ToldTurn) -> Iterator[tuple[str, str, str]]:
    if claim.kind == "effect" and claim.sign:
        yield "grade, from the interviewer's question", turn.question, claim.told
        yield "sign, from the interviewer's question", turn.question, str(claim.sign)
        if claim.target == ABOUT_STANCE:
            yield f"{claim.told} effect on support, from its answer", turn.answer, str(claim.sign)
        else:
            yield f"{claim.told} effect on a factor, from its answer", turn.answer, str(claim.sign)
    if claim.kind == "first_view" and later is not None:
        yield "whether a first view stands, from its answer", turn.answer, str(later.sign)
    if claim.kind == "others_effect" and later is not None:
        yield "whether a belief is shared, from its answer", turn.answer, str(later.sign)


def scores(asked: Iterable[Case]) -> dict[str, Score]:
    """Train and try a student for each question and group; groups that are too small are left out."""
    by_group: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in asked:
        by_group[case.question, case.group].append(case)
    right: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for (question, _), found in by_group.items():
        # People take turns, so that both halves are of the whole population.
        trained = [case for case in found if case.person % 2 == 0]
        tried = [case for case in found if case.person % 2 == 1]
        labels = Counter(case.label for case in trained)
        if min(len(trained), len(tried)) < _LEAST or len(labels) < 2:
            continue
        words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, max_features=5000)
        student = LogisticRegression(
            max_iter=200, solver="liblinear" if len(labels) == 2 else "lbfgs"
        )
        student.fit(
            words.fit_transform(case.text for case in trained), [case.label for case in trained]
        )
        said = student.predict(words.transform(case.text for case in tried))
        commonest = labels.most_common(1)[0][0]
        tally = right[question]
        tally[0] += len(tried)
        tally[1] += sum(one == case.label for one, case in zip(said, tried, strict=True))
        tally[2] += sum(commonest == case.label for case in tried)
    return {
        question: Score(count, student / count, common / count)
        for question, (count, student, common) in sorted(right.items())
    }


def main() -> None:
    """Print the scores over the interviews of a seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for question, score in scores(cases(interviews(options.seed, options.people))).items():
        print(f"{question:50} {score.cases:6} {score.student:.3f} {score.commonest:.3f}")


if __name__ == "__main__":
    main()
