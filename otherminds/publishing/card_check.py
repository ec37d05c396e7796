"""Whether the Hub reads a dataset repository's card as it is meant, and readers can use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from otherminds.checks import Finding
from otherminds.publishing import card_data, card_head, card_text
from otherminds.publishing.card_parts import Card, CardError, read

Rule = Callable[[Card], Iterator[str]]

RULES: Final[dict[str, Rule]] = {
    "keys": card_head.keys,
    "licence": card_head.licence,
    "language": card_head.language,
    "types": card_head.types,
    "choices": card_head.choices,
    "lengths": card_head.lengths,
    "configs": card_data.configs,
    "files": card_data.unlisted,
    "dataset_info": card_data.info,
    "sizes": card_data.sizes,
    "features": card_data.features,
    "sections": card_text.sections,
    "links": card_text.links,
    "canary": card_text.canary,
}
"""The checks, by the subject that findings name."""


def check(folder: Path) -> list[Finding]:
    """Check the card of the repository in `folder` against its files.

    A finding per fault, on one line with the remedy, and one for each subject without a fault.
    Whatever is wrong with the files is a finding; nothing is raised, and nothing is written.
    """
    try:
        card = read(folder)
    except CardError as error:
        return [Finding("card", False, str(error))]
    found = []
    for subject, rule in RULES.items():
        faults = [" ".join(fault.split()) for fault in rule(card)]
        found += [Finding(f"card {subject}", False, fault) for fault in faults]
        if not faults:
            found.append(Finding(f"card {subject}", True, "in order"))
    return found
