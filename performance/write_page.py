"""Write docs/reference/performance.md from what `python -m performance.run --out FILE.json` measured.

Of several files, a benchmark's numbers are those of the last that has it; all must be of one machine.
Run: python -m performance.write_page FILE.json … [--out FILE.md]
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from performance import answers
from performance.claims import Claim, claims
from performance.ratio import DATA, Ratio, from_json, number

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "performance.md"
REASONS = Path(__file__).with_name("reasons.yaml")
COLUMNS = ("what", "ours", "reference", "unit", "ratio", "target", "met", "data")
_RULE = "| --- | ---: | ---: | --- | ---: | --- | --- | --- |"

_HEAD = """\
# Performance
"""

_READING = """\
## How to read the tables

Wherever there is a reference, it was measured in the same run on the same machine. The target is for
`ratio`: ours divided by the reference or, where the target is a factor to gain, the reference divided by
ours. Of a number without a reference, the target is for the number itself. Where a table has several
references, the one that is hardest to beat stands first.

Seconds of a processor (CPU) are those of a program and of all that it started. They are the honest clock
of a machine whose cores others use too: by the clock, the same run takes longer beside a neighbour.

One claim has one verdict. Where a target is held for many tasks, commands or datasets, the table has one
row, which is met only where all of them are within; the numbers of each are folded up below it.

`data` says whose data a row took: {data}. {real}

`performance/write_page.py` writes this page, the five lines at its beginning included: only the reasons
for missed targets are written by hand, in `performance/reasons.yaml`.
"""

_AGAIN = """\
## Measuring it again

```sh
python -m performance.run --out measured.json       # everything; --only NAME … for some
python -m performance.write_page measured.json      # this page
```

From the checkout's root, with nothing else running: times in "s" are of the clock, those in "CPU s" of
the processor. `python -m performance.NAME` runs one benchmark by itself and prints its table.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measured", type=Path, nargs="+", metavar="FILE.json")
    parser.add_argument("--out", type=Path, default=PAGE)
    parser.add_argument("--reasons", type=Path, default=REASONS)
    told = parser.parse_args(arguments)
    found = together([json.loads(path.read_text(encoding="utf-8")) for path in told.measured])
    reasons = yaml.safe_load(told.reasons.read_text(encoding="utf-8")) or {}
    told.out.write_text(page(found, reasons), encoding="utf-8")
    for name in without_reason(found, reasons):
        print(f"Warning: the target of '{name}' is missed: say why in {told.reasons.name}.")
    for name in without_need(found, reasons):
        print(f"Warning: '{name}' in {told.reasons.name} is the name of no missed target.")
    for name in without_data(found):
        print(f"Warning: '{name}' does not say whose data it took.")
    print(f"Written: {told.out}", file=sys.stderr)


