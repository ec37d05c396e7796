"""SynchToM: what users believe, what is true, and what they did; from the authors' repository."""
