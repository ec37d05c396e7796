"""What a season withholds until it closes."""
