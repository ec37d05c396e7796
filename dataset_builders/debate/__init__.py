"""Debate beliefs: from Debate.org, from its issue survey, or generated, to typed rows."""
