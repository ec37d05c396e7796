"""The web pages of a study, for the people who take part and for those who run it."""
