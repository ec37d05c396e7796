"""A long run that is killed again and again, and one that is not: memory over time, and equal results.

A stand-in server on this machine answers a number that depends on the prompt alone. One run goes
through; others are killed (SIGKILL) after a drawn number of further answers and a drawn moment, and
started again with the same command, until they are let run to their end. Then their samples and results
must be those of the first, and no other files may lie beside them.
Run: python -m performance.kills [--items N]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from otherminds.data.cache import cached
from otherminds.samples import read
from performance.ratio import Ratio, print_table
from performance.startup import environment
from tests.helpers.openai_server import Hashed, Server, serving

DATASET = "socialmindchange-codes"
TASK, ITEMS, SEED, AT_ONCE = "socialmindchange_codes", 9_600, 1, 16
KILLS = 4
"""Kills of a run, after which it is let run to its end."""

SECONDS = 200.0
_LONGEST_PAUSE = 1.0
_STEP = 0.02


@dataclass
class Watched:
    """What was seen of a run: kills, and pairs of how many answers it had and its memory in MB."""

    kills: int = 0
    asked: int = 0
    memory: list[tuple[int, float]] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--items", type=int, default=ITEMS)
    told = parser.parse_args()
    print_table(measure(told.seconds, told.items))


def measure(seconds: float = SECONDS, items: int = ITEMS) -> list[Ratio]:
    """One run without kills, and runs with kills for the rest of these seconds, but one at least."""
    cached(DATASET)
    rng = np.random.default_rng(SEED)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as name, serving(Hashed()) as server:
        folder = Path(name)
        whole = through(folder / "whole", server, items)
        expected = found_in(folder / "whole")
        killed: list[Watched] = []
        different = left = 0
        while not killed or time.perf_counter() - start < seconds:
            out = folder / f"killed-{len(killed)}"
            killed.append(through(out, server, items, rng=rng))
            found = found_in(out)
            different += found != expected
            left += abs(files_in(out) - files_in(folder / "whole"))
    return rows(whole, killed, items, different, left, time.perf_counter() - start)


def rows(
    whole: Watched, killed: list[Watched], items: int, different: int, left: int, seconds: float
) -> list[Ratio]:
    """What the runs showed."""
    kills = sum(one.kills for one in killed)
    again = sum(one.asked for one in killed) - items * len(killed)
    about = f"{items:,} items of {TASK}"
    note = f"{len(killed)} runs of {about}, {kills} kills, {seconds:,.0f} s in all"
    early, late = (most(whole, items, *part) for part in ((0.25, 0.5), (0.75, 1.0)))
    grown = f"soak: memory of a run in its last quarter against its second, {about}"
    ratios = (
        [Ratio.of(grown, late, early, "MB", target="<= 1.1", note="resident, largest of each")]
        if early and late
        else [Ratio.left_out(grown, "the run was too short to be looked at", target="<= 1.1")]
    )
    return [
        *ratios,
        Ratio.alone(
            "soak: killed runs whose samples or results differ from those of one that was not",
            different,
            "runs",
            target="<= 0",
            note=note,
        ),
        Ratio.alone("soak: files that killed runs leave", left, "files", target="<= 0"),
        Ratio.alone(
            "soak: questions that are asked again after a kill",
            again / kills if kills else 0.0,
            "a kill",
            note=f"{AT_ONCE} are under way at a time",
        ),
    ]


def most(run: Watched, items: int, low: float, high: float) -> float:
    """The most memory between two shares of a run's answers; 0 where none was looked at."""
    return max((mb for n, mb in run.memory if low * items <= n <= high * items), default=0.0)


def through(
    folder: Path, server: Server, items: int, *, rng: np.random.Generator | None = None
) -> Watched:
    """Run the task into a folder to its end; with `rng`, killed KILLS times before."""
    seen = Watched()
    folder.mkdir()
    for _ in range(KILLS if rng is not None else 0):
        assert rng is not None
        answers, pause = rng.uniform(0, items / KILLS), rng.uniform(0, _LONGEST_PAUSE)
        if _once(folder, server, items, seen, kill=(seen.asked + answers, pause)):
            return seen
        seen.kills += 1
    _once(folder, server, items, seen)
    return seen


def _once(
    folder: Path, server: Server, items: int, seen: Watched, kill: tuple[float, float] | None = None
) -> bool:
    """Run the command once; returns whether it came to its end before it was killed.

    kill  after how many answers in all, and how many seconds after these
    """
    words = f"model=stand-in,base_url={server.address}/chat/completions,num_concurrent={AT_ONCE}"
    flags = ["--model", "local-chat-completions", "--model_args", words, "--limit", str(items)]
    before = seen.asked
    asked = server.record.exchanges
    asked.clear()
    with (folder.parent / "said.txt").open("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "otherminds", "run", TASK, *flags, "--output_path", str(folder)],
            env=environment(),
            cwd=folder.parent,
            stdout=said,
            stderr=said,
        )
        reached: float | None = None
        while process.poll() is None:
            time.sleep(_STEP)
            seen.asked = before + len(asked)
            seen.memory.append((seen.asked, _resident_mb(process.pid)))
            if kill is None or seen.asked < kill[0]:
                continue
            reached = time.perf_counter() if reached is None else reached
            if time.perf_counter() - reached >= kill[1]:
                process.kill()
        was_killed = process.wait() == -9
        seen.asked = before + len(asked)
        if process.returncode and not was_killed:
            said.seek(0)
            end = said.read()[-2_000:]
            raise RuntimeError(f"The run ended with {process.returncode}: {end}")
    return not was_killed


def found_in(folder: Path) -> str:
    """A hash of a run's samples and results."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("samples_*")):
        for one in read.records(path, note=_refuse):
            digest.update(json.dumps(one, sort_keys=True).encode())
    for path in sorted(folder.rglob("results_*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        digest.update(json.dumps(found["results"], sort_keys=True).encode())
    return digest.hexdigest()


def _refuse(said: str) -> None:
    raise AssertionError(said)


def files_in(folder: Path) -> int:
    """How many files lie in a folder."""
    return sum(len(files) for _, _, files in os.walk(folder))


def _resident_mb(process: int) -> float:
    """A process's resident memory in MB; 0 where it has ended."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
