"""SocialMindChange, codes: generated stages of guiding a mind in a group, proven by a simulator.

Each state of mind is put into words by a code book of lines. Whoever has the book reads the states off
single lines: the dataset is a diagnostic, and no test of minds.
"""
