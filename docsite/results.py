"""The tables of docs/results.md, from runs whose sums the repository keeps.

    python -m docsite.results add otherminds-results …    # keep the sums of these runs' results files
    python -m docsite.results                             # write the tables

Nothing is run and nothing is asked: `results.json` holds what the tables show, so that the page can be
made again, and a test says when it is stale.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from docsite.links import DOCS
from otherminds import benchmark, files, index, manifest
from otherminds.errors import OtherMindsError

KEPT = Path(__file__).with_name("results.json")
PAGE = DOCS / "results.md"
MARK = re.compile(r"(<!-- results (\w+) -->\n).*?(<!-- /results -->)", re.DOTALL)

_HEAD = (
    "| model | task | score | 95 % interval | parsed | truncated | documents | people |",
    "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: |",
)
_RUNS = (
    "| model | tasks | revision or weights | decoding | date | seconds | versions |",
    "| --- | --- | --- | --- | --- | ---: | --- |",
)
_STAMP = re.compile(r"results_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)")


def rows_of(path: Path, revisions: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """A row for each task of a results file.

    revisions  by model, what it is where the file does not say, such as the package of its weights

    Raises:
        OtherMindsError: if the file is none that `otherminds run` wrote.
    """
    match = _STAMP.match(path.name)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        ours = found["otherminds"]
    except (ValueError, KeyError, TypeError) as error:
        raise OtherMindsError(f"{path} is no results file of `otherminds run`.") from error
    if match is None:
        raise OtherMindsError(f"{path} has no date in its name: keep the name that `run` gave it.")
    # Names of files have the time of the machine that wrote them.
    written = datetime.strptime(match[1], "%Y-%m-%dT%H-%M-%S")
    settings, model = found["config"], found["model_name"]
    for task, scores in ours["scores"].items():
        entry = index.entries()[task]
        metric = shown_metric(entry.content, scores["estimates"])
        if metric == "parse_rate" and judged(entry.content)[0] == "parse_rate":
            continue  # answers that another task judges say no more than whether they could be read
        # Of a judging task, the file names the judge, and the folder the model that is judged.
        is_judge = (entry.content.get("metadata") or {}).get("role") == "judge"
        called = f"{path.parent.name}, judged by {model}" if is_judge else model
        data = ours["data"][task]
        yield {
            "benchmark": entry.benchmark,
            "task": task,
            "task_version": found["versions"][task],
            "data": f"{data['dataset']} {data['version']}",
            "subset": data.get("subset"),
            "model": called,
            "weightless": ours["weightless"],
            "revision": settings.get("model_sha") or revisions.get(model) or "",
            "decoding": _decoding(settings, found["configs"][task])
            if not ours["weightless"]
            else "",
            "date": written.date().isoformat(),
            "seconds": max(0, round(written.timestamp() - found["date"])),
            "documents": found["n-samples"][task]["effective"],
            "of": found["n-samples"][task]["original"],
            "metric": metric,
            "score": _numbers(scores["estimates"].get(metric)),
            "parsed": _value(_first(scores["estimates"], "parse_rate")),
            "truncated": _value(scores["estimates"].get("truncated")),
            "package": ours["version"],
        }


def shown_metric(content: Mapping[str, Any], estimates: Mapping[str, Any]) -> str:
    """The first metric of a task's YAML that says which way is better, and that few documents can have.

    A composite needs all of its parts; of a small test one of them stands in for it.
    """
    names = judged(content)
    defined = [name for name in names if _value(estimates.get(name)) is not None]
    return "avg" if "avg" in defined else (defined or names)[0]


def judged(content: Mapping[str, Any]) -> list[str]:
    """The metrics of a task's YAML that say which way is better."""
    rows = content["metric_list"]
    return [str(one["metric"]) for one in rows if one.get("higher_is_better") is not None]


def _first(estimates: Mapping[str, Any], beginning: str) -> Any:
    return next((one for name, one in estimates.items() if name.startswith(beginning)), None)


def _decoding(settings: Mapping[str, Any], task: Mapping[str, Any]) -> str:
    if task.get("output_type") == "multiple_choice":
        return "log-probabilities"
    told = {**(task.get("generation_kwargs") or {}), **(settings.get("gen_kwargs") or {})}
    greedy = not told.get("do_sample")
    how = "greedy" if greedy else f"temperature {told.get('temperature')}"
    dtype = settings.get("model_dtype") or "dtype unknown"
    return f"{how}, up to {told.get('max_gen_toks')} tokens, {dtype}"


def _value(one: Any) -> float | None:
    value = (one or {}).get("value")
    return None if value is None or math.isnan(value) else round(value, 4)


def _numbers(one: Any) -> dict[str, Any] | None:
    if _value(one) is None:
        return None
    kept = {name: _value({"value": one.get(name)}) for name in ("value", "low", "high")}
    return {**kept, "people": one["n_clusters"]}


