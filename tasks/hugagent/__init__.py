"""HugAgent."""
