"""Edition 2 of the synthetic track: who the people are, what they believe, and what moves them."""
