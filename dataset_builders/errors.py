"""What is raised for a source that cannot be used."""

from __future__ import annotations


class SourceError(ValueError):
    """A source cannot be read, or a package needed to read it is missing.

    The message is one line that says what is wrong and what to do.
    """
