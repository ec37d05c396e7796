"""A study of 10,000 interviews in one database: its list, quality control, and the export of all of it.

Sessions are copies, under other ids, of those of 20 simulated people. Graphs after every answer are not
exported. Run: python -m performance.interviews
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from pathlib import Path

from otherminds.interview import casting, simulating
from otherminds.interview.config import Config, topic_named
from otherminds.interview.participant import known_graph
from otherminds.interview.records import config_json, session_of
from otherminds.interview.session import Session
from otherminds.interview.store import Store
from otherminds.interview.studies import Agent
from otherminds.interview.study import LABELS
from performance.machine import used_by
from performance.ratio import Ratio, print_table

DATA = "simulated"
SESSIONS, PEOPLE = 10_000, 20
SECONDS, MEGABYTES = "<= 30", "<= 500"


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        place, out = Path(folder) / "study", Path(folder) / "out"
        fill(place, SESSIONS)
        program = str(Path(sys.executable).with_name("otherminds"))
        ratios = []
        for name, words in (
            ("list", ["list", "--json"]),
            ("check", ["check"]),
            ("export", ["export", str(out)]),
        ):
            used = used_by([program, "interview", *words, "--data", str(place)])
            claim = f"interview {name} of {SESSIONS:,} sessions"
            note = f"{used.clock:.1f} s by the clock"
            ratios += [
                Ratio.alone(claim, used.cpu, "CPU s", target=SECONDS, note=note),
                Ratio.alone(f"{claim}: peak memory", used.peak_mb, "MB", target=MEGABYTES),
            ]
    return ratios


def fill(place: Path, sessions: int) -> None:
    """Interview a few simulated people, and copy their sessions."""
    topic = topic_named("night_buses")
    config = Config(topic=topic)
    people = [
        Agent(
            f"A{number:05d}",
            topic.name,
            known_graph(number, nodes=9, edges=14, labels=LABELS, stance_label=topic.stance_label),
            {},
            (),
        )
        for number in range(min(PEOPLE, sessions))
    ]
    with Store(place, create=True) as store:
        simulating.simulate(store, {topic.name: config}, people, casting.scripted)
        names = [simulating.session_id_of(one) for one in people]
        records = [*store.records(names, events=True)]
        text = config_json(_session(store, names[0]))
        for number in range(len(people), sessions):
            one = records[number % len(records)]
            person = f"A{number:05d}"
            summary = dataclasses.replace(
                one.summary, id=f"{person}-{topic.name}", participant_id=person
            )
            store.begin(dataclasses.replace(one, summary=summary), text)


def _session(store: Store, name: str) -> Session:
    record = store.load(name)
    return session_of(record, store.config(record.summary.config_hash))


if __name__ == "__main__":
    main()
