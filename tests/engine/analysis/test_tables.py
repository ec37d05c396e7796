"""Tables for papers: their layout, and that names are text in every format."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from otherminds import analysis
from otherminds.analysis import tables
from otherminds.running.run import Finished
from tests.engine.analysis.conftest import evaluated
from tests.engine.analysis.made import BDU, BOTH, BSI, letter, opinion, run_of
from tests.helpers import fictional_hugagent as fictional

HOSTILE = (
    "a|b <b>x</b> _em_ *s* \\end{tabular} $x$ {y} #1 ~ ^ & 50% `c` [l](u)\n\nnew\tline\x1b[31m"
)


def scores(*paths: Path, check: bool = False) -> analysis.Scores:
    return analysis.score(analysis.read_runs(paths), check=check)


@pytest.fixture(scope="module")
def two(models: Mapping[str, Finished]) -> analysis.Scores:
    """The scores of two models."""
    names = ("random", "corrupted-oracle")
    return scores(*(path for name in names for path in models[name].sample_paths))


def test_the_table_has_the_papers_columns_and_a_row_per_model(
    two: analysis.Scores, models: Mapping[str, Finished]
) -> None:
    found = tables.paper_tables(two)
    assert list(found) == ["hugagent-synthetic"]
    table = found["hugagent-synthetic"]
    assert list(table.columns) == ["Model", "BSI acc.", "BDU acc.", "BDU MAE", "BDU dir.", "100u"]
    rows = table.set_index("Model")
    assert list(rows.index[:2]) == ["random", "corrupted-oracle"]
    assert "[chance]" in rows.index
    # Fractions in percent with their standard errors; an error of answers as it is.
    printed = models["random"].results["results"][BOTH]
    value, error = printed["bsi_acc,none"], printed["bsi_acc_stderr,none"]
    assert rows.loc["random", "BSI acc."] == f"{100 * value:.2f} ± {100 * error:.2f}"
    value, error = printed["bdu_mae,none"], printed["bdu_mae_stderr,none"]
    assert rows.loc["random", "BDU MAE"] == f"{value:.2f} ± {error:.2f}"
    # A reference has no error of its own.
    assert re.fullmatch(r"\d+\.\d\d", str(rows.loc["[chance]", "BSI acc."]))


def test_the_human_tracks_table_shows_ati(tmp_path: Path) -> None:
    clone = fictional.write_clone(fictional.sample(), tmp_path / "clone")
    metadata = ("--metadata", json.dumps({"data_source": str(clone)}))
    run = evaluated(tmp_path / "out", "--model", "oracle", *metadata, task="hugagent")
    found = scores(tmp_path / "out", check=True)
    table = tables.paper_tables(found)["hugagent"].set_index("Model")
    assert list(table.columns) == ["BSI acc.", "BDU acc.", "BDU MAE", "BDU dir.", "ATI"]
    printed = run.results["results"]["hugagent"]
    cell = f"{printed['ati,none']:.2f} ± {printed['ati_stderr,none']:.2f}"
    assert table.loc["oracle", "ATI"] == cell
    # The run's own source of data is found again, and the samples are what they say.
    checks = {check.name: check.passed for check in found.scored[0].checks}
    assert checks == dict.fromkeys(checks, True)
    assert "documents" in checks


def test_what_a_run_does_not_have_is_a_dash(tmp_path: Path) -> None:
    run_of(
        tmp_path, [letter("i1", "A", "A"), letter("i2", "A", "A", participant_id="P2")], task=BSI
    )
    run_of(tmp_path, [opinion("i1", "7", "8")], task=BDU)
    table = tables.paper_tables(scores(tmp_path))["hugagent-synthetic"].set_index("Model")
    letters, numbers = table.loc[f"some-model, {BSI}"], table.loc[f"some-model, {BDU}"]
    assert (letters["BSI acc."], letters["BDU MAE"]) == ("100.00 ± 0.00", "–")
    # Of one person no standard error is known.
    assert (numbers["BSI acc."], numbers["BDU MAE"]) == ("–", "0.50")


@pytest.mark.attack(
    "Markdown or LaTeX in a model's name",
    outcome="shown as text",
    against="pages",
)
def test_names_are_text_in_markdown() -> None:
    table = pd.DataFrame([[HOSTILE, "1.00 ± 0.10"], ["b", "–"]], columns=["Model", "100u"])
    lines = tables.as_markdown(table).splitlines()
    assert len(lines) == 4
    # Two unescaped bars at the ends, one between the cells.
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    assert "<" not in lines[2]
    _, name, value, _ = re.split(r"(?<!\\)\|", lines[2])
    for sign in "_*`[]~#$":
        assert re.search(rf"(?<!\\){re.escape(sign)}", name) is None, sign
    assert value.strip() == "1.00 ± 0.10"
    assert "\x1b" not in lines[2]


@pytest.mark.attack(
    "Markdown or LaTeX in a model's name",
    outcome="shown as text",
    against="pages",
)
def test_names_are_text_in_latex() -> None:
    table = pd.DataFrame(
        [[HOSTILE, "1.00 ± 0.10"], ["[chance]", "50.00"]], columns=["Model", "100u"]
    )
    text = tables.as_latex(table)
    for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\begin{tabular}{lr}"):
        assert text.count(rule) == 1
    assert text.count(r"\end{tabular}") == 1
    assert r"1.00 $\pm$ 0.10 \\" in text
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    hostile, reference = body.strip().splitlines()
    # After what is escaped, and our own signs, nothing that LaTeX would take for more than text.
    commands = (
        r"\\text(backslash|asciitilde|asciicircum) (\\space )?|\\text(less|greater|bar)\{\}"
        r"|\\[&%$#_{}]|\$\\pm\$"
    )
    rest = re.sub(commands, "", hostile.removesuffix(r" \\"))
    assert re.findall(r"[\\$#_{}%^<>|]", rest) == []
    assert rest.count("&") == 1
    # A bracket right after the end of a row would be read as the distance to the next row.
    assert reference.startswith("{}[chance]")


def test_every_number_survives_csv(two: analysis.Scores, tmp_path: Path) -> None:
    paths = tables.write_tables(two, tmp_path)
    assert [path.name for path in paths] == [
        "scores.csv",
        "table_hugagent-synthetic.md",
        "table_hugagent-synthetic.tex",
    ]
    again = pd.read_csv(tmp_path / "scores.csv")
    pd.testing.assert_frame_equal(again, two.table(), check_dtype=False, check_exact=True)


def test_hostile_names_survive_csv(tmp_path: Path) -> None:
    name = 'a,"b"\n\'=1+1 <i> | _x_'
    run_of(tmp_path / "in", [opinion("i1", "7", "7")], model=name)
    found = scores(tmp_path / "in")
    assert found.scored[0].run.name == name
    tables.write_tables(found, tmp_path / "out")
    text = (tmp_path / "out" / "scores.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["model"] for row in rows} == {name}


@pytest.mark.parametrize("ending", ["md", "tex"])
def test_written_tables_end_with_a_line_break_and_hold_every_model(
    ending: str, two: analysis.Scores, tmp_path: Path
) -> None:
    tables.write_tables(two, tmp_path)
    text = (tmp_path / f"table_hugagent-synthetic.{ending}").read_text(encoding="utf-8")
    assert text.endswith("\n")
    assert {"random", "corrupted-oracle"} <= {*re.split(r"[|&\n] *| +(?=[|&])", text)}
