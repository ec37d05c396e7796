"""A fictional GENAGENTS bank in the exact raw format. Nobody in it was ever surveyed.

Each agent's values are counted off by its number, so every level of every attribute is frequent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from otherminds.dataset_builders.trust_game.attributes import BANK

Record = dict[str, Any]

FAMILY = (
    "Lived with parents",
    "Parent died",
    "Divorce, separated",
    "Other (left home before 16, e.g., for school)",
    "Lived with parents",
    "Institution",
    "Lived with parents",
    "Armed forces",
)
DEGREES = BANK.attribute("highest_degree").levels
VIEWS = BANK.attribute("political_views").levels
WORK = BANK.attribute("work_status").levels
RESIDENCE = BANK.attribute("same_residence_since_16").levels
CITIZEN = ("A U.S. citizen", "A U.S. citizen", "Not a U.S. citizen")

ENOUGH = 300
"""Agents of whom the test split surely holds all levels."""


def agent(number: int, **changes: Any) -> Record:
    """A raw agent. `changes` replaces members."""
    # Steps of different primes: otherwise the attributes would go through their levels together.
    record = {
        "agent_id": agent_id(number),
        "first_name": ("Aurelia", "Bartholomew", "Cosima")[number % 3],
        "last_name": f"Fictitious{number}",
        "age": 18 + number * 7 % 71,
        "sex": ("Female", "Male")[number % 2],
        "ethnicity": ("Germany", "Mexico", "Nigeria")[number % 3],
        "race": "White",
        "detailed_race": ("White", "Asian")[number // 2 % 2],
        "hispanic_origin": "Not Hispanic",
        "street_address": f"{number} Invented Crescent",
        "city": "Nowhereville",
        "state": ("OH", "TX", "ME")[number // 3 % 3],
        "political_views": VIEWS[number * 11 // 3 % 7],
        "party_identification": "Other party",
        "residence_at_16": "Pacific",
        "same_residence_since_16": RESIDENCE[number // 5 % 3],
        "family_structure_at_16": FAMILY[number * 3 % 8],
        "family_income_at_16": "Average",
        "fathers_highest_degree": "High school",
        "mothers_highest_degree": "Graduate",
        "mothers_work_history": "Yes",
        "marital_status": "Married",
        "work_status": WORK[number // 2 % 8],
        "military_service_duration": "No active duty",
        "religion": "None",
        "religion_at_16": "Catholic",
        "born_in_us": "No",
        "us_citizenship_status": CITIZEN[number // 4 % 3],
        "highest_degree_received": DEGREES[number // 7 % 5],
        "speak_other_language": "Yes",
        "total_wealth": "$40,000 to $75,000",
    }
    return record | changes


def agent_id(number: int) -> str:
    """The id of an agent; ids sort in another order than numbers."""
    return f"{number * 7919 % 65536:04x}0000-0000-4000-8000-{number:012x}"


def bank(count: int = ENOUGH) -> list[Record]:
    """So many agents."""
    return [agent(number) for number in range(count)]


def write_lines(path: Path, agents: Iterable[Record]) -> Path:
    """The bank as one JSONL file; returns it."""
    path.write_text("".join(f"{json.dumps(one)}\n" for one in agents), encoding="utf-8")
    return path


def write_clone(folder: Path, agents: Iterable[Record]) -> Path:
    """The bank as in a clone of the authors' repository, where folders give the ids; returns it."""
    for one in agents:
        place = folder / "agent_bank" / "populations" / "gss_agents" / one["agent_id"]
        place.mkdir(parents=True)
        said = {key: value for key, value in one.items() if key != "agent_id"}
        (place / "scratch.json").write_text(json.dumps(said, indent=2), encoding="utf-8")
        (place / "meta.json").write_text("{}", encoding="utf-8")
    return folder
