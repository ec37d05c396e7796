"""Submissions from the side of the submitter."""
