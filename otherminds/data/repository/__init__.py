"""The repository of a dataset as it goes to the Hub."""
