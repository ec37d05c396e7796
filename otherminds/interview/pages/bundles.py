"""Exports as files that a browser saves. On the server they are gone again when they are sent."""

from __future__ import annotations

import csv
import io
import tempfile
import zipfile
from pathlib import Path
from typing import Final, NamedTuple

from otherminds.interview import exporting, retest
from otherminds.interview.pages.site import Site
from otherminds.sheets import defused

BUNDLES: Final = {
    "interviews": "Transcripts, graphs and events",
    "dynamic": "The same, with the graph after every answer",
    "people": "Questionnaire: everybody's answers and attributes (people.csv)",
    "retest": "Both answers of people who came back (retest.csv)",
}


class Bundle(NamedTuple):
    """A file to be saved."""

    name: str
    media_type: str
    content: bytes


def make(site: Site, what: str) -> Bundle | None:
    """An export by its name; None for a name that there is not."""
    if what in ("interviews", "dynamic"):
        return Bundle(f"{what}.zip", "application/zip", _interviews(site, what == "dynamic"))
    if what == "people":
        return Bundle("people.csv", "text/csv; charset=utf-8", people_csv(site).encode())
    if what == "retest":
        rows = retest.table(site.store, site.participants, site.study)
        return Bundle("retest.csv", "text/csv; charset=utf-8", retest.table_csv(rows).encode())
    return None


def people_csv(site: Site) -> str:
    """A row for each person: attributes, then the answers by id. Private answers are not in it."""
    attributes = [one.name for one in site.study.demographics if not one.private]
    questions = list(dict.fromkeys((one.topic, one.question_id) for one in site.store.survey()))
    answers = {
        (one.participant_id, one.topic, one.question_id): one.content["answer"]
        for one in site.store.survey()
    }
    people = site.store.demographics()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["participant_id", *attributes, *(f"{topic} {id_}" for topic, id_ in questions)]
    )
    for person in sorted(people):
        said = [defused(people[person].get(name, "")) for name in attributes]
        numbers = [str(answers.get((person, *one), "")) for one in questions]
        writer.writerow([person, *said, *numbers])
    return text.getvalue()


def _interviews(site: Site, every_answer: bool) -> bytes:
    names = [one for one in exporting.NAMES if one != exporting.DYNAMIC or every_answer]
    with tempfile.TemporaryDirectory() as folder:
        written = exporting.export(
            site.store, site.store.summaries(), Path(folder), names, is_kept=False
        )
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
            for path in written:
                file.write(path, path.name)
    return packed.getvalue()
