"""The trust game: who the personas are, and the rules that they play by."""
