"""SocialMindChange: a generated benchmark of guiding a mind in a group, proven by a simulator."""
