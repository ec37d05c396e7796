"""Seasons: data whose golds nobody outside knows while a season is open, and everybody can check after.

`docs/seasons.md` says what a season is for, how it is run, and what it proves.
"""
