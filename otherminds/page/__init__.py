"""Plots and one self-contained HTML page, from plain tables.

This package knows nothing of benchmarks, of lm-eval or of files of runs: its callers fill the
tables of `Contents`. Every text in them may come from a model or from a stranger: it is only shown.
"""

from __future__ import annotations

from otherminds.page.contents import Contents, Drawing, Panel
from otherminds.page.page import write_page
from otherminds.page.plots import save_plots

__all__ = ["Contents", "Drawing", "Panel", "save_plots", "write_page"]
