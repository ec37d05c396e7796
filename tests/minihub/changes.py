"""Changing what repositories hold: uploads, commits, tags and branches."""

from __future__ import annotations

import base64
import hashlib
import json
from fnmatch import fnmatch
from typing import Any

from tests.minihub.calls import Call, Reply
from tests.minihub.cards import check_card
from tests.minihub.repositories import LFS_GLOBS
from tests.minihub.store import MAIN, Entry, HubError, Repo, Tree, now

_LARGE = 10 * 2**20


def preupload(call: Call, kind: str, repo_id: str, rev: str) -> Reply:
    repo = _changeable(call, kind, repo_id, rev)
    head = repo.resolve(rev)
    files = []
    for file in call.json()["files"]:
        name = file["path"].rsplit("/")[-1]
        large = file["size"] > _LARGE or any(fnmatch(name, glob) for glob in LFS_GLOBS)
        mode = "lfs" if large and call.hub.lfs == "auto" else "regular"
        row = {"path": file["path"], "shouldIgnore": False, "uploadMode": mode}
        if (known := head.tree.get(file["path"])) is not None:
            row["oid"] = known.lfs or known.oid
        files.append(row)
    return Reply({"files": files, "commitOid": head.sha})


def lfs_batch(call: Call, kind: str | None, repo_id: str) -> Reply:
    repo = call.repo((kind or "models").strip("/"), repo_id)
    call.member()
    base = f"{call.hub.url}/_lfs/{repo.type}/{repo_id}"
    objects = []
    for asked in call.json()["objects"]:
        row: dict[str, Any] = {"oid": asked["oid"], "size": asked["size"]}
        if asked["oid"] not in repo.lfs:
            href = f"{base}/{asked['oid']}"
            row["actions"] = {"upload": {"href": href}, "verify": {"href": f"{href}/verify"}}
        objects.append(row)
    headers = {"Content-Type": "application/vnd.git-lfs+json"}
    return Reply({"transfer": "basic", "objects": objects}, headers=headers)


def lfs_put(call: Call, kind: str, repo_id: str, oid: str, verify: str | None = None) -> Reply:
    # As a signed address of a storage service: no token comes with it.
    repo = call.hub.repos[kind, repo_id]
    if verify:
        if len(repo.lfs.get(oid, b"")) != call.json()["size"]:
            raise HubError(404, "LFS object missing")
        return Reply({})
    if hashlib.sha256(call.raw).hexdigest() != oid:
        raise HubError(400, "sha256 mismatch")
    repo.lfs[oid] = call.raw
    return Reply({})


def commit(call: Call, kind: str, repo_id: str, rev: str) -> Reply:
    create_pr = call.query.get("create_pr") == "1"
    repo = _changeable(call, kind, repo_id, rev)
    author = call.member().name
    head = repo.resolve(rev)
    lines = [json.loads(line) for line in call.raw.decode().splitlines()]
    header = next((line["value"] for line in lines if line["key"] == "header"), {})
    parent = header.get("parentCommit")
    if parent and not head.sha.startswith(parent):
        raise HubError(412, "A commit has happened since. Please refresh and try again.")
    tree = _changed(repo, head.tree, lines)
    _check_card(tree, head.tree)
    title = header.get("summary", "")
    ref, number = f"refs/heads/{rev}" if "refs/" not in rev else rev, None
    if create_pr:
        number = len(repo.prs) + 1
        ref = f"refs/pr/{number}"
        repo.refs[ref] = head.sha
        repo.prs[number] = {
            "num": number,
            "title": title,
            "status": "open",
            "author": author,
            "createdAt": now(),
            "isPullRequest": True,
            "base": MAIN,
            "events": [],
        }
    elif ref not in repo.refs:
        raise HubError(400, f"{rev} is not a branch")
    done = repo.commit(ref, tree, title, author, header.get("description", ""))
    url = f"{call.hub.url}/{'' if repo.type == 'model' else f'{repo.type}s/'}{repo_id}"
    answer = {
        "success": True,
        "commitOid": done.sha,
        "commitUrl": f"{url}/commit/{done.sha}",
        "hookOutput": "",
    }
    if number is not None:
        answer["pullRequestUrl"] = f"{url}/discussions/{number}"
    return Reply(answer)


def _changeable(call: Call, kind: str, repo_id: str, rev: str) -> Repo:
    """The repository, for who may commit to `rev`: anybody to a pull request, new or their own."""
    repo = call.repo(kind, repo_id)
    number = rev.removeprefix("refs/pr/")
    pr = repo.prs.get(int(number)) if number.isdecimal() and number != rev else None
    is_own = pr is not None and pr["author"] == call.member().name
    return call.repo(kind, repo_id, write="create_pr" not in call.query and not is_own)


def _changed(repo: Repo, tree: Tree, lines: list[dict[str, Any]]) -> Tree:
    tree = dict(tree)
    for line in lines:
        key, value = line["key"], line["value"]
        if key == "file":
            tree[value["path"]] = Entry.regular(base64.b64decode(value["content"]))
        elif key == "lfsFile":
            if value["oid"] not in repo.lfs:
                raise HubError(400, f"LFS object {value['oid']} was not uploaded")
            tree[value["path"]] = Entry.from_lfs(repo.lfs[value["oid"]], value["oid"])
        elif key == "deletedFile":
            if tree.pop(value["path"], None) is None:
                raise HubError(404, "A file with this name doesn't exist", "EntryNotFound")
        elif key == "deletedFolder":
            prefix = value["path"].rstrip("/") + "/"
            tree = {path: entry for path, entry in tree.items() if not path.startswith(prefix)}
    return tree


def _check_card(tree: Tree, before: Tree) -> None:
    card = tree.get("README.md")
    if card is None or card == before.get("README.md"):
        return
    errors, _ = check_card(card.data.decode("utf-8", "replace"))
    if errors:
        message = errors[0]["message"]
        raise HubError(400, message, body={"error": message, "errors": errors})


def add_ref(call: Call, kind: str, repo_id: str, what: str, name: str) -> Reply:
    repo, asked = call.repo(kind, repo_id, write=True), call.json()
    if what == "tag":  # the address has what is tagged, the body the tag's name
        ref, target = f"refs/tags/{asked['tag']}", name
    else:
        ref, target = f"refs/heads/{name}", asked.get("startingPoint", "main")
    if ref in repo.refs:
        raise HubError(409, f"Reference {ref} exists already")
    repo.refs[ref] = repo.resolve(target).sha
    return Reply({})


def drop_ref(call: Call, kind: str, repo_id: str, what: str, name: str) -> Reply:
    repo = call.repo(kind, repo_id, write=True)
    ref = f"refs/{'tags' if what == 'tag' else 'heads'}/{name}"
    if repo.refs.pop(ref, None) is None:
        raise HubError(404, f"no such {what}", "RevisionNotFound")
    return Reply({})
