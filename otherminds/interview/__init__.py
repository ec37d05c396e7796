"""The interviewer: a conversation that builds a causal belief network. See docs/how-to/interview.md."""