def together(files: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What several runs of `performance.run` measured, in the order of the first; dated as the last.

    Raises ValueError for runs on different machines or with different versions of packages.
    """
    machines = [{**one["machine"], "date": ""} for one in files]
    if any(one != machines[0] for one in machines):
        raise ValueError(
            "These files are of different machines or package versions: measure again."
        )
    ratios: dict[str, list[dict[str, Any]]] = {}
    failed: dict[str, bool] = {}
    for one in files:
        anew: dict[str, list[dict[str, Any]]] = {}
        for entry in one["ratios"]:
            anew.setdefault(entry["benchmark"], []).append(entry)
        ratios |= anew
        failed |= dict.fromkeys(anew, False) | dict.fromkeys(one["failed"], True)
    return {
        "machine": files[-1]["machine"],
        "ratios": [entry for entries in ratios.values() for entry in entries],
        "failed": [name for name, is_failed in failed.items() if is_failed],
    }


def page(found: Mapping[str, Any], reasons: Mapping[str, str]) -> str:
    """The page in Markdown.

    found    what `ratio.write_json` wrote
    reasons  why a target is missed, by the name of the claim
    """
    measured = by_benchmark(found)
    parts = [_HEAD, *answers.lines(measured), ""]
    parts += [_machine(found["machine"]), _verdict(found), _reading(measured)]
    parts += [_section(name, ratios, reasons) for name, ratios in measured.items()]
    return "\n".join([*parts, _AGAIN])


def without_reason(found: Mapping[str, Any], reasons: Mapping[str, str]) -> list[str]:
    """The names of the claims whose target is missed, and nobody said why."""
    return [one.name for one in _missed(found) if one.name not in reasons]


def without_need(found: Mapping[str, Any], reasons: Mapping[str, str]) -> list[str]:
    """The names that reasons are given for, and that no missed claim has."""
    missed = {one.name for one in _missed(found)}
    return [name for name in reasons if name not in missed]


def without_data(found: Mapping[str, Any]) -> list[str]:
    """The names of the rows that do not say whose data they took."""
    return [one["name"] for one in found["ratios"] if one.get("data", "") not in DATA]


def _claims(found: Mapping[str, Any]) -> list[Claim]:
    return [one for ratios in by_benchmark(found).values() for one in claims(ratios)]


def _missed(found: Mapping[str, Any]) -> list[Claim]:
    return [one for one in _claims(found) if one.is_met is False]


def by_benchmark(found: Mapping[str, Any]) -> dict[str, list[Ratio]]:
    """The ratios of each benchmark, in the order in which they ran."""
    ratios: dict[str, list[Ratio]] = {}
    for entry in found["ratios"]:
        fields = {name: value for name, value in entry.items() if name != "benchmark"}
        ratios.setdefault(entry["benchmark"], []).append(from_json(fields))
    return ratios


def _machine(told: Mapping[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in told["packages"].items())
    return (
        f"Measured on {told['date']}: {told['processor']}, {told['cores']} cores, "
        f"{told['memory_gb']:g} GB of memory, {told['system']}, Python {told['python']}; {versions}.\n"
    )


def _reading(measured: Mapping[str, Sequence[Ratio]]) -> str:
    """How the tables are read, with the words for data that stand in them."""
    used = {one.data for ratios in measured.values() for one in ratios}
    words = "; ".join(f"*{name}*: {meaning}" for name, meaning in DATA.items() if name in used)
    real = "" if "real" in used else "No row was measured on the answers of real people."
    return _READING.format(data=words, real=real).replace(" \n", "\n")


def _verdict(found: Mapping[str, Any]) -> str:
    held = [one for one in _claims(found) if one.target]
    verdicts = [one.is_met for one in held]
    said = f"Claims that hold: {verdicts.count(True)} of {len(held)}"
    if unclear := verdicts.count(None):
        said += f"; without a verdict: {unclear}"
    if found["failed"]:
        said += f". These benchmarks failed and have no numbers: {', '.join(found['failed'])}"
    missed = [one for one in held if one.is_met is False]
    if not missed:
        return f"{said}.\n"
    listed = "".join(f"\n- {_counted(one)}" for one in missed)
    return f"{said}. Missed, for reasons that stand below each table:\n{listed}\n"


def _counted(claim: Claim) -> str:
    return f"{claim.name} ({claim.within} within)" if len(claim.rows) > 1 else claim.name


def _section(name: str, ratios: Sequence[Ratio], reasons: Mapping[str, str]) -> str:
    found = claims(ratios)
    lines = [f"## {name}", ""]
    if about := _about(name):
        lines += [about, ""]
    lines += _table([_claimed(one) for one in found])
    below = list(_below(found, reasons))
    lines += ["", *below] if below else []
    for one in found:
        if len(one.rows) > 1:
            lines += ["", *_folded(one)]
    return "\n".join([*lines, ""])


def _about(name: str) -> str:
    """A benchmark's own description, as its file begins; "" for one that is no file here."""
    path = Path(__file__).with_name(f"{name}.py")
    if not path.exists():
        return ""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    # How it is run by itself is said once, at the end of the page.
    return said.partition("Run: python -m")[0].strip()


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    return [_row(COLUMNS), _RULE, *map(_row, rows)]


def _claimed(claim: Claim) -> Sequence[str]:
    """The line of a claim: that of its only row, or of all of them together."""
    if len(claim.rows) == 1:
        return _cells(claim.rows[0])
    nothing = number(math.nan)
    ours, ratio = (nothing, claim.worst) if claim.has_reference else (claim.worst, nothing)
    unit = next((one.unit for one in claim.rows if one.unit), "")
    met = f"{_met(claim.is_met, claim.target)}: {claim.within}" if claim.target else ""
    return (claim.name, ours, nothing, unit, ratio, claim.target, met, claim.data)


def _cells(one: Ratio) -> Sequence[str]:
    numbers = (number(one.ours), number(one.reference), one.unit, number(one.ratio))
    return (one.name, *numbers, one.target, _met(one.is_met, one.target), one.data)


def _folded(claim: Claim) -> list[str]:
    """The rows of a claim in a table that is opened by a click."""
    inside = [*_table(map(_cells, claim.rows)), ""]
    notes = list(_noted(claim.rows))
    inside += [*notes, ""] if notes else []
    return [f"<details><summary>{claim.name}: each of them</summary>", "", *inside, "</details>"]


def _met(is_met: bool | None, target: str) -> str:
    if is_met is None:
        return "no verdict" if target else ""
    return "yes" if is_met else "**no**"


def _below(found: Iterable[Claim], reasons: Mapping[str, str]) -> Iterator[str]:
    """A line for each claim of which there is something to say."""
    for one in found:
        alone = one.rows[0].note if len(one.rows) == 1 else ""
        said = [f"{alone}."] if alone else []
        if one.is_met is False:
            said.append(f"**Missed**: {reasons.get(one.name, 'no reason is given yet.').strip()}")
        if said:
            yield f"- {one.name}: {' '.join(said)}"


def _noted(rows: Iterable[Ratio]) -> Iterator[str]:
    """The notes of rows, each once with all rows that it is of."""
    names: dict[str, list[str]] = {}
    for one in rows:
        if one.note:
            names.setdefault(one.note, []).append(one.name)
    for note, of in names.items():
        yield f"- {'; '.join(of)}: {note}."


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    main()
