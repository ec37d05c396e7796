"""SocialMindChange."""
