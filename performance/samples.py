"""Scoring a saved run of 96,000 items from its sample file, with all intervals: seconds of a processor.

The reference reads the same file with the standard library's `json`, which is the least that a script
of one's own would do: it parses no answer and computes nothing. Scoring is measured without its check of
the answers against the data, because the people of this run are copies that no data have.
Run: python -m performance.samples
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from performance.machine import peak_mb
from performance.ratio import Ratio, print_table

ITEMS = 96_000
NAME = "samples_hugagent_synthetic_2026-01-01T00-00-00.000000.jsonl.gz"


def main() -> None:
    if sys.argv[1:]:
        print(json.dumps(_measured(sys.argv[1], Path(sys.argv[2]))))
    else:
        print_table(measure())


def measure() -> list[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        written = write(path)
        found = {way: _in_a_process(way, path) for way in ("json", "score")}
        packed = path.stat().st_size
    ours, bare = found["score"], found["json"]
    note = f"{ITEMS:,} items, {written / 1e6:,.0f} MB of samples, {packed / 1e6:.0f} MB packed"
    return [
        Ratio.of(
            "score from a sample file, without the check against the data, against json alone",
            ours["seconds"],
            bare["seconds"],
            "s",
            target="<= 1.5",
            note=f"processor time, of which numbers and intervals {ours['scoring']:.2f} s",
        ),
        Ratio.alone(
            "score from a sample file, without the check against the data",
            ours["seconds"],
            "s",
            target="<= 10",
            note=note,
        ),
        Ratio.alone(
            "score from a sample file, without that check: peak memory",
            ours["peak_mb"],
            "MB",
            target="<= 1500",
            note=note,
        ),
    ]


def write(path: Path) -> int:
    """A run of the random model, on people that are copies of the 500; returns the bytes unpacked."""
    from otherminds import weightless
    from otherminds.data import loading as data
    from otherminds.tasks.hugagent.questions import QUESTIONS

    docs = data.for_task(dataset="hugagent-synthetic", configs=["bsi", "bdu"])["test"].to_list()
    model = weightless.Random()
    size = 0
    with gzip.open(path, "wb", compresslevel=3) as file:
        for number, doc in zip(range(ITEMS), _copies(docs), strict=False):
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
    words = [sys.executable, "-m", "performance.samples", way, str(path)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _measured(way: str, path: Path) -> dict[str, float]:
    start = time.process_time()
    scoring = 0.0
    if way == "json":
        with gzip.open(path) as lines:
            n = sum(1 for line in lines if json.loads(line))
    else:
        from otherminds import analysis

        runs = analysis.read_runs([path])
        read = time.process_time()
        scores = analysis.score(runs, check=False)
        scoring = time.process_time() - read
        n = len(scores.scored[0].run.records)
    assert n == ITEMS
    return {
        "seconds": time.process_time() - start,
        "scoring": scoring,
        "peak_mb": peak_mb(),
    }


if __name__ == "__main__":
    main()
