"""SocialMindChange: a generated benchmark of guiding a mind in a group, proven item by item by a simulator."""
