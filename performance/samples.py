"""Scoring a saved run of 96,000 items from its sample file, with all intervals, on one core.

The references read the same file and decode its lines, which is the least that a script of one's own
would do: they parse no answer and compute nothing. One decodes with `orjson`, as scoring does, and one
with the standard library's `json`. Scoring is measured without its check of the answers against the
data, because the people of this run are copies that no data have. Times are of the processor; what
scoring imports is in its time.
Run: python -m performance.samples
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from otherminds import files
from performance.machine import peak_mb
from performance.ratio import Ratio, print_table

DATA = "simulated"
ITEMS = 96_000
NAME = "samples_hugagent_synthetic_2026-01-01T00-00-00.000000.jsonl.zst"
SCORE = "score from a sample file, without the check against the data"
DECODERS: Mapping[str, Callable[[bytes], Any]] = {"orjson": orjson.loads, "json": json.loads}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.child:
        print(json.dumps(_measured(told.child[0], Path(told.child[1]))))
    else:
        print_table(measure(told.items))


def measure(items: int = ITEMS) -> list[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        written = write(path, items)
        found = {way: _in_a_process(way, path) for way in (*DECODERS, "score")}
        packed = path.stat().st_size
    assert {one["samples"] for one in found.values()} == {items}
    ours = found["score"]
    note = f"{items:,} items, {written / 1e6:,.0f} MB of samples, {packed / 1e6:.0f} MB packed"
    return [
        Ratio.of(
            f"{SCORE}, against orjson alone",
            ours["seconds"],
            found["orjson"]["seconds"],
            "CPU s",
            note=f"{note}; of which numbers and intervals {ours['scoring']:.2f} s",
        ),
        Ratio.of(
            f"{SCORE}, against the standard library's json alone",
            ours["seconds"],
            found["json"]["seconds"],
            "CPU s",
            target="<= 1.5",
        ),
        Ratio.alone(f"{SCORE}: peak memory", ours["peak_mb"], "MB", target="<= 1500"),
    ]


def write(path: Path, items: int) -> int:
    """A run of the random model, on people that are copies of the 500; returns the bytes unpacked."""
    from otherminds import weightless
    from otherminds.data import loading as data
    from otherminds.tasks.hugagent.questions import QUESTIONS

    docs = data.for_task(dataset="hugagent-synthetic", configs=["bsi", "bdu"])["test"].to_list()
    model = weightless.Random()
    size = 0
    with files.packed_file(path) as file:
        for number, doc in zip(range(items), _copies(docs), strict=False):
            asked = QUESTIONS.asked(doc)
            answer = asked.answers[model.choose(asked, 0)]
            line = json.dumps(
                {
                    "doc_id": number,
                    "doc": doc,
                    # As long as the prompt that shows the interview.
                    "arguments": {"gen_args_0": {"arg_0": json.dumps(doc["context"])}},
                    "resps": [[answer]],
                    "filtered_resps": [[answer]],
                }
            ).encode()
            size += len(line)
            file.write(line + b"\n")
    return size


def _copies(docs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    copy = 0
    while True:
        for doc in docs:
            names = {name: f"{doc[name]}-{copy}" for name in ("item_id", "participant_id")}
            yield doc | names
        copy += 1


def _in_a_process(way: str, path: Path) -> dict[str, float]:
    words = [sys.executable, "-m", "performance.samples", "--child", way, str(path)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _measured(way: str, path: Path) -> dict[str, float]:
    start, scoring = time.process_time(), 0.0
    if way in DECODERS:
        decoded = DECODERS[way]
        with files.zstd().open(path) as lines:
            n = sum(bool(decoded(line)) for line in lines)
    else:
        from otherminds import analysis

        runs = analysis.read_runs([path])
        read = time.process_time()
        scores = analysis.score(runs, check=False)
        scoring = time.process_time() - read
        n = len(scores.scored[0].run.records)
    return {
        "samples": n,
        "seconds": time.process_time() - start,
        "scoring": scoring,
        "peak_mb": peak_mb(),
    }


if __name__ == "__main__":
    main()
