"""Checks of built tables of edition 2. A fault in the data is a failed audit, never an exception.

What people's answers say stands in `world/fit.yaml`, which the fit has written; a build reads no answer.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final

import networkx as nx
import numpy as np
import pyarrow as pa
import yaml
from scipy import stats

from otherminds.dataset_builders.hugagent import structure
from otherminds.dataset_builders.hugagent.answerability import TOLERANCE
from otherminds.dataset_builders.hugagent.answers import (
    BASELINES,
    Answer,
    Answers,
    Shares,
    shares,
)
from otherminds.dataset_builders.hugagent.asking.measure import (
    KINDS,
    Measured,
    lookup,
    measure,
)
from otherminds.dataset_builders.hugagent.fitting import TOLERANCE as FIT_TOLERANCE
from otherminds.dataset_builders.hugagent.items import OPINION
from otherminds.dataset_builders.hugagent.leaks import golds_hidden
from otherminds.dataset_builders.hugagent.lexicon import sentences
from otherminds.dataset_builders.hugagent.population import CONTEXT_LENGTH, GRADES
from otherminds.dataset_builders.hugagent.quotas import TASKS, SyntheticSpec
from otherminds.dataset_builders.hugagent.table_audits import Built, counts, ids, share, slack
from otherminds.dataset_builders.hugagent.telling import clashes
from otherminds.dataset_builders.hugagent.wording import VALUES
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.dataset_builders.hugagent.world.claims import claim_of
from otherminds.dataset_builders.hugagent.world.people import leaning_of
from otherminds.dataset_builders.verdict import Audit, none, verdict

__all__ = ["Audit", "audit"]

_FITTED: Final = (
    *("baseline_ends", "scenario_ends", "unchanged", "up", "down", "large_changes"),
    *("lowest_ratings", "high_ratings", "bsi_positive", "within_person"),
)
_STATED_EDGES: Final = 0.25
_READABLE: Final = 0.97
_ABOVE_PREDICTOR: Final = 0.03
_BELOW_READER: Final = 0.20
_LOST_WITHOUT_SCENARIO: Final = 0.15
_COMMONEST: Final = 0.005
_WORDS: Final = 6
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def audit(tables: Mapping[str, pa.Table], spec: SyntheticSpec) -> list[Audit]:
    """All audits of a build, passed and failed.

    Bounds on shares leave room for chance: three standard errors at the number of cases at hand, so that
    small builds are not failed for being small.
    """
    return [*table_audits(tables, spec), *reading_audits(measure(tables))]


def table_audits(tables: Mapping[str, pa.Table], spec: SyntheticSpec) -> list[Audit]:
    """The audits that need no reader."""
    built = Built(tables, spec)
    found = [result for check in _CHECKS for result in check(built)]
    return [*found, golds_hidden(tables)]


@cache
def fitted() -> Any:
    """What the fit has reported, by topic."""
    return yaml.safe_load((parameters.FOLDER / "fit.yaml").read_text(encoding="utf-8"))


def answers_of(tables: Mapping[str, pa.Table]) -> Answers:
    """The golds of built tables, as the answers of people are read."""
    opinions: list[Answer] = []
    ratings: list[Answer] = []
    columns = ["participant_id", "topic", "question_id", "question_type", "answer"]
    for row in tables["bdu"].select(columns).to_pylist():
        one = Answer(row["participant_id"], row["topic"], row["question_id"], int(row["answer"]))
        (opinions if row["question_type"] == OPINION else ratings).append(one)
    bsi = tables["bsi"].select(["participant_id", "topic", "answer"]).to_pylist()
    letters = tuple((row["participant_id"], row["topic"], row["answer"]) for row in bsi)
    return Answers(tuple(opinions), tuple(ratings), letters)


def _like_people(built: Built) -> Iterator[Audit]:
    """The shares of the table on the card: this release beside people, within what is wanted."""
    answers = answers_of(built.tables)
    for topic in sorted(built.spec.items["bdu"]):
        found, said = shares(answers, topic), fitted()[topic]["people"]
        for name in _FITTED:
            yield verdict(
                f"{name}_{topic}",
                _near(name, found, said, answers, topic),
                round(found[name], 4),
                f"people's: {said[name]}"
                + (
                    f", at most {FIT_TOLERANCE[name]} apart is wanted"
                    if name in FIT_TOLERANCE
                    else ""
                ),
            )
            yield verdict(f"people_{name}_{topic}", True, said[name], "people's, from the fit")


def _near(
    name: str, found: Shares, said: Mapping[str, float], answers: Answers, topic: str
) -> bool:
    if name not in FIT_TOLERANCE or np.isnan(found[name]):
        return True
    cases = sum(
        one.topic == topic and (one.question == BASELINES[topic]) == (name == "baseline_ends")
        for one in answers.opinions
    )
    return abs(found[name] - said[name]) <= FIT_TOLERANCE[name] + slack(cases)


def _surveyed(built: Built) -> Iterator[Audit]:
    """Correlations with political leaning lie where national surveys have them."""
    known = parameters.surveys()
    rows = built.tables["agents"].select(
        ["participant_id", "topic", "demographics", "values", "initial_stance"]
    )
    by_topic: dict[str, list[tuple[int, float]]] = defaultdict(list)
    people: dict[str, Any] = {}
    for row in rows.to_pylist():
        shown = {one["attribute"]: one["value"] for one in row["demographics"]}
        by_topic[row["topic"]].append((leaning_of(shown), row["initial_stance"]))
        people[row["participant_id"]] = (leaning_of(shown), row["values"])
    for topic, pairs in sorted(by_topic.items()):
        yield _correlated(f"leaning_{topic}", pairs, known.stance[topic])
    for name in VALUES:
        pairs = [(leaning, values[name]) for leaning, values in people.values()]
        yield _correlated(f"leaning_{name}", pairs, known.values[name])


def _correlated(name: str, pairs: Sequence[tuple[int, float]], known: parameters.Surveyed) -> Audit:
    # Some tens of people may have no variance in one of the two.
    table = np.array(pairs, dtype=np.float64)
    able = len(pairs) > 2 and bool(np.all(table.std(axis=0) > 0))
    found = float(stats.pearsonr(table[:, 0], table[:, 1]).statistic) if able else float("nan")
    spare = 2.0 * slack(len(pairs))
    return verdict(
        name,
        not able or known.low - spare <= found <= known.high + spare,
        round(found, 4),
        f"correlation with political leaning, surveys: {known.low} to {known.high} ({known.source})",
    )


def _whole_points(built: Built) -> Iterator[Audit]:
    """No answer is decided by rounding: opinions are whole before and after."""
    halves = [
        f"{row['participant_id']} {row['topic']}"
        for row in built.tables["agents"]
        .select(["participant_id", "topic", "initial_stance", "interventions"])
        .to_pylist()
        for value in (
            row["initial_stance"],
            *(one["stance_after"] for one in row["interventions"]),
        )
        if value != int(value)
    ]
    yield none("whole_points", halves, "opinions between two points of the scale")


def _composed(built: Built) -> Iterator[Audit]:
    """What the BSI items take: at most a quarter are one stated belief."""
    bsi = built.tables["bsi"].select(["steps", "evidence", "form"]).to_pylist()
    stated = sum(row["steps"] == 1 and row["evidence"] == "stated" for row in bsi)
    yield verdict(
        "bsi_one_stated",
        share(stated, len(bsi)) <= _STATED_EDGES + slack(len(bsi)) or not bsi,
        round(share(stated, len(bsi)), 4),
        f"share of BSI items that one stated belief answers, at most {_STATED_EDGES} is wanted",
    )
    for column in ("steps", "form"):
        found = Counter(row[column] for row in bsi)
        for name, count in sorted(found.items()):
            yield verdict(
                f"bsi_{column}_{name}", True, round(share(count, len(bsi)), 4), "share of BSI items"
            )
    grades = Counter(
        grade for task in TASKS for grade in built.tables[task]["evidence"].to_pylist()
    )
    for grade in GRADES:
        yield verdict(
            f"evidence_{grade}",
            True,
            round(share(grades[grade], grades.total()), 4),
            "share of items",
        )


def _networks(built: Built) -> Iterator[Audit]:
    graphs = built.tables["agents"]["graph"].to_pylist()
    broken = [str(place) for place, graph in enumerate(graphs) if not structure.is_sound(graph)]
    yield none("structure_sound", broken, "networks that are not connected, or have too few edges")
    cyclic = [
        str(place)
        for place, graph in enumerate(graphs)
        if not nx.is_directed_acyclic_graph(
            nx.DiGraph([(one["source"], one["target"]) for one in graph["edges"]])
        )
    ]
    yield none("structure_acyclic", cyclic, "networks with a cycle")


def _interviews(built: Built) -> Iterator[Audit]:
    lengths: list[int] = []
    words: list[int] = []
    long, untold, contrary = [], [], []
    said: Counter[str] = Counter()
    columns = ["participant_id", "topic", "transcript", "claims"]
    interviews = 0
    for row in built.tables["agents"].select(columns).to_pylist():
        name = f"{row['participant_id']} {row['topic']}"
        turns = row["transcript"]
        interviews += 1
        lengths.append(len(turns))
        words += [len(_WORD.findall(turn["answer"])) for turn in turns]
        if not CONTEXT_LENGTH[0] <= len(turns) <= CONTEXT_LENGTH[1]:
            long.append(name)
        if len({one["claim_id"] for one in row["claims"]}) != len(row["claims"]):
            untold.append(name)
        contrary += [f"{name}: {one}" for one in clashes([claim_of(one) for one in row["claims"]])]
        said.update({key for turn in turns for key in _long_sentences(turn["answer"])})
    yield none(
        "context_length", long, f"interviews outside {CONTEXT_LENGTH[0]} to {CONTEXT_LENGTH[1]}"
    )
    yield verdict("turns", True, round(float(np.mean(lengths or [0])), 2), "exchanges, on average")
    yield verdict(
        "answer_words", True, round(float(np.mean(words or [0])), 2), "words of an answer"
    )
    yield none("contradictions", contrary, "pairs of claims of an interview that cannot both be so")
    yield none("claims_told_once", untold, "interviews that tell a claim twice")
    # Of sentences that are equally common, the first by its letters: the same on every machine.
    sentence = min(said, key=lambda one: (-said[one], one), default="")
    count = said[sentence]
    yield verdict(
        "sentence_commonest",
        count <= max(1.0, _COMMONEST * interviews) + 3.0 * (interviews < 1000),
        round(share(count, interviews), 4),
        f"share of interviews with '{sentence}', of {_WORDS} words or more; at most {_COMMONEST} is "
        "wanted",
    )


def _long_sentences(answer: str) -> Iterator[str]:
    for one in sentences(answer):
        found = _WORD.findall(one.lower())
        if len(found) >= _WORDS:
            yield " ".join(found)


def _one_context(built: Built) -> Iterator[Audit]:
    """Items of one person and topic show one interview, which is the person's."""
    transcripts = {
        (row["participant_id"], row["topic"]): [
            (turn["question"], turn["answer"]) for turn in row["transcript"]
        ]
        for row in built.tables["agents"]
        .select(["participant_id", "topic", "transcript"])
        .to_pylist()
    }
    other = set()
    for task in TASKS:
        seen: tuple[Any, Any] = (None, None)
        columns = built.tables[task].select(["participant_id", "topic", "context"])
        for row in columns.to_pylist():
            key = (row["participant_id"], row["topic"])
            shown = [(turn["question"], turn["answer"]) for turn in row["context"]]
            if (key, shown) != seen and shown != transcripts[key]:
                other.add(" ".join(key))
            seen = key, shown
    yield none(
        "one_context", sorted(other), "persons and topics whose items show another interview"
    )


