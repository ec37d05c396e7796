"""What the commands print: tables for people, on standard output."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from otherminds import weightless
from otherminds.benchmark import of_dataset
from otherminds.checks import Finding
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.verdict import Audit
from otherminds.estimates import digits
from otherminds.running.models import JUDGE_ROLE
from otherminds.running.references import is_partial, known_references
from otherminds.running.report_runs import (
    ARROWS,
    COUNTS,
    NOTHING,
    about_runs,
    each_run_table,
    interval,
    number,
    over_runs,
    runs_table,
)
from otherminds.running.run import Finished
from otherminds.scoring.runs import EACH, RUNS
from otherminds.tasks.hugagent import anchors
from otherminds.tasks.hugagent.identity import Identity

_OUT = Console()


def print_run(finished: Finished) -> None:
    """The results tables, with references beside each score, and what a reader must know."""
    if finished.runs:
        _print_chains(finished)
        return
    for one in finished.evaluations:
        if one.asked_for:
            _print_evaluation(one)
        for path in one.sample_paths if one.asked_for else ():
            _OUT.print(f"Samples: {path}", soft_wrap=True, highlight=False)
    if finished.stages_path is not None:
        _OUT.print(f"Stages: {finished.stages_path}", soft_wrap=True, highlight=False)


def _print_chains(finished: Finished) -> None:
    """What several runs of a chain say together, with what a reader must know of the last of them."""
    for one in finished.evaluations:
        if one.asked_for:
            scores = {task: finished.over_runs[task] for task in one.samples}
            # What a stage scored is that of the last run alone.
            ours = {**one.results["otherminds"], "scores": scores, "made_from": {}}
            path = finished.runs_path or one.results_path
            results = {**one.results, "otherminds": ours}
            _print_evaluation(dataclasses.replace(one, results=results, results_path=path))
    for place, run in enumerate(finished.runs, start=1):
        _OUT.print(f"Run {place}: {run.stages_path}", soft_wrap=True, highlight=False)


def _print_evaluation(finished: Finished) -> None:
    results = finished.results
    for task in results["otherminds"]["scores"]:
        scores = results["otherminds"]["scores"][task]
        if not scores:
            season = results["otherminds"].get("season")
            why = (
                f"no golds: scored when season {season} closes" if season else "nothing was scored"
            )
            _OUT.print(f"{task}: predictions only, {why}.")
            continue
        arrows = results["higher_is_better"].get(task, {})
        metrics = [name for name in arrows if not name.endswith("_stderr")]
        called = _called(results, task)
        _OUT.print(
            each_run_table(task, metrics, arrows, scores)
            if EACH in scores
            else results_table(
                task, metrics, arrows, scores, known_references(task, results), called
            )
        )
        _OUT.print()
        for breakdown, title in _BREAKDOWNS.items():
            parts = scores.get(breakdown, {})
            if len(parts) > 1 and any(parts.values()):
                _OUT.print(topics_table(metrics, parts, title))
                _OUT.print()
            if len(parts) > 1 or EACH in scores:
                print_spread(scores, metrics, breakdown)
        for note in scores.get("notes", ()):
            _OUT.print(f"• {note}", highlight=False)
    if len(results["otherminds"]["scores"]) > 1:
        _OUT.print(_overview(results["otherminds"]["scores"], results["higher_is_better"]))
        _OUT.print()
    for note in _notes(finished):
        _OUT.print(f"• {note}", highlight=False)
    _OUT.print(f"Results: {finished.results_path}", soft_wrap=True, highlight=False)
    if results["otherminds"]["reads_gold"]:
        _OUT.print(
            "[bold]A model of this run reads gold answers: a test of the task, not a score.[/]"
        )
    for warning in _warnings(results):
        _OUT.print(f"[bold]{warning}[/]", highlight=False)


def print_spread(scores: Mapping[str, Any], metrics: Sequence[str], breakdown: str) -> None:
    """Mean ± SD over the runs for each part of a breakdown; nothing where there is one run."""
    runs = scores.get(RUNS, {})
    parts = runs.get(breakdown, {})
    if 1 < len(parts) <= _MOST_COLUMNS:
        name = breakdown.removeprefix("by_").replace("_", " ")
        title = f"By {name}, mean ± SD of {runs['n']} runs"
        _OUT.print(runs_table(metrics, parts, title))
        _OUT.print()


def _warnings(results: Mapping[str, Any]) -> list[str]:
    """What a reader must not overlook, from the tasks' own metadata and from who judged whom."""
    configs = results["configs"]
    metadata = {
        task: configs[task].get("metadata") or {} for task in results["otherminds"]["scores"]
    }
    found = [str(known["note"]) for known in metadata.values() if "note" in known]
    judging = [task for task, known in metadata.items() if known.get("role") == JUDGE_ROLE]
    config = results["config"]
    judge = weightless.find(config["model"]) if judging else None
    if judge is not None and judge.caution:
        found.append(judge.caution)
    models = results["otherminds"].get("stage_models", {})
    judged = {stage for task in judging for stage in metadata[task].get("stages", ())}
    own = {"name": config["model"], "args": config["model_args"]}
    if any(dict(models[stage]) == own for stage in judged if stage in models):
        found.append("The model judged its own answers; --judge-model names another judge.")
    return list(dict.fromkeys(found))


