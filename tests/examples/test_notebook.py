"""The example notebook runs as it is: from any folder, without a network, in this interpreter."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from otherminds.data.cache import cached
from tests.conftest import ROOT

NOTEBOOK = ROOT / "examples" / "analysis.ipynb"

# Seconds for one cell: a hanging kernel must not hang the tests.
TIMEOUT = 3_600


def stored() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture
def elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """An empty folder to work in, offline, with the data built and nobody's settings."""
    if "OTHERMINDS_CACHE" not in os.environ:
        # Of the whole session, all processes included.
        shared = tmp_path_factory.getbasetemp().parent / "cache"
        monkeypatch.setenv("OTHERMINDS_CACHE", str(shared))
    cached("hugagent-synthetic")
    temporary, folder = tmp_path / "temporary", tmp_path / "elsewhere"
    temporary.mkdir()
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("OTHERMINDS_DATA", raising=False)
    return folder


def execute(notebook: Any, folder: Path) -> None:
    """Run all cells; raises with the trace of the first one that fails."""
    # Without folders to look in, "python3" is the running interpreter, whatever the machine has.
    kernels = KernelSpecManager(kernel_dirs=[])
    manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=kernels)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, km=manager, timeout=TIMEOUT, resources=resources).execute()


def output_of(notebook: Any, beginning: str) -> str:
    """What the one cell that has a line with this beginning printed and showed, as text."""
    [cell] = [
        cell
        for cell in notebook.cells
        if any(line.startswith(beginning) for line in cell.source.splitlines())
    ]
    return "\n".join(shown(output) for output in cell.outputs)


def shown(output: Any) -> str:
    if output.output_type == "stream":
        return str(output.text) if output.name == "stdout" else ""
    return "\n".join([*output.data, str(output.data.get("text/plain", ""))])


@pytest.mark.slow
def test_the_notebook_runs(elsewhere: Path) -> None:
    notebook = stored()
    execute(notebook, elsewhere)

    assert output_of(notebook, "runs = ") == "['majority', 'random (seed=1)']\n[]\n"

    checks = output_of(notebook, "scores = ").splitlines()
    assert [line for line in checks if "| False |" in line] == []
    printed = [line for line in checks if "numbers that the run printed" in line]
    assert len(printed) == 2
    assert all("| True |" in line for line in printed)

    assert "image/svg+xml" in output_of(notebook, "base = alt.Chart")
    assert "composite" in output_of(notebook, "comparison = ")
    groups = output_of(notebook, "for metric, groups").splitlines()
    assert any(line.startswith("bsi_acc ") for line in groups)
    assert "bdu_mae ('majority',) ('random (seed=1)',)" in groups
    assert "bdu_direction" in output_of(notebook, "together = ")

    written = output_of(notebook, "report = ")
    for name in ("report.html", "scores.csv", "table_hugagent-synthetic.tex"):
        assert f"report/{name}" in written
    table = output_of(notebook, "markdown = ").splitlines()
    assert table[0].startswith("| Model ")
    assert any(line.startswith("| random (seed=1)") for line in table)

    # It cleans up, and writes into its temporary folder alone.
    assert list(elsewhere.iterdir()) == []
    assert list((elsewhere.parent / "temporary").iterdir()) == []


def test_no_outputs_are_stored() -> None:
    notebook = stored()
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
