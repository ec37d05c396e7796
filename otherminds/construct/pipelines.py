"""The pipelines that benchmarks bring."""

from __future__ import annotations

from otherminds import benchmark
from otherminds.construct.pipeline import Pipeline
from otherminds.errors import OtherMindsError, unknown


def names() -> list[str]:
    """Their names, sorted."""
    return sorted(name for one in benchmark.every() for name in one.pipelines)


def named(name: str) -> Pipeline:
    """The pipeline of a name; raises OtherMindsError for an unknown one, and for one that fails."""
    for one in benchmark.every():
        if name in one.pipelines:
            found = benchmark.look_up(one, one.pipelines[name])
            if not isinstance(found, Pipeline) or found.name != name:
                raise OtherMindsError(
                    f"The benchmark '{one.name}' names {one.pipelines[name]}, which is not the "
                    f"otherminds.construct.Pipeline '{name}'."
                )
            return found
    if not names():
        raise OtherMindsError("No benchmark here brings a pipeline.")
    listing = "otherminds construct pipelines"
    raise unknown("pipeline", name, names(), listing=listing)
