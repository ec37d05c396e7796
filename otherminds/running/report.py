"""The output of `run`: tables for people, on standard output, and notes for readers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from otherminds import harness, manifest, weightless
from otherminds.benchmark import PEOPLE, Benchmark, Breakdown, of_dataset, resolve
from otherminds.console import OUT, number
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
from otherminds.scoring.base import EACH, RUNS

# Above this share of unread answers, a score says more about the format than about the person.
_MANY_UNREAD = 0.1

_BY_TOPIC = {"by_topic": Breakdown("By topic, ± SE")}


def print_run(finished: Finished) -> None:
    """The results tables, with references beside each score, and notes for readers."""
    if finished.runs:
        _print_chains(finished)
        return
    for one in finished.evaluations:
        if one.asked_for:
            _print_evaluation(one)
        for path in one.sample_paths if one.asked_for else ():
            OUT.print(f"Samples: {path}", soft_wrap=True, highlight=False)
    if finished.stages_path is not None:
        OUT.print(f"Stages: {finished.stages_path}", soft_wrap=True, highlight=False)


def _print_chains(finished: Finished) -> None:
    """The tables of several runs of a chain together, with notes on the last of them."""
    for one in finished.evaluations:
        if one.asked_for:
            scores = {task: finished.over_runs[task] for task in one.samples}
            # The scores of a stage are those of the last run alone.
            ours = {**one.results["otherminds"], "scores": scores, "made_from": {}}
            path = finished.runs_path or one.results_path
            results = {**one.results, "otherminds": ours}
            _print_evaluation(dataclasses.replace(one, results=results, results_path=path))
    for place, run in enumerate(finished.runs, start=1):
        OUT.print(f"Run {place}: {run.stages_path}", soft_wrap=True, highlight=False)


def _print_evaluation(finished: Finished) -> None:
    results = finished.results
    for task in results["otherminds"]["scores"]:
        scores = results["otherminds"]["scores"][task]
        if not scores:
            season = results["otherminds"].get("season")
            why = (
                f"no golds: scored when season {season} closes" if season else "nothing was scored"
            )
            OUT.print(f"{task}: predictions only, {why}.")
            continue
        arrows = results["higher_is_better"].get(task, {})
        metrics = [name for name in arrows if not name.endswith("_stderr")]
        benchmark = _benchmark(results, task)
        called = benchmark.called if benchmark else PEOPLE
        own = benchmark.breakdowns if benchmark else {}
        OUT.print(
            each_run_table(task, metrics, arrows, scores)
            if EACH in scores
            else results_table(
                task, metrics, arrows, scores, known_references(task, results), called
            )
        )
        OUT.print()
        for breakdown, shown in {**_BY_TOPIC, **own}.items():
            parts = scores.get(breakdown, {})
            if len(parts) > 1 and any(parts.values()):
                OUT.print(parts_table(metrics, parts, shown))
                OUT.print()
            if len(parts) > 1 or EACH in scores:
                print_spread(scores, metrics, breakdown)
        for note in scores.get("notes", ()):
            OUT.print(f"• {note}", highlight=False)
    if len(results["otherminds"]["scores"]) > 1:
        OUT.print(overview(results["otherminds"]["scores"], results["higher_is_better"]))
        OUT.print()
    for note in _notes(finished):
        OUT.print(f"• {note}", highlight=False)
    OUT.print(f"Results: {finished.results_path}", soft_wrap=True, highlight=False)
    if results["otherminds"]["reads_gold"]:
        OUT.print(
            "[bold]A model of this run reads gold answers: a test of the task, not a score.[/]"
        )
    for warning in _warnings(results):
        OUT.print(f"[bold]{warning}[/]", highlight=False)


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
