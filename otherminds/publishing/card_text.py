"""Rules on the text of a card: its sections, its links, its canary.

Each rule yields one line per fault, with its remedy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.publishing.card_parts import NAME, Card

SECTIONS: Final = (
    *("Dataset Details", "Uses", "Direct Use", "Out-of-Scope Use", "Dataset Structure", "Counts"),
    *("Dataset Creation", "Curation Rationale", "Source Data", "Data Collection and Processing"),
    *("Who are the source data producers?", "Annotations", "Annotation process"),
    *("Who are the annotators?", "Personal and Sensitive Information", "Data Statement"),
    *(
        "Bias, Risks, and Limitations",
        "Recommendations",
        "Reference Scores",
        "Citation",
        "Changelog",
    ),
    *("Contamination", "Dataset Card Contact"),
)
"""The headings that every card has: those of the Hub's template, and ours."""

CANARY: Final = re.compile(r"[A-Z]+-CANARY-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_PLACEHOLDER: Final = "More Information Needed"
_MARKDOWN: Final = MarkdownIt("commonmark").enable("table")


def sections(card: Card) -> Iterator[str]:
    """Every section is there and says something."""
    headings = _headings(card.body)
    titles = [title for title, _, _ in headings]
    if not any(level == 1 for _, level, _ in headings):
        yield "the text has no title; begin it with a line `# …`."
    for wanted in SECTIONS:
        if wanted not in titles:
            yield f"the section '{wanted}' is missing; add it."
    for title, _, empty in headings:
        if empty:
            yield f"the section '{title}' is empty; fill it or take it out."
    if _PLACEHOLDER in card.body:
        yield f"a placeholder '[{_PLACEHOLDER}]' is left; replace it."


def links(card: Card) -> Iterator[str]:
    """Relative links lead to files of the repository, and anchors to headings of the card."""
    anchors = _anchors(card.body)
    for target in dict.fromkeys(_targets(card.body)):
        try:
            found = urlsplit(target)
            path = unquote(found.path)
        except ValueError:
            yield f"the link '{target}' is not an address; correct it."
            continue
        if found.scheme or found.netloc:
            continue
        if path and path != NAME and not _inside(card, path):
            yield f"the link '{target}' leads to no file of the repository; correct it."
        elif path in ("", NAME) and found.fragment and unquote(found.fragment) not in anchors:
            yield f"the link '{target}' leads to no heading; correct it."


def canary(card: Card) -> Iterator[str]:
    """The canary is in the text, and is the manifest's where there is one."""
    found = set(CANARY.findall(card.body))
    if not found:
        yield "the canary is missing; add it, so that the data can be filtered out of corpora."
    if not (card.folder / repository.MANIFEST).exists():
        return
    try:
        wanted = repository.manifest_of(card.folder).canary
    except (OtherMindsError, UnicodeDecodeError) as error:
        yield f"the canary cannot be compared: {error}"
        return
    if found and wanted not in found:
        yield f"the canary is not the manifest's; it must be {wanted}."


def _headings(body: str) -> list[tuple[str, int, bool]]:
    """Title, level, and whether nothing stands below before the next heading that is not deeper."""
    tokens = _MARKDOWN.parse(body)
    places = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
    levels = [int(tokens[place].tag[1:]) for place in places]
    found = []
    for number, place in enumerate(places):
        after = place + 3
        ends = after == len(tokens) or (
            number + 1 < len(places)
            and places[number + 1] == after
            and levels[number + 1] <= levels[number]
        )
        found.append((_plain(tokens[place + 1]), levels[number], ends))
    return found


def _plain(inline: Token) -> str:
    children = inline.children or []
    return "".join(one.content for one in children if one.type in ("text", "code_inline")).strip()


def _anchors(body: str) -> set[str]:
    """The ids that the Hub gives to headings: lower case, dashes for blanks, numbered when repeated."""
    found: dict[str, int] = {}
    anchors = set()
    for title, _, _ in _headings(body):
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        times = found.get(slug, 0)
        anchors.add(f"{slug}-{times}" if times else slug)
        found[slug] = times + 1
    return anchors


def _targets(body: str) -> Iterator[str]:
    for token in _MARKDOWN.parse(body):
        for one in token.children or []:
            target = one.attrGet("href") or one.attrGet("src")
            if target is not None:
                yield str(target)


def _inside(card: Card, path: str) -> bool:
    try:
        target = (card.folder / path).resolve()
        return target.exists() and target.is_relative_to(card.folder.resolve())
    except (OSError, ValueError):
        return False