def reading_audits(measured: Sequence[Measured]) -> Iterator[Audit]:
    """What readers and students of claims get right, with everything and with less."""
    for kind in KINDS:
        yield from _of_kind(kind, [one for one in measured if one.kind == kind])
    composed = [one for one in measured if one.kind == "bsi" and one.steps > 1]
    looked, count = lookup(measured)
    read = _right(composed, "reader")
    yield verdict("reader_bsi_composed", True, read, f"of {count} BSI items of two steps or more")
    yield verdict(
        "lookup_bsi_composed",
        not composed or looked <= read - _BELOW_READER + slack(count),
        round(looked, 4),
        f"the best student that looks at one claim; at least {_BELOW_READER} below the reader "
        f"({read}) is wanted",
    )
    yield verdict(
        "compose_bsi_composed",
        True,
        _right(composed, "compose"),
        "one that multiplies what is told",
    )
    for steps in sorted({one.steps for one in measured if one.kind == "bsi"}):
        own = [one for one in measured if one.kind == "bsi" and one.steps == steps]
        yield verdict(
            f"reader_bsi_steps_{steps}", True, _right(own, "reader"), f"of {len(own)} items"
        )
    changed = [one for one in measured if one.changed]
    read, without = _right(changed, "reader"), _right(changed, "off")
    yield verdict(
        "reader_bdu_changed", True, read, f"of {len(changed)} items that a scenario changes"
    )
    yield verdict(
        "off_bdu_changed",
        not changed or without <= read - _LOST_WITHOUT_SCENARIO + slack(len(changed)),
        without,
        f"the reader without the scenario; it is to lose at least {_LOST_WITHOUT_SCENARIO}",
    )


