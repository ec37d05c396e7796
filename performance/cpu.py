"""Processor time and memory of whole runs of HugAgent with the model `random`, start and end included.

`otherminds run` is set against plain `lm_eval` on the same task file, data and model, and against the
commit of this package before runs were made lean, on the same libraries. All log their samples; each is
a process of its own, the better of several, in turns. Their samples are compared: the same prompts
and the same answers, or there are no numbers. Run: python -m performance.cpu [--limit N]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherminds import paths
from otherminds.data.cache import cached
from otherminds.samples import read
from performance import landed, random_model
from performance.machine import Used, used_by
from performance.ratio import Ratio, print_table
from performance.startup import environment

DATA = "generated"
TASK, DATASET, TIMES = "hugagent_synthetic", "hugagent-synthetic", 2
AGAINST_LM_EVAL = "<= 0.33"
"""Half of what the commit before took of it: 0.67, in processor time."""

AGAINST_LANDED = "<= 0.5"
NAME = f"a run of {TASK}"


@dataclass(frozen=True)
class Program:
    """A way to run the task: the words before its flags, and its variables."""

    words: Sequence[str]
    variables: Mapping[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, help="the first documents alone")
    print_table(measure(parser.parse_args().limit))


def measure(limit: int | None = None, *, times: int = TIMES) -> list[Ratio]:
    """Ours against lm_eval, and against the earlier commit where git's history has it."""
    cached(DATASET)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs, missing = {"ours": _ours(), "lm_eval": _lm_eval()}, ""
        try:
            programs["landed"] = _landed(folder)
        except landed.NotHereError as error:
            missing = str(error)
        used = run(programs, folder, limit, times)
    asked = f"the first {limit:,} documents, " if limit else ""
    note = f"{asked}better of {times}"
    ours = used["ours"]
    ratios = against("lm_eval", "lm_eval", ours, used["lm_eval"], AGAINST_LM_EVAL, note)
    before = f"commit {landed.COMMIT}"
    if missing:
        name = f"processor time of {NAME}, against {before}"
        return [*ratios, Ratio.left_out(name, missing, target=AGAINST_LANDED)]
    return [*ratios, *against(before, "it", ours, used["landed"], AGAINST_LANDED, note)]


def against(name: str, said: str, ours: Used, other: Used, target: str, note: str) -> list[Ratio]:
    """Processor time, held to the target, and memory beside it."""
    clock = f"{note}; by the clock {ours.clock:.1f} s, {said} {other.clock:.1f} s"
    return [
        Ratio.of(
            f"processor time of {NAME}, against {name}",
            ours.cpu,
            other.cpu,
            "CPU s",
            target=target,
            note=clock,
        ),
        Ratio.of(f"peak memory of {NAME}, against {name}", ours.peak_mb, other.peak_mb, "MB"),
    ]


def run(
    programs: Mapping[str, Program], folder: Path, limit: int | None, times: int
) -> dict[str, Used]:
    """What each program used in the best of its runs.

    A program runs once before, on one document, so that no run builds data. Raises AssertionError where
    two programs asked or answered something else.
    """
    for name, program in programs.items():
        _once(program, folder / f"{name}-first", 1)
    used: defaultdict[str, list[Used]] = defaultdict(list)
    for turn in range(times):
        for name, program in programs.items():
            used[name].append(_once(program, folder / f"{name}-{turn}", limit))
    texts = {name: digest(folder / f"{name}-0") for name in programs}
    assert len(set(texts.values())) == 1, f"not the same prompts and answers: {texts}"
    return {name: min(of, key=lambda one: one.cpu) for name, of in used.items()}


def digest(folder: Path) -> str:
    """A hash of all documents' names, prompts and answers in a run's sample file."""
    [path] = folder.rglob("samples_*")
    found = []
    for one in read.records(path, note=lambda said: None):
        said = [one["doc"]["item_id"], one["arguments"]["gen_args_0"]["arg_0"], one["resps"]]
        found.append((one["doc_id"], json.dumps(said)))
    return hashlib.sha256(json.dumps(sorted(found)).encode()).hexdigest()


def _once(program: Program, folder: Path, limit: int | None) -> Used:
    folder.mkdir()
    flags = ["--model", "random", "--output_path", str(folder)]
    if limit is not None:
        flags += ["--limit", str(limit)]
    return used_by([*program.words, *flags], env=program.variables, cwd=folder)


def _ours() -> Program:
    words = [sys.executable, "-m", "otherminds", "run", TASK, "--fresh"]
    return Program(words, environment())


def _lm_eval() -> Program:
    told = ["--tasks", TASK, "--include_path", str(paths.tasks()), "--log_samples"]
    words = [sys.executable, "-m", random_model.__name__, "run", *told]
    return Program(words, {**environment(), random_model.DATASET: DATASET})


def _landed(folder: Path) -> Program:
    python = landed.environment(folder)
    words = [str(python), "-m", "otherminds", "run", TASK, "--fresh"]
    return Program(words, landed.apart(python, folder / "cache"))


if __name__ == "__main__":
    main()
