"""How large a submission may be. Everything here is checked before the thing itself is read."""

from __future__ import annotations

MIB = 2**20

RECORD_BYTES = 1 * MIB
"""Of `record.json` and of `verification.json`."""

JSON_DEPTH = 12
"""Brackets open at one time; a record has six."""

ANSWERS_BYTES = 64 * MIB
"""Of one file of answers."""

SUBMISSION_BYTES = 256 * MIB
"""Of all files of a submission."""

FILES = 128
"""Files and folders in a submission."""

COMMITS = 200
"""Commits of a pull request, from the newest to the first that main has too."""

TASKS = 100
"""Tasks in a record."""

REPEATS = 100
"""Answers to one document."""

REASONS = 5
"""Refused tasks, after which no other is looked at."""

ROWS = 500_000
"""Rows in a file of answers, as it declares them and as they are read."""

ROW_GROUPS = 2_000
COLUMNS = 32

ROW_GROUP_BYTES = 256 * MIB
"""Of one row group, uncompressed, as it declares it."""

BATCH_ROWS = 4_096
"""Rows that are decoded at one time."""

RAW_CHARACTERS = 65_536
"""Of one reply of a model."""

PARSED_CHARACTERS = 200
"""Of one answer as it was read, of an item's id or of a hash."""

OPTIONS = 100
"""Log-likelihoods of one document."""

DECODED_BYTES = 256 * MIB
"""Of all values of a file of answers, decoded."""

READER_MEMORY = 3 * 1024 * MIB
"""Address space of the process that opens files of answers."""

READER_SECONDS = 60
"""Processor time, and time by the clock, of the process that opens files of answers."""

VERIFIER_MEMORY = 16 * 1024 * MIB
"""Address space of the process that verifies a whole submission; libraries reserve most of it unused."""

VERIFIER_SECONDS = 600
"""Processor time, and time by the clock, of the process that verifies a whole submission."""
