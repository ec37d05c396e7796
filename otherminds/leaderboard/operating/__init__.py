"""The operation of the board."""
