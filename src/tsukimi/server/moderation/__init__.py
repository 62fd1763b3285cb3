"""This worker's copy of the host's decisions about people and words: bans, the word filter."""
