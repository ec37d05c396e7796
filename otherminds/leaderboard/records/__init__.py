"""The records that are written about a submission."""
