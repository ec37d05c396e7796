"""The same storage on a real PostgreSQL server (Debian's package)."""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import inspect
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from cryptography.fernet import Fernet
from fastapi.testclient import TestClient

from otherminds.errors import OtherMindsError
from otherminds.interview import deletion, exporting, replaying
from otherminds.interview.database import FILE
from otherminds.interview.pages.app import application
from otherminds.interview.pages.rates import Rates
from otherminds.interview.pages.secret import Secret
from otherminds.interview.pages.site import Site
from otherminds.interview.readers import RuleReader
from otherminds.interview.recruitment import VARIABLE, Recruitment
from otherminds.interview.store import Store
from otherminds.interview.study_settings import Study
from tests.interview import people, test_kills, test_model_calls, test_replay, test_storage
from tests.interview.pages import study as pages

pytestmark = pytest.mark.postgresql

PROGRAMS = "OTHERMINDS_POSTGRESQL"
"""The folder of the server's programs; where it is given, nothing is skipped."""

SECRET = "My neighbour Hildegard snores through the zebra crossing"


def _programs() -> Path | None:
    if given := os.environ.get(PROGRAMS):
        return Path(given)
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


def _unprivileged() -> str:
    """A user that the server may run as: it refuses to for root."""
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise AssertionError("This machine has neither a user postgres nor nobody.")


class Server:
    """A server in a folder of its own; nothing is written for good, unless `is_durable`."""

    def __init__(self, programs: Path, folder: Path, *, is_durable: bool = False) -> None:
        self.data = folder / "data"
        self.user = _unprivileged() if os.geteuid() == 0 else getpass.getuser()
        if os.geteuid() == 0:
            shutil.chown(folder, self.user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._programs = programs
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "tester", "--no-sync")
        options = f"-p {self.port} -k {folder} -c listen_addresses=127.0.0.1"
        options += "" if is_durable else " -c fsync=off"
        self._run("pg_ctl", "-D", self.data, "-w", "-l", folder / "log", "-o", options, "start")

    def _run(self, program: str, *words: object) -> None:
        as_user = {"user": self.user} if os.geteuid() == 0 else {}
        done = subprocess.run(
            [self._programs / program, *map(str, words)],
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            **as_user,  # type: ignore[call-overload]
        )
        assert done.returncode == 0, done.stderr

    def address(self, name: str) -> str:
        self._run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "tester", name)
        return f"postgresql://tester@127.0.0.1:{self.port}/{name}"

    def address_of(self, place: Path) -> str:
        """The database that stands for a folder; also in another process."""
        name = "t" + hashlib.sha256(str(place).encode()).hexdigest()[:16]
        with contextlib.suppress(AssertionError):
            return self.address(name)
        return f"postgresql://tester@127.0.0.1:{self.port}/{name}"

    def checkpoint(self, name: str) -> None:
        words = ("-h", "127.0.0.1", "-p", self.port, "-U", "tester", "-d", name)
        self._run("psql", *words, "-c", "CHECKPOINT")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    # The path of its socket must be short, and its user must be able to reach it.
    folder = Path(tempfile.mkdtemp(prefix="om-pg-", dir="/tmp"))
    made = Server(programs, folder)
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


