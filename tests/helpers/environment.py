"""Fresh virtual environments, in which packages are installed as people install them.

Dependencies come from the environment that runs the tests; what a test installs is installed anew.
"""

from __future__ import annotations

import os
import site
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import ROOT


class Environment:
    """A virtual environment, and commands in it."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.bin = folder / "bin"
        [packages] = folder.glob("lib/python3*/site-packages")
        self.lm_eval = packages / "lm_eval"
        (packages / "dependencies.pth").write_text(f"{_dependencies(folder)}\n")

    def call(
        self, *words: str | Path, cwd: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [self.bin / str(words[0]), *map(str, words[1:])],
            cwd=cwd,
            env={**os.environ, "HF_HUB_OFFLINE": "1", **(env or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done

    def install(self, *words: str | Path) -> None:
        # --ignore-installed: what the other environment has must not count.
        flags = ("--no-deps", "--ignore-installed", "--quiet")
        self.call("python", "-m", "pip", "install", *flags, *words, cwd=self.bin)


def _dependencies(folder: Path) -> Path:
    """A folder with everything that the running environment has but the package and lm-eval."""
    links = folder / "dependencies"
    links.mkdir()
    own = ("otherminds", "lm_eval", "__editable__", "_distutils_hack", "distutils-precedence")
    # Debian's Python names folders that need not be there.
    for packages in filter(Path.is_dir, map(Path, site.getsitepackages())):
        for path in packages.iterdir():
            if not path.name.startswith(own):
                (links / path.name).symlink_to(path)
    return links


def built_wheel(source: Path, folder: Path) -> Path:
    """The wheel of a package, as pip builds it from its folder."""
    words = ["pip", "wheel", "--no-deps", "--quiet", "--wheel-dir", str(folder), str(source)]
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


def project_wheel(folder: Path) -> Path:
    """The wheel of this project."""
    return built_wheel(ROOT, folder)
