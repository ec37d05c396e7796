"""Write the golden files again: `python -m tests.golden.write [PART …]`.

Nothing is written where a task's prompts, decoding, metrics or scores have changed, or the rows of a
release, under their old version; `--keep-version TASK` (or `all`) says that this is right all the same.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.golden import (
    board,
    data,
    journal,
    outputs,
    pinned,
    prompts,
    scores,
    shelf,
    texts,
    versions,
)

LIBRARIES = "libraries.json"

_FORMING = ("pyarrow", "rich", "typer")
ALL = "all"

Files = dict[str, str]
Collect = Callable[[Path], Files]


def _board(folder: Path) -> Files:
    found, said = board.collect(folder)
    return {board.NAME: texts.as_json(found), board.SAID: said}


PARTS: Mapping[str, Collect] = {
    "prompts": lambda folder: {prompts.NAME: texts.as_json(prompts.collect(folder))},
    "scores": lambda folder: {scores.NAME: texts.as_json(scores.collect(folder))},
    "data": lambda folder: {data.NAME: texts.as_json(data.collect(folder))},
    "outputs": lambda _: {outputs.HELP: outputs.helps(), outputs.PRINTED: outputs.printed()},
    "board": _board,
}
"""What makes the golden files, but for the journal."""


def refusals(before: Mapping[str, Any], now: Mapping[str, Any], kept: Collection[str]) -> list[str]:
    """What speaks against writing files in the place of others, both as JSON by name: messages.

    kept  tasks and datasets whose version need not be raised
    """
    releases = [one.get(data.NAME, {}).get("releases", {}) for one in (before, now)]
    asked = now.get(prompts.NAME) or before.get(prompts.NAME, {})
    excused = versions.of_new_data(asked, *releases) | set(kept)
    if ALL in excused:
        return []
    told = []
    for part, unraised in ((prompts, versions.tasks), (scores, versions.scores)):
        # What is not there yet, or not written now, has not changed.
        found = unraised(before.get(part.NAME, {}), now.get(part.NAME, {}), excused)
        if found:
            told.append(versions.told(found, part.CHANGED))
    if found := [one for one in versions.datasets(*releases) if one.name not in kept]:
        told.append(versions.told_of_data(found))
    return told


def _journal(
    folder: Path, before: Mapping[str, Any], now: Mapping[str, Any], *, anew: bool
) -> tuple[Files, list[str]]:
    """The journal and what resuming it finds; a new one where it must be, and messages.

    An old journal is of use only while it is old: it is replaced where its tasks ask something else,
    and else only by `--new-journal`.
    """
    asked = [found.get(prompts.NAME, {}) for found in (before, now)]
    moved = any(asked[0].get(task) != (asked[1] or asked[0]).get(task) for task in journal.TASKS)
    files: Files = {}
    if anew or moved or not (texts.FOLDER / journal.JOURNAL).is_file():
        files[journal.JOURNAL] = journal.made(folder)
    found = journal.collect(folder, files.get(journal.JOURNAL))
    refused = [journal.NOT_RESUMED.format(**found)] if found["asked"] else []
    return files | {journal.NAME: texts.as_json(found)}, refused


def _but_for_rounding(files: Files, before: Mapping[str, Any]) -> Files:
    """Files without those whose last bits alone are another processor's: the old ones stay.

    All stay or none does, because it is noted once where they were written.
    """
    for part in (scores, board):
        if part.NAME in files and part.NAME in before:
            found = (before[part.NAME], json.loads(files[part.NAME]))
            if texts.differences(*map(part.rounded_otherwise, found), near=True):
                return files
    kept = (scores.NAME, board.NAME, board.SAID)
    print(f"Numbers are rounded otherwise here: {', '.join(kept)} stay as they are.")
    return {name: text for name, text in files.items() if name not in kept}


def _committed() -> dict[str, Any]:
    names = [path.name for path in texts.FOLDER.glob("*.json")]
    return {name: texts.committed(name) for name in names}


def main(arguments: Sequence[str]) -> int:
    """Write what has changed; returns 1 where nothing was written."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.write", description=__doc__)
    known = [*PARTS, "journal"]
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(known)}; default: all"
    )
    parser.add_argument("--keep-version", nargs="+", action="extend", default=[], metavar="TASK")
    parser.add_argument(
        "--new-journal", action="store_true", help="although the old one is resumed"
    )
    told = parser.parse_args(arguments)
    if strangers := set(told.parts) - set(known):
        parser.error(
            f"there is no part {', '.join(sorted(strangers))}; there are: {', '.join(known)}"
        )
    wanted = told.parts or known
    texts.FOLDER.mkdir(exist_ok=True)
    before = _committed()
    files: Files = {}
    with shelf.stocked() as folder:
        for part, collect in PARTS.items():
            if part in wanted:
                print(f"{part} …", flush=True)
                files |= collect(folder)
        numerics = pinned.numerics()
        rounds_alike = before.get(LIBRARIES, {}).get("numerics", numerics) == numerics
        if not rounds_alike:
            files = _but_for_rounding(files, before)
            if {scores.NAME, board.NAME} & files.keys() and {*PARTS} - {*wanted}:
                parser.error("numbers are rounded otherwise here, and change: write all parts")
        now = {name: json.loads(text) for name, text in files.items() if name.endswith(".json")}
        now.setdefault(data.NAME, {**before.get(data.NAME, {}), "releases": data.releases()})
        refused = refusals(before, now, told.keep_version)
        if "journal" in wanted:
            print("journal …", flush=True)
            more, others = _journal(folder, before, now, anew=told.new_journal)
            files, refused = files | more, refused + others
    if refused:
        print("\n\n".join([*refused, "Nothing was written."]), file=sys.stderr)
        return 1
    made_with: dict[str, Any] = {name: importlib.metadata.version(name) for name in _FORMING}
    anew = rounds_alike or scores.NAME in files
    made_with["numerics"] = numerics if anew else before[LIBRARIES]["numerics"]
    files[LIBRARIES] = texts.as_json(made_with)
    changed = [name for name, text in sorted(files.items()) if texts.write(name, text)]
    print(f"Written: {', '.join(changed)}" if changed else "All were as they are.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
