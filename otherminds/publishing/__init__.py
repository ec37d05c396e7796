"""Publishing: the files that go to the Hub with a dataset, and their upload."""
