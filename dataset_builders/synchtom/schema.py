"""The row of the SynchToM dataset."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

CONFIG: Final = "instances"
"""The one configuration of the dataset; its one split is `test`."""

SCENARIOS: Final = ("preference", "education", "culture", "software_engineering")

TURNS: Final = 10
"""How many turns every trajectory has."""

DIMENSIONS: Final = ("latent_belief_explanation", "user_profile_modeling", "correct_resolution")
"""What an answer consists of, and what is judged, each by criteria of its own."""

GOLD: Final = ("true_latent_state", "user_latent_belief", "root_cause", "user_profile")
"""The columns whose text would give the answer away."""

TOLD: Final = {"told_cause": "root_cause", "told_profile": "user_profile"}
"""Columns that a task may tell, and the gold columns that they are made of."""

TURN: Final = pa.struct([("action", pa.string()), ("observation", pa.string())])
"""One turn: what the user did, and what came of it."""

INSTANCE: Final = pa.schema(
    [
        pa.field("instance_id", pa.string(), nullable=False),
        pa.field("upstream_id", pa.string(), nullable=False),
        pa.field("scenario", pa.string(), nullable=False),
        pa.field("observation", pa.string(), nullable=False),
        pa.field("instruction", pa.string(), nullable=False),
        pa.field("turns", pa.list_(TURN), nullable=False),
        pa.field("true_latent_state", pa.string(), nullable=False),
        pa.field("user_latent_belief", pa.string(), nullable=False),
        pa.field("misconception_type", pa.string(), nullable=False),
        pa.field("root_cause", pa.string(), nullable=False),
        pa.field("user_profile", pa.string(), nullable=False),
        pa.field(
            "rubrics",
            pa.struct([(dimension, pa.list_(pa.string())) for dimension in DIMENSIONS]),
            nullable=False,
        ),
        pa.field("told_cause", pa.string(), nullable=False),
        pa.field("told_profile", pa.string(), nullable=False),
        pa.field("misdirected", pa.list_(pa.int32()), nullable=False),
    ]
)
"""One user with a wrong belief.

    instance_id         unique in the dataset: "synchtom-education-0001"
    upstream_id         its id in the source: "edu_0001"
    scenario            one of SCENARIOS
    observation         what the user saw at first
    instruction         what the user asks for
    turns               what the user then did and saw, TURNS of them; an observation may be empty
    true_latent_state   what is really the case
    user_latent_belief  what the user takes to be the case
    misconception_type  the kind of error, in a few words
    root_cause          why the user believes it
    user_profile        who the user is
    rubrics             criteria of an answer, by dimension
    told_cause          root_cause as a task may tell it: what names the truth is masked (`told.masked`)
    told_profile        user_profile in the same way
    misdirected         places, from 0, of criteria on the solution that reward the wrong request

A prompt shows observation, instruction and turns; tasks that tell more show user_latent_belief,
told_cause or told_profile. All else is gold. Rows are ordered by scenario as in SCENARIOS, then as in
the source.
"""
