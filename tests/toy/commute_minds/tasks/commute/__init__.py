"""Commute as tasks of lm-eval."""
