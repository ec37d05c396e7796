"""Records in the formats of others."""
