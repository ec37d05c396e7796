"""Commute: how one particular person goes to work, from what they say of their habits."""
