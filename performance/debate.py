"""Building the debate dataset from a generated debates.json of 1.2 GB: time, peak memory, resuming.

Embeddings are bags of hashed words, so that the numbers are those of the pipeline and not of a model;
`--model` takes the packaged Sentence-BERT instead, for which there are no bounds.
Run: python -m performance.debate [--model] [--bytes N]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from performance.machine import peak_mb
from performance.ratio import Ratio, print_table
from tests.helpers import fictional_debates as fictional

DATA = "fictional"
SIZE = 1_200_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--bytes", type=int, default=SIZE)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.child is not None:
        print(json.dumps(_build(told.child, with_model=told.model)))
        return
    print_table(measure(told.bytes, with_model=told.model))


def measure(size: int = SIZE, *, with_model: bool = False) -> list[Ratio]:
    """Building, and building again from what the first build left in its work folder.

    Raises AssertionError where the second build finds something else.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = fictional.write_large(folder / "corpus", size)
        megabytes = (corpus / "debates.json").stat().st_size / 1e6
        first, again = (_in_a_process(folder, with_model=with_model) for _ in range(2))
    assert first["hash"] == again["hash"], "the same corpus made another dataset"
    note = f"debates.json of {megabytes:,.0f} MB; embeddings by {first['model']}"
    seconds, memory = ("", "") if with_model else ("< 180", "< 600")
    return [
        Ratio.alone("build debate beliefs: time", first["seconds"], "s", target=seconds, note=note),
        Ratio.alone(
            "build debate beliefs: peak memory",
            max(first["peak_mb"], again["peak_mb"]),
            "MB",
            target=memory,
            note=f"{first['rows']:,} rows",
        ),
        Ratio.of(
            "build debate beliefs again, from its work folder, against the first time",
            again["seconds"],
            first["seconds"],
            "s",
            note="the same content hash",
        ),
    ]


def _in_a_process(folder: Path, *, with_model: bool) -> dict[str, Any]:
    words = [sys.executable, "-m", "performance.debate", "--child", str(folder)]
    done = subprocess.run(
        [*words, *(["--model"] if with_model else [])],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _build(folder: Path, *, with_model: bool) -> dict[str, Any]:
    from otherminds.dataset_builders.debate import ddo
    from otherminds.dataset_builders.debate.embedding import PACKAGED

    name = PACKAGED if with_model else "hashed words"
    spec = ddo.DdoSpec(seed=1, salt="benchmark", model=name)
    start = time.perf_counter()
    embed = None if with_model else fictional.hashed
    built = ddo.build(folder / "corpus", spec, work=folder / "work", embed=embed)
    return {
        "seconds": time.perf_counter() - start,
        "peak_mb": peak_mb(),
        "model": name,
        "hash": ddo.content_hash(built.table),
        "rows": built.table.num_rows,
    }


if __name__ == "__main__":
    main()
