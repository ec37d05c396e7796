"""From typed rows to numbers."""
