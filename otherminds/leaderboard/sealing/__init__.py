"""The data that a season withholds until it closes."""
