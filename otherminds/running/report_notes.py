"""The notes on a run's scores that `run` prints below its tables, and `score` some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from otherminds import control_tokens, harness, manifest, weightless
from otherminds.benchmark import PEOPLE, Benchmark, of_dataset, resolve
from otherminds.console import FEWEST, TOO_FEW, interval_of, number
from otherminds.keys import LIMIT
from otherminds.running.finish import UNANSWERED
from otherminds.running.prices import usage_notes
from otherminds.running.report_tables import COUNTS
from otherminds.running.results import ON_ALL, is_partial, known_references
from otherminds.running.signing import JUDGE_ROLE, judged_model, model_label
from otherminds.scoring.base import EACH, RUNS

if TYPE_CHECKING:
    from otherminds.running.run import Finished

# Of the scores of answers that others were made from: a reader finds the rest where these were scored.
_MOST_SCORES = 4

# Of a value: what rounding leaves.
_ROUNDING = 1e-9


def notes_on(scored: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The notes of tasks on their scores."""
    return by_note({task: scores.get("notes", ()) for task, scores in scored.items()})


def by_note(notes: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """The notes on some tasks, each once, with its tasks where it is not of all."""
    tasks: dict[str, list[str]] = {}
    for task, own in notes.items():
        for note in own:
            tasks.setdefault(note, []).append(task)
    for note, those in tasks.items():
        yield note if len(those) == len(notes) else f"{', '.join(those)}: {note}"


def about_runs(scores: Mapping[str, Any], called: str = PEOPLE) -> Iterable[str]:
    """The meaning of mean ± SD over runs; nothing where there is one run."""
    runs = scores.get(RUNS)
    if not runs:
        return
    yield (
        f"SD of {runs['n']} runs is the population SD of the runs' own scores, which the papers "
        "print after ±. It is how much the model's sampling moves a score; the interval is over "
        f"{called}."
    )
    if runs["identical"]:
        yield (
            f"All {runs['n']} runs gave the same answers. At temperature 0 they are copies; "
            "when sampled, the model did not vary."
        )


def about_intervals(scores: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """What readers must know of intervals that end where their metric does; nothing without any."""
    found = [one for known in scores for one in known.get("estimates", {}).values()]
    if any(interval_of(one) == TOO_FEW for one in found):
        yield (
            f"{TOO_FEW}: no interval is shown of fewer than {FEWEST} people (or other clusters), whose "
            "differences are what it would be made of."
        )
    found = [one for one in found if one["n_clusters"] >= FEWEST]
    if any(_is_uneven(one) for one in found):
        yield "An interval ends where its metric does: it need not lie evenly around its value."


def _is_uneven(found: Mapping[str, float]) -> bool:
    below, above = found["value"] - found["low"], found["high"] - found["value"]
    return abs(below - above) > _ROUNDING * max(1.0, abs(found["value"]))


def warnings(results: Mapping[str, Any]) -> list[str]:
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


def limits(found: Sequence[Finished]) -> Iterator[str]:
    """Which tasks were run on part of their documents."""
    counts = {task: known for one in found for task, known in one.results["n-samples"].items()}
    partial = {task: known for task, known in counts.items() if is_partial(known)}
    if partial:
        run = sum(known["effective"] for known in partial.values())
        whole = sum(known["original"] for known in partial.values())
        of = f"{', '.join(partial)}: " if len(partial) < len(counts) else ""
        yield f"{of}{run:,} of {whole:,} documents were run: a test of the set-up, not a score."
        if any(
            known_references(task, one.results, of_limited=True)
            for one in found
            for task in one.results["n-samples"]
            if task in partial and task in one.results["otherminds"]["scores"]
        ):
            yield (
                f"References with{ON_ALL} are on all documents of their task, and not on those that "
                "were run: on so few, they may differ much."
            )
    # Of stages, only the documents that those of the last task need were made.
    limited = [
        task
        for one in found
        for task, config in one.results["configs"].items()
        if task in counts
        and task not in partial
        and (one.results["config"].get("limit") or (config.get("metadata") or {}).get(LIMIT))
    ]
    if limited:
        of = f"{', '.join(limited)}:" if len(limited) < len(counts) else "It was"
        yield f"{of} run with --limit: a test of the set-up, not a score."


def notes(finished: Finished, *, shown: Collection[str]) -> Iterator[str]:
    """Notes on one evaluation; `shown` are the tasks whose scores are printed."""
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
        if usage := ours.get("usage"):
            yield from usage_notes(usage)
        if old := journal.get("without_digest"):
            yield (
                f"{old:,} of these answers were journaled before answers had digests: nobody can tell "
                "whether they have changed on disk."
            )
        if journal["empty"]:
            yield (
                f"{journal['empty']:,} requests got no answer or an empty one. They count as such here, "
                "and the same command asks them again."
            )
        yield from _about_server(ours)
        yield from _about_thoughts(ours.get("reasoning", {}))
        if not ours["window"]["checked"]:
            yield "Prompt lengths could not be checked: this model tells no tokenizer or window."
        elif ours["window"]["n_truncated"]:
            yield f"{ours['window']['n_truncated']:,} prompts were cut to the model's window."
    if escaped := sum(ours.get("control_tokens", {}).get("n", {}).values()):
        yield (
            f"{escaped:,} control tokens in shown texts were escaped by {control_tokens.ESCAPE}: none "
            "of them opens a turn."
        )
    for task, scores in ours["scores"].items():
        benchmark = benchmark_in(results, task)
        remarks = resolve(benchmark.remarks) if benchmark else None
        yield from remarks(task, results["configs"][task], scores) if remarks else ()
    for stage, facts in ours.get("made_from", {}).items():
        if stage in shown:
            continue
        scores = [
            f"{metric} {number(value)}"
            for metric, value in facts.get("scores", {}).items()
            if value is not None
            and not metric.startswith(COUNTS)
            and not metric.endswith(("_stderr", "_floor"))
        ]
        if len(scores) > _MOST_SCORES:
            scores[_MOST_SCORES - 1 :] = [f"… {len(scores) - _MOST_SCORES + 1} more"]
        # Where the files of a run's own stages lie, its stages manifest says.
        where = "" if scores else f": {facts['path']}"
        yield f"Made from the answers to {stage} ({', '.join(scores) or 'given'}){where}"
    yield from dict.fromkeys(origin["note"] for origin in ours["data"].values() if "note" in origin)


def _about_server(ours: Mapping[str, Any]) -> Iterator[str]:
    """What a server refused for good, was sent otherwise than asked for, and called the model."""
    for reason, n in sorted((ours["journal"].get("refused") or {}).items()):
        yield (
            f"{n:,} {'prompt was' if n == 1 else 'prompts were'} refused for good "
            f"{UNANSWERED.get(reason, '')} ({reason}): unread in the scores, and not asked again "
            "without --ask-refused."
        )
    server = ours.get("server") or {}
    sent = {
        task: [
            f"The server was sent {name} {value}, not the {asked} of the task: results with another "
            f"{name} are not comparable."
            for name, (asked, value) in one["asked_otherwise"].items()
        ]
        for task, one in (server.get("decoding") or {}).items()
    }
    yield from by_note(sent)
    models = server.get("models") or {}
    if len(models) > 1:
        counts = ", ".join(f"'{name}' ({n:,})" for name, n in models.items())
        yield f"The server named several models in its replies: {counts}. The scores are of all of them."


def _about_thoughts(facts: Mapping[str, Any]) -> Iterator[str]:
    """The room that thoughts had, and how many found no end."""
    if facts.get("wanted"):
        rooms = sorted({one["with_thoughts"] for one in facts.get("budgets", {}).values()})
        switches = "".join(f", {name}" for name in facts.get("template_arguments", {}))
        yield f"--reasoning: up to {' or '.join(f'{one:,}' for one in rooms)} tokens a reply{switches}."
    if alone := facts.get("thoughts_alone"):
        remedy = (
            "more room by `--gen_kwargs max_gen_toks=N`"
            if facts.get("wanted")
            else "--reasoning gives them room"
        )
        yield f"{alone:,} replies hold thoughts that found no end, and no answer: {remedy}."


def about_errors(
    scored: Mapping[str, Mapping[str, Any]], called: Mapping[str, str]
) -> Iterator[str]:
    """The meaning of ± in the scores of some tasks; nothing where none has a standard error."""
    # Chains that were walked several times have an SD over runs alone.
    found = dict.fromkeys(called[task] for task, scores in scored.items() if EACH not in scores)
    if found:
        yield (
            f"± is the standard error over {' or '.join(found)} (clustered), not over items; ↑ higher "
            "is better."
        )


def called_of(results: Mapping[str, Any], task: str) -> str:
    """How the clusters of a task are called, such as people."""
    benchmark = benchmark_in(results, task)
    return benchmark.called if benchmark else PEOPLE


def _answered(results: Mapping[str, Any]) -> tuple[list[str], bool]:
    """The models whose answers were judged, and whether all that is scored are judgements."""
    configs = results["configs"]
    metadata = [configs[task].get("metadata") or {} for task in results["otherminds"]["scores"]]
    judging = [known for known in metadata if known.get("role") == JUDGE_ROLE]
    if not judging or len(judging) < len(metadata):
        return [], False
    names = [judged_model(known, results["otherminds"]) for known in judging if known.get("stages")]
    return list(dict.fromkeys(names)), True


def benchmark_in(results: Mapping[str, Any], task: str) -> Benchmark | None:
    """The benchmark of a task; None for a task of a user's own, on a dataset that is unknown here."""
    dataset = harness.dataset_of(results["configs"][task])
    return of_dataset(dataset) if dataset in manifest.names() else None