def test_a_study_on_a_server(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cryptography.fernet import Fernet

    address = server.address("study")
    with pytest.raises(OtherMindsError, match="no interviews at"):
        Store(address)
    with Store(address, create=True) as store:
        agents = [people.agent("P01", 1), people.agent("P02", 2)]
        found = people.simulated(store, agents, people.config(**people.SHORT))
        with Store(tmp_path / "beside", create=True) as beside:
            assert people.simulated(beside, agents, people.config(**people.SHORT)) == found
            exporting.export(beside, beside.summaries(), tmp_path / "b", exporting.NAMES)
        exporting.export(store, store.summaries(), tmp_path / "a", exporting.NAMES)
        for name in exporting.NAMES:
            # The same bytes as of SQLite.
            assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        assert all(not replaying.replay(store, one.session_id).differences for one in found)
        assert len(store.survey()) == 4
        monkeypatch.setenv(VARIABLE, Fernet.generate_key().decode())
        kept = Recruitment(store, create=True)
        kept.add("P01", "5f3a9c")
        assert (kept.person("5f3a9c"), kept.id_of("P01")) == ("P01", "5f3a9c")


SAME: tuple[tuple[ModuleType, str, tuple[object, ...]], ...] = (
    (test_storage, "test_a_session_comes_back_as_it_was", ()),
    (test_storage, "test_an_answer_is_one_transaction", ()),
    (test_storage, "test_a_slow_reader_finds_the_answer_saved", ()),
    (test_storage, "test_two_processes_on_one_session_do_not_mix", ()),
    (test_storage, "test_a_config_that_changes_leaves_running_sessions_alone", ()),
    (test_storage, "test_a_deletion_says_which_exports_are_gone", ()),
    (test_storage, "test_a_replay_that_differs_is_seen", ()),
    (test_storage, "test_formulas_in_answers_are_defused_in_tables_alone", ()),
    (test_storage, "test_an_earlier_export_is_replaced_and_other_folders_are_not", ()),
    *(
        (test_storage, "test_pseudonyms_that_no_table_holds_are_refused", (one,))
        for one in ("", "a,")
    ),
    (test_replay, "test_an_edit_in_the_middle_changes_what_comes_next_and_replays", ()),
    (test_model_calls, "test_a_session_with_a_model_replays_without_it", ()),
    (test_model_calls, "test_failures_are_replayed_too", ()),
    (test_model_calls, "test_a_damaged_journal_is_seen", ()),
    (test_kills, "test_a_simulation_that_is_killed_goes_on", ()),
    *(
        (test_kills, "test_an_interview_that_is_killed_again_and_again_is_the_same", (reading,))
        for reading in (test_kills.rules, test_kills.model)
    ),
)
"""Tests of SQLite that ask nothing of its file, with their arguments beside the folder."""


@pytest.mark.parametrize(
    ("module", "name", "more"), SAME, ids=[f"{name}-{n}" for n, (_, name, _) in enumerate(SAME)]
)
def test_the_same_as_on_sqlite(
    module: ModuleType,
    name: str,
    more: tuple[object, ...],
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class OnServer(Store):
        def __init__(self, place: str | Path, *, create: bool = False) -> None:
            super().__init__(server.address_of(Path(place)), create=create)

    monkeypatch.setattr(module, "Store", OnServer)
    given = inspect.signature(getattr(module, name)).parameters
    others = iter(more)
    values = {one: tmp_path if one == "tmp_path" else next(others) for one in given}
    getattr(module, name)(**values)
    # It was on the server.
    assert not [*tmp_path.rglob(FILE)]


def test_the_journal_and_a_version_that_is_not_known(server: Server) -> None:
    address = server.address("version")
    with Store(address, create=True) as store:
        people.talk(store, people.reader(store, people.RulesBehindAServer()), ["Noise.", "Sleep."])
        assert replaying.replay(store, "s1").differences == ()
        with store.database.writing() as connection:
            connection.exec_driver_sql("UPDATE meta SET value = '99'")
    with pytest.raises(OtherMindsError, match="version 99"):
        Store(address)


def test_the_pages_of_a_study(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, Fernet.generate_key().decode())
    address = server.address("pages")
    with Store(address, create=True) as store:
        secret = Secret("a token that nobody guesses")
        site = Site(
            store, pages.config(), Study(completion_code=pages.CODE), secret, address=pages.ADDRESS
        )
        patient = Rates(itertools.count(0, 3600).__next__)
        with TestClient(application(site, rates=patient), base_url=pages.ADDRESS) as client:
            study = pages.Running(site, client, tmp_path)
            person, other = study.finished("R-1"), study.interviewed("R-2")
            other.talk(5)
            assert store.load(person.session_id).summary.status == "submitted"
            assert "Your answers are deleted" in other.post("withdraw").text
            assert [one.id for one in store.summaries()] == [person.session_id]
            assert pages.CODE in person.page()


def test_a_deletion_leaves_no_byte_in_the_tables(server: Server, tmp_path: Path) -> None:
    with Store(server.address("gone"), create=True) as store:
        people.talk(store, RuleReader(), [SECRET])
        exporting.export(store, store.summaries(), tmp_path / "out", exporting.NAMES)
        deletion.delete(store, "P01")
        assert store.summaries() == []
        assert people.files_with(tmp_path, SECRET) == []
    server.checkpoint("gone")
    # The server's own log ahead of its writes (pg_wal) is out of our reach; see the documentation.
    assert people.files_with(server.data / "base", SECRET) == []
