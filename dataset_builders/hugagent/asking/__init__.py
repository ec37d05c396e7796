"""Edition 2 of the synthetic track: the items, and a reader of claims."""
