"""The output of `run`: tables for people, on standard output, and notes for readers.

What makes all scores void stands first, then the summary: the scores of the task, or a line per task.
Parts, and the tables of each of several tasks, are details.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from otherminds import control_tokens, harness, manifest, weightless
from otherminds.benchmark import PEOPLE, Benchmark, Breakdown, of_dataset, resolve
from otherminds.console import OUT, number, print_notes, quoted, say
from otherminds.running.models import JUDGE_ROLE
from otherminds.running.report_tables import (
    COUNTS,
    MOST_COLUMNS,
    each_run_table,
    overview,
    parts_table,
    results_table,
    runs_table,
)
from otherminds.running.results import is_partial, known_references
from otherminds.running.run import Finished
from otherminds.running.signing import judged_model, model_label
from otherminds.samples.read import records
from otherminds.scoring.base import EACH, RUNS

MANY_UNREAD = 0.1
"""Above this share of unread answers, a score says more about the format than about the person."""

# Replies that could not be read, and paths of samples, that are printed one by one.
_SHOWN_REPLIES = 3
_MOST_PATHS = 3

# Of a value: what rounding leaves.
_ROUNDING = 1e-9

_BY_TOPIC = {"by_topic": Breakdown("By topic, ± SE")}


def print_run(finished: Finished, *, details: bool = False) -> None:
    """The results tables, with references beside each score, and notes for readers.

    details  print the parts of every task too
    """
    if finished.runs:
        _print_chains(finished, details=details)
        return
    for one in finished.evaluations:
        if one.asked_for:
            _print_evaluation(one, details=details)
            _print_samples(one.sample_paths)
    if finished.stages_path is not None:
        _print_line(f"Stages: {finished.stages_path}")


def _print_line(line: str) -> None:
    """A path, which people copy: it is not wrapped, and nothing in it is markup."""
    OUT.print(line, soft_wrap=True, highlight=False, markup=False)


def _print_samples(paths: Sequence[Path]) -> None:
    few = len(paths) <= _MOST_PATHS
    for shown in paths if few else [f"{_together(paths)} ({len(paths)} files)"]:
        _print_line(f"Samples: {shown}")


def _together(paths: Sequence[Path]) -> Path:
    """A pattern for a shell that fits the sample files of one evaluation."""
    date = paths[0].name.rpartition("_")[2]
    return paths[0].with_name(f"samples_*_{date}")


def _print_chains(finished: Finished, *, details: bool) -> None:
    """The tables of several runs of a chain together, with notes on the last of them."""
    for one in finished.evaluations:
        if one.asked_for:
            scores = {task: finished.over_runs[task] for task in one.samples}
            # The scores of a stage are those of the last run alone.
            ours = {**one.results["otherminds"], "scores": scores, "made_from": {}}
            path = finished.runs_path or one.results_path
            results = {**one.results, "otherminds": ours}
            shown = dataclasses.replace(one, results=results, results_path=path)
            _print_evaluation(shown, details=details)
    for place, run in enumerate(finished.runs, start=1):
        _print_line(f"Run {place}: {run.stages_path}")


def _print_evaluation(finished: Finished, *, details: bool) -> None:
    results = finished.results
    scored = {}
    for task, scores in results["otherminds"]["scores"].items():
        if scores:
            scored[task] = scores
            continue
        season = results["otherminds"].get("season")
        why = f"no golds: scored when season {season} closes" if season else "nothing was scored"
        say(f"{task}: predictions only, {why}.")
    _print_unread(finished, scored)
    if len(scored) > 1:
        _print_overview(results, scored, details=details)
    hidden: dict[str, None] = {}
    for task, scores in scored.items():
        if details or len(scored) == 1:
            _print_scores(results, task, scores)
        if details:
            _print_parts(results, task, scores)
        else:
            hidden |= dict.fromkeys(_parts(results, task, scores))
    print_notes([*_notes_on(scored), *_notes(finished)])
    if hidden or (len(scored) > 1 and not details):
        names = [name.removeprefix("by_").replace("_", " ") for name in hidden]
        each = ["task by task"] if len(scored) > 1 else []
        shown = ", ".join([*each, *(f"by {name}" for name in names)])
        # The samples of several chains are in several folders.
        again = (
            "the same command with --details"
            if any(EACH in scores or RUNS in scores for scores in scored.values())
            else f"`otherminds score {_together(finished.sample_paths)} --details`"
        )
        say(f"• More, {shown}: {again}")
    _print_line(f"Results: {finished.results_path}")
    if results["otherminds"]["reads_gold"]:
        OUT.print(
            "[bold]A model of this run reads gold answers: a test of the task, not a score.[/]"
        )
    for warning in _warnings(results):
        OUT.print(f"[bold]{warning}[/]", highlight=False)


def _print_overview(
    results: Mapping[str, Any], scored: Mapping[str, Mapping[str, Any]], *, details: bool
) -> None:
    """A line per task, in a table for each benchmark: their metrics are not the same."""
    groups: dict[str, dict[str, Mapping[str, Any]]] = {}
    for task, scores in scored.items():
        benchmark = _benchmark(results, task)
        groups.setdefault(benchmark.name if benchmark else "", {})[task] = scores
    for name, own in groups.items():
        arrows = {task: results["higher_is_better"].get(task, {}) for task in own}
        called = f"{name}, all tasks" if name and len(groups) > 1 else "All tasks"
        OUT.print(overview(own, arrows, title=f"{called}, ± SE", whole=details))
        OUT.print()


def _notes_on(scored: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The notes of tasks on their scores, each once, with the tasks where there are several."""
    tasks: dict[str, list[str]] = {}
    for task, scores in scored.items():
        for note in scores.get("notes", ()):
            tasks.setdefault(note, []).append(task)
    for note, own in tasks.items():
        yield note if len(own) == len(scored) else f"{', '.join(own)}: {note}"


