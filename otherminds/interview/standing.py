"""What new sessions begin with: the file's configuration, until a researcher changes it on the pages.

It lies in the study's database. A file that is changed takes its place again.
"""

from __future__ import annotations

from otherminds.interview.config import Config
from otherminds.interview.store import Store, put_row

_CONFIG, _FILE = "config", "config_file_hash"


class Standing:
    """The standing configuration of a study.

    config  the one of the file that the server was started with
    """

    def __init__(self, store: Store, config: Config) -> None:
        self._store = store
        if self._value(_FILE) != config.hash:
            self._write({_CONFIG: config.model_dump_json(), _FILE: config.hash})
        self._config = Config.model_validate_json(self._value(_CONFIG) or config.model_dump_json())

    @property
    def config(self) -> Config:
        """What new sessions begin with."""
        return self._config

    def change(self, config: Config) -> None:
        """Begin new sessions with another one; those that go on keep theirs."""
        self._write({_CONFIG: config.model_dump_json()})
        self._config = config

    def _value(self, name: str) -> str | None:
        from sqlalchemy import select

        from otherminds.interview.tables import META

        with self._store.database.reading() as connection:
            query = select(META.c.value).where(META.c.name == name)
            found: str | None = connection.execute(query).scalar()
        return found

    def _write(self, values: dict[str, str]) -> None:
        from otherminds.interview.tables import META

        with self._store.database.writing() as connection:
            for name, value in values.items():
                put_row(connection, META, {"name": name, "value": value})
