"""Keys, passwords and tokens: found in what a user gives, and kept out of all that is written.

A value is taken for a secret by its name (`api_key`, `Authorization`, every header but the harmless
ones), by its form (`sk-…`, `hf_…`, a JSON web token, `user:password@` or a parameter of an address) or,
among the arguments of a model, because it looks random. In its place stands `MARK`. All that was found
once in a process is also taken out of everything that it writes later, such as a server's error message.

What neither name nor form tells cannot be found: `header` and `auth_token` are the places for it, or the
variable that a client reads by itself.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import sys
import urllib.parse
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from otherminds.secret_shapes import (
    FORMS,
    holds_secret_name,
    is_random,
    is_secret_name,
    kind,
    words_of,
)

MARK: Final = "<redacted>"

NAMES: Final = frozenset(
    {
        *("pretrained", "model", "tokenizer", "peft", "delta", "path", "engine", "deployment"),
        *("revision", "subfolder", "gguf_file", "adapter", "lora_local_path", "model_name"),
        *("served_model_name", "code_revision", "tokenizer_revision", "commit", "hash", "sha256"),
    }
)
"""Arguments that name a model or a version of it: they may look random, as a commit does."""

_ARGUMENTS = frozenset(
    {"model_args", "args", "metadata", "generation_kwargs", "gen_kwargs", "dataset_kwargs"}
)
"""The keys of a results file under which users' own arguments stand."""

_HEADERS = frozenset({"header", "headers"})
_QUERIES = frozenset({"query", "params", "parameters"})
_ENVIRONMENTS = frozenset({"env", "environ", "environment", "environs"})
_HARMLESS_HEADERS = frozenset(
    {
        *("accept", "accept-encoding", "accept-language", "cache-control", "connection"),
        *("content-length", "content-type", "host", "user-agent"),
    }
)
_HARMLESS_QUERIES = frozenset({"api-version", "version", "model", "deployment", "stream"})