def _of_kind(kind: str, items: Sequence[Measured]) -> Iterator[Audit]:
    grades = [grade for grade in GRADES if any(one.grade == grade for one in items)]
    by_grade = {grade: [one for one in items if one.grade == grade] for grade in grades}
    scores = {grade: _right(own, "reader") for grade, own in by_grade.items()}
    for grade, own in by_grade.items():
        least = _READABLE if grade == "stated" else 0.0
        yield verdict(
            f"reader_{kind}_{grade}",
            scores[grade] >= least,
            scores[grade],
            f"reader's accuracy on {len(own)} items within {TOLERANCE[kind]}"
            + (f", at least {least} is wanted" if least else ""),
        )
    spare = slack(min((len(own) for own in by_grade.values()), default=0))
    yield verdict(
        f"reader_{kind}_falls",
        all(scores[weak] <= scores[firm] + spare for firm, weak in pairwise(grades)),
        " > ".join(f"{scores[grade]:.3f}" for grade in grades),
        f"accuracy with evidence {', '.join(grades)}: must not rise",
    )
    if not items:
        return
    without, other = _right(items, "none"), _right(items, "other")
    yield verdict(f"reader_{kind}", True, _right(items, "reader"), f"of {len(items)} items")
    yield verdict(
        f"reader_{kind}_without_interview",
        True,
        without,
        "from demographics and the question alone",
    )
    yield verdict(
        f"reader_{kind}_other_interview",
        other <= without + _ABOVE_PREDICTOR + slack(len(items)),
        other,
        f"with another person's interview; at most {_ABOVE_PREDICTOR} above {without} is wanted",
    )


def _right(items: Iterable[Measured], who: str) -> float:
    found = [one.right[who] for one in items]
    return round(share(sum(found), len(found)), 4)


_CHECKS: Final[tuple[Callable[[Built], Iterator[Audit]], ...]] = (
    counts,
    ids,
    _like_people,
    _surveyed,
    _whole_points,
    _composed,
    _networks,
    _interviews,
    _one_context,
)
