"""Saved answers: their files and their names."""
