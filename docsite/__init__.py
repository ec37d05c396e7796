"""The documentation's site: what MkDocs is told beyond the pages in `docs/`. See `mkdocs.yml`."""
