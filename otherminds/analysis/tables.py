"""Results as tables for papers: Markdown, LaTeX (booktabs) and CSV."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from otherminds import files
from otherminds.analysis.layouts import Column, columns_of
from otherminds.analysis.scores import ALL, Scored, Scores, by_benchmark
from otherminds.benchmark import resolve
from otherminds.errors import OtherMindsError
from otherminds.running.results import known_references
from otherminds.running.truncation import TRUNCATED
from otherminds.sheets import as_csv

if TYPE_CHECKING:
    import pandas as pd


_TRUNCATED = Column(TRUNCATED, "Truncated", 100.0, 1)


def paper_tables(scores: Scores) -> dict[str, pd.DataFrame]:
    """By dataset, a table in the layout of its paper: a row per model and task, ± standard errors.

    The last column is the share of truncated replies, in per cent, where any end is known. Below the
    models stand the references that the dataset's manifest has for just the documents that
    they answered, such as chance and the human ceiling. A cell without a value is a dash.
    """
    found = scores.table()
    overall = found[found["breakdown"] == ALL]
    datasets = {one.run.task: one.run.rules.dataset for one in scores.scored}
    tables = {}
    for dataset in dict.fromkeys(datasets.values()):
        rows = overall[overall["task"].map(datasets) == dataset]
        metrics = list(dict.fromkeys(rows["metric"]))
        columns = list(columns_of(dataset, [name for name in metrics if name != TRUNCATED]))
        # Of replies whose ends nobody knows, there is nothing to show.
        columns += [_TRUNCATED] if TRUNCATED in metrics else []
        references = _references(
            [one for one in scores.scored if datasets[one.run.task] == dataset]
        )
        tables[dataset] = _table(rows, columns, references)
    return tables


def tables_over_runs(scores: Scores) -> dict[str, pd.DataFrame]:
    """By dataset, the same table with mean ± population SD over runs, as the papers print it.

    Its rows are the models and tasks with several runs; a dataset without any has no table.
    """
    found = scores.table()
    found = found[(found["breakdown"] == ALL) & (found["runs"] > 1)]
    found = found.assign(value=found["mean_over_runs"], stderr=found["sd_over_runs"])
    datasets = {one.run.task: one.run.rules.dataset for one in scores.scored}
    tables = {}
    for dataset, rows in found.groupby(found["task"].map(datasets), sort=False):
        columns = columns_of(str(dataset), list(dict.fromkeys(rows["metric"])))
        tables[str(dataset)] = _table(rows, columns, {})
    return tables


def write_tables(scores: Scores, folder: Path) -> list[Path]:
    """Write `table_<dataset>.md` and `.tex`, and `scores.csv` with every number; returns the paths.

    Where there are several runs, `table_<dataset>_runs.md` and `.tex` have mean ± SD over them.
    """
    written = [_write(folder / "scores.csv", as_csv(scores.table()))]
    for dataset, table in paper_tables(scores).items():
        written += write_table(table, folder / f"table_{dataset}")
    for dataset, table in tables_over_runs(scores).items():
        written += write_table(table, folder / f"table_{dataset}_runs")
    return written


def write_table(
    table: pd.DataFrame, stem: Path, *, texts: int = 1, numbers: pd.DataFrame | None = None
) -> list[Path]:
    """Write a table as `<stem>.md` and `<stem>.tex`, and its numbers as `<stem>.csv`.

    texts  how many of the first columns are texts
    Returns the paths.
    """
    written = {"md": as_markdown(table, texts=texts), "tex": as_latex(table, texts=texts)}
    if numbers is not None:
        written["csv"] = as_csv(numbers)
    return [_write(stem.with_name(f"{stem.name}.{end}"), text) for end, text in written.items()]


def write_own_tables(scores: Scores, folder: Path, notes: list[str]) -> list[Path]:
    """Write the tables that each benchmark adds of its own runs (`Benchmark.tables`); returns the paths.

    `notes` gets remarks for their readers.
    """
    return [
        path
        for benchmark, own in by_benchmark(scores)
        for write in resolve(benchmark.tables) or ()
        for path in write(own, folder, notes)
    ]


NO_ESTIMATE: Mapping[str, float] = {"value": math.nan, "stderr": math.nan}
"""The fields of an estimate where there was nothing to measure."""


def estimate_cell(value: float, stderr: float, column: Column) -> str:
    """A value ± its standard error in the units of a column; a dash where there is none."""
    shown, error = _number(value, column), _number(stderr, column)
    return shown if error == "–" else f"{shown} ± {error}"


def estimate_cells(
    found: Mapping[str, Mapping[str, float]], columns: Iterable[Column]
) -> dict[str, str]:
    """By the headings of columns, the cells of estimates (their fields, by metric)."""
    known = {column: found.get(column.metric, NO_ESTIMATE) for column in columns}
    return {
        column.heading: estimate_cell(one["value"], one["stderr"], column)
        for column, one in known.items()
    }


def as_markdown(table: pd.DataFrame, *, texts: int = 1) -> str:
    """A table as GitHub's Markdown; names are escaped, so that they read as text.

    texts  how many of the first columns stand to the left; numbers stand to the right
    """
    try:
        import tabulate
    except ImportError as error:
        raise OtherMindsError(
            "Tables in Markdown take the extra 'report': `pip install 'otherminds[report]'`."
        ) from error
    shown = table.map(_plain_in_markdown)
    headings = list(map(_plain_in_markdown, table.columns))
    aligned = [*["left"] * texts, *["right"] * (len(headings) - texts)]
    # Numbers are texts by now: they stand as they were rounded.
    text = tabulate.tabulate(
        shown.to_numpy().tolist(),
        headings,
        tablefmt="github",
        colalign=aligned,
        disable_numparse=True,
    )
    return f"{text}\n"


def as_latex(table: pd.DataFrame, *, texts: int = 1) -> str:
    """A table as LaTeX with the rules of the package booktabs; names are escaped."""
    layout = "l" * texts + "r" * (len(table.columns) - texts)
    styled = table.map(_one_line).style.hide(axis="index")
    styled = styled.format(escape="latex").format_index(escape="latex", axis=1)
    text = str(styled.to_latex(hrules=True, column_format=layout))
    # After the escaping, so that the signs themselves stay LaTeX.
    for sign, command in _LATEX_SIGNS.items():
        text = text.replace(sign, command)
    # A bracket after the end of a row would be taken for the distance to the next one.
    return text.replace("\n[", "\n{}[")


def _write(path: Path, text: str) -> Path:
    with files.atomic_file(path) as partial:
        partial.write_text(text, encoding="utf-8")
    return path


def _table(
    rows: pd.DataFrame,
    columns: Sequence[Column],
    references: Mapping[str, Mapping[str, float]],
) -> pd.DataFrame:
    import pandas as pd

    lines = []
    tasks = list(dict.fromkeys(rows["task"]))
    for (model, task), group in rows.groupby(["model", "task"], sort=False):
        estimates = group[["value", "stderr"]].itertuples(index=False, name=None)
        by_metric = dict(zip(group["metric"], estimates, strict=True))
        name = model if len(tasks) == 1 else f"{model}, {task}"
        if not any(column.metric in by_metric for column in columns):
            continue  # a mere stage, of which the paper's table shows nothing
        lines.append([name, *(_cell(by_metric, column) for column in columns)])
    for name, scores in references.items():
        cells = [_number(scores.get(column.metric, math.nan), column) for column in columns]
        lines.append([name, *cells])
    return pd.DataFrame(lines, columns=["Model", *(column.heading for column in columns)])


def _references(scored: Sequence[Scored]) -> Mapping[str, Mapping[str, float]]:
    """The manifest's scores for the data that all of these runs answered; none where these differ."""
    known = [known_references(one.run.task, one.run.facts.results) for one in scored]
    if any(other != known[0] for other in known):
        return {}
    return {f"[{name.replace('_', ' ')}]": found for name, found in known[0].items()}


def _cell(by_metric: Mapping[str, tuple[float, float]], column: Column) -> str:
    if column.metric not in by_metric:
        return "–"
    return estimate_cell(*by_metric[column.metric], column)


def _number(value: float, column: Column) -> str:
    return "–" if math.isnan(value) else f"{column.factor * value:.{column.decimals}f}"


# Signs that the package's escaping leaves as they are, and that fonts lack.
_LATEX_SIGNS = {
    "±": r"$\pm$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def _one_line(text: str) -> str:
    """Text without line breaks and control characters."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def _plain_in_markdown(text: str) -> str:
    """Text that no renderer takes for markup."""
    plain = html.escape(_one_line(text), quote=False)
    return "".join(f"\\{sign}" if sign in "\\`*_[]|~#$" else sign for sign in plain)
