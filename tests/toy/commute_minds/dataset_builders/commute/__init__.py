"""The generated people and their mornings."""
