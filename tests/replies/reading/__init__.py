"""Which parser reads which form of the corpus: a module by benchmark, each with `READERS`."""
