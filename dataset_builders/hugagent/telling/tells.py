"""Students that look for tells: can words alone say what only their sense should?

Half of the people train a bag of words with a logistic regression for each question and topic, the other
half test it, beside the commonest answer of the first half. How well words tell what is stated from what
is hinted at, whose shares differ much, is an area under the curve, over all topics.

    python -m otherminds.dataset_builders.hugagent.telling.tells --people 500 --seed 1
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from otherminds.dataset_builders.hugagent.telling.interviews import Told, interviews
from otherminds.dataset_builders.hugagent.world.claims import ABOUT_STANCE, Claim, ToldTurn

_LEAST: Final = 20
"""Cases that a group needs in each half."""

GRADE: Final = "grade, from its answer"


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
        yield GRADE, turn.answer, claim.told
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


def area(asked: Iterable[Case], longest: int = 2) -> float:
    """The area under the curve of a student of runs of up to `longest` words.

    It weighs both labels alike, and is trained and tried on other people, on the cases of one question
    with two labels; NaN where a half has one label alone.
    """
    found = list(asked)
    trained = [case for case in found if case.person % 2 == 0]
    tried = [case for case in found if case.person % 2 == 1]
    if min(len({case.label for case in half}) for half in (trained, tried)) < 2:
        return float("nan")
    words = TfidfVectorizer(
        ngram_range=(1, longest), min_df=2, sublinear_tf=True, max_features=60_000
    )
    student = LogisticRegression(max_iter=300, class_weight="balanced", solver="liblinear")
    student.fit(
        words.fit_transform(case.text for case in trained), [case.label for case in trained]
    )
    likely = student.decision_function(words.transform(case.text for case in tried))
    return float(roc_auc_score([case.label == student.classes_[1] for case in tried], likely))


def main() -> None:
    """Print the scores over the interviews of a seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asked = list(cases(interviews(options.seed, options.people)))
    for question, score in scores(asked).items():
        print(f"{question:50} {score.cases:6} {score.student:.3f} {score.commonest:.3f}")
    graded = [case for case in asked if case.question == GRADE]
    for longest in (2, 3):
        print(f"{GRADE}, area under the curve, runs of {longest}: {area(graded, longest):.3f}")


if __name__ == "__main__":
    main()