def _print_scores(results: Mapping[str, Any], task: str, scores: Mapping[str, Any]) -> None:
    arrows = results["higher_is_better"].get(task, {})
    metrics = _metrics(results, task)
    benchmark = _benchmark(results, task)
    called = benchmark.called if benchmark else PEOPLE
    references = known_references(task, results)
    OUT.print(
        each_run_table(task, metrics, arrows, scores)
        if EACH in scores
        else results_table(task, metrics, arrows, scores, references, called)
    )
    OUT.print()


def _print_parts(results: Mapping[str, Any], task: str, scores: Mapping[str, Any]) -> None:
    metrics = _metrics(results, task)
    for breakdown, shown in _breakdowns(results, task).items():
        parts = scores.get(breakdown, {})
        if len(parts) > 1 and any(parts.values()):
            OUT.print(parts_table(metrics, parts, shown))
            OUT.print()
        if len(parts) > 1 or EACH in scores:
            print_spread(scores, metrics, breakdown)


def _parts(results: Mapping[str, Any], task: str, scores: Mapping[str, Any]) -> list[str]:
    """The breakdowns that there is something to print of."""
    over_runs = scores.get(RUNS, {})
    return [
        name
        for name in _breakdowns(results, task)
        if (len(parts := scores.get(name, {})) > 1 and any(parts.values()))
        or len(over_runs.get(name, {})) > 1
    ]


def _breakdowns(results: Mapping[str, Any], task: str) -> Mapping[str, Breakdown]:
    benchmark = _benchmark(results, task)
    return {**_BY_TOPIC, **(benchmark.breakdowns if benchmark else {})}


def _metrics(results: Mapping[str, Any], task: str) -> list[str]:
    arrows = results["higher_is_better"].get(task, {})
    return [name for name in arrows if not name.endswith("_stderr")]


def _print_unread(finished: Finished, scored: Mapping[str, Mapping[str, Any]]) -> None:
    """Where many answers could not be read: how many, some of them, and what may help."""
    shares = {
        task: 1 - scores["estimates"]["parse_rate"]["value"]
        for task, scores in scored.items()
        if "parse_rate" in scores.get("estimates", {})
    }
    unread = {task: share for task, share in shares.items() if share > MANY_UNREAD}
    if not unread:
        return
    worst = max(unread, key=lambda task: unread[task])
    share = unread[worst]
    many = "None" if share == 1 else f"Only {1 - share:.0%}"
    more = len(unread) - 1
    others = f" (and hardly more of {more} other task{'s' * (more > 1)})" if more else ""
    says = "say more about the format than about the model"
    OUT.print(
        f"[bold]{many} of the answers to {worst}{others} could be read: its scores {says}.[/]",
        highlight=False,
    )
    path = finished.samples.get(worst)
    replies = list(islice(_unread_replies(path), _SHOWN_REPLIES)) if path else []
    for item, reply in replies:
        OUT.print(f"  {item}: {quoted(reply)}", markup=False, highlight=False)
    OUT.print(
        "A model that thinks first needs room and its mark, for example --gen_kwargs "
        "max_gen_toks=8192 --model_args …,think_end_token=</think>, or enable_thinking=False.",
        highlight=False,
    )
    OUT.print()


def _unread_replies(path: Path) -> Iterator[tuple[str, str]]:
    """Item and text of the replies in a sample file that could not be read."""
    for sample in records(path, note=lambda _: None):
        read, replies = sample.get("parse_rate"), sample.get("resps")
        if not isinstance(read, list) or not isinstance(replies, list):
            continue
        texts = replies[0] if replies and isinstance(replies[0], list) else replies
        item = str(sample.get("doc", {}).get("item_id", sample.get("doc_id", "")))
        # Where a document is one of several prompts, its score may stand for all of them.
        yield from (
            (item, text)
            for is_read, text in zip(read, texts, strict=False)
            if is_read == 0 and isinstance(text, str)
        )


