"""Pull requests: listing them, commenting, merging and closing."""

from __future__ import annotations

from typing import Any

from tests.minihub.calls import Call, Reply
from tests.minihub.store import MAIN, HubError, Repo, now

_PER_PAGE = 10


def listing(call: Call, kind: str, repo_id: str) -> Reply:
    repo = call.repo(kind, repo_id)
    wanted = call.query.get("status", "all")
    found = [
        pr
        for pr in repo.prs.values()
        # Whatever is not open counts as closed: merged ones too.
        if wanted == "all" or (wanted == "open") == (pr["status"] == "open")
    ]
    start = _PER_PAGE * int(call.query.get("p", 0))
    rows = [_described(repo, pr) for pr in found[start : start + _PER_PAGE]]
    return Reply({"discussions": rows, "count": len(found), "start": start})


def details(call: Call, kind: str, repo_id: str, num: str) -> Reply:
    repo = call.repo(kind, repo_id)
    pr = _found(repo, num)
    changes = {"base": pr["base"], "mergeCommitId": pr.get("merged_as")}
    rest = {"events": pr["events"], "changes": changes, "filesWithConflicts": []}
    return Reply({**_described(repo, pr), **rest})


def comment(call: Call, kind: str, repo_id: str, num: str) -> Reply:
    pr = _found(call.repo(kind, repo_id), num)
    return Reply({"newMessage": _commented(pr, call.member().name, call.json()["comment"])})


def decide(call: Call, kind: str, repo_id: str, num: str, action: str) -> Reply:
    """Merge a pull request, or set its status; with a comment, if there is one."""
    repo = call.repo(kind, repo_id, write=True)
    author = call.member().name
    pr, asked = _found(repo, num), call.json() or {}
    if asked.get("comment"):
        _commented(pr, author, asked["comment"])
    if action == "merge":
        tree = repo.resolve("main").tree | repo.resolve(f"refs/pr/{num}").tree
        pr["merged_as"] = repo.commit(MAIN, tree, f"{pr['title']} (#{num})", author).sha
        pr["status"] = "merged"
    else:
        pr["status"] = asked.get("status", "closed")
    event = _happened(pr, author, "status-change", {"status": pr["status"]})
    return Reply({} if action == "merge" else {"newStatus": event})


def _found(repo: Repo, num: str) -> dict[str, Any]:
    if int(num) not in repo.prs:
        raise HubError(404, "no such discussion")
    return repo.prs[int(num)]


def _commented(pr: dict[str, Any], author: str, text: str) -> dict[str, Any]:
    latest = {"raw": text, "html": "", "updatedAt": now()}
    about = {"edited": False, "hidden": False, "latest": latest, "history": []}
    return _happened(pr, author, "comment", about)


def _happened(pr: dict[str, Any], author: str, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    event = {
        "id": f"{len(pr['events']) + 1:x}",
        "type": kind,
        "createdAt": now(),
        "author": {"name": author},
        "data": data,
    }
    pr["events"].append(event)
    return event


def _described(repo: Repo, pr: dict[str, Any]) -> dict[str, Any]:
    shown = {key: pr[key] for key in ("num", "title", "status", "createdAt", "isPullRequest")}
    return {
        **shown,
        "repo": {"name": repo.id, "type": repo.type},
        "pinned": False,
        "numComments": sum(event["type"] == "comment" for event in pr["events"]),
        "author": {"name": pr["author"], "type": "user"},
    }
