"""Ids that stand for people without naming them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from otherminds.dataset_builders.errors import SourceError

_DIGITS = 16


def user_id(name: str, salt: str) -> str:
    """ "U" and 16 hexadecimal digits: the beginning of the SHA-256 of salt and name.

    Who has the list of names and the salt can find an id's name again, as can anyone who looks a
    person's beliefs up in the source. The id keeps names out of prompts, logs and results; it is no
    secret.
    """
    return "U" + hashlib.sha256(f"{salt}\x00{name}".encode()).hexdigest()[:_DIGITS]


def user_ids(names: Iterable[str], salt: str) -> dict[str, str]:
    """Name to id. Raises SourceError where two names would share an id."""
    by_id: dict[str, str] = {}
    for name in names:
        identity = user_id(name, salt)
        if by_id.setdefault(identity, name) != name:
            raise SourceError(
                f"The user id {identity} stands for two people: their beliefs would be mixed. Choose "
                "another salt."
            )
    return {name: identity for identity, name in by_id.items()}


def item_id(source: str, number: int) -> str:
    """The id of a dataset's `number`-th item, from 1: "ddo-000001"."""
    return f"{source}-{number:06d}"