_SCHEME = re.compile(
    r"\b(?P<scheme>bearer|basic|digest|token|apikey|api-key)(?P<gap>\s+)"
    r"(?P<value>(?=[\w.~+/=-]{0,99}\d)[\w.~+/=-]{8,}|[\w.~+/=-]{20,})",
    re.IGNORECASE,
)
# "A token 12345678", "basic human-rights-and-dignity": no scheme of a header stands before them.
_WORDED = re.compile(r"(?:[A-Za-z]?[a-z]*|\d+)(?:[-./](?:[A-Za-z]?[a-z]*|\d+))*")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://[^\s\"'<>]+", re.IGNORECASE)
# A password may hold what should have been quoted; a port and a path are not one.
_USER = re.compile(r"^(?P<scheme>[^:]+://)(?P<user>[^/?#]+|[^/?#:@]+:(?!\d+/)[^@]+)@")
_QUERY = re.compile(r"(?P<begin>[?&;])(?P<name>[\w.\-\[\]%]+)=(?P<value>[^&#\s\"'<>;]+)")
_PAIR = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]+)(?P<between>[\"']?\s*[=:]\s*[\"']?)"
    r"(?P<value>(?:(?:bearer|basic|digest|token)\s+)?[^\s\"',;}\]]+)",
    re.IGNORECASE,
)
_VALUES = re.compile(r"=([^\s;,&=]+)")
# As on the command line of a client; and in an address without its beginning.
_FLAG = re.compile(r"(?P<name>(?<!\S)--?[\w-]+)(?P<between>\s+)(?P<value>[^\s-]\S*)")
_BARE_USER = re.compile(r"(?<![\w.%+-])(?P<user>[\w.%+-]+:[^\s/@:]+)@(?=\w)")
_PLACE = ("/", "~", "./", "../")
_BUCKETS = ("s3://", "gs://", "gcs://", "az://", "abfs://", "abfss://", "hf://", "file://")
_PLACES = frozenset({"path", "folder", "dir", "source", "samples", "file", "files", "cache"})
_SHORTEST, _MIDDLE, _LONG = 6, 8, 16
"""A secret from 6 characters on with digits among others, from 8 on of two kinds, or from 16 on."""

_SHORTEST_OF_ENVIRONMENT = 12


def arguments(given: Any) -> Any:
    """A user's arguments (a mapping, or a text `key=value,…` or JSON) with `MARK` for every secret."""
    found = _Finder()
    return found.argument("", given)


def pairs_of(arguments: str) -> list[str]:
    """The pairs `key=value` of a model's arguments that are one text; a value may have commas."""
    return re.split(r",(?=\s*[\w.-]+\s*=)", arguments)


def identity(given: Mapping[str, Any]) -> dict[str, Any]:
    """A model's arguments without those that are secret: what is left tells models apart."""
    return dict(_Finder(unmarked=True).without("", given))


def results(found: Any) -> Any:
    """A results file's content, without the secrets in what users configured."""
    if isinstance(found, Mapping):
        return {
            key: arguments(value) if key in _ARGUMENTS else results(value)
            for key, value in found.items()
        }
    if isinstance(found, list | tuple):
        return [results(one) for one in found]
    return text(found) if isinstance(found, str) else found


def text(said: str) -> str:
    """A text without what has the form of a secret, or was one of this process's arguments."""
    return _Finder().text(said, strict=False)


def known(said: str) -> str:
    """A text without the secrets that were `learn`ed."""
    return _LEARNED.pattern.sub(MARK, said) if _LEARNED.pattern is not None else said


def known_in(found: dict[str, Any]) -> dict[str, Any]:
    """The same of what JSON can hold."""
    if _LEARNED.pattern is None:
        return found
    said = json.dumps(found, ensure_ascii=False)
    shown = known(said)
    return found if shown == said else dict(json.loads(shown))


def learn(*given: Any) -> None:
    """Remember the secrets among a user's arguments, to take them out of all that is written later."""
    found = _Finder()
    for one in given:
        found.argument("", one)
    _LEARNED.add(found.secrets, but=found.names)


def learn_words(words: Iterable[str]) -> None:
    """The same with the words of a command line, which may be faulty."""
    found = _Finder()
    for word in words:
        if "=" in word or _read(word) is not None:
            found.argument("", word)
        found.text(word, strict=False)
        for pair in _PAIR.finditer(word):
            if is_secret_name(pair["name"]):
                found.secrets.append(pair["value"])
    _LEARNED.add(found.secrets, but=found.names)


def learn_environment() -> None:
    """Remember the values of variables such as OPENAI_API_KEY."""
    _LEARNED.add(
        value
        for name, value in os.environ.items()
        if len(value) >= _SHORTEST_OF_ENVIRONMENT
        and _names_a_secret(name)
        and not value.startswith(_PLACE)
    )


def guard_streams() -> None:
    """Let nothing that was learned out by standard output and error, traces of errors included."""
    sys.stdout, sys.stderr = _guarded(sys.stdout), _guarded(sys.stderr)


def _names_a_secret(variable: str) -> bool:
    last = variable.rpartition("_")[2].lower()
    return last in {"key", "token", "pass", "pat"} or holds_secret_name(variable)


class _Finder:
    """Redacts, and keeps what it took out in `secrets`, and what names the model in `names`.

    unmarked  keep headers and parameters whose names say nothing
    """

    def __init__(self, *, unmarked: bool = False) -> None:
        self.secrets: list[str] = []
        self.names: set[str] = set()
        self._unmarked = unmarked

    def argument(self, name: str, value: Any) -> Any:
        """The value of an argument, redacted."""
        if value is None or isinstance(value, bool) or value == "":
            return value
        if is_secret_name(name):
            return self._all(value)
        if isinstance(value, Mapping):
            # As tables of settings have it: {"name": "api_key", "value": …}.
            hidden = "value" if is_secret_name(str(value.get("name", ""))) else None
            return {
                self._key(key): self._all(one)
                if key == hidden
                else self._inside(name, str(key), one)
                for key, one in value.items()
            }
        if isinstance(value, list | tuple):
            return self._list(name, value)
        if not isinstance(value, str):
            return value
        if not self._unmarked and words_of(name) & (_HEADERS | _ENVIRONMENTS):
            return self._all(value)
        return self._string(name, value)

    def without(self, name: str, value: Mapping[str, Any]) -> dict[str, Any]:
        """A mapping without the entries that are secret; those that are not keep their type."""
        kept = {}
        for key, one in value.items():
            if isinstance(one, Mapping) and not is_secret_name(str(key)):
                inner = self.without(str(key), one)
                if inner or not one:
                    kept[key] = inner
                continue
            before = len(self.secrets)
            redacted = self._inside(name, str(key), one)
            if redacted == MARK:
                continue
            kept[key] = one if len(self.secrets) == before else redacted
        return kept

    def text(self, said: str, *, strict: bool) -> str:
        """Free text; `strict` keeps nothing of an address that is not known to be harmless."""
        if "://" in said:
            said = _ADDRESS.sub(lambda found: self._address(found[0], strict=strict), said)
        if "=" in said:
            said = _QUERY.sub(lambda found: self._parameter(found, strict=False), said)
        said = _SCHEME.sub(lambda found: self._scheme(found, strict=strict), said)
        said = FORMS.sub(lambda found: self._taken(found[0]), said)
        # What tells models apart must not depend on what was learned before.
        return said if self._unmarked else known(said)

    def _inside(self, name: str, key: str, value: Any) -> Any:
        within = words_of(name)
        if value is None or isinstance(value, bool) or self._unmarked:
            return self.argument(key, value)
        harmless = None
        if within & _HEADERS:
            harmless = _HARMLESS_HEADERS
        elif within & _QUERIES:
            harmless = _HARMLESS_QUERIES
        elif within & _ENVIRONMENTS:
            harmless = frozenset()
        if harmless is not None and key.lower() not in harmless:
            return self._all(value)
        return self.argument(key, value)

    def _list(self, name: str, values: Sequence[Any]) -> list[Any]:
        """A list, which may be the words of a command: `--api-key` stands before its value then."""
        flags = [None, *values]
        return [
            self._all(one)
            if isinstance(flag, str) and flag.startswith("-") and is_secret_name(flag)
            else self.argument(name, one)
            for flag, one in zip(flags, values, strict=False)
        ]

    def _string(self, name: str, value: str) -> str:
        if name in NAMES:
            self.names.add(value)
        if not name and (read := _read(value)) is not None:
            made = self.argument("", read)
            return json.dumps(made, ensure_ascii=False) if made != read else value
        if not name and "=" in value:
            return ",".join(map(self._pair, pairs_of(value)))
        if name not in NAMES and not _is_address(value):
            read = _read(value)
            if read is not None:
                made = self.argument(name, read)
                return json.dumps(made, ensure_ascii=False) if made != read else value
            value = _PAIR.sub(self._secret_pair, value)
            value = _FLAG.sub(self._secret_pair, value)
            value = _BARE_USER.sub(lambda found: f"{self._taken(found['user'])}@", value)
        # A bucket's folder may be named by a commit, as a folder of this machine.
        said = self.text(value, strict=name not in NAMES or not value.startswith(_BUCKETS))
        if name in NAMES or MARK in said or said.startswith(_PLACE) or words_of(name) & _PLACES:
            return said
        return self._taken(said) if not _is_address(said) and is_random(said) else said

    def _pair(self, pair: str) -> str:
        key, sign, value = pair.partition("=")
        if not sign:
            return self._string("_", key)
        return f"{self._key(key)}{sign}{self.argument(key.strip(), value)}"

    def _key(self, key: Any) -> Any:
        if not isinstance(key, str):
            return key
        return self._taken(key) if is_random(key) else self.text(key, strict=False)

    def _secret_pair(self, found: re.Match[str]) -> str:
        # Other words of secrets stand in sentences too, but seldom before "=".
        is_set = "=" in found["between"] and is_secret_name(found["name"])
        if not (is_set or holds_secret_name(found["name"]) or found["name"] in ("-u", "--user")):
            return found[0]
        return f"{found['name']}{found['between']}{self._taken(found['value'])}"

    def _address(self, address: str, *, strict: bool) -> str:
        def user(found: re.Match[str]) -> str:
            self._taken(found["user"])
            name, sign, password = found["user"].partition(":")
            self.secrets.append(password if sign else name)
            return f"{found['scheme']}{MARK}@"

        address = _USER.sub(user, address)
        if not strict:
            return address
        address, sign, fragment = address.partition("#")
        place, mark, query = address.partition("?")
        scheme, slashes, rest = place.partition("://")
        parts = [self._taken(part) if is_random(part) else part for part in rest.split("/")]
        place = f"{scheme}{slashes}{'/'.join(parts)}"
        shown = _QUERY.sub(lambda found: self._parameter(found, strict=True), f"{mark}{query}")
        if query and "=" not in query:
            shown = f"?{self._taken(query)}"
        return f"{place}{shown}{f'#{self._taken(fragment)}' if sign else ''}"

    def _parameter(self, found: re.Match[str], *, strict: bool) -> str:
        name, value = found["name"], found["value"]
        hidden = is_secret_name(name) or is_random(value)
        if strict and not self._unmarked:
            hidden = hidden or name.lower() not in _HARMLESS_QUERIES
        if not hidden or value == MARK:
            return found[0]
        return f"{found['begin']}{name}={self._taken(value)}"

    def _scheme(self, found: re.Match[str], *, strict: bool) -> str:
        takes_numbers = found["scheme"].lower() not in ("basic", "digest", "token")
        is_number = any(map(str.isdigit, found["value"]))
        is_whole = strict and found[0] == found.string
        if _WORDED.fullmatch(found["value"]) and not (is_whole or (takes_numbers and is_number)):
            return found[0]
        return f"{found['scheme']}{found['gap']}{self._taken(found['value'])}"

    def _all(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._all(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._all(one) for one in value]
        if value is None or isinstance(value, bool) or value == "":
            return value
        return self._taken(str(value))

    def _taken(self, secret: str) -> str:
        if secret and secret != MARK:
            self.secrets.append(secret)
        return MARK


class _Learned:
    """The secrets of this process, with the ways in which they may be written."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self.pattern: re.Pattern[str] | None = None

    def add(self, secrets: Iterable[str], but: Container[str] = ()) -> None:
        """Remember those that are not ordinary words; a dummy key may be the name of the model."""
        found = {
            form
            for secret in secrets
            for part in _parts(secret)
            if _is_telling(part) and part not in but
            for form in _written(part)
        }
        if found <= self._secrets:
            return
        self._secrets |= found
        # The longest first: another may be its beginning.
        forms = sorted(self._secrets, key=lambda form: (-len(form), form))
        self.pattern = re.compile("|".join(map(re.escape, forms)))


_LEARNED = _Learned()


def _parts(secret: str) -> Iterator[str]:
    """A secret, and what is the secret in it: behind a scheme, before or in a Base64 text."""
    yield secret
    # A terminal is written line by line.
    yield from secret.splitlines()
    yield from _VALUES.findall(secret)
    scheme, _, value = secret.strip().partition(" ")
    if not value:
        return
    yield value.strip()
    if scheme.lower() == "basic":
        try:
            decoded = base64.b64decode(value, validate=True).decode()
        except (binascii.Error, ValueError):
            return
        yield decoded
        yield decoded.partition(":")[2]


def _written(secret: str) -> Iterator[str]:
    yield secret
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield repr(secret)[1:-1]
    yield urllib.parse.quote(secret, safe="")
    yield urllib.parse.quote_plus(secret)
    yield urllib.parse.unquote(secret)
    # As the header of a name and a password.
    if ":" in secret:
        yield base64.b64encode(secret.encode()).decode()


def _is_telling(secret: str) -> bool:
    """Whether a secret can be looked for in any text: "EMPTY" and other words are in many."""
    if MARK in secret or len(secret) < _SHORTEST:
        return False
    kinds = set(map(kind, secret))
    is_mixed = len(kinds) > 1
    return len(secret) >= _LONG or (is_mixed and (0 in kinds or len(secret) >= _MIDDLE))


def _is_address(value: str) -> bool:
    return bool(_ADDRESS.match(value))


def _read(value: str) -> Any:
    """The object or list that a text is as JSON; None for any other text."""
    if value.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


class _Guarded:
    """A stream that writes no secret, and is the stream behind it in all else."""

    def __init__(self, stream: Any) -> None:
        self._behind = stream

    def write(self, said: str) -> int:
        self._behind.write(text(said))
        return len(said)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._behind, name)


def _guarded(stream: Any) -> Any:
    return stream if stream is None or isinstance(stream, _Guarded) else _Guarded(stream)
