"""A study's pages under 200 people at once, each of whom answers every 10 to 30 seconds.

A scripted model reads every answer, a second after it was asked. Measured is the time from sending an
answer until the next page is there, and whether every answer that was acknowledged is in the database:
on SQLite and, where PostgreSQL is installed, on a server of its own. Run: python -m performance.study
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
from cryptography.fernet import Fernet

from otherminds.interview import questionnaire, records
from otherminds.interview.config import Config
from otherminds.interview.interviewing import Interviewer
from otherminds.interview.pages.secret import Secret
from otherminds.interview.participant import Participant, known_graph
from otherminds.interview.participation import Participants, Progress, new_pseudonym
from otherminds.interview.recruitment import VARIABLE
from otherminds.interview.store import Store
from otherminds.interview.study import LABELS
from otherminds.running.finish import Reply
from performance.ratio import Ratio, print_table
from tests.interview.people import TOPIC, RulesBehindAServer

DATA = "simulated"
PEOPLE, ANSWERS = 200, 8
LEAST_WAIT, LONGEST_WAIT = 10.0, 30.0
MODEL_SECONDS = 1.0
TOKEN = "a token that only this measurement has"
TARGET_MS, TARGET_LOST = "< 300", "<= 0"


class ScriptedModel(RulesBehindAServer):
    """Reads answers by rules, as slowly as a model does."""

    def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
        threading.Event().wait(MODEL_SECONDS)
        return super().reply(messages, schema)


def main() -> None:
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2], int(sys.argv[3]))
        return
    print_table(measure())


def measure() -> list[Ratio]:
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        ratios += _measured("SQLite", f"{folder}/study")
    with _postgresql() as address:
        if address is not None:
            ratios += _measured("PostgreSQL", address)
    return ratios


def _measured(name: str, place: str) -> list[Ratio]:
    tokens = prepared(place, PEOPLE)
    with _served(place) as port:
        answered = asyncio.run(_people(port, tokens))
    lost = _lost(place, answered)
    times = sorted(one.seconds * 1000 for one in answered)
    where = f"{PEOPLE} people on {name}"
    note = f"{len(times):,} answers; median {times[len(times) // 2]:.0f} ms, slowest {times[-1]:.0f} ms"
    p95 = times[int(0.95 * len(times))]
    return [
        Ratio.alone(f"{where}: 95 % of answers", p95, "ms", target=TARGET_MS, note=note, data=DATA),
        Ratio.alone(f"{where}: answers lost", lost, "", target=TARGET_LOST, data=DATA),
    ]


# --- the server, in a process of its own


def serve(place: str, port: int) -> None:
    """Serve the prepared study with the scripted model."""
    import uvicorn

    from otherminds.interview.pages.app import application
    from otherminds.interview.pages.site import Site
    from otherminds.interview.study_settings import Study

    with Store(place) as store:
        site = Site(
            store,
            _config(),
            Study(),
            Secret(TOKEN),
            address=f"http://127.0.0.1:{port}",
            server=ScriptedModel(),
        )
        uvicorn.run(application(site), port=port, access_log=False, log_level="warning")


@contextmanager
def _served(place: str) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    words = [sys.executable, "-m", "performance.study", "serve", place, str(port)]
    key = {VARIABLE: Fernet.generate_key().decode()}
    with subprocess.Popen(words, env={**os.environ, **key}) as process:
        try:
            for _ in range(600):
                with socket.socket() as asking:
                    if asking.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield port
        finally:
            process.terminate()


@contextmanager
def _postgresql() -> Iterator[str | None]:
    """The address of a server that ends with the block; None where PostgreSQL is not installed."""
    from tests.interview import test_postgresql as installed

    programs = installed._programs()
    if programs is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="om", dir="/tmp") as folder:
        server = installed.Server(programs, Path(folder), is_durable=True)
        try:
            yield server.address("study")
        finally:
            server.stop()


# --- the people


def prepared(place: str, people: int) -> list[str]:
    """The links of people who have filled in the questionnaire."""
    steps = tuple(one.name for one in questionnaire.pages(TOPIC))
    progress = Progress(consented_at=datetime.now(UTC), steps=steps, attention=True)
    tokens = []
    with Store(place, create=True) as store:
        participants, interviewer = Participants(store), Interviewer(store)
        for _ in range(people):
            person = new_pseudonym()
            tokens.append(participants.admit(person, progress))
            interviewer.begin(_config(), f"{person}-{TOPIC.name}", person)
        interviewer.close()
    return tokens


class Answered:
    """An answer that the server acknowledged, and how long that took."""

    def __init__(self, text: str, seconds: float) -> None:
        self.text, self.seconds = text, seconds


async def _people(port: int, tokens: Sequence[str]) -> list[Answered]:
    limits = httpx2.Limits(max_connections=len(tokens), max_keepalive_connections=len(tokens))
    address = f"http://127.0.0.1:{port}"
    async with httpx2.AsyncClient(base_url=address, limits=limits, timeout=120) as client:
        found = await asyncio.gather(
            *(_person(client, token, number) for number, token in enumerate(tokens))
        )
    return [one for each in found for one in each]


async def _person(client: httpx2.AsyncClient, token: str, number: int) -> list[Answered]:
    chance = random.Random(number)
    graph = known_graph(number, nodes=9, edges=14, labels=LABELS, stance_label=TOPIC.stance_label)
    knows = Participant(graph, TOPIC.policy, seed=number)
    path, check = f"/p/{token}", Secret(TOKEN).form(token)
    page = (await client.get(path)).text
    found: list[Answered] = []
    while len(found) < ANSWERS:
        await asyncio.sleep(chance.uniform(LEAST_WAIT, LONGEST_WAIT))
        question = _between(page, 'name="question" value="', '"')
        if question is None:
            # The model is still reading: the page looks again.
            page = (await client.get(path)).text
            continue
        said = knows.answer(_between(page, '<label for="answer">', "</label>") or "")
        text = f"{said} ({number}, {len(found)})"
        before = time.perf_counter()
        done = await client.post(
            f"{path}/answer",
            data={"check": check, "question": question, "answer": text, "elapsed": "12000"},
            follow_redirects=True,
        )
        if done.status_code != 200:
            raise RuntimeError(f"an answer got {done.status_code}")
        found.append(Answered(text, time.perf_counter() - before))
        page = done.text
    return found


def _between(text: str, begin: str, end: str) -> str | None:
    _, is_there, rest = text.partition(begin)
    return rest.partition(end)[0] if is_there else None


def _lost(place: str, answered: Sequence[Answered]) -> int:
    kept = set()
    with Store(place) as store:
        for record in store.records([one.id for one in store.summaries()]):
            session = records.session_of(record, store.config(record.summary.config_hash))
            kept |= {qa.answer for qa in session.qas}
    return sum(one.text not in kept for one in answered)


def _config() -> Config:
    given = Config(topic=TOPIC)
    parameters = given.parameters.model_copy(update={"model": "scripted"})
    return given.model_copy(update={"parameters": parameters})


if __name__ == "__main__":
    main()
