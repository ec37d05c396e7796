"""The tables of a study's database.

What a person says stands in `sessions`, `qas`, `events`, `calls`, `survey` and `survey_again`, and
nowhere else. Who they are stands in `recruitment`, encrypted, and no query joins it with the others.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

SCHEMA_VERSION: Final = 2
"""Version 1 lacked some tables, and has the others as they are: those that lack are made."""

WITHOUT_SOME: Final = frozenset({"1"})
"""Versions that become this one by the tables that they lack."""

METADATA: Final = MetaData()

META: Final = Table(
    "meta",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

CONFIGS: Final = Table(
    "configs",
    METADATA,
    Column("hash", String(64), primary_key=True),
    Column("content", Text, nullable=False),
)
"""The parameters and the topic of sessions, as they were when these began."""

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("id", String(128), primary_key=True),
    Column("participant_id", String(128), nullable=False, index=True),
    Column("topic", String(128), nullable=False),
    Column("status", String(16), nullable=False),
    Column("stage", Integer, nullable=False),
    Column("progress", Float, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("nodes", Integer, nullable=False),
    Column("config_hash", String(64), ForeignKey("configs.hash"), nullable=False),
    Column("created", String(40), nullable=False),
    Column("updated", String(40), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("graph", Text, nullable=False),
)

QAS: Final = Table(
    "qas",
    METADATA,
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("content", Text, nullable=False),
)

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("content", Text, nullable=False),
)

CALLS: Final = Table(
    "calls",
    METADATA,
    Column("session_id", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("request", Text, nullable=False),
    # The columns of a run's journal.
    Column("answer", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("ended", Text),
    Index("calls_in_order", "session_id", "number"),
)
"""The journal of requests to models, in the format of `otherminds.running.journal`."""

SURVEY: Final = Table(
    "survey",
    METADATA,
    Column("participant_id", String(128), primary_key=True),
    Column("topic", String(128), primary_key=True),
    Column("question_id", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("content", Text, nullable=False),
)
"""The answers to the questionnaire."""

PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("participant_id", String(128), primary_key=True),
    Column("demographics", Text, nullable=False),
)
"""What people said of themselves in the questionnaire."""

RECRUITMENT: Final = Table(
    "recruitment",
    METADATA,
    Column("participant_id", String(128), primary_key=True),
    Column("finding", String(64), nullable=False, unique=True),
    Column("token", LargeBinary, nullable=False),
)
"""Ids of the platform that people were recruited on: encrypted, and a keyed hash to find them by."""

EXPORTS: Final = Table(
    "exports",
    METADATA,
    Column("path", Text, primary_key=True),
    Column("made", String(40), nullable=False),
)
"""Where exports were written, so that a deletion reaches them."""

TOMBSTONES: Final = Table(
    "tombstones",
    METADATA,
    Column("participant_id", String(128), primary_key=True),
    Column("deleted", String(40), nullable=False),
)
"""People who were deleted: an id and a time."""

PARTICIPANTS: Final = Table(
    "participants",
    METADATA,
    Column("participant_id", String(128), primary_key=True),
    Column("wave", Integer, primary_key=True),
    # A personal link is known by its hash alone: whoever reads the database cannot answer for anybody.
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("content", Text, nullable=False),
    Column("created", String(40), nullable=False),
)
"""How far people are on the pages of a study (`otherminds.interview.participation`)."""

SURVEY_AGAIN: Final = Table(
    "survey_again",
    METADATA,
    Column("participant_id", String(128), primary_key=True),
    Column("wave", Integer, primary_key=True),
    Column("topic", String(128), primary_key=True),
    Column("question_id", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("content", Text, nullable=False),
)
"""The answers of people who were asked again."""

PEOPLE_AGAIN: Final = Table(
    "people_again",
    METADATA,
    Column("participant_id", String(128), primary_key=True),
    Column("wave", Integer, primary_key=True),
    Column("demographics", Text, nullable=False),
)
"""What people said of themselves when they were asked again."""

OF_PEOPLE: Final = (
    *(SESSIONS, SURVEY, PEOPLE, RECRUITMENT),
    *(PARTICIPANTS, SURVEY_AGAIN, PEOPLE_AGAIN),
)
"""The tables with a column `participant_id`; what belongs to a session goes with it."""
