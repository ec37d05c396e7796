"""What each task and group of the trust game asks, in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_GROUPS = {
    "trust_game": "does a role-playing model act as its own stated beliefs say it will?",
    "trust_game_conditioned": "sends of personas who are shown how people differ in trust",
    "trust_game_imposed": "sends of personas who are shown other orders of people than the model's own",
    "trust_game_individual": "one persona, six rounds: what it forecast, and what it sent",
}


def line(content: Mapping[str, Any]) -> str:
    """What the task or group with this YAML asks."""
    name = str(content.get("group") or content["task"]).removesuffix("_genagents")
    if "group" in content:
        return _GROUPS[name]
    wanted, made = content["dataset_kwargs"], content["custom_dataset"].rpartition("trust_game.")[2]
    if made == "population.documents":
        return "what do people of each kind send, as stated, and as played by personas?"
    if made == "conditioned.documents":
        if (target := wanted.get("target")) is None:
            return "what do personas send who are shown the model's own order of people?"
        return (
            f"what do personas send who are shown another order, ρ = {target} with the model's own?"
        )
    if made == "individual.forecasts":
        return "what will this persona send in each round?"
    if name == "trust_game_rounds":
        return "how much does a persona send in each round, and had it forecast that?"
    return f"stage: how much does a persona send in round {wanted['round']} of 6?"
