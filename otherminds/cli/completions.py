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
