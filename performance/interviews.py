"""Measure a study of many sessions: listing, quality control, and the export of transcripts and graphs.

    python -m performance.interviews --sessions 10000

Sessions are copies, under other ids, of a few simulated ones. Each command runs in a process of its own,
whose time and peak of memory are printed.
"""

from __future__ import annotations

import argparse
import dataclasses
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from otherminds.interview import casting, simulating
from otherminds.interview.config import Config, topic_named
from otherminds.interview.participant import known_graph
from otherminds.interview.records import config_json
from otherminds.interview.store import Store
from otherminds.interview.studies import Agent
from otherminds.interview.study import LABELS

_COPIED = 20


def fill(place: Path, sessions: int) -> None:
    """Interview some simulated people, and copy their sessions."""
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
        for number in range(min(_COPIED, sessions))
    ]
    with Store(place, create=True) as store:
        simulating.simulate(store, {topic.name: config}, people, casting.scripted)
        names = [simulating.session_id_of(one) for one in people]
        records = [*store.records(names, events=True)]
        text = config_json(_any_session(store, names[0]))
        for number in range(len(people), sessions):
            one = records[number % len(records)]
            person = f"A{number:05d}"
            summary = dataclasses.replace(
                one.summary, id=f"{person}-{topic.name}", participant_id=person
            )
            store.begin(dataclasses.replace(one, summary=summary), text)


def _any_session(store: Store, name: str):
    from otherminds.interview import records

    record = store.load(name)
    return records.session_of(record, store.config(record.summary.config_hash))


def measure(words: list[str]) -> tuple[float, float]:
    """Seconds and MB (peak resident memory) of `otherminds WORDS`."""
    began = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    script = "import sys; from otherminds.cli.main import main; main()"
    subprocess.run(
        [sys.executable, "-c", f"{script}", *words], stdout=subprocess.DEVNULL, check=True
    )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return time.perf_counter() - began, max(peak, before) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--place", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = given.place or Path(folder) / "study"
        if not place.exists():
            began = time.perf_counter()
            fill(place, given.sessions)
            print(f"filled in {time.perf_counter() - began:.1f} s")
        out = Path(folder) / "out"
        for name, words in (
            ("list", ["interview", "list", "--json"]),
            ("check", ["interview", "check"]),
            ("export", ["interview", "export", str(out)]),
        ):
            seconds, megabytes = measure([*words, "--data", str(place)])
            print(f"{name}: {seconds:.1f} s, peak so far {megabytes:.0f} MB")


if __name__ == "__main__":
    main()
