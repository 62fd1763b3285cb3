"""What the host decided about people and words, as this worker knows it: bans, the word filter."""
