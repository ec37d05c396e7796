"""Write the tables of docs/explanation/security.md again: `python -m tests.security.write`."""

from __future__ import annotations

from tests.security import attacks


def main() -> None:
    page = attacks.PAGE.read_text(encoding="utf-8")
    found = attacks.tables(attacks.collect(attacks.sources()))
    attacks.PAGE.write_text(attacks.fill(page, found), encoding="utf-8")


if __name__ == "__main__":
    main()
