"""From a source, or from a generator, to typed rows: one subpackage per benchmark."""