def add(folders: Iterable[Path], revisions: Mapping[str, str]) -> int:
    """Keep the rows of all results files in folders; a later run of a task replaces its row."""
    kept = {(row["model"], row["task"]): row for row in load()}
    count = 0
    for folder in folders:
        paths = sorted(folder.rglob("results_*.json"))
        if not paths:
            raise OtherMindsError(f"There is no results file below {folder}.")
        for path in paths:
            for row in rows_of(path, revisions):
                kept[row["model"], row["task"]] = row
                count += 1
    files.write_json(KEPT, [kept[key] for key in sorted(kept)])
    return count


def load() -> list[dict[str, Any]]:
    """The rows that are kept."""
    found: list[dict[str, Any]] = (
        json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    )
    return found


def filled(text: str) -> str:
    """The page with the tables of what is kept, and of the manifests."""
    rows = load()

    def table(match: re.Match[str]) -> str:
        name = match[2]
        lines = _runs(rows) if name == "runs" else _scores(rows, name)
        return "\n".join((match[1].rstrip(), *lines, match[3]))

    return MARK.sub(table, text)


def _scores(rows: Iterable[Mapping[str, Any]], name: str) -> Iterator[str]:
    benchmark.named(name)  # a name that is none's is an error, and no empty table
    own = sorted(
        (row for row in rows if row["benchmark"] == name),
        key=lambda row: (row["weightless"], row["task"], row["model"]),
    )
    yield from _HEAD
    for row in own:
        documents = f"{row['documents']:,}"
        if row["documents"] < row["of"]:
            documents += f" of {row['of']:,}"
        yield (
            "| "
            + " | ".join(
                (
                    row["model"] if row["weightless"] else f"**{row['model']}**",
                    f"`{row['task']}`",
                    *_score(row),
                    _share(row["parsed"]),
                    _share(row["truncated"]),
                    documents,
                    f"{row['score']['people']:,}" if row["score"] else "–",
                )
            )
            + " |"
        )
    yield from _students(name)
    yield from _blind(name)


def _score(row: Mapping[str, Any]) -> tuple[str, str]:
    found = row["score"]
    if found is None:
        return f"{row['metric']}: not defined", "–"
    digits = 1 if abs(found["high"] or found["value"]) > 1.5 else 3
    interval = "–"
    if found["low"] is not None and found["high"] is not None and found["people"] > 1:
        interval = f"{found['low']:.{digits}f} to {found['high']:.{digits}f}"
    return f"{row['metric']} {found['value']:.{digits}f}", interval


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _students(name: str) -> Iterator[str]:
    for dataset in manifest.names():
        known = manifest.load(dataset)
        if benchmark.of_dataset(dataset).name != name or known.students is None:
            continue
        for part, studied in known.students.parts.items():
            best, one = max(studied.students.items(), key=lambda item: item[1].accuracy)
            low, high = one.interval
            yield (
                f"| best trained student: {best} | {dataset}, {part} | accuracy {one.accuracy:.3f} "
                f"| {low:.3f} to {high:.3f} | – | – | {studied.items:,} | {studied.groups:,} |"
            )


def _blind(name: str) -> Iterator[str]:
    """Blind readers of data that were written under proof, before and after items were dropped."""
    for dataset in manifest.names():
        known = manifest.load(dataset)
        if benchmark.of_dataset(dataset).name != name or known.construction is None:
            continue
        reading = known.construction.get("reading") or {}
        told = {"before": "before anything is dropped", "after": "of what stays"}
        for when, words in told.items() if reading.get("dropped") else [("after", "of all")]:
            if one := reading.get(when):
                yield (
                    f"| blind readers, {words} | {dataset} | share right {one['value']:.3f} | "
                    f"{one['low']:.3f} to {one['high']:.3f} | – | – | {one['n']:,} | "
                    f"{one['n_units']:,} |"
                )


def _runs(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield from _RUNS
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        if not row["weightless"]:
            key = (row["model"], row["revision"], row["decoding"], row["date"], row["seconds"])
            groups.setdefault(key, []).append(row)
    for (model, revision, decoding, date, seconds), found in groups.items():
        tasks = ", ".join(f"`{row['task']}` {row['task_version']}" for row in found)
        data = ", ".join(dict.fromkeys(row["data"] for row in found))
        what = revision or "not stated"
        yield f"| {model} | {tasks} | {what} | {decoding} | {date} | {seconds:,} | {data} |"


def main(words: list[str]) -> None:
    """Keep the runs of folders, or write the page.

    Words `MODEL=WHAT` say what a model is whose results files do not.
    """
    if words[:1] == ["add"]:
        told = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        print(f"{add([Path(word) for word in words[1:] if '=' not in word], told)} rows were kept.")
    elif words:
        raise OtherMindsError("Usage: python -m docsite.results [add FOLDER … [MODEL=WHAT]]")
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except OtherMindsError as error:
        sys.exit(f"Error: {error}")
