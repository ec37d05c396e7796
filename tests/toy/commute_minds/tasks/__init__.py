"""The tasks: YAML, and the Python that belongs to one benchmark."""
