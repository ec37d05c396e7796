"""What `otherminds link` makes every start of this Python import, so that lm-eval knows our models.

lm-eval 0.4.13 reads no entry points (its main branch does). So two of its modules are looked after when
something imports them, and nothing else happens: `lm_eval.models` then lists our models as its own, and
`lm_eval.tasks._index` does not warn of tasks that it finds twice because they are linked and lie under
`--include_path` too. This module is imported at every start, and so it imports next to nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import MappingProxyType, ModuleType

HOOK = (
    "import sys, importlib.util; "
    'importlib.util.find_spec("otherminds") and __import__("otherminds.plugs")\n'
)
"""The line that Python's module `site` runs at every start; nothing, once the package is removed."""


def _models() -> None:
    from otherminds.harness import linking

    linking.register_models()


def _index() -> None:
    from otherminds.harness import linking

    linking.hush_doubles()


WATCHED: Mapping[str, Callable[[], None]] = MappingProxyType(
    {"lm_eval.models": _models, "lm_eval.tasks._index": _index}
)
"""The modules that are looked after, and what happens after each is imported."""


class _Finder(MetaPathFinder):
    """Finds a watched module as Python does, and lets it be followed by what belongs to it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        then = WATCHED.get(fullname)
        spec = PathFinder.find_spec(fullname, path, target) if then is not None else None
        if then is None or spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            try:
                then()
            except Exception as error:  # lm-eval works without us
                print(f"otherminds: lm-eval goes on without its models ({error})", file=sys.stderr)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


if not any(
    type(one).__name__ == "_Finder" and type(one).__module__ == __name__ for one in sys.meta_path
):
    sys.meta_path.insert(0, _Finder())
