"""Builds of datasets."""
