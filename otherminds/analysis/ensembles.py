"""Several models as one: per-item majority vote, and the mean of models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import otherminds
from otherminds import files
from otherminds.analysis.comparability import cautioned, check_comparable, check_documents
from otherminds.analysis.comparison import fewest_runs, shared_items
from otherminds.analysis.facts import Facts
from otherminds.analysis.runs import Run, Runs
from otherminds.running import results
from otherminds.samples import read as samples
from otherminds.samples.packed import ENDING
from otherminds.scoring.base import Answer, Answered

VOTE = "vote"
MEAN = "mean"
RULES = {
    VOTE: "the most frequent answer; of tied ones, that of the model named first",
    MEAN: "every metric is computed for each model and averaged",
}


@dataclass(frozen=True)
class Ensemble:
    """Both ways of taking several models as one, each as a run that can be scored.

    cautions  what a reader must know before the numbers, such as members that read the golds
    """

    members: Sequence[str]
    vote: Run
    mean: Run
    notes: Sequence[str]
    cautions: Sequence[str]


def ensemble(runs: Runs, *, allow: Collection[str] = ()) -> Ensemble:
    """Combine the answers of several models to the items that all of them answered.

    vote  per item and repeat, the most frequent answer. Answers that could not be read do not vote; of
          tied answers, that of the model named first is taken; where no model's answer could be read,
          neither can the ensemble's
    mean  the models stand as repeated runs of one, so every number is its mean over the models

    Raises OtherMindsError as `compare` does.
    """
    runs, cautions = cautioned(runs.named_by_task(), allow=allow)
    members = list(runs)
    notes = [*runs.notes, *check_comparable(members, allow=allow, notes=runs.notes)]
    items = shared_items(members, None, notes)
    check_documents(members, items)
    members = fewest_runs(members, notes)
    by_member = [{r.view().item_id: r for r in run.answered} for run in members]
    together = [[records[item] for records in by_member] for item in items]
    return Ensemble(
        members=[run.name for run in members],
        vote=_run(VOTE, members, [_voted(records) for records in together]),
        mean=_run(MEAN, members, [_side_by_side(records) for records in together]),
        notes=notes,
        cautions=cautions,
    )


def majority(answers: Sequence[Answer]) -> Answer:
    """The most frequent answer that could be read; of tied ones, the first."""
    votes = Counter(answer for answer in answers if answer is not None)
    # Counter keeps the order of first appearance among equal counts.
    return votes.most_common(1)[0][0] if votes else None


def write_vote(found: Ensemble, folder: Path) -> Path:
    """Write the vote as a run of its own: a sample file and a results file, as lm-eval's.

    `score`, `compare` and `report` read them. In a task by log-probabilities, the vote has the
    log-likelihood 0, and every other option minus infinity. Returns the path of the sample file.
    Raises OtherMindsError when the members' files cannot be read again or `folder` not be written.
    """
    run = found.vote
    date = datetime.now().isoformat(timespec="microseconds").replace(":", "-")
    place = folder / "ensemble-vote"
    path = place / f"samples_{run.task}_{date}{ENDING}"
    answers = {record.view().item_id: record.view().answers for record in run.answered}
    results.write_lines(path, _lines(run, answers))
    facts = run.facts
    files.write_json(
        place / f"results_{date}.json",
        {
            "config": {"model": facts.model, "model_args": {}},
            "results": {run.task: {}},
            "versions": {run.task: facts.task_version},
            "n-samples": {run.task: {"original": len(answers), "effective": len(answers)}},
            "otherminds": {
                "version": otherminds.__version__,
                "weightless": facts.weightless,
                "reads_gold": facts.reads_gold,
                "ensemble": {"rule": VOTE, "members": list(found.members)},
                **({"data": {run.task: dict(facts.data)}} if facts.data else {}),
            },
        },
    )
    return path


def _lines(run: Run, answers: Mapping[str, tuple[Answer, ...]]) -> Iterator[dict[str, Any]]:
    """The sample lines of the first member, answered by the vote."""
    seen: set[str] = set()
    for sample in samples.read(run.files[0], note=lambda _: None, fault=lambda _: None):
        item_id = sample.record.view().item_id
        if item_id not in answers or item_id in seen:
            continue
        seen.add(item_id)
        responses = _responses(sample, answers[item_id], takes_options=run.rules.takes_options)
        yield {
            "doc_id": len(seen) - 1,
            "doc": sample.doc,
            "arguments": {"gen_args_0": {"arg_0": sample.prompt}},
            "resps": responses,
            "filtered_resps": responses,
            "doc_hash": sample.hashes.doc,
            "prompt_hash": sample.hashes.prompt,
            "target_hash": sample.hashes.target,
        }


def _responses(
    sample: samples.Sample, answers: tuple[Answer, ...], *, takes_options: bool
) -> list[Any]:
    if not takes_options:
        return [["" if answer is None else str(answer) for answer in answers]]
    options = sample.record.view().options
    return [
        ["0.0" if option == answers[0] else "-inf", str(option == answers[0])] for option in options
    ]


def _voted(records: Sequence[Answered]) -> Answered:
    runs = zip(*(record.view().answers for record in records), strict=True)
    return records[0].with_answers(tuple(majority(answers) for answers in runs))


def _side_by_side(records: Sequence[Answered]) -> Answered:
    answers: tuple[Answer, ...] = sum((record.view().answers for record in records), ())
    return records[0].with_answers(answers)


def _run(rule: str, members: Sequence[Run], records: Sequence[Answered]) -> Run:
    first = members[0]
    label = f"ensemble by {rule} of {len(members)} models"
    return replace(
        first,
        name=label,
        facts=Facts(
            model=label,
            task_version=first.facts.task_version,
            data=first.facts.data,
            weightless=all(run.facts.weightless for run in members),
            reads_gold=any(run.facts.reads_gold for run in members),
        ),
        records=records,
        unread=(),
        files=tuple(file for run in members for file in run.files),
    )
