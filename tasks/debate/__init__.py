"""Debate beliefs."""
