"""The tasks, a folder per benchmark: YAML, and the Python that is this benchmark's alone."""
