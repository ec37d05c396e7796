"""`otherminds interview serve` as a command of its own."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.engine.page.conftest import PATIENCE

PROGRAM = str(Path(sys.executable).with_name("otherminds"))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def words(folder: Path, port: int) -> list[str]:
    return [
        PROGRAM,
        "interview",
        "serve",
        "night_buses",
        "--data",
        str(folder),
        "--port",
        str(port),
    ]


@contextmanager
def serving(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """The command, once it answers."""
    with subprocess.Popen(
        words(folder, port), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            waiting = threading.Event()
            for _ in range(int(PATIENCE / 0.1)):
                with socket.socket() as asking:
                    if asking.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None, process.communicate()
                waiting.wait(0.1)
            yield process
        finally:
            process.kill()


@pytest.mark.slow
def test_the_command_serves_and_ends_and_writes_no_line_of_a_request(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, port) as process:
        address = f"http://127.0.0.1:{port}"
        with urllib.request.urlopen(address, timeout=PATIENCE) as done:
            assert done.status == 200
            assert "server" not in done.headers
        with pytest.raises(HTTPError, match="404"):
            urllib.request.urlopen(f"{address}/p/a-link-that-nobody-has", timeout=PATIENCE)
        taken = subprocess.run(words(tmp_path, port), capture_output=True, text=True, check=False)
        assert taken.returncode == 1
        assert "choose another --port" in taken.stderr
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 130)
    assert f"http://127.0.0.1:{port}/researcher" in said
    assert "a-link" not in said
    token = (tmp_path / "researcher.token").read_text().strip()
    assert token not in said