def print_spread(scores: Mapping[str, Any], metrics: Sequence[str], breakdown: str) -> None:
    """Mean ± SD over the runs for each part of a breakdown; nothing where there is one run."""
    runs = scores.get(RUNS, {})
    parts = runs.get(breakdown, {})
    if 1 < len(parts) <= MOST_COLUMNS:
        name = breakdown.removeprefix("by_").replace("_", " ")
        title = f"By {name}, mean ± SD of {runs['n']} runs"
        OUT.print(runs_table(metrics, parts, title))
        OUT.print()


def about_runs(task: str, scores: Mapping[str, Any]) -> Iterable[str]:
    """The meaning of mean ± SD over runs; nothing where there is one run."""
    runs = scores.get(RUNS)
    if not runs:
        return
    yield (
        f"{task}: SD of {runs['n']} runs is the population SD of the runs' own scores, which the papers "
        "print after ±. It is how much the model's sampling moves a score; the interval is over people."
    )
    if runs["identical"]:
        yield (
            f"{task}: all {runs['n']} runs gave the same answers. At temperature 0 they are copies; "
            "when sampled, the model did not vary."
        )


def about_intervals(scores: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """What readers must know of intervals that end where their metric does; nothing without any."""
    found = [one for known in scores for one in known.get("estimates", {}).values()]
    if any(_is_uneven(one) for one in found):
        yield "An interval ends where its metric does: it need not lie evenly around its value."


def _is_uneven(found: Mapping[str, float]) -> bool:
    below, above = found["value"] - found["low"], found["high"] - found["value"]
    return abs(below - above) > _ROUNDING * max(1.0, abs(found["value"]))


def _warnings(results: Mapping[str, Any]) -> list[str]:
    """Warnings to readers, from the tasks' own metadata and from who judged whom."""
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


def _notes(finished: Finished) -> Iterable[str]:
    results, ours = finished.results, finished.results["otherminds"]
    name, arguments = results["config"]["model"], results["config"]["model_args"]
    answered, judges = _answered(results)
    if answered:
        yield f"Model: {', '.join(answered)}; judged by {model_label(results['config'])}."
    if judges and ours["weightless"]:
        yield f"{name} is a judge without weights; --judge-model names a real one."
    elif ours["weightless"]:
        yield f"Model: {name}, without weights; --model and --model_args name a real one."
    else:
        weights = arguments.get("pretrained") or arguments.get("model")
        applied = "applied" if ours["chat_template_applied"] else "not applied"
        journal = ours["journal"]
        role = "Judge" if answered else "Model"
        yield f"{role}: {' '.join(filter(None, (name, weights)))}. Chat template {applied}."
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
    if escaped := sum(ours.get("control_tokens", {}).get("n", {}).values()):
        yield (
            f"{escaped:,} control tokens in shown texts were escaped by {control_tokens.ESCAPE}: none "
            "of them opens a turn."
        )
    partial = {t: c for t, c in results["n-samples"].items() if is_partial(c)}
    if partial:
        run = sum(counts["effective"] for counts in partial.values())
        whole = sum(counts["original"] for counts in partial.values())
        yield f"{run:,} of {whole:,} documents were run: a test of the set-up, not a score."
    elif results["config"].get("limit"):
        yield "It was run with --limit: a test of the set-up, not a score."
    for task, scores in ours["scores"].items():
        benchmark = _benchmark(results, task)
        remarks = resolve(benchmark.remarks) if benchmark else None
        yield from remarks(task, results["configs"][task], scores) if remarks else ()
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
    yield from about_intervals(ours["scores"].values())
    benchmarks = [_benchmark(results, task) for task in ours["scores"]]
    called = dict.fromkeys(one.called if one else PEOPLE for one in benchmarks)
    yield (
        f"± is the standard error over {' or '.join(called)} (clustered), not over items; ↑ higher is "
        "better."
    )


def _answered(results: Mapping[str, Any]) -> tuple[list[str], bool]:
    """The models whose answers were judged, and whether all that is scored are judgements."""
    configs = results["configs"]
    metadata = [configs[task].get("metadata") or {} for task in results["otherminds"]["scores"]]
    judging = [known for known in metadata if known.get("role") == JUDGE_ROLE]
    if not judging or len(judging) < len(metadata):
        return [], False
    names = [judged_model(known, results["otherminds"]) for known in judging if known.get("stages")]
    return list(dict.fromkeys(names)), True


def _benchmark(results: Mapping[str, Any], task: str) -> Benchmark | None:
    """The benchmark of a task; None for a task of a user's own, on a dataset that is unknown here."""
    dataset = harness.dataset_of(results["configs"][task])
    return of_dataset(dataset) if dataset in manifest.names() else None
