"""Authors, validators, raters and readers of the worked example's pipeline, as scripts."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from otherminds.construct import Unit, blind, importing
from otherminds.construct import folder as folders
from otherminds.construct.importing import Imported
from otherminds.construct.replies import Who
from otherminds.construct.together import answer_name
from tests.conftest import ROOT

TOY = ROOT / "tests" / "toy"

Sheet = Mapping[str, Any]
Author = Callable[[Sheet], Any]
"""From a sheet to a reply: a text, or what becomes one as JSON."""

_POINT = "[otherminds.benchmarks]\ncommute = commute_minds.tasks.commute.benchmark:BENCHMARK\n"


def site(folder: Path) -> list[str]:
    """What PYTHONPATH needs for the worked example to be found as an installed package is."""
    info = folder / "commute_minds-0.1.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: commute-minds\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(_POINT)
    return [str(folder), str(TOY)]


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """While the block runs, the worked example is an installed package of this process."""
    from tests.helpers import command_line

    with pytest.MonkeyPatch.context() as patch:
        for place in site(folder):
            patch.syspath_prepend(place)
        _forget(command_line)
        yield
    _forget(command_line)
    for name in [one for one in sys.modules if one.partition(".")[0] == "commute_minds"]:
        del sys.modules[name]


def _forget(command_line: Any) -> None:
    from otherminds import manifest

    command_line._forget()
    manifest.load.cache_clear()
    # Of these, the modules are content to the helper of commands.
    for name in ("otherminds.prompts", "otherminds.harness.tasks"):
        for value in vars(sys.modules[name]).values() if name in sys.modules else ():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def good(sheet: Sheet) -> Any:
    """What each sheet asks for, in words of the unit's own."""
    name = str(sheet["sheet_id"])
    prompt = str(sheet["prompt"])
    match sheet["stage"]:
        case "habits":
            ways = dict(re.findall(r"^- (dry|wet|icy): (.+)$", prompt, re.MULTILINE))
            mark = name.partition(".")[0].replace("-", " ")
            lines = [f"On {weather} days {mark} goes {way}." for weather, way in ways.items()]
            return {"lines": lines}
        case "evening":
            return {
                "scene": f"The lamp of {name.partition('.')[0]} went out late, and it was quiet."
            }
        case "validation":
            return {"truth": 5, "reason": "all is told"}
        case "rating":
            return {"coherence": 5, "rationality": 4, "authenticity": 4}
        case "reading":
            return {"answer": _looked_up(prompt)}
    raise AssertionError(sheet["stage"])


def _looked_up(prompt: str) -> str:
    """The letter of the way that the habits tell for the morning's weather."""
    said = re.search(r"it is (\w+) outside", prompt)
    assert said is not None
    told = re.search(rf"On {said[1]} days .* goes (.+)\.", prompt)
    assert told is not None
    found = re.search(rf"^([A-D])\. {re.escape(told[1])}$", prompt, re.MULTILINE)
    assert found is not None
    return found[1]


def sheets(folder: Path, *names: str) -> list[dict[str, Any]]:
    """The sheets that wait, of all files or of some."""
    files = sorted((folder / "sheets").glob("*.jsonl"))
    return [
        json.loads(line)
        for path in files
        if not names or path.stem in names
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def answer(found: Sequence[Sheet], author: Author, path: Path) -> Path:
    """Write an author's replies to sheets as a file."""
    lines = []
    for sheet in found:
        reply = author(sheet)
        text = reply if isinstance(reply, str) else json.dumps(reply)
        lines.append(json.dumps({"sheet_id": sheet["sheet_id"], "reply": text}))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def replied(path: Path, said: Mapping[str, Any], name: str) -> Imported:
    """Import replies of one name into a construction, by sheet."""
    came = path / "came.jsonl"
    lines = [json.dumps({"sheet_id": one, "reply": json.dumps(it)}) for one, it in said.items()]
    came.write_text("\n".join(lines), encoding="utf-8")
    return importing.import_(folders.opened(path), [came], Who(name))


def read_together(path: Path, turn: int, give: Callable[[blind.Item], str]) -> None:
    """The blind readers of a round answer sheets of several items each, from an item to its answer."""
    for slot in (1, 2):
        found = folders.opened(path)
        said = {}
        for name, sheet in blind.asked(found, found.state()).items():
            assert isinstance(sheet, blind.Asked)
            if sheet.slot == slot:
                said[name] = {
                    answer_name(number): give(item) for number, item in sheet.items.items()
                }
        if said:
            replied(path, said, f"Reader {turn} {slot}")


def stepped(path: Path, write: Callable[[Unit, str], Any]) -> Imported:
    """An author answers what waits, from a unit and the name of a stage."""
    now = folders.opened(path).state()
    said = {}
    for sheet in sheets(path):
        unit_id, stage, _ = sheet["sheet_id"].split(".")
        said[sheet["sheet_id"]] = write(now.unit(unit_id), stage)
    return replied(path, said, "Ada")
