"""Verification of submissions."""
