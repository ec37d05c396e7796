"""Seasons: data whose golds are secret while a season is open, and can be checked by everybody after.

`docs/explanation/seasons.md` says why seasons exist, how they are run, and what they prove.
"""
