"""Edition 2 of the synthetic track: building and auditing its tables."""
