"""The columns of edition 2: those of edition 1, and what an item takes and an interview tells."""

from __future__ import annotations

import pyarrow as pa

from otherminds.dataset_builders.hugagent import features

_TEXT = pa.string()

CLAIMS = pa.list_(
    pa.struct(
        {
            "answer": _TEXT,
            "claim_id": _TEXT,
            "kind": _TEXT,
            "told": _TEXT,
            "source": _TEXT,
            "target": _TEXT,
            "sign": pa.int32(),
            "level": pa.int32(),
            "holder": _TEXT,
            "on": _TEXT,
            "about": _TEXT,
        }
    )
)
"""What an interview tells (`world.claims.Claim`); `answer` is the digest of the answer that tells it."""


def _after(schema: pa.Schema, name: str, **more: pa.DataType) -> pa.Schema:
    place = schema.get_field_index(name) + 1
    fields = list(schema)
    return pa.schema([*fields[:place], *more.items(), *fields[place:]])


ITEM = _after(features.ITEM, "evidence", steps=pa.int32(), form=_TEXT, claims=CLAIMS)
"""One question about one person; the same columns for the configurations `bsi` and `bdu`."""

_VOICE = pa.struct(
    {
        **dict.fromkeys(("verbosity", "certainty", "register", "habit"), _TEXT),
        **dict.fromkeys(("examples", "digressions"), pa.float64()),
    }
)

AGENT = _after(
    pa.schema(
        [pa.field("voice", _VOICE) if one.name == "voice" else one for one in features.AGENT]
    ),
    "stance_grade",
    firmness=pa.int32(),
    firmness_grade=_TEXT,
    fork=pa.struct(dict.fromkeys(("source", "winner", "loser", "target"), _TEXT)),
    claims=CLAIMS,
)
"""One simulated person on one topic: the whole truth behind the items."""