def print_identity(found: Identity) -> None:
    """Whether it mattered to a model whose interview it was shown."""
    better = "lower" if found.lower else "higher"
    _OUT.print(
        f"{found.task}, {found.metric} ({better} is better), {found.n:,} documents about "
        f"{found.n_people:,} people\n"
        f"  with everyone's own interview        {digits(found.observed)}\n"
        f"  with another person's, {len(found.null):>3} times      "
        f"{digits(min(found.null))} – {digits(max(found.null))}\n"
        f"  gain from the right person           {digits(found.gain)}\n"
        f"  permutation p-value                  {digits(found.p_value)} "
        f"(smallest possible: {digits(1 / (1 + len(found.null)))})",
        highlight=False,
    )


_FAILED = {
    "fatal": "These data must not be used.",
    "release": "These data are not the release that the manifest describes.",
    "stated": "This makes no score wrong, but readers must know it.",
}


def print_audits(audits: Sequence[Audit], out: Path) -> None:
    """What was checked of a build, and the values found."""
    table = Table("Audit", "Passed", "Value", "Detail")
    for audit in audits:
        value = f"{audit.value:,g}" if isinstance(audit.value, float) else str(audit.value)
        table.add_row(audit.name, "yes" if audit.passed else "NO", value, audit.detail)
    _OUT.print(table)
    for audit in audits:
        if not audit.passed:
            _OUT.print(f"• {_FAILED[audit.kind]} {audit.name}: {audit.detail}", highlight=False)
    _print_funnel(out / repository.FUNNEL)
    _OUT.print(f"Written: {out}", soft_wrap=True, highlight=False)


