"""HugAgent: the beliefs of individual people, and how they move under new evidence."""
