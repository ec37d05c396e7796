"""Rewards for training models: the reward functions of benchmarks that have some.

    from otherminds.rewards import NAME             the module of a benchmark (`Benchmark.rewards`)
    from otherminds.rewards.NAME import combined    one of its functions
    from otherminds.rewards import combined         that of the first benchmark that has it, ours first

rows      what reward functions share whose gold answers are provable
training  prompts to train on, from seeds of their own

NAME may be a benchmark of another package. A module is imported when it is needed.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from otherminds import benchmark, paths

_LOG = logging.getLogger("otherminds")


_OWN = ("rows", "training")
"""Modules here, which no benchmark takes the place of."""


def __getattr__(name: str) -> Any:
    if name in _OWN:
        return importlib.import_module(f"{__name__}.{name}")
    if not name.startswith("_"):
        if name in (known := __dir__()):
            return importlib.import_module(f"{__name__}.{name}")
        for one in known:
            try:
                module = importlib.import_module(f"{__name__}.{one}")
            except Exception as error:  # any error of a module of others
                _LOG.warning("The rewards of '%s' cannot be used: %s", one, error)
                continue
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"No benchmark has the reward function '{name}'.")


def __dir__() -> list[str]:
    return [one.name for one in benchmark.every() if one.rewards is not None]


class _Finder(MetaPathFinder, Loader):
    """Finds `otherminds.rewards.NAME`, which is not a file here, as the module of that benchmark."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        if package != __name__ or name not in paths.packages():
            return None
        return spec_from_loader(fullname, self) if benchmark.named(name).rewards else None

    def exec_module(self, module: ModuleType) -> None:
        found = benchmark.resolve(benchmark.named(module.__name__.rpartition(".")[2]).rewards)
        # The module that stands here after loading is imported, as the import system documents.
        sys.modules[module.__name__] = found


sys.meta_path.append(_Finder())
