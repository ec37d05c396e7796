"""Packages that need not be installed, and the command that installs them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import sys
from functools import cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_OURS, _LM_EVAL = "otherminds", "lm_eval"

_NOT_FOR_USERS = frozenset({"test", "lint", "dev"})

# Modules that are not named as their packages are.
_PACKAGES = {"vl_convert": "vl-convert-python", "PIL": "pillow"}


def command_for(module: str) -> str:
    """The command that installs what provides a module: `pip install 'otherminds[hf]'`."""
    package = _canonical(_PACKAGES.get(module, module))
    for distribution in (_OURS, _LM_EVAL):
        for extra, packages in _extras(distribution).items():
            if package in packages:
                return _command(distribution, extra)
    return f"`pip install {package}`"


def command_of(extra: str) -> str:
    """The command that installs an extra of ours, or else of lm-eval's."""
    return _command(_OURS if extra in _extras(_OURS) else _LM_EVAL, extra)


def absent(extra: str) -> list[str]:
    """The packages of an extra, of ours or else of lm-eval's, that are not installed."""
    found = _extras(_OURS).get(extra) or _extras(_LM_EVAL).get(extra, frozenset())
    return sorted(name for name in found if not is_installed(name.replace("-", "_")))


def is_installed(module: str) -> bool:
    """Whether a module can be found; it is not imported."""
    if module in sys.modules:
        # None where its import was forbidden.
        return cast(object, sys.modules[module]) is not None
    return importlib.util.find_spec(module) is not None


def _command(distribution: str, extra: str) -> str:
    return f"`pip install '{distribution.replace('_', '-')}[{extra}]'`"


@cache
def _extras(distribution: str) -> dict[str, frozenset[str]]:
    """The extras of an installed package, and the packages that each brings."""
    from packaging.requirements import Requirement

    extras: dict[str, set[str]] = {}
    for text in importlib.metadata.requires(distribution) or []:
        requirement = Requirement(text)
        brought = {_canonical(requirement.name)}
        # Ours bring those of lm-eval; its own may bring each other.
        if distribution == _OURS and _canonical(_LM_EVAL) in brought:
            brought = brought.union(*(_extras(_LM_EVAL)[extra] for extra in requirement.extras))
        for name in _named(requirement):
            if name not in _NOT_FOR_USERS:
                extras.setdefault(name, set()).update(brought)
    return {name: frozenset(packages) for name, packages in extras.items()}


def _named(requirement: Requirement) -> list[str]:
    return re.findall(r"""extra == ['"]([\w-]+)['"]""", str(requirement.marker or ""))


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
