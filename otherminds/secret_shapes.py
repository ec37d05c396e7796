"""How secrets look: their names, the forms of known services, and randomness."""

from __future__ import annotations

import itertools
import re
from typing import Final

_SECRET = frozenset(
    {
        *("password", "passwd", "pwd", "pass", "passphrase", "passcode", "passkey", "pw"),
        *("secret", "secrets", "psk"),
        *("credential", "credentials", "creds", "auth", "authz", "authorization", "authorisation"),
        *("authentication", "oauth"),
        *("bearer", "cookie", "cookies", "jwt", "key", "keys", "apikey", "pat", "pin", "otp"),
        "totp",
        *("signature", "sig", "sas", "hmac", "session", "login", "username", "userpass"),
    }
)
_PARTS = re.compile(
    "apikey|accesskey|secret|privatekey|(access|auth|api|hf|bearer|refresh)token|passw(or)?[dt]|pwd|kennwort|contrase"
    "|passphrase|credential|authorization"
)
# Of the tokens of a tokenizer, and counts of them.
_OF_TEXT = frozenset(
    {
        *("bos", "eos", "pad", "unk", "sep", "cls", "mask", "think", "thinking", "reasoning"),
        "end",
        *("start", "stop", "add", "prefix", "suffix", "image", "video", "audio", "max", "min"),
        "num",
        *("id", "ids", "special", "new", "type", "split", "per", "budget", "begin", "eot", "space"),
    }
)
# Of attention, and of tables of keys and values.
_OF_ATTENTION = frozenset({"heads", "value", "values", "cache", "query"})
_WORDS = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
FORMS: Final = re.compile(
    "|".join(
        (
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
            # Not the names of models: sk-7b-instruct-v2 is Slovak.
            r"\b(?:sk|pk|rk|ak)[-_](?=[\w-]{0,99}\d)(?:[\w-]{0,99}[A-Za-z0-9]{16}[\w-]*|[\w-]{36,})",
            r"\bhf_[A-Za-z0-9]{12,}",
            r"\b(?:gh[pousr]|gsk|r8|npm|fw|api_org)_(?=\w{0,99}\d)[A-Za-z0-9]{16,}",
            r"\b(?:tgp_v1|lsv2_[a-z]{2}|jina)_(?=\w{0,99}\d)\w{16,}",
            r"\bAGE-SECRET-KEY-1[A-Z0-9]{16,}",
            r"\bgithub_pat_\w{16,}",
            r"\b(?:glpat|nvapi|xai|pplx|csk|pypi|xox[a-z]|xapp|dop_v1|sntrys)-(?=[\w-]{0,99}\d)[\w-]{12,}",
            r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b",
            r"\bAIza[\w-]{20,}",
            r"\bya29\.[\w.-]{12,}",
            r"\bdapi[0-9a-f]{24,}",
            r"\bSG\.[\w-]{16,99}\.[\w-]{16,}",
            r"\beyJ[\w-]{8,999}\.[\w-]{8,}(?:\.[\w-]*)?",
        )
    ),
    re.DOTALL,
)
"""Keys and tokens of services, wherever they stand. Bounds keep the time linear in hostile texts."""

_RUN = re.compile("[A-Za-z0-9]{16,}")
_LONG_RUN = re.compile("[A-Za-z0-9_-]{24,}")
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
_SEPARATORS = re.compile("[_-]")
_CHANGES, _CHANGES_OF_LONG = 0.3, 0.48
"""Of random letters and digits, about half of all neighbours are of two kinds; of names, few are."""


def is_secret_name(name: str) -> bool:
    """Whether a value of this name is a secret, whatever it looks like."""
    words = [word.lower() for word in _WORDS.findall(name)]
    secret = _SECRET.intersection(words)
    if secret <= {"key", "keys"} and not _OF_ATTENTION.isdisjoint(words):
        secret = frozenset()
    if secret or _PARTS.search("".join(words)):
        return True
    return "token" in words and _OF_TEXT.isdisjoint(words)


def holds_secret_name(name: str) -> bool:
    """The same where any word may stand before a colon: for names that mean nothing else."""
    return bool(_PARTS.search("".join(_WORDS.findall(name)).lower()))


def words_of(name: str) -> set[str]:
    """The words in a name such as `x-apiKey`, in small letters."""
    return {word.lower() for word in _WORDS.findall(name)}


def is_random(value: str) -> bool:
    """Whether a part of a text changes between letters and digits as often as random ones do."""
    if _UUID.search(value):
        return True
    if any(
        sum(map(str.isdigit, run)) > 1 and _changes(run) >= _CHANGES for run in _RUN.findall(value)
    ):
        return True
    long_runs = (_SEPARATORS.sub("", run) for run in _LONG_RUN.findall(value))
    return any(
        set(map(kind, run)) == {0, 1, 2} and _changes(run) >= _CHANGES_OF_LONG for run in long_runs
    )


def _changes(run: str) -> float:
    kinds = [kind(sign) for sign in run]
    return sum(one != other for one, other in itertools.pairwise(kinds)) / len(run)


def kind(sign: str) -> int:
    """0 for a digit, 1 and 2 for small and capital letters, 3 for all else."""
    return 0 if sign.isdigit() else 1 if sign.islower() else 2 if sign.isupper() else 3