def _print_funnel(path: Path) -> None:
    """How much was left after each step of a build from a file of others, beside the paper's counts."""
    if not path.is_file():
        return
    table = Table(title="What was left after each step", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("Step", no_wrap=True)
    for heading in ("Left", "Paper", "Dropped"):
        table.add_column(heading)
    for step in json.loads(path.read_text(encoding="utf-8")):
        cells = (_counts(step.get(name) or {}) for name in ("counts", "paper", "dropped"))
        table.add_row(step["name"], *cells)
    _OUT.print(table)


def _counts(of: Mapping[str, int]) -> str:
    return "\n".join(f"{number:,} {name}" for name, number in of.items())


def print_findings(findings: Sequence[Finding], *, verbose: bool) -> None:
    """The doctor's findings: faults and notes; with `verbose`, also what is in order."""
    for finding in findings:
        if verbose or not finding.passed or finding.note:
            sign = "[red]FAULT[/]" if not finding.passed else "note" if finding.note else "ok"
            said = escape(f"{finding.subject}: {finding.detail}")
            _OUT.print(f"{sign} {said}", highlight=False)
    kinds = Counter(finding.subject.split()[0] for finding in findings)
    checked = ", ".join(f"{number} × {kind}" for kind, number in kinds.items())
    faults = sum(not finding.passed for finding in findings)
    _OUT.print(f"Checked: {checked}. {faults} faults.", highlight=False)


def results_table(
    task: str,
    metrics: Sequence[str],
    arrows: Mapping[str, bool | None],
    scores: Mapping[str, Any],
    references: Mapping[str, Mapping[str, float]],
    called: str,
) -> RenderableType:
    """A line per metric, with its uncertainty, what it rests on, and reference scores.

    `called` is what the task's clusters are, such as people.
    More references than fit beside the scores stand in a table of their own.
    """
    runs = scores.get(RUNS, {})
    beside = references if len(references) <= _MOST_BESIDE and not runs else {}
    # Without lines, because nine columns have to fit into a terminal of 80.
    table = Table(title=task, title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column("Metric", no_wrap=True)
    over = [f"mean ± SD_of {runs['n']} runs"] if runs else []
    for heading in ("Value", "± SE", "95 % interval", *over, "n", called, *beside):
        table.add_column(heading.replace("_", "\n"), justify="right", no_wrap=True)
    shown = [metric for metric in metrics if not metric.startswith(COUNTS)]
    for metric in shown:
        found = scores["estimates"].get(metric, NOTHING)
        table.add_row(
            f"{metric} {ARROWS[arrows[metric]]}",
            number(found["value"]),
            number(found["stderr"]),
            interval(found),
            *([over_runs(runs["estimates"].get(metric))] if runs else []),
            f"{found['n']:,.0f}",
            f"{found['n_clusters']:,}",
            *(number(known.get(metric), missing="") for known in beside.values()),
        )
    if beside or not references:
        return table
    return Group(table, "", _references_table(shown, references))


def _references_table(
    metrics: Sequence[str], references: Mapping[str, Mapping[str, float]]
) -> Table:
    """A line per model and a column per metric, or the other way round where there are more metrics."""
    known = [name for name in metrics if any(name in scores for scores in references.values())]
    table = Table(title="For comparison", title_justify="left", box=None, padding=(0, 2, 0, 0))
    if len(known) > len(references):
        table.add_column("Metric", no_wrap=True)
        for name in references:
            table.add_column(name.replace("_", "\n"), justify="right", no_wrap=True)
        for metric in known:
            cells = (number(scores.get(metric), missing="") for scores in references.values())
            table.add_row(metric, *cells)
        return table
    table.add_column("Model", no_wrap=True)
    for metric in known:
        table.add_column(metric, justify="right", no_wrap=True)
    for name, scores in references.items():
        table.add_row(name, *(number(scores.get(metric), missing="") for metric in known))
    return table


def topics_table(
    metrics: Sequence[str],
    by_topic: Mapping[str, Mapping[str, Any]],
    title: str = "By topic, ± SE",
) -> RenderableType:
    """A line per metric and a column per topic, or other part of the documents; many parts are lines.

    Many metrics of many parts stand in as many tables as the terminal needs.
    """
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    known = [name for name in metrics if any(name in found for found in by_topic.values())]
    if not known:
        # What is measured of parts alone, and not of the whole.
        known = list(dict.fromkeys(name for found in by_topic.values() for name in found))
    if len(by_topic) > _MOST_COLUMNS and title in _VALUES_ONLY:
        return _values_tables(known, by_topic, f"{title}, values")
    if len(by_topic) > _MOST_COLUMNS:
        main = [name for name in known if name != "parse_rate"][: _MOST_COLUMNS - 1]
        table.add_column("Part", no_wrap=True)
        for metric in (*main, "n"):
            table.add_column(metric, justify="right", no_wrap=True)
        for part, found in by_topic.items():
            n = max((one["n"] for one in found.values()), default=0)
            table.add_row(Text(part), *(_cell(found.get(name)) for name in main), f"{n:,.0f}")
        return table
    table.add_column("Metric", no_wrap=True)
    for topic in by_topic:
        table.add_column(Text(topic.replace("_", "\n")), justify="right", no_wrap=True)
    for metric in known:
        table.add_row(metric, *(_cell(found.get(metric)) for found in by_topic.values()))
    return table


def _values_tables(
    metrics: Sequence[str], by_part: Mapping[str, Mapping[str, Any]], title: str
) -> Group:
    """A line per part and a column per metric, in tables that fit into the terminal."""
    most = _OUT.width - max(map(len, by_part))
    blocks: list[dict[str, list[str]]] = []
    used = 0
    for metric in metrics:
        cells = [number(found.get(metric, NOTHING)["value"]) for found in by_part.values()]
        width = 2 + max(map(len, [*metric.split("_"), *cells]))
        if not blocks or used + width > most:
            blocks.append({})
            used = 2
        blocks[-1][metric] = cells
        used += width
    lines: list[RenderableType] = []
    for block in blocks:
        table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        table.add_column("Part", no_wrap=True)
        for metric in block:
            heading = metric.replace("_", "\n")
            table.add_column(heading, justify="right", vertical="bottom", no_wrap=True)
        for part, *cells in zip(by_part, *block.values(), strict=True):
            table.add_row(Text(part), *cells)
        lines += [table, ""]
    return Group(*lines[:-1])


def _cell(found: Mapping[str, Any] | None) -> str:
    return f"{number(found['value'])} ± {number(found['stderr'])}" if found else "n/a"


def _overview(
    scores: Mapping[str, Mapping[str, Any]], arrows: Mapping[str, Mapping[str, bool | None]]
) -> Table:
    """A line per task and a column per main metric: the rows of a paper's table."""
    shown = [
        metric
        for metric in dict.fromkeys(name for known in arrows.values() for name in known)
        if not metric.endswith("_stderr")
        and any(metric in found.get("estimates", {}) for found in scores.values())
    ][:_MAIN_METRICS]
    table = Table(title="All tasks, ± SE", title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("Task", overflow="fold")
    for metric in shown:
        table.add_column(metric, justify="right", no_wrap=True)
    for task, found in scores.items():
        estimates = [found.get("estimates", {}).get(metric, NOTHING) for metric in shown]
        cells = [f"{number(one['value'])}\n± {number(one['stderr'])}" for one in estimates]
        table.add_row(task, *cells)
    return table


def _notes(finished: Finished) -> Iterable[str]:
    results, ours = finished.results, finished.results["otherminds"]
    name, arguments = results["config"]["model"], results["config"]["model_args"]
    if ours["weightless"]:
        yield f"Model: {name}, without weights; --model and --model_args name a real one."
    else:
        weights = arguments.get("pretrained") or arguments.get("model")
        applied = "applied" if ours["chat_template_applied"] else "not applied"
        journal = ours["journal"]
        yield f"Model: {' '.join(filter(None, (name, weights)))}. Chat template {applied}."
        yield f"Requests asked: {journal['asked']:,}; taken from the journal: {journal['reused']:,}."
        if journal["empty"]:
            yield (
                f"{journal['empty']:,} requests got no answer or an empty one. They count as such here, "
                "and the same command asks them again."
            )
        if not ours["window"]["checked"]:
            yield "Prompt lengths could not be checked: this model tells no tokenizer or window."
        elif ours["window"]["n_truncated"]:
            yield f"{ours['window']['n_truncated']:,} prompts were cut to the model's window."
    partial = {t: c for t, c in results["n-samples"].items() if is_partial(c)}
    if partial:
        run = sum(counts["effective"] for counts in partial.values())
        whole = sum(counts["original"] for counts in partial.values())
        yield f"{run:,} of {whole:,} documents were run: a test of the set-up, not a score."
    elif results["config"].get("limit"):
        yield "It was run with --limit: a test of the set-up, not a score."
    unread = [
        1 - scores["estimates"]["parse_rate"]["value"]
        for scores in ours["scores"].values()
        if "parse_rate" in scores.get("estimates", {})
    ]
    if unread and max(unread) > _MANY_UNREAD:
        yield (
            f"Up to {max(unread):.0%} of a task's answers could not be read. Look at the samples. A "
            "model that thinks first needs room and its mark, for example "
            "--gen_kwargs max_gen_toks=8192 --model_args …,think_end_token=</think>, or "
            "enable_thinking=False."
        )
    for task, scores in ours["scores"].items():
        if "ati" in scores.get("estimates", {}):
            topic = results["configs"][task]["dataset_kwargs"].get("topic")
            yield from _about_ati(task, topic, scores["estimates"].get("ati_with_ceiling"))
    for task, scores in ours["scores"].items():
        counts = scores.get("counts", {})
        if "n_rendered" in counts:
            yield (
                f"{task}: a model told {counts['n_rendered']:,.0f} of {counts['n_scenes']:,.0f} scenes "
                "anew; the others are as they were."
            )
    for stage, facts in ours.get("made_from", {}).items():
        scores = [
            f"{metric} {number(value)}"
            for metric, value in facts.get("scores", {}).items()
            if value is not None
            and not metric.startswith(COUNTS)
            and not metric.endswith(("_stderr", "_floor"))
        ]
        # Where the files of a run's own stages lie, its stages manifest says.
        where = "" if scores else f": {facts['path']}"
        yield f"Made from the answers to {stage} ({', '.join(scores) or 'given'}){where}"
    yield from dict.fromkeys(origin["note"] for origin in ours["data"].values() if "note" in origin)
    for task, scores in ours["scores"].items():
        yield from about_runs(task, scores)
    called = dict.fromkeys(_called(results, task) for task in ours["scores"])
    yield (
        f"± is the standard error over {' or '.join(called)} (clustered), not over items; ↑ higher is "
        "better."
    )


def _about_ati(task: str, topic: str | None, wider: Mapping[str, Any] | None) -> Iterable[str]:
    """What the ends of ATI are, and what the human one's uncertainty does to its interval."""
    again = f"The 100 of ati, people asked again: {anchors.described(topic or anchors.ALL)}."
    if topic is not None:
        yield f"{task}: ati lies between uniform guesses and people asked again on {topic}. {again}"
    elif wider is not None:
        yield (
            f"{task}: the interval of ati takes its ends as known. With the published uncertainty of "
            f"the human end it is {interval(wider)}. {again}"
        )


def _called(results: Mapping[str, Any], task: str) -> str:
    """What the clusters of a task are."""
    return of_dataset(results["configs"][task]["dataset_kwargs"]["dataset"]).called


# The breakdowns that a run prints, with their titles.
_BREAKDOWNS = {
    "by_topic": "By topic, ± SE",
    "by_attribute": "By attribute",
    "by_trustee": "By trustee, ± SE",
    "by_turns": "By number of turns, ± SE",
}
# Those that have more numbers per part than fit with their errors, which the report has.
_VALUES_ONLY = ("By attribute",)

# What fits beside the scores, or side by side, into a terminal of 80.
_MOST_BESIDE = 3
_MOST_COLUMNS = 4

# A task lists first what its paper's main table shows; five columns fit into a terminal of 80.
_MAIN_METRICS = 5

# Above this share of unread answers, a score says more about the format than about the person.
_MANY_UNREAD = 0.1
