"""Building the debate dataset from a generated debates.json of 1.2 GB: time, peak memory, resuming.

Embeddings are bags of hashed words, so that the numbers are those of the pipeline and not of a model;
`--model` takes the packaged Sentence-BERT instead. Run: python -m benchmarks.debate [--model]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests import fictional_debates as fictional

SIZE = 1_200_000_000
SECONDS, MEGABYTES = 180, 600


def main() -> None:
    if "--child" in sys.argv:
        print(json.dumps(_build(Path(sys.argv[-1]), model="--model" in sys.argv)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = time.perf_counter()
        corpus = fictional.write_large(folder / "corpus", SIZE)
        size = (corpus / "debates.json").stat().st_size
        print(
            f"debates.json of {size / 1e6:,.0f} MB written in {time.perf_counter() - start:.0f} s"
        )
        first, again = (_in_a_process(folder) for _ in range(2))
    for line in first["funnel"]:
        print(f"  {line}")
    for label, one in (("built", first), ("again, from the work folder", again)):
        print(
            f"{label}: {one['seconds']:.1f} s, peak {one['peak_mb']:.0f} MB, hash {one['hash'][:12]}"
        )
    print(f"ratio of again to built: {again['seconds'] / first['seconds']:.2f}")
    print(f"bounds with hashed words: under {SECONDS} s and {MEGABYTES} MB")


def _in_a_process(folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.debate", "--child", *sys.argv[1:], str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _build(folder: Path, *, model: bool) -> dict[str, Any]:
    from otherminds.dataset_builders.debate import ddo
    from otherminds.dataset_builders.debate.embedding import PACKAGED
    from otherminds.dataset_builders.funnel import lines

    name = PACKAGED if model else "hashed words"
    spec = ddo.DdoSpec(seed=1, salt="benchmark", model=name)
    start = time.perf_counter()
    embed = None if model else fictional.hashed
    built = ddo.build(folder / "corpus", spec, work=folder / "work", embed=embed)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "seconds": seconds,
        "peak_mb": peak,
        "hash": ddo.content_hash(built.table),
        "funnel": lines(built.funnel),
    }


if __name__ == "__main__":
    main()
