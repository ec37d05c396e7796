"""Write docs/performance.md from what `python -m performance.run --out FILE.json` measured.

Of several files, a benchmark's numbers are those of the last that has it; all must be of one machine.
Run: python -m performance.write_page FILE.json … [--out FILE.md]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from performance.ratio import Ratio, from_json, number

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
REASONS = Path(__file__).with_name("reasons.yaml")
COLUMNS = ("what", "ours", "reference", "unit", "ratio", "target", "met")

_HEAD = """\
# Performance

Wherever there is a reference, it was measured in the same run on the same machine. The target is for
`ratio`: ours divided by the reference or, where the target is a factor to gain, the reference divided by
ours. Of a number without a reference, the target is for the number itself. `performance/write_page.py`
writes this page: only the reasons for missed targets are written by hand, in
`performance/reasons.yaml`.
"""

_AGAIN = """\
## Measuring it again

```sh
python -m performance.run --out measured.json       # everything; --only NAME … for some
python -m performance.write_page measured.json      # this page
```

From the checkout's root, with nothing else running: most times are of the clock.
`python -m performance.NAME` runs one benchmark by itself and prints its table.
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
    reasons  why a target is missed, by the ratio's name
    """
    parts = [_HEAD, _machine(found["machine"]), _verdict(found)]
    parts += [_section(name, ratios, reasons) for name, ratios in by_benchmark(found).items()]
    return "\n".join([*parts, _AGAIN])


def without_reason(found: Mapping[str, Any], reasons: Mapping[str, str]) -> list[str]:
    """The names of the ratios whose target is missed, and nobody said why."""
    return [
        one.name
        for ratios in by_benchmark(found).values()
        for one in ratios
        if one.is_met is False and one.name not in reasons
    ]


def without_need(found: Mapping[str, Any], reasons: Mapping[str, str]) -> list[str]:
    """The names that reasons are given for, and that no missed target has."""
    missed = {one["name"] for one in found["ratios"] if one["is_met"] is False}
    return [name for name in reasons if name not in missed]


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


def _verdict(found: Mapping[str, Any]) -> str:
    verdicts = [one["is_met"] for one in found["ratios"] if one["target"]]
    said = f"Targets met: {verdicts.count(True)} of {len(verdicts)}"
    if unclear := verdicts.count(None):
        said += f"; without a verdict: {unclear}"
    if found["failed"]:
        said += f". These benchmarks failed and have no numbers: {', '.join(found['failed'])}"
    missed = [one["name"] for one in found["ratios"] if one["is_met"] is False]
    if not missed:
        return f"{said}.\n"
    listed = "".join(f"\n- {name}" for name in missed)
    return f"{said}. Missed, for reasons that stand below each table:\n{listed}\n"


def _section(name: str, ratios: Sequence[Ratio], reasons: Mapping[str, str]) -> str:
    lines = [f"## {name}", "", _row(COLUMNS), "| --- | ---: | ---: | --- | ---: | --- | --- |"]
    lines += [
        _row(
            (
                one.name,
                number(one.ours),
                number(one.reference),
                one.unit,
                number(one.ratio),
                one.target,
                _met(one),
            )
        )
        for one in ratios
    ]
    below = list(_below(ratios, reasons))
    return "\n".join([*lines, *(["", *below] if below else []), ""])


def _met(one: Ratio) -> str:
    if one.is_met is None:
        return "no verdict" if one.target else ""
    return "yes" if one.is_met else "**no**"


def _below(ratios: Sequence[Ratio], reasons: Mapping[str, str]) -> Iterator[str]:
    """A line for each ratio of which there is something to say."""
    for one in ratios:
        said = [f"{one.note}."] if one.note else []
        if one.is_met is False:
            said.append(f"**Missed**: {reasons.get(one.name, 'no reason is given yet.').strip()}")
        if said:
            yield f"- {one.name}: {' '.join(said)}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    main()
