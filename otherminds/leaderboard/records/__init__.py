"""What is written about a submission."""
