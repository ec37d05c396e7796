"""The five lines at the beginning of the page: what a user asks, answered from the measured rows.

Every number comes from a row; where its row is missing, the line says so and names the benchmark. After
each line stand the benchmarks that it rests on, whose tables have the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from performance import build, cost, cpu, full_run, leaderboard, samples, serving, startup
from performance.ratio import Ratio, number

Rows = Mapping[str, Sequence[Ratio]]


def lines(measured: Rows) -> list[str]:
    """The five lines in Markdown, of the rows of each benchmark by its name."""
    return [
        f"- **How long does a run take?** {_time(_Answer(measured))}",
        f"- **How much memory does it take?** {_memory(_Answer(measured))}",
        f"- **What does it cost?** {_cost(_Answer(measured))}",
        f"- **What limits it?** {_limits(_Answer(measured))}",
        f"- **What does not scale?** {_scale(_Answer(measured))}",
    ]


@dataclass
class _Answer:
    """An answer in the making: its sentences, and the benchmarks that they rest on."""

    measured: Rows
    said: list[str] = field(default_factory=list)
    rests_on: dict[str, None] = field(default_factory=dict)

    def rows(self, benchmark: str, begins: str, ends: str = "") -> list[Ratio]:
        """The measured rows of a benchmark whose name, or else whose claim, begins and ends so."""
        return [
            one
            for one in self.measured.get(benchmark, ())
            for name in (one.name, one.claim)
            if name.startswith(begins) and name.endswith(ends) and math.isfinite(one.ours)
        ]

    def say(self, benchmark: str, row: Ratio | None, sentence: Callable[[Ratio], str]) -> None:
        """Add a sentence about a row; without one, that its benchmark was not measured."""
        self.rests_on[benchmark] = None
        missing = f"Not measured: `{benchmark}`."
        if row is not None:
            self.said.append(sentence(row))
        elif missing not in self.said:
            self.said.append(missing)

    def about(
        self, benchmark: str, begins: str, sentence: Callable[[Ratio], str], ends: str = ""
    ) -> None:
        """Add a sentence about the first of some rows."""
        self.say(benchmark, next(iter(self.rows(benchmark, begins, ends)), None), sentence)

    def text(self) -> str:
        """The sentences, and the measured benchmarks that they rest on."""
        of = ", ".join(f"[{name}](#{name})" for name in self.rests_on if name in self.measured)
        return " ".join([*self.said, *([f"(From {of}.)"] if of else [])])


def _time(answer: _Answer) -> str:
    answer.said.append("Without a model's own time, which comes on top:")
    answer.about(
        "startup",
        f"{startup.WHOLE}, against lm_eval: processor time",
        lambda one: (
            f"{number(one.ours)} s of a processor to start and end (`lm_eval`: "
            f"{number(one.reference)} s)."
        ),
    )
    answer.about(
        "full_run",
        full_run.CPU,
        lambda one: f"{number(one.ours)} ms of a processor per item ({_what(one, full_run.CPU)}).",
    )
    answer.about(
        "full_run", full_run.CLOCK, lambda one: f"That run took {number(one.ours)} s by the clock."
    )
    answer.about(
        "cpu",
        f"processor time of {cpu.NAME}, against lm_eval",
        lambda one: (
            f"{cpu.NAME.capitalize()} takes {number(one.ours)} s of a processor, "
            f"{number(one.ratio)} times what `lm_eval` takes of it."
        ),
    )
    return answer.text()


def _memory(answer: _Answer) -> str:
    answer.about(
        "full_run",
        full_run.GROWTH,
        lambda one: (
            f"{number(one.ours)} MB at the peak of a run, and {number(one.reference)} MB "
            f"with a tenth of the items ({_what(one, full_run.GROWTH)}); a model's own comes on top."
        ),
    )
    answer.about(
        "samples",
        f"{samples.SCORE}: peak memory",
        lambda one: f"Scoring saved samples: {number(one.ours)} MB.",
    )
    return answer.text()


def _cost(answer: _Answer) -> str:
    found = answer.rows("cost", cost.NAME)
    each = "; ".join(
        f"{_what(one, cost.NAME)} and {number(one.reference)} million prompt tokens "
        f"({number(one.ours)} million read by an engine with a prefix cache)"
        for one in found
    )
    answer.say("cost", next(iter(found), None), lambda _: f"{each}.")
    answer.said.append(
        "Counted with a small tokenizer: a real one makes fewer tokens. Not measured: what a "
        "model writes, its reasoning included; prices; energy."
    )
    return answer.text()


def _limits(answer: _Answer) -> str:
    answer.said.append("The model: a run waits for its answers.")
    answer.about(
        "full_run",
        full_run.CPU,
        lambda one: (
            f"A run itself prepares, scores and writes at most {number(1e3 / one.ours)} "
            "items a second."
        ),
    )
    served = answer.rows("serving", serving.CLAIM)
    answer.say(
        "serving",
        max(served, key=lambda one: one.reference, default=None),
        lambda one: (
            f"Of a server that could give {number(one.reference)} answers a second, it "
            f"takes {number(one.ours)}."
        ),
    )
    return answer.text()


def _scale(answer: _Answer) -> str:
    answer.said.append("A run is one process: a second core does not speed it up.")
    answer.about(
        "full_run",
        full_run.GROWTH,
        lambda one: f"Ten times the items take {number(one.ratio)} times the memory.",
    )
    workers = answer.rows("build", build.TWO_WORKERS)
    answer.say(
        "build",
        min(workers, key=lambda one: one.ratio, default=None),
        lambda one: f"Two workers build data {number(one.ratio)} times as fast as one.",
    )
    answer.about(
        "leaderboard",
        leaderboard.BOARD,
        lambda one: (
            f"A {one.name.removesuffix(': time')} takes {number(one.ours)} s of a "
            "processor to build"
        ),
        ends=": time",
    )
    answer.about(
        "leaderboard",
        leaderboard.BOARD,
        lambda one: f"and {number(one.ours)} MB of memory.",
        ends=": peak memory",
    )
    return answer.text()


def _what(one: Ratio, begins: str) -> str:
    """What a row is of: the end of its name, behind the constant at its beginning."""
    return one.name.removeprefix(f"{begins}, ")
