"""Datasets: where they are found, built and read."""
