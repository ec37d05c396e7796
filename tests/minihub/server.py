"""The HTTP server around the store: routes, requests, answers, faults."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, TextIO
from urllib.parse import parse_qs, unquote, urlsplit

from tests.minihub import changes, discussions, repositories, trees
from tests.minihub.calls import Call, Reply
from tests.minihub.faults import Fault
from tests.minihub.store import HubError, Repo, User

_ID = r"(?P<repo_id>[^/]+/[^/]+)"
_API = rf"/api/(?P<kind>models|datasets|spaces)/{_ID}"
_ROUTES: tuple[tuple[str, str, Callable[..., Reply]], ...] = (
    ("GET", r"/api/whoami-v2", repositories.whoami),
    ("GET", r"/api/users/(?P<name>[^/]+)/overview", repositories.user),
    ("POST", r"/api/validate-yaml", repositories.validate_yaml),
    ("POST", r"/api/repos/create", repositories.create),
    ("DELETE", r"/api/repos/delete", repositories.delete),
    ("GET", r"/api/(?P<kind>models|datasets|spaces)", repositories.listing),
    ("GET", rf"/api/datasets/{_ID}/leaderboard", repositories.board),
    ("PUT", rf"{_API}/settings", repositories.settings),
    ("GET", rf"{_API}/auth-check(?P<write>/write)?", repositories.auth_check),
    ("GET", rf"{_API}/tree/(?P<rev>[^/]+)(?:/(?P<path>.*))?", trees.tree),
    ("POST", rf"{_API}/paths-info/(?P<rev>[^/]+)", trees.paths_info),
    ("POST", rf"{_API}/preupload/(?P<rev>[^/]+)", changes.preupload),
    ("POST", rf"{_API}/commit/(?P<rev>[^/]+)", changes.commit),
    ("GET", rf"{_API}/commits/(?P<rev>[^/]+)", trees.commits),
    ("GET", rf"{_API}/refs", trees.refs),
    ("POST", rf"{_API}/(?P<what>tag|branch)/(?P<name>[^/]+)", changes.add_ref),
    ("DELETE", rf"{_API}/(?P<what>tag|branch)/(?P<name>[^/]+)", changes.drop_ref),
    ("GET", rf"{_API}/discussions", discussions.listing),
    ("GET", rf"{_API}/discussions/(?P<num>\d+)", discussions.details),
    ("POST", rf"{_API}/discussions/(?P<num>\d+)/comment", discussions.comment),
    ("POST", rf"{_API}/discussions/(?P<num>\d+)/(?P<action>merge|status)", discussions.decide),
    ("GET|HEAD", rf"{_API}(?:/revision/(?P<rev>[^/]+))?", repositories.info),
    (
        *("POST", rf"/(?P<kind>datasets/|spaces/)?{_ID}\.git/info/lfs/objects/batch"),
        changes.lfs_batch,
    ),
    (
        *("PUT|POST", rf"/_lfs/(?P<kind>\w+)/{_ID}/(?P<oid>[0-9a-f]{{64}})(?P<verify>/verify)?"),
        changes.lfs_put,
    ),
    (
        "GET|HEAD",
        rf"/(?P<kind>datasets/|spaces/)?{_ID}/(?:resolve|raw)/(?P<rev>[^/]+)/(?P<path>.+)",
        trees.download,
    ),
)


class Request(NamedTuple):
    """A request that was answered; status 0 where the connection was closed instead."""

    method: str
    path: str
    status: int


class MiniHub:
    """A running Hub, from entering the context to leaving it.

    users       by token
    faults      what is to go wrong; more may be appended while it runs
    lfs         "never" makes every file a plain one
    benchmarks  the dataset ids that may have a leaderboard; None for all
    log         where each request is printed
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        users: Mapping[str, User] | None = None,
        faults: Collection[Fault] = (),
        lfs: Literal["auto", "never"] = "auto",
        benchmarks: Collection[str] | None = None,
        log: TextIO | None = None,
    ) -> None:
        self.users = dict(users or {"hf_test": User("tester", orgs=("acme",))})
        self.faults = list(faults)
        self.lfs = lfs
        self.benchmarks = benchmarks
        self.log = log
        self.repos: dict[tuple[str, str], Repo] = {}
        self.requests: list[Request] = []
        self.lock = threading.RLock()
        bound = type("BoundHandler", (Handler,), {"hub": self})
        self.server = ThreadingHTTPServer((host, port), bound)
        self.server.daemon_threads = True
        self.url = f"http://{host}:{self.server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def env(self, token: str | None = None, home: Path | None = None) -> dict[str, str]:
        """The environment variables with which a client's process talks to this Hub alone."""
        env = {
            "HF_ENDPOINT": self.url,
            "HF_HUB_OFFLINE": "0",
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
            "HF_HUB_DISABLE_IMPLICIT_TOKEN": "0",
            "HF_DEBUG": "0",
            "NO_PROXY": "127.0.0.1,localhost",
        }
        if token is not None:
            env["HF_TOKEN"] = token
        if home is not None:
            env["HF_HOME"] = str(home)
        return env

    def repo(self, repo_id: str, kind: str = "dataset") -> Repo:
        """A repository, whoever may see it."""
        return self.repos[kind, repo_id]

    def files(self, kind: str, repo_id: str, revision: str = "main") -> dict[str, bytes]:
        """The contents of a repository's files."""
        tree = self.repos[kind, repo_id].resolve(revision).tree
        return {path: entry.data for path, entry in tree.items()}

    def struck(self, method: str, path: str) -> Fault | None:
        """The fault that befalls a request, if one does."""
        with self.lock:
            return next((fault for fault in self.faults if fault.strikes(method, path)), None)

    def answer(self, call: Call, path: str) -> Reply:
        """Carry a request out."""
        with self.lock:
            for methods, pattern, act in _ROUTES:
                if call.method in methods.split("|") and (match := re.fullmatch(pattern, path)):
                    found = match.groupdict()
                    return act(call, **{key: text and unquote(text) for key, text in found.items()})
        raise HubError(404, f"no route for {call.method} {path}")


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    hub: MiniHub
    protocol_version = "HTTP/1.1"
    # Headers and body are two writes: without these, each reply waits for 40 ms.
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: `MiniHub.requests` has them."""

    def _dispatch(self) -> None:
        parts = urlsplit(self.path)
        fault = self.hub.struck(self.command, parts.path)
        if fault is not None and fault.kind == "drop":
            self.rfile.read(self._length() // 2)
            self._hang_up()
            return
        raw = self._body()
        if raw is None:
            self._hang_up()
            return
        if fault is not None and fault.kind == "status":
            reply = Reply({"error": "injected"}, fault.status, headers=fault.headers)
        else:
            reply = self._answer(parts.path, parts.query, raw)
            if fault is not None and fault.kind == "twice":
                reply = self._answer(parts.path, parts.query, raw)
        if fault is not None and fault.kind == "lose":
            self._hang_up()
            return
        self._send(reply, fault)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _dispatch  # noqa: N815  (http.server's names)

    def _answer(self, path: str, query: str, raw: bytes) -> Reply:
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ").strip()
        asked = {key: values[-1] for key, values in parse_qs(query).items()}
        user = self.hub.users.get(token)
        call = Call(self.hub, self.command, asked, self.headers, raw, user)
        try:
            if token and user is None:
                raise HubError(401, "Invalid username or password.")
            return self.hub.answer(call, path)
        except HubError as error:
            headers = {"X-Error-Message": error.message.replace("\n", " ")[:500]}
            if error.code:
                headers["X-Error-Code"] = error.code
            return Reply(error.body or {"error": error.message}, error.status, headers=headers)
        except Exception as error:  # a bug here must not look like a dead server
            headers = {"X-Error-Message": repr(error)[:500]}
            return Reply({"error": repr(error)}, 500, headers=headers)

    def _length(self) -> int:
        return int(self.headers.get("Content-Length") or 0)

    def _body(self) -> bytes | None:
        """The request's body; None where the client went away before its end."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            try:
                return b"".join(self._chunks())
            except ValueError:
                return None
        found = self.rfile.read(self._length())
        return found if len(found) == self._length() else None

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().split(b";")[0], 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _send(self, reply: Reply, fault: Fault | None) -> None:
        body = reply.body
        if fault is not None and fault.kind == "corrupt" and body:
            body = body[:-1] + bytes([body[-1] ^ 1])
        kind = "application/json" if reply.raw is None else "application/octet-stream"
        headers = {"Content-Type": kind, **reply.headers, "Content-Length": str(len(body))}
        self._record(reply.status)
        self.send_response(reply.status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()
        cut = fault is not None and fault.kind == "cut"
        if self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if cut else body)
        self.wfile.flush()
        self.close_connection = self.close_connection or cut

    def _hang_up(self) -> None:
        self._record(0)
        self.close_connection = True
        with suppress(OSError):
            self.connection.close()

    def _record(self, status: int) -> None:
        self.hub.requests.append(Request(self.command, self.path, status))
        if self.hub.log is not None:
            print(self.command, self.path, status, file=self.hub.log, flush=True)
