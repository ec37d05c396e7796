"""The command blocks of README and docs run, in order, each page in a fresh folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docsite import blocks, links
from tests.conftest import SCRIPTS

PAGES = [page for page in blocks.pages() if any(one.runs for one in blocks.of_page(page))]

# All of it is installed where tests run; installing is tested apart (tests/install), from a wheel.
_PIP = '#!/bin/sh\n[ "$1" = install ]\n'


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder before all others in PATH, in whose `pip` everything is installed already."""
    folder = tmp_path_factory.mktemp("tools")
    (folder / "pip").write_text(_PIP, encoding="utf-8")
    (folder / "pip").chmod(0o755)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(links.ROOT).as_posix())
def test_the_commands_of_a_page_run(page: Path, tools: Path, cache: Path, tmp_path: Path) -> None:
    path = os.pathsep.join(
        (str(tools), str(SCRIPTS), str(Path(sys.executable).parent), os.environ["PATH"])
    )
    env = {**os.environ, "PATH": path, "COLUMNS": "120", "HF_HUB_OFFLINE": "1"}
    env["OTHERMINDS_CACHE"] = str(cache)
    found = blocks.of_page(page)
    for one, following in zip(found, [*found[1:], None], strict=True):
        if not one.runs:
            continue
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join(one.lines)],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        said = f"{one.place}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        assert done.returncode == 0, said
        if following is not None and following.title == "Output":
            lost = blocks.missing(following.lines, done.stdout)
            assert lost is None, f"{following.place}: not printed: {lost}\n{said}"
