"""OtherMinds: benchmarks that ask whether a language model knows one particular person."""

from __future__ import annotations

from pathlib import Path

__version__ = "0.1.0"

# In a checkout, `otherminds.metrics` and its siblings lie beside this folder and are mapped into it
# by the build. Python started at the root of a checkout finds this folder before the installed
# package, so the mapping has to be repeated here.
_HERE = Path(__file__).resolve().parent
if (_HERE.parent / "pyproject.toml").is_file() and not (_HERE / "metrics").exists():
    __path__.append(str(_HERE.parent))
