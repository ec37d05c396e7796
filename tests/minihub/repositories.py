"""Accounts and repositories: who am I, create, delete, settings, descriptions."""

from __future__ import annotations

from typing import Any

from tests.minihub.calls import Call, Reply
from tests.minihub.cards import card_data, check_card
from tests.minihub.leaderboard import eval_results, is_benchmark, ranking
from tests.minihub.store import MAIN, PLURALS, Commit, Entry, HubError, Repo, git_oid

LFS_GLOBS = (
    *("*.parquet", "*.arrow", "*.bin", "*.safetensors", "*.zip", "*.gz", "*.npz", "*.eval"),
)

STATIC_SPACE = {
    "README.md": "---\ntitle: New\nsdk: static\npinned: false\n---\n",
    "index.html": '<!doctype html>\n<link rel="stylesheet" href="style.css">\n<h1>New</h1>\n',
    "style.css": "h1 { font-size: 1rem; }\n",
}
"""What the Hub puts into a new static Space."""


def whoami(call: Call) -> Reply:
    if call.user is None:
        raise HubError(401, "Invalid user token.")
    name = call.user.name
    role = {"type": "access_token", "accessToken": {"role": call.user.role}}
    orgs = [{"type": "org", "name": org} for org in call.user.orgs]
    account = {"type": "user", "id": name, "name": name, "fullname": name}
    return Reply({**account, "auth": role, "orgs": orgs})


def user(call: Call, name: str) -> Reply:
    """What anybody sees of an account: who asks may be nobody."""
    known = next((one for one in call.hub.users.values() if one.name == name), None)
    if known is None:
        raise HubError(404, "User not found")
    orgs = [{"name": org, "fullname": org, "avatarUrl": ""} for org in known.orgs]
    account = {"user": name, "fullname": name, "avatarUrl": "", "type": "user"}
    return Reply({**account, "orgs": orgs})


def auth_check(call: Call, kind: str, repo_id: str, write: str | None = None) -> Reply:
    repo = call.repo(kind, repo_id, write=write is not None)
    check_gate(call, repo)
    return Reply({})


def check_gate(call: Call, repo: Repo) -> None:
    """Refuse whoever has not been let into a gated repository: all but its own people."""
    if repo.gated and not (call.user and call.user.belongs_to(repo.namespace)):
        status = 403 if call.user else 401
        raise HubError(status, f"Access to {repo.id} is restricted", "GatedRepo")


def create(call: Call) -> Reply:
    asked, user = call.json(), call.member()
    namespace = asked.get("organization") or user.name
    if not user.may_write(namespace):
        raise HubError(403, f"You don't have the rights to create a repo under {namespace!r}")
    kind, repo_id = asked.get("type", "model"), f"{namespace}/{asked['name']}"
    url = f"{call.hub.url}/{'' if kind == 'model' else f'{kind}s/'}{repo_id}"
    if (kind, repo_id) in call.hub.repos:
        exists = {"error": "You already created this repo", "url": url}
        raise HubError(409, "You already created this repo", body=exists)
    private = asked.get("visibility") == "private" or bool(asked.get("private"))
    repo = call.hub.repos[kind, repo_id] = Repo(kind, repo_id, private)
    attributes = "".join(f"{glob} filter=lfs diff=lfs merge=lfs -text\n" for glob in LFS_GLOBS)
    first = {".gitattributes": attributes}
    if kind == "space" and asked.get("sdk") == "static":
        first |= STATIC_SPACE
    tree = {path: Entry.regular(text.encode()) for path, text in first.items()}
    repo.commit(MAIN, tree, "initial commit", user.name)
    return Reply({"url": url, "id": repo_id, "name": repo_id})


def delete(call: Call) -> Reply:
    asked = call.json()
    repo_id = f"{asked.get('organization') or call.member().name}/{asked['name']}"
    repo = call.repo(asked.get("type", "model"), repo_id, write=True)
    del call.hub.repos[repo.type, repo.id]
    return Reply({})


def settings(call: Call, kind: str, repo_id: str) -> Reply:
    repo, asked = call.repo(kind, repo_id, write=True), call.json()
    if "visibility" in asked:
        repo.private = asked["visibility"] == "private"
    repo.private = asked.get("private", repo.private)
    repo.gated = asked.get("gated", repo.gated)
    return Reply({"private": repo.private, "gated": repo.gated})


def validate_yaml(call: Call) -> Reply:
    errors, warnings = check_card(call.json()["content"])
    return Reply({"errors": errors, "warnings": warnings}, status=400 if errors else 200)


def info(call: Call, kind: str, repo_id: str, rev: str | None = None) -> Reply:
    repo = call.repo(kind, repo_id)
    return Reply(_described(call, repo, repo.resolve(rev or "main")))


def listing(call: Call, kind: str) -> Reply:
    rows = [
        _described(call, repo, repo.resolve("main"))
        for (of, _), repo in call.hub.repos.items()
        if of == PLURALS[kind]
        and (not repo.private or (call.user and call.user.belongs_to(repo.namespace)))
        and call.query.get("author") in (None, repo.namespace)
        and call.query.get("search", "").lower() in repo.id.lower()
    ]
    if wanted := call.query.get("filter"):
        rows = [row for row in rows if wanted in row["tags"]]
    return Reply(rows[: int(call.query.get("limit", 1000))])


def board(call: Call, repo_id: str) -> Reply:
    if not is_benchmark(call.repo("dataset", repo_id), call.hub.benchmarks):
        raise HubError(404, "This dataset has no leaderboard")
    return Reply(ranking(call.hub.repos.values(), repo_id, call.query.get("task_id")))


def _described(call: Call, repo: Repo, commit: Commit) -> dict[str, Any]:
    card = card_data(commit.tree)
    licence = [f"license:{card['license']}"] if "license" in card else []
    ranked = ["benchmark:official"] if is_benchmark(repo, call.hub.benchmarks) else []
    described: dict[str, Any] = {
        "_id": git_oid(repo.id.encode())[:24],
        "id": repo.id,
        "author": repo.namespace,
        "sha": commit.sha,
        "lastModified": commit.date,
        "createdAt": repo.created,
        "private": repo.private,
        "gated": repo.gated,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "cardData": card,
        "usedStorage": 0,
        "tags": [*(card.get("tags") or []), *licence, *ranked],
        "siblings": [_sibling(path, entry) for path, entry in sorted(commit.tree.items())],
    }
    if repo.type == "model":
        described["modelId"] = repo.id
        described["evalResults"] = [
            {"filename": found.path, "error": found.item["error"]}
            if "error" in found.item
            else {
                "filename": found.path,
                "verified": False,
                "pullRequest": found.pr,
                "data": found.item,
            }
            for found in eval_results(repo)
        ]
    return described


def _sibling(path: str, entry: Entry) -> dict[str, Any]:
    row: dict[str, Any] = {"rfilename": path, "size": entry.size, "blobId": entry.oid}
    if entry.lfs:
        row["lfs"] = {"sha256": entry.lfs, "size": entry.size, "pointerSize": 130}
    return row
