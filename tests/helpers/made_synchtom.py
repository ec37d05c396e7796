"""A small release of users with a wrong belief, written by the scripted author and read by nobody."""

from __future__ import annotations

import json
from pathlib import Path

from otherminds.construct import Plan, importing, pipelines, release
from otherminds.construct import folder as folders
from otherminds.construct.replies import Who
from tests.helpers.scripted_author import sheets
from tests.helpers.scripted_synchtom import good

_WRITERS = {"validation": "Vera", "rubric_audit": "Vera"}


def write(out: Path, work: Path, n: int = 8) -> Path:
    """Write the release into `out`; the construction lies in `work`."""
    folders.export(pipelines.named("synchtom"), Plan(n=n), work)
    while waiting := sheets(work):
        now = folders.opened(work).state()
        stage = waiting[0]["stage"]
        if stage == "reading":
            break
        lines = []
        for sheet in waiting:
            unit = now.unit(sheet["sheet_id"].partition(".")[0])
            said = {"sheet_id": sheet["sheet_id"], "reply": good(unit, stage)}
            lines.append(json.dumps(said, ensure_ascii=False))
        came = work / "came.jsonl"
        came.write_text("\n".join(lines), encoding="utf-8")
        importing.import_(folders.opened(work), [came], Who(_WRITERS.get(stage, "Ada")))
    release.release(folders.opened(work), out, unread=True)
    return out
