"""Runs of models on tasks."""
