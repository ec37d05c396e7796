"""What a shell completes: names of tasks, datasets and benchmarks, without lm-eval or any data."""

from __future__ import annotations


def tasks(incomplete: str) -> list[str]:
    """Tasks and groups: each is named like its file."""
    from otherminds import paths

    return sorted(path.stem for path in paths.task_files() if path.stem.startswith(incomplete))


def datasets(incomplete: str) -> list[str]:
    """All datasets."""
    from otherminds import benchmark

    return [name for name in benchmark.datasets() if name.startswith(incomplete)]


def benchmarks(incomplete: str) -> list[str]:
    """All benchmarks."""
    from otherminds import benchmark

    return [one.name for one in benchmark.every() if one.name.startswith(incomplete)]


def shown(incomplete: str) -> list[str]:
    """All that `show` takes: tasks, groups, tags and benchmarks."""
    from otherminds import index

    found = {one for one in index.entries() if one.startswith(incomplete)}
    return sorted(found.union(benchmarks(incomplete)))
