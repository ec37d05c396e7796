"""Writing an annotation: a page for every annotator, and the key for the researcher."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from otherminds import files
from otherminds.errors import OtherMindsError, UsageError
from otherminds.files import atomic_file
from otherminds.interview import graphs, records
from otherminds.interview.annotation import sheets
from otherminds.interview.annotation.sheets import (
    CONCEPT,
    LINK,
    RETURNED,
    SENT,
    Interview,
    Judged,
    Question,
    Shown,
)
from otherminds.interview.session import Session
from otherminds.interview.store import Store, Summary
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.page.document import asset, environment, policy_hash
from otherminds.page.text import visible

_SIGNED: Final = {1: "raises", -1: "lowers", 0: "acts on"}


@dataclass(frozen=True)
class Wanted:
    """An annotation.

    annotators  how many people judge
    each        how many of them judge each interview
    """

    annotators: int
    each: int = 2
    seed: int = 0


def write(store: Store, sessions: Sequence[Summary], out: Path, wanted: Wanted) -> list[Interview]:
    """Write pages and key into a folder that is new or empty.

    for_A1/annotate_A1.html  what the first annotator gets: one file that needs no network
    returned/                where the researcher puts the tables that come back
    key.json                 whose interviews these are; it stays with the researcher
    """
    if wanted.each > wanted.annotators:
        raise UsageError(f"--each {wanted.each}: there are {wanted.annotators} annotators.")
    if out.is_dir() and any(out.iterdir()):
        raise OtherMindsError(f"{out} is not empty, and answers may be in it; give a new folder.")
    if not sessions:
        raise OtherMindsError("There are no finished interviews to annotate yet.")
    files.check_folder(out)
    names = [f"A{number}" for number in range(1, wanted.annotators + 1)]
    chance = random.Random(wanted.seed)  # nosec B311
    study = f"graphs-{sheets.row_of(str(wanted.seed), ' '.join(one.id for one in sessions))[1:]}"
    # Deletions look here from now on.
    store.add_export(out)
    interviews: list[Interview] = []
    shown: dict[str, list[Shown]] = {name: [] for name in names}
    for one in chance.sample(list(sessions), len(sessions)):
        record = store.load(one.id)
        session = records.session_of(record, store.config(record.summary.config_hash))
        # Whoever has least to do yet is given it.
        chosen = sorted(names, key=lambda name: (len(shown[name]), chance.random()))[: wanted.each]
        interview, page = _interview(study, session, tuple(sorted(chosen)))
        interviews.append(interview)
        for name in chosen:
            shown[name].append(page)
    for name in names:
        _write_page(study, name, shown[name], out / f"{SENT}{name}" / f"annotate_{name}.html")
    (out / RETURNED).mkdir(exist_ok=True)
    files.write_json(out / sheets.KEY, sheets.key_json(interviews))
    return interviews


def _interview(study: str, session: Session, chosen: tuple[str, ...]) -> tuple[Interview, Shown]:
    graph = graphs.graph_of(session)
    row = sheets.row_of(study, session.session_id)
    judged: list[Judged] = []
    questions: list[Question] = []
    for number, key in enumerate(graph.factors, start=1):
        name = f"{row}.c{number}"
        judged.append(Judged(row=name, kind="concept", id=key))
        questions.append(Question(name, CONCEPT, graph.nodes[key].label))
    for number, (key, edge) in enumerate(graph.edges.items(), start=1):
        name = f"{row}.l{number}"
        judged.append(Judged(row=name, kind="link", id=key))
        questions.append(
            Question(name, LINK, _link(graph, edge.source, edge.target, edge.polarity))
        )
    interview = Interview(
        study=study,
        row=row,
        session_id=session.session_id,
        participant_id=session.participant_id,
        topic=session.topic,
        annotators=chosen,
        judged=tuple(judged),
        graph=graph.model_copy(update={"qa_history": ()}),
    )
    turns = tuple((qa.question, qa.answer or "") for qa in graphs.answered(session))
    return interview, Shown(row, session.config.topic.policy, turns, tuple(questions))


def _link(graph: BeliefGraph, source: str, target: str, sign: int) -> str:
    return f"{graph.nodes[source].label} {_SIGNED[sign]} {graph.nodes[target].label}"


def _write_page(study: str, annotator: str, interviews: Sequence[Shown], path: Path) -> None:
    style = asset("annotation.css") + sheets.asset("page.css")
    script = asset("annotation.js")
    pages = environment()
    pages.filters["visible"] = visible
    text = pages.from_string(sheets.asset("page.html.jinja")).render(
        study=study,
        annotator=annotator,
        interviews=interviews,
        steps=sheets.STEPS,
        signs=[*sheets.SIGNS],
        columns=" ".join(sheets.COLUMNS),
        kinds={"link": LINK, "sign": sheets.SIGN, "missing": sheets.MISSING},
        style=style,
        style_hash=policy_hash(style),
        script=script,
        script_hash=policy_hash(script),
    )
    with atomic_file(path) as partial:
        partial.write_text(text, encoding="utf-8")
