"""From generators to typed rows."""
