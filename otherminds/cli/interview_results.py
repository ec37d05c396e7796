"""The commands on what came of interviews, and on topics; `interview` has those that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from otherminds import console
from otherminds.errors import OtherMindsError, UsageError

if TYPE_CHECKING:
    from otherminds.interview.quality import Thresholds
    from otherminds.interview.store import Store, Summary

Data = Annotated[
    str,
    typer.Option(
        "--data", metavar="PLACE", help="The study: a folder, or postgresql://user@host/name."
    ),
]
Topic = Annotated[str | None, typer.Option(help="Only sessions on this topic.")]
HERE: Final = "interviews"


class FilterKind(StrEnum):
    """Which items models leave."""

    NONE = "none"
    DIFFERENT = "different"
    IMPROVES = "improves"
    BOTH_WRONG = "both_wrong"


def export(
    out: Annotated[Path, typer.Argument(help="A new or empty folder, or an earlier export.")],
    data: Data = HERE,
    topic: Topic = None,
    every_answer: Annotated[
        bool, typer.Option("--every-answer", help="Write the graph after every answer, too.")
    ] = False,
    sample: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Only this share of the sessions, for people to read."),
    ] = None,
) -> None:
    """Write transcripts, graphs and events.

    Transcripts as CSV and JSONL, final graphs and events as JSONL. Without recruitment ids, and without
    what people say of themselves in the questionnaire. A deletion reaches the folder where it lies.

    Examples:
        otherminds interview export out
        otherminds interview export out --every-answer
        otherminds interview export to-read --sample 0.05
    """
    from otherminds import files, progress
    from otherminds.interview import exporting
    from otherminds.interview.store import Store

    folder = out.expanduser()
    mark = exporting.HEADER
    files.refuse_foreign(folder, exporting.SESSIONS, mark, command="otherminds interview export")
    names = [one for one in exporting.NAMES if one != exporting.DYNAMIC or every_answer]
    with Store(data) as store:
        found = exporting.sampled(store.summaries(topic=topic), 1 if sample is None else sample)
        with progress.bar("Export") as stages:
            written = exporting.export(store, found, folder, names, stages)
    console.say(f"{len(found):,} sessions: {', '.join(map(str, written))}")


def check(
    data: Data = HERE,
    topic: Topic = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Another threshold. May be repeated."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the values of every session here (.csv, .json).")
    ] = None,
) -> None:
    """Check which interviews are kept, and why others are not.

    In this order: unfinished, repeats itself, challenges the questions, too short, fewer than five
    concepts. Then how many are kept at one step of each threshold.

    Examples:
        otherminds interview check
        otherminds interview check --threshold words=80 --out check.csv
    """
    import pandas as pd

    from otherminds import files
    from otherminds.interview import quality
    from otherminds.interview.store import Store

    files.check_table(out)
    thresholds = _thresholds(threshold or [])
    with Store(data) as store:
        measured, table = quality.check(_answers(store, store.summaries(topic=topic)), thresholds)
        if out is not None:
            # Before it is written: a deletion looks where exports were begun.
            store.add_export(out)
            rows = [quality.as_row(one) for one in measured]
            files.write_table(pd.DataFrame(rows, columns=quality.columns()), out)
    _print_check(quality.funnel(measured), table)


def items(
    out: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    data: Data = HERE,
    benchmark: Annotated[
        str | None, typer.Option(help="Whose form they have; the one that takes interviews.")
    ] = None,
    survey: Annotated[
        Path | None,
        typer.Option(help="A CSV with answers to the questionnaire; they are kept in the study."),
    ] = None,
    everybody: Annotated[
        bool, typer.Option("--all", help="Of finished interviews that `check` does not keep, too.")
    ] = False,
    filter_: Annotated[
        FilterKind, typer.Option("--filter", help="Keep only what models answer so; recorded.")
    ] = FilterKind.NONE,
    filter_model: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[@URL]", help="A model for --filter. May be repeated."),
    ] = None,
) -> None:
    """Make items of interviews and questionnaires.

    Beliefs come from questions that asked for a direction, at most ten of an interview; what would show
    an item's answer is masked. Without a model in the configuration, they are read by rules.

    Examples:
        otherminds interview items built
        otherminds interview items built --survey answers.csv
    """
    from otherminds.interview import making

    made = making.make(
        making.Wanted(
            data=data,
            out=out.expanduser(),
            benchmark=benchmark,
            survey=survey,
            everybody=everybody,
            how=filter_.value,
            models=tuple(filter_model or ()),
        )
    )
    for line in made.lines:
        console.say(line)
    if made.failed:
        raise typer.Exit(1)


def study(
    out: Annotated[Path, typer.Argument(help="The folder for tables and plots.")],
    seeds: Annotated[int, typer.Option(min=2, help="How many simulated participants.")] = 100,
) -> None:
    """Measure how well the interviewer recovers known graphs.

    Simulated participants with random graphs of 8 concepts and 12 links: how fast their links are found,
    against an interviewer that asks in a fixed order, and how the graph degrades where the extractor
    misses entries and adds false ones. Rules read the answers; no model is asked.

    Examples:
        otherminds interview study out
        otherminds interview study out --seeds 20
    """
    from otherminds.interview import study_report

    folder = out.expanduser()
    done = study_report.write(study_report.night_buses(), range(seeds), folder)
    columns = [*console.texts("noise"), *console.numbers("nodes", "signed edges")]
    rows = [
        (f"{noise:g}", *(f"{one['value']:.3f}" for one in scores.to_dict("records")))
        for noise, scores in done.degradation.groupby("noise")
    ]
    title = f"F1, {study_report.AT_ONE}"
    console.OUT.print(console.table(columns, rows, title=title))
    for name, one in done.ratios.items():
        console.say(
            f"{name}, adaptive against fixed: {one.value:.2f} [{one.low:.2f}, {one.high:.2f}]"
        )
    console.say(f"Tables and plots are in {folder}.")


def annotate(
    out: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    data: Data = HERE,
    topic: Topic = None,
    annotators: Annotated[int, typer.Option(min=1, help="How many people judge.")] = 2,
    each: Annotated[int, typer.Option(min=1, help="How many judge each interview.")] = 2,
    seed: Annotated[int, typer.Option(help="Of who gets which interview.")] = 0,
) -> None:
    """Let people judge the graphs that were read out of interviews.

    Writes one page for each annotator, a file that needs no network: interviews, and beside them the
    concepts and links of their graphs, of each of which they say how sure they are. A withdrawal reaches
    the folder where it lies.

    Examples:
        otherminds interview annotate judging --annotators 4
    """
    from otherminds.interview.annotation.writing import Wanted, write
    from otherminds.interview.store import Store

    folder = out.expanduser()
    with Store(data) as store:
        found = store.summaries(topic=topic, status="submitted")
        made = write(store, found, folder, Wanted(annotators, each, seed))
    console.say(
        f"{len(made)} interviews for {annotators} annotators are in {folder}. Send each their folder "
        f"for_…, put what comes back into {folder / 'returned'}, and keep key.json to yourself; then "
        f"`otherminds interview annotations {folder}`."
    )


def read_annotations(
    folder: Annotated[Path, typer.Argument(help="The folder that `annotate` wrote.")],
    out: Annotated[Path | None, typer.Option(help="A .json file to write.")] = None,
) -> None:
    """Read back what people judged of graphs.

    How sure they are of concepts and links, how far they agree, and how the machine's graphs compare
    with those that people hold to be right.

    Examples:
        otherminds interview annotations judging
    """
    from otherminds import estimates, files
    from otherminds.interview.annotation.reading import read
    from otherminds.interview.annotation.results import results as measured

    labels = read(folder.expanduser())
    rows = measured(labels)
    console.OUT.print(estimates.table("Graphs as people judge them", rows, part="Part"))
    console.say(
        f"{len(labels.annotators)} annotators; {len(labels.added)} links that they missed were added."
    )
    if out is not None:
        files.write_json(
            out,
            [
                {"part": one.part, "metric": one.metric, **estimates.record(one.estimate)}
                for one in rows
            ],
        )


def new_topic(
    name: Annotated[str, typer.Argument(help="Its name: lower-case letters, digits, underscores.")],
    out: Annotated[
        Path | None, typer.Argument(help="The file to write; NAME.yaml by default.")
    ] = None,
) -> None:
    """Write a commented YAML for a topic of one's own.

    Examples:
        otherminds interview new-topic night_buses
    """
    from otherminds import files
    from otherminds.interview.topic_check import skeleton

    path = (out or Path(f"{name}.yaml")).expanduser()
    text = skeleton(name)
    if path.exists():
        raise OtherMindsError(f"{path} is there already; give another name.")
    with files.atomic_file(path) as partial:
        partial.write_text(text, encoding="utf-8")
    console.say(f"Fill in {path}; then `otherminds interview check-topic {path}`.")


def check_topic(
    path: Annotated[Path, typer.Argument(help="The YAML of a topic.")],
) -> None:
    """Check the YAML of a topic.

    Ends with 1 where something should be looked at.

    Examples:
        otherminds interview check-topic night_buses.yaml
    """
    from otherminds.interview.config import read_topic
    from otherminds.interview.topic_check import findings

    topic = read_topic(path.expanduser())
    found = findings(topic)
    for line in found:
        console.say(f"• {line}")
    if found:
        raise typer.Exit(1)
    console.say(
        f"{path} is in order: {len(topic.guiding)} guiding questions, {len(topic.survey)} questions of "
        f"the questionnaire, {len(topic.reasons)} reasons."
    )


def _thresholds(given: Sequence[str]) -> Thresholds:
    from otherminds.interview.quality import STEPS, Thresholds

    values: dict[str, Any] = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in STEPS:
            raise UsageError(f"--threshold {text}: the thresholds are {', '.join(STEPS)}.")
        try:
            kind = type(getattr(Thresholds(), name))
            values[name] = kind(value)
        except ValueError:
            raise UsageError(f"--threshold {text}: give a number, as in {name}=8.") from None
    return Thresholds(**values)


def _answers(store: Store, sessions: Sequence[Summary]) -> Any:
    from otherminds.interview.making import answers

    return answers(store, sessions)


def _print_check(funnel: Sequence[tuple[str, int]], table: Sequence[dict[str, Any]]) -> None:
    stages = [(name.replace("_", " "), f"{count:,}") for name, count in funnel]
    columns = [*console.texts(""), *console.numbers("interviews")]
    console.OUT.print(console.table(columns, stages, title="Funnel"))
    steps = [
        (
            str(row["threshold"]),
            *(f"{row[name]:g}" for name in ("now", "value")),
            f"{row['kept']:,}",
            f"{row['change']:+,}",
        )
        for row in table
    ]
    columns = [
        *console.texts("threshold"),
        *console.numbers("now", "instead", "kept", "change"),
    ]
    console.OUT.print(console.table(columns, steps, title="One step of each threshold"))
